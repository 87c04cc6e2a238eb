"""Limits that the service was started under, below what a job asks for: the
job cannot have them, and says so; it is not taken for a worker that lies."""

import json
import resource
import tempfile
import unittest

from harness import client, profile


class InheritedLimits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = profile(folder.name)

    def error_under(self, which, most):
        process = client(
            "submit", "--embedded", "--output", "json", self.file,
            preexec_fn=lambda: resource.setrlimit(which, (most, most)))
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 70, out)
        return json.loads(out)

    def test_a_worker_that_cannot_have_its_limits_says_so(self):
        for which, most in ((resource.RLIMIT_AS, 500 << 20),
                            (resource.RLIMIT_CPU, 60)):
            with self.subTest(which):
                error = self.error_under(which, most)
                self.assertEqual((error["code"], error["reason"]),
                                 ("WORKER_START_FAILED", "setup_failed"))


if __name__ == "__main__":
    unittest.main()
