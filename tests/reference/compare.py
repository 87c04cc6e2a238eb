#!/usr/bin/env python3
"""Runs the program over many profiles and holds it to the reader, value for
value: the real captures, the hand-made cases, and random profiles.

Rows are matched by frame id and compared whole; errors by code and reason,
where any true answer will do. Besides, self values of the rows and the rest
must add up to the total, and nothing inclusive may exceed it.

Use: compare.py [--seeds N] [--first N] [--show N] [-- COMMAND…]
The command is given files and prints one JSON object a file, in their order.
Default: $EXTRACTD_BUILD/extract-client submit …
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import expect
import randprof
import reader
import result

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
BATCH = 200
DEADLINE_S = 300
COVERAGE = ("unresolved_samples", "out_of_order_deltas", "clamped_deltas",
            *(kind + "_symbolization" for kind in result.KINDS))


def default_command():
    build = os.environ.get("EXTRACTD_BUILD", ".")
    return [os.path.join(build, "extract-client"), "submit", "--output",
            "json", "--rows", "100000"]


def option_words(options):
    words = ["--project-root", options.get("project_root") or "none"]
    for name in ("format", "sha256"):
        if name in options:
            words += ["--" + name, options[name]]
    for before, after in options.get("path_map", ()):
        words += ["--path-map", f"{before}={after}"]
    return words


def run(command, files, options=None):
    """One object a file, in the order of the files."""
    words = command + option_words(options or {}) + [str(f) for f in files]
    done = subprocess.run(words, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=DEADLINE_S)
    text = done.stdout.decode("utf-8")
    try:
        objects = [json.loads(line) for line in text.splitlines()]
    except json.JSONDecodeError:
        objects = [json.loads(text)]  # a single one may be indented
    if len(objects) != len(files):
        said = done.stderr.decode("utf-8", "replace")[-2000:]
        raise SystemExit(
            f"{len(objects)} objects for {len(files)} files, exit status "
            f"{done.returncode}: {' '.join(words[:8])}\n{said}")
    return objects


def by_name(items, key):
    return sorted(items, key=lambda item: item[key])


def row_differences(want, got):
    want = {row["frame_id"]: row for row in want}
    have = {row["frame_id"]: row for row in got}
    for frame in want.keys() - have.keys():
        yield f"no row {want[frame]}"
    for frame in have.keys() - want.keys():
        yield f"an extra row {have[frame]}"
    for frame in want.keys() & have.keys():
        for key, value in want[frame].items():
            if have[frame].get(key) != value:
                yield (f"row {frame} {want[frame]['function']!r}: {key} is "
                       f"{have[frame].get(key)!r}, not {value!r}")


def conservation_differences(got):
    rest = got["other"]["values"]
    for metric in got["metrics"]:
        name, total = metric["name"], metric["total"]
        values = [row["values"][name] for row in got["rows"]]
        listed = sum(value["self"] for value in values)
        listed += rest.get(name, {}).get("self", 0)
        if listed != total:
            yield f"{name}: rows and other add up to {listed}, not {total}"
        if any(value["inclusive"] > total for value in values):
            yield f"{name}: a row's inclusive value exceeds the total"


def artifact_differences(want, got, stored):
    artifact = got["artifact"]
    known = {
        "encoding": want["encoding"],
        "decoded_bytes": want["decoded_bytes"],
        "bytes": len(stored),
        "sha256": hashlib.sha256(stored).hexdigest(),
    }
    for key, value in known.items():
        if artifact.get(key) != value:
            yield f"artifact.{key} is {artifact.get(key)!r}, not {value!r}"


def result_differences(want, got, stored):
    for key in ("format", "kind", "profile", "counts"):
        if got.get(key) != want[key]:
            yield f"{key} is {got.get(key)}, not {want[key]}"
    for key, name in (("metrics", "name"), ("unavailable", "metric")):
        if by_name(got[key], name) != by_name(want[key], name):
            yield f"{key} are {got[key]}, not {want[key]}"
    for key in COVERAGE:
        if got["coverage"].get(key) != want["coverage"][key]:
            yield (f"coverage.{key} is {got['coverage'].get(key)}, not "
                   f"{want['coverage'][key]}")
    codes = expect.codes_of(got["limitations"]) & set(result.LIMITATIONS)
    if codes != set(want["limitations"]):
        yield f"limitations are {codes}, not {want['limitations']}"
    yield from artifact_differences(want, got, stored)
    yield from row_differences(want["rows"], got["rows"])
    yield from conservation_differences(got)


def differences(want, got, stored):
    """In words; nothing when program and reader agree."""
    if "code" not in got:
        if "error" in want:
            return [f"succeeded, but it is {want['error']}"]
        return list(result_differences(want, got, stored))
    if "error" not in want:
        return [f"failed: {got}"]
    for code, reason in want["error"]["answers"]:
        if code == got["code"] and reason in (None, got.get("reason")):
            return []
    return [f"is {got['code']}/{got.get('reason')}, not "
            f"{want['error']['answers']}; {got.get('message')}"]


class Comparison:
    def __init__(self, command):
        self.command = command
        self.compared = 0
        self.failures = []

    def note(self, name, found):
        self.compared += 1
        if found:
            self.failures.append((name, found))

    def files(self, files):
        for start in range(0, len(files), BATCH):
            batch = files[start : start + BATCH]
            for file, got in zip(batch, run(self.command, batch)):
                stored = file.read_bytes()
                want = reader.read_bytes(stored)
                self.note(file.name, differences(want, got, stored))

    def cases(self):
        groups = {}
        for case in expect.all_cases():
            key = json.dumps(case.options, sort_keys=True)
            groups.setdefault(key, []).append(case)
        for group in groups.values():
            for start in range(0, len(group), BATCH):
                self.one_group(group[start : start + BATCH])

    def one_group(self, group):
        files = [case.input for case in group]
        objects = run(self.command, files, group[0].options)
        for case, got in zip(group, objects):
            found = expect.faults(case.expect, got)
            if case.for_reader and not found:
                stored = case.input.read_bytes()
                want = reader.read_bytes(stored, case.reader_options())
                found = differences(want, got, stored)
            self.note("case " + case.name, found)

    def random(self, first, count):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for seed in range(first, first + count):
                file = pathlib.Path(folder) / f"seed-{seed}"
                file.write_bytes(randprof.profile_bytes(seed))
                files.append(file)
            self.files(files)


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("command", nargs="*")
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    comparison = Comparison(options.command or default_command())
    comparison.files(sorted((DATA / "real").glob("*.*profile*")))
    comparison.cases()
    comparison.random(options.first, options.seeds)
    for name, found in comparison.failures[: options.show]:
        print(f"{name}: {len(found)} differences")
        for line in found[:5]:
            print(f"    {line[:1000]}")
    print(f"{comparison.compared} profiles compared, "
          f"{len(comparison.failures)} differ")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
