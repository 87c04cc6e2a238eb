"""A load while workers and the front are killed: the run of G2 and G3."""

import harness
import load
import load_files
from load_killer import Killer
from load_ledger import Ledger

# A client that was told "accepted" by a front reads that a little later.
FRONT_S = 1.0
SERVICE = ("--workers", "2", "--queue", "128")


class Disturbed:
    """What came of it: ledger, seconds, killer, status, whether it lived."""

    def __init__(self, run, clients, jobs, fronts):
        good, larger, bad = load_files.make(run.folder)
        files = load_files.mixed(good, larger, bad, run.pick(20, 200))
        with harness.Service(*SERVICE) as service:
            expected = load_files.undisturbed(
                service, sorted({*good, *larger, *bad}))
        self.good = {*good, *larger}
        self.ledger = Ledger(expected)
        with harness.Service(*SERVICE) as service:
            self._play(run, service, files, clients, jobs, fronts)

    def _play(self, run, service, files, clients, jobs, fronts):
        self.killer = Killer(service)
        self.killer.start()
        due = [jobs * (i + 1) // (fronts + 1) for i in range(fronts)]

        def told(over):
            if due and over >= due[0]:
                due.pop(0)
                self.killer.kill_front()
            if over % max(jobs // 10, 1) == 0:
                run.say(f"{over} of {jobs} jobs")

        try:
            self.seconds = load.play(service, self.ledger, clients, files,
                                     jobs, told)
        finally:
            self.killer.stop()
        self.alive = service.process.poll() is None
        with harness.Peer(service) as peer:
            self.status = peer.status()

    def counted(self, code):
        return self.ledger.counts.get(code, 0)

    def wrongly_lost(self):
        """Jobs told FRONT_LOST although no front was killed in their time."""
        return [job for job, begin, end in self.ledger.answered("FRONT_LOST")
                if not any(begin - FRONT_S <= killed <= end
                           for killed in self.killer.front_killed)]
