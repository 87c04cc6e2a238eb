"""G5: limits on time hold, whatever a worker does, and what is told of its
death and of its resources is what the kernel saw."""

import contextlib
import re
import signal
import socket
import threading
import time

import zmq

import watch
from harness import (Peer, Service, eventually, gone, kill, profile,
                     slow_file)

LATE_MS = 250


class Sleeper(threading.Thread):
    """Wakes each 10 ms and knows how late at worst: what the machine, busy with
    others, adds to all that is measured beside it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.over, self.worst_ms = threading.Event(), 0.0

    def run(self):
        due = time.monotonic() + 0.01
        while not self.over.wait(due - time.monotonic()):
            now = time.monotonic()
            self.worst_ms = max(self.worst_ms, (now - due) * 1000)
            due = now + 0.01

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


class Late:
    """How long after its limit each job was answered."""

    def __init__(self, run):
        self.run = run
        # A machine that runs tests may be busy with others, too.
        self.most_ms = LATE_MS * run.pick(4, 1)

    def judge(self, what, limit, times_ms):
        self.run.check(all(late >= 0 for late in times_ms),
                       f"{what}: before its limit, {min(times_ms):.0f} ms")
        self.run.check(max(times_ms) <= self.most_ms,
                       f"{what}: {max(times_ms):.0f} ms late")
        self.run.figure(f"{what}: from {limit} to the reply",
                        f"worst {max(times_ms):.0f} ms of {len(times_ms)}")


def limited(reply, name):
    return reply["type"] == "error" and (
        reply["error"]["code"], reply["error"]["limit"]) == (
            "LIMIT_EXCEEDED", name)


def hand_over_nothing(peer, accepted):
    """Shows the ticket, and then nothing comes."""
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    door.connect(accepted["door"])
    door.send(bytes.fromhex(accepted["ticket"]))
    peer.doors[accepted["job"]] = door


class Group:
    """Jobs of one kind, some at a time. after: seconds in which it works, so
    that its limit is reached so much later."""

    def __init__(self, what, service, path, name, together, after=0.0,
                 **limits):
        self.what, self.service, self.path = what, service, path
        self.name, self.together, self.after = name, together, after
        (self.limit, self.seconds), = limits.items()
        self.late_ms = []

    def start(self, stack):
        """[peer, request, begin, None] of each, the last for the answer."""
        limits = {self.limit: self.seconds, "memory_bytes": 64 << 20}
        for _ in range(self.together):
            peer = stack.enter_context(Peer(self.service))
            accepted = peer.submit(self.name, limits=limits)
            begin = time.monotonic()
            if self.path is None:
                hand_over_nothing(peer, accepted)
            else:
                with open(self.path, "rb") as file:
                    peer.hand_over(accepted, file.fileno())
            number = peer.send("result", job=accepted["job"], wait=True)
            yield [peer, number, begin, None]

    def take(self, run, jobs):
        for _, _, begin, (reply, end) in jobs:
            run.check(limited(reply, self.limit), f"{self.what}: {reply}")
            self.late_ms.append(
                (end - begin - self.after - self.seconds) * 1000)


def all_groups(run, groups, count):
    """Until each has had so many jobs, some of all at the same time."""
    while True:
        lacking = [g for g in groups if len(g.late_ms) < count]
        if not lacking:
            return
        with contextlib.ExitStack() as stack:
            started = [(g, list(g.start(stack))) for g in lacking]
            answers([job for _, jobs in started for job in jobs], 30)
            for group, jobs in started:
                group.take(run, jobs)


def answers(jobs, patience):
    """Takes replies as they come; none waits for that of another."""
    deadline = time.monotonic() + patience
    poller = zmq.Poller()
    waiting = {job[0].socket: job for job in jobs}
    for socket_ in waiting:
        poller.register(socket_, zmq.POLLIN)
    while waiting:
        assert time.monotonic() < deadline, "no reply in time"
        for socket_, _ in poller.poll(1000):
            job = waiting[socket_]
            reply = job[0].receive(job[1], 0.001)
            if reply is not None:
                job[3] = reply, time.monotonic()
                poller.unregister(socket_)
                del waiting[socket_]


def wall_and_stall(run, late):
    small = str(profile(run.folder))
    some = run.pick(3, 10)
    workers = 4 * some + 2  # four groups at once, and no job waits
    with contextlib.ExitStack() as stack:
        spin, stall, real = (stack.enter_context(
            Service("--workers", str(workers), "--default",
                    "memory_bytes=64M", standin=standin))
            for standin in ("spin", "stall", None))
        for service in (spin, stall, real):
            with Peer(service) as peer:
                have = peer.status()["workers"]["max"]
                run.check(have >= workers, f"only {have} workers fit here")
        groups = [
            Group("A worker that spins", spin, small, "spin",
                  run.pick(2, 4), wall_seconds=1),
            Group("One that sleeps", stall, small, "sleep", some,
                  wall_seconds=1),
            Group("One that sleeps", stall, small, "sleep", some,
                  stall_seconds=3),
            Group("One stopped by SIGSTOP", stall, small, "stop", some,
                  stall_seconds=3),
            Group("One that worked for 0.9 s, then sleeps", stall, small,
                  "works", some, after=0.9, stall_seconds=3),
            Group("An input that never comes", real, None, "f", some,
                  wall_seconds=1),
            Group("An input that never comes", real, None, "f", some,
                  stall_seconds=3)]
        with Sleeper() as sleeper:
            all_groups(run, groups, run.pick(2, 100))
    run.figure("A thread beside them that sleeps 10 ms at a time",
               f"at most {sleeper.worst_ms:.0f} ms late")
    for group in groups:
        late.judge(group.what, group.limit, group.late_ms)


# -- workers that are looked at ------------------------------------------------

def busy_worker(service):
    """The one that works on a slow file; others have used next to nothing."""
    def find():
        for pid in service.workers():
            with contextlib.suppress(OSError):
                if watch.cpu_ms(pid) >= 50:
                    return pid
        return None
    return eventually("a worker works", find)


def processor_time(run, late, slow):
    """By processor time, not by the clock: others take the processor too."""
    times, least = [], 10_000
    with Service("--workers", "1") as service, Peer(service) as peer:
        for _ in range(run.pick(1, 100)):
            job = peer.start(slow, limits={"cpu_seconds": 1})
            number = peer.send("result", job=job, wait=True)
            pid, reply = busy_worker(service), None
            alive = time.monotonic()
            while reply is None:
                if not gone(pid):
                    alive = time.monotonic()
                reply = peer.receive(number, 0.001)
            from_death = (time.monotonic() - alive) * 1000
            run.check(limited(reply, "cpu_seconds"), f"{reply}")
            used = int(ended(service, job)["cpu_ms"])
            least = min(least, used)
            times.append(max(0, used - 1000) + from_death)
            peer.doors.pop(job).close()
    run.check(least >= 990, f"ended after {least} ms")
    late.judge("The real worker on a slow file", "cpu_seconds", times)


def unreaped(run, late, slow):
    """A tracer keeps the dead from its parent, as a hung system call would:
    the reply comes all the same, and the supervisor does not spin."""
    times = []
    with Service("--workers", "8") as service, Peer(service) as peer:
        for _ in range(run.pick(1, 50)):
            accepted = peer.submit("f", limits={"wall_seconds": 1})
            begin = time.monotonic()
            with open(slow, "rb") as file:
                peer.hand_over(accepted, file.fileno())
            number = peer.send("result", job=accepted["job"], wait=True)
            try:
                tracer = watch.Tracer(busy_worker(service))
            except PermissionError:
                run.not_shown("a worker that cannot be reaped",
                              "this user may not trace it")
                return
            reply = peer.receive(number, 20)
            times.append((time.monotonic() - begin - 1) * 1000)
            run.check(limited(reply, "wall_seconds"), f"{reply}")
            run.check(peer.status()["workers"]["stuck"] == 1, "it is counted")
            used = watch.cpu_ms(service.process.pid)
            # What else is asked of it meanwhile takes little.
            for _ in range(20):
                peer.status()
            spent = watch.cpu_ms(service.process.pid) - used
            run.check(spent <= 100, f"extractd spins: {spent:.0f} ms")
            tracer.let_go()
            eventually("its place is free again", lambda: peer.status()[
                "workers"]["stuck"] == 0)
    late.judge("One that cannot be reaped", "wall_seconds", times)


def ended(service, job):
    """What the log says of a worker that did not end well."""
    line = eventually("an obituary", lambda: re.search(
        rf"event=obituary .*job={job} .*", service.text()))
    return dict(re.findall(r"(\w+)=(\S+)", line[0]))


DEATHS = ((signal.SIGKILL, "WORKER_KILLED", None),
          (signal.SIGTERM, "WORKER_KILLED", None),
          (signal.SIGSEGV, "WORKER_CRASHED", signal.SIGSEGV),
          (signal.SIGABRT, "WORKER_CRASHED", signal.SIGABRT),
          (signal.SIGBUS, "WORKER_CRASHED", signal.SIGBUS))


def deaths(run, slow):
    """A signal from outside, and what is told."""
    with Service("--workers", "1") as service, Peer(service) as peer:
        for number, code, told in DEATHS:
            job = peer.start(slow)
            pid = busy_worker(service)
            used, peak = watch.cpu_ms(pid), watch.peak(pid)
            kill(pid, number)
            error = peer.result(job)["error"]
            run.check(error["code"] == code, f"signal {number}: {error}")
            run.check(told is None or error["signal"] == told, f"{error}")
            line = ended(service, job)
            run.check(int(line["cpu_ms"]) >= used - 10, f"{line}, {used}")
            run.check(int(line["peak_rss_bytes"]) >= peak, f"{line}, {peak}")
            peer.doors.pop(job).close()
    run.figure("Deaths by a signal from outside, told as what they were",
               len(DEATHS))


def truth(run):
    """Processor time and peak of good jobs, seen by a tracer at their end."""
    gap_ms = gap_bytes = 0
    slow = str(slow_file(run.folder, 1, "second.cpuprofile"))
    rounds = run.pick(1, 20)
    with Service("--workers", "1") as service, Peer(service) as peer:
        for i in range(rounds):
            job = peer.start(slow)
            try:
                tracer = watch.Tracer(busy_worker(service))
            except PermissionError:
                run.not_shown("processor time and peak against the kernel's",
                              "this user may not trace the worker")
                return
            seen = tracer.at_exit()
            tracer.let_go()
            reply = peer.result(job)
            run.check(reply["type"] == "result" and seen is not None,
                      f"round {i}: {reply}")
            told = reply["result"]["run"]
            gap_ms = max(gap_ms, abs(told["cpu_ms"] - seen[1]))
            # Never less than the kernel's peak; extractd's own is the floor.
            floor = max(seen[0], watch.peak(service.process.pid))
            gap_bytes = max(gap_bytes, abs(told["peak_rss_bytes"] - floor))
            peer.doors.pop(job).close()
    run.check(gap_ms <= 30, f"processor time differs by {gap_ms:.0f} ms")
    run.check(gap_bytes <= 1 << 20, f"the peak differs by {gap_bytes}")
    run.figure("cpu_ms against the kernel's at the worker's end",
               f"within {gap_ms:.0f} ms, {rounds} jobs")
    run.figure("peak_rss_bytes against the kernel's",
               f"within {gap_bytes >> 10} KiB")


def prove(run):
    late = Late(run)
    slow = str(slow_file(run.folder))
    wall_and_stall(run, late)
    processor_time(run, late, slow)
    unreaped(run, late, slow)
    deaths(run, slow)
    truth(run)
    run.not_shown("the kernel's memory killer as a cause of death",
                  "it would need a memory cgroup of the test's own; it "
                  "comes as SIGKILL, which is shown")
