"""What a call frame is: its category, package, kind, symbolization and ids.

Decided here, where the contract leaves room:
- VM states are the names (program), (idle), (garbage collector), (root) and
  (unresolved function), with an empty url and no script id. Anything else of
  that name is a function. VM states have no line and no column.
- samples that name no node go to a frame called "(unknown)".
- the other categories are tried in the order of `category_of`.
- `package` is what follows the last node_modules/; a version is only taken
  from pnpm's folders, and only when the folder is named after that package.
- the script id tells frames apart only when there is no url.
- the function id's place is cut at the url's query or fragment; a path that
  came from a file: URL has none left, and is taken whole.
"""

import hashlib
import re
import struct

import fileurl

LANGUAGE = "javascript"
VM_STATES = {
    "(program)": "program",
    "(idle)": "idle",
    "(garbage collector)": "gc",
    "(root)": "root",
    "(unresolved function)": "unknown",
}
BUILT_IN = ("node:", "bun:", "deno:", "ext:", "internal:", "electron:",
            "internal/")
MODULES = "node_modules/"


class CallFrame:
    """What the writer said about a frame."""

    def __init__(self, function="", url="", line=None, column=None, script=""):
        self.function = function
        self.url = url
        self.line = line
        self.column = column
        self.script = script


UNKNOWN = CallFrame("(unknown)")


def vm_state(call):
    if call is UNKNOWN:
        return "unknown"
    if call.url or call.script:
        return None
    return VM_STATES.get(call.function)


def category_of(call):
    name, url = call.function, call.url
    if url.startswith("wasm:") or (not url and name.startswith("wasm-")):
        return "wasm"
    if not url and name.startswith("RegExp: "):
        return "regexp"
    if not url:
        return "eval" if call.script else "native"
    if url.startswith(BUILT_IN):
        return "node"
    if url.startswith("native "):
        return "native"
    if url.startswith("evalmachine."):
        return "eval"
    path = fileurl.plain_path(url) or url
    if path.startswith(MODULES) or "/" + MODULES in path:
        return "dependency"
    return "user"


def after_last_modules(path):
    """(what stands before the last node_modules/, what follows it)."""
    before, mark, after = ("/" + path).rpartition("/" + MODULES)
    return before, after if mark else None


def package_of(call):
    path = fileurl.plain_path(call.url) or call.url
    before, after = after_last_modules(path)
    parts = after.split("/")
    name = "/".join(parts[: 2 if parts[0].startswith("@") else 1])
    holder, mark, folder = before.rpartition("/")
    if mark and holder.endswith("/node_modules/.pnpm"):
        stem = name.replace("/", "+") + "@"
        if folder.startswith(stem):
            version = re.split(r"[_(]", folder[len(stem) :], maxsplit=1)[0]
            return f"{name}@{version}" if version else name
    return name or None


def symbolization_of(call, state):
    if state:
        return "unresolved" if state == "unknown" else "not_applicable"
    if call.function and call.url and call.line is not None:
        return "complete"
    if not call.function and not call.url:
        return "unresolved"
    return "partial"


def digest(label, fields):
    """Hex of 16 bytes of SHA-256 over a label and length-prefixed fields."""
    sha = hashlib.sha256(label.encode() + b"\0")
    for field in fields:
        data = field.encode()
        sha.update(struct.pack("<I", len(data)) + data)
    return sha.hexdigest()[:32]


def decimal(number):
    return "" if number is None else str(number)


def function_place(call, file):
    if file is not None and fileurl.SCHEME.match(call.url):
        return file
    return fileurl.without_query(file or call.url)


def describe(call, project_root=None, path_map=()):
    """The row of a frame, without values and ranks, in the contract's terms."""
    state = vm_state(call)
    category = state or category_of(call)
    line, column = (None, None) if state else (call.line, call.column)
    script = call.script if not call.url and call.script else None
    file = fileurl.file_of(call.url, project_root, path_map)
    place = file or call.url or (f"script:{script}" if script else "")
    kind = "vm" if state else ""
    ids = [LANGUAGE, kind, call.function]
    whole = ids + [place, decimal(line), decimal(column)]
    loose = ids + [function_place(call, file)]
    named = bool(call.function)
    return {
        "frame_id": digest("extractd.frame/1", whole),
        "function_id": digest("extractd.function/1", loose) if named else None,
        "function": call.function,
        "file": file,
        "url": call.url,
        "line": line,
        "column": column,
        "script": script,
        "source": None,
        "language": LANGUAGE,
        "frame_type": "native" if category == "native" else "v8js",
        "category": category,
        "package": package_of(call) if category == "dependency" else None,
        "symbolization": symbolization_of(call, state),
    }
