#!/usr/bin/env python3
"""The benchmarks' generator knows what it wrote: the reader finds the same
totals and the same heaviest frames in a small profile of each shape."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import reader

GENERATE = os.path.join(
    os.environ.get("EXTRACTD_BUILD", "."), "bench", "bench-generate"
)


def generated(shape, size):
    """(profile as read, truth as written)."""
    with tempfile.TemporaryDirectory() as folder:
        truth = pathlib.Path(folder) / "truth"
        command = [GENERATE, shape, size, "--truth", str(truth)]
        done = subprocess.run(command, capture_output=True, check=True)
        return reader.read_bytes(done.stdout), json.loads(truth.read_text())


class Generate(unittest.TestCase):
    def agrees(self, shape):
        got, truth = generated(shape, "400K")
        self.assertNotIn("error", got)
        for name in ("nodes", "samples", "frames"):
            self.assertEqual(got["counts"][name], truth[name])
        metrics = {
            metric["name"]: {
                "total": metric["total"], "active": metric["active"]}
            for metric in got["metrics"]
        }
        self.assertEqual(metrics, truth["metrics"])
        rows = {(row["function"], row["url"], row["line"], row["column"]): row
                for row in got["rows"]}
        for frame in truth["heaviest"]:
            row = rows[frame["function"], frame["url"], frame["line"],
                       frame["column"]]
            values = {name: value["self"]
                      for name, value in row["values"].items()}
            self.assertEqual(values, frame["self"])

    def test_settled_server(self):
        self.agrees("cpuS")

    def test_build_tool(self):
        self.agrees("cpuN")

    def test_heap(self):
        self.agrees("heap")

    def test_large_capture(self):
        self.agrees("real")


if __name__ == "__main__":
    unittest.main()
