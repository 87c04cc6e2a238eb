"""The table of a size, and its place in docs/BENCHMARKS.md."""
import datetime
import os
import platform
import re
import statistics
import sys

from measure import HERE

sys.path.insert(0, os.path.join(HERE, "..", "prove"))
import prove  # noqa: E402  (its words for this machine)

DOCUMENT = os.path.join(HERE, "..", "..", "docs", "BENCHMARKS.md")


def ratio(base, times):
    """The median of the ratios within a round; a row that is slow has fewer
    rounds."""
    return statistics.median(b / t for b, t in zip(base, times))


def cell(result, name, bases):
    """MB/s, the ratios to the bases, and the largest resident set."""
    if name in result.left_out:
        return f"({result.left_out[name]})"
    times = result.times[name]
    speed = result.bytes / 1e6 / statistics.median(times)
    ratios = [f"{ratio(result.times[base], times):.2f}"
              if result.times.get(base) else "–" for base in bases]
    peak = result.peaks[name] / 1024
    shown = f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
    once = " (once)" if len(times) < result.rounds else ""
    return f"{shown} · {' · '.join(ratios)} · {peak:.0f}{once}"


def table(results, bases):
    """results: by shape."""
    names = list(dict.fromkeys(name for result in results.values()
                               for name in result.names))
    lines = ["| MB/s · × yajl · × simdjson · MiB | " +
             " | ".join(results) + " |",
             "|---|" + "---|" * len(results)]
    lines += [f"| {name} | " + " | ".join(
        cell(result, name, bases) for result in results.values()) + " |"
        for name in names]
    return "\n".join(lines)


def processor():
    """What of the processor matters here."""
    flags = set()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="ascii") as info:
            flags = set(re.search(r"flags\s*:(.*)", info.read() +
                                  "\nflags:")[1].split())
    return ", ".join(what for flag, what in (
        ("avx2", "AVX2"), ("avx512_vbmi2", "AVX-512 VBMI2"),
        ("sha_ni", "SHA-NI")) if flag in flags) or platform.machine()


def load():
    return f"{os.getloadavg()[0]:.1f}"


def footing(rounds, *, load_before, cores="one core", peers=""):
    """load_before: what the machine was busy with, apart from us."""
    today = datetime.date.today().isoformat()
    return (f"{today}, {rounds} rounds, on {cores} of {prove.machine()}, "
            f"with {processor()}, load {load_before} before."
            + (f" {peers}." if peers else ""))


def write(mark, text):
    """Puts the text between its marks."""
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    marks = re.compile(rf"(<!-- figures {mark} -->\n).*?(<!-- end -->)",
                       re.DOTALL)
    changed, count = marks.subn(lambda m: m[1] + text + "\n" + m[2], document)
    if count != 1:
        sys.exit(f"{DOCUMENT}: no place for {mark}")
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(changed)
