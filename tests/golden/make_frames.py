#!/usr/bin/env python3
"""Writes one NAME.hex a private message: the exact bytes of one frame.

Worked out from the layouts alone (message.def and the comments of the headers
in proto/), never with the C code, so that the two check each other. Run it
again only when the wire's version changes: `make_frames.py` writes the files
beside itself, `make_frames.py --check` compares them and fails on any
difference.

A file holds hex bytes, a field a line; what follows `#` is a comment.
"""

import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
VERSION = 3
JOB = 0x0123456789ABCDEF
DIGEST = bytes(range(32))
TICKET = bytes(range(0xA0, 0xB0))


def number(form, note, value):
    return note, struct.pack("<" + form, value)


def u8(note, value):
    return number("B", note, value)


def u16(note, value):
    return number("H", note, value)


def u32(note, value):
    return number("I", note, value)


def i32(note, value):
    return number("i", note, value)


def u64(note, value):
    return number("Q", note, value)


def i64(note, value):
    return number("q", note, value)


def string(note, text):
    data = text.encode()
    return f"{note}: {text!a}", struct.pack("<H", len(data)) + data


def maybe(note, value):
    """A byte that says whether it is known, then a signed number."""
    data = struct.pack("<Bq", value is not None, value or 0)
    return f"{note}: {value}", data


LIMITS = [
    ("max_input_bytes", 1 << 36),
    ("max_decoded_bytes", 1 << 38),
    ("max_nodes", 40_000_000),
    ("max_samples", 3_000_000_000),
    ("max_frames", 2_000_000),
    ("max_depth", 300_000),
    ("max_json_depth", 600_064),
    ("max_token_bytes", 2 << 20),
    ("max_window_bytes", 64 << 20),
    ("max_rows", 50),
    ("max_result_bytes", 8 << 20),
    ("max_string_bytes", 2048),
    ("memory_bytes", 2 << 30),
    ("cpu_seconds", 1800),
    ("wall_seconds", 3000),
    ("stall_seconds", 45),
]


def job_record():
    return [
        u8("format: v8.cpuprofile", 1),
        u8("on_limit: truncate", 1),
        u8("parser: yajl", 1),
        u8("digest", 1),
        u8("strict", 1),
        u8("has_sha256", 1),
        ("sha256", DIGEST),
        u32("rows", 25),
        u8("sort_by: inclusive", 2),
        string("sort_metric", "wall.time"),
        string("name", "caf\u00e9.cpuprofile"),
        string("project_root", "/srv/app"),
        u8("path maps", 2),
        string("from", "/build"),
        string("to", "/srv/app"),
        string("from", "webpack://x"),
        string("to", ""),
    ] + [u64(name, value) for name, value in LIMITS]


def job():
    return [u64("memory_bytes", 2 << 30), u64("cpu_seconds", 1800)] + job_record()


def metric(name, unit, total, active, other):
    return [
        string("name", name),
        string("unit", unit),
        u64("total", total),
        u64("active", active),
        u64("other_self", other),
    ]


def result():
    coverage = [
        "unresolved_samples",
        "out_of_order_deltas",
        "clamped_deltas",
        "complete_symbolization",
        "partial_symbolization",
        "unresolved_symbolization",
        "not_applicable_symbolization",
        "cut_strings",
        "cut_samples",
    ]
    return [
        u8("format: v8.cpuprofile", 1),
        u8("partial", 1),
        u8("has_digest", 1),
        ("sha256", DIGEST),
        ("profile_id", TICKET),
        u8("encoding: zstd", 2),
        u64("bytes", 1234),
        u64("decoded_bytes", 5678),
        string("producer_name", "node"),
        string("producer_version", "20.20.2"),
        string("producer_source", "capture_record"),
        maybe("start_us", 607790378),
        maybe("end_us", 608255115),
        maybe("duration_us", 464737),
        maybe("interval_us", None),
        u8("metrics", 2),
        *metric("cpu.samples", "count", 15, 12, 3),
        *metric("wall.time", "microseconds", 150, 120, 30),
        u8("unavailable", 1),
        string("metric", "cpu.hit_count"),
        string("reason", "no_hit_counts"),
        maybe("nodes", 12),
        maybe("samples", 15),
        maybe("frames", 9),
        maybe("max_depth", -7),
        u64("rows_total", 9),
        u64("rows_returned", 1),
        *[u64(name, 100 + at) for at, name in enumerate(coverage)],
        u32("limitations: wall_not_cpu, rows_cut", 1 << 1 | 1 << 10),
    ]


def rows():
    return [
        u16("rows", 2),
        ("frame_id", bytes(range(0x10, 0x20))),
        ("function_id", bytes(range(0x20, 0x30))),
        u8("language: javascript", 1),
        u8("frame_type: v8js", 0),
        u8("category: dependency", 1),
        u8("symbolization: complete", 0),
        u32("flags: function id, file, package", 1 | 2 | 8),
        u32("line", 12),
        u32("column", 3),
        u32("rank_self", 1),
        u32("rank_inclusive", 2),
        string("function", "parse"),
        string("url", "file:///srv/app/node_modules/x/a.js"),
        string("file", "node_modules/x/a.js"),
        string("script", ""),
        string("package", "x"),
        u64("cpu.samples self", 8),
        u64("cpu.samples inclusive", 10),
        u64("wall.time self", 80),
        u64("wall.time inclusive", 100),
        ("frame_id", bytes(range(0x30, 0x40))),
        ("function_id", bytes(16)),
        u8("language: javascript", 1),
        u8("frame_type: native", 1),
        u8("category: eval", 5),
        u8("symbolization: partial", 1),
        u32("flags: script", 4),
        u32("line", 0),
        u32("column", 0),
        u32("rank_self", 2),
        u32("rank_inclusive", 1),
        string("function", ""),
        string("url", ""),
        string("file", ""),
        string("script", "83"),
        string("package", ""),
        u64("cpu.samples self", 4),
        u64("cpu.samples inclusive", (1 << 64) - 1),
        u64("wall.time self", 40),
        u64("wall.time inclusive", 1 << 40),
    ]


def failed():
    return [
        u16("status: LIMIT_EXCEEDED", 8),
        u16("reason: none", 0),
        i64("offset", -1),
        u8("limit: max_nodes", 2),
        u8("reserved", 0),
        u64("actual", 20_000_001),
        u64("max", 20_000_000),
        i32("signal", 0),
        string("message", "too many nodes \u2026"),
        string("path", "$.nodes[3].id"),
    ]


def obituary():
    return [
        u16("status: WORKER_CRASHED", 11),
        u16("reason: no_answer", 44),
        i32("signal", -11),
        u8("limit: stall_seconds", 15),
        u8("unreaped", 1),
        u16("reserved", 0),
        u32("reserved", 0),
        u64("actual", 61),
        u64("max", 60),
        u64("wall_us", 0x1112131415161718),
        u64("cpu_us", 0x2122232425262728),
        u64("peak_rss_bytes", 0x3132333435363738),
    ]


def status():
    return [
        u64("request", 77),
        u64("uptime_ms", 1001),
        u32("workers_max", 1),
        u32("workers_warm", 2),
        u32("workers_starting", 3),
        u32("workers_busy", 4),
        u32("workers_stuck", 5),
        u32("queue_max", 6),
        u32("jobs_admitted", 7),
        u32("jobs_queued", 8),
        u64("memory_total_bytes", 9),
        u64("memory_used_bytes", 10),
        u64("jobs_accepted", 11),
        u64("jobs_refused", 12),
        u64("jobs_ended", 13),
        u64("workers_started", 14),
        u64("workers_failed_start", 17),
        u32("front_restarts", 18),
        u32("sandbox", 0x3FF),
        u32("workers_wanted", 19),
        u32("jobs_queued_batch", 20),
    ] + tallies()


def tallies():
    """Formats in all 3, statuses 26; two histograms of 13 buckets."""
    fields = [u64(f"ended, format {f}, status {s}", 1000 + 26 * f + s)
              for f in range(3) for s in range(26)]
    fields += [u64(f"rejected {i}", 2000 + i) for i in range(6)]
    fields += [u64(f"deaths {i}", 3000 + i) for i in range(11)]
    for name, first in (("job_us", 4000), ("input_bytes", 5000)):
        fields += [u64(f"{name} bucket {i}", first + i) for i in range(13)]
        fields.append(u64(f"{name} sum", first + 13))
    return fields + [u64("peak_rss_bytes", 6000)]


def config():
    fields = []
    for at, (name, value) in enumerate(LIMITS):
        fields.append(u64(f"{name} default", value))
        fields.append(u64(f"{name} ceiling", value + 1 + at))
    return fields + [
        u32("workers", 4),
        u64("memory_total_bytes", 8 << 30),
        u64("result_ttl_seconds", 900),
        u64("result_store_bytes", 128 << 20),
        string("runtime_dir", "/run/extractd"),
    ]


def admit():
    return [
        u64("request", 0x0A0B0C0D0E0F0001),
        u64("memory_bytes", 2 << 30),
        u64("cpu_seconds", 1800),
        u64("wall_seconds", 3000),
        u64("stall_seconds", 45),
        u64("client", 0x1122334455667788),
        u8("leased", 1),
        u8("class: batch", 1),
    ] + job_record()


def adopt():
    return [
        u8("state: running", 2),
        ("ticket", TICKET),
        u32("sandbox", 0x2F),
        u32("ran_ms", 1500),
        u8("leased", 1),
        u8("class: batch", 1),
    ] + job_record()


def progress():
    return [
        u8("phase: timing", 1),
        u64("bytes", 1 << 40),
        u64("total", 1 << 41),
        u64("nodes", 123456),
        u64("samples", (1 << 64) - 2),
    ]


# name: (wire number, payload)
MESSAGES = {
    "JOB": (1, job()),
    "READY": (2, [u32("sandbox", 0x35), u32("pid", 4242)]),
    "PROGRESS": (3, progress()),
    "RESULT": (4, result()),
    "ROWS": (5, rows()),
    "DONE": (6, [u32("rows", 2)]),
    "FAILED": (7, failed()),
    "LAST_WORDS": (8, [string("text", "bug: worker/x.c:7: left > 0\n")]),
    "FRONT_READY": (32, []),
    "ADMIT": (33, admit()),
    "START": (34, []),
    "ALIVE": (35, []),
    "HOLD": (36, []),
    "DELIVERING": (37, []),
    "CANCEL": (38, [u16("reason: client_gone", 39)]),
    "DELIVERED": (39, []),
    "ASK_STATUS": (40, [u64("request", 77)]),
    "VERDICT": (
        41,
        [
            u16("status: LIMIT_EXCEEDED", 8),
            u8("format: v8.heapprofile", 2),
            u64("input_bytes", 1 << 33),
        ],
    ),
    "FRONT_HERE": (42, []),
    "CONFIG": (64, config()),
    "ADMITTED": (65, [u64("request", 0x0A0B0C0D0E0F0001), ("ticket", TICKET)]),
    "REFUSED": (
        66,
        [
            u64("request", 5),
            u16("status: BUSY", 17),
            u32("retry_after_ms", 2500),
        ],
    ),
    "CHANNEL": (67, [u32("sandbox", 0x2F)]),
    "OBITUARY": (68, obituary()),
    "ADOPT": (69, adopt()),
    "STATUS": (70, status()),
    "DRAIN": (71, []),
}


def frame(name):
    kind, payload = MESSAGES[name]
    size = sum(len(data) for _, data in payload)
    return [
        ("magic: XD", b"XD"),
        u8("version", VERSION),
        u8(f"message: {name}", kind),
        u32("bytes of payload", size),
        u64("job", JOB),
    ] + payload


def text_of(name):
    lines = [f"# {name}: written by make_frames.py\n"]
    for note, data in frame(name):
        pairs = data.hex(" ")
        lines.append(f"{pairs} # {note}\n" if data else f"# {note}\n")
    return "".join(lines)


def main():
    check = sys.argv[1:] == ["--check"]
    different = []
    for name in MESSAGES:
        path = HERE / f"{name}.hex"
        if not check:
            path.write_text(text_of(name))
        elif not path.exists() or path.read_text() != text_of(name):
            different.append(path.name)
    if different:
        sys.exit("differs: " + " ".join(different))


if __name__ == "__main__":
    main()
