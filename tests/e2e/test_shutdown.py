"""The service stops when it is told to, and leaves nothing behind."""

import ctypes
import os
import signal
import socket
import subprocess
import tempfile
import unittest

from harness import (BUILD, Peer, Service, children, client, eventually,
                     gone, kill, profile, slow_file)


class Shutdown(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def family(self, service):
        return [service.process.pid, *children(service.process.pid)]

    def assert_gone(self, pids):
        for pid in pids:
            eventually(f"{pid} is gone", lambda pid=pid: gone(pid))

    def test_the_end_of_the_lifeline_takes_everything_down(self):
        with Service("--workers", "2") as service:
            pids = self.family(service)
            self.assertGreaterEqual(len(pids), 3)
            os.close(service.lifeline)
            service.lifeline = -1
            self.assertEqual(service.process.wait(20), 0)
            self.assert_gone(pids)
            self.assertFalse(os.path.exists(service.runtime))

    def assert_ends_before_it_began(self, end):
        """At what end does, while its first worker does not come up."""
        service = Service(standin="mute", wait=False)
        self.addCleanup(service.close)
        pids = [service.process.pid, eventually(
            "a worker", lambda: service.pids("extract-worker"))[0]]
        end(service)
        self.assertEqual(service.process.wait(20), 0, service.text())
        self.assert_gone(pids)
        self.assertNotIn("front_started", service.text())
        self.assertFalse(os.path.exists(service.runtime))

    def test_the_end_of_the_lifeline_before_it_began_is_no_less(self):
        def end(service):
            os.close(service.lifeline)
            service.lifeline = -1

        self.assert_ends_before_it_began(end)

    def test_a_signal_before_it_began_is_no_less(self):
        self.assert_ends_before_it_began(
            lambda service: service.process.send_signal(signal.SIGTERM))

    def test_when_it_has_stopped_no_zombie_is_left_to_others(self):
        """The kernel gives a service's orphans to this process."""
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        pr_set_child_subreaper = 36
        self.assertEqual(prctl(pr_set_child_subreaper, 1, 0, 0, 0), 0)
        self.addCleanup(prctl, pr_set_child_subreaper, 0, 0, 0, 0)
        with Service("--workers", "2") as service:
            eventually("warm workers", lambda: len(service.workers()) >= 2)
            service.process.send_signal(signal.SIGTERM)
            self.assertEqual(service.process.wait(20), 0)
            with self.assertRaises(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)

    def test_asked_to_stop_it_lets_running_jobs_end(self):
        # on a busy machine the file's two seconds may well be a minute
        with Service("--workers", "1", "--drain-seconds",
                     "600") as service, Peer(service) as peer:
            job = peer.start(slow_file(self.folder.name, seconds=2))
            peer.until_running(job)
            service.process.send_signal(signal.SIGTERM)
            reply = peer.result(job, seconds=300)
            self.assertEqual(reply["type"], "result", reply)
            peer.ask("ack", job=job)
            self.assertEqual(service.process.wait(20), 0)

    def test_asked_twice_it_cancels_what_runs(self):
        with Service("--workers", "1") as service, Peer(service) as peer:
            job = peer.start(slow_file(self.folder.name))
            peer.until_running(job)
            service.process.send_signal(signal.SIGTERM)
            service.process.send_signal(signal.SIGINT)
            error = peer.result(job)["error"]
            self.assertEqual((error["code"], error["reason"]),
                             ("CANCELLED", "shutdown"))
            self.assertEqual(service.process.wait(20), 0)

    def test_while_it_stops_nothing_new_is_taken(self):
        with Service("--workers", "1") as service, Peer(service) as peer:
            job = peer.start(slow_file(self.folder.name, seconds=3))
            peer.until_running(job)
            service.process.send_signal(signal.SIGTERM)
            eventually("it refuses", lambda: peer.submit("late")["type"]
                       == "error")
            peer.result(job)

    def test_killed_itself_its_children_die_with_it(self):
        with Service("--workers", "2") as service:
            pids = self.family(service)
            kill(service.process.pid)
            service.process.wait(20)
            self.assert_gone(pids)

    def test_killed_it_can_be_started_again_in_the_same_place(self):
        first = Service("--workers", "1")
        try:
            kill(first.process.pid)
            first.process.wait(20)
            with Service("--workers", "1", runtime=first.runtime) as again:
                process = again.client("submit",
                                       profile(self.folder.name))
                process.communicate(timeout=20)
                self.assertEqual(process.returncode, 0)
        finally:
            first.close()

    def test_two_services_cannot_share_a_place(self):
        with Service("--workers", "1") as service:
            second = subprocess.run(
                [BUILD / "extractd", "--runtime-dir", service.runtime],
                capture_output=True, text=True, timeout=20, check=False)
            self.assertNotEqual(second.returncode, 0)
            self.assertIn(str(service.runtime), second.stderr)
            with Peer(service) as peer:
                self.assertEqual(peer.ask("version")["type"], "version")

    def test_an_embedded_service_dies_with_its_client(self):
        process = client("submit", "--embedded",
                         slow_file(self.folder.name))
        service = eventually("a service", lambda: children(process.pid,
                                                           "extractd"))[0]
        pids = [service, *eventually("its children",
                                     lambda: children(service))]
        kill(process.pid)
        process.communicate(timeout=20)
        self.assert_gone(pids)

    def test_an_embedded_service_leaves_no_folder_behind(self):
        with tempfile.TemporaryDirectory() as temporary:
            environment = dict(os.environ, TMPDIR=temporary)
            environment.pop("XDG_RUNTIME_DIR", None)
            process = client("submit", "--embedded",
                             profile(self.folder.name), env=environment)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(os.listdir(temporary), [])

    def test_systemd_is_told_when_it_is_ready_and_when_it_stops(self):
        path = os.path.join(self.folder.name, "notify")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(listener.close)
        listener.bind(path)
        listener.settimeout(20)
        os.environ["NOTIFY_SOCKET"] = path
        try:
            service = Service("--workers", "1")
        finally:
            del os.environ["NOTIFY_SOCKET"]
        try:
            self.assertIn(b"READY=1", listener.recv(4096))
            service.process.send_signal(signal.SIGTERM)
            told = b""
            while b"STOPPING=1" not in told:
                told += listener.recv(4096)
        finally:
            service.close()


if __name__ == "__main__":
    unittest.main()
