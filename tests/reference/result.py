"""From a profile that was read to the deterministic part of a result.

Decided here:
- cpu.hit_count is available when at least one node carries hitCount.
- the count of samples is null in a file without samples.
- wall.time that is missing names the first cause of: no_samples,
  no_time_deltas, no_end_time.
- the row of samples that name no node stands beside the tree: it is a frame,
  not a node, has no depth, and is there only when there is such a sample.
- a frame's url is that of the first node that has it, in the file's order (in
  nested files a parent comes before its children).
- counts or sizes of one metric whose sum leaves 64 bits, taken as unsigned:
  `value_overflow`.
- a first sample before the start is no negative delta when the file has
  timestamps; among deltas it is one.
"""

import frames
import timeline
import tree
from problem import parse_problem

MAIN = ("wall.time", "cpu.samples", "cpu.hit_count", "memory.self_size")
LIMITATIONS = ("wall_not_cpu", "sampled_estimate", "live_heap_only",
               "totals_disagree", "deltas_reordered")
UINT64_MAX = 2**64 - 1
KINDS = ("complete", "partial", "unresolved", "not_applicable")


class Table:
    """Frames and the values of the nodes, on the way to rows."""

    def __init__(self, nodes, below, root, options):
        self.options = options
        self.nodes, self.below, self.root = nodes, below, root
        self.rows = {}
        self.frame_of = [self.intern(node.call) for node in nodes]
        self.metrics = []

    def intern(self, call):
        row = frames.describe(call, *self.options)
        self.rows.setdefault(row["frame_id"], dict(row, values={}))
        return row["frame_id"]

    def add_metric(self, name, unit, own, lost=0):
        """`own`: a value a node; `lost`: what belongs to no node."""
        total = sum(own) + lost
        if total > UINT64_MAX:
            raise parse_problem("value_overflow")
        whole = tree.inclusive(self.below, self.root, self.frame_of, own)
        selfs = dict.fromkeys(whole, 0)
        for frame, value in zip(self.frame_of, own):
            selfs[frame] += value
        for frame, row in self.rows.items():
            self_value = selfs.get(frame, 0)
            inside = whole.get(frame, 0)
            if frame == self.lost_frame:
                self_value, inside = self_value + lost, inside + lost
            row["values"][name] = {"self": self_value, "inclusive": inside}
        idle = sum(row["values"][name]["self"] for row in self.rows.values()
                   if row["category"] == "idle")
        self.metrics.append({"name": name, "unit": unit, "total": total,
                             "active": total - idle})

    def note_lost(self, count):
        self.lost_frame = self.intern(frames.UNKNOWN) if count else None

    def ranked(self):
        """Adds both ranks by the main metric, ties by frame id; none without
        any metric."""
        names = [metric["name"] for metric in self.metrics]
        main = next((name for name in MAIN if name in names), None)
        for key in ("self", "inclusive") if main else ():
            order = sorted(self.rows.values(), key=lambda row: (
                -row["values"][main][key], row["frame_id"]))
            for rank, row in enumerate(order, 1):
                row["rank_" + key] = rank
        return sorted(self.rows.values(), key=lambda row: row["frame_id"])


def coverage_of(rows, unresolved, deltas, clamped):
    found = {
        "unresolved_samples": unresolved,
        "out_of_order_deltas": sum(delta < 0 for delta in deltas or ()),
        "clamped_deltas": clamped,
    }
    for kind in KINDS:
        count = sum(row["symbolization"] == kind for row in rows)
        found[kind + "_symbolization"] = count
    return found


def limitations_of(kind, table, coverage, disagree):
    """The codes that follow from the values; the contract has more."""
    names = [metric["name"] for metric in table.metrics]
    found = {
        "wall_not_cpu": "wall.time" in names,
        "sampled_estimate": kind == "heap",
        "live_heap_only": kind == "heap",
        "totals_disagree": disagree,
        "deltas_reordered": coverage["out_of_order_deltas"] > 0
        and "wall.time" in names,
    }
    return [code for code in LIMITATIONS if found[code]]


def assemble(kind, table, samples, coverage, profile, unavailable,
             disagree=False):
    rows = table.ranked()
    coverage = coverage_of(rows, *coverage)
    return {
        "format": {"cpu": "v8.cpuprofile", "heap": "v8.heapprofile"}[kind],
        "kind": {"cpu": "sample_profile", "heap": "memory_profile"}[kind],
        "profile": dict(zip(
            ("start_us", "end_us", "duration_us", "interval_us"), profile)),
        "metrics": table.metrics,
        "unavailable": [{"metric": metric, "reason": reason}
                        for metric, reason in unavailable],
        "counts": {
            "nodes": len(table.nodes),
            "samples": None if samples is None else len(samples),
            "frames": len(rows),
            "max_depth": tree.max_depth(table.below, table.root),
        },
        "rows": rows,
        "coverage": coverage,
        "limitations": limitations_of(kind, table, coverage, disagree),
    }


def spread(samples, places, weights, size):
    """Weights summed a node, and (samples, weight) that belong to none."""
    own = [0] * size
    lost = [0, 0]
    for ident, weight in zip(samples, weights):
        place = places.get(ident)
        if place is None:
            lost[0] += 1
            lost[1] += weight
        else:
            own[place] += weight
    return own, lost


def deltas_of(read):
    if read.deltas is not None or read.timestamps is None:
        return read.deltas
    return timeline.deltas_of(read.start or 0, read.timestamps)


def wall_reason(read, deltas):
    if read.samples is None:
        return "no_samples"
    if deltas is None:
        return "no_time_deltas"
    if len(deltas) != len(read.samples):
        raise parse_problem("length_mismatch")
    return "no_end_time" if read.end is None else None


def cpu_result(read, options):
    nodes, below, root = read.linked()
    deltas = deltas_of(read)
    times = timeline.times_of(read.start or 0, deltas or ())
    reason = wall_reason(read, deltas)
    table = Table(nodes, below, root, options)
    places = tree.index_of(nodes)[0]
    size = len(nodes)
    samples = read.samples or []
    counts, (lost, _) = spread(samples, places, [1] * len(samples), size)
    table.note_lost(lost)
    unavailable = []
    clamped = 0
    if any(node.value is not None for node in nodes):
        hits = [node.value or 0 for node in nodes]
        table.add_metric("cpu.hit_count", "count", hits)
    else:
        unavailable.append(("cpu.hit_count", "no_hit_counts"))
    if read.samples is None:
        unavailable.append(("cpu.samples", "no_samples"))
    else:
        table.add_metric("cpu.samples", "count", counts, lost)
    if reason:
        unavailable.append(("wall.time", reason))
    else:
        lasting, clamped = timeline.durations(times, read.end)
        own, (_, lost_time) = spread(samples, places, lasting, size)
        table.add_metric("wall.time", "microseconds", own, lost_time)
    known = read.start is not None and read.end is not None
    length = timeline.checked(read.end - read.start) if known else None
    profile = (read.start, read.end, length, timeline.interval(deltas or []))
    counted = (deltas or [])[read.deltas is None :]
    coverage = (lost, counted, clamped)
    return assemble("cpu", table, read.samples, coverage, profile, unavailable)


def heap_result(read, options):
    table = Table(read.nodes, read.below, read.root, options)
    places = tree.index_of(read.nodes)[0]
    idents = [ident for ident, _ in read.samples or ()]
    ones = [1] * len(idents)
    counts, (lost, _) = spread(idents, places, ones, len(read.nodes))
    table.note_lost(lost)
    sizes = [node.value for node in read.nodes]
    table.add_metric("memory.self_size", "bytes", sizes)
    unavailable = []
    disagree = False
    if read.samples is None:
        unavailable.append(("memory.samples", "no_samples"))
    else:
        table.add_metric("memory.samples", "count", counts, lost)
        disagree = sum(size for _, size in read.samples) != sum(sizes)
    return assemble("heap", table, read.samples, (lost, None, 0), (None,) * 4,
                    unavailable, disagree)
