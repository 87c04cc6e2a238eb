#!/usr/bin/env python3
"""An independent reader of V8 CPU and heap profiles: slow, plain, and written
from the contract and the formats' descriptions alone. The tests hold the
program to it, value for value.

It gives the deterministic part of a result (format, kind, profile, metrics,
unavailable, counts, all rows, coverage), or an error with every true answer.
What was decided where the contract leaves room is said at the top of each
module: strict_json, container, fields, fileurl, frames, layout, tree,
timeline, callframe, cpu, heap and result. It knows no limits.

Use: reader.py FILE…   prints one JSON object a file.
"""

import json
import sys

import container
import cpu
import heap
import layout
import result
import strict_json
from problem import UNSUPPORTED, Problem

NO_OPTIONS = (None, ())


def read_profile(root):
    """(layout, what the file says)."""
    kind, profile = layout.recognise(root)
    if kind == "heap":
        return kind, heap.HeapProfile(profile)
    return kind, cpu.CpuProfile(profile, kind == "nested")


def earlier_fault(document):
    """The fault of a broken text; one that shows in front of it wins."""
    broken = document.problem
    if document.root is None or document.root.kind != "object":
        return broken
    try:
        read_profile(document.root)
    except Problem as problem:
        if problem.code != UNSUPPORTED:
            problem.also += broken.answers()
            return problem
    except (AttributeError, KeyError, TypeError):
        pass  # the half that was read makes no profile
    return broken


def read_text(data, options):
    layout.check_known_bytes(data)
    document = strict_json.parse(data)
    if document.problem:
        raise earlier_fault(document)
    kind, read = read_profile(document.root)
    if kind == "heap":
        return result.heap_result(read, options)
    return result.cpu_result(read, options)


def read_bytes(stored, options=NO_OPTIONS):
    """The result object, or {"error": …}."""
    try:
        encoding, decoded = container.decode(stored)
        found = read_text(container.text_of(decoded), options)
        found["encoding"] = encoding
        found["decoded_bytes"] = len(decoded)
        return found
    except Problem as problem:
        return {"error": {"code": problem.code, "reason": problem.reason,
                          "answers": problem.answers()}}


def read_file(path, options=NO_OPTIONS):
    with open(path, "rb") as file:
        return read_bytes(file.read(), options)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(json.dumps(read_file(name), ensure_ascii=False))
