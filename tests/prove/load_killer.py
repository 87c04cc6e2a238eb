"""Kills workers at random, at a steady pace, and the front now and then."""

import contextlib
import os
import random
import signal
import threading
import time

from harness import children


class Killer(threading.Thread):
    """One random worker each period, until stop()."""

    def __init__(self, service, period_s=0.05, seed=1):
        super().__init__(daemon=True)
        self.service = service
        self.period_s = period_s
        self.chance = random.Random(seed)
        self.over = threading.Event()
        self.killed = 0
        self.fronts = 0
        self.front_killed = []  # when, by the clock

    def run(self):
        while not self.over.wait(self.period_s):
            workers = self.service.workers()
            if workers:
                self.killed += strike(self.service.process.pid,
                                      self.chance.choice(workers),
                                      "extract-worker")

    def kill_front(self):
        """Kills the front, and sees that there will be another one."""
        now = time.monotonic()
        if strike(self.service.process.pid, self.service.front(),
                  "extractd-front"):
            self.fronts += 1
            self.front_killed.append(now)

    def stop(self):
        self.over.set()
        self.join()


def strike(parent, pid, name):
    """1 when that very process was sent SIGKILL: a number may be another's
    by now, so it is held by a pidfd and looked at before."""
    with contextlib.suppress(OSError, ProcessLookupError):
        held = os.pidfd_open(pid)
        try:
            if pid in children(parent, name):
                signal.pidfd_send_signal(held, signal.SIGKILL)
                return 1
        finally:
            os.close(held)
    return 0
