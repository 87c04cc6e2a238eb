"""Runs of whole processes, on one core, with the file in the page cache."""
import os
import re
import shutil
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
            command, stdout=out, stderr=errors,
            preexec_fn=lambda: os.sched_setaffinity(0, core))
        self.why = None
        try:
            usage = self._wait(child, patience)
        except TimeoutError:
            child.kill()
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = -9
            self.why = f"> {patience} s"
        self.seconds = time.monotonic() - began
        self.peak_kib = usage.ru_maxrss
        out.seek(0)
        errors.seek(0)
        self.out, self.errors = out.read(), errors.read()
        if child.returncode != 0 and self.why is None:
            self.why = self._died(child.returncode)

    @staticmethod
    def _wait(child, patience):
        deadline = None if patience is None else time.monotonic() + patience
        while True:
            flags = 0 if deadline is None else os.WNOHANG
            pid, status, usage = os.wait4(child.pid, flags)
            if pid != 0:
                child.returncode = os.waitstatus_to_exitcode(status)
                return usage
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(0.001)

    def _died(self, code):
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
    """A warm service of our own."""

    def __init__(self, workers=1):
        self.workers = str(workers)

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="extractd-bench.")
        lifeline, self.keep = os.pipe()
        ready, told = os.pipe()
        self.child = subprocess.Popen(
            [program("extractd"), "--runtime-dir", self.folder + "/run",
             "--lifeline-fd", str(lifeline), "--ready-fd", str(told),
             "--workers", self.workers],
            pass_fds=(lifeline, told), stderr=subprocess.DEVNULL)
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
        front = subprocess.run(["pgrep", "-P", str(self.child.pid), "-x",
                                "extractd-front"], capture_output=True,
                               text=True, check=True)
        return [self.child.pid, int(front.stdout)]


def processor_seconds(pid):
    """What the process has used so far, to a hundredth."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
