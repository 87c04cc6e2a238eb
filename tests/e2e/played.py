"""A supervisor and workers, played, for tests of the front alone. The layout
of records is docs/PROTOCOL.md's."""

import array
import fcntl
import json
import os
import signal
import socket
import struct
import tempfile
import time
import unittest

import zmq

FRONT = os.path.join(os.environ.get("EXTRACTD_BUILD", "build/dev"),
                     "extractd-front")
PATIENCE = 10.0

(RESULT, ROWS, DONE, FAILED, PROGRESS) = (4, 5, 6, 7, 3)
(READY, ADMIT, START, ALIVE, HOLD) = (32, 33, 34, 35, 36)
(DELIVERING, CANCEL, DELIVERED, ASK_STATUS, VERDICT) = range(37, 42)
FRONT_HERE = 42  # each second
(CONFIG, ADMITTED, REFUSED, CHANNEL, OBITUARY) = (64, 65, 66, 67, 68)
(ADOPT, STATUS, DRAIN) = (69, 70, 71)
RE_BAD_ORDER = 43
STATUS_BYTES = 1104  # behind the number of the request
# name: (default, ceiling), in the order of proto/limits.def
LIMITS = ((1 << 36, 1 << 44), (1 << 38, 1 << 46), (20000000, 1000000000),
          (2000000000, 4000000000), (1000000, 16000000), (200000, 4000000),
          (400064, 8000064), (1 << 20, 1 << 26), (1 << 27, 1 << 31),
          (1000, 100000), (1 << 24, 1 << 27), (4096, 6144),
          (1 << 30, 1 << 40), (3600, 604800), (7200, 604800), (60, 86400))


def frame(message, job=0, payload=b""):
    return struct.pack("<HBBIQ", 0x4458, 3, message, len(payload),
                       job) + payload


def of(job, record):
    """The same frame, about that job."""
    return record[:8] + struct.pack("<Q", job) + record[16:]


def text(value):
    return struct.pack("<H", len(value)) + value


def seqpacket_pair():
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def listening(kind, path):
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(path)
    server.listen(64)
    return server


def obituary(job, status=0, signo=0, unreaped=False):
    return frame(OBITUARY, job, struct.pack(
        "<HHIBBHIQQQQQ", status, 0, signo, 255, unreaped, 0, 0, 0, 0,
        12000, 11000, 9000000))


def answer(rows=0, total=0):
    """A heap profile of one metric, all of whose total is in `rows`."""
    known = struct.pack("<Bq", 1, 3)
    unknown = struct.pack("<Bq", 0, 0)
    metric = (text(b"memory.self_size") + text(b"bytes") +
              struct.pack("<QQQ", total, total, 0))
    return frame(RESULT, 0, (
        struct.pack("<BBB", 2, 0, 1) + b"\xaa" * 32 + b"\xbb" * 16 +
        struct.pack("<BQQ", 0, 1234, 1234) + text(b"") * 3 + unknown * 4 +
        b"\x01" + metric + b"\x00" + known + unknown + known * 2 +
        struct.pack("<QQ", rows, rows) + b"\x00" * 8 * 9 +
        struct.pack("<I", 1 << 3)))


def row(name, size):
    return (b"\x11" * 16 + b"\x22" * 16 + bytes((1, 0, 0, 0)) +
            struct.pack("<IIIII", 1, 12, 0, 1, 1) + text(name) +
            text(b"file:///a.js") + text(b"") * 3 +
            struct.pack("<QQ", size, size))


def rows(*them):
    return frame(ROWS, 0, struct.pack("<H", len(them)) + b"".join(them))


def done(count):
    return frame(DONE, 0, struct.pack("<I", count))


class Front:
    """A front under test, seen from its supervisor's end of the link."""

    def __init__(self, folder, ttl_s=60, store_bytes=1 << 28):
        self.folder = folder
        self.store = struct.pack("<QQ", ttl_s, store_bytes)
        self.api = listening(socket.SOCK_STREAM,
                             os.path.join(folder, "extractd.sock"))
        self.door = listening(socket.SOCK_SEQPACKET,
                              os.path.join(folder, "door.sock"))
        self.pid = None

    def start(self, files=None):
        """files: how many it may have open."""
        self.link, theirs = seqpacket_pair()
        self.link.settimeout(PATIENCE)
        # above the numbers they are moved to
        fds = [fcntl.fcntl(s.fileno(), fcntl.F_DUPFD_CLOEXEC, 20)
               for s in (theirs, self.api, self.door)]
        moves = [(os.POSIX_SPAWN_DUP2, fd, 3 + i)
                 for i, fd in enumerate(fds)]
        limit = f"ulimit -n {files}; " if files else ""
        self.pid = os.posix_spawn(
            "/bin/sh", ["sh", "-c", f'{limit}exec "$0"', FRONT], {},
            file_actions=moves)
        for fd in fds:
            os.close(fd)
        theirs.close()
        limits = b"".join(struct.pack("<QQ", *pair) for pair in LIMITS)
        self.send(frame(CONFIG, 0, limits + struct.pack("<IQ", 1, 1 << 30) +
                        self.store + text(self.folder.encode())))
        self.expect(READY)

    def settle(self):
        """Answers the front's question whether that was all."""
        _, _, payload, _ = self.expect(ASK_STATUS)
        self.send(frame(STATUS, 0, payload + bytes(STATUS_BYTES)))

    def stop(self):
        """The exit status, once the link is closed."""
        self.link.close()
        return self.wait()

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.wait()
        self.link.close()

    def close(self):
        if self.pid:
            self.kill()
        self.api.close()
        self.door.close()

    def ended(self):
        """The exit status; None while it runs."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid:
            return None
        self.pid = None
        return os.waitstatus_to_exitcode(status)

    def wait(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status = self.ended()
            if status is not None:
                return status
            time.sleep(0.005)
        raise TimeoutError("the front does not end")

    def send(self, record, *fds):
        rights = []
        if fds:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                       array.array("i", fds))]
        self.link.sendmsg([record], rights)

    def receive(self):
        """(message, job, payload, descriptor or None)"""
        record, rights, _, _ = self.link.recvmsg(
            65536, socket.CMSG_SPACE(4))
        if not record:
            raise EOFError
        _, _, message, _, job = struct.unpack_from("<HBBIQ", record)
        fd = None
        for _, _, data in rights:
            fd = array.array("i", data)[0]
        return message, job, record[16:], fd

    def expect(self, message, skip=(ALIVE, VERDICT)):
        while True:
            got = self.receive()
            if got[0] == message:
                return got
            if got[0] not in (*skip, FRONT_HERE):
                raise AssertionError(f"{got[0]} came, not {message}")


class Client:
    def __init__(self, folder):
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.rcvtimeo = int(PATIENCE * 1000)
        self.socket.connect(f"ipc://{folder}/extractd.sock")

    def close(self):
        self.context.destroy(linger=0)

    def send(self, **request):
        self.socket.send(json.dumps(request).encode())

    def receive(self):
        return json.loads(self.socket.recv())

    def ask(self, **request):
        self.send(**request)
        return self.receive()


def deaf_client(folder, patience=PATIENCE):
    """A DEALER by hand, whose socket nobody reads after the greeting."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(patience)
    try:
        greet(client, folder)
    except OSError:
        client.close()
        raise
    return client


def greet(client, folder):
    client.connect(os.path.join(folder, "extractd.sock"))
    client.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" +
                   b"NULL".ljust(20, b"\0") + bytes(32))
    greeting = b""
    while len(greeting) < 64:
        more = client.recv(64 - len(greeting))
        if not more:
            raise ConnectionError("the front is gone")
        greeting += more
    ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER"
    client.sendall(bytes((4, len(ready))) + ready)


class Played(unittest.TestCase):
    """One front, one client, and jobs on demand."""

    store = {}  # of Front
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.front = Front(scratch.name, **self.store)
        self.addCleanup(self.front.close)
        self.front.start()
        self.front.settle()
        self.client = Client(scratch.name)
        self.addCleanup(self.client.close)
        self.jobs = 0

    def submit(self, **options):
        """A job with its ticket taken in: (id, its name, lease)."""
        self.client.send(op="submit", id="s", name="a.heapprofile",
                         options=options)
        _, _, payload, _ = self.front.expect(ADMIT)
        self.admit, self.record = payload[:50], payload[50:]
        self.jobs += 1
        ticket = struct.pack("<QQ", self.jobs, ~self.jobs & (2**64 - 1))
        self.front.send(frame(ADMITTED, self.jobs, payload[:8] + ticket))
        reply = self.client.receive()
        self.assertEqual(list(reply), ["type", "id", "job", "ticket", "door"])
        self.assertEqual(reply["ticket"], ticket.hex())
        lease = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(lease.close)
        lease.connect(reply["door"])
        lease.send(ticket)
        _, job, _, fd = self.front.expect(START)
        self.assertEqual(job, self.jobs)
        os.close(fd)
        return self.jobs, reply["job"], lease

    def run_worker(self, job):
        """The worker's end of a channel that the front was given."""
        worker, theirs = seqpacket_pair()
        self.addCleanup(worker.close)
        self.front.send(frame(CHANNEL, job, struct.pack("<I", 1)),
                        theirs.fileno())
        theirs.close()
        return worker

    def start_job(self, **options):
        job, name, lease = self.submit(**options)
        self.client.send(op="result", id="r", job=name, progress=False)
        return job, name, self.run_worker(job)

    def failure(self):
        reply = self.client.receive()
        self.assertEqual(reply["type"], "error", reply)
        return reply["error"]["code"], reply["error"]["reason"]
