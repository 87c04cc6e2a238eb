"""G17: ten times the capacity is refused at once, not queued without end."""

import gzip

import harness
from harness import Service
import load
from load_flood import Flood, Memory
from load_ledger import Ledger
from prove import quantile

BUSY_S = 0.050
WALL_S = 20
# More memory at the end than when the flood was in full swing.
GROWTH_BYTES = {"extractd": 1 << 20, "front": 4 << 20}
SERVICE = ("--workers", "2", "--queue", "16")


def packed(folder):
    """Many blanks and a small profile: long enough that clients keep pace."""
    good = harness.profile(folder).read_bytes()
    path = folder / "packed.cpuprofile"
    path.write_bytes(gzip.compress(b" " * (1 << 21) + good, 9, mtime=0))
    return path


def capacity(service, path, jobs):
    """Jobs a second when there is always one waiting."""
    ledger = Ledger()
    seconds = load.play(service, ledger, 8, lambda _: path, jobs)
    assert ledger.counts.get("ok") == jobs, ledger.counts
    return jobs / seconds


def flat(run, name, seen):
    """The second half's end against its beginning."""
    tail = seen[len(seen) // 2:]
    few = max(len(tail) // 10, 1)
    begin, end = max(tail[:few]), max(tail[-few:])
    run.check(end - begin <= GROWTH_BYTES[name],
              f"{name} grew from {begin} to {end} bytes")
    run.figure(f"Resident memory of {name}, halfway and at the end",
               f"{begin / 2**20:.1f} MiB, {end / 2**20:.1f} MiB")


def answered(run, flood):
    run.check(not flood.sent, f"{len(flood.sent)} without an answer")
    run.check(not flood.other, f"neither taken nor BUSY: {flood.other[:3]}")
    lost = [job for job in flood.begun if job not in flood.finals]
    run.check(not lost, f"{len(lost)} accepted jobs have no final reply")
    bad = [reply for reply in flood.finals.values()
           if reply["type"] != "result" or
           reply["result"]["run"]["wall_ms"] > WALL_S * 1000]
    run.check(not bad, f"accepted, not done in time: {bad[:2]}")
    run.check(len(flood.busy_s) > flood.offered // 2,
              f"BUSY only {len(flood.busy_s)} of {flood.offered} times")


def prove(run):
    path = packed(run.folder)
    with Service(*SERVICE) as service:
        can = capacity(service, path, run.pick(40, 400))
        memory = Memory(extractd=service.process.pid, front=service.front())
        flood = Flood(service, path, 10 * can, run.pick(4, 60),
                      {"wall_seconds": WALL_S})
        memory.start()
        flood.play()
        memory.stop()
        run.check(service.process.poll() is None, "extractd has exited")
        run.check(service.front() == memory.pids["front"],
                  "the front was restarted")
    answered(run, flood)
    late = quantile(flood.busy_s, 0.99)
    run.figure("Capacity; offered",
               f"{can:.0f} jobs a second; {flood.offered / flood.seconds:.0f}")
    run.figure("Refused; accepted, all done within their limits",
               f"{len(flood.busy_s)}; {len(flood.finals)}")
    run.figure("From SUBMIT to BUSY, median; 99 %; worst",
               f"{quantile(flood.busy_s, .5) * 1000:.1f} ms; "
               f"{late * 1000:.1f} ms; {max(flood.busy_s) * 1000:.1f} ms")
    run.figure("From SUBMIT to result of the accepted, worst",
               f"{max(flood.job_s.values()) * 1000:.0f} ms")
    # a machine that runs tests may be busy with others, too
    limit = BUSY_S * run.pick(4, 1)
    run.check(late <= limit, f"BUSY took {late * 1000:.0f} ms")
    for name, seen in memory.seen.items():
        flat(run, name, seen)
