"""The front with a supervisor and workers played by this file.

What the real ones never do is done here: obituaries before the end of a
channel, lies, silence, tickets with a descriptor. The layout of records is
docs/PROTOCOL.md's.
"""

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
(DELIVERING, CANCEL, DELIVERED, ASK_STATUS) = (37, 38, 39, 40)
(CONFIG, ADMITTED, REFUSED, CHANNEL, OBITUARY) = (64, 65, 66, 67, 68)
(ADOPT, STATUS, DRAIN) = (69, 70, 71)
RE_BAD_ORDER = 43
# name: (default, ceiling), in the order of proto/limits.def
LIMITS = ((1 << 36, 1 << 44), (1 << 38, 1 << 46), (20000000, 1000000000),
          (2000000000, 4000000000), (1000000, 16000000), (200000, 4000000),
          (400064, 8000064), (1 << 20, 1 << 26), (1 << 27, 1 << 31),
          (1000, 100000), (1 << 24, 1 << 27), (4096, 6144),
          (1 << 30, 1 << 40), (3600, 604800), (7200, 604800), (60, 86400))


def frame(message, job=0, payload=b""):
    return struct.pack("<HBBIQ", 0x4458, 1, message, len(payload),
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

    def __init__(self, folder):
        self.folder = folder
        self.api = listening(socket.SOCK_STREAM,
                             os.path.join(folder, "extractd.sock"))
        self.door = listening(socket.SOCK_SEQPACKET,
                              os.path.join(folder, "door.sock"))
        self.pid = None

    def start(self):
        self.link, theirs = seqpacket_pair()
        self.link.settimeout(PATIENCE)
        # above the numbers they are moved to
        fds = [fcntl.fcntl(s.fileno(), fcntl.F_DUPFD_CLOEXEC, 20)
               for s in (theirs, self.api, self.door)]
        moves = [(os.POSIX_SPAWN_DUP2, fd, 3 + i)
                 for i, fd in enumerate(fds)]
        self.pid = os.posix_spawn(FRONT, [FRONT], {}, file_actions=moves)
        for fd in fds:
            os.close(fd)
        theirs.close()
        limits = b"".join(struct.pack("<QQ", *pair) for pair in LIMITS)
        self.send(frame(CONFIG, 0, limits + struct.pack("<IQ", 1, 1 << 30) +
                        text(self.folder.encode())))
        self.expect(READY)

    def settle(self):
        """Answers the front's question whether that was all."""
        _, _, payload, _ = self.expect(ASK_STATUS)
        self.send(frame(STATUS, 0, payload + bytes(120)))

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

    def wait(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = None
                return os.waitstatus_to_exitcode(status)
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

    def expect(self, message, skip=(ALIVE,)):
        while True:
            got = self.receive()
            if got[0] == message:
                return got
            if got[0] not in skip:
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


def deaf_client(folder):
    """A DEALER by hand, whose socket nobody reads after the greeting."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(PATIENCE)
    client.connect(os.path.join(folder, "extractd.sock"))
    client.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" +
                   b"NULL".ljust(20, b"\0") + bytes(32))
    greeting = b""
    while len(greeting) < 64:
        greeting += client.recv(64 - len(greeting))
    ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER"
    client.sendall(bytes((4, len(ready))) + ready)
    return client


class FrontAlone(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.front = Front(scratch.name)
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
        self.record = payload[42:]
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

    def test_a_job_from_submit_to_ack(self):
        job, name, worker = self.start_job()
        worker.send(of(job, frame(PROGRESS, 0, struct.pack("<BQQQQ", 0, 5, 9, 1, 0))))
        self.front.expect(ALIVE, ())
        for record in (answer(2, 30), rows(row(b"f", 10), row(b"\n", 20)),
                       done(2)):
            worker.send(of(job, record))
        self.front.expect(DELIVERING)
        worker.close()
        self.front.send(obituary(job))
        reply = self.client.receive()
        self.assertEqual(list(reply), ["type", "id", "job", "result"])
        self.assertEqual((reply["type"], reply["id"], reply["job"]),
                         ("result", "r", name))
        result = reply["result"]
        self.assertEqual([r["function"] for r in result["rows"]],
                         ["f", "\n"])
        self.assertEqual(result["run"], {
            "job": name, "wall_ms": 12, "cpu_ms": 11,
            "peak_rss_bytes": 9000000,
            "sandbox": ["no_new_privs", "seccomp"], "version": "0.1.0"})
        self.assertEqual(self.client.ask(op="result", job=name)["result"],
                         result)
        self.assertEqual(self.client.ask(op="ack", id="a", job=name),
                         {"type": "ok", "id": "a"})
        self.front.expect(DELIVERED)
        self.client.send(op="result", job=name)
        self.assertEqual(self.failure(), ("RESULT_EXPIRED", "unknown_job"))

    def test_an_obituary_before_the_end_of_the_channel_waits_for_it(self):
        job, name, worker = self.start_job()
        self.front.send(obituary(job, 13, 9))
        self.assertEqual(
            self.client.ask(op="result", job=name, wait=False)["type"],
            "pending")
        for record in (answer(0, 0), done(0)):
            worker.send(of(job, record))
        worker.close()
        self.assertEqual(self.client.receive()["type"], "result")

    def test_an_unreaped_worker_is_not_waited_for(self):
        job, _, worker = self.start_job()
        self.front.send(obituary(job, 13, 9, unreaped=True))
        self.assertEqual(self.failure(), ("WORKER_KILLED", None))

    def test_what_an_unreaped_worker_said_is_read_to_its_end(self):
        # As many frames as are read in a turn, twice: no poll tells of the
        # end behind them, since the worker's end of the channel stays open.
        job, _, worker = self.start_job()
        os.kill(self.front.pid, signal.SIGSTOP)
        said = frame(PROGRESS, 0, struct.pack("<BQQQQ", 0, 5, 9, 1, 0))
        for _ in range(128):
            worker.send(of(job, said))
        self.front.send(obituary(job, 13, 9, unreaped=True))
        os.kill(self.front.pid, signal.SIGCONT)
        self.assertEqual(self.failure(), ("WORKER_KILLED", None))

    def test_more_jobs_may_wait_than_it_may_have_files(self):
        self.submit()
        adopt = struct.pack("<B16sII", 1, b"t" * 16, 0, 0) + self.record
        for job in range(100, 5100):
            self.front.send(frame(ADOPT, job, adopt))
        self.assertEqual(self.client.ask(op="version")["type"], "version")

    def test_a_worker_out_of_order_is_cancelled(self):
        job, _, worker = self.start_job()
        worker.send(of(job, done(0)))
        _, _, payload, _ = self.front.expect(CANCEL)
        self.assertEqual(payload, struct.pack("<H", RE_BAD_ORDER))
        self.front.send(obituary(job, 18))
        self.assertEqual(self.failure(), ("BAD_REPLY", "bad_order"))

    def test_a_worker_that_says_nothing_is_a_bad_reply(self):
        job, _, worker = self.start_job()
        worker.close()
        self.front.send(obituary(job))
        self.assertEqual(self.failure(), ("BAD_REPLY", "no_answer"))

    def test_results_wait_for_room(self):
        held = []
        for _ in range(3):
            job, name, worker = self.start_job(
                limits={"max_result_bytes": 1 << 27})
            worker.send(of(job, answer(1, 7)))
            self.front.expect(DELIVERING)
            held.append((job, name, worker))
        # a budget of 256 MiB has room for two of 128
        self.front.expect(HOLD)
        for job, _, worker in held[1:]:
            worker.send(of(job, rows(row(b"f", 7))))
            worker.send(of(job, done(1)))
            worker.close()
        self.front.send(obituary(held[2][0]))
        self.front.send(obituary(held[1][0]))
        got = [self.client.receive()["job"] for _ in range(2)]
        self.assertEqual(got, [held[1][1], held[2][1]])

    def test_the_next_front_goes_on_with_a_running_job(self):
        job, name, worker = self.start_job()
        waiting, _, _ = self.submit()
        channel = self.run_worker(waiting)
        self.front.kill()
        self.front.start()
        self.client.send(op="result", id="w", job=f"j-{waiting:016x}")
        adopt = struct.pack("<B16sII", 2, b"t" * 16, 1, 40) + self.record
        theirs, ours = seqpacket_pair()
        self.front.send(frame(ADOPT, job, adopt), theirs.fileno())
        theirs.close()
        self.front.send(frame(ADOPT, waiting, b"\x03" + adopt[1:]))
        self.front.send(obituary(waiting, 15))
        channel.close()
        # jobs came since it asked, so it asks again
        self.front.settle()
        self.front.settle()
        self.assertEqual(self.failure(), ("FRONT_LOST", None))
        self.client.send(op="result", id="r", job=name)
        ours.send(of(job, answer(0, 0)))
        ours.send(of(job, done(0)))
        ours.close()
        self.front.send(obituary(job))
        self.assertEqual(self.client.receive()["type"], "result")

    def test_cancel_is_handed_on(self):
        job, name, worker = self.start_job()
        reply = self.client.ask(op="cancel", id="c", job=name)
        self.assertEqual(reply, {"type": "ok", "id": "c"})
        self.front.expect(CANCEL)
        worker.close()
        self.front.send(frame(OBITUARY, job, struct.pack(
            "<HHIBBHIQQQQQ", 18, 33, 9, 255, 0, 0, 0, 0, 0, 1, 1, 1)))
        self.assertEqual(self.failure()[0], "CANCELLED")

    def test_a_ticket_with_a_descriptor_is_turned_away(self):
        job, name, lease = self.submit()
        intruder = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(intruder.close)
        intruder.settimeout(PATIENCE)
        intruder.connect(os.path.join(self.front.folder, "door.sock"))
        socket.send_fds(intruder, [b"x" * 16], [0])
        self.assertEqual(intruder.recv(1), b"")

    def test_a_crowd_at_the_door_keeps_nobody_out(self):
        crowd = []
        for _ in range(300):
            idle = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.addCleanup(idle.close)
            idle.connect(os.path.join(self.front.folder, "door.sock"))
            crowd.append(idle)
        self.submit()

    def test_what_is_no_request_is_refused_or_dropped(self):
        self.client.socket.send(b"{" + b" " * 70000 + b"}")
        self.assertEqual(self.failure(), ("INVALID_REQUEST", "too_large"))
        self.client.socket.send_multipart([b"", b"{}", b"", b""])
        self.client.socket.send_multipart([b"x"] * 1000)
        self.client.send(op="nonsense", id="n")
        reply = self.client.receive()
        self.assertEqual((reply["id"], reply["error"]["reason"]),
                         ("n", "bad_value"))

    def test_who_does_not_read_keeps_nobody_waiting(self):
        job, name, worker = self.start_job()
        many = rows(*[row(b"f" * 4000, 1)] * 7)
        for record in (answer(700, 700), *[many] * 100, done(700)):
            worker.send(of(job, record))
        worker.close()
        self.front.send(obituary(job))
        self.assertEqual(self.client.receive()["type"], "result")
        deaf = deaf_client(self.front.folder)
        self.addCleanup(deaf.close)
        for number in range(10):
            request = json.dumps({"op": "result", "id": str(number),
                                  "job": name}).encode()
            deaf.sendall(bytes((0, len(request))) + request)
        for _ in range(3):
            reply = self.client.ask(op="result", id="again", job=name)
            self.assertEqual(reply["type"], "result")

    def test_a_req_socket_is_answered(self):
        req = self.client.context.socket(zmq.REQ)
        self.addCleanup(req.close)
        req.rcvtimeo = int(PATIENCE * 1000)
        req.connect(f"ipc://{self.front.folder}/extractd.sock")
        req.send(b'{"op":"version"}')
        self.assertEqual(json.loads(req.recv()), {
            "type": "version", "id": None, "version": "0.1.0", "api": 1})

    def test_busy_is_told_with_a_time(self):
        self.client.send(op="submit", name="a")
        _, _, payload, _ = self.front.expect(ADMIT)
        self.front.send(frame(REFUSED, 0, payload[:8] +
                              struct.pack("<HI", 17, 250)))
        error = self.client.receive()["error"]
        self.assertEqual((error["code"], error["retry_after_ms"]),
                         ("BUSY", 250))

    def test_a_draining_front_takes_no_jobs_and_ends_with_its_link(self):
        job, name, worker = self.start_job()
        self.front.send(frame(DRAIN))
        worker.send(of(job, answer(0, 0)))
        self.front.expect(DELIVERING)
        self.client.send(op="submit", name="late")
        self.assertEqual(self.failure(), ("CANCELLED", "shutdown"))
        worker.send(of(job, done(0)))
        worker.close()
        self.front.send(obituary(job))
        self.assertEqual(self.front.stop(), 0)
        self.assertEqual(self.client.receive()["type"], "result")

    def test_lists_and_status(self):
        job, name, worker = self.start_job()
        self.assertEqual(self.client.ask(op="jobs")["jobs"][0]["name"],
                         "a.heapprofile")
        self.assertEqual(len(self.client.ask(op="limits")["limits"]), 16)
        self.assertEqual(self.client.ask(op="formats")["formats"][0]["name"],
                         "v8.cpuprofile")
        self.client.send(op="status", id="s")
        _, _, payload, _ = self.front.expect(ASK_STATUS)
        self.front.send(frame(STATUS, 0, payload + struct.pack(
            "<Q8I9QII", 5, *range(1, 9), *range(9, 18), 2, 1)))
        status = self.client.receive()["status"]
        self.assertEqual(status["workers"], {
            "max": 1, "warm": 2, "starting": 3, "busy": 4, "stuck": 5})
        self.assertEqual(status["endpoint"],
                         f"ipc://{self.front.folder}/extractd.sock")


if __name__ == "__main__":
    unittest.main()
