"""The front with a supervisor and workers played.

What the real ones never do is done here: obituaries before the end of a
channel, lies, silence, tickets with a descriptor.
"""

import contextlib
import json
import os
import signal
import socket
import struct
import time
import unittest

import zmq

from played import (ADMIT, ADOPT, ASK_STATUS, CANCEL, DELIVERED, DELIVERING,
                    DRAIN, HOLD, OBITUARY, PATIENCE, PROGRESS, REFUSED,
                    RE_BAD_ORDER, STATUS, Played, answer, ALIVE,
                    deaf_client, done, frame, obituary, of, row, rows,
                    seqpacket_pair, STATUS_BYTES)


class FrontAlone(Played):
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
        adopt = struct.pack("<B16sIIBB", 1, b"t" * 16, 0, 0, 1, 0) + self.record
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
        adopt = struct.pack("<B16sIIBB", 2, b"t" * 16, 1, 40, 1, 0) + self.record
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

    def test_a_crowd_of_connections_makes_it_start_anew(self):
        self.front.kill()
        self.front.start(files=640)
        self.front.settle()
        crowd, status = [], None
        end = time.monotonic() + PATIENCE
        while status is None and time.monotonic() < end:
            with contextlib.suppress(OSError):
                crowd.append(deaf_client(self.front.folder, 0.1))
            status = self.front.ended()
        for idle in crowd:
            idle.close()
        self.front.link.close()
        self.assertEqual(status, 1, "not by a signal")
        self.assertGreater(len(crowd), 300)
        self.front.start(files=640)
        self.front.settle()
        self.assertEqual(self.client.ask(op="version")["type"], "version")

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
            "<Q8I7Q4I", 5, *range(1, 9), *range(9, 16), 2, 1, 18, 3) +
            bytes(STATUS_BYTES - 112)))
        status = self.client.receive()["status"]
        self.assertEqual(status["workers"], {
            "max": 1, "wanted": 18, "warm": 2, "starting": 3, "busy": 4,
            "stuck": 5})
        self.assertEqual(status["queue"], {
            "max": 6, "admitted": 7, "queued": 8, "interactive": 5,
            "batch": 3})
        self.assertEqual(status["worker_starts"],
                         {"started": 14, "failed": 15})
        self.assertEqual(status["endpoint"],
                         f"ipc://{self.front.folder}/extractd.sock")

    def status(self, counts=()):
        """What a client is told when the supervisor counts so."""
        self.client.send(op="status", id="s")
        _, _, payload, _ = self.front.expect(ASK_STATUS)
        fixed = 112
        counts = struct.pack(f"<{len(counts)}Q", *counts)
        self.front.send(frame(STATUS, 0, (payload + bytes(fixed) + counts)
                              .ljust(8 + STATUS_BYTES, b"\0")))
        return self.client.receive()["status"]

    def test_status_tells_every_count(self):
        ended = [0] * (3 * 26)
        ended[1 * 26 + 0] = 7      # of v8.cpuprofile, OK
        ended[0 * 26 + 18] = 2     # not found out, CANCELLED
        rejected, deaths = [1, 2, 3, 4, 5, 6], list(range(10, 21))
        job_us = list(range(100, 113)) + [12345678]
        input_bytes = list(range(200, 213)) + [1 << 40]
        status = self.status(ended + rejected + deaths + job_us +
                             input_bytes + [8 << 20])
        self.assertEqual(status["outcomes"], [
            {"outcome": "error", "code": "CANCELLED", "format": "unknown",
             "jobs": 2},
            {"outcome": "ok", "code": "OK", "format": "v8.cpuprofile",
             "jobs": 7}])
        self.assertEqual(status["rejected"], {
            "queue_full": 1, "workers_stuck": 2, "shutting_down": 3,
            "invalid_request": 4, "door": 5, "dropped": 6})
        self.assertEqual(list(status["worker_deaths"].items()), list(zip(
            ("crashed", "policy_violation", "killed_from_outside",
             "front_lost", "cpu_seconds", "wall_seconds", "stall_seconds",
             "cancelled", "bad_reply", "start_failed", "before_a_job"),
            deaths)))
        self.assertEqual(status["job_seconds"], {
            "bounds": [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30,
                       120, 600],
            "counts": job_us[:13], "sum": 12.345678})
        self.assertEqual(status["input_bytes"], {
            "bounds": [1 << n for n in (10, 12, 14, 16, 18, 20, 22, 24, 26,
                                        28, 30, 34)],
            "counts": input_bytes[:13], "sum": 1 << 40})
        self.assertEqual(status["worker_peak_rss_bytes"], 8 << 20)

    def test_status_counts_what_the_front_turned_away(self):
        self.client.ask(op="nonsense")
        self.client.ask(op="submit", name="a", options={"class": "urgent"})
        self.client.socket.send_multipart([b"x"] * 3)
        stranger = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(stranger.close)
        stranger.settimeout(PATIENCE)
        stranger.connect(os.path.join(self.front.folder, "door.sock"))
        stranger.send(b"no ticket of us.")
        self.assertEqual(stranger.recv(1), b"")
        status = self.status()
        self.assertTrue(status["taking_jobs"])
        self.assertEqual(status["rejected"], {
            "queue_full": 0, "workers_stuck": 0, "shutting_down": 0,
            "invalid_request": 2, "door": 1, "dropped": 1})
        self.front.send(frame(DRAIN))
        self.client.ask(op="submit", name="a")
        status = self.status()
        self.assertFalse(status["taking_jobs"])
        self.assertEqual(status["rejected"]["shutting_down"], 1)


if __name__ == "__main__":
    unittest.main()
