"""No room on a disk, no descriptors, signals without end: what cannot be done
is said, and the rest goes on."""

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from harness import (BUILD, Peer, Service, client, kill, profile,
                     slow_file, without_run)


def cpu_s(pid):
    """Processor time of a process and of its children that it has reaped."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(") ")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class NoRoom(unittest.TestCase):
    """RLIMIT_FSIZE stands in for a full disk: a write comes short, then
    fails."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.many = profile(folder.name, functions=400)
        cls.service = Service()
        cls.addClassCleanup(cls.service.close)

    def submit_small(self, *arguments, most=4096, stdin=None, env=None):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        return subprocess.run(
            [BUILD / "extract-client", "submit", "--output", "json",
             *map(str, arguments), "--endpoint", self.service.endpoint],
            preexec_fn=limit, input=stdin, env=env, timeout=60,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True, check=False)

    def test_a_result_that_does_not_fit_leaves_the_old_one(self):
        out = os.path.join(self.folder, "out.json")
        with open(out, "w") as file:
            file.write("old")
        done = self.submit_small(self.many, "-o", out)
        self.assertEqual(done.returncode, 70, done.stderr)
        self.assertIn(b"cannot write", done.stderr)
        with open(out) as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual([name for name in os.listdir(self.folder)
                          if name.startswith(".")], [])

    def test_a_device_that_is_full_is_said(self):
        done = subprocess.run(
            [BUILD / "extract-client", "submit", self.many, "-o",
             "/dev/full", "--endpoint", self.service.endpoint],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
            check=False)
        self.assertEqual(done.returncode, 70, done.stderr)
        self.assertIn(b"No space left", done.stderr)

    def test_input_that_cannot_be_spooled_is_said(self):
        tmp = os.path.join(self.folder, "tmp")
        os.mkdir(tmp)
        done = self.submit_small("-", stdin=b" " * 100000,
                                 env=dict(os.environ, TMPDIR=tmp))
        self.assertEqual(json.loads(done.stdout)["code"], "SPOOL_FULL")
        self.assertEqual(os.listdir(tmp), [])


class NoDescriptors(unittest.TestCase):
    def crowd_out(self, kind, name):
        """A front of 80 descriptors, and 150 that come and say nothing. It
        may die, since libzmq aborts without any, and is then made anew, at
        most once a second; what it may not do is spin, or stay away."""
        launcher = "sh", "-c", 'ulimit -n 80; exec "$@"', "sh"
        with tempfile.TemporaryDirectory() as folder, Service(
                "--workers", "1", "--queue", "1", launcher=launcher) as service:
            small = profile(folder)
            begin = time.monotonic()
            with contextlib.ExitStack() as stack:
                for _ in range(150):
                    visitor = stack.enter_context(
                        socket.socket(socket.AF_UNIX, kind))
                    visitor.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        visitor.connect(f"{service.runtime}/{name}")
                # A client that comes now may have to wait.
                waiting = service.client("submit", small)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    waiting.wait(2)
                used = sum(map(cpu_s, [service.process.pid,
                                       *service.pids("extractd-front")]))
            self.assertLess(used, 0.5 * (time.monotonic() - begin) + 0.5)
            waiting.communicate(timeout=60)
            self.assertIn(waiting.returncode, (0, 1, 7, 70))
            with Peer(service) as peer:
                reply = peer.result(peer.start(small))
                self.assertEqual(reply["type"], "result", reply)
                lasted = time.monotonic() - begin
                self.assertLessEqual(peer.status()["front_restarts"],
                                     3 + lasted)

    def test_a_door_without_any_left_rests_and_comes_back(self):
        self.crowd_out(socket.SOCK_SEQPACKET, "door.sock")

    def test_an_api_without_any_left_rests_and_comes_back(self):
        self.crowd_out(socket.SOCK_STREAM, "extractd.sock")

    def test_a_client_without_any_left_says_so(self):
        with tempfile.TemporaryDirectory() as folder, Service() as service:
            small = profile(folder)
            ends = set()
            for most in range(4, 40):
                process = service.client(
                    "submit", "--output", "json", small,
                    preexec_fn=lambda m=most: resource.setrlimit(
                        resource.RLIMIT_NOFILE, (m, m)))
                out, err = process.communicate(timeout=60)
                with self.subTest(most=most):
                    if process.returncode == 0:
                        self.assertEqual(json.loads(out)["schema"],
                                         "extractd.result/1")
                    else:
                        self.assertNotEqual(out + err, "")
                ends.add(process.returncode)
            self.assertIn(0, ends)
            self.assertGreater(len(ends), 1)
            with Peer(service) as peer:
                self.assertEqual(peer.status()["front_restarts"], 0)

    def test_a_service_that_gets_few_says_how_many_it_needs(self):
        process = client(
            "submit", "--embedded", "-", stdin=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_NOFILE, (64, 64)))
        _, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("open files are allowed", err)


class SignalStorm(unittest.TestCase):
    def test_harmless_signals_at_everybody_change_no_result(self):
        with tempfile.TemporaryDirectory() as folder, \
                Service("--workers", "2") as service, Peer(service) as peer:
            small = profile(folder)
            slow = slow_file(folder, 1)
            right = without_run(peer.result(peer.start(small))["result"])
            done = threading.Event()
            clients = [service.client("submit", "--output", "json",
                                      slow, *[small] * 30) for _ in range(2)]

            def storm():
                while not done.wait(0.001):
                    pids = [service.process.pid, *service.pids(None),
                            *(c.pid for c in clients if c.poll() is None)]
                    for pid in pids:
                        for number in (signal.SIGCHLD, signal.SIGWINCH,
                                       signal.SIGSTOP, signal.SIGCONT):
                            kill(pid, number)

            thread = threading.Thread(target=storm)
            thread.start()
            try:
                ends = [c.communicate(timeout=90) for c in clients]
            finally:
                done.set()
                thread.join()
            for process, (out, err) in zip(clients, ends):
                self.assertEqual(process.returncode, 0, err)
                for line in out.splitlines()[1:]:
                    self.assertEqual(json.loads(line)["rows"],
                                     right["rows"])
                self.assertEqual(len(out.splitlines()), 31)
            self.assertEqual(peer.status()["front_restarts"], 0)


if __name__ == "__main__":
    unittest.main()
