"""Workers that lie, crash, flood, or try what no worker may do."""

import json
import os
import signal
import subprocess
import tempfile
import unittest

from harness import BUILD, Peer, Service, eventually, gone, profile

LIES = ("no_result", "rows_first", "too_few", "too_many", "above_cap",
        "twice", "wrong_length", "foreign_job")


class Misbehave(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.small = profile(cls.folder.name)

    def service(self, standin, *options):
        service = Service("--workers", "1", *options, standin=standin)
        self.addCleanup(service.close)
        self.assertTrue(service.ready, service.text())
        peer = Peer(service)
        self.addCleanup(peer.__exit__)
        return service, peer

    def error(self, peer, name, **options):
        reply = peer.result(peer.start(self.small, name=name, **options))
        self.assertEqual(reply["type"], "error", reply)
        return reply["error"]

    def test_a_worker_that_keeps_to_the_rules_is_believed(self):
        _, peer = self.service("echo_ok")
        reply = peer.result(peer.start(self.small, name="ok"))
        self.assertEqual(reply["type"], "result", reply)
        self.assertEqual(len(reply["result"]["rows"]), 1)

    def test_a_lie_is_a_bad_reply_and_the_next_job_is_served(self):
        _, peer = self.service("lie")
        for lie in LIES:
            with self.subTest(lie):
                self.assertEqual(self.error(peer, lie)["code"], "BAD_REPLY")

    def test_a_crash_is_told_with_its_signal(self):
        _, peer = self.service("crash")
        error = self.error(peer, "boom")
        self.assertEqual((error["code"], error["signal"]),
                         ("WORKER_CRASHED", signal.SIGSEGV))

    def test_a_flood_is_cut_off_and_the_front_stays_small(self):
        service, peer = self.service("flood")
        front = service.front()
        self.assertEqual(self.error(peer, "flood")["code"], "BAD_REPLY")
        self.assertEqual(service.front(), front)
        with open(f"/proc/{front}/status", encoding="utf-8") as file:
            peak = next(int(line.split()[1]) for line in file
                        if line.startswith("VmHWM"))
        self.assertLess(peak, 64 * 1024)

    def test_a_worker_that_spins_meets_its_limit(self):
        _, peer = self.service("spin")
        error = self.error(peer, "spin", limits={"wall_seconds": 1})
        self.assertEqual((error["code"], error["limit"]),
                         ("LIMIT_EXCEEDED", "wall_seconds"))

    def test_a_silent_worker_is_a_stall(self):
        service, peer = self.service("stall")
        for name in ("stall", "stop"):
            error = self.error(peer, name, limits={"stall_seconds": 3})
            self.assertEqual((error["code"], error["limit"]),
                             ("LIMIT_EXCEEDED", "stall_seconds"))
        eventually("no worker is left busy",
                   lambda: peer.status()["workers"]["busy"] == 0)
        self.assertEqual(service.process.poll(), None)

    def test_workers_that_never_start_are_told_and_do_not_spin(self):
        service, peer = self.service_of_bad_starters()
        if service is None:
            return
        error = self.error(peer, "x")
        self.assertEqual(error["code"], "WORKER_START_FAILED")

    def service_of_bad_starters(self):
        """Workers that die before READY: the service either refuses to start,
        or says so to each job; in both cases it does not start thousands."""
        service = Service("--workers", "1", standin="exit_early")
        self.addCleanup(service.close)
        starts = service.text().count("worker")
        self.assertLess(starts, 200)
        if not service.ready:
            self.assertNotEqual(service.process.wait(20), 0)
            return None, None
        peer = Peer(service)
        self.addCleanup(peer.__exit__)
        return service, peer

    def test_no_sandbox_no_service(self):
        service = Service("--workers", "1", standin="no_sandbox")
        self.addCleanup(service.close)
        self.assertFalse(service.ready)
        self.assertNotEqual(service.process.wait(20), 0)
        self.assertIn("no_new_privs", service.text())


class RealWorker(unittest.TestCase):
    def test_it_holds_nothing_that_it_could_misuse(self):
        with Service("--workers", "1") as service:
            pid = eventually("a worker", service.workers)[0]
            with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                status = dict(line.rstrip().split(":\t", 1)
                              for line in file.read().splitlines()
                              if ":\t" in line.rstrip())
            for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
                self.assertEqual(int(status[kind], 16), 0, kind)
            self.assertEqual(status["NoNewPrivs"], "1")
            if os.geteuid() == 0:
                self.assertNotIn("0", status["Uid"].split())
                held = sorted(os.listdir(f"/proc/{pid}/fd"), key=int)
                self.assertLessEqual(set(held), set("01234"))

    def test_its_file_needs_no_library(self):
        header = subprocess.run(
            ["readelf", "-d", BUILD / "extract-worker"], check=True,
            capture_output=True, text=True).stdout
        self.assertNotIn("NEEDED", header)

    def test_the_layers_are_named_in_each_result(self):
        with Service("--workers", "1") as service, Peer(service) as peer, \
                tempfile.TemporaryDirectory() as folder:
            reply = peer.result(peer.start(profile(folder)))
            layers = reply["result"]["run"]["sandbox"]
            for required in ("no_new_privs", "seccomp", "rlimits",
                             "no_capabilities"):
                self.assertIn(required, layers)
            status = peer.status()
            self.assertEqual(set(status["sandbox"]), set(layers))
            self.assertEqual(
                set(status["sandbox"]) & set(status["sandbox_missing"]),
                set())
            json.dumps(status)

    def test_when_it_has_ended_nothing_of_it_is_left(self):
        with Service("--workers", "1") as service, Peer(service) as peer, \
                tempfile.TemporaryDirectory() as folder:
            pid = eventually("a worker", service.workers)[0]
            peer.result(peer.start(profile(folder)))
            eventually("it is gone", lambda: gone(pid))


if __name__ == "__main__":
    unittest.main()
