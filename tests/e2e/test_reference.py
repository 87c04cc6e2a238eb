"""Every real capture, every hand-made case and 2000 random profiles give, from
the built programs with an embedded service, exactly what the independent
reader gives."""

import pathlib
import subprocess
import sys
import unittest

COMPARE = (
    pathlib.Path(__file__).resolve().parent.parent / "reference" / "compare.py"
)
SEEDS = 2000
DEADLINE_S = 170


class Reference(unittest.TestCase):
    def test_program_and_reader_agree_value_for_value(self):
        done = subprocess.run(
            [sys.executable, str(COMPARE), "--seeds", str(SEEDS)],
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
