"""Real processes for the stories: a service of one's own, its clients, and the
files they send. Nothing here sleeps to wait: `eventually` looks again until a
deadline."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zlib

import zmq

BUILD = pathlib.Path(os.environ.get("EXTRACTD_BUILD", "build/dev")).resolve()
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
PATIENCE_S = 20.0


def eventually(what, check, seconds=PATIENCE_S):
    """The first true value of check(); fails when there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = check()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.005)


def children(pid, name=None):
    """Process ids below pid, of that program when a name is given."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError):
            stat = pathlib.Path("/proc", entry, "stat").read_text()
            comm = stat[stat.index("(") + 1:stat.rindex(")")]
            state, parent = stat[stat.rindex(")") + 2:].split()[:2]
            if int(parent) == pid and state != "Z":
                if name is None or comm.startswith(name[:15]):
                    found.append(int(entry))
    return found


def gone(pid):
    try:
        stat = pathlib.Path("/proc", str(pid), "stat").read_text()
    except OSError:
        return True
    return stat[stat.rindex(")") + 2] == "Z"


class Service:
    """extractd in a runtime directory of its own."""

    def __init__(self, *options, standin=None, runtime=None, launcher=(),
                 env=None, wait=True):
        """launcher: a command that becomes the one given after it. wait: until
        the service is ready, or gone."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="extractd-e2e."))
        self.folder.chmod(0o711)
        self.runtime = runtime or self.folder / "run"
        self.log = self.folder / "log"
        options = list(options)
        if standin is not None:
            options += ["--libexec-dir", str(self.libexec(standin))]
        lifeline, self.lifeline = os.pipe()
        ready, told = os.pipe()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [*launcher, BUILD / "extractd",
                 "--runtime-dir", self.runtime,
                 "--lifeline-fd", str(lifeline), "--ready-fd", str(told),
                 *options],
                pass_fds=(lifeline, told), stderr=log, env=env,
                stdin=subprocess.DEVNULL)
        os.close(lifeline)
        os.close(told)
        self.ready = wait and os.read(ready, 1) != b""
        os.close(ready)
        self.endpoint = f"ipc://{self.runtime}/extractd.sock"

    def libexec(self, standin):
        """The real front beside a stand-in for the worker."""
        folder = self.folder / "libexec"
        folder.mkdir()
        shutil.copy(BUILD / "extractd-front", folder / "extractd-front")
        shutil.copy(BUILD / "misbehave" / f"misbehave-{standin}",
                    folder / "extract-worker")
        return folder

    def __enter__(self):
        if not self.ready:
            raise AssertionError("no service:\n" + self.text())
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.lifeline >= 0:
            os.close(self.lifeline)
            self.lifeline = -1
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def text(self):
        return self.log.read_text(errors="replace")

    def pids(self, name):
        return children(self.process.pid, name)

    def front(self):
        return eventually("a front", lambda: self.pids("extractd-front"))[0]

    def workers(self):
        return self.pids("extract-worker")

    def client(self, *arguments, **options):
        return client(*arguments, "--endpoint", self.endpoint, **options)


def client(*arguments, **options):
    """extract-client, started; its output is kept."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([BUILD / "extract-client", *map(str, arguments)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **options)


def run(*arguments, **options):
    """extract-client to its end: (exit status, output, errors)."""
    process = client(*arguments, **options)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


class Peer:
    """A client of the API, made of nothing but its description."""

    def __init__(self, service):
        self.service = service
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(service.endpoint)
        self.doors = {}
        self.asked = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        for door in self.doors.values():
            door.close()

    def send(self, op, **fields):
        """The id of the request, by which its replies are told."""
        self.asked += 1
        return self.send_as(f"r{self.asked}", op, **fields)

    def send_as(self, number, op, **fields):
        self.socket.send(json.dumps({"op": op, "id": number,
                                     **fields}).encode())
        return number

    def receive(self, number, seconds=PATIENCE_S):
        """The next reply to that request; None when none comes in time.
        Late replies to earlier ones are passed over."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not self.socket.poll(int(left * 1000) + 1):
                return None
            reply = json.loads(self.socket.recv())
            if reply["id"] == number:
                return reply

    def ask(self, op, **fields):
        """Asked again after silence: a front may have been replaced."""
        for _ in range(10):
            reply = self.receive(self.send(op, **fields), PATIENCE_S / 10)
            if reply is not None:
                return reply
        raise AssertionError("no reply in time\n" + self.service.text())

    def submit(self, name, **options):
        """The reply to a submit; `accepted` when all is well."""
        return self.ask("submit", name=name, options=options)

    def hand_over(self, accepted, fd):
        """Through the door: the ticket, then the file."""
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        door.connect(accepted["door"])
        # A job that ended meanwhile has no use for its file.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            door.send(bytes.fromhex(accepted["ticket"]))
            socket.send_fds(door, [b"F"], [fd])
        self.doors[accepted["job"]] = door
        return door

    def start(self, path, name=None, **options):
        """Submits a file and hands it over; its job."""
        accepted = self.submit(name or os.path.basename(path), **options)
        assert accepted["type"] == "accepted", accepted
        with open(path, "rb") as file:
            self.hand_over(accepted, file.fileno())
        return accepted["job"]

    def result(self, job, seconds=3 * PATIENCE_S):
        """The final reply, waited for; asks again after silence, as a client
        must when a front was replaced."""
        deadline = time.monotonic() + seconds
        self.asked += 1
        number = f"r{self.asked}"
        while time.monotonic() < deadline:
            self.send_as(number, "result", job=job, wait=True)
            reply = self.receive(number, 2)
            if reply is not None:
                return reply
        raise AssertionError("no result in time\n" + self.service.text())

    def state(self, job):
        for entry in self.ask("jobs")["jobs"]:
            if entry["job"] == job:
                return entry["state"]
        return None

    def until_running(self, job):
        eventually("the job runs", lambda: self.state(job) == "running")

    def status(self):
        return self.ask("status")["status"]


def slow_file(folder, seconds=20, name="slow.cpuprofile",
              start=b'{"nodes":['):
    """A small file that takes long to read: gzip of many blanks, about 300 MiB
    of them for each second wanted."""
    path = pathlib.Path(folder) / name

    def member(data):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        return packer.compress(data) + packer.flush()

    blanks = member(b" " * (1 << 24))
    with open(path, "wb") as out:
        out.write(member(start))
        out.write(blanks * (20 * seconds))
        end = b'],' if b"nodes" in start else b'],"nodes":[],'
        out.write(member(end + b'"startTime":0,"endTime":0,"samples":[],'
                         b'"timeDeltas":[]}'))
    return path


def profile(folder, name="small.cpuprofile", functions=3):
    """A valid CPU profile of as many functions, 10 us each."""
    def node(number, function, children=()):
        frame = {"functionName": function, "scriptId": str(number),
                 "url": "" if number == 1 else "file:///srv/app/a.js",
                 "lineNumber": number - 2, "columnNumber": 0}
        if number == 1:
            frame.update(scriptId="0", lineNumber=-1, columnNumber=-1)
        return {"id": number, "callFrame": frame, "hitCount": 0,
                "children": list(children)}

    ids = list(range(2, functions + 2))
    document = {
        "nodes": [node(1, "(root)", ids)] +
                 [node(i, f"f{i - 2}") for i in ids],
        "startTime": 0, "endTime": 10 * functions, "samples": ids,
        "timeDeltas": [0] + [10] * (functions - 1)}
    path = pathlib.Path(folder) / name
    path.write_text(json.dumps(document))
    return path


def without_run(result):
    return {key: value for key, value in result.items() if key != "run"}


def kill(pid, number=signal.SIGKILL):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
