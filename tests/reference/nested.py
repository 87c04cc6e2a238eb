"""A tree written as nested objects under `head`: heap profiles, and the CPU
profiles of old writers. Read without recursion, in the order of the file.

Decided here: a head that is no object is `wrong_type`, or as true, no layout
that is known, as nothing else tells whose head it is."""

import callframe
import fields
import tree
from problem import UNSUPPORTED, parse_problem


class Opened:
    """A node that is being read: the fields so far, and what is left."""

    def __init__(self, value, known):
        if value.kind != "object":
            raise parse_problem("not_an_object", value.offset)
        self.value = value
        self.left = fields.entries(value, known)
        self.found = {}
        self.children = []


def finish(opened, value_key, needed):
    for key in needed:
        if key not in opened.found and opened.value.closed:
            raise parse_problem("missing_field", opened.value.offset)
    if not opened.value.closed:
        return None
    found = opened.found
    call = callframe.of_node(found, opened.value.offset)
    return tree.Node(call, found.get("id"), found.get(value_key))


def read(head, value_key, needed):
    """(nodes, below, root) with places in pre-order, the root first."""
    if head.kind != "object":
        problem = parse_problem("wrong_type", head.offset)
        problem.also.append((UNSUPPORTED, "unrecognized_layout"))
        raise problem
    readers = dict(callframe.NODE_FIELDS, id=fields.natural)
    readers[value_key] = fields.natural
    known = dict(readers, children=fields.array)
    nodes, below = [None], [[]]
    stack = [(0, Opened(head, known), iter(()))]
    while stack:
        place, opened, children = stack[-1]
        child = next(children, None)
        if child is not None:
            below[place].append(len(nodes))
            stack.append((len(nodes), Opened(child, known), iter(())))
            nodes.append(None)
            below.append([])
            continue
        entry = next(opened.left, None)
        if entry is None:
            nodes[place] = finish(opened, value_key, needed)
            stack.pop()
        elif entry[0] == "children":
            inner = iter(fields.array(entry[1]))
            stack[-1] = (place, opened, inner)
        else:
            opened.found[entry[0]] = readers[entry[0]](entry[1])
    _, faults = tree.index_of([node for node in nodes if node])
    if faults:
        raise parse_problem("duplicate_node_id", head.offset)
    return nodes, below, 0
