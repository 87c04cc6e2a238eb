"""Holds a result to the expectation of a case: tests/data/cases/*/expect.json.

An expectation says only what is worth saying. Its keys:
  why          one sentence, with the arithmetic
  options      submit options: format, sha256, project_root, path_map
  reader       false when only the program can see it
  error        code, and reason or any_of (several are true; one with another
               code is written CODE/reason)
  format, counts, profile, coverage   these members must be equal
  metrics      name → total and active
  unavailable  equal, in any order
  limitations  codes that must be there
  rows         each must fit exactly one row; values are [self, inclusive]
A result here is a result or error object of the contract.
"""

import json
import pathlib

CASES = pathlib.Path(__file__).resolve().parent.parent / "data" / "cases"


class Case:
    def __init__(self, folder):
        self.name = folder.name
        self.input = next(folder.glob("input.*"))
        self.expect = json.loads((folder / "expect.json").read_text("utf-8"))
        self.options = self.expect.get("options", {})
        self.for_reader = self.expect.get("reader", True)

    def reader_options(self):
        root = self.options.get("project_root")
        return root, [tuple(pair) for pair in self.options.get("path_map", [])]


def all_cases():
    return [Case(folder) for folder in sorted(CASES.iterdir())]


def error_faults(wanted, got):
    if "code" not in got:
        return [f"succeeded, not {wanted}"]
    reasons = wanted.get("any_of") or [wanted.get("reason")]
    whole = f"{got['code']}/{got.get('reason')}"
    if whole in reasons:
        return []
    if got["code"] == wanted["code"] and (
            reasons == [None] or got.get("reason") in reasons):
        return []
    return [f"is {whole}, not {wanted}"]


def row_fits(wanted, row):
    for key, value in wanted.items():
        if key == "values":
            for metric, pair in value.items():
                have = row["values"].get(metric, {})
                if [have.get("self"), have.get("inclusive")] != pair:
                    return False
        elif row.get(key) != value:
            return False
    return True


def row_faults(wanted_rows, rows):
    faults = []
    for wanted in wanted_rows:
        fitting = sum(row_fits(wanted, row) for row in rows)
        if fitting != 1:
            near = [row for row in rows
                    if row["function"] == wanted["function"]]
            faults.append(f"{fitting} rows fit {wanted}; near: {near}")
    return faults


def codes_of(limitations):
    """Both the contract's objects and the reader's bare codes."""
    return {item if isinstance(item, str) else item["code"]
            for item in limitations}


def member_faults(expect, got):
    faults = []
    for key in ("format", "counts", "profile"):
        if key in expect and got.get(key) != expect[key]:
            faults.append(f"{key} is {got.get(key)}, not {expect[key]}")
    for key, value in expect.get("coverage", {}).items():
        if got["coverage"].get(key) != value:
            faults.append(f"coverage {key} is {got['coverage'].get(key)}, "
                          f"not {value}")
    if "metrics" in expect:
        have = {metric["name"]: {"total": metric["total"],
                                 "active": metric["active"]}
                for metric in got["metrics"]}
        wanted = expect["metrics"]
        subset = {name: have.get(name) for name in wanted}
        if subset != wanted:
            faults.append(f"metrics are {have}, not {wanted}")
    if "unavailable" in expect:
        key = lambda item: item["metric"]
        if sorted(got["unavailable"], key=key) != sorted(
                expect["unavailable"], key=key):
            faults.append(f"unavailable is {got['unavailable']}")
    missing = set(expect.get("limitations", ())) - codes_of(
        got["limitations"])
    if missing:
        faults.append(f"limitations lack {missing}")
    return faults


def faults(expect, got):
    """What is wrong with a result or error object; empty when nothing is."""
    if "error" in expect:
        return error_faults(expect["error"], got)
    if "code" in got:
        return [f"failed with {got['code']}/{got.get('reason')}"]
    return member_faults(expect, got) + row_faults(
        expect.get("rows", ()), got["rows"])
