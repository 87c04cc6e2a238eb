"""Typed access to the known keys of a JSON object.

Decided here:
- a known key twice in one object is `duplicate_key`, whatever its values; a
  key that is not known may come as often as it likes and hold anything.
- another JSON type than the wanted one, null included, is `wrong_type`.
- a number counts by its value, not its spelling: 2.0, 30E-1, 1e2 and -0 are
  integers. A fraction where an integer is wanted is `wrong_type`; an integer
  outside 64 bits (1e999 too) is `number_out_of_range`; below zero where that
  makes no sense is `negative_value`.
"""

import re
from decimal import Decimal

from problem import parse_problem

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1
LINE_MAX = 2**31 - 2
HUGE_EXPONENT = re.compile(r"[eE]([+-]?)0*[1-9][0-9]{5,}$")


def exact(value):
    """The number as a Decimal, checked to be within 64 bits."""
    if value.kind != "number":
        raise parse_problem("wrong_type", value.offset)
    huge = HUGE_EXPONENT.search(value.data)
    number = Decimal(value.data[: huge.start()] if huge else value.data)
    if huge and number:  # more than Decimal holds, and no need to hold it
        number = Decimal("0.5") if huge[1] == "-" else Decimal("1e99")
    if not INT64_MIN <= number <= INT64_MAX:
        raise parse_problem("number_out_of_range", value.offset)
    return number


def integer(value):
    number = exact(value)
    if number != number.to_integral_value():
        raise parse_problem("wrong_type", value.offset)
    return int(number)


def natural(value):
    number = integer(value)
    if number < 0:
        raise parse_problem("negative_value", value.offset)
    return number


def text(value):
    if value.kind != "string":
        raise parse_problem("wrong_type", value.offset)
    return value.data


def position(value):
    """A 0-based line or column of the writer, 1-based; negative is none."""
    number = integer(value)
    if number > LINE_MAX:
        raise parse_problem("number_out_of_range", value.offset)
    return number + 1 if number >= 0 else None


def script(value):
    """A script id as text, "" for none."""
    if value.kind == "string":
        name = value.data
    else:
        name = str(integer(value))
    return "" if name == "0" else name


def array(value):
    if value.kind != "array":
        raise parse_problem("wrong_type", value.offset)
    return value.data


def integers(value):
    return [integer(item) for item in array(value)]


def naturals(value):
    return [natural(item) for item in array(value)]


def entries(value, known):
    """The (key, value) pairs with a known key, in the file's order."""
    seen = set()
    for key, inner in value.data:
        if key not in known:
            continue
        if key in seen:
            raise parse_problem("duplicate_key", inner.offset)
        seen.add(key)
        yield key, inner


def record(value, readers, reason="not_an_object"):
    """A dict of the known keys of an object, each read by its function."""
    if value.kind != "object":
        raise parse_problem(reason, value.offset)
    found = {}
    for key, inner in entries(value, readers):
        found[key] = readers[key](inner)
    return found
