#!/usr/bin/env python3
"""Writes the inputs under cases/ that no editor can: compressed ones, ones in
another encoding, and two with thousands of samples. Only the inputs; what they
must give stands in their expect.json, worked out by hand. The output is
committed; the zstd inputs need the zstd program.

Use: make_cases.py   (writes beside itself, the same bytes each time)
"""

import gzip
import pathlib
import struct
import subprocess
import zlib

CASES = pathlib.Path(__file__).resolve().parent / "cases"
CPU = (CASES / "format-declared" / "input.cpuprofile").read_bytes()
HEAP = (CASES / "heap" / "input.heapprofile").read_bytes()
HALF = len(CPU) // 2
SKIPPABLE = b"\x53\x2a\x4d\x18" + struct.pack("<I", 9) + b"skip this"


def member(data):
    return gzip.compress(data, 9, mtime=0)


def frame(data, *options):
    command = ["zstd", "-qc", "-5", *options]
    return subprocess.run(
        command, input=data, capture_output=True, check=True
    ).stdout


def flipped(data, at):
    changed = bytearray(data)
    changed[at] ^= 0x55
    return bytes(changed)


def fields_member(data):
    """FHCRC, FEXTRA, FNAME and FCOMMENT set."""
    head = b"\x1f\x8b\x08" + bytes([2 | 4 | 8 | 16]) + b"\0\0\0\0\0\x03"
    head += struct.pack("<H", 4) + b"xtra" + b"a.cpuprofile\0" + b"run 1\0"
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = body.compress(data) + body.flush()
    return head + packed + struct.pack("<II", zlib.crc32(data), len(data))


def pprof():
    """sample_type {type: 1, unit: 2}, one sample, a string table."""
    fields = b"\x0a\x04\x08\x01\x10\x02" + b"\x12\x04\x08\x01\x10\x05"
    for text in (b"", b"samples", b"count"):
        fields += b"\x32" + bytes([len(text)]) + text
    return fields


def gzip_cases():
    whole = member(CPU)
    return {
        "gzip": whole,
        "gzip-two-members": member(CPU[:HALF]) + member(CPU[HALF:]),
        "gzip-with-header-fields": fields_member(CPU),
        "gzip-truncated": whole[:-30],
        "gzip-truncated-in-trailer": whole[:-6],
        "gzip-truncated-in-header": whole[:5],
        "gzip-bad-crc": flipped(whole, -8),
        "gzip-bad-length": flipped(whole, -4),
        "gzip-second-member-bad-crc": member(CPU[:HALF])
        + flipped(member(CPU[HALF:]), -7),
        "gzip-trailing-junk": whole + b"junk behind the end",
        "gzip-bad-method": whole[:2] + b"\x07" + whole[3:],
        "gzip-empty-inside": member(b""),
        "gzip-bom-inside": member(b"\xef\xbb\xbf" + CPU),
        "gzip-truncated-json-inside": member(CPU[:HALF]),
        "gzip-pprof": member(pprof()),
        "heap-gzip": member(HEAP),
    }


def zstd_cases():
    whole = frame(CPU, "--check")
    return {
        "zstd": whole,
        "zstd-two-frames": frame(CPU[:HALF]) + frame(CPU[HALF:]),
        "zstd-skippable-frame-first": SKIPPABLE + whole,
        "zstd-skippable-frame-between": frame(CPU[:HALF])
        + SKIPPABLE
        + frame(CPU[HALF:]),
        "zstd-no-checksum": frame(CPU, "--no-check"),
        "zstd-truncated": whole[:-20],
        "zstd-bad-checksum": flipped(whole, -2),
        "zstd-trailing-junk": whole + b"junk behind the end",
        "zstd-trailing-data-inside": whole + whole,
        "heap-zstd": frame(HEAP, "--check"),
    }


def node(ident, name, tail):
    head = '{"id":%d,"callFrame":{"functionName":"%s","scriptId":"7",' % (
        ident, name)
    return head + '"url":"file:///w.js","lineNumber":%d,"columnNumber":0}%s}' % (
        ident, tail)


def late_sample(place, time):
    """a at 10, 20, … 50000, and b with `time`, written at `place`."""
    samples = [(2, 10 * i) for i in range(1, 5001)]
    samples.insert(place, (3, time))
    times = [0] + [at for _, at in samples]
    deltas = [now - then for then, now in zip(times, times[1:])]
    nodes = [node(1, "top", ',"children":[2,3]'), node(2, "a", ""),
             node(3, "b", "")]
    idents = [ident for ident, _ in samples]
    return (
        '{"nodes":[%s],"startTime":0,"endTime":50010,"samples":%s,'
        '"timeDeltas":%s}' % (",".join(nodes), idents, deltas)
    ).replace(" ", "").encode()


def other_cases():
    return {
        "utf16le-without-mark": CPU.decode().encode("utf-16-le"),
        "window-late-sample-fits": late_sample(5000, 10005),
        "window-late-sample-is-clamped": late_sample(5000, 105),
    }


def main():
    made = {**gzip_cases(), **zstd_cases(), **other_cases()}
    for name, data in made.items():
        kind = "heapprofile" if name.startswith("heap") else "cpuprofile"
        folder = CASES / name
        folder.mkdir(exist_ok=True)
        (folder / f"input.{kind}").write_bytes(data)


if __name__ == "__main__":
    main()
