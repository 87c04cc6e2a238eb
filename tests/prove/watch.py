"""Looks at a process from outside, by the kernel's own words, and stops it at
the very end of its life: by /proc, and by ptrace where one may."""

import ctypes
import os
import pathlib
import signal

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p,
                         ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long
_CONT, _DETACH, _SEIZE = 7, 17, 0x4206
_TRACE_EXIT, _EVENT_EXIT = 0x40, 6


def _ptrace(request, pid, data):
    if _libc.ptrace(request, pid, None, ctypes.c_void_p(data)) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def field(pid, name):
    """A field of /proc/PID/status in bytes; None when there is none."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except (OSError, ProcessLookupError):
        return None
    for line in text.splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return None


def limits(pid):
    """/proc/PID/limits; empty when it is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/limits").read_text()
    except (OSError, ProcessLookupError):
        return ""


def rss(pid):
    return field(pid, "VmRSS")


def peak(pid):
    return field(pid, "VmHWM")


def stat(pid):
    """The fields of /proc/PID/stat behind the program's name."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    return text[text.rindex(")") + 2:].split()


def state(pid):
    try:
        return stat(pid)[0]
    except (OSError, ProcessLookupError):
        return None


def cpu_ms(pid):
    """Processor time so far, in steps of a clock tick."""
    user, system = stat(pid)[11:13]
    return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")


def descriptors(pid):
    """How many it has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


class Tracer:
    """Holds a process by ptrace, from the thread that made this on.

    With its end in sight it stops once more, with its memory still there; and
    its parent cannot reap it before the tracer lets go. PermissionError where
    this user may not trace it."""

    def __init__(self, pid):
        self.pid = pid
        _ptrace(_SEIZE, pid, _TRACE_EXIT)

    def at_exit(self):
        """Waits until it is about to end and looks: (peak bytes, cpu ms).
        None when it was killed without that stop."""
        while True:
            _, status = os.waitpid(self.pid, 0)
            if not os.WIFSTOPPED(status):
                return None
            if status >> 16 == _EVENT_EXIT:
                seen = peak(self.pid), cpu_ms(self.pid)
                _ptrace(_CONT, self.pid, 0)
                return seen
            number = os.WSTOPSIG(status)
            if status >> 16 or number == signal.SIGTRAP:
                number = 0
            _ptrace(_CONT, self.pid, number)

    def let_go(self):
        """Waits for its end, after which its parent can reap it."""
        while True:
            try:
                _, status = os.waitpid(self.pid, 0)
            except ChildProcessError:
                return
            if not os.WIFSTOPPED(status):
                return
            _ptrace(_CONT, self.pid, 0)
