"""The private service of a client that found none: it is there when needed,
and gone with its client, however that ends."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BUILD = os.path.abspath(os.environ.get("EXTRACTD_BUILD", "build"))
CLIENT = os.path.join(BUILD, "extract-client")
TIMEOUT = 60
PROFILE = ('{"nodes":[{"id":1,"callFrame":{"functionName":"(root)",'
           '"scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}],'
           '"startTime":0,"endTime":9,"samples":[%s],"timeDeltas":[%s]}')


def commands_naming(text):
    """Command lines of running processes that hold the text."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                line = f.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found


class Embedded(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="embedded-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.tmp = os.path.join(self.home, "tmp")
        os.mkdir(self.tmp)
        self.env = {"PATH": "/usr/bin:/bin", "TMPDIR": self.tmp}

    def profile(self, samples):
        path = os.path.join(self.home, "p.cpuprofile")
        with open(path, "w", encoding="ascii") as f:
            f.write(PROFILE % (",".join("1" * samples),
                               ",".join("3" * samples)))
        return path

    def run_client(self, *args, **more):
        return subprocess.run([CLIENT, *args, "--embedded"], env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIMEOUT, **more)

    def wait_until_gone(self):
        end = time.monotonic() + TIMEOUT
        while found := commands_naming(self.tmp):
            self.assertLess(time.monotonic(), end, found)
            time.sleep(0.01)

    def test_it_serves_and_is_gone(self):
        for args in (("submit", self.profile(10)), ("formats",),
                     ("limits",), ("version",)):
            with self.subTest(args=args):
                run = self.run_client(*args)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertEqual(commands_naming(self.tmp), [])
                self.assertEqual(os.listdir(self.tmp), [])

    def test_two_at_once_have_one_each(self):
        path = self.profile(1000)
        clients = [subprocess.Popen([CLIENT, "submit", path, "--embedded"],
                                    env=self.env, stdout=subprocess.DEVNULL)
                   for _ in range(2)]
        self.assertEqual([c.wait(timeout=TIMEOUT) for c in clients], [0, 0])
        self.assertEqual(os.listdir(self.tmp), [])

    def test_nothing_outlives_a_client_that_is_interrupted(self):
        path = self.profile(3000000)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for delay in (0.0, 0.01, 0.03, 0.1, 0.3):
                with self.subTest(signal=number, delay=delay):
                    client = subprocess.Popen(
                        [CLIENT, "submit", path, "--embedded"], env=self.env,
                        stdout=subprocess.DEVNULL, start_new_session=True)
                    # what it is doing by then does not matter
                    time.sleep(delay)
                    os.killpg(client.pid, number)
                    status = client.wait(timeout=TIMEOUT)
                    self.assertIn(status, (-number, 0))
                    self.wait_until_gone()
                    if number != signal.SIGKILL:
                        self.assertEqual(os.listdir(self.tmp), [])

    def test_a_service_that_cannot_start_is_told(self):
        lonely = os.path.join(self.home, "bin")
        os.mkdir(lonely)
        client = shutil.copy(CLIENT, lonely)
        self.env["PATH"] = "/nowhere"
        run = subprocess.run([client, "submit", self.profile(1)],
                             env=self.env, capture_output=True, text=True,
                             timeout=TIMEOUT, check=False)
        self.assertEqual(run.returncode, 70)
        self.assertIn("none could be started: extractd: No such file",
                      run.stderr)
        self.assertEqual(os.listdir(self.tmp), [])

    def test_a_service_that_dies_at_its_start_shows_why(self):
        lonely = os.path.join(self.home, "bin")
        os.mkdir(lonely)
        client = shutil.copy(CLIENT, lonely)
        program = os.path.join(lonely, "extractd")
        # 3 is extractd's status for a sandbox that cannot be had
        for exits, status in ((1, 70), (3, 3)):
            with self.subTest(exits=exits):
                with open(program, "w", encoding="ascii") as f:
                    f.write("#!/bin/sh\necho no room for it >&2\n"
                            f"exit {exits}\n")
                os.chmod(program, 0o755)
                run = subprocess.run(
                    [client, "submit", self.profile(1)], env=self.env,
                    capture_output=True, text=True, timeout=TIMEOUT,
                    check=False)
                self.assertEqual(run.returncode, status)
                self.assertIn("  no room for it\n", run.stderr)
                self.assertEqual(os.listdir(self.tmp), [])


if __name__ == "__main__":
    unittest.main()
