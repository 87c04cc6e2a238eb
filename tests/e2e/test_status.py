"""`status`, `status --check` and `status --prometheus`: against a stand-in
that says what a real service seldom does, and against a real one after jobs
that ended in every usual way."""

import os
import json
import shutil
import tempfile
import unittest

import exposition
import harness
from mock_service import MockService

WHOLE = {
    "schema": "extractd.status/1", "version": "9.9.9", "uptime_ms": 61000,
    "endpoint": "ipc:///x", "taking_jobs": True,
    "workers": {"max": 2, "wanted": 2, "warm": 1, "starting": 0, "busy": 1,
                "stuck": 0},
    "queue": {"max": 64, "admitted": 1, "queued": 5, "interactive": 2,
              "batch": 3},
    "memory": {"total_bytes": 8 << 30, "used_bytes": 1 << 30},
    "jobs": {"accepted": 9, "refused": 4, "ended": 3},
    "rejected": {"queue_full": 4, "door": 0},
    "worker_starts": {"started": 12, "failed": 1},
    "worker_deaths": {"crashed": 0, "wall_seconds": 1},
    "outcomes": [
        {"outcome": "ok", "code": "OK", "format": "v8.cpuprofile", "jobs": 2},
        {"outcome": "failed", "code": "LIMIT_EXCEEDED", "format": None,
         "jobs": 1}],
    "job_seconds": {"bounds": [0.01, 0.1, 1, 10],
                    "counts": [0, 2, 0, 1, 0], "sum": 3.250001},
    "input_bytes": {"bounds": [1024, 1 << 20], "counts": [1, 1, 1],
                    "sum": (1 << 53) + 1},
    "worker_peak_rss_bytes": 4 << 20, "front_restarts": 1,
    "sandbox": ["no_new_privs", "seccomp", "rlimits"],
    "sandbox_missing": ["room"],
}

FAMILIES = {
    "extractd_up": "gauge", "extractd_info": "gauge",
    "extractd_jobs_total": "counter", "extractd_job_seconds": "histogram",
    "extractd_input_bytes": "histogram", "extractd_rejected_total": "counter",
    "extractd_workers": "gauge", "extractd_queue_depth": "gauge",
    "extractd_workers_started_total": "counter",
    "extractd_worker_start_failures_total": "counter",
    "extractd_worker_deaths_total": "counter",
    "extractd_worker_peak_rss_bytes": "gauge",
    "extractd_front_restarts_total": "counter",
    "extractd_memory_bytes": "gauge", "extractd_sandbox_layer": "gauge",
}


class ParserCase(unittest.TestCase):
    """The parser must be able to say no."""

    GOOD = ("# HELP h a\n# TYPE h histogram\n"
            'h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 3\nh_sum 4.5\nh_count 3\n'
            "# HELP c_total b\n# TYPE c_total counter\n"
            'c_total{x="a\\"\\\\\\n,}",y=""} 1\nc_total{x="b"} 2\n')

    def test_good_text_is_read(self):
        families = exposition.parse(self.GOOD)
        self.assertEqual(families["c_total"][1],
                         {(("x", 'a"\\\n,}'), ("y", "")): 1.0,
                          (("x", "b"),): 2.0})

    def test_bad_text_is_refused(self):
        for old, new in (
                ("# HELP c_total b\n", ""), ("# TYPE h histogram\n", ""),
                ("# HELP c_total b\n", "# HELP h b\n"),
                ("# TYPE c_total counter", "# TYPE c_total number"),
                ("c_total", "c"), ('"b"} 2', '"b"} two'), ('x="b"', "x=b"),
                ('x="b"', 'x="\\b"'), ('x="b"', 'x="b" y="c"'),
                ('x="b"', 'x="b",,y="c"'), ('x="b"', 'x="b",x="c"'),
                ('c_total{x="b"} 2', 'd_total{x="b"} 2'),
                ('{x="b"}', '{x="a\\"\\\\\\n,}",y=""}'), ("} 1", "} -1"),
                ('le="1"} 2', 'le="1"} 4'), ("h_count 3", "h_count 4"),
                ('le="+Inf"', 'le="2"'), ('le="1"', 'le="one"'),
                ("h_sum 4.5\n", ""), (' 2\nh', ' 2\n\nh'),
                ('{x="b"} 2\n', '{x="b"} 2')):
            with self.subTest(new=new):
                self.assertIn(old, self.GOOD)
                with self.assertRaises(exposition.Malformed):
                    exposition.parse(self.GOOD.replace(old, new))


class StandInCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="status-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def status(self, *arguments, **changes):
        """What the client makes of that status."""
        service = MockService(tempfile.mkdtemp(dir=self.folder))
        service.status = {**WHOLE, **changes}
        service.start()
        self.addCleanup(service.stop)
        return harness.run("status", *arguments, "--endpoint", service.path)

    def test_every_metric_is_there_once_and_as_it_was_said(self):
        status, text, err = self.status("--prometheus")
        self.assertEqual((status, err), (0, ""))
        families = exposition.parse(text)
        self.assertEqual({name: kind for name, (kind, _) in families.items()},
                         FAMILIES)
        series = {name: of for name, (_, of) in families.items()}
        self.assertEqual(series["extractd_up"], {(): 1})
        self.assertEqual(series["extractd_jobs_total"], {
            (("code", "OK"), ("format", "v8.cpuprofile"),
             ("outcome", "ok")): 2,
            (("code", "LIMIT_EXCEEDED"), ("format", "unknown"),
             ("outcome", "failed")): 1})
        self.assertEqual(series["extractd_queue_depth"], {
            (("class", "interactive"),): 2, (("class", "batch"),): 3})
        self.assertEqual({dict(key)["state"]: number for key, number
                          in series["extractd_workers"].items()},
                         {"warm": 1, "starting": 0, "busy": 1, "stuck": 0,
                          "max": 2})
        self.assertEqual(series["extractd_workers_started_total"], {(): 12})
        self.assertEqual(series["extractd_worker_start_failures_total"],
                         {(): 1})
        self.assertEqual(series["extractd_sandbox_layer"][
            (("layer", "room"),)], 0)
        self.assertIn("\nextractd_job_seconds_sum 3.250001\n", text)
        self.assertIn("\nextractd_input_bytes_sum 9007199254740993\n", text)

    def test_labels_are_escaped(self):
        name = 'a"b\\c\nd{},="é'
        _, text, _ = self.status("--prometheus", version=name,
                                 rejected={name: 3})
        families = exposition.parse(text)
        self.assertEqual(families["extractd_info"][1],
                         {(("version", name),): 1})
        self.assertEqual(families["extractd_rejected_total"][1],
                         {(("reason", name),): 3})

    def test_an_older_service_has_fewer_metrics(self):
        _, text, _ = self.status(
            "--prometheus", outcomes=None, job_seconds=None, rejected=None,
            input_bytes={"bounds": [1], "counts": [2], "sum": 1})
        families = exposition.parse(text)
        self.assertNotIn("extractd_input_bytes", families)
        self.assertIn("extractd_workers", families)

    def test_a_probe_gets_one_line_and_a_status(self):
        def answer(**changes):
            return self.status("--check", **changes)[:2]

        self.assertEqual(answer(), (0, "ok\n"))
        self.assertEqual(answer(taking_jobs=False),
                         (7, "the service takes no jobs\n"))
        self.assertEqual(
            answer(sandbox_missing=["room", "seccomp", "rlimits"]),
            (7, "required sandbox layers are missing: seccomp, rlimits\n"))
        # before the first worker nothing is known
        self.assertEqual(answer(sandbox=[], sandbox_missing=["seccomp"]),
                         (0, "ok\n"))

    def test_without_a_service_probe_and_scrape_are_answered(self):
        nowhere = os.path.join(self.folder, "nowhere.sock")
        for option, text in (("--check", "no service answers\n"),
                             ("--prometheus", "extractd_up 0\n")):
            status, out, err = harness.run("status", option, "--endpoint",
                                           nowhere)
            self.assertEqual(status, 7)
            self.assertTrue(out.endswith(text), out)
            self.assertIn(nowhere, err)
        exposition.parse(out)

    def test_ways_of_printing_exclude_each_other(self):
        status, out, err = self.status("--check", "--json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("exclude each other", err)

    def test_the_table_names_what_went_wrong(self):
        _, text, _ = self.status()
        lines = dict(line.split(None, 1) for line in text.splitlines())
        self.assertEqual(lines["rejected"], "4 queue_full")
        self.assertEqual(lines["deaths"], "1 wall_seconds")
        self.assertIn("1 LIMIT_EXCEEDED", lines["outcomes"])


class ServiceCase(unittest.TestCase):
    """The sum over all outcomes is the number of jobs."""

    def setUp(self):
        self.service = harness.Service("--workers", "2")
        self.addCleanup(self.service.close)
        self.folder = self.service.folder

    def run_client(self, *arguments):
        process = self.service.client(*arguments)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def metrics(self):
        status, text, err = self.run_client("status", "--prometheus")
        self.assertEqual(status, 0, err)
        return {name: of for name, (_, of)
                in exposition.parse(text).items()}

    def test_jobs_of_several_outcomes_add_up(self):
        self.assertEqual(self.run_client("status", "--check")[:2],
                         (0, "ok\n"))
        good = harness.profile(self.folder)
        heap = self.folder / "h"
        heap.write_text(json.dumps({"head": {
            "callFrame": {"functionName": "(root)", "scriptId": "0",
                          "url": "", "lineNumber": -1, "columnNumber": -1},
            "selfSize": 0, "id": 1, "children": []}, "samples": []}))
        bad, empty = self.folder / "bad", self.folder / "empty"
        bad.write_text('{"nodes":[')
        empty.write_text("")
        for path, status in ((good, 0), (heap, 0), (bad, 5), (empty, 5)):
            self.assertEqual(self.run_client("submit", path)[0], status)
        self.assertEqual(self.run_client(
            "submit", "--limit", "max_nodes=1", good)[0], 5)
        status, out, err = self.run_client("submit", "--detach", good)
        self.assertEqual(status, 0, err)
        self.assertEqual(self.run_client("result", "--wait",
                                         out.strip())[0], 0)
        slow = harness.slow_file(self.folder)
        job = self.run_client("submit", "--detach", slow)[1].strip()
        self.assertEqual(self.run_client("result", job)[0], 7)
        self.assertEqual(self.run_client("cancel", job)[1],
                         f"{job} cancelled\n")
        submitted = 7
        jobs = harness.eventually(
            "all jobs are counted", lambda: self.counted(submitted))
        codes = {}
        for key, number in jobs.items():
            code = dict(key)["code"]
            codes[code] = codes.get(code, 0) + number
        self.assertEqual(codes.get("CANCELLED"), 1, jobs)
        self.assertEqual(codes.get("LIMIT_EXCEEDED"), 1, jobs)
        self.assertEqual(sum(number for key, number in jobs.items()
                             if dict(key)["format"] == "v8.cpuprofile"
                             and dict(key)["outcome"] == "ok"), 2, jobs)
        names = ("(root)", "f0", "small", "slow", "/srv", str(self.folder))
        text = self.run_client("status", "--prometheus")[1]
        self.assertEqual([n for n in names if n in text], [])

    def counted(self, submitted):
        """extractd_jobs_total, once it has so many; never more."""
        metrics = self.metrics()
        jobs = metrics["extractd_jobs_total"]
        total = sum(jobs.values())
        self.assertLessEqual(total, submitted, jobs)
        seconds = metrics["extractd_job_seconds"]
        count = seconds[(("__name__", "extractd_job_seconds_count"),)]
        return jobs if total == count == submitted else None


if __name__ == "__main__":
    unittest.main()
