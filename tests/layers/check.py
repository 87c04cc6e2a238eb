"""Who may include and link what, and what the tree may hold.

Each rule is a function from a tree or a build to lines of complaint; RULES at
the end is their list. test_check.py shows that each of them can fail. Nothing
here may be switched off for one file: a rule that does not fit is changed.
"""

import argparse
import os
import re
import subprocess
import sys

LAYERS = ("proto", "broker/supervisor", "broker/front", "worker", "client")
TOP_LEVEL = {"broker", "worker", "proto", "client", "tests", "docs",
             "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE",
             "dev"}
# Not ours to judge: what a build or a clone leaves beside the sources.
NOT_SOURCE = {"build", "CMakeUserPresets.json"}
MAX_LINES = 600
MAX_FUNCTION_LINES = 60
LIBRARIES = ("zmq", "yajl", "zstd", "zlib", "seccomp", "openssl")
# Samples are other people's bytes.
DATA = ("tests/data/", "tests/golden/", "tests/fuzz/corpus/")
# Put together here, so that this file does not hold them itself.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def files(source, *tops):
    """Paths below the given top-level entries, relative, sorted."""
    found = []
    for top in tops:
        path = os.path.join(source, top)
        if os.path.isfile(path):
            found.append(top)
        for folder, names, leaves in os.walk(path):
            names[:] = [n for n in names if n != "__pycache__"]
            found += [os.path.relpath(os.path.join(folder, leaf), source)
                      for leaf in leaves]
    return sorted(found)


def c_files(source, *tops):
    return [f for f in files(source, *tops) if f.endswith((".c", ".h"))]


def read(source, name):
    with open(os.path.join(source, name), encoding="utf-8",
              errors="replace") as f:
        return f.read()


def layer_of(path):
    return next((l for l in LAYERS if path.startswith(l + "/")), None)


def includes(source):
    """(file, its layer, '<' or '"', what it includes) of every layer."""
    for name in files(source, "proto", "broker", "worker", "client"):
        if name.endswith((".c", ".h", ".def")):
            for kind, what in INCLUDE.findall(read(source, name)):
                yield name, layer_of(name), kind, what


def library_of(kind, what):
    if kind == '"':
        return None
    return next((l for l in LIBRARIES if re.match(l + r"\b|" + l + "[_/.]",
                                                  what)), None)


def layers_know_only_proto(source):
    for name, layer, kind, what in includes(source):
        if layer is None:
            yield f"{name}: lies in no layer"
        elif kind == '"' and layer_of(what) not in ("proto", layer):
            yield f'{name}: includes "{what}", neither {layer}/ nor proto/'


def proto_knows_nobody(source):
    for name, layer, kind, what in includes(source):
        if layer == "proto" and library_of(kind, what):
            yield f"{name}: proto/ includes <{what}>"


def broker_never_includes_worker(source):
    # by any spelling: "worker/x.h", "../../worker/x.h"
    for name, layer, _, what in includes(source):
        if name.startswith("broker/") and "worker" in what.split("/")[:-1]:
            yield f"{name}: broker/ includes {what}"


def zmq_has_two_doors(source):
    users = {}
    for name, layer, kind, what in includes(source):
        if library_of(kind, what) == "zmq" or what.endswith("zmq.h"):
            users.setdefault(layer, set()).add(name)
    for layer, names in users.items():
        if layer not in ("broker/front", "client"):
            yield f"{', '.join(sorted(names))}: {layer} includes zmq.h"
        elif len(names) > 1:
            yield f"{layer}: zmq.h in {', '.join(sorted(names))}; one may"


def supervisor_parses_nothing(source):
    for name, layer, _, what in includes(source):
        if layer == "broker/supervisor" and "yajl" in what:
            yield f"{name}: the supervisor includes {what}"


def files_stay_short(source):
    for name in c_files(source, "proto", "broker", "worker", "client",
                        "tests"):
        lines = read(source, name).count("\n")
        if lines > MAX_LINES:
            yield f"{name}: {lines} lines, {MAX_LINES} at most"


def functions_fit_a_screen(source):
    # .clang-format puts both braces of a function into the first column
    for name in c_files(source, "proto", "broker", "worker", "client"):
        start = None
        for number, line in enumerate(read(source, name).splitlines(), 1):
            if line == "{":
                start = number
            elif line == "}" and start:
                if number - start - 1 > MAX_FUNCTION_LINES:
                    yield f"{name}:{start}: {number - start - 1} lines"
                start = None


def top_level_is_fixed(source):
    for name in sorted(os.listdir(source)):
        if not name.startswith(".") and name not in TOP_LEVEL | NOT_SOURCE:
            yield f"{name}: does not belong to the top level"


def nothing_is_unfinished(source):
    for name in files(source, *sorted(TOP_LEVEL)):
        if not name.startswith(DATA):
            for word in UNFINISHED.findall(read(source, name)):
                yield f"{name}: {word}"


def readelf(program, *options):
    run = subprocess.run(["readelf", "-W", *options, program], check=True,
                         capture_output=True, text=True,
                         env={**os.environ, "LC_ALL": "C"})
    return run.stdout


def needed(program):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", readelf(program, "-d"))


def symbols(program, prefix):
    pattern = rf"\s({prefix}_\w+)(?:@\S+)?$"
    return re.findall(pattern, readelf(program, "--syms"), re.M)


def worker_is_static_without_zmq(build):
    program = os.path.join(build, "extract-worker")
    if re.search(r"^\s*INTERP\b", readelf(program, "-l"), re.M):
        yield "extract-worker: asks for a loader"
    for lib in needed(program):
        yield f"extract-worker: needs {lib}"
    if symbols(program, "zmq"):
        yield "extract-worker: holds zmq"


def supervisor_links_neither(build):
    program = os.path.join(build, "extractd")
    for lib in needed(program):
        if lib.startswith(("libzmq", "libyajl")):
            yield f"extractd: needs {lib}"
    for prefix in ("zmq", "yajl"):
        if symbols(program, prefix):
            yield f"extractd: holds {prefix}"


SOURCE_RULES = (layers_know_only_proto, proto_knows_nobody,
                broker_never_includes_worker, zmq_has_two_doors,
                supervisor_parses_nothing, files_stay_short,
                functions_fit_a_screen, top_level_is_fixed,
                nothing_is_unfinished)
BUILD_RULES = (worker_is_static_without_zmq, supervisor_links_neither)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    args = parser.parse_args()
    complaints = [c for rule in SOURCE_RULES for c in rule(args.source)]
    complaints += [c for rule in BUILD_RULES for c in rule(args.build)]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
