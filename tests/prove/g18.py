"""G18: isolation is nearly free: the same code with and without it, in turn."""

import os
import statistics
import subprocess
import time

import harness
import load
from load_ledger import Ledger

MORE = 0.02      # of processor and wall time, for a large profile
MORE_S = 0.001   # for a small one
ROWS = 25        # what the unsandboxed program prints
SMALL_BYTES = 4096


def unboxed(path):
    """(processor, wall) seconds of the worker's code alone."""
    program = harness.BUILD / "prove" / "prove-unboxed"
    with open(os.devnull, "wb") as null:
        start = time.monotonic()
        process = subprocess.Popen([program, path], stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{program}: {process.returncode}"
    return usage.ru_utime + usage.ru_stime, wall


def boxed(peer, path):
    """The same in the sandbox, as the kernel told extractd."""
    job = peer.start(path, rows=ROWS)
    reply = peer.result(job, 600)
    assert reply["type"] == "result", reply
    peer.doors.pop(job).close()
    peer.ask("ack", job=job)
    run = reply["result"]["run"]
    return run["cpu_ms"] / 1000, run["wall_ms"] / 1000


def large(run, service):
    path = run.folder / "large.cpuprofile"
    with open(path, "wb") as out:
        subprocess.run([harness.BUILD / "bench" / "bench-generate", "cpuN",
                        run.pick("8M", "1G")], stdout=out, check=True)
    with harness.Peer(service) as peer:
        boxed(peer, path)  # the file is in memory now
        rounds = []
        for number in range(run.pick(5, 9)):
            one = boxed(peer, path), unboxed(path)
            rounds.append(one)
            run.say(f"round {number + 1}: sandboxed {one[0][0]:.3f} s "
                    f"processor, {one[0][1]:.3f} s wall; without "
                    f"{one[1][0]:.3f} s, {one[1][1]:.3f} s")
    path.unlink()
    for place, what in enumerate(("processor", "wall")):
        ratio = statistics.median(a[place] / b[place] for a, b in rounds)
        run.figure(f"{run.pick('8 MB', '1 GB')}: sandboxed against not, "
                   f"{what} time", f"{(ratio - 1) * 100:+.2f} %")
        # What is small has the start in it, which is the other part's; and
        # wall time is for a machine without other work.
        if run.full:
            run.check(ratio <= 1 + MORE, f"{what} time: {ratio:.4f}")
        elif what == "processor":
            more = statistics.median(a[0] - b[0] for a, b in rounds)
            allowed = 4 * (MORE * rounds[0][1][0] + MORE_S)
            run.check(more <= allowed, f"{more * 1000:.1f} ms more")


def small(run):
    """The period of a service with one slot that always has work: start of a
    worker, sandbox, job, end. Against start to end of the program alone."""
    path = run.folder / "small.cpuprofile"
    harness.profile(run.folder, path.name, 20)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() + b" " * (SMALL_BYTES - size))
    assert path.stat().st_size == SMALL_BYTES
    jobs = run.pick(100, 1000)
    periods, alone = [], []
    with harness.Service("--workers", "1") as service:
        for _ in range(run.pick(3, 9)):
            ledger = Ledger()
            periods.append(load.play(service, ledger, 4, lambda _: path, jobs,
                                     options={"rows": ROWS}) / jobs)
            assert ledger.counts.get("ok") == jobs, ledger.counts
            alone.append(statistics.median(
                unboxed(path)[1] for _ in range(jobs // 5)))
    more = statistics.median(a - b for a, b in zip(periods, alone))
    run.figure("4 KiB: a job of a busy slot, start of its worker and the API "
               "included; the program alone",
               f"{statistics.median(periods) * 1000:.2f} ms; "
               f"{statistics.median(alone) * 1000:.2f} ms")
    run.check(more <= MORE_S * run.pick(4, 1), f"{more * 1000:.2f} ms more")


def prove(run):
    with harness.Service("--workers", "1") as service:
        large(run, service)
    small(run)
