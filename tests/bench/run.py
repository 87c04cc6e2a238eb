#!/usr/bin/env python3
"""Whole-process benchmarks, side by side in interleaved rounds.

For each shape and size a file is generated and our answer on it checked against
the truth that the generator knows, and so are the totals of each peer; then
every row is run once a round, in turn, pinned to one core, with the file in the
page cache. Printed are the median throughput, the medians of the ratios within
a round, and the largest resident set of the process itself. A row of more than
--slow seconds a run is run once, but for the two that all is held to; one of
more than --patience is stopped, and not tried on larger files. The machine is
noisy: only ratios of one run mean anything.

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

    def __init__(self, size, names, rounds, left_out):
        """left_out: why, of those that gave no answer on a smaller one."""
        self.bytes, self.names, self.rounds = size, names, rounds
        self.times, self.peaks, self.left_out = {}, {}, dict(left_out)

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


def measure(wanted, truth, core, result, options):
    """Runs every row once a round. Those that all is held to are in each
    round, however slow: one run of them would be in every ratio."""
    slow = set()
    for number in range(options.rounds):
        for row in wanted:
            if row.why is not None:
                result.left_out[row.name] = row.why
            if row.name in result.left_out or row.name in slow:
                continue
            run = check(row, truth, core, options.patience) \
                if number == 0 else Run(row.command, core, options.patience)
            result.note(row, run)
            if run.seconds > options.slow and row.name not in BASES:
                slow.add(row.name)


def bench(shape, size, options, folder, service, left_out):
    core = service.core
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
    result = Result(plain, [row.name for row in wanted], options.rounds,
                    left_out)
    measure(wanted, truth, core, result, options)
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
    core = os.sched_getaffinity(0)
    with Service(core) as service:
        before = sum(map(processor_seconds, service.pids()))
        out = Run([program("extract-client"), "submit", "--quiet", "--output",
                   "json", "--endpoint", service.endpoint, path], core).out
        used = sum(map(processor_seconds, service.pids())) - before
    worker = json.loads(out)["run"]["cpu_ms"] / 1000
    return (f"extractd and its front used {used * 1000:.1f} ms of processor "
            f"time beside the worker's {worker * 1000:.0f} ms, "
            f"{100 * used / (used + worker):.2f} % of both ({size} of `real`, "
            f"digest on).")


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


def tables(options, folder):
    """One a size, small ones first: what gives no answer on one is not
    tried on a larger one."""
    shapes = options.shapes.split(",")
    left_out = {shape: {} for shape in shapes}
    core = {max(os.sched_getaffinity(0))}
    for size in sorted(options.size.split(","), key=size_of):
        load = table.load()
        with Service(core) as service:
            results = {shape: bench(shape, size, options, folder, service,
                                    left_out[shape]) for shape in shapes}
        for shape, result in results.items():
            left_out[shape] = {
                name: why if " at " in why or why.startswith("no")
                else f"{why} at {size}"
                for name, why in result.left_out.items()}
        report(options, f"{size}{' zstd' if options.zstd else ''}",
               table.table(results, BASES) + "\n\n" +
               table.footing(options.rounds, load_before=load,
                             peers=rows.versions()))


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
        tables(options, folder)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
