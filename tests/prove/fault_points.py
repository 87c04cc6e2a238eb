"""Random points in the life of a service: some event of its log, or some
process that came up, and a random while after it."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import fault_kin
from harness import BUILD, Peer, eventually, profile, slow_file

# What the log may say, at level debug, and how often to see it first.
EVENTS = ("room_built", "worker_started", "worker_ready", "front_started",
          "part=front", "event=ready ", "job_admitted", "to=queued",
          "to=running", "to=delivering", "to=ended")
LATER_EVENTS = EVENTS[6:]
MOST_TIMES = 8
MOST_LATER_S = 0.02
# The longest that an event is waited for: then the point is right there.
EVENT_S = 1.0


def busy_wait(seconds):
    """A while between two looks; too short for a sleep to be exact."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


class Scene:
    """Folders, files and clients of one point."""

    def __init__(self, folder, stack):
        self.stack = stack
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.folder.chmod(0o755)
        self.runtime = self.folder / "run"
        self.tmp = self.folder / "tmp"
        self.tmp.mkdir()
        self.env = dict(os.environ, TMPDIR=str(self.tmp))
        self.env.pop("XDG_RUNTIME_DIR", None)
        self.env.pop("EXTRACTD_ENDPOINT", None)
        self.small = profile(self.folder)
        self.bad = self.folder / "bad.cpuprofile"
        self.bad.write_text('{"nodes":[{"id":1,,')
        self.slow = folder / "slow.cpuprofile"
        if not self.slow.exists():
            slow_file(folder, 5)
        self.clients, self.pipes = [], []

    def enter(self, what):
        return self.stack.enter_context(what)

    def client(self, *arguments, stdin=subprocess.DEVNULL):
        process = subprocess.Popen(
            [BUILD / "extract-client", *map(str, arguments)], env=self.env,
            stdin=stdin, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.clients.append(process)
        return process

    def spooling(self, *arguments):
        """A client that copies a pipe, which never ends."""
        end, start = os.pipe()
        self.pipes.append(start)
        os.write(start, b'{"nodes":[')
        process = self.client("submit", "-", *arguments, stdin=end)
        os.close(end)
        return process

    def load(self):
        """Jobs of all kinds: many small ones, a bad one, running long ones,
        queued ones, one that spools, one with no file yet."""
        where = "--endpoint", f"ipc://{self.runtime}/extractd.sock"
        eventually("a socket", (self.runtime / "extractd.sock").exists)
        self.client("submit", *[self.small] * 20, self.bad, *where)
        for _ in range(3):
            self.client("submit", self.slow, *where)
        self.spooling(*where)

    def spools(self):
        return [name for name in os.listdir(self.tmp) if "input" in name]

    def answered(self):
        """One small job, with a client of its own."""
        done = subprocess.run(
            [BUILD / "extract-client", "submit", "--output", "json",
             self.small, "--endpoint", f"ipc://{self.runtime}/extractd.sock"],
            env=self.env, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=60, check=False)
        return done.returncode == 0 and json.loads(
            done.stdout)["schema"] == "extractd.result/1"

    def waited_for(self, serving):
        """Children of ours that are no orphans."""
        return {serving.process.pid, *(p.pid for p in self.clients)}

    def kill_clients(self):
        for process in self.clients:
            process.kill()
        for process in self.clients:
            process.wait()
        self.clients.clear()

    def close(self):
        self.kill_clients()
        for pipe in self.pipes:
            os.close(pipe)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def scene(folder):
    with contextlib.ExitStack() as stack:
        here = Scene(folder, stack)
        stack.callback(here.close)
        yield here


class Serving:
    """extractd on the runtime directory of a scene; not yet ready."""

    def __init__(self, here):
        self.log = here.folder / f"log{time.monotonic_ns()}"
        self.ready_fd, told = os.pipe()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [BUILD / "extractd", "--runtime-dir", here.runtime,
                 "--workers", "2", "--drain-seconds", "0", "--log-level",
                 "debug", "--ready-fd", str(told)], env=here.env,
                pass_fds=(told,), stdin=subprocess.DEVNULL, stderr=log)
        os.close(told)
        self.endpoint = f"ipc://{here.runtime}/extractd.sock"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.ready_fd)

    def text(self):
        return self.log_text()

    def log_text(self):
        return self.log.read_text(errors="replace")

    def until_ready(self):
        assert os.read(self.ready_fd, 1), self.log_text()

    def until_some_event(self, chance):
        """The event, for what is told of a failure."""
        event = chance.choice(EVENTS)
        times = chance.randint(1, MOST_TIMES if event in LATER_EVENTS else 2)
        while_s = chance.uniform(0, MOST_LATER_S)
        end = time.monotonic() + EVENT_S
        while self.log_text().count(event) < times:
            if time.monotonic() > end or self.process.poll() is not None:
                break
            time.sleep(0.001)
        busy_wait(while_s)
        return f"{event} {times} + {while_s * 1000:.1f} ms"

    def family(self):
        return {self.process.pid, *fault_kin.below(self.process.pid)}

    def front(self):
        """None while there is none that runs."""
        for pid, (_, state, name) in fault_kin.below(
                self.process.pid).items():
            if name == "extractd-front" and state != "Z":
                return pid
        return None

    def workers_of_jobs(self):
        """Workers that hold a client's file."""
        return {pid for pid, (_, _, name) in fault_kin.below(
            self.process.pid).items()
                if name == "extract-worker" and holds_file(pid)}

    def idle(self):
        """Open descriptors of extractd when it has nothing to do: no job
        live, its workers warm. None while it has."""
        def quiet():
            with Peer(self) as peer:
                status = peer.status()
            workers = status["workers"]
            if workers["busy"] or workers["starting"] or workers["warm"] < 2:
                return None
            if status["queue"]["queued"] or status["queue"]["admitted"]:
                return None
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        return eventually("nothing to do", quiet)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


def holds_file(pid):
    """A worker has its artifact at number 5."""
    try:
        os.readlink(f"/proc/{pid}/fd/5")
    except OSError:
        return False
    return True


class Alone:
    """extract-client --embedded, and the service that it starts."""

    NAMES = ("extract-client", "extractd", "extract-worker", "extractd-front",
             "extractd-room")

    def __init__(self, here, chance, victim):
        self.here = here
        self.had_service = False
        files = chance.choice((["-"], [here.slow], [here.small] * 20,
                               [here.slow, here.small, here.slow]))
        # To be killed, a service must be there, and still be there.
        if victim == "extractd":
            files = [here.slow, here.small, here.slow]
        if files == ["-"]:
            self.process = here.spooling("--embedded")
        else:
            self.process = here.client("submit", *files, "--embedded")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def family(self):
        return {self.process.pid, *fault_kin.below(self.process.pid)}

    def _named(self, name):
        return [pid for pid, what in fault_kin.below(self.process.pid).items()
                if what[2] == name and what[1] != "Z"]

    def pid_of(self, name):
        if name == "extract-client":
            return self.process.pid
        return self.service[0]

    def until_some_event(self, chance, victim):
        names = self.NAMES[1:] if victim == "extractd" else self.NAMES
        name = chance.choice(names)
        while_s = chance.uniform(0, 4 * MOST_LATER_S)
        end = time.monotonic() + EVENT_S
        while name != "extract-client" and not self._named(name):
            if time.monotonic() > end or self.process.poll() is not None:
                break
            time.sleep(0.001)
        busy_wait(while_s)
        self.service = self._named("extractd")
        self.had_service = bool(self.service)
        return f"{name} + {while_s * 1000:.1f} ms"
