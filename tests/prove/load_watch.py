"""Looks at a service under attack: its memory, for how long it has no front,
and how long a well-behaved client's jobs take."""

import threading
import time

import harness
import watch


class Watch(threading.Thread):
    """Every 10 ms, until stop(): highest memory, fronts, and gaps between
    one front's end and the next one's start (seconds)."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service = service
        self.pid = service.process.pid
        self.over = threading.Event()
        self.front_bytes = self.extractd_bytes = 0
        self.front_space_bytes = 0
        self.fronts = {service.front()}
        self.gaps = []

    def run(self):
        last, lost = next(iter(self.fronts)), None
        ending = False
        while not ending:
            ending = self.over.wait(0.01)  # and looks once more at the end
            self.extractd_bytes = max(self.extractd_bytes,
                                      watch.rss(self.pid) or 0)
            if watch.rss(last) is None:
                lost = lost or time.monotonic()
                now = self.service.pids("extractd-front")
                if not now:
                    if ending:
                        self.gaps.append(time.monotonic() - lost)
                    continue
                self.gaps.append(time.monotonic() - lost)
                last, lost = now[0], None
                self.fronts.add(last)
            self.front_bytes = max(self.front_bytes, watch.rss(last) or 0)
            self.front_space_bytes = max(self.front_space_bytes,
                                         watch.field(last, "VmPeak") or 0)

    def stop(self):
        self.over.set()
        self.join()


class Good(threading.Thread):
    """A client that sends one small job after the other, until stop().
    `took`: seconds of each from SUBMIT to the reply; `busy`: how often it was
    told BUSY; `failed`: replies that are no result."""

    def __init__(self, service, path):
        super().__init__(daemon=True)
        self.service, self.path = service, path
        self.over = threading.Event()
        self.took, self.failed, self.busy = [], [], 0
        self.error = None

    def run(self):
        try:
            with harness.Peer(self.service) as peer:
                while not self.over.is_set():
                    self._one(peer)
        except Exception as error:  # told by stop()
            self.error = error

    def _one(self, peer):
        start = time.monotonic()
        accepted = peer.submit("good.cpuprofile", rows=5)
        while accepted["type"] != "accepted" and not self.over.is_set():
            self.busy += 1
            self.over.wait(min(accepted["error"]["retry_after_ms"] or 20,
                               100) / 1000)
            accepted = peer.submit("good.cpuprofile", rows=5)
        if accepted["type"] != "accepted":
            self.failed.append(accepted)
            return
        with open(self.path, "rb") as file:
            peer.hand_over(accepted, file.fileno())
        reply = peer.result(accepted["job"])
        peer.doors.pop(accepted["job"]).close()
        peer.ask("ack", job=accepted["job"])
        if reply["type"] == "result":
            self.took.append(time.monotonic() - start)
        elif reply["error"]["code"] == "BUSY":  # its ticket was given away
            self.busy += 1
        elif reply["error"]["code"] != "FRONT_LOST":  # may be sent again
            self.failed.append(reply)

    def meanwhile(self, count=5):
        """Waits until so many more jobs are answered, or it has failed."""
        goal = len(self.took) + count
        harness.eventually("another client's jobs are answered", lambda: (
            len(self.took) >= goal or self.failed or self.error), 40)

    def stop(self):
        """Raises what went wrong in it."""
        self.over.set()
        self.join()
        if self.error is not None:
            raise self.error
