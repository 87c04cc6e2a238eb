"""Runs the proofs of docs/GUARANTEES.md and writes their figures into it.

    run.py [--small] [--write] [G1 … FAULTS]
"""

import argparse
import datetime
import importlib
import re
import sys
import time
import traceback

import prove

DOCUMENT = prove.SOURCE / "docs" / "GUARANTEES.md"


def known():
    """Modules by the names of all proofs, in the order of their numbers."""
    numbered = {f"G{int(path.stem[1:])}": path.stem
                for path in sorted(prove.HERE.glob("g[0-9][0-9].py"))}
    return {**numbered, "FAULTS": "faults"}


def figures_text(run, seconds):
    """What docs/GUARANTEES.md says about a run that held."""
    lines = []
    if run.figures:
        lines += ["| measured | |", "|---|---|"]
        lines += [f"| {what} | {value} |" for what, value in run.figures]
        lines.append("")
    for what, why in run.missing:
        lines += [f"**Not shown here:** {what}: {why}.", ""]
    today = datetime.date.today().isoformat()
    lines.append(f"{today}, {seconds:.0f} s, on {prove.machine()}.")
    return "\n".join(lines)


def write(name, text):
    """Puts the figures between their marks."""
    document = DOCUMENT.read_text()
    marks = re.compile(rf"(<!-- figures {name} -->\n).*?(<!-- end -->)",
                       re.DOTALL)
    changed, count = marks.subn(lambda m: m[1] + text + "\n" + m[2], document)
    if count != 1:
        raise SystemExit(f"{DOCUMENT}: no place for the figures of {name}")
    DOCUMENT.write_text(changed)


def one(name, options):
    """True when the guarantee holds."""
    run = prove.Run(name, full=not options.small)
    run.say("begins")
    start = time.monotonic()
    try:
        importlib.import_module(known()[name]).prove(run)
    except Exception:  # whatever it was, the others are still to be run
        traceback.print_exc()
        return False
    finally:
        run.close()
    seconds = time.monotonic() - start
    run.say(f"holds, {seconds:.0f} s")
    if options.write:
        write(name, figures_text(run, seconds))
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true",
                        help="at the size of the tests")
    parser.add_argument("--write", action="store_true",
                        help="write the figures into docs/GUARANTEES.md")
    parser.add_argument("names", nargs="*", metavar="G")
    options = parser.parse_args()
    names = [name.upper() for name in options.names] or list(known())
    for name in names:
        if name not in known():
            parser.error(f"no proof {name}; there are {' '.join(known())}")
    broken = [name for name in names if not one(name, options)]
    if broken:
        sys.exit(f"does not hold: {' '.join(broken)}")
    print(f"holds: {' '.join(names)}")


if __name__ == "__main__":
    main()
