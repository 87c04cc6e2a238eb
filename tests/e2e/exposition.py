"""Prometheus' text exposition format, 0.0.4, read strictly.

parse() takes it apart by its description alone, and refuses what a scraper
may refuse: families that are not announced, announced twice or taken apart,
labels that are not escaped, series that come twice, and histograms whose
buckets do not add up.
"""

import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{((?:{LABEL},?)*)\}})? (\S+)")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|Inf)|NaN")
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


class Malformed(Exception):
    """The text is not in the format."""


def need(good, what):
    if not good:
        raise Malformed(what)


def read_number(text):
    need(NUMBER.fullmatch(text), f"not a number: {text}")
    return float(text)


def read_sample(line):
    """(name, {label: value}, number)"""
    match = SAMPLE.fullmatch(line)
    need(match, f"not a sample: {line}")
    pairs = re.findall(LABEL, match[2] or "")
    rest = re.sub(LABEL, "", match[2] or "")
    need(rest == "," * max(0, len(pairs) - 1), f"labels: {line}")
    labels = {key: re.sub(r'\\[\\"n]', lambda m: ESCAPES[m[0]], value)
              for key, value in pairs}
    need(len(labels) == len(pairs), f"a label twice: {line}")
    return match[1], labels, read_number(match[5])


def check_histogram(name, samples):
    """Of one series without other labels, as all of ours are."""
    buckets = [(read_number(labels["le"]), number)
               for of, labels, number in samples if of == name + "_bucket"]
    rest = {of: number for of, labels, number in samples if not labels}
    need(len(buckets) + 2 == len(samples), f"{name} has odd samples")
    need(set(rest) == {name + "_sum", name + "_count"}, f"{name}: {rest}")
    need(buckets and buckets[-1] == (float("inf"), rest[name + "_count"]),
         f"{name}: +Inf is not the count")
    for (bound, number), (next_bound, next_number) in zip(buckets,
                                                          buckets[1:]):
        need(bound < next_bound and number <= next_number,
             f"{name}: buckets at {next_bound} do not grow")


def parse(text):
    """{family: (type, {labels as sorted pairs: number})}; the series of a
    histogram have their own name as a label, __name__."""
    need(text.endswith("\n"), "the last line does not end")
    families, current, helped = {}, None, set()
    for line in text[:-1].split("\n"):
        if match := re.fullmatch(rf"# HELP ({NAME}) ([^\\]|\\[\\n])+", line):
            need(match[1] not in helped, f"HELP twice: {match[1]}")
            helped.add(match[1])
            current = None
        elif match := re.fullmatch(
                rf"# TYPE ({NAME}) (counter|gauge|histogram)", line):
            current = match[1]
            need(current in helped and current not in families,
                 f"TYPE of {current}, not once behind HELP")
            families[current] = (match[2], [])
        else:
            need(current, f"no TYPE before: {line}")
            name, labels, number = read_sample(line)
            kind = families[current][0]
            need(name == current or kind == "histogram" and name in
                 [current + end for end in ("_bucket", "_sum", "_count")],
                 f"{name} stands in {current}")
            need(kind == "gauge" or number >= 0, f"below 0: {line}")
            need(kind != "counter" or current.endswith("_total"),
                 f"{current} counts, and has no _total")
            families[current][1].append((name, labels, number))
    need(helped == set(families), f"HELP alone: {helped - set(families)}")
    return {family: (kind, unique(family, kind, samples))
            for family, (kind, samples) in families.items()}


def unique(family, kind, samples):
    series = {}
    if kind == "histogram":
        check_histogram(family, samples)
    for name, labels, number in samples:
        key = dict(labels)
        if kind == "histogram":
            key["__name__"] = name
        key = tuple(sorted(key.items()))
        need(key not in series, f"twice: {family} {key}")
        series[key] = number
    return series
