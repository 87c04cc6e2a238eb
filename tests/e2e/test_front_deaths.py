"""The front may die at any moment: running jobs go on, and what was lost is
said and can be sent again."""

import json
import os
import signal
import tempfile
import unittest

from harness import (Peer, Service, eventually, gone, kill, profile,
                     slow_file, without_run)


class FrontDeaths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.small = profile(cls.folder.name)

    def setUp(self):
        self.service = Service("--workers", "2")
        self.addCleanup(self.service.close)
        self.assertTrue(self.service.ready, self.service.text())
        self.peer = Peer(self.service)
        self.addCleanup(self.peer.__exit__)

    def replace_front(self):
        """Kills the front and waits for another one."""
        old = self.service.front()
        kill(old)
        eventually("another front", lambda: [
            pid for pid in self.service.pids("extractd-front") if pid != old])

    def test_killed_while_idle_it_is_back_for_the_next_job(self):
        self.replace_front()
        reply = self.peer.result(self.peer.start(self.small))
        self.assertEqual(reply["type"], "result")
        self.assertEqual(self.peer.status()["front_restarts"], 1)

    def test_killed_during_a_job_the_job_goes_on(self):
        slow = slow_file(self.folder.name, seconds=3)
        job = self.peer.start(slow)
        self.peer.until_running(job)
        self.replace_front()
        reply = self.peer.result(job)
        self.assertEqual(reply["type"], "result", reply)
        self.assertEqual(reply["result"]["counts"]["nodes"], 0)

    def test_stopped_for_good_it_is_replaced_and_the_job_is_no_stall(self):
        """The worker is stopped too, so that its job is not over before the
        front is replaced."""
        slow = slow_file(self.folder.name, seconds=3)
        job = self.peer.start(slow, limits={"stall_seconds": 3})
        self.peer.until_running(job)
        workers = self.service.workers()
        for pid in workers:
            kill(pid, signal.SIGSTOP)
        old = self.service.front()
        kill(old, signal.SIGSTOP)
        eventually("another front", lambda: [
            pid for pid in self.service.pids("extractd-front")
            if pid != old], 40)
        self.assertIn("why=silent", self.service.text())
        for pid in workers:
            kill(pid, signal.SIGCONT)
        reply = self.peer.result(job)
        self.assertEqual(reply["type"], "result", reply)

    def test_killed_between_admission_and_door_the_ticket_still_opens(self):
        accepted = self.peer.submit("later.cpuprofile")
        self.replace_front()
        with open(self.small, "rb") as file:
            self.peer.hand_over(accepted, file.fileno())
        reply = self.peer.result(accepted["job"])
        self.assertEqual(reply["type"], "result", reply)

    def test_killed_after_the_end_and_before_the_thanks_the_result_is_lost(
            self):
        job = self.peer.start(self.small)
        self.assertEqual(self.peer.result(job)["type"], "result")
        self.replace_front()
        error = self.peer.result(job)["error"]
        self.assertEqual(error["code"], "FRONT_LOST")
        self.assertTrue(error["retryable"])

    def test_a_result_that_was_acknowledged_is_not_lost(self):
        job = self.peer.start(self.small)
        self.peer.result(job)
        self.peer.ask("ack", job=job)
        self.replace_front()
        self.assertEqual(self.peer.result(job)["error"]["code"],
                         "RESULT_EXPIRED")

    def test_stopped_while_a_job_ends_and_killed_the_client_sends_it_again(
            self):
        """The front is stopped while the worker delivers, so that it dies with
        a result half read or not yet acknowledged."""
        undisturbed = self.peer.result(self.peer.start(self.small))["result"]
        slow = slow_file(self.folder.name, seconds=2)
        process = self.service.client("submit", "--output", "json", slow,
                                      self.small)
        eventually("jobs run", lambda: self.peer.ask("jobs")["jobs"])
        front = self.service.front()
        kill(front, signal.SIGSTOP)
        eventually("workers are done", lambda: len([
            pid for pid in self.service.workers()
            if not os.readlink(f"/proc/{pid}/exe").endswith("none")]) <= 2)
        kill(front)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        results = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(results[0]["counts"]["nodes"], 0)
        self.assertEqual(results[1]["rows"], undisturbed["rows"])

    def test_killed_ten_times_under_load_every_job_has_one_right_end(self):
        right = without_run(
            self.peer.result(self.peer.start(self.small))["result"])
        clients = [self.service.client("submit", "--output", "json",
                                       *[self.small] * 60) for _ in range(2)]
        for _ in range(10):
            self.replace_front()
        answered = lost = 0
        for process in clients:
            out, err = process.communicate(timeout=90)
            documents = [json.loads(line) for line in out.splitlines()]
            self.assertEqual(len(documents), 60, err)
            for document in documents:
                if document["schema"] == "extractd.result/1":
                    answered += 1
                    self.assertEqual(document["rows"], right["rows"])
                else:
                    lost += 1
                    self.assertEqual(document["code"], "FRONT_LOST",
                                     document)
        # A job is sent again once; only one hit twice may be lost.
        self.assertLessEqual(lost, 6)
        self.assertEqual(answered + lost, 120)

    def test_the_next_front_knows_class_and_lease_of_waiting_jobs(self):
        self.peer.submit("plain")
        self.peer.submit("late", detach=True, **{"class": "batch"})

        def listed():
            return {job["name"]: (job["class"], job["detached"])
                    for job in self.peer.ask("jobs")["jobs"]}

        right = {"plain": ("interactive", False), "late": ("batch", True)}
        self.assertEqual(listed(), right)
        self.replace_front()
        eventually("both are known", lambda: len(listed()) == 2)
        self.assertEqual(listed(), right)

    def test_a_front_that_goes_bad_is_replaced(self):
        front = self.service.front()
        kill(front, signal.SIGSEGV)
        eventually("it is gone", lambda: gone(front))
        reply = self.peer.result(self.peer.start(self.small))
        self.assertEqual(reply["type"], "result")


if __name__ == "__main__":
    unittest.main()
