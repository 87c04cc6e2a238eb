"""Fuzzes one decoder, or each in turn: run.py BUILD [TARGET] [SECONDS].

What libFuzzer finds is kept in BUILD/found/TARGET: new inputs, and those that
fail as .crash-*. Says for each target how many inputs were run, how long, how
many edges were reached and how many inputs failed; exit status 1 when one did.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def targets(build, wanted):
    found = sorted(p for p in (build / "tests").glob("fuzz-*")
                   if os.access(p, os.X_OK) and p.is_file())
    found = [p for p in found if wanted in (None, p.name[len("fuzz-"):])]
    if not found:
        sys.exit(f"no fuzz target {wanted or 'at all'} in {build}")
    return found


def last(pattern, text):
    found = re.findall(pattern, text)
    return found[-1] if found else "0"


def fuzz(build, program, seconds):
    """Runs one target for so long; the number of inputs that failed."""
    name = program.name[len("fuzz-"):]
    folder = build / "found" / name
    folder.mkdir(parents=True, exist_ok=True)
    dictionary = HERE / f"{name}.dict"
    before = set(folder.glob(".crash-*"))
    start = time.monotonic()
    done = subprocess.run(
        [program, f"-max_total_time={seconds}", "-print_final_stats=1",
         "-timeout=30", "-rss_limit_mb=4096",
         f"-artifact_prefix={folder}/.crash-",
         *([f"-dict={dictionary}"] if dictionary.exists() else []),
         folder, HERE / "corpus" / name],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    crashes = sorted(set(folder.glob(".crash-*")) - before)
    print(f"{name}: {last(r'number_of_executed_units: *([0-9]+)', text)} "
          f"inputs, {time.monotonic() - start:.0f} s, "
          f"{last(r'cov: ([0-9]+)', text)} edges, {len(crashes)} failed",
          flush=True)
    if done.returncode != 0:
        print("\n".join(text.splitlines()[-60:]), *crashes, sep="\n")
    return done.returncode != 0


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
