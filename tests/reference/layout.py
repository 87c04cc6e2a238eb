"""Which format a document is, by content, and where in it the profile lies.

Decided here:
- `{"profile": …}` and `{"result": {"profile": …}}` are unwrapped, nothing
  else is. A text that does not begin with `{` is no profile.
- `nodes` is a CPU profile. `head` is a heap profile when its root carries
  selfSize, and the old nested CPU layout when the root carries hitCount or
  one of startTime, endTime, timestamps, timeDeltas stands beside it; with
  none of these no layout is known, or, as true, a size is missing.
- a profile with both `nodes` and `head` names its tree twice.
- formats that are known but not read: told by their leading bytes or their
  top-level keys.
"""

import re

import fields
from problem import PARSE, UNSUPPORTED, Problem

CPU_KEYS = ("startTime", "endTime", "timestamps", "timeDeltas")
COLLAPSED = re.compile(rb"[^\x00-\x1f]*[^\x00-\x1f;]+ [0-9]+\r?\n")


def keys_of(value):
    """The first value of each key; empty for what is not an object."""
    found = {}
    if value is not None and value.kind == "object":
        for key, inner in value.data:
            found.setdefault(key, inner)
    return found


def check_known_bytes(data):
    """Raises for the formats that are not JSON objects."""
    start = data.lstrip(b" \t\r\n")
    if start[:1] == b"{":
        return
    trace = start[:1] == b"[" and b'"ph"' in start[:4096]
    pprof = data[:1] == b"\x0a" and b"\0" in data[:4096]
    if trace or pprof or data[:8] == b"PERFILE2" or COLLAPSED.match(data):
        raise Problem(UNSUPPORTED, "known_format")
    raise Problem(UNSUPPORTED, "unrecognized_layout")


def is_known_json(keys):
    if "traceEvents" in keys or ("snapshot" in keys and "nodes" in keys):
        return True
    if "threads" in keys and "meta" in keys:
        return True
    schema = keys.get("$schema")
    return schema is not None and "speedscope" in str(schema.data)


def unwrapped(root):
    keys = keys_of(root)
    if is_known_json(keys):
        raise Problem(UNSUPPORTED, "known_format")
    if "nodes" in keys or "head" in keys:
        return root
    for path in (("profile",), ("result", "profile")):
        value = root
        for key in path:
            value = dict(fields.entries(value, {key})).get(key)
            if value is None or value.kind != "object":
                break
        else:
            return value
    raise Problem(UNSUPPORTED, "unrecognized_layout")


def recognise(root):
    """(layout, profile object); layout is flat, nested or heap."""
    profile = unwrapped(root)
    keys = keys_of(profile)
    unknown = (UNSUPPORTED, "unrecognized_layout")
    if "nodes" in keys and "head" in keys:
        wrong_type = (PARSE, "wrong_type")
        raise Problem(PARSE, "duplicate_key", also=[unknown, wrong_type])
    if "nodes" in keys:
        return "flat", profile
    if "head" not in keys:
        raise Problem(*unknown)
    head = keys_of(keys["head"])
    if "selfSize" in head or keys["head"].kind != "object":
        return "heap", profile
    if "hitCount" in head or any(key in keys for key in CPU_KEYS):
        return "nested", profile
    raise Problem(*unknown, also=[(PARSE, "missing_field")])
