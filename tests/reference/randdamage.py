"""Harm done to a random profile: one cut, one byte, one word.

One harm a file, so that there is one true answer in nearly all of them; where
there are several the reader knows them all.
"""

import re

JUNK = b'{}[]",:0-9truflsn\\\x00\xff\xc3\x1f eE.+'
WORDS = (
    (rb"\d+", (b"null", b'"5"', b"1.5", b"1e999", b"[]", b"-3", b"NaN", b"01")),
    (rb'"[^"\\]*"(?=\s*:)', (b'"id"', b'"nodes"', b'"x"', b'"samples"')),
    (rb'"[^"\\]*"(?=\s*[,}])', (b"null", b"7", b'"\\ud83"', b'"\xc0\xaf"')),
    (rb"[\[{]", (b"", b"[", b"{")),
    (rb"[\]}]", (b"", b"]", b"}")),
    (rb",", (b"", b",,", b":")),
)


def one_byte(rand, data):
    at = rand.randrange(len(data))
    return data[:at] + bytes([rand.choice(JUNK)]) + data[at + 1 :]


def one_gone(rand, data):
    at = rand.randrange(len(data))
    return data[:at] + data[at + 1 :]


def cut(rand, data):
    return data[: rand.randrange(len(data))]


def longer(rand, data):
    return data + rand.choice((b"}", b" {}", b"\0", b",", data[:50], b"\n\n"))


def one_word(rand, data):
    pattern, others = rand.choice(WORDS)
    places = list(re.finditer(pattern, data))
    if not places:
        return data
    place = rand.choice(places)
    return data[: place.start()] + rand.choice(others) + data[place.end() :]


def one_number(rand, data):
    """One whole number gets the value of another: links go astray."""
    places = list(re.finditer(rb"(?<=[:\[,])\d+(?=[,\]}])", data))
    if len(places) < 2:
        return data
    place, other = rand.sample(places, 2)
    return data[: place.start()] + other[0] + data[place.end() :]


def key_gone(rand, data):
    """One member with a plain value is left out."""
    places = list(re.finditer(rb'"\w+":("\w*"|-?\d+),', data))
    if not places:
        return data
    place = rand.choice(places)
    return data[: place.start()] + data[place.end() :]


HARMS = (one_byte, one_gone, cut, longer, one_word, one_word, one_number,
         one_number, key_gone)


def damaged(rand, data):
    harm = rand.choice(HARMS)
    return harm(rand, data)
