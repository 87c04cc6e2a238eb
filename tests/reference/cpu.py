"""Reads v8.cpuprofile into nodes, tree, samples and times.

Decided here:
- startTime and endTime may have fractions only in the nested layout, where
  they are seconds; they are rounded to the nearest microsecond. All other
  times are whole microseconds.
- timeDeltas count before timestamps when a file has both.
- positionTicks are skipped, whatever they hold: only line-level rows need
  them.
"""

from decimal import ROUND_HALF_UP, Decimal

import callframe
import fields
import nested
import tree
from problem import parse_problem


def whole(number):
    return int(number.to_integral_value(ROUND_HALF_UP))


def seconds(value):
    number = whole(fields.exact(value) * Decimal(1000000))
    if not fields.INT64_MIN <= number <= fields.INT64_MAX:
        raise parse_problem("time_overflow", value.offset)
    return number


NODE = dict(
    callframe.NODE_FIELDS,
    id=fields.natural,
    hitCount=fields.natural,
    children=fields.naturals,
    parent=fields.natural,
)
TOP = {
    "startTime": fields.integer,
    "endTime": fields.integer,
    "samples": fields.integers,
    "timeDeltas": fields.integers,
    "timestamps": fields.integers,
}
NESTED_TOP = dict(TOP, startTime=seconds, endTime=seconds)


def flat_node(value):
    found = fields.record(value, NODE)
    if not value.closed:
        return None
    if "id" not in found:
        raise parse_problem("missing_field", value.offset)
    call = callframe.of_node(found, value.offset)
    return tree.Node(call, found["id"], found.get("hitCount"),
                     found.get("children", ()), found.get("parent"))


def flat_nodes(value):
    return [flat_node(item) for item in fields.array(value)]


def nested_nodes(value):
    return nested.read(value, "hitCount", ("id",))


class CpuProfile:
    """Everything the file says; None for what it does not."""

    def __init__(self, profile, is_nested):
        nodes_key = "head" if is_nested else "nodes"
        known = dict(NESTED_TOP if is_nested else TOP)
        known[nodes_key] = nested_nodes if is_nested else flat_nodes
        found = fields.record(profile, known)
        self.start = found.get("startTime")
        self.end = found.get("endTime")
        self.samples = found.get("samples")
        self.deltas = found.get("timeDeltas")
        self.timestamps = found.get("timestamps")
        self.is_nested = is_nested
        self.tree = found[nodes_key]

    def linked(self):
        """(nodes, child places of each, root place)."""
        if self.is_nested:
            return self.tree
        below, root = tree.link(self.tree)
        return self.tree, below, root
