#!/usr/bin/env python3
"""The reader gives what was worked out by hand for every case in
tests/data/cases, so that what the program is compared with is itself held to
something."""

import hashlib
import unittest

import expect
import frames
import reader
import timeline


class Cases(unittest.TestCase):
    def test_reader_gives_every_expectation(self):
        cases = expect.all_cases()
        self.assertGreater(len(cases), 200)
        for case in cases:
            if not case.for_reader:
                continue
            with self.subTest(case.name):
                got = reader.read_file(case.input, case.reader_options())
                got = got.get("error", got)
                self.assertEqual(expect.faults(case.expect, got), [])

    def test_every_case_says_why(self):
        for case in expect.all_cases():
            self.assertTrue(case.expect["why"], case.name)


class Ids(unittest.TestCase):
    def test_frame_id_is_the_digest_of_the_written_out_preimage(self):
        call = frames.CallFrame("pay", "file:///srv/a.js", 12, 3)
        preimage = (
            b"extractd.frame/1\0" b"\x0a\0\0\0javascript" b"\0\0\0\0"
            b"\x03\0\0\0pay" b"\x09\0\0\0/srv/a.js"
            b"\x02\0\0\0" b"12" b"\x01\0\0\0" b"3"
        )
        wanted = hashlib.sha256(preimage).hexdigest()[:32]
        self.assertEqual(frames.describe(call)["frame_id"], wanted)

    def test_function_id_survives_an_edit_above_and_a_new_query(self):
        one = frames.CallFrame("pay", "https://x/a.js?v=1", 12, 3)
        two = frames.CallFrame("pay", "https://x/a.js?v=2#t", 99, 1)
        self.assertEqual(frames.describe(one)["function_id"],
                         frames.describe(two)["function_id"])


class Window(unittest.TestCase):
    def test_small_window_clamps_and_large_one_sorts(self):
        times = [10, 20, 30, 5]
        self.assertEqual(timeline.durations(times, 40, 4), ([10, 10, 10, 5], 0))
        # window 1: 10, 20, 30 leave in turn; 5 is taken for 30
        self.assertEqual(timeline.durations(times, 40, 1), ([10, 10, 0, 10], 1))


if __name__ == "__main__":
    unittest.main()
