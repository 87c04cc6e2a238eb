"""Each process dies at each step of a job's way: the job's end is the right
one, and other jobs are untouched."""

import os
import signal
import socket
import tempfile
import unittest

from harness import (Peer, Service, children, eventually, gone, kill, profile,
                     slow_file, without_run)


class Deaths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.small = profile(folder.name)
        cls.slow = slow_file(folder.name, 20)
        cls.brief = slow_file(folder.name, 1, "brief.cpuprofile")

    def setUp(self):
        self.service = Service("--workers", "1", "--log-level", "debug")
        self.addCleanup(self.service.close)
        self.assertTrue(self.service.ready, self.service.text())
        self.peer = Peer(self.service)
        self.addCleanup(self.peer.__exit__)

    def served(self):
        """The next job is none the worse."""
        reply = self.peer.result(self.peer.start(self.small))
        self.assertEqual(reply["type"], "result", reply)

    def worker_with_file(self):
        def one():
            for pid in self.service.workers():
                if os.path.lexists(f"/proc/{pid}/fd/5"):
                    return pid
            return None
        return eventually("a worker reads", one)

    def code(self, job):
        return self.peer.result(job)["error"]["code"]

    def test_worker_killed_while_it_reads(self):
        job = self.peer.start(self.slow)
        kill(self.worker_with_file())
        self.assertEqual(self.code(job), "WORKER_KILLED")
        self.served()

    def test_worker_killed_before_its_file_came(self):
        accepted = self.peer.submit("later")
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(door.close)
        door.connect(accepted["door"])
        door.send(bytes.fromhex(accepted["ticket"]))
        self.peer.until_running(accepted["job"])
        for pid in self.service.workers():
            kill(pid)
        self.assertEqual(self.code(accepted["job"]), "WORKER_KILLED")
        self.served()

    def test_worker_stopped_for_a_while_only_takes_longer(self):
        job = self.peer.start(self.brief)
        pid = self.worker_with_file()
        kill(pid, signal.SIGSTOP)
        self.assertEqual(self.peer.state(job), "running")
        kill(pid, signal.SIGCONT)
        self.assertEqual(self.peer.result(job)["type"], "result")

    def test_worker_killed_the_queued_one_runs_next(self):
        first = self.peer.start(self.slow)
        pid = self.worker_with_file()
        second = self.peer.start(self.small)
        eventually("it waits", lambda: self.peer.state(second) == "queued")
        kill(pid)
        self.assertEqual(self.code(first), "WORKER_KILLED")
        self.assertEqual(self.peer.result(second)["type"], "result")

    def test_warm_workers_killed_again_and_again_do_not_stop_the_service(self):
        """Killed from outside, so each is made anew at once; a job comes
        through when it stops."""
        for _ in range(50):
            old = eventually("a warm worker", self.service.workers)
            for pid in old:
                kill(pid)
            eventually("they are gone", lambda o=old: all(map(gone, o)))
        self.served()

    def test_client_gone_with_a_job_in_each_state(self):
        running = self.peer.start(self.slow)
        pid = self.worker_with_file()
        queued = self.peer.start(self.slow)
        eventually("it waits", lambda: self.peer.state(queued) == "queued")
        for job in (queued, running):
            self.peer.doors.pop(job).close()
            self.assertEqual(self.code(job), "CANCELLED")
        eventually("its worker is gone", lambda: gone(pid))
        self.served()

    def test_front_killed_with_a_job_in_each_state(self):
        running = self.peer.start(self.brief)
        self.worker_with_file()
        queued = self.peer.start(self.small)
        eventually("it waits", lambda: self.peer.state(queued) == "queued")
        admitted = self.peer.submit("later")
        front = self.service.front()
        kill(front)
        eventually("it is gone", lambda: gone(front))
        with open(self.small, "rb") as file:
            self.peer.hand_over(admitted, file.fileno())
        for job in (running, queued, admitted["job"]):
            self.assertEqual(self.peer.result(job)["type"], "result")

    def test_front_stopped_while_jobs_run_and_let_go(self):
        job = self.peer.start(self.brief)
        pid = self.worker_with_file()
        front = self.service.front()
        kill(front, signal.SIGSTOP)
        eventually("the worker is done", lambda: gone(pid), 60)
        kill(front, signal.SIGCONT)
        self.assertEqual(self.peer.result(job)["type"], "result")

    def test_the_rooms_holder_killed_while_a_job_runs(self):
        holders = children(self.service.process.pid, "extractd-room")
        if not holders:
            # Where no room can be had there is no holder to lose.
            self.assertIn("room_missing", self.service.text())
            return
        job = self.peer.start(self.brief)
        self.worker_with_file()
        kill(holders[0])
        eventually("it is told", lambda: "room_lost" in self.service.text())
        self.assertEqual(self.peer.result(job)["type"], "result")
        self.served()

    def test_worker_and_front_killed_during_the_drain(self):
        job = self.peer.start(self.slow)
        pid = self.worker_with_file()
        front = self.service.front()
        self.service.process.send_signal(signal.SIGTERM)
        eventually("it drains",
                   lambda: "stage=draining" in self.service.text())
        kill(front)
        eventually("another front", lambda: [
            p for p in self.service.pids("extractd-front") if p != front])
        kill(pid)
        self.assertEqual(self.code(job), "WORKER_KILLED")
        self.service.process.wait(20)
        self.assertEqual(self.service.process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
