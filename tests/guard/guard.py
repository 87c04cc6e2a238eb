"""What the guard against slips in speed counts, records and compares.

Counted are the instructions in our program and in yajl, a byte of JSON, by
callgrind. Not those in other libraries: libc, libcrypto and zstd choose their
code by the processor. Nor those of start-up, which are the loader's.
"""

import collections
import pathlib
import re

TOLERANCE = 0.03  # of what is recorded; runs differ by less than 0.1 %
RENEW = "renew it with ./dev guard --renew"


def own_instructions(profile, program):
    """Of a profile by callgrind with strings written out: the instructions
    in the program itself and in yajl."""
    by_object = collections.Counter()
    place, is_call = None, False
    for line in profile.splitlines():
        if line.startswith("ob="):
            place = line[3:]
        elif line.startswith("calls="):
            is_call = True  # the next line is what the callee took
        elif re.match(r"[\d+*-]", line):
            if not is_call:
                by_object[place] += int(line.split()[1])
            is_call = False
    names = {path: pathlib.PurePath(path).name for path in by_object}
    counted = {path for path, name in names.items()
               if path == str(program) or name.startswith("libyajl.so")}
    if len(counted) != 2:
        raise SystemExit(f"neither program nor yajl in {set(names)}")
    return sum(by_object[path] for path in counted)


def made_by(program):
    """The compilers that the bytes of a program name."""
    names = re.findall(rb"(?:GCC: |clang version )[\x20-\x7e]+", program)
    return ", ".join(sorted({name.decode() for name in names}))


def processor(machine, cpuinfo):
    """What of a processor decides which of our instructions are run."""
    return f"{machine}, AVX2" if re.search(r"\bavx2\b", cpuinfo) else machine


def figure(value):
    """As recorded: three digits, so that noise seldom changes a line."""
    return f"{value:#.3g}".rstrip(".")


def text_of(counts, where):
    """The record as a file."""
    lines = ["# Instructions a byte of JSON, in our code and in yajl's.",
             "# Written by ./dev guard --renew; see docs/PERFORMANCE.md.",
             f"# where: {where}"]
    lines += [f"{name:14}{figure(value):>6}" for name, value in counts.items()]
    return "\n".join(lines) + "\n"


def read(text):
    """({name: instructions a byte}, where) of such a file."""
    counts, where = {}, ""
    for line in text.splitlines():
        if line.startswith("#"):
            where = line.partition("# where: ")[2] or where
        else:
            name, value = line.rsplit(None, 1)
            counts[name] = float(value)
    return counts, where


def compare(recorded, counted):
    """What is wrong, a line each; nothing when all is as recorded."""
    for name in [*counted, *(name for name in recorded if name not in counted)]:
        if name not in recorded:
            yield f"{name}: not recorded; {RENEW}"
        elif name not in counted:
            yield f"{name}: recorded, but not counted; {RENEW}"
        else:
            was, now = recorded[name], counted[name]
            change = (f"{figure(was)} → {figure(now)} instructions a byte "
                      f"({now / was - 1:+.1%})")
            if now > was * (1 + TOLERANCE):
                yield f"{name}: slower: {change}"
            elif now < was * (1 - TOLERANCE):
                yield f"{name}: faster than recorded: {change}; {RENEW}"
