"""Every call that may fail fails once, in each program on a job's way: each
job that was accepted has one final reply, what is refused says why, and no
process but the one that it failed in ends; extractd never does."""

import collections
import errno
import json
import os
import re
import signal
import subprocess
import time

import fault_plan
from harness import BUILD, Peer, eventually, gone, profile, without_run

PATIENCE_S = 20
# The client gives up a service that is silent for a minute.
CLIENT_S = 90
ASK_AGAIN_S = 0.5
# So many failures a program a small run tries, and so many a command of the
# client. A front that dies again and again comes back once a second.
SMALL = {"extractd": 40, "front": 8}
SMALL_CLIENT = 3
NAMES = {"extractd": "extractd", "front": "extractd-front"}

# What a job may end with when a call of the service failed on its way. To the
# front an end of file says that a worker ended without an answer.
ENDS = {"FRONT_LOST", "INTERNAL_ERROR", "WORKER_START_FAILED", "BUSY",
        "WORKER_KILLED", "RESULT_EXPIRED", "CANCELLED", "BAD_REPLY"}
# To extractd these say that the other end of a line is no more: then a front
# is replaced.
OTHER_IS_GONE = (fault_plan.END, errno.EPIPE, errno.ECONNRESET)
# abort() is how libzmq ends, and ours does; SIGKILL is extractd's.
CRASH = re.compile(r"event=front_ended .*signal=(?!0 |6 |9 )")
ALWAYS = {("recvmsg", fault_plan.NO_PLACE), ("pidfd_open", errno.EMFILE)}
# The client's own, beside those of errors: docs/ERRORS.md.
STATUSES = {0, 1, 2, 3, 5, 7, 8, 70}


class Asking(Peer):
    """A client that asks again soon."""

    def insist(self, op, **fields):
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            reply = self.receive(self.send(op, **fields), ASK_AGAIN_S)
            if reply is not None:
                return reply
        raise AssertionError(f"no reply to {op}:\n{self.service.text()}")

    def job(self, path, **options):
        """The final reply to a job, or the refusal."""
        accepted = self.insist("submit", name="small", options=options)
        if accepted["type"] != "accepted":
            return accepted
        with open(path, "rb") as file:
            self.hand_over(accepted, file.fileno())
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            number = self.send("result", job=accepted["job"], wait=True)
            reply = self.receive(number, ASK_AGAIN_S)
            if reply is not None:
                return reply
        raise AssertionError(f"no result:\n{self.service.text()}")


def service_way(service, path):
    """A job to its end, a detached one, a cancelled one, and questions; the
    replies to the jobs."""
    with Asking(service) as peer:
        first = peer.job(path)
        detached = peer.job(path, detach=True)
        for reply in first, detached:
            if reply["type"] == "result":
                again = peer.insist("result", job=reply["job"])
                yield reply, again
                peer.insist("ack", job=reply["job"])
            else:
                yield reply, None
        accepted = peer.insist("submit", name="never", options={})
        if accepted["type"] == "accepted":
            peer.insist("cancel", job=accepted["job"])
        peer.insist("status")
        peer.insist("jobs")


def ways(counts, most):
    """(call, how, at) of all places, or so many of them, evenly spread, and
    those that are worth a test each time."""
    found = [(call, how, at) for call, count in counts.items()
             for how in fault_plan.HOWS[call] for at in range(1, count + 1)]
    if most is None:
        return found
    # A ticket that was lost with a front takes its ten seconds.
    quick = [way for way in found if way[1] not in OTHER_IS_GONE]
    spread = {quick[i * len(quick) // most] for i in range(most)}
    return [way for way in quick if way in spread or way[:2] in ALWAYS]


class Walk:
    """Through all places where calls of one program fail."""

    def __init__(self, run, service, plans, path):
        self.run, self.service, self.plans = run, service, plans
        self.path = path
        with Peer(service) as peer:
            self.right = without_run(peer.result(peer.start(path))["result"])
        self.ends = collections.Counter()
        self.tried = collections.Counter()

    def judge(self, what, replies):
        for reply, again in replies:
            if reply["type"] == "result":
                self.run.check(without_run(reply["result"])["rows"] ==
                               self.right["rows"], f"{what}: other rows")
                if again["type"] == "result":
                    self.run.check(reply["result"] == again["result"],
                                   f"{what}: two different replies")
                else:
                    self.ends[f"again {again['error']['code']}"] += 1
                self.ends["result"] += 1
            else:
                error = reply["error"]
                self.run.check(error["code"] in ENDS, f"{what}: {error}")
                self.ends[error["code"]] += 1

    def one(self, program, call, how, at, more=0):
        """One place in extractd or the front."""
        what = (f"{program}: {call} {at} fails with "
                f"{fault_plan.way(how)}" + (f" and {more} more" if more
                                            else ""))
        plan = self.plans[program]
        fronts = self.service.pids("extractd-front")
        plan.arm(call, at, how, more)
        try:
            self.judge(what, list(service_way(self.service, self.path)))
        except AssertionError as error:
            self.run.check(False, f"{what}: {error}")
        finally:
            plan.disarm()
        self.run.check(not gone(self.service.process.pid),
                       f"{what}: extractd ended:\n{self.service.text()}")
        self.tried[program] += plan.failed() > 0
        if self.service.pids("extractd-front") != fronts:
            self.run.check(program == "front" or how in OTHER_IS_GONE,
                           f"{what}: the front ended")
            self.ends["front replaced"] += 1

    def count(self, program):
        plan = self.plans[program]
        plan.arm()
        self.judge("undisturbed", list(service_way(self.service, self.path)))
        plan.disarm()
        return plan.counts()

    def program(self, program, most, only=()):
        for call, how, at in ways(self.count(program), most):
            if not only or call in only:
                self.one(program, call, how, at)
        self.judge(f"{program}, after all",
                   list(service_way(self.service, self.path)))
        self.run.check(not CRASH.search(self.service.text()),
                       f"a front crashed:\n{self.service.text()}")


class Client:
    """extract-client, with the faults in it: commands, to their ends."""

    def __init__(self, run, service, plan, path):
        self.run, self.service, self.plan = run, service, plan
        self.path = path
        self.tmp = run.folder / "tmp"
        self.tmp.mkdir()
        self.out = run.folder / "out" / "result"
        self.out.parent.mkdir()
        self.out.write_text("")
        self.before = self.left()
        self.tried = 0
        self.ends = collections.Counter()

    def ended(self, arguments, stdin):
        done = subprocess.run(
            [BUILD / "extract-client", *map(str, arguments)],
            env=dict(self.plan.environment("extract-client"),
                     TMPDIR=str(self.tmp),
                     XDG_RUNTIME_DIR=str(self.tmp)),
            input=stdin, capture_output=True, timeout=CLIENT_S,
            check=False)
        self.plan.disarm()
        return done

    def commands(self):
        """(arguments, standard input)"""
        where = "--endpoint", self.service.endpoint
        with Asking(self.service) as peer:
            kept = peer.job(self.path, detach=True)["job"]
        json_out = "--output", "json"
        return [
            (("submit", *json_out, self.path, *where), b""),
            (("submit", self.path, self.path, *where), b""),
            (("submit", *json_out, "-", *where), self.path.read_bytes()),
            (("submit", "-o", self.out, self.path, *where),
             b""),
            (("submit", "--detach", self.path, *where), b""),
            (("result", "--output", "csv", kept, *where), b""),
            (("cancel", kept, *where), b""),
            (("status", *where), b""),
            (("jobs", *where), b""),
            (("submit", *json_out, "--embedded", self.path), b""),
        ]

    def judge(self, what, done, right, pipe_gone):
        """It says what is wrong, and ends as it is documented to; when its
        reader is gone, silently by SIGPIPE."""
        if pipe_gone and done.returncode == -signal.SIGPIPE:
            self.ends["SIGPIPE"] += 1
            return
        self.run.check(done.returncode in STATUSES,
                       f"{what}: status {done.returncode}: {done.stderr}")
        self.ends[done.returncode] += 1
        if done.returncode == 0:
            self.run.check(bool(done.stdout) == bool(right.stdout),
                           f"{what}: other output: {done.stdout}")
        else:
            self.run.check(done.stderr + done.stdout != b"",
                           f"{what}: {done.returncode} without a word")
        # a private service that lost its client takes its folder along
        eventually(f"{what}: {done.stderr}: nothing is left",
                   lambda: self.left() == self.before)

    def left(self):
        """What lies where drafts, copies and private services are made."""
        return set(os.listdir(self.tmp)) | set(os.listdir(self.out.parent))

    def walk(self, most, only=()):
        for index, (arguments, stdin) in enumerate(self.commands()):
            self.plan.arm()
            right = self.ended(arguments, stdin)
            self.run.check(right.returncode == 0, f"{right.stderr}")
            for call, how, at in ways(self.plan.counts(), most):
                if not only or call in only:
                    self.one(arguments, stdin, right, call, how, at)
            if index == 0 and most is not None:
                self.some_memory(arguments, stdin, right)

    def some_memory(self, arguments, stdin, right):
        for at in range(1, 200, 4):
            self.one(arguments, stdin, right, "memory", errno.ENOMEM, at)

    def one(self, arguments, stdin, right, call, how, at):
        what = (f"client {' '.join(map(str, arguments))}: {call} {at} fails "
                f"with {fault_plan.way(how)}")
        self.plan.arm(call, at, how)
        try:
            self.judge(what, self.ended(arguments, stdin), right,
                       call == "write" and how == errno.EPIPE)
        except subprocess.TimeoutExpired:
            self.run.check(False, f"{what}: it does not end")
        self.tried += self.plan.failed() > 0


def named(ends):
    return ", ".join(f"{what} {count}" for what, count
                     in sorted(ends.items(), key=lambda e: str(e[0])))


def prove(run):
    path = profile(run.folder)
    with fault_plan.staged(run.folder, "--workers", "2") as (service, plans):
        walk = Walk(run, service, plans, path)
        for program in SMALL:
            walk.ends.clear()
            walk.program(program, run.pick(SMALL[program], None))
            run.figure(f"Calls that failed in {NAMES[program]}",
                       walk.tried[program])
            run.figure("What jobs ended with", named(walk.ends))
        client = Client(run, service, plans["client"], path)
        client.walk(run.pick(SMALL_CLIENT, None))
        run.figure("Calls that failed in extract-client", client.tried)
        run.figure("Its exit statuses", named(client.ends))
        with Peer(service) as peer:
            run.check(peer.status()["queue"]["queued"] == 0, "jobs are left")
