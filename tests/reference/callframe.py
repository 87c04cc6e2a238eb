"""Reads a node's call frame: under `callFrame`, or flat on the node itself as
the first sampling heap profiler and the old CPU profiler wrote it.

Decided here: absent fields have defaults (no name, no url, no position, no
script); a node with neither callFrame nor functionName is `missing_field`.
Flat lines and columns come from V8's C++ interface, not from the protocol:
they are 1-based already, and 0 is none.
"""

import fields
from frames import CallFrame
from problem import parse_problem

FRAME_FIELDS = {
    "functionName": fields.text,
    "url": fields.text,
    "lineNumber": fields.position,
    "columnNumber": fields.position,
    "scriptId": fields.script,
}


def from_fields(found):
    return CallFrame(
        found.get("functionName", ""),
        found.get("url", ""),
        found.get("lineNumber"),
        found.get("columnNumber"),
        found.get("scriptId", ""),
    )


def nested(value):
    return from_fields(fields.record(value, FRAME_FIELDS, "wrong_type"))


def flat_position(value):
    """A line or column that is 1-based already; 0 and below are none."""
    fields.position(value)
    number = fields.integer(value)
    return number if number > 0 else None


def of_node(found, offset):
    """The frame of a node whose known fields were read."""
    if "callFrame" in found:
        return found["callFrame"]
    if "functionName" in found:
        return from_fields(found)
    raise parse_problem("missing_field", offset)


NODE_FIELDS = dict(FRAME_FIELDS, callFrame=nested,
                   lineNumber=flat_position, columnNumber=flat_position)
