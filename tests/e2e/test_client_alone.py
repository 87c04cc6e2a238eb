"""The client against a stand-in service, and against none.

What a real service does only under load or when it breaks is scripted here:
BUSY, a lost front, lost messages, a service that goes away.
"""

import csv
import fcntl
import io
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

from mock_service import MockService, error_object, row

BUILD = os.environ.get("EXTRACTD_BUILD", "build")
CLIENT = os.path.join(os.path.abspath(BUILD), "extract-client")
TIMEOUT = 60


class ClientCase(unittest.TestCase):
    """A working folder and a folder for the service, both removed."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="client-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.work = os.path.join(self.home, "work")
        self.tmp = os.path.join(self.home, "tmp")
        self.run_dir = os.path.join(self.home, "run")
        for folder in (self.work, self.tmp, self.run_dir):
            os.mkdir(folder)
        self.env = {"PATH": "/usr/bin:/bin", "TMPDIR": self.tmp,
                    "XDG_RUNTIME_DIR": self.run_dir}

    def serve(self, script=(), workers=2):
        folder = os.path.join(self.run_dir, "extractd")
        os.mkdir(folder)
        service = MockService(folder, script, workers).start()
        self.addCleanup(service.stop)
        self.env["EXTRACTD_ENDPOINT"] = "ipc://" + service.path
        return service

    def write(self, name, text='{"a":1}'):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return name

    def client(self, *args, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        env = {**self.env, **more.pop("env", {})}
        return subprocess.run([CLIENT, *args], cwd=self.work, env=env,
                              capture_output=True, text=True,
                              timeout=TIMEOUT, **more)

    def start(self, *args, **more):
        process = subprocess.Popen(
            [CLIENT, *args], cwd=self.work, env=self.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, condition):
        end = time.monotonic() + TIMEOUT
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def assert_clean(self):
        self.assertEqual(os.listdir(self.tmp), [])


class Submitting(ClientCase):
    def test_a_result_is_printed_acknowledged_and_whole(self):
        service = self.serve()
        run = self.client("submit", self.write("my app.cpuprofile"))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        result = json.loads(run.stdout)
        self.assertEqual(result["artifact"]["name"], "my app.cpuprofile")
        self.assertEqual(service.acked, ["j-%016x" % 1])

    def test_a_name_with_a_newline_stays_on_one_line(self):
        self.serve([{"error": error_object("ARTIFACT_PARSE_FAILED",
                                           "bad\x1b[2J", offset=5)}])
        run = self.client("submit", "--output", "table", self.write("a\nb"))
        self.assertEqual(run.returncode, 5)
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.stderr,
                         "extract-client: a\\u{a}b: bad\\u{1b}[2J "
                         "(ARTIFACT_PARSE_FAILED, at byte 5)\n")

    def test_results_come_in_the_order_given_with_errors_in_place(self):
        service = self.serve([{"hang": True}] * 0, workers=3)
        names = [self.write("f%d" % i) for i in range(12)]
        run = self.client("submit", *names[:5], "missing", *names[5:])
        self.assertEqual(run.returncode, 1)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([r["artifact"]["name"] for r in lines],
                         names[:5] + ["missing"] + names[5:])
        self.assertEqual(lines[5]["code"], "INPUT_KIND")
        self.assertIn("No such file", lines[5]["message"])
        self.assertLessEqual(service.most_at_once, 3)
        self.assertGreater(service.most_at_once, 1)

    def test_one_error_has_its_own_exit_status(self):
        for code, status, more in (
                ("CANCELLED", 8, {}), ("WORKER_CRASHED", 70, {}),
                ("LIMIT_EXCEEDED", 5, {"limit": "max_nodes"}),
                ("LIMIT_EXCEEDED", 8, {"limit": "wall_seconds"}),
                ("UNAUTHORIZED", 9, {}), ("INVALID_REQUEST", 2, {})):
            with self.subTest(code=code):
                service = MockService(tempfile.mkdtemp(dir=self.home),
                                      [{"error": error_object(code, "x",
                                                              **more)}])
                service.start()
                run = self.client("submit", "--endpoint", service.path,
                                  self.write("f"))
                service.stop()
                self.assertEqual(run.returncode, status, run.stderr)
                self.assertEqual(json.loads(run.stdout)["code"], code)

    def test_a_busy_service_is_asked_again(self):
        service = self.serve([{"busy": 10}, {"busy": 10}])
        run = self.client("submit", self.write("f"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(service.submits), 3)

    def test_a_job_whose_ticket_went_is_sent_again(self):
        service = self.serve([{"error": error_object("BUSY", "busy")}] * 2)
        run = self.client("submit", self.write("f"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(service.submits), 3)

    def test_a_lost_front_is_forgiven_once(self):
        service = self.serve([{"lost": True}])
        run = self.client("submit", self.write("f"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(service.submits), 2)

    def test_a_ticket_that_went_down_with_a_front_is_forgiven_once(self):
        error = error_object("CANCELLED", "the ticket was not used in time",
                             reason="ticket_expired")
        service = self.serve([{"error": error}])
        run = self.client("submit", self.write("f"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(service.submits), 2)

    def test_another_cancellation_is_not(self):
        error = error_object("CANCELLED", "cancelled", reason="shutdown")
        service = self.serve([{"error": error}])
        run = self.client("submit", self.write("f"))
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(len(service.submits), 1)

    def test_a_front_lost_twice_is_an_error(self):
        service = self.serve([{"lost": True}, {"lost": True}])
        run = self.client("submit", self.write("f"))
        self.assertEqual(run.returncode, 7)
        self.assertEqual(len(service.submits), 2)

    def test_a_lost_message_is_sent_again(self):
        service = self.serve([{"drop": True}])
        run = self.client("submit", self.write("f"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(service.submits), 2)

    def test_options_reach_the_service(self):
        service = self.serve()
        self.write("package.json", "{}")
        self.client("submit", "--rows", "2000", "--strict", "--limit",
                    "max_nodes=40M", self.write("f"))
        self.assertEqual(service.submits[0]["options"],
                         {"rows": 2000, "strict": True,
                          "limits": {"max_nodes": 40000000,
                                     "max_rows": 2000},
                          "project_root": self.work})

    def test_standard_input_may_be_a_pipe(self):
        service = self.serve([{"lost": True}])
        run = self.client("submit", "-", stdin=None, input='{"b":2}')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["artifact"]["bytes"], 7)
        self.assertEqual(service.submits[0]["name"], "-")
        self.assert_clean()

    def test_a_folder_is_its_recognised_files(self):
        self.serve()
        for name, text in (("d/b.cpuprofile", "{}"), ("d/a", '{"x":1}'),
                           ("d/readme", "hello"), ("d/empty", "")):
            self.write(name, text)
        run = self.client("submit", "d")
        self.assertEqual(run.returncode, 0)
        self.assertEqual([json.loads(line)["artifact"]["name"]
                          for line in run.stdout.splitlines()],
                         ["d/a", "d/b.cpuprofile"])
        self.assertEqual(run.stderr,
                         "extract-client: d: 2 of 4 files left out: not "
                         "profiles that are read\n")

    def test_a_folder_without_profiles_is_an_error(self):
        self.serve()
        self.write("d/readme", "hello")
        run = self.client("submit", "d")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(json.loads(run.stdout)["code"],
                         "UNSUPPORTED_FORMAT")
        self.assertIn("d: no file in this folder", run.stderr)

    def test_a_service_that_goes_away_is_told(self):
        folder = os.path.join(self.home, "gone")
        os.mkdir(folder)
        service = MockService(folder, [{"hang": True}]).start()
        self.env["EXTRACTD_ENDPOINT"] = service.path
        process = self.start("submit", self.write("f"))
        self.wait_until(lambda: any(j["data"] for j in
                                    list(service.jobs.values())))
        service.stop()
        shutil.rmtree(folder)
        _, stderr = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 7)
        self.assertIn("the service went away", stderr)


class Detached(ClientCase):
    JOB = "j-%016x"

    def test_the_id_alone_is_printed_and_the_result_fetched_later(self):
        service = self.serve([{"hang": True}])
        run = self.client("submit", "--detach", "--class", "batch",
                          self.write("f"))
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (0, self.JOB % 1 + "\n", ""))
        options = service.submits[0]["options"]
        self.assertEqual((options["detach"], options["class"]),
                         (True, "batch"))
        job = run.stdout.strip()
        run = self.client("result", job)
        self.assertEqual((run.returncode, run.stdout), (7, ""))
        self.assertTrue(run.stderr.startswith(
            f"extract-client: {job}: not ended yet (running)\n"), run.stderr)
        waiting = self.start("result", "--wait", job)
        self.wait_until(lambda: service.jobs[job]["data"] is not None)
        service.jobs[job]["step"] = {}
        out, _ = waiting.communicate(timeout=TIMEOUT)
        self.assertEqual(waiting.returncode, 0)
        self.assertEqual(json.loads(out)["artifact"]["bytes"], 7)
        again = self.client("result", job)
        self.assertEqual((again.returncode, again.stdout), (0, out))
        self.assertEqual((service.acked, service.cancelled), ([], []))

    def test_as_json_each_job_has_its_name_and_errors_their_place(self):
        self.serve()
        names = [self.write("a\nb"), self.write("c")]
        for output in ("json", "jsonl"):
            run = self.client("submit", "--detach", "--output", output,
                              names[0], "missing", names[1])
            self.assertEqual(run.returncode, 1)
            first, error, last = map(json.loads, run.stdout.splitlines())
            self.assertEqual((first["name"], last["name"]), ("a\nb", "c"))
            self.assertRegex(first["job"], "^j-[0-9a-f]{16}$")
            self.assertEqual(error["code"], "INPUT_KIND")

    def test_standard_input_is_handed_over(self):
        service = self.serve()
        run = self.client("submit", "--detach", "-", stdin=None,
                          input='{"b":2}')
        self.assertEqual(run.returncode, 0, run.stderr)
        result = self.client("result", "--wait", run.stdout.strip())
        self.assertEqual(json.loads(result.stdout)["artifact"]["bytes"], 7)
        self.assertEqual(service.cancelled, [])
        self.assert_clean()

    def test_a_busy_service_is_asked_again(self):
        service = self.serve([{"busy": 10}])
        run = self.client("submit", "--detach", self.write("f"))
        self.assertEqual((run.returncode, run.stdout),
                         (0, self.JOB % 1 + "\n"))
        self.assertEqual(len(service.submits), 2)

    def test_a_signal_takes_back_what_was_not_told(self):
        """The first file is never accepted, so no id is printed yet."""
        service = self.serve([{"busy": 60000}])
        process = self.start("submit", "--detach", self.write("f"),
                             self.write("g"))
        self.wait_until(lambda: service.jobs)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (-signal.SIGTERM, ""))
        self.wait_until(lambda: service.cancelled == [self.JOB % 1])

    def test_an_unknown_job_is_an_error(self):
        self.serve()
        for more in ((), ("--wait",)):
            run = self.client("result", *more, self.JOB % 9)
            self.assertEqual(run.returncode, 7)
            self.assertEqual(json.loads(run.stdout)["code"],
                             "RESULT_EXPIRED")

    def test_jobs_tells_class_and_outcome(self):
        service = self.serve([{}, {"hang": True}])
        self.client("submit", self.write("f"))
        self.client("submit", "--detach", "--class", "batch",
                    self.write("g"))
        run = self.client("jobs")
        self.assertEqual(
            [line.split() for line in run.stdout.splitlines()],
            ["JOB STATE CLASS OUTCOME TIME READ OF NAME".split(),
             f"{self.JOB % 1} ended interactive ok 1.5 s 1.0 MiB 4.0 MiB f"
             .split(),
             f"{self.JOB % 2} running batch - 1.5 s 1.0 MiB 4.0 MiB g"
             .split()])
        self.assertEqual((len(service.jobs), run.stderr), (2, ""))
        service.left_out = 3
        self.assertEqual(self.client("jobs").stderr,
                         "extract-client: 3 more are not listed\n")

    def test_cancel_tells_what_came_first(self):
        service = self.serve([{"hang": True}, {}])
        self.client("submit", "--detach", self.write("f"), self.write("g"))
        self.wait_until(lambda: all(
            job["data"] is not None for job in service.jobs.values()))
        running, over = self.JOB % 1, self.JOB % 2
        self.assertEqual(self.client("cancel", running).stdout,
                         f"{running} cancelled\n")
        # the list of jobs did not tell yet that this one had ended
        self.assertEqual(self.client("cancel", over).stdout,
                         f"{over} had ended already\n")
        self.assertEqual(service.cancelled, [running, over])
        self.assertEqual(self.client("cancel", running).stdout,
                         f"{running} had ended already\n")

    def test_without_a_service_none_is_started(self):
        run = self.client("submit", "--detach", self.write("f"))
        self.assertEqual((run.returncode, run.stdout), (7, ""))
        self.assertIn("is running\n", run.stderr)
        run = self.client("submit", "--detach", "--embedded", "f")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("would end with this command", run.stderr)


class Interrupting(ClientCase):
    def test_a_signal_cancels_the_job_and_ends_by_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                folder = tempfile.mkdtemp(dir=self.home)
                service = MockService(folder, [{"hang": True}]).start()
                self.env["EXTRACTD_ENDPOINT"] = service.path
                self.write("old", "old")
                process = self.start("submit", "-o", "old", self.write("f"))
                self.wait_until(lambda: any(
                    j["data"] for j in list(service.jobs.values())))
                process.send_signal(number)
                process.communicate(timeout=TIMEOUT)
                self.wait_until(lambda: service.cancelled)
                service.stop()
                self.assertEqual(process.returncode, -number)
                with open(os.path.join(self.work, "old"),
                          encoding="utf-8") as f:
                    self.assertEqual(f.read(), "old")
                self.assertEqual(sorted(os.listdir(self.work)),
                                 ["f", "old"])

    def test_a_signal_ends_the_copying_of_a_pipe(self):
        reader, writer = os.pipe()
        process = subprocess.Popen([CLIENT, "submit", "-"], stdin=reader,
                                   stdout=subprocess.DEVNULL,
                                   env=self.env, cwd=self.work)
        os.write(writer, b"x" * 1000)
        self.wait_until(lambda: any(
            "extractd-input" in os.readlink(f"/proc/{process.pid}/fd/{fd}")
            for fd in os.listdir(f"/proc/{process.pid}/fd")))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=TIMEOUT), -signal.SIGTERM)
        os.close(writer)
        os.close(reader)
        self.assert_clean()


class Printing(ClientCase):
    def test_on_a_terminal_it_is_a_table_that_fits(self):
        self.serve([{"rows": [row("f" * 200, 10, 10, 1),
                              row("(idle)", 5, 5, 2, category="idle")]}])
        shown = self.on_terminal(60, "submit", self.write("f"))
        self.assertIn("\033[1m", shown)
        lines = [line.replace("\033[1m", "").replace("\033[2m", "")
                 .replace("\033[0m", "") for line in shown.splitlines()]
        self.assertTrue(any("LOCATION" in line for line in lines), lines)
        self.assertLessEqual(max(len(line) for line in lines), 60)

    def test_no_color_is_honoured(self):
        self.serve()
        self.env["NO_COLOR"] = "1"
        self.assertNotIn("\033", self.on_terminal(80, "submit",
                                                  self.write("f")))

    def on_terminal(self, columns, *args):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([CLIENT, *args], cwd=self.work,
                                   env={**self.env, "TERM": "xterm"},
                                   stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        shown = b""
        try:
            while piece := os.read(master, 65536):
                shown += piece
        except OSError:  # the other side is closed
            pass
        os.close(master)
        self.assertEqual(process.wait(timeout=TIMEOUT), 0)
        return shown.decode()

    def test_jsonl_and_csv_are_what_they_say(self):
        self.serve([{"rows": [row("a,\"b", 1, 2, 1), row("=x", 3, 4, 2)]},
                    {"rows": [row("a,\"b", 1, 2, 1), row("=x", 3, 4, 2)]}])
        run = self.client("submit", "--output", "csv", self.write("f"))
        rows = list(csv.DictReader(io.StringIO(run.stdout)))
        self.assertEqual([r["function"] for r in rows], ["a,\"b", "'=x"])
        self.assertEqual(rows[1]["inclusive"], "4")
        run = self.client("submit", "--output", "jsonl", self.write("f"))
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([line["type"] for line in lines],
                         ["result", "row", "row"])

    def test_a_closed_pipe_ends_quietly(self):
        self.serve([{"rows": [row("f", 1, 1, i) for i in range(1, 500)]}])
        process = self.start("submit", "--output", "csv", self.write("f"))
        process.stdout.close()
        self.assertEqual(process.wait(timeout=TIMEOUT), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), "")
        process.stdout = None

    def test_a_full_disk_is_told(self):
        self.serve()
        with open("/dev/full", "wb") as full:
            run = subprocess.run([CLIENT, "submit", self.write("f")],
                                 cwd=self.work, env=self.env, stdout=full,
                                 stderr=subprocess.PIPE, text=True,
                                 timeout=TIMEOUT)
        self.assertEqual(run.returncode, 70)
        self.assertIn("No space left on device", run.stderr)

    def test_closed_standard_files_harm_nobody(self):
        self.serve()
        self.write("f")
        for closed, status in (("<&-", 0), (">&-", 70), ("2>&-", 0)):
            with self.subTest(closed=closed):
                run = subprocess.run(
                    ["sh", "-c", f'exec "$0" submit f {closed}', CLIENT],
                    cwd=self.work, env=self.env, capture_output=True,
                    timeout=TIMEOUT, check=False)
                self.assertEqual(run.returncode, status, run.stderr)
        with open(os.path.join(self.work, "f"), encoding="utf-8") as f:
            self.assertEqual(f.read(), '{"a":1}')


class WithoutAService(ClientCase):
    def test_commands_that_need_one_say_so(self):
        for args in (("status",), ("jobs",), ("cancel", "j-" + "0" * 16),
                     ("result", "j-" + "0" * 16)):
            with self.subTest(args=args):
                run = self.client(*args)
                self.assertEqual(run.returncode, 7)
                self.assertRegex(run.stderr, "^extract-client: no service "
                                 "(that you may use )?is running\n")

    def test_a_named_one_that_is_not_there_is_told(self):
        run = self.client("submit", "--endpoint", "ipc:///nowhere.sock",
                          self.write("f"))
        self.assertEqual(run.returncode, 7)
        self.assertIn("/nowhere.sock: No such file", run.stderr)

    def test_tcp_is_refused_clearly(self):
        run = self.client("status", "--endpoint", "tcp://127.0.0.1:1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("only ipc:// endpoints", run.stderr)

    def test_files_that_cannot_be_opened_need_none(self):
        run = self.client("submit", "missing", env={"PATH": "/nowhere"})
        self.assertEqual(run.returncode, 5)
        self.assertEqual(json.loads(run.stdout)["code"], "INPUT_KIND")

    def test_usage(self):
        run = self.client()
        self.assertEqual(run.returncode, 2)
        self.assertTrue(run.stderr.startswith("usage: extract-client"))
        self.assertEqual(self.client("--version").stdout.split()[0],
                         "extract-client")
        self.assertEqual(self.client("frobnicate").returncode, 2)
        for command in ("submit", "status", "formats", "limits", "jobs",
                        "result", "cancel", "version"):
            run = self.client(command, "--help")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("examples:", run.stdout)
            self.assertLessEqual(
                max(len(line) for line in run.stdout.splitlines()), 100)


if __name__ == "__main__":
    unittest.main()
