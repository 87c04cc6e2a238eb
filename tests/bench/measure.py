"""Runs of whole processes, on one core, with the file in the page cache."""
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("EXTRACTD_BUILD", "build/release")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def program(name):
    """The path of one of our programs."""
    path = find(name)
    if path is None:
        sys.exit(f"{name} is not built in {BUILD}")
    return path


def find(name):
    for path in (os.path.join(BUILD, name), os.path.join(BUILD, "bench", name)):
        if os.path.exists(path):
            return path
    return None


class Run:
    """What one run came to; why: it gave no answer."""

    def __init__(self, command, core, patience=None):
        began = time.monotonic()
        out, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        child = subprocess.Popen(
            command, stdout=out, stderr=errors, start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, core))
        self.why = None
        if not self._ended(child, patience):
            self.why = f"> {patience:g} s"
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - began
        self.peak_kib = usage.ru_maxrss
        out.seek(0)
        errors.seek(0)
        self.out, self.errors = out.read(), errors.read()
        if child.returncode != 0 and self.why is None:
            self.why = self._died(child.returncode)

    @staticmethod
    def _ended(child, patience):
        """Whether it ended by itself. Else it was killed, with all that it
        started, and so it is when we are interrupted."""
        ended = []
        end = os.pidfd_open(child.pid)
        try:
            ended = select.select([end], [], [], patience)[0]
        finally:
            os.close(end)
            if not ended:
                os.killpg(child.pid, signal.SIGKILL)
        return bool(ended)

    def _died(self, code):
        if code == -signal.SIGKILL:
            return "killed, as when memory runs out"
        text = self.errors.decode(errors="replace")
        for sign, what in (("heap out of memory", "out of memory"),
                           ("MemoryError", "out of memory"),
                           ("bad_alloc", "out of memory"),
                           ("longer than 0x", "string limit"),
                           ("ERR_STRING_TOO_LONG", "string limit"),
                           ("ERR_FS_FILE_TOO_LARGE", "file limit"),
                           ("document that big", "size limit")):
            if sign in text:
                return what
        found = re.findall(r"[^\n]+", text)
        return found[-1][:60] if found else f"exit {code}"


class Service:
    """A warm service of our own, all of it on the cores named."""

    def __init__(self, core):
        self.core = core

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="extractd-bench.")
        lifeline, self.keep = os.pipe()
        ready, told = os.pipe()
        self.child = subprocess.Popen(
            [program("extractd"), "--runtime-dir", self.folder + "/run",
             "--lifeline-fd", str(lifeline), "--ready-fd", str(told),
             "--workers", "1"],
            pass_fds=(lifeline, told), stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, self.core))
        os.close(lifeline)
        os.close(told)
        if os.read(ready, 1) == b"":
            sys.exit("the service did not start")
        self.endpoint = f"ipc://{self.folder}/run/extractd.sock"
        return self

    def __exit__(self, *_):
        os.close(self.keep)
        self.child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def pids(self):
        """extractd and its front."""
        own = self.child.pid
        with open(f"/proc/{own}/task/{own}/children", encoding="ascii") as file:
            children = [int(pid) for pid in file.read().split()]
        return [own] + [pid for pid in children
                        if name_of(pid) == "extractd-front"]


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="ascii") as file:
        return file.read().rstrip("\n")


def processor_seconds(pid):
    """What the process has used so far, all its threads, those that ended
    too. /proc/PID/stat has it in ticks of 10 ms, longer than is asked for
    here; this is the clock that clock_getcpuclockid names."""
    return time.clock_gettime((~pid << 3) | 2)
