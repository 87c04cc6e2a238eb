"""A client's ledger: what was accepted, and what each job was answered."""

import re
import time

import hostile

# The only part of a result that differs from run to run.
_RUN = re.compile(rb'"run": ?\{[^{}]*\}')
_JOB = re.compile(rb'j-[0-9a-f]{16}')
# In an error it is null where an earlier front read the worker's PROGRESS.
_BYTES = re.compile(rb'"bytes":(null|[0-9]+)')


def essence(raw):
    """A final reply's bytes without its envelope, `run` and job ids; of an
    error also without the size of its file."""
    for key in (b'"result": {', b'"result":{', b'"error": {', b'"error":{'):
        at = raw.find(key)
        if at >= 0:
            bare = _JOB.sub(b"", _RUN.sub(b"", raw[at:]))
            if b"error" in key:
                bare = _BYTES.sub(b"", bare)
            return bare
    raise AssertionError(f"no final reply: {raw[:200]}")


class Ledger:
    """Jobs by their ids. A fault is a sentence; none may be left over."""

    def __init__(self, expected=None):
        """expected: essence of each file's undisturbed reply, when known."""
        self.expected = expected
        self.accepted = {}   # job: file
        self.times = {}      # job: [accepted, answered], by the clock
        self.finals = {}     # job: (outcome, the reply's bytes)
        self.given_up = set()  # jobs that their client has cancelled
        self.counts = {}
        self.equal = 0       # replies equal to the undisturbed one
        self.faults = []

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def accept(self, job, path):
        if job in self.accepted:
            self.faults.append(f"{job} was accepted twice")
        self.accepted[job] = path
        self.times[job] = [time.monotonic(), None]

    def final(self, job, reply, raw):
        """True for the first final reply of that job."""
        if job not in self.accepted:
            self.faults.append(f"{job} was answered, never accepted")
            return False
        before = self.finals.get(job)
        if before is not None:
            self.count("answered again, the same")
            if before[1] != hash(raw):
                self.faults.append(f"{job}: {before[0]}, then {raw[:300]}")
            return False
        outcome = hostile.outcome(reply)
        self.finals[job] = (outcome, hash(raw))
        self.times[job][1] = time.monotonic()
        self._judge(job, outcome, raw)
        return True

    def _judge(self, job, outcome, raw):
        path = self.accepted[job]
        code = outcome if outcome == hostile.OK else outcome[0]
        self.count(code)
        if code in ("WORKER_KILLED", "FRONT_LOST"):
            return
        if code == "CANCELLED" and job in self.given_up:
            return
        if self.expected is None:
            return
        if essence(raw) == self.expected[path]:
            self.equal += 1
        else:
            self.faults.append(f"{path}: {raw[:900]}")

    def answered(self, code):
        """(job, accepted, answered) of those that were told so."""
        return [(job, *self.times[job])
                for job, (outcome, _) in self.finals.items()
                if outcome != hostile.OK and outcome[0] == code]

    def unanswered(self):
        return [job for job in self.accepted if job not in self.finals]
