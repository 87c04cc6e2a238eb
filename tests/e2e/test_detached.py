"""Jobs that nobody waits for: their results are kept for a time and within a
store, and then it is said that they went."""

import json
import struct
import tempfile
import unittest

from harness import (Peer, Service, eventually, kill, profile, slow_file)
from played import (ADMIT, ADOPT, ASK_STATUS, DELIVERED, STATUS, STATUS_BYTES,
                    VERDICT, Client, Played, answer, done, frame, obituary,
                    of, row, rows, seqpacket_pair)


class PlayedResults(Played):
    def submit_detached(self, **limits):
        return self.submit(detach=True, limits=limits)

    def finish(self, job, worker, name=b"f"):
        """Its worker delivers one row and ends; the verdict on it."""
        for record in (answer(1, 7), rows(row(name, 7)), done(1)):
            worker.send(of(job, record))
        worker.close()
        self.front.send(obituary(job))
        _, about, payload, _ = self.front.expect(VERDICT, skip=(
            35, 37, DELIVERED))
        self.assertEqual(about, job)
        return struct.unpack("<HBQ", payload)

    def error(self, reply):
        self.assertEqual(reply["type"], "error", reply)
        return reply["error"]["code"], reply["error"]["reason"]


class DetachedAlone(PlayedResults):
    """What the front says of them, with a supervisor played."""

    def test_class_and_lease_are_told_to_the_supervisor(self):
        self.submit()
        plain = self.admit
        self.submit(**{"class": "batch", "detach": True})
        detached = self.admit
        self.assertEqual(plain[48:], b"\x01\x00")
        self.assertEqual(detached[48:], b"\x00\x01")

    def test_a_connection_is_one_client(self):
        self.submit()
        first = self.admit[40:48]
        self.submit()
        self.assertEqual(self.admit[40:48], first)
        other = Client(self.front.folder)
        self.addCleanup(other.close)
        other.send(op="submit", name="b")
        _, _, payload, _ = self.front.expect(ADMIT)
        self.assertNotEqual(payload[40:48], first)

    def test_the_list_of_jobs_says_class_lease_and_outcome(self):
        def listed():
            return [(job["class"], job["detached"], job["outcome"])
                    for job in self.client.ask(op="jobs")["jobs"]]

        job, name, _ = self.submit(**{"class": "batch", "detach": True})
        self.assertEqual(listed(), [("batch", True, None)])
        self.assertEqual(self.finish(job, self.run_worker(job)),
                         (0, 2, 1234))
        self.assertEqual(listed(), [("batch", True, "ok")])
        job, name, _ = self.submit()
        self.run_worker(job).close()
        self.front.send(obituary(job, 13, 9))
        self.front.expect(VERDICT, skip=())
        self.assertEqual(listed(), [("batch", True, "ok"),
                                    ("interactive", False, "WORKER_KILLED")])

    def test_a_partial_result_is_listed_as_one(self):
        job, name, _ = self.submit(on_limit="truncate")
        whole = answer(0, 0)
        partial = whole[:17] + b"\x01" + whole[18:]
        worker = self.run_worker(job)
        for record in (partial, done(0)):
            worker.send(of(job, record))
        worker.close()
        self.front.send(obituary(job))
        self.front.expect(VERDICT, skip=(35, 37))
        self.assertEqual(self.client.ask(op="jobs")["jobs"][0]["outcome"],
                         "partial")

    def test_an_adopted_job_keeps_its_class_and_lease(self):
        job, name, _ = self.submit()
        adopt = struct.pack("<B16sIIBB", 3, b"t" * 16, 1, 40, 0, 1)
        adopt += self.record
        self.front.kill()
        self.front.start()
        self.front.send(frame(ADOPT, job, adopt))
        self.front.send(obituary(job, 13, 9))
        self.front.settle()
        _, about, payload, _ = self.front.expect(VERDICT,
                                                 skip=(ASK_STATUS,))
        self.assertEqual((about, struct.unpack("<HBQ", payload)),
                         (job, (13, 0, 0)))
        self.front.send(frame(STATUS, 0, struct.pack("<Q", 2) +
                              bytes(STATUS_BYTES)))
        entry = self.client.ask(op="jobs")["jobs"][0]
        self.assertEqual((entry["class"], entry["detached"],
                          entry["outcome"]), ("batch", True, "WORKER_KILLED"))

    def test_an_unknown_job_has_not_expired(self):
        self.assertEqual(self.error(self.client.ask(
            op="result", job="j-00000000000000aa")),
            ("RESULT_EXPIRED", "unknown_job"))

    def test_one_that_was_acknowledged_has_not_expired(self):
        job, name, _ = self.submit()
        self.finish(job, self.run_worker(job))
        self.assertEqual(self.client.ask(op="ack", job=name)["type"], "ok")
        self.assertEqual(
            self.error(self.client.ask(op="result", job=name)),
            ("RESULT_EXPIRED", "unknown_job"))


class ShortLivedResults(PlayedResults):
    """A store that keeps results for a second."""

    store = {"ttl_s": 1}

    def test_a_result_goes_when_its_time_is_over(self):
        job, name, _ = self.submit_detached()
        self.finish(job, self.run_worker(job))
        reply = self.client.ask(op="result", job=name)
        self.assertEqual(reply["type"], "result")
        _, about, _, _ = self.front.expect(DELIVERED)
        self.assertEqual(about, job)
        self.assertEqual(
            self.error(self.client.ask(op="result", job=name)),
            ("RESULT_EXPIRED", "expired"))
        self.assertEqual(
            self.error(self.client.ask(op="cancel", job=name)),
            ("RESULT_EXPIRED", "expired"))


class SmallStore(PlayedResults):
    """A store in which one whole result of a job has room, beside little."""

    store = {"store_bytes": 1 << 20}
    def end_one(self, limit=1 << 20):
        """The name of a job that ended with a small result."""
        job, name, _ = self.submit_detached(max_result_bytes=limit)
        self.finish(job, self.run_worker(job))
        return name

    def reply(self, name):
        reply = self.client.ask(op="result", job=name, wait=False)
        return (self.error(reply) if reply["type"] == "error"
                else reply["type"])

    def test_the_oldest_goes_for_the_next(self):
        first = self.end_one()
        second = self.end_one()
        self.assertEqual(self.reply(first), ("RESULT_EXPIRED", "expired"))
        self.assertEqual(self.reply(second), "result")

    def test_one_that_was_sent_goes_before_an_older_one(self):
        first, second = (self.end_one(1 << 19) for _ in range(2))
        sent = self.client.ask(op="result", job=second)["result"]
        small = len(json.dumps(sent, separators=(",", ":")))
        third = self.end_one((1 << 20) - small * 3 // 2)
        self.assertEqual(self.reply(second), ("RESULT_EXPIRED", "expired"))
        self.assertEqual(self.reply(first), "result")
        self.assertEqual(self.reply(third), "result")

    def test_a_job_that_may_exceed_the_store_is_not_held_for_ever(self):
        first = self.end_one()
        job, name, _ = self.submit_detached(max_result_bytes=1 << 27)
        self.client.send(op="result", job=name, id="w")
        self.finish(job, self.run_worker(job))
        self.assertEqual(self.client.receive()["type"], "result")
        self.assertEqual(self.reply(first), ("RESULT_EXPIRED", "expired"))
        self.assertEqual(self.reply(name), "result")


class Served(unittest.TestCase):
    """A real service."""

    options = ()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.small = profile(self.folder)
        self.service = Service("--workers", "2", *self.options)
        self.addCleanup(self.service.close)
        self.assertTrue(self.service.ready, self.service.text())

    def peer(self):
        peer = Peer(self.service)
        self.addCleanup(peer.__exit__)
        return peer

    def leave(self, path, **options):
        """Submits by a connection that is then closed, door and all."""
        with Peer(self.service) as peer:
            return peer.start(path, detach=True, **options)

    def until_ended(self, peer, job):
        eventually("it ends", lambda: peer.state(job) == "ended")


class Detached(Served):
    """Whose submitter is gone."""

    def test_the_result_is_there_for_another_connection(self):
        slow = slow_file(self.folder, seconds=1)
        job = self.leave(slow, **{"class": "batch"})
        with self.peer() as peer:
            reply = peer.result(job)
            self.assertEqual(reply["type"], "result", reply)
            again = peer.result(job)
            self.assertEqual(again["result"], reply["result"])
            self.assertEqual(peer.ask("ack", job=job)["type"], "ok")

    def test_one_with_a_lease_is_cancelled_instead(self):
        slow = slow_file(self.folder, seconds=5)
        with Peer(self.service) as peer:
            job = peer.start(slow)
            peer.until_running(job)
        error = self.peer().result(job)["error"]
        self.assertEqual((error["code"], error["reason"]),
                         ("CANCELLED", "client_gone"))

    def test_a_front_that_dies_during_the_job_does_not_end_it(self):
        job = self.leave(slow_file(self.folder, seconds=2))
        kill(self.service.front())
        reply = self.peer().result(job)
        self.assertEqual(reply["type"], "result", reply)

    def test_a_front_that_dies_with_the_result_is_told_of(self):
        peer = self.peer()
        job = self.leave(self.small)
        self.until_ended(peer, job)
        old = self.service.front()
        kill(old)
        eventually("another front", lambda: [
            pid for pid in self.service.pids("extractd-front")
            if pid != old])
        replies = [peer.result(job) for _ in range(2)]
        self.assertEqual({reply["error"]["code"] for reply in replies},
                         {"FRONT_LOST"})
        outcomes = eventually("it is counted", lambda: peer.status()[
            "outcomes"])
        self.assertEqual(sum(cell["jobs"] for cell in outcomes), 1, outcomes)


class DetachedForASecond(Served):
    options = ("--result-ttl-seconds", "1")

    def test_then_it_has_expired(self):
        peer = self.peer()
        job = self.leave(self.small)
        error = eventually("it expires", lambda: peer.ask(
            "result", job=job).get("error"))
        self.assertEqual((error["code"], error["reason"]),
                         ("RESULT_EXPIRED", "expired"))
        self.assertTrue(error["retryable"])


if __name__ == "__main__":
    unittest.main()
