"""Writes a JSON value in a random but valid spelling: white space, escapes,
numbers, and unknown keys that must not matter.

Objects are lists of (key, value) pairs, so that keys may repeat and come in
any order; integers are ints, text is str, and Raw is written as it is.
"""

NOISE_KEYS = ("x", "meta", "deoptReason", "callUID", "\u00fcber", "lines",
              "trace_ids", "a\"b", "nodez", "Samples", "")


class Raw(str):
    """JSON text that is already spelled."""


class Speller:
    """How one profile is written: each habit is drawn once a profile."""

    def __init__(self, rand):
        self.rand = rand
        self.spaces = rand.random() < 0.3
        self.odd_numbers = rand.random() < 0.3
        self.escapes = rand.random() < 0.3
        self.shuffled = rand.random() < 0.5
        self.noise = 0.1 if rand.random() < 0.4 else 0.0

    def space(self):
        if not self.spaces or self.rand.random() < 0.5:
            return ""
        return self.rand.choice((" ", "\n", "\t", "\r\n", "  "))

    def integer(self, number):
        """The same number, perhaps spelled another way."""
        digits = str(abs(number))
        sign = "-" if number < 0 else ""
        if number == 0 and self.odd_numbers:
            return self.rand.choice(("0", "-0", "0.0", "0e7", "0.00E-3"))
        if not self.odd_numbers or self.rand.random() < 0.5:
            return sign + digits
        kind = self.rand.randrange(4)
        if kind == 0:
            return f"{sign}{digits}.{'0' * self.rand.randint(1, 3)}"
        if kind == 1:
            extra = self.rand.randint(1, 3)
            return f"{sign}{digits}{'0' * extra}e-{extra}"
        if kind == 2 and len(digits) > 1:
            exponent = self.rand.choice(("e", "E", "e+"))
            point = self.rand.randint(1, len(digits) - 1)
            return (f"{sign}{digits[:point]}.{digits[point:]}"
                    f"{exponent}{len(digits) - point}")
        return f"{sign}{digits}E0"

    def character(self, char):
        code = ord(char)
        if char in '"\\' or code < 0x20 or 0xD800 <= code <= 0xDFFF:
            short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
            if char in short and self.rand.random() < 0.5:
                return short[char]
            return self.unicode(code)
        if self.escapes and self.rand.random() < 0.3:
            if char == "/" and self.rand.random() < 0.5:
                return "\\/"
            return self.unicode(code)
        return char

    def unicode(self, code):
        if code > 0xFFFF:
            code -= 0x10000
            return (self.unicode(0xD800 + (code >> 10))
                    + self.unicode(0xDC00 + (code & 0x3FF)))
        form = self.rand.choice(("\\u%04x", "\\u%04X"))
        return form % code

    def text(self, text):
        return '"' + "".join(self.character(char) for char in text) + '"'

    def noise_value(self, depth=0):
        kind = self.rand.randrange(8 if depth < 4 else 5)
        if kind == 0:
            return self.rand.choice((Raw("true"), Raw("false"), Raw("null")))
        if kind == 1:
            return Raw(self.rand.choice(("1.5", "-0.25e3", "1e999", "7")))
        if kind < 5:
            return self.rand.choice(("", "nodes", "x\ud800y", "\u65e5", "[{"))
        if kind < 7:
            return [self.noise_value(depth + 1)
                    for _ in range(self.rand.randrange(4))]
        keys = ("nodes", "samples", "id", "id", "head", "callFrame", "y")
        return {(self.rand.choice(keys), i): self.noise_value(depth + 1)
                for i in range(self.rand.randrange(4))}

    def members(self, pairs):
        pairs = list(pairs)
        if self.shuffled:
            self.rand.shuffle(pairs)
        while self.rand.random() < self.noise:
            where = self.rand.randint(0, len(pairs))
            noise = (self.rand.choice(NOISE_KEYS), self.noise_value())
            pairs.insert(where, noise)
        return pairs

    def spell(self, value):
        """The JSON text of a value."""
        out = []
        pending = [value]
        while pending:
            item = pending.pop()
            if isinstance(item, Raw):
                out.append(item)
            elif isinstance(item, str):
                out.append(self.text(item))
            elif isinstance(item, int):
                out.append(self.integer(item))
            else:
                pending.extend(reversed(self.pieces(item)))
            out.append(self.space())
        return "".join(out)

    def pieces(self, item):
        if isinstance(item, dict):  # noise: keys carry a number to repeat
            item = Object([(key, inner) for (key, _), inner in item.items()])
            pairs = item.pairs
        elif isinstance(item, Object):
            pairs = self.members(item.pairs)
        else:
            return self.between(Raw("["), [[x] for x in item], Raw("]"))
        spelled = [[Raw(self.text(key)), Raw(":"), inner]
                   for key, inner in pairs]
        return self.between(Raw("{"), spelled, Raw("}"))

    def between(self, first, groups, last):
        pieces = [first]
        for index, group in enumerate(groups):
            if index:
                pieces.append(Raw(","))
            pieces.extend(group)
        return pieces + [last]


class Object:
    """A known object: its pairs may be put in any order, noise between."""

    def __init__(self, pairs):
        self.pairs = pairs
