#!/usr/bin/env python3
"""Whole-process benchmarks, side by side in interleaved rounds.

usage: run.py [--size 256M] [--rounds 5] [--shapes cpuS,cpuN,heap,real]
              [--nodes N] [--zstd] [--keep DIR]

For each shape a file is generated and checked against the truth that the
generator knows; then every row is run once a round, in turn, pinned to one
core, with the file in the page cache. Printed are the median throughput, the
median of the ratios within a round, and the largest resident set. The machine
is noisy: only ratios of one run mean anything.

EXTRACTD_BUILD names the folder of the programs.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("EXTRACTD_BUILD", "build/release")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def program(name):
    for path in (os.path.join(BUILD, name), os.path.join(BUILD, "bench", name)):
        if os.path.exists(path):
            return path
    sys.exit(f"{name} is not built in {BUILD}")


def run(command, core):
    """Wall seconds, peak KiB of the process itself, and its output."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: os.sched_setaffinity(0, core))
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {child.returncode}\n"
                 f"{out.decode(errors='replace')[:2000]}")
    return seconds, usage.ru_maxrss, out


class Service:
    """A warm service of our own, for the end-to-end row."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="extractd-bench.")
        lifeline, self.keep = os.pipe()
        ready, told = os.pipe()
        self.child = subprocess.Popen(
            [program("extractd"), "--runtime-dir", self.folder + "/run",
             "--lifeline-fd", str(lifeline), "--ready-fd", str(told),
             "--workers", "1"],
            pass_fds=(lifeline, told), stderr=subprocess.DEVNULL)
        os.close(lifeline)
        os.close(told)
        if os.read(ready, 1) == b"":
            sys.exit("the service did not start")
        self.endpoint = f"ipc://{self.folder}/run/extractd.sock"
        return self

    def __exit__(self, *_):
        os.close(self.keep)
        self.child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def rows_of(path, nodes_limit, service):
    limit = f"max_nodes={nodes_limit}"
    worker = [program("bench-extract_file"), "--limit", limit]
    client = [program("extract-client"), "submit", "--quiet", "--output",
              "json", "--endpoint", service.endpoint, "--limit", limit]
    return {
        "yajl, empty callbacks": [program("bench-yajl_empty"), path],
        "worker, lanes off, no digest": worker + ["--yajl", "--no-digest",
                                                  path],
        "worker alone, no digest": worker + ["--no-digest", path],
        "worker alone": worker + [path],
        "submit, no digest": client + ["--digest", "none", path],
        "submit": client + [path],
    }


def check_truth(path, truth_path, command, core):
    """The reply has what the generator knows, and adds up."""
    with open(truth_path, encoding="utf-8") as file:
        truth = json.load(file)
    result = json.loads(run(command, core)[2])
    got = {m["name"]: {"total": m["total"], "active": m["active"]}
           for m in result["metrics"]}
    rows = {(r["function"], r["url"], r["line"], r["column"]):
            {name: v["self"] for name, v in r["values"].items()}
            for r in result["rows"]}
    heaviest = {(h["function"], h["url"], h["line"], h["column"]): h["self"]
                for h in truth["heaviest"]}
    wrong = [
        what for what, well in (
            ("metrics", got == truth["metrics"]),
            ("nodes", result["counts"]["nodes"] == truth["nodes"]),
            ("samples", result["counts"]["samples"] == truth["samples"]),
            ("frames", result["counts"]["frames"] == truth["frames"]),
            ("heaviest", all(rows.get(key) == value
                             for key, value in heaviest.items())),
            ("sums", all(sum(r["values"][name]["self"]
                             for r in result["rows"]) +
                         result["other"]["values"][name]["self"] ==
                         got[name]["total"] for name in got))) if not well]
    if wrong:
        sys.exit(f"{path}: not what was generated: {', '.join(wrong)}")
    return result


def bench(shape, args, folder, service, core):
    path = os.path.join(folder, f"{shape}.{args.size}.json")
    truth = path + ".truth"
    command = [program("bench-generate"), shape, args.size, "--truth", truth]
    if shape == "cpuS" and args.nodes:
        command += ["--nodes", str(args.nodes)]
    with open(path, "wb") as out:
        subprocess.run(command, stdout=out, check=True)
    if args.zstd:
        subprocess.run(["zstd", "-q", "-f", "--rm", path, "-o", path + ".zst"],
                       check=True)
    size = size_of(args.size)
    read = path + ".zst" if args.zstd else path
    rows = rows_of(read, max(20_000_000, size // 100), service)
    if args.zstd:
        rows["yajl, empty callbacks"] = [
            "sh", "-c", 'zstd -dc "$1" > "$2" && "$0" "$2"; rm -f "$2"',
            program("bench-yajl_empty"), read, path]
    result = check_truth(read, truth, rows["submit"], core)
    times = {name: [] for name in rows}
    peaks = dict.fromkeys(rows, 0)
    for _ in range(args.rounds):
        for name, row in rows.items():
            seconds, peak, _ = run(row, core)
            times[name].append(seconds)
            peaks[name] = max(peaks[name], peak)
    base = times["yajl, empty callbacks"]
    print(f"\n{shape}, {size / 1e6:.0f} MB decoded"
          f"{', zstd' if args.zstd else ''}, "
          f"{result['counts']['nodes']} nodes, "
          f"{result['counts']['samples']} samples, worker's peak "
          f"{result['run']['peak_rss_bytes'] / 1048576:.0f} MiB")
    print(f"{'':30}{'MB/s':>8}{'× yajl':>9}{'RSS MiB':>9}")
    for name, taken in times.items():
        ratio = statistics.median(b / t for b, t in zip(base, taken))
        speed = size / 1e6 / statistics.median(taken)
        print(f"{name:30}{speed:8.0f}{ratio:9.2f}{peaks[name] / 1024:9.0f}",
              flush=True)
    for leftover in (path, path + ".zst", truth):
        if os.path.exists(leftover):
            os.unlink(leftover)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", default="128M")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shapes", default="cpuS,cpuN,heap,real")
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--zstd", action="store_true")
    parser.add_argument("--keep", help="folder for the generated files")
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="extractd-bench.")
    core = {max(os.sched_getaffinity(0))}
    try:
        with Service() as service:
            for shape in args.shapes.split(","):
                bench(shape, args, folder, service, core)
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
