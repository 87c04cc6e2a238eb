"""What every system call meets under the workers' filter, as a table to read.

    sweep_table.py          compares with tests/golden/syscalls
    sweep_table.py --write  renews it, when proto/syscalls.def changed; what
                            became wider then shows in the review
"""

import argparse
import collections
import difflib
import pathlib
import subprocess
import sys

import prove

GOLDEN = prove.SOURCE / "tests" / "golden" / "syscalls" / "x86_64.txt"
HEAD = """\
# What became of every system call tried under the workers' filter: abi,
# numbers, name, arguments, outcome. Renewed by
# tests/prove/sweep_table.py --write; names end at 450, for older libraries.
"""
# uretprobe and uprobe: newer kernels do not show them to any filter, and
# answer with SIGILL and ENXIO whoever is not a trampoline of a probe.
UNFILTERED = {335: "signal 4", 336: "exit 6"}
UNSEEN = "killed, or never shown to a filter and refused"

Trial = collections.namedtuple("Trial", "abi number name case outcome")


def observe(build):
    """One Trial for each call tried; none of them was run."""
    text = subprocess.run([build / "prove" / "prove-sweep"], check=True,
                          capture_output=True, text=True).stdout
    trials = []
    for line in text.splitlines():
        abi, number, name, case, outcome = line.split("\t")
        number = int(number)
        if abi == "x86_64" and number in UNFILTERED and \
                outcome in ("killed", UNFILTERED[number]):
            outcome = UNSEEN
        trials.append(Trial(abi, number, name, case, outcome))
    return trials


def fold(trials):
    """Neighbours without a name and with the same outcome are one line."""
    lines = []
    first = last = None
    for trial in [*trials, None]:
        if first is not None and trial is not None and \
                trial.name == first.name == "-" and \
                trial.number == last.number + 1 and \
                trial._replace(number=0) == first._replace(number=0):
            last = trial
            continue
        if first is not None:
            numbers = str(first.number)
            if last.number != first.number:
                numbers += f"-{last.number}"
            lines.append("\t".join([first.abi, numbers, *first[2:]]))
        first = last = trial
    return lines


def table(trials):
    return HEAD + "\n".join(fold(trials)) + "\n"


def difference(trials):
    """Lines of a diff from what is checked in; none when they agree."""
    return list(difflib.unified_diff(
        GOLDEN.read_text().splitlines(), table(trials).splitlines(),
        "checked in", "observed", lineterm="", n=0))


def main():
    import harness
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true")
    trials = observe(pathlib.Path(harness.BUILD))
    if parser.parse_args().write:
        GOLDEN.write_text(table(trials))
        return
    lines = difference(trials)
    print("\n".join(lines))
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
