"""What a proof is given: its size, where to write, and a place for figures.

A proof is a module gNN.py with a function prove(run). It raises Failed (by
run.check) when the guarantee does not hold, and leaves the figures that it
measured. It never sleeps to wait; the harness of the stories waits on events.
"""

import contextlib
import os
import pathlib
import platform
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
# The harness of the stories, and the independent reader, by their names.
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parent / "reference")]


class Failed(AssertionError):
    """The guarantee does not hold."""


class Run:
    """One proof's run, at one of two sizes."""

    def __init__(self, name, full):
        self.name = name
        self.full = full
        self.figures = []    # (what, value as text)
        self.missing = []    # (what, why): could not be shown here
        self._folder = None

    def pick(self, small, full):
        """A size: the one for the tests, or the whole one."""
        return full if self.full else small

    def check(self, holds, text):
        if not holds:
            raise Failed(f"{self.name}: {text}")

    def figure(self, what, value):
        self.figures.append((what, str(value)))
        self.say(f"{what}: {value}")

    def not_shown(self, what, why):
        """A part that cannot be run on this machine, by name."""
        self.missing.append((what, why))
        self.say(f"not shown: {what} ({why})")

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    @property
    def folder(self):
        """An empty folder of the proof's own, that all may enter."""
        if self._folder is None:
            self._folder = pathlib.Path(
                tempfile.mkdtemp(prefix=f"extractd-{self.name}."))
            self._folder.chmod(0o755)
        return self._folder

    def close(self):
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def quantile(values, q):
    """The value that so large a part of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def build(preset):
    """The folder of another build (`asan`), or None when it is not there."""
    folder = os.environ.get(f"EXTRACTD_{preset.upper()}_BUILD")
    folder = pathlib.Path(folder) if folder else SOURCE / "build" / preset
    return folder if folder.is_dir() else None


def machine():
    """This machine in general words."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    system = "Linux"
    with contextlib.suppress(OSError):
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    who = "root" if os.geteuid() == 0 else "an ordinary user"
    release = platform.release().split("-")[0]
    return (f"{platform.machine()}, {os.cpu_count()} cores, "
            f"{pages / 2**30:.0f} GiB, {system}, Linux {release}, as {who}")
