"""Limits that the service was started under: jobs get what a process may
have, and are told so; where no worker could have enough, it does not start."""

import json
import resource
import subprocess
import tempfile
import unittest

from harness import BUILD, client, profile

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


if __name__ == "__main__":
    unittest.main()
