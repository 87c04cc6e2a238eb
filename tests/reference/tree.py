"""The call tree: checked links, depth, and inclusive values.

Decided here:
- a node's parent comes from another's `children`, from its own `parent`, or
  from both when they agree.
- the root is the first node in the file that is nobody's child. A further one
  is `unreachable_node`; when there is none at all, the links are a `cycle`.
- a tree with several faults answers with the first of this list, and any of
  the others is as true: duplicate_node_id, unknown_child, unknown_parent,
  node_has_two_parents, cycle, unreachable_node.
- the depth of the root is 1.
"""

from problem import parse_problem

FAULTS = ("duplicate_node_id", "unknown_child", "unknown_parent",
          "node_has_two_parents", "cycle", "unreachable_node")


class Node:
    def __init__(self, call, ident=None, value=None, children=(), parent=None):
        self.call = call
        self.id = ident
        self.value = value  # hitCount or selfSize; None when absent
        self.children = list(children)  # ids in flat files, else places
        self.parent = parent  # an id, or None when the key is absent


def index_of(nodes):
    """(id → place, faults)."""
    places = {}
    faults = set()
    for place, node in enumerate(nodes):
        if node.id is None:
            continue
        if node.id in places:
            faults.add("duplicate_node_id")
        places.setdefault(node.id, place)
    return places, faults


def links_of(nodes, places, faults):
    """(parent place → child places, child place → set of parent places)."""
    below = [[] for _ in nodes]
    above = [set() for _ in nodes]
    for place, node in enumerate(nodes):
        for ident in node.children:
            child = places.get(ident)
            if child is None:
                faults.add("unknown_child")
                continue
            if above[child]:
                faults.add("node_has_two_parents")
            above[child].add(place)
            below[place].append(child)
    for place, node in enumerate(nodes):
        if node.parent is None:
            continue
        parent = places.get(node.parent)
        if parent is None:
            faults.add("unknown_parent")
            if above[place]:
                faults.add("node_has_two_parents")
        elif not above[place]:
            above[place].add(parent)
            below[parent].append(place)
        elif parent not in above[place]:
            faults.add("node_has_two_parents")
            above[place].add(parent)
            below[parent].append(place)
    return below, above


def has_cycle(below):
    """Takes away nodes without a way in until only circles are left."""
    ways_in = [0] * len(below)
    for children in below:
        for child in children:
            ways_in[child] += 1
    free = [place for place, count in enumerate(ways_in) if count == 0]
    taken = 0
    while free:
        taken += 1
        for child in below[free.pop()]:
            ways_in[child] -= 1
            if ways_in[child] == 0:
                free.append(child)
    return taken < len(below)


def reach(below, root):
    seen = {root}
    pending = [root]
    while pending:
        for child in below[pending.pop()]:
            if child not in seen:
                seen.add(child)
                pending.append(child)
    return seen


def link(nodes):
    """Child places of each node, and the root's place (None without nodes).
    Raises with every true fault."""
    places, faults = index_of(nodes)
    below, above = links_of(nodes, places, faults)
    root = next((i for i, parents in enumerate(above) if not parents), None)
    if nodes and has_cycle(below):
        faults.add("cycle")
    if root is not None and len(reach(below, root)) < len(nodes):
        faults.add("unreachable_node")
    if faults:
        found = [fault for fault in FAULTS if fault in faults]
        raise parse_problem(found[0], 0, found[1:])
    return below, root


def steps(below, root):
    """Every node twice, as (place, entering): on the way in and out."""
    pending = [] if root is None else [(root, True)]
    while pending:
        place, entering = pending.pop()
        yield place, entering
        if entering:
            pending.append((place, False))
            pending.extend((child, True) for child in reversed(below[place]))


def max_depth(below, root):
    depth = deepest = 0
    for _, entering in steps(below, root):
        depth += 1 if entering else -1
        deepest = max(deepest, depth)
    return deepest


def inclusive(below, root, frame_of, own):
    """Frame → sum over the subtrees of its topmost occurrences. `own` holds
    a value a node, `frame_of` a frame a node."""
    total = list(own)
    on_stack = {}
    sums = {}
    for place, entering in steps(below, root):
        frame = frame_of[place]
        if entering:
            on_stack[frame] = on_stack.get(frame, 0) + 1
            continue
        total[place] += sum(total[child] for child in below[place])
        on_stack[frame] -= 1
        sums.setdefault(frame, 0)
        if on_stack[frame] == 0:
            sums[frame] += total[place]
    return sums
