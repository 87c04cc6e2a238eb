"""The programs that the documentation prints, run as they stand there."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from harness import BUILD, DATA, Service, run, without_run

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def block(page, mark):
    """The fenced block of a page whose first line ends with that mark."""
    text = (DOCS / page).read_text("utf-8")
    found = re.findall(rf"^```\w+ {mark}\n(.*?)^```$", text, re.M | re.S)
    if len(found) != 1:
        raise AssertionError(f"{page} has {len(found)} blocks of {mark}")
    return found[0]


class ApiDoc(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.close)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.client = pathlib.Path(cls.folder.name, "client.py")
        cls.client.write_text(block("API.md", "api-client"), "utf-8")

    def submit(self, path):
        done = subprocess.run(
            [sys.executable, self.client, self.service.endpoint, path],
            capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_client_is_about_ten_lines(self):
        lines = [line for line in self.client.read_text().splitlines()
                 if line.strip()]
        self.assertLess(len(lines), 22)

    def test_the_client_prints_what_the_command_line_prints(self):
        real = str(DATA / "real" / "server.cpuprofile")
        result = self.submit(real)
        code, out, err = run(
            "submit", "--endpoint", self.service.endpoint, "--output", "json",
            "--rows", "10", "--project-root", "none", real)
        self.assertEqual(code, 0, err)
        self.assertEqual(without_run(result), without_run(json.loads(out)))
        self.assertEqual(result["rows_returned"], 10)

    def test_the_client_prints_an_error(self):
        broken = pathlib.Path(self.folder.name, "broken.cpuprofile")
        broken.write_text('{"nodes":[')
        error = self.submit(str(broken))
        self.assertEqual(error["code"], "ARTIFACT_PARSE_FAILED")
        self.assertEqual(error["reason"], "truncated_input")

    def test_the_client_leaves_no_result_behind(self):
        self.submit(str(DATA / "real" / "server.cpuprofile"))
        code, out, err = run("jobs", "--json", "--endpoint",
                             self.service.endpoint)
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["jobs"], [])

    @unittest.skipIf(shutil.which("jq") is None, "there is no jq here")
    def test_the_jq_recipe_lists_the_heaviest_functions(self):
        real = DATA / "real" / "server.cpuprofile"
        shutil.copy(real, pathlib.Path(self.folder.name, "app.cpuprofile"))
        done = subprocess.run(
            ["sh", "-ec", block("RESULT.md", "jq-recipe")],
            cwd=self.folder.name, capture_output=True, text=True, timeout=60,
            env={**os.environ, "EXTRACTD_ENDPOINT": self.service.endpoint,
                 "PATH": f"{BUILD}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        _, out, _ = run("submit", "--endpoint", self.service.endpoint,
                        "--output", "json", real)
        ours = sorted((row["values"]["wall.time"]["self"]
                       for row in json.loads(out)["rows"]
                       if row["category"] in ("user", "dependency")),
                      reverse=True)
        listed = [int(line.split("\t")[0]) for line in done.stdout.splitlines()]
        self.assertEqual(listed, ours[:10])


if __name__ == "__main__":
    unittest.main()
