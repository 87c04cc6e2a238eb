"""Who is served when there are more jobs than workers."""

import tempfile
import unittest

import harness


class Fairness(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.slow = harness.slow_file(folder.name)
        self.small = harness.profile(folder.name)

    def service(self, *options):
        service = harness.Service(
            "--default", "memory_bytes=64M", "--total-memory", "1G", *options)
        self.addCleanup(service.close)
        self.assertTrue(service.ready, service.text())
        return service

    def peer(self, service):
        peer = harness.Peer(service)
        self.addCleanup(peer.__exit__)
        return peer

    def test_batch_jobs_leave_a_worker_to_others(self):
        service = self.service("--workers", "2")
        batch, person = self.peer(service), self.peer(service)
        jobs = [batch.start(self.slow, **{"class": "batch"})
                for _ in range(3)]
        batch.until_running(jobs[0])
        reply = person.result(person.start(self.small))
        self.assertEqual(reply["type"], "result", reply)
        states = [batch.state(job) for job in jobs]
        self.assertEqual(states, ["running", "queued", "queued"])
        self.assertEqual(batch.status()["queue"]["batch"], 2)

    def test_clients_take_turns(self):
        service = self.service("--workers", "1")
        many, one = self.peer(service), self.peer(service)
        first = many.start(self.slow)
        many.until_running(first)
        crowd = [many.start(self.small) for _ in range(20)]
        lone = one.start(self.small)
        harness.eventually("the lone job waits",
                           lambda: one.state(lone) == "queued")
        many.ask("cancel", job=first)
        self.assertEqual(one.result(lone)["type"], "result")
        for job in crowd:
            self.assertEqual(many.result(job)["type"], "result")
        # by the log, which has a line for each in the order they ended
        ended = [line.split(" job=")[1].split()[0]
                 for line in service.text().splitlines()
                 if "event=obituary" in line]
        self.assertLessEqual(ended.index(lone), 2, ended)

    def test_workers_beyond_the_memory_are_not_had_and_said(self):
        service = self.service("--workers", "50")
        workers = self.peer(service).status()["workers"]
        self.assertEqual((workers["wanted"], workers["max"]), (50, 16))


if __name__ == "__main__":
    unittest.main()
