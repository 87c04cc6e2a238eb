"""What is run over a file: our own ways, and the peers that are there."""
import json
import os
import shutil
import subprocess

from measure import BUILD, HERE, find, program

PYTHON = "/usr/bin/python3"
YAJL, SIMDJSON = "yajl, empty callbacks", "simdjson, on demand"


class Row:
    def __init__(self, name, command, *, check=None, warm=False, why=None):
        """check: what its output must say; warm: it times itself; why: it is
        left out."""
        self.name, self.command, self.check = name, command, check
        self.warm, self.why = warm, why

    def seconds(self, run):
        return json.loads(run.out.splitlines()[-1])["seconds"] \
            if self.warm else run.seconds


def totals_right(truth, out):
    """A peer's totals; times but for what came out of order."""
    got = json.loads(out.splitlines()[0])
    return (got["nodes"] == truth["nodes"] and
            got["samples"] == truth["samples"] and
            all(got["totals"][name] == metric["total"]
                for name, metric in truth["metrics"].items()
                if name != "wall.time"))


def own(path, nodes_limit, endpoint):
    limit = f"max_nodes={nodes_limit}"
    worker = [program("bench-extract_file"), "--limit", limit]
    client = [program("extract-client"), "submit", "--quiet", "--output",
              "json", "--limit", limit]
    warm, no_digest = ["--endpoint", endpoint], ["--digest", "none"]
    return [
        Row("**worker, no digest**", [*worker, "--no-digest", path]),
        Row("**worker**", [*worker, path]),
        Row("**submit, no digest**", [*client, *warm, *no_digest, path]),
        Row("**submit**", [*client, *warm, path]),
        Row("submit, service of its own, no digest",
            [*client, "--embedded", *no_digest, path]),
        Row("worker, lanes off, no digest",
            [*worker, "--yajl", "--no-digest", path]),
    ]


def native(name, program_name, *arguments, **more):
    path = find(program_name)
    return Row(name, [path, *arguments], check=totals_right,
               why=None if path else "not built: no C++ compiler or library",
               **more)


def node(name, how, path):
    where = shutil.which("node")
    why = None if where else "no node"
    modules = os.path.join(BUILD, "peers", "node_modules")
    if how == "json-ext" and not os.path.isdir(modules):
        why = why or "no json-ext"
    command = ["env", f"NODE_PATH={modules}", where or "node",
               "--max-old-space-size=12288", f"{HERE}/peers/aggregate.js", how,
               path]
    return Row(name, command, check=totals_right, why=why)


def said(*command):
    """What a program prints; nothing when it cannot."""
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def python(name, how, path, check):
    why = None if said(PYTHON, "-c", f"import {how}; print(1)") \
        else f"no {how}"
    return Row(name, [PYTHON, f"{HERE}/peers/aggregate.py", how, path],
               check=check, why=why)


def versions():
    """Of the peers that are there, and of what they are built on."""
    json_ext = os.path.join(BUILD, "peers", "node_modules", "@discoveryjs",
                            "json-ext", "package.json")
    asked = {
        "yajl": said(program("bench-yajl_empty"), "--version"),
        "simdjson": find("peer-simdjson") and
        said(find("peer-simdjson"), "--version"),
        "RapidJSON": find("peer-rapidjson") and
        said(find("peer-rapidjson"), "--version"),
        "Node": said("node", "--version").lstrip("v"),
        "json-ext": said("sed", "-n", r's/^ *"version": "\(.*\)",$/\1/p',
                         json_ext),
        "Python": said(PYTHON, "-c",
                       "import platform as p; print(p.python_version())"),
        "ijson": said(PYTHON, "-c", "import ijson; "
                      "print(ijson.__version__, f'({ijson.backend})')"),
    }
    return ", ".join(f"{name} {what}" for name, what in asked.items() if what)


def peers(path):
    return [
        Row(YAJL, [program("bench-yajl_empty"), path]),
        native(SIMDJSON, "peer-simdjson", path),
        native("simdjson, warm, loading not counted", "peer-simdjson",
               "--warm", "3", path, warm=True),
        native("RapidJSON, SAX", "peer-rapidjson", path),
        node("Node, JSON.parse", "json-parse", path),
        node("Node, json-ext parseChunked", "json-ext", path),
        python("Python, json", "json", path, totals_right),
        python("Python, ijson, events only", "ijson", path, None),
    ]


def decoded(row, stored, plain):
    """A peer that reads plain files, behind zstd: it needs a file, which is
    written for it."""
    script = 'zstd -dcf "$1" > "$2" || exit 1; shift 2; exec "$@"'
    return Row(row.name, ["sh", "-c", script, "sh", stored, plain,
                          *row.command], check=row.check, warm=row.warm,
               why=row.why)
