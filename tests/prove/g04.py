"""G4: a worker stays within its memory limit, and running out of memory is
LIMIT_EXCEEDED, wherever it happens."""

import contextlib
import pathlib
import re
import threading

import hostile
import watch
from harness import Peer, Service, eventually, slow_file

MIB = 1 << 20
SPENT = ("LIMIT_EXCEEDED", "memory_bytes")
FLOOR = 16 * MIB


class Peaks(threading.Thread):
    """Looks all the time at how much workers had at most. A peak only rises,
    so what is missed is what the last moment before the end added."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service, self.done = service, threading.Event()
        self.seen = {}

    def run(self):
        while not self.done.wait(0.002):
            for pid in self.service.workers():
                peak = watch.peak(pid)
                if peak is not None:
                    self.seen[pid] = peak

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()

    def highest(self):
        """Since it was last asked."""
        seen, self.seen = self.seen, {}
        return max(seen.values(), default=0)


def file_of(run, name, content):
    path = run.folder / name
    with open(path, "wb") as file:
        if isinstance(content, bytes):
            file.write(content)
        else:
            file.writelines(content)
    return str(path)


def extract(peer, path, seconds=300, **limits):
    job = peer.start(path, limits=limits, rows=10)
    reply = peer.result(job, seconds)
    peer.doors.pop(job).close()
    return reply


# -- the kernel's limit ---------------------------------------------------------

def kernel_limit(run):
    """Beside the worker's own account the kernel holds it, too."""
    memory = 48 * MIB
    with Service("--workers", "1") as service, Peer(service) as peer:
        peer.start(slow_file(run.folder), limits={"memory_bytes": memory})

        def limited():
            return [value for pid in service.workers()
                    for value in re.findall(
                        r"Max address space +(\S+) +(\S+)",
                        watch.limits(pid)) if value[0] != "unlimited"]
        seen = eventually("a worker with its job's limit", limited)
    run.check(seen == [(str(memory), str(memory))], f"{seen} for {memory}")


# -- the largest things --------------------------------------------------------

def giants(run):
    """Name, content, right outcomes, limits beside the memory's."""
    token = hostile.limit("max_token_bytes")
    many = run.pick(4_000_000, 600_000_000)
    most = run.pick(8, 64) * MIB
    deepest = {"max_json_depth": 8_000_064}
    for name, content, expected in hostile.large_kinds(run.full):
        yield name, content, expected, {}
        yield name, content, expected | {SPENT}, {
            "max_token_bytes": most, "memory_bytes": 32 * MIB}
        yield name, content, token | {SPENT}, {
            "max_token_bytes": most, "memory_bytes": 96 * MIB}
    brackets = hostile.zstd(b'{"x":', (b"[", many))
    depth = hostile.limit("max_json_depth")
    yield "brackets", brackets, depth, {}
    more = depth | {SPENT} | hostile.parse("truncated_input")
    yield "brackets", brackets, more, deepest
    yield "brackets", brackets, more, {**deepest, "memory_bytes": FLOOR}
    yield "bombs-window", hostile.zstd(hostile.GOOD, window_log=31), {
        SPENT}, {"max_window_bytes": 2 << 30}


def largest(run):
    highest = 0
    count = 0
    with Service("--workers", "1") as service, Peer(service) as peer, \
            Peaks(service) as peaks:
        for name, content, expected, limits in giants(run):
            path = file_of(run, name, content)
            reply = extract(peer, path, **limits)
            seen = hostile.outcome(reply)
            run.check(hostile.accepts(expected, seen),
                      f"{name}, {limits}: {seen}")
            peak = peaks.highest()
            run.check(peak <= limits.get("memory_bytes", 1 << 30),
                      f"{name}, {limits}: a peak of {peak}")
            highest, count = max(highest, peak), count + 1
    run.figure("Strings, names, keys and numbers of 1 GiB, 600 MB of `[`, a "
               "window of 2 GiB" if run.full else "Large values",
               f"{count} jobs, each its named error")
    run.figure("Highest peak of them", f"{highest / MIB:.1f} MiB")


def names(run):
    """More distinct names than memory holds; and as many with room enough."""
    count = run.pick(150_000, 10_000_000)
    small, large = run.pick((24 * MIB, 256 * MIB), (1 << 30, 4 << 30))
    path = file_of(run, "names", hostile.many_nodes(
        count, "f%d", ',"parent":1'))
    with Service("--workers", "1") as service, Peer(service) as peer, \
            Peaks(service) as peaks:
        reply = extract(peer, path, max_frames=16_000_000,
                        memory_bytes=small)
        run.check(hostile.outcome(reply) == SPENT, f"{reply}")
        peak = peaks.highest()
        run.check(peak <= small, f"a peak of {peak}")
        run.figure(f"{count} distinct names in {small // MIB} MiB",
                   f"memory_bytes, a peak of {peak / MIB:.1f} MiB")
        if peer.status()["memory"]["total_bytes"] < large:
            run.not_shown(f"{count} distinct names that fit",
                          f"it needs {large // MIB} MiB for a worker")
            return
        reply = extract(peer, path, max_frames=16_000_000,
                        memory_bytes=large)
        run.check(reply["type"] == "result", f"{reply}")
        run.check(reply["result"]["rows_total"] == count, "all are there")
        told = reply["result"]["run"]
        run.check(told["peak_rss_bytes"] <= large, f"{told}")
        run.figure(f"The same in {large // MIB} MiB",
                   f"extracted in {told['wall_ms'] / 1000:.1f} s, a peak of "
                   f"{told['peak_rss_bytes'] / MIB:.1f} MiB")


# -- every place where it may run out ------------------------------------------

def samples(count):
    return hostile.cpu(
        f"{hostile.ROOT},{hostile.node(2)}", ",".join(["2"] * count),
        ",".join(["1"] * count))


def ladder_kinds(run):
    """Each needs more than the floor, and most of it for another reason."""
    size = run.pick(1, 2)
    yield "names", b"".join(hostile.many_nodes(
        100_000 * size, "f%d", ',"parent":1'))
    if not run.full:
        return
    yield "samples", hostile.member(samples(8_000_000), 1)
    yield "chain", hostile.member(hostile.chain(400_000))
    yield "chain in a large window", hostile.zstd(hostile.chain(200_000))
    yield "heap", hostile.deep_heap(300_000)
    yield "nesting", hostile.zstd(
        b'{"x":', (b"[", 5_000_000), (b"]", 5_000_000),
        b"," + hostile.GOOD[1:])
    half = hostile.GOOD.index(b"work")
    yield "long name", hostile.zstd(
        hostile.GOOD[:half], (b"y", 12_000_000), hostile.GOOD[half:])


def step(run, peer, name, path, memory):
    reply = extract(peer, path, memory_bytes=memory, max_json_depth=8_000_064,
                    max_depth=4_000_000, max_token_bytes=64 * MIB)
    seen = hostile.outcome(reply)
    run.check(seen in (hostile.OK, SPENT), f"{name} in {memory}: {seen}")
    if seen == SPENT:
        return reply["error"]["actual"]
    run.check(reply["result"]["run"]["peak_rss_bytes"] <= memory,
              f"{name} in {memory}: {reply['result']['run']}")
    return None


def enough(run, peer, name, path):
    """About the least memory in which it succeeds."""
    low, high = FLOOR, FLOOR * 3 // 2
    while step(run, peer, name, path, high) is not None:
        low, high = high, high * 3 // 2
        run.check(high < 1 << 30, f"{name} needs no gigabyte")
    while high - low > 256 << 10:
        middle = (low + high) // 2
        if step(run, peer, name, path, middle) is None:
            high = middle
        else:
            low = middle
    return high


def ladder(run):
    """From the floor up to where it fits, in steps, half of them just below:
    memory runs out at as many places."""
    steps = run.pick(8, 150)
    jobs, spent, places = 0, 0, set()
    with Service("--workers", "1") as service, Peer(service) as peer:
        for name, content in ladder_kinds(run):
            path = file_of(run, "ladder", content)
            top = enough(run, peer, name, path)
            near = max(FLOOR, top - 2 * MIB)
            sizes = [start + (top - start) * i // steps // 512 * 512
                     for start in (FLOOR, near) for i in range(steps)]
            for memory in sizes:
                actual = step(run, peer, name, path, memory)
                jobs += 1
                if actual is not None:
                    spent += 1
                    places.add((name, actual))
        log = service.text()
    died = re.search(r".*job=\S+ .*signal=[1-9].*", log)
    run.check(died is None, f"no worker died of it: {died and died[0]}")
    run.check(spent > jobs // 4, f"{spent} of {jobs} ran out")
    run.figure("Jobs in memory from 16 MiB to just enough", jobs)
    run.figure("Of which memory ran out", f"{spent}, at {len(places)} "
               "different requests; none crashed, all others were right")


def prove(run):
    kernel_limit(run)
    largest(run)
    with contextlib.suppress(FileNotFoundError):
        pathlib.Path(run.folder / "names").unlink()
    names(run)
    ladder(run)
