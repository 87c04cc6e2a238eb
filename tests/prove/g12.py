"""G12: whatever comes through the door instead of a file ends its job with a
named error, in time, and leaves no descriptor with anybody."""

import contextlib
import ctypes
import os
import socket
import tempfile
import time

import watch
from harness import Peer, Service, eventually, profile

# From the descriptor to the error. A loaded machine of tests gets more.
IN_TIME_S = 1.0
TICKET_S = 10.0  # how long a ticket is good
KIND = "INPUT_KIND"


def pair():
    """One end of a connected pair; the other is kept open with it."""
    mine, other = socket.socketpair()
    return mine.detach(), other.detach()


def fifo(folder):
    path = os.path.join(folder, "fifo")
    if not os.path.exists(path):
        os.mkfifo(path)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)


def listening(kind, address):
    s = socket.socket(kind, socket.SOCK_STREAM)
    s.bind(address)
    s.listen()
    return s.detach()


def memfd(content):
    fd = os.memfd_create("profile")
    os.write(fd, content)
    return fd


def deleted(content):
    """A file that has no name any more."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        return os.dup(file.fileno())


def eventfd():
    return ctypes.CDLL(None, use_errno=True).eventfd(1, os.O_CLOEXEC)


def epollfd():
    return ctypes.CDLL(None, use_errno=True).epoll_create1(os.O_CLOEXEC)


def kinds(folder, path):
    """Name, descriptors to open and close, what is right."""
    with open(path, "rb") as file:
        good = file.read()

    def of(name, flags=os.O_RDONLY):
        return lambda: (os.open(name, flags),)

    regular = {(KIND, "not_regular")}
    shut = {(KIND, "not_readable")}
    either = regular | shut
    return [
        ("folder", of(folder, os.O_RDONLY | os.O_DIRECTORY), regular),
        ("/dev/zero", of("/dev/zero"), regular),
        ("/dev/null", of("/dev/null"), regular),
        ("/dev/full", of("/dev/full"), regular),
        ("/dev/urandom", of("/dev/urandom"), regular),
        ("fifo", lambda: (fifo(folder),), regular),
        ("pipe", os.pipe, regular),
        ("socket", pair, regular),
        ("tcp", lambda: (listening(socket.AF_INET, ("127.0.0.1", 0)),),
         regular),
        ("epoll", lambda: (epollfd(),), regular),
        ("eventfd", lambda: (eventfd(),), regular),
        ("pidfd", lambda: (os.pidfd_open(os.getpid()),), either),
        ("terminal", os.openpty, regular),
        ("path of a file", of(path, os.O_PATH), either),
        ("path of a folder", of(folder, os.O_PATH), either),
        ("write only", of(path, os.O_WRONLY), shut),
        # Regular files, however odd: nothing in them, or a profile.
        ("procfs", of("/proc/self/status"), {("EMPTY_INPUT", None)}),
        ("sysfs", of("/sys/kernel/mm/transparent_hugepage/enabled"), {
            ("EMPTY_INPUT", None), ("UNSUPPORTED_FORMAT",
                                    "unrecognized_layout"),
            ("ARTIFACT_CHANGED", "changed_while_read")}),
        ("memfd", lambda: (memfd(good),), {"ok"}),
        ("empty memfd", lambda: (memfd(b""),), {("EMPTY_INPUT", None)}),
        ("deleted file", lambda: (deleted(good),), {"ok"}),
        ("read and write", of(path, os.O_RDWR), {"ok"}),
    ]


def say(reply):
    if reply["type"] == "result":
        return "ok"
    return reply["error"]["code"], reply["error"]["reason"]


class Doors:
    """Sends through doors what should not come, and times the answers."""

    def __init__(self, run, service, peer):
        self.run, self.service, self.peer = run, service, peer
        self.worst_s = 0.0
        self.jobs = 0

    def answer(self, name, accepted, expected, begin):
        reply = self.peer.result(accepted["job"])
        took = time.monotonic() - begin
        self.run.check(say(reply) in expected, f"{name}: {say(reply)}")
        self.run.check(took < self.limit(), f"{name}: after {took:.2f} s")
        self.worst_s = max(self.worst_s, took)
        self.jobs += 1
        self.peer.doors.pop(accepted["job"]).close()

    def limit(self):
        return self.run.pick(4, 1) * IN_TIME_S

    def send(self, name, parts, expected):
        """parts(): what is sent once the ticket was shown, record by record,
        as (bytes, descriptors)."""
        accepted = self.peer.submit(name)
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        door.connect(accepted["door"])
        self.peer.doors[accepted["job"]] = door
        begin = time.monotonic()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            door.send(bytes.fromhex(accepted["ticket"]))
            for data, fds in parts:
                socket.send_fds(door, [data], list(fds))
        self.answer(name, accepted, expected, begin)

    def kind(self, name, opened, expected):
        fds = opened()
        try:
            self.send(name, [(b"F", fds[:1])], expected)
        finally:
            for fd in fds:
                os.close(fd)

    def wrong_ways(self, path):
        """A good file, sent as nobody should."""
        none = {(KIND, "no_descriptor")}
        fd = os.open(path, os.O_RDONLY)
        many = [os.dup(fd) for _ in range(250)]
        try:
            self.send("no descriptor", [(b"F", ())], none)
            self.send("another byte", [(b"G", (fd,))], none)
            self.send("two bytes", [(b"FF", (fd,))], none)
            self.send("many bytes", [(b"F" * 30000, (fd,))], none)
            self.send("two at once", [(b"F", (fd, fd))], none | {"ok"})
            self.send("250 at once", [(b"F", many)], none | {"ok"})
            self.send("the file again", [(b"F", (fd,))] * 20, {"ok"})
            self.send("250 more behind", [(b"F", (fd,)), (b"F", many)],
                      {"ok"})
        finally:
            for each in (fd, *many):
                os.close(each)

    def with_the_ticket(self, path):
        """A descriptor that rides on the ticket ends the connection; nobody
        comes with the ticket, so the job ends when that has run out."""
        accepted = self.peer.submit("with the ticket")
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
            door.connect(accepted["door"])
            with open(path, "rb") as file:
                socket.send_fds(door, [bytes.fromhex(accepted["ticket"])],
                                [file.fileno()] * 3)
            door.settimeout(self.limit())
            with contextlib.suppress(ConnectionResetError):
                self.run.check(door.recv(1) == b"",
                               "a descriptor with the ticket is refused")
        return accepted["job"]


def counts(service):
    """Open descriptors of supervisor and front."""
    pids = [service.process.pid, service.front()]
    return [watch.descriptors(pid) for pid in pids]


def no_more(now, before):
    return all(a <= b for a, b in zip(now, before))


def quiet(service, peer):
    """The counts once no job is left and a worker is warm again."""
    def settled():
        workers = peer.status()["workers"]
        return workers["busy"] == 0 and workers["starting"] == 0 and (
            workers["warm"] > 0)
    eventually("no job is left", settled)
    return counts(service)


def tickets_unused(run, peer, jobs, begin):
    for job in jobs:
        reply = peer.result(job)
        run.check(say(reply) == ("CANCELLED", "ticket_expired"),
                  f"a ticket not used: {say(reply)}")
    took = time.monotonic() - begin
    run.check(took < TICKET_S + run.pick(8, 2), f"after {took:.1f} s")
    run.figure("A ticket with which nobody comes ends after", f"{took:.1f} s")


def prove(run):
    path = str(profile(run.folder))
    table = kinds(str(run.folder), path)
    with Service("--workers", "2") as service, Peer(service) as peer:
        doors = Doors(run, service, peer)
        begin = time.monotonic()
        unused = [peer.submit("never shown")["job"],
                  doors.with_the_ticket(path)]
        doors.kind(*table[0])
        before = quiet(service, peer)
        rounds = run.pick(3, 100)
        for _ in range(rounds):
            for kind in table:
                doors.kind(*kind)
            doors.wrong_ways(path)
        tickets_unused(run, peer, unused, begin)
        doors.kind("good", lambda: (os.open(path, os.O_RDONLY),), {"ok"})
        eventually("no descriptor is left over",
                   lambda: no_more(quiet(service, peer), before))
        run.check(service.process.poll() is None, "extractd lives")
    run.figure("Kinds of descriptors, and ways to send one",
               f"{len(table)} and 9, {rounds} times: {doors.jobs} jobs")
    run.figure("Longest from the descriptor to the reply",
               f"{doors.worst_s * 1000:.0f} ms")
    run.figure("Descriptors of extractd and front, before and after",
               f"{before[0]} and {before[1]}; no more")
