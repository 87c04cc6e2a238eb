#!/usr/bin/env python3
"""Fails when small extractions take more instructions than counts.txt says,
or so many less that it is to be renewed.

    run.py [--renew]

Each shape of bench-generate is read with lanes, without, and in the spelling
of another writer; one is read from zstd. EXTRACTD_BUILD names the folder of
the programs.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import guard

BUILD = pathlib.Path(os.environ.get("EXTRACTD_BUILD", "build/dev")).resolve()
PROGRAM = BUILD / "guard" / "guard-extract_file"
RECORD = pathlib.Path(__file__).resolve().parent / "counts.txt"
SHAPES = ("cpuS", "cpuN", "heap", "real")
SIZE = "2M"


def output(*command):
    run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode != 0:
        text = (run.stdout + run.stderr).decode(errors="replace")
        sys.exit(f"{' '.join(map(str, command))}: {run.returncode}\n{text}")
    return run.stdout


def extractions(folder):
    """(name, arguments, bytes of JSON) of each extraction."""
    path = folder / "plain.json"
    for shape in SHAPES:
        plain = output(BUILD / "bench" / "bench-generate", shape, SIZE)
        path.write_bytes(plain)
        yield shape, [path], len(plain)
        yield f"{shape} --yajl", ["--yajl", path], len(plain)
        if shape == "real":
            packed = folder / "plain.json.zst"
            output("zstd", "-q", path, "-o", packed)
            yield f"{shape} zstd", [packed], len(plain)
        # as Python writes it: a blank behind each colon and comma
        spaced = json.dumps(json.loads(plain), ensure_ascii=False).encode()
        path.write_bytes(spaced)
        yield f"{shape} spaced", [path], len(spaced)


def count(folder, arguments):
    profile = folder / "profile"
    output("valgrind", "--tool=callgrind", "--compress-strings=no",
           "--compress-pos=no", f"--callgrind-out-file={profile}",
           PROGRAM, "--no-digest", *arguments)
    return guard.own_instructions(profile.read_text(), PROGRAM)


def here():
    """On what the figures depend besides our sources."""
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    return (f"{guard.processor(platform.machine(), cpuinfo)}; "
            f"{guard.made_by(PROGRAM.read_bytes())}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--renew", action="store_true",
                        help="write what is counted into counts.txt")
    renew = parser.parse_args().renew
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not there, which counts the instructions")
    counted = {}
    with tempfile.TemporaryDirectory(prefix="extractd-guard.") as name:
        folder = pathlib.Path(name)
        for name, arguments, size in extractions(folder):
            counted[name] = count(folder, arguments) / size
            print(f"{name:14}{guard.figure(counted[name]):>6}", flush=True)
    if renew:
        RECORD.write_text(guard.text_of(counted, here()))
        return
    recorded, where = guard.read(RECORD.read_text())
    wrong = list(guard.compare(recorded, counted))
    if wrong and where != here():
        wrong.append(f"recorded on {where}; this is {here()}")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
