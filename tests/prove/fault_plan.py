"""Plans of which call fails, shared with the programs that run by them; see
tests/fault/calls/calls.c for what they mean there."""

import contextlib
import errno
import mmap
import os
import shutil
import struct

from harness import BUILD, DATA, Service

CALLS = ("memory", "read", "write", "poll", "ppoll", "epoll_wait", "recv",
         "send", "recvmsg", "sendmsg", "accept", "connect", "socket", "fcntl",
         "open", "pipe", "clone", "waitid", "execveat", "epoll_create",
         "eventfd", "thread", "pidfd_open")
SHORT, END, NO_PLACE, NOTHING = -1, -2, -3, -4
WAYS = {SHORT: "short", END: "end", NO_PLACE: "no place", NOTHING: "nothing"}

FULL = ("EMFILE", "ENFILE", "ENOMEM")
# What each may fail with, after the kernel's own manual. Not a send that
# finds the other end gone: of that a reader hears, too, and libzmq waits for
# it.
HOWS = {call: [getattr(errno, name) if isinstance(name, str) else name
               for name in names] for call, names in {
    "memory": ("ENOMEM",),
    "read": ("EINTR", "EAGAIN", "EIO", SHORT),
    "write": ("EINTR", "EAGAIN", "ENOSPC", "EPIPE", SHORT),
    "poll": ("EINTR", "ENOMEM", NOTHING),
    "ppoll": ("EINTR", "ENOMEM"),
    "epoll_wait": ("EINTR",),
    "recv": ("EINTR", "EAGAIN", "ECONNRESET", "ENOMEM", SHORT),
    "send": ("EINTR", "EAGAIN", SHORT),
    "recvmsg": ("EINTR", "EAGAIN", "ENOBUFS", "ENOMEM", "ECONNRESET", END,
                NO_PLACE),
    "sendmsg": ("EINTR", "EAGAIN", "ENOBUFS", "ENOMEM", "ETOOMANYREFS",
                "EPIPE", "ECONNRESET"),
    "accept": ("EINTR", "EAGAIN", "ECONNABORTED", "ENOBUFS", *FULL),
    "connect": ("EINTR", "EAGAIN", "ECONNREFUSED"),
    "socket": ("ENOBUFS", *FULL),
    "fcntl": ("EINTR", "EMFILE"),
    "open": ("EINTR", *FULL),
    "pipe": ("EMFILE", "ENFILE"),
    "clone": ("EAGAIN", "ENOMEM"),
    "waitid": ("EINTR",),
    "execveat": ("ENOMEM", "EAGAIN", "EMFILE"),
    "epoll_create": FULL,
    "eventfd": FULL,
    "thread": ("EAGAIN",),
    "pidfd_open": FULL,
}.items()}

_HEAD = struct.Struct("=IIQQiI")
_SIZE = _HEAD.size + 8 * len(CALLS)


def way(how):
    return WAYS[how] if how < 0 else errno.errorcode[how]


class Plan:
    """One program's."""

    def __init__(self, path):
        self.path = path
        path.write_bytes(bytes(_SIZE))
        path.chmod(0o666)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), _SIZE)

    def arm(self, call=CALLS[0], at=0, how=0, more=0):
        """at 0: only counts. Disarmed while it is written."""
        self.disarm()
        self.memory[:_SIZE] = bytes(_SIZE)
        _HEAD.pack_into(self.memory, 0, 0, CALLS.index(call), at, more, how,
                        0)
        struct.pack_into("=I", self.memory, 0, 1)

    def disarm(self):
        struct.pack_into("=I", self.memory, 0, 0)

    def failed(self):
        return _HEAD.unpack_from(self.memory)[5]

    def counts(self):
        numbers = struct.unpack_from(f"={len(CALLS)}Q", self.memory,
                                     _HEAD.size)
        return {c: n for c, n in zip(CALLS, numbers) if n > 0}

    def environment(self, program):
        return dict(os.environ, FAULT_PLAN=str(self.path),
                    FAULT_PROGRAM=program,
                    LD_PRELOAD=str(BUILD / "fault" / "calls.so"))


@contextlib.contextmanager
def staged(folder, *options):
    """A service of which extractd and its front run by plans: (service,
    plans by program)."""
    libexec = folder / "libexec"
    (libexec / "real").mkdir(parents=True)
    shutil.copy(BUILD / "extract-worker", libexec)
    shutil.copy(BUILD / "extractd-front", libexec / "real")
    shutil.copy(BUILD / "fault" / "fault-front", libexec / "extractd-front")
    shutil.copy(BUILD / "fault" / "calls.so", libexec)
    plans = {"extractd": Plan(folder / "extractd.plan"),
             "front": Plan(libexec / "front.plan"),
             "client": Plan(folder / "client.plan")}
    with Service("--libexec-dir", str(libexec), *options,
                 env=plans["extractd"].environment("extractd")) as service:
        yield service, plans
