"""Every way a job can end before its time, and that nobody else notices."""

import json
import os
import signal
import tempfile
import unittest

from harness import (Peer, Service, eventually, gone, kill, profile,
                     slow_file, without_run)


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.slow = slow_file(cls.folder.name)
        cls.small = profile(cls.folder.name)

    def setUp(self):
        self.service = Service("--workers", "2")
        self.addCleanup(self.service.close)
        self.assertTrue(self.service.ready, self.service.text())
        self.peer = Peer(self.service)
        self.addCleanup(self.peer.__exit__)

    def error(self, job):
        reply = self.peer.result(job)
        self.assertEqual(reply["type"], "error", reply)
        return reply["error"]

    def worker_of_slow_job(self):
        """The pid of the only worker that has used processor time."""
        def busiest():
            for pid in self.service.workers():
                with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                    stat = file.read()
                if int(stat[stat.rindex(")") + 2:].split()[11]) > 5:
                    return pid
            return None
        return eventually("a worker works", busiest)

    def test_a_killed_worker_is_its_own_jobs_loss_alone(self):
        before = self.peer.result(self.peer.start(self.small))["result"]
        job = self.peer.start(self.slow)
        pid = self.worker_of_slow_job()
        other = self.peer.start(self.small)
        kill(pid)
        self.assertEqual(self.error(job)["code"], "WORKER_KILLED")
        after = self.peer.result(other)["result"]
        self.assertEqual(without_run(before), without_run(after))

    def test_a_cancelled_job_ends_as_cancelled_and_its_worker_with_it(self):
        job = self.peer.start(self.slow)
        pid = self.worker_of_slow_job()
        self.assertEqual(self.peer.ask("cancel", job=job)["type"], "ok")
        error = self.error(job)
        self.assertEqual((error["code"], error["reason"]),
                         ("CANCELLED", "by_client"))
        eventually("the worker is gone", lambda: gone(pid))

    def cancel(self, job):
        process = self.service.client("cancel", job)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, err), (0, ""))
        return out

    def test_the_cancel_command_tells_a_job_that_had_ended(self):
        job, ended = self.peer.start(self.slow), self.peer.start(self.small)
        self.peer.result(ended)
        self.assertEqual(self.cancel(ended), f"{ended} had ended already\n")
        self.assertEqual(self.peer.result(ended)["type"], "result")
        self.assertEqual(self.cancel(job), f"{job} cancelled\n")
        self.assertEqual(self.error(job)["reason"], "by_client")
        self.assertEqual(self.cancel(job), f"{job} had ended already\n")

    def test_a_client_that_goes_away_takes_its_job_with_it(self):
        job = self.peer.start(self.slow)
        pid = self.worker_of_slow_job()
        self.peer.doors.pop(job).close()
        error = self.error(job)
        self.assertEqual((error["code"], error["reason"]),
                         ("CANCELLED", "client_gone"))
        eventually("the worker is gone", lambda: gone(pid))

    def test_wall_time_ends_a_job(self):
        job = self.peer.start(self.slow, limits={"wall_seconds": 1})
        error = self.error(job)
        self.assertEqual((error["code"], error["limit"], error["max"]),
                         ("LIMIT_EXCEEDED", "wall_seconds", 1))

    def test_processor_time_ends_a_job(self):
        job = self.peer.start(self.slow, limits={"cpu_seconds": 1})
        error = self.error(job)
        self.assertEqual((error["code"], error["limit"], error["max"]),
                         ("LIMIT_EXCEEDED", "cpu_seconds", 1))

    def test_a_stopped_worker_is_a_stall(self):
        job = self.peer.start(self.slow, limits={"stall_seconds": 3})
        kill(self.worker_of_slow_job(), signal.SIGSTOP)
        error = self.error(job)
        self.assertEqual((error["code"], error["limit"]),
                         ("LIMIT_EXCEEDED", "stall_seconds"))

    def test_a_file_whose_format_shows_late_is_no_stall(self):
        path = slow_file(self.folder.name, seconds=6, name="late.json",
                         start=b'{"unknown":[')
        job = self.peer.start(path, limits={"stall_seconds": 3})
        reply = self.peer.result(job, seconds=170)
        self.assertEqual(reply["type"], "result", reply)

    def test_memory_that_is_spent_is_a_limit_and_not_a_crash(self):
        path = profile(self.folder.name, "wide.cpuprofile", functions=60000)
        job = self.peer.start(path, limits={"memory_bytes": 16 << 20})
        error = self.error(job)
        self.assertEqual((error["code"], error["limit"]),
                         ("LIMIT_EXCEEDED", "memory_bytes"))
        self.assertGreater(error["actual"], 0)

    def test_a_killed_worker_is_replaced(self):
        for pid in self.service.workers():
            kill(pid)
        reply = self.peer.result(self.peer.start(self.small))
        self.assertEqual(reply["type"], "result")

    def test_a_ticket_is_good_for_one_connection_and_ten_seconds_alone(self):
        accepted = self.peer.submit("never.cpuprofile")
        error = self.error(accepted["job"])
        self.assertEqual((error["code"], error["reason"]),
                         ("CANCELLED", "ticket_expired"))

    def test_descriptors_that_are_no_files_are_named(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        folder = os.open(self.folder.name, os.O_RDONLY)
        write_only = os.open(self.small, os.O_WRONLY)
        path_only = os.open(self.small, os.O_PATH)
        zero = os.open("/dev/zero", os.O_RDONLY)
        for fd, reason in ((reader, "not_regular"), (folder, "not_regular"),
                           (write_only, "not_readable"),
                           (path_only, "not_readable"),
                           (zero, "not_regular")):
            accepted = self.peer.submit("odd")
            self.peer.hand_over(accepted, fd)
            error = self.error(accepted["job"])
            self.assertEqual((error["code"], error["reason"]),
                             ("INPUT_KIND", reason))
        for fd in (folder, write_only, path_only, zero):
            os.close(fd)

    def test_the_client_interrupted_leaves_nothing_behind(self):
        process = self.service.client("submit", self.slow,
                                      start_new_session=True)
        pid = self.worker_of_slow_job()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, -signal.SIGINT)
        eventually("the worker is gone", lambda: gone(pid))
        self.assertTrue(all(
            entry["state"] not in ("running", "queued")
            for entry in self.peer.ask("jobs")["jobs"]))

    def test_results_are_kept_for_whoever_asks_until_acknowledged(self):
        job = self.peer.start(self.small)
        first = self.peer.result(job)["result"]
        self.assertEqual(self.peer.result(job)["result"], first)
        self.assertEqual(self.peer.ask("ack", job=job)["type"], "ok")
        error = self.error(job)
        self.assertEqual(error["code"], "RESULT_EXPIRED")


class Busy(unittest.TestCase):
    def test_a_full_queue_answers_busy_and_says_when_to_come_back(self):
        with Service("--workers", "1", "--queue", "2",
                     standin="stall") as service, Peer(service) as peer, \
                tempfile.TemporaryDirectory() as folder:
            small = profile(folder)
            jobs = [peer.start(small) for _ in range(3)]
            refused = peer.submit("one too many")
            self.assertEqual(refused["type"], "error")
            self.assertEqual(refused["error"]["code"], "BUSY")
            self.assertTrue(refused["error"]["retryable"])
            self.assertGreater(refused["error"]["retry_after_ms"], 0)
            for job in jobs:
                peer.ask("cancel", job=job)
            for job in jobs:
                self.assertEqual(peer.result(job)["error"]["code"],
                                 "CANCELLED")
            self.assertEqual(peer.submit("again")["type"], "accepted")


class Clients(unittest.TestCase):
    def test_many_clients_each_get_their_own_results(self):
        with Service("--workers", "2", "--queue", "64") as service, \
                tempfile.TemporaryDirectory() as folder:
            processes = []
            for i in range(16):
                files = [profile(folder, f"c{i}-{k}.cpuprofile",
                                 functions=i + k + 1) for k in range(4)]
                processes.append((i, service.client(
                    "submit", "--output", "json", *files)))
            for i, process in processes:
                out, err = process.communicate(timeout=90)
                self.assertEqual(process.returncode, 0, err)
                nodes = [json.loads(line)["counts"]["nodes"]
                         for line in out.splitlines()]
                self.assertEqual(nodes, [i + k + 2 for k in range(4)])


if __name__ == "__main__":
    unittest.main()
