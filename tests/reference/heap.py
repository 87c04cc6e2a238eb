"""Reads v8.heapprofile into nodes, tree and sample records.

Decided here: a node needs selfSize, its id is optional; a sample record needs
nodeId and size, and its ordinal is not read; an absent or empty `samples` gives no sample counts.
"""

import fields
import nested
from problem import parse_problem

SAMPLE = {
    "size": fields.natural,
    "nodeId": fields.integer,
}


def sample(value):
    found = fields.record(value, SAMPLE)
    for key in ("size", "nodeId"):
        if key not in found and value.closed:
            raise parse_problem("missing_field", value.offset)
    return found.get("nodeId"), found.get("size")


def samples_of(value):
    return [sample(item) for item in fields.array(value)]


def head_of(value):
    return nested.read(value, "selfSize", ("selfSize",))


class HeapProfile:
    def __init__(self, profile):
        found = fields.record(
            profile, {"head": head_of, "samples": samples_of}
        )
        self.samples = found.get("samples") or None
        self.nodes, self.below, self.root = found["head"]
