"""Limits that the service was started under: jobs get what a process may
have, and are told so; where no worker could have enough, it does not start."""

import contextlib
import json
import resource
import socket
import subprocess
import tempfile
import unittest

from harness import (BUILD, PATIENCE_S, Peer, Service, client, eventually,
                     profile)


class InheritedLimits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = profile(folder.name)

    def submit_under(self, which, most, *options):
        process = client(
            "submit", "--embedded", "--output", "json", *options, self.file,
            preexec_fn=lambda: resource.setrlimit(which, (most, most)))
        out, _ = process.communicate(timeout=60)
        return process.returncode, json.loads(out)

    def test_a_job_gets_what_a_process_may_have(self):
        for which, most, name, gets in (
                (resource.RLIMIT_AS, 500 << 20, "memory_bytes", 500 << 20),
                (resource.RLIMIT_CPU, 60, "cpu_seconds", 59)):
            with self.subTest(name):
                code, result = self.submit_under(which, most)
                self.assertEqual((code, result["status"]), (0, "ok"), result)
                self.assertEqual(result["limits"][name], gets)

    def test_a_job_that_asks_for_more_is_refused(self):
        code, error = self.submit_under(
            resource.RLIMIT_CPU, 60, "--limit", "cpu_seconds=100")
        self.assertEqual((code, error["code"]), (2, "INVALID_REQUEST"), error)

    def test_a_service_that_could_give_no_worker_enough_says_so(self):
        for option, most, what in (("-v", 15 << 10, "memory_bytes"),
                                   ("-t", 1, "cpu_seconds")):
            with self.subTest(what):
                process = subprocess.run(
                    ["/bin/sh", "-c",
                     f'ulimit {option} {most} && exec "$0" "$@"',
                     BUILD / "extractd", "--runtime-dir", self.folder],
                    capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(process.returncode, 2, process.stderr)
                self.assertIn(what, process.stderr)
                self.assertIn(f"ulimit {option}", process.stderr)

    def connect(self, service, count):
        """So many silent connections to the API, as fast as they are taken."""
        for _ in range(count):
            line = socket.socket(socket.AF_UNIX)
            self.addCleanup(line.close)
            line.settimeout(PATIENCE_S)

            def connected(line=line):
                # Refused: no more may wait; or one front is gone and the
                # next not there yet.
                with contextlib.suppress(BlockingIOError, InterruptedError):
                    line.connect(str(service.runtime / "extractd.sock"))
                    return True
                return False
            eventually("it is connected", connected)

    def serve_under(self, files, *options):
        """Three jobs, and a fourth behind twice as many connections."""
        service = Service("--workers", "2", *options, launcher=(
            "/bin/sh", "-c", f'ulimit -n {files} && exec "$0" "$@"'))
        self.addCleanup(service.close)
        if not service.ready:
            self.assertIn(f"{files} open files are allowed", service.text())
            self.assertEqual(service.process.wait(PATIENCE_S), 1)
            return False
        with Peer(service) as peer:
            for _ in range(3):
                reply = peer.result(peer.start(self.file))
                self.assertEqual(reply["type"], "result", reply)
        self.connect(service, 2 * files)
        with Peer(service) as peer:
            reply = peer.result(peer.start(self.file))
            self.assertEqual(reply["type"], "result", reply)
            eventually("they were too many", lambda: peer.status()[
                "front_restarts"])
        service.close()
        return True

    def test_few_files_are_refused_by_name_or_enough(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE,
                        (soft, hard))
        for files, serves, *options in (
                (32, False), (64, False), (128, False), (256, False),
                (128, True, "--queue", "4"), (256, True, "--queue", "32"),
                (512, True), (1024, True)):
            with self.subTest(files=files):
                self.assertEqual(self.serve_under(files, *options), serves)


if __name__ == "__main__":
    unittest.main()
