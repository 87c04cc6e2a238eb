"""What a person does: submit files and read results."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from harness import DATA, Service, client, profile, run, without_run


class Submit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.service = Service()
        cls.addClassCleanup(cls.service.close)
        cls.small = profile(cls.folder.name)

    def submit(self, *arguments, **options):
        process = self.service.client("submit", *arguments, **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_service_and_embedded_give_the_same_bytes_but_for_the_run(self):
        real = sorted((DATA / "real").glob("*profile"))[0]
        code, there, _ = self.submit("--output", "json", real)
        self.assertEqual(code, 0)
        code, here, _ = run("submit", "--embedded", "--output", "json", real)
        self.assertEqual(code, 0)
        self.assertEqual(without_run(json.loads(there)),
                         without_run(json.loads(here)))
        self.assertEqual(there[:there.index(',"run":')],
                         here[:here.index(',"run":')])

    def test_the_debug_log_tells_the_way_of_a_job(self):
        with Service("--log-level", "debug") as service:
            process = service.client("submit", self.small)
            process.communicate(timeout=60)
            log = service.text()
        for event in ("worker_started", "worker_ready", "job_admitted"):
            self.assertIn(f"level=debug event={event} ", log)
        states = re.findall(r"event=job_state job=j-\w+ from=(\w+) to=(\w+)",
                            log)
        way = [states[0][0], *(to for _, to in states)]
        self.assertEqual([start for start, _ in states], way[:-1])
        # a worker that is gone before the front has said that it reads the
        # answer ends its job from `running`
        if "delivering" in way:
            way.remove("delivering")
        self.assertEqual(way, ["admitted", "queued", "running", "ended"])
        self.assertNotIn("level=debug", self.service.text())

    def test_keys_come_in_the_order_of_the_contract(self):
        _, out, _ = self.submit("--output", "json", self.small)
        self.assertEqual(
            list(json.loads(out)),
            ["schema", "status", "format", "kind", "profile_id", "artifact",
             "producer", "extractor", "options", "profile", "metrics",
             "unavailable", "counts", "rows", "rows_total", "rows_returned",
             "other", "coverage", "limitations", "limits", "run"])

    def test_many_files_come_in_the_order_given_with_errors_in_place(self):
        files = []
        for i in range(12):
            files.append(profile(self.folder.name, f"many{i}.cpuprofile",
                                 functions=i + 1))
        bad = os.path.join(self.folder.name, "bad.cpuprofile")
        with open(bad, "w", encoding="utf-8") as out:
            out.write('{"nodes":[')
        files.insert(5, bad)
        files.insert(9, "/nonexistent/file")
        code, out, err = self.submit("--output", "json", *files)
        self.assertEqual(code, 1, err)
        documents = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([d["artifact"]["name"] for d in documents],
                         [str(f) for f in files])
        self.assertEqual(documents[5]["code"], "ARTIFACT_PARSE_FAILED")
        self.assertEqual(documents[9]["code"], "INPUT_KIND")
        self.assertEqual(documents[13]["counts"]["nodes"], 13)

    def test_rows_and_other_add_up_to_each_total(self):
        _, out, _ = self.submit("--output", "json", "--rows", "3",
                                sorted((DATA / "real").glob("*.cpuprofile"))[0])
        result = json.loads(out)
        self.assertEqual(len(result["rows"]), 3)
        for metric in result["metrics"]:
            name = metric["name"]
            listed = sum(r["values"][name]["self"] for r in result["rows"])
            self.assertEqual(
                listed + result["other"]["values"][name]["self"],
                metric["total"])

    def test_standard_input_may_be_a_file_or_a_pipe(self):
        with open(self.small, "rb") as file:
            code, direct, _ = self.submit("--output", "json", "-", stdin=file)
        self.assertEqual(code, 0)
        cat = subprocess.Popen(["cat", self.small], stdout=subprocess.PIPE)
        code, piped, _ = self.submit("--output", "json", "-",
                                     stdin=cat.stdout)
        cat.stdout.close()
        cat.wait()
        self.assertEqual(code, 0)
        self.assertEqual(without_run(json.loads(direct)),
                         without_run(json.loads(piped)))

    def test_a_folder_stands_for_the_recognised_files_in_it(self):
        with tempfile.TemporaryDirectory() as folder:
            profile(folder, "b.cpuprofile")
            profile(folder, "a.txt")
            with open(os.path.join(folder, "c.md"), "w",
                      encoding="utf-8") as out:
                out.write("# no profile\n")
            code, out, err = self.submit("--output", "json", folder)
            self.assertEqual(code, 0, err)
            names = [os.path.basename(json.loads(line)["artifact"]["name"])
                     for line in out.splitlines()]
            self.assertEqual(names, ["a.txt", "b.cpuprofile"])
            self.assertIn("1", err)

    def test_outputs_agree_with_each_other(self):
        _, out, _ = self.submit("--output", "json", self.small)
        rows = json.loads(out)["rows"]
        _, lines, _ = self.submit("--output", "jsonl", self.small)
        parsed = [json.loads(line) for line in lines.splitlines()]
        self.assertEqual(parsed[0]["type"], "result")
        self.assertEqual([r["frame_id"] for r in parsed[1:]],
                         [r["frame_id"] for r in rows])
        _, csv, _ = self.submit("--output", "csv", self.small)
        self.assertEqual(len(csv.splitlines()), 1 + 3 * len(rows))
        _, wide, _ = self.submit("--output", "csv", "--wide", self.small)
        self.assertEqual(len(wide.splitlines()), 1 + len(rows))
        _, table, _ = self.submit("--output", "table", self.small)
        for row in rows:
            self.assertIn(row["function"], table)

    def test_exit_statuses_are_those_of_the_contract(self):
        self.assertEqual(self.submit("--no-such-option")[0], 2)
        self.assertEqual(self.submit("--limit", "max_nodes=2",
                                     self.small)[0], 5)
        self.assertEqual(self.submit("--format", "v8.heapprofile",
                                     self.small)[0], 5)
        self.assertEqual(self.submit("/nonexistent")[0], 5)
        code, _, err = run("submit", "--endpoint", "ipc:///nonexistent/sock",
                           self.small)
        self.assertEqual(code, 7, err)

    def test_the_digest_that_was_named_must_match(self):
        good = subprocess.run(["sha256sum", self.small], check=True,
                              capture_output=True,
                              text=True).stdout.split()[0]
        code, out, _ = self.submit("--output", "json", "--sha256", good,
                                   self.small)
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["artifact"]["sha256"], good)
        code, out, _ = self.submit("--output", "json", "--sha256", "0" * 64,
                                   self.small)
        self.assertEqual(code, 5)
        self.assertEqual(json.loads(out)["code"], "ARTIFACT_CHANGED")

    def test_without_a_digest_there_is_no_profile_id(self):
        _, out, _ = self.submit("--output", "json", "--digest", "none",
                                self.small)
        result = json.loads(out)
        self.assertIsNone(result["artifact"]["sha256"])
        self.assertIsNone(result["profile_id"])

    def test_the_same_file_twice_at_once_gives_the_same(self):
        both = [self.service.client("submit", "--output", "json", self.small)
                for _ in range(2)]
        first, second = (json.loads(p.communicate(timeout=60)[0])
                         for p in both)
        self.assertEqual(without_run(first), without_run(second))

    def test_a_closed_reader_ends_quietly(self):
        process = client("submit", "--embedded", "--output", "csv",
                         sorted((DATA / "real").glob("*.cpuprofile"))[0])
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), "")
        process.stderr.close()
        process.wait(60)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.Popen(
                [str(client.__globals__["BUILD"] / "extract-client"), "submit",
                 "--embedded", "--output", "json", str(self.small)],
                stdout=full, stderr=subprocess.PIPE, text=True)
            _, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("No space left", err)


if __name__ == "__main__":
    unittest.main()
