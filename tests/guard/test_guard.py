"""The guard can fail: it sees each kind of difference, and nothing else."""

import unittest

import guard

PROFILE = """\
events: Ir

ob=/b/guard-extract_file
fl=/worker/extract.c
fn=extract
10 100
11 20
cfn=rows_add
calls=2 30
12 5000
ob=/usr/lib/libyajl.so.2.1.0
fn=yajl_lex_lex
0 3
ob=/lib/libc.so.6
fn=memcpy
0 7777
ob=/b/guard-extract_file
fn=rows_add
30 4000
cob=/lib/libc.so.6
cfn=memcpy
calls=1 0
31 1000
32 400

totals: 12300
"""


class Compare(unittest.TestCase):
    recorded = {"cpuS": 12.3, "cpuS --yajl": 130.0}

    def complaints(self, **changes):
        counted = {**self.recorded, **changes}
        return list(guard.compare(self.recorded, counted))

    def test_equal_is_well(self):
        self.assertEqual(self.complaints(), [])

    def test_within_the_tolerance_is_well(self):
        self.assertEqual(self.complaints(cpuS=12.3 * 1.029), [])
        self.assertEqual(self.complaints(cpuS=12.3 * 0.971), [])

    def test_slower_is_told(self):
        self.assertEqual(
            self.complaints(cpuS=13.1),
            ["cpuS: slower: 12.3 → 13.1 instructions a byte (+6.5%)"])

    def test_faster_is_to_be_recorded(self):
        self.assertEqual(
            self.complaints(cpuS=11.5),
            ["cpuS: faster than recorded: 12.3 → 11.5 instructions a byte "
             "(-6.5%); renew it with ./dev guard --renew"])

    def test_what_only_one_of_them_has_is_told(self):
        self.assertEqual(list(guard.compare({}, {"heap": 1.0})),
                         [f"heap: not recorded; {guard.RENEW}"])
        self.assertEqual(
            list(guard.compare({"heap": 1.0}, {})),
            [f"heap: recorded, but not counted; {guard.RENEW}"])


class Files(unittest.TestCase):
    def test_a_figure_has_three_digits(self):
        self.assertEqual([guard.figure(x) for x in (4.0, 12.34, 147.6)],
                         ["4.00", "12.3", "148"])

    def test_a_record_is_read_as_it_was_written(self):
        counts = {"cpuS": 12.3, "cpuS --yajl": 130.0}
        text = guard.text_of(counts, "GCC: (Debian 1) 12.2.0")
        self.assertEqual(guard.read(text), (counts, "GCC: (Debian 1) 12.2.0"))

    def test_a_compiler_is_known_by_what_it_left(self):
        self.assertEqual(guard.made_by(b"\0GCC: (D) 12.2.0\0\1GCC: (D) 12.2.0\0"
                                       b"Debian clang version 14.0.6\0"),
                         "GCC: (D) 12.2.0, clang version 14.0.6")

    def test_a_processor_is_known_by_what_it_has(self):
        self.assertEqual(guard.processor("x86_64", "flags\t: sse avx2 bmi\n"),
                         "x86_64, AVX2")
        self.assertEqual(guard.processor("x86_64", "flags\t: sse avx bmi\n"),
                         "x86_64")

    def test_only_ours_and_yajls_are_counted_without_what_they_call(self):
        self.assertEqual(
            guard.own_instructions(PROFILE, "/b/guard-extract_file"),
            100 + 20 + 3 + 4000 + 400)

    def test_a_profile_of_something_else_is_not_taken(self):
        with self.assertRaises(SystemExit):
            guard.own_instructions(PROFILE, "/b/other")


if __name__ == "__main__":
    unittest.main()
