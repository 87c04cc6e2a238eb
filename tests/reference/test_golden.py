"""The golden files are what their scripts write, and the independent reader
gives the golden frame ids too."""

import json
import pathlib
import subprocess
import sys
import unittest

import frames

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


class Golden(unittest.TestCase):
    def check(self, script):
        run = subprocess.run(
            [sys.executable, GOLDEN / script, "--check"],
            stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_frames_are_what_the_script_writes(self):
        self.check("make_frames.py")

    def test_frame_ids_are_what_the_script_writes(self):
        self.check("make_frame_ids.py")

    def test_the_reference_gives_the_golden_ids(self):
        for want in json.loads((GOLDEN / "frame_ids.json").read_text()):
            call = frames.CallFrame(
                want["function"], want["url"], want["line"], want["column"],
                want["script"] or "")
            if want["function"] == frames.UNKNOWN.function:
                call = frames.UNKNOWN
            got = frames.describe(call, want["project_root"])
            for key in ("frame_id", "function_id", "file", "script"):
                with self.subTest(want["what"], key=key):
                    self.assertEqual(got[key], want[key])


if __name__ == "__main__":
    unittest.main()
