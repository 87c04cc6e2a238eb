"""All that descends from this process, orphans too: they come to it, as they
would come to init, and are reaped by it at once."""

import ctypes
import os
import pathlib
import time

_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    if ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("PR_SET_CHILD_SUBREAPER")


def _table():
    """pid: (parent, state, name) of every process there is."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text()
        except (OSError, ProcessLookupError):
            continue
        state, parent = text[text.rindex(")") + 2:].split()[:2]
        name = text[text.index("(") + 1:text.rindex(")")]
        found[int(entry)] = int(parent), state, name
    return found


def below(pid):
    """pid: (parent, state, name) of what descends from pid, dead or not."""
    table = _table()
    kin, grown = {pid}, True
    while grown:
        more = {p for p, (parent, _, _) in table.items() if parent in kin}
        grown = not more <= kin
        kin |= more
    return {p: table[p] for p in kin - {pid} if p in table}


def bury(children):
    """Reaps the orphans that died; children: pids that others wait for."""
    me = os.getpid()
    for pid, (parent, state, _) in below(me).items():
        if parent == me and state == "Z" and pid not in children:
            os.waitpid(pid, 0)


def gone_after(pids, children, deadline_s):
    """Seconds until none of these is there, dead or not; None: too long.
    New ones below them count as they do."""
    begin = time.monotonic()
    while True:
        bury(children)
        left = left_of(pids, children)
        if not left:
            return time.monotonic() - begin
        if time.monotonic() - begin > deadline_s:
            return None
        time.sleep(0.002)


def left_of(pids, children):
    """Which of pids, or of what came from them, are there, and as what."""
    return {pid: what for pid, what in below(os.getpid()).items()
            if pid not in children and (pid in pids or what[0] in pids
                                        or what[0] == os.getpid())}
