#!/usr/bin/env python3
"""Whole-process benchmarks, side by side in interleaved rounds.

For each shape and size a file is generated and our answer on it checked against
the truth that the generator knows, and so are the totals of each peer; then
every row is run once a round, in turn, pinned to one core, with the file in the
page cache. Printed are the median throughput, the medians of the ratios within
a round, and the largest resident set of the process itself. A run of more than
--slow seconds is not repeated, one of more than --patience is stopped. The
machine is noisy: only ratios of one run mean anything.

EXTRACTD_BUILD names the folder of the programs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import rows
import small_jobs
import table
from measure import Run, Service, processor_seconds, program, size_of

SHAPES = "cpuS,cpuN,heap,real"
BASES = (rows.YAJL, rows.SIMDJSON)


class Result:
    """Of all rows over one file."""

    def __init__(self, size, names):
        self.bytes, self.names = size, names
        self.times, self.peaks, self.left_out = {}, {}, {}

    def note(self, row, run):
        if run.why is not None:
            self.left_out[row.name] = run.why
            return
        self.times.setdefault(row.name, []).append(row.seconds(run))
        self.peaks[row.name] = max(self.peaks.get(row.name, 0), run.peak_kib)


def right(truth, result):
    """Our reply has what the generator knows, and adds up."""
    got = {m["name"]: {"total": m["total"], "active": m["active"]}
           for m in result["metrics"]}
    values = {(r["function"], r["url"], r["line"], r["column"]):
              {name: v["self"] for name, v in r["values"].items()}
              for r in result["rows"]}
    heaviest = {(h["function"], h["url"], h["line"], h["column"]): h["self"]
                for h in truth["heaviest"]}
    counts = {name: result["counts"][name]
              for name in ("nodes", "samples", "frames")}
    return (got == truth["metrics"] and
            counts == {name: truth[name] for name in counts} and
            all(values.get(key) == value for key, value in heaviest.items()
                if any(value.values()))  # else it may not be there at all
            and all(sum(r["values"][name]["self"] for r in result["rows"]) +
                    result["other"]["values"][name]["self"] ==
                    got[name]["total"] for name in got))


def generate(shape, size, options, folder):
    """The paths of a file and of what is true of it."""
    path = os.path.join(folder, f"{shape}.{size}.json")
    if not os.path.exists(path + ".truth"):
        command = [program("bench-generate"), shape, size, "--truth",
                   path + ".truth"]
        if shape == "cpuS" and options.nodes:
            command += ["--nodes", str(options.nodes)]
        with open(path, "wb") as out:
            subprocess.run(command, stdout=out, check=True)
    return path, path + ".truth"


def check(row, truth, core, patience):
    """Runs the row once; whether it may take part, and why not."""
    run = Run(row.command, core, patience)
    if run.why is None and row.check and not row.check(truth, run.out):
        sys.exit(f"{row.name}: not what was generated: {run.out[:500]!r}")
    return run


def bench(shape, size, options, folder, service):
    core = {max(os.sched_getaffinity(0))}
    path, truth_path = generate(shape, size, options, folder)
    with open(truth_path, encoding="utf-8") as file:
        truth = json.load(file)
    read, plain = path, os.path.getsize(path)
    peers = rows.peers(path)
    if options.zstd:
        read = path + ".zst"
        subprocess.run(["zstd", "-qf", path, "-o", read], check=True)
        peers = [rows.decoded(row, read, path) for row in peers]
    own = rows.own(read, max(20_000_000, plain // 100), service.endpoint)
    reply = Run(own[2].command, core)
    if reply.why or not right(truth, json.loads(reply.out)):
        sys.exit(f"{path}: {reply.why or 'not what was generated'}")
    wanted = [row for row in own + peers
              if options.peers or row in own or row.name in BASES]
    result = Result(plain, [row.name for row in wanted])
    slow = set()
    for number in range(options.rounds):
        for row in wanted:
            name = row.name
            if row.why is not None:
                result.left_out[name] = row.why
            if name in result.left_out or name in slow:
                continue
            run = check(row, truth, core, options.patience) \
                if number == 0 else Run(row.command, core, options.patience)
            result.note(row, run)
            if run.seconds > options.slow:
                slow.add(name)
    print(f"{shape}, {plain / 1e6:.0f} MB: worker's peak "
          f"{json.loads(reply.out)['run']['peak_rss_bytes'] / 2**20:.0f} MiB, "
          f"{truth['nodes']} nodes, {truth['samples']} samples", flush=True)
    if not options.keep:
        for leftover in {path, read, truth_path}:
            os.unlink(leftover)
    return result


def control_share(size, options, folder):
    """The share of extractd and front in a job's processor time."""
    path, _ = generate("real", size, options, folder)
    with Service() as service:
        before = sum(map(processor_seconds, service.pids()))
        out = Run([program("extract-client"), "submit", "--quiet", "--output",
                   "json", "--endpoint", service.endpoint, path],
                  os.sched_getaffinity(0)).out
        used = sum(map(processor_seconds, service.pids())) - before
    worker = json.loads(out)["run"]["cpu_ms"] / 1000
    return (f"extractd and its front used {used:.2f} s of processor time "
            f"beside the worker's {worker:.2f} s ({size} of `real`, digest "
            f"on).")


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--size", default="100M",
                        help="one or more, as 16M,1G (default 100M)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--nodes", type=int, default=0,
                        help="of cpuS, whatever its size")
    parser.add_argument("--zstd", action="store_true")
    parser.add_argument("--no-peers", dest="peers", action="store_false",
                        help="of the peers only the two that all is held to")
    parser.add_argument("--slow", type=float, default=4)
    parser.add_argument("--patience", type=float, default=120)
    parser.add_argument("--small-jobs", action="store_true",
                        help="jobs a second with 10 KB profiles")
    parser.add_argument("--control-share", action="store_true",
                        help="extractd's own processor time in a large job")
    parser.add_argument("--keep", help="folder for the generated files")
    parser.add_argument("--write", action="store_true",
                        help="put the figures into docs/BENCHMARKS.md")
    return parser.parse_args()


def report(options, mark, text):
    print(text, flush=True)
    if options.write:
        table.write(mark, text)


def main():
    options = parse()
    folder = options.keep or tempfile.mkdtemp(prefix="extractd-bench.")
    os.makedirs(folder, exist_ok=True)
    try:
        if options.small_jobs:
            report(options, "small jobs", small_jobs.text(options, folder))
            return
        if options.control_share:
            report(options, "control share",
                   control_share(options.size, options, folder))
            return
        for size in options.size.split(","):
            with Service() as service:
                results = {shape: bench(shape, size, options, folder, service)
                           for shape in options.shapes.split(",")}
            report(options, f"{size}{' zstd' if options.zstd else ''}",
                   table.table(results, BASES) + "\n\n" +
                   table.footing(options.rounds))
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
