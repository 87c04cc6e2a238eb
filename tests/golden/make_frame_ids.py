#!/usr/bin/env python3
"""Writes frame_ids.json: call frames, what is hashed of them, and their ids.

The call frames are chosen by hand, and so are `file`, `place` and
`function_place`: nothing here derives them, so that nothing here can share a
mistake with the code that does. Only preimages and digests are computed.
`make_frame_ids.py` writes the file beside itself; with --check it compares.
"""

import hashlib
import json
import pathlib
import struct
import sys

PATH = pathlib.Path(__file__).resolve().parent / "frame_ids.json"


def frame(what, function, url, place, function_place=None, *, file=None,
          script=None, line=None, column=None, kind="", root=None):
    return {
        "what": what,
        "language": "javascript",
        "kind": kind,
        "function": function,
        "url": url,
        "project_root": root,
        "file": file,
        "script": script,
        "line": line,
        "column": column,
        "place": place,
        "function_place": place if function_place is None else function_place,
    }


FRAMES = [
    frame("a plain function of a file",
          "parse", "file:///srv/app/src/parse.js", "/srv/app/src/parse.js",
          file="/srv/app/src/parse.js", line=12, column=3),
    frame("the same below a project root",
          "parse", "file:///srv/app/src/parse.js", "src/parse.js",
          file="src/parse.js", line=12, column=3, root="/srv/app"),
    frame("the same one line further down: the function id stays",
          "parse", "file:///srv/app/src/parse.js", "src/parse.js",
          file="src/parse.js", line=13, column=3, root="/srv/app"),
    frame("the same without a column",
          "parse", "file:///srv/app/src/parse.js", "/srv/app/src/parse.js",
          file="/srv/app/src/parse.js", line=12),
    frame("no name: no function id",
          "", "file:///srv/app/src/parse.js", "/srv/app/src/parse.js",
          file="/srv/app/src/parse.js", line=1, column=1),
    frame("no name and no place",
          "", "", ""),
    frame("a state of the VM", "(program)", "", "", kind="vm"),
    frame("the idle state of the VM", "(idle)", "", "", kind="vm"),
    frame("the VM's garbage collector", "(garbage collector)", "", "",
          kind="vm"),
    frame("the root", "(root)", "", "", kind="vm"),
    frame("where samples go that name no node", "(unknown)", "", "",
          kind="vm"),
    frame("a function that is called like a state of the VM",
          "(idle)", "file:///srv/app/odd.js", "/srv/app/odd.js",
          file="/srv/app/odd.js", line=5, column=9),
    frame("an eval, known by its script alone",
          "f", "", "script:83", "", script="83", line=1, column=10),
    frame("another eval of the same text",
          "f", "", "script:84", "", script="84", line=1, column=10),
    frame("a built-in without url, script and position",
          "now", "", ""),
    frame("a built-in module: other schemes stay",
          "readFileSync", "node:fs", "node:fs",
          file="node:fs", line=441, column=23),
    frame("a bare name", "main", "app.js", "app.js",
          file="app.js", line=1, column=1),
    frame("query and fragment of a web page's url are not of the function",
          "render", "https://example.org/app.js?v=3#top",
          "https://example.org/app.js?v=3#top", "https://example.org/app.js",
          file="https://example.org/app.js?v=3#top", line=2, column=1),
    frame("a file url's query is cut from the file already",
          "render", "file:///srv/app/a.js?v=3", "/srv/app/a.js",
          file="/srv/app/a.js", line=2, column=1),
    frame("a file whose name holds a number sign",
          "render", "file:///srv/app/a%23b.js", "/srv/app/a#b.js",
          file="/srv/app/a#b.js", line=2, column=1),
    frame("a file url that is no path: the url takes its place",
          "f", "file:///srv/a%2Fb.js?x", "file:///srv/a%2Fb.js?x",
          "file:///srv/a%2Fb.js", line=1, column=1),
    frame("a zero byte in the name",
          "a\0b", "file:///srv/app/a.js", "/srv/app/a.js",
          file="/srv/app/a.js", line=7, column=1),
    frame("what stands before the zero byte is another function",
          "a", "file:///srv/app/a.js", "/srv/app/a.js",
          file="/srv/app/a.js", line=7, column=1),
    frame("names beyond ASCII",
          "gr\u00f6\u00dfe_\u4e16\u754c_\U0001f980",
          "file:///srv/caf%C3%A9.js", "/srv/caf\u00e9.js",
          file="/srv/caf\u00e9.js", line=3, column=4),
    frame("an unpaired half of a surrogate pair became U+FFFD",
          "x\ufffdy", "file:///srv/app/a.js", "/srv/app/a.js",
          file="/srv/app/a.js", line=3, column=4),
    frame("a path of Windows",
          "run", "file:///c:/apps/run.js", "C:/apps/run.js",
          file="C:/apps/run.js", line=1, column=1),
    frame("the largest position",
          "far", "file:///srv/min.js", "/srv/min.js",
          file="/srv/min.js", line=2147483648, column=2147483648),
    frame("a name longer than a row shows is hashed whole",
          "n" * 5000, "file:///srv/app/a.js", "/srv/app/a.js",
          file="/srv/app/a.js", line=1, column=1),
    frame("two fields do not run together",
          "a", "bc", "bc", file="bc"),
    frame("two fields do not run together, the other way",
          "ab", "c", "c", file="c"),
]


def preimage(label, fields):
    data = label.encode("ascii") + b"\0"
    for field in fields:
        raw = field.encode("utf-8")
        data += struct.pack("<I", len(raw)) + raw
    return data


def identity(data):
    return hashlib.sha256(data).hexdigest()[:32]


def decimal(number):
    return "" if number is None else str(number)


def with_ids(one):
    start = [one["language"], one["kind"], one["function"]]
    whole = preimage("extractd.frame/1",
                     start + [one["place"], decimal(one["line"]),
                              decimal(one["column"])])
    loose = preimage("extractd.function/1", start + [one["function_place"]])
    named = one["function"] != ""
    return one | {
        "frame_preimage": whole.hex(),
        "frame_id": identity(whole),
        "function_preimage": loose.hex() if named else None,
        "function_id": identity(loose) if named else None,
    }


def main():
    text = json.dumps([with_ids(one) for one in FRAMES], indent=1) + "\n"
    if sys.argv[1:] != ["--check"]:
        PATH.write_text(text)
    elif PATH.read_text() != text:
        sys.exit("frame_ids.json differs")


if __name__ == "__main__":
    main()
