"""Fuzzes one decoder, or each in turn: run.py BUILD [TARGET] [SECONDS].

What libFuzzer finds is kept in BUILD/found/TARGET: new inputs, and those that
fail as .crash-*, .leak-*, .timeout-* or .oom-*. Says for each target how many
inputs were run, how long by the clock and by the processor, how many edges
were reached and how many inputs failed; exit status 1 when one did.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
DICTIONARIES = {"v8_cpu": "v8", "v8_heap": "v8", "source_file": "v8",
                "reply": "json", "document": "json", "status": "json",
                "mend": "json"}
INTERRUPTED = 72  # libFuzzer's exit status
FAILED = re.compile(r"\.(crash|leak|timeout|oom)-")


def targets(build, wanted):
    found = sorted(p for p in (build / "tests").glob("fuzz-*")
                   if os.access(p, os.X_OK) and p.is_file())
    known = " ".join(p.name[len("fuzz-"):] for p in found)
    found = [p for p in found if wanted in (None, p.name[len("fuzz-"):])]
    if not found:
        sys.exit(f"no fuzz target {wanted or 'at all'} in {build}, but: "
                 f"{known}")
    return found


def failures(folder):
    return {p for p in folder.iterdir() if FAILED.match(p.name)}


def last(pattern, text):
    found = re.findall(pattern, text)
    return found[-1] if found else "0"


def command(program, name, folder, seconds):
    dictionary = HERE / f"{DICTIONARIES.get(name, name)}.dict"
    return [program, f"-max_total_time={seconds}", "-print_final_stats=1",
            "-timeout=30", "-rss_limit_mb=4096", f"-artifact_prefix={folder}/.",
            *([f"-dict={dictionary}"] if dictionary.exists() else []),
            folder, HERE / "corpus" / name]


def watched(arguments, log):
    """Runs a command to its end; its wait status, and what it used."""
    with open(log, "wb") as out:
        child = subprocess.Popen(arguments, stdout=out, stderr=out)
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except KeyboardInterrupt:
            child.kill()
            child.wait()
            raise
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime


def fuzz(build, program, seconds):
    """Runs one target for so long; whether an input failed."""
    name = program.name[len("fuzz-"):]
    folder = build / "found" / name
    folder.mkdir(parents=True, exist_ok=True)
    before = failures(folder)
    log = build / "found" / f"{name}.log"
    start = time.monotonic()
    code, used = watched(command(program, name, folder, seconds), log)
    wall = time.monotonic() - start
    text = log.read_text(errors="replace")
    new = sorted(failures(folder) - before)
    print(f"{name}: {last(r'number_of_executed_units: *([0-9]+)', text)} "
          f"inputs, {wall:.0f} s, {used:.0f} s of processor time, "
          f"{last(r'cov: ([0-9]+)', text)} edges, {len(new)} failed",
          flush=True)
    if code == INTERRUPTED and not new:
        sys.exit("interrupted")
    if code != 0:
        print("\n".join(text.splitlines()[-60:]), *new, sep="\n", flush=True)
    return code != 0


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    words = sys.argv[2:]
    seconds = int(words.pop()) if words and words[-1].isdigit() else 60
    wanted = words[0] if words else None
    failed = [p.name for p in targets(build, wanted)
              if fuzz(build, p, seconds)]
    sys.exit(f"failed: {' '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
