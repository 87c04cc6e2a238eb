"""JSON as RFC 8259 has it, with the byte offset of every value.

Python's own json module folds duplicate keys, lets NaN pass, recurses, and
cannot tell a text that was cut from one that is wrong; a profile reader needs
all four, so this is a parser of its own: one regular expression for a token,
one loop over tokens, no recursion.

Decided here:
- a text that is the beginning of some JSON document is `truncated_input`;
  any other fault is `invalid_json`; bytes that are not UTF-8 inside a string
  are `invalid_utf8`; anything but white space after the document is
  `trailing_data`.
- an unpaired surrogate escape, in a value or a key, is U+FFFD.
- after a fault the part that was read is still there (`Document.root`), so
  that a caller can look for an earlier fault of another kind in it.
"""

import re

from problem import PARSE, Problem, parse_problem

ESCAPE = rb'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
STRING = rb'"(?:[^"\\\x00-\x1f]|' + ESCAPE + rb')*'
NUMBER = rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
SPACE = re.compile(rb"[ \t\n\r]*")
TOKEN = re.compile(
    rb"([{}\[\]:,])|(" + STRING + rb'")|(' + NUMBER + rb")|(true|false|null)"
)
CUT_TOKEN = re.compile(
    rb"(?:" + STRING + rb"(?:\\(?:u[0-9a-fA-F]{0,3})?)?"
    rb"|-|-?(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][+-]?)"
    rb"|t|tr|tru|f|fa|fal|fals|n|nu|nul)\Z"
)
# 1.5.2 is no JSON, and its beginning may be no whole number either.
NUMBER_FAULTS = ("wrong_type", "negative_value", "number_out_of_range")
GOES_ON = frozenset(b".eE+-0123456789")
ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
LONE_HALF = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|"
                       "(?<![\ud800-\udbff])[\udc00-\udfff]")


class Value:
    """One JSON value. kind is one of: object (data: list of (key, Value)),
    array (list of Value), string (str), number (its text), true, false,
    null. `closed` is False for a container that the text leaves open."""

    __slots__ = ("kind", "data", "offset", "closed")

    def __init__(self, kind, data, offset, closed=True):
        self.kind = kind
        self.data = data
        self.offset = offset
        self.closed = closed


class Document:
    def __init__(self, root, problem):
        self.root = root
        self.problem = problem


def unescape(text):
    """The characters that a string's inside stands for."""
    if "\\" not in text:
        return text
    text = ESCAPED.sub(
        lambda m: chr(int(m[1], 16)) if m[1] else PLAIN.get(m[2], m[2]), text
    )
    text = LONE_HALF.sub("\ufffd", text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def string_value(raw, offset):
    try:
        return unescape(raw[1:-1].decode("utf-8"))
    except UnicodeDecodeError as error:
        raise parse_problem("invalid_utf8", offset + 1 + error.start)


def fault_at(data, offset):
    """Why there is no token at this offset."""
    if offset == len(data):
        return parse_problem("truncated_input", offset)
    if CUT_TOKEN.match(data, offset):
        piece = data[offset:]
        if piece[:1] == b'"':
            try:
                piece.decode("utf-8")
            except UnicodeDecodeError as error:
                if error.end < len(piece) or error.reason.startswith("invalid"):
                    where = offset + error.start
                    return parse_problem(
                        "invalid_utf8", where, ["truncated_input"]
                    )
        return parse_problem("truncated_input", len(data))
    return parse_problem("invalid_json", offset, bad_utf8_near(data, offset))


def bad_utf8_near(data, offset):
    """A string that is both badly written and not UTF-8 may be called either."""
    end = data.find(b'"', offset + 1)
    try:
        data[offset : end if end > 0 else len(data)].decode("utf-8")
    except UnicodeDecodeError:
        return ["invalid_utf8"]
    return []


def next_token(data, offset):
    """(kind, start, end) of the token at or after offset."""
    start = SPACE.match(data, offset).end()
    match = TOKEN.match(data, start)
    if match is None:
        raise fault_at(data, start)
    kind = match.lastindex
    end = match.end()
    if kind == 3 and end < len(data) and data[end] in GOES_ON:
        fault = fault_at(data, start)
        fault.also += [(PARSE, reason) for reason in NUMBER_FAULTS]
        raise fault
    return kind, start, end


class Parser:
    """The stack holds the open containers; `want` says what may come next:
    value, first (a value or the end of an empty array), key, first_key,
    colon, comma (or the end of the container)."""

    def __init__(self, data):
        self.data = data
        self.stack = []
        self.key = None
        self.root = None
        self.want = "value"

    def add(self, value):
        if not self.stack:
            self.root = value
            return
        top = self.stack[-1]
        top.data.append((self.key, value) if top.kind == "object" else value)

    def open(self, kind, start):
        value = Value(kind, [], start, closed=False)
        self.add(value)
        self.stack.append(value)
        self.want = "first_key" if kind == "object" else "first"

    def close(self, kind, start):
        ends = ("comma", "first_key" if kind == "object" else "first")
        fits = self.stack and self.stack[-1].kind == kind and self.want in ends
        if not fits:
            raise parse_problem("invalid_json", start)
        self.stack.pop().closed = True
        self.want = "comma"

    def punctuation(self, byte, start):
        if byte == b"{" and self.want in ("value", "first"):
            self.open("object", start)
        elif byte == b"[" and self.want in ("value", "first"):
            self.open("array", start)
        elif byte == b"}":
            self.close("object", start)
        elif byte == b"]":
            self.close("array", start)
        elif byte == b":" and self.want == "colon":
            self.want = "value"
        elif byte == b"," and self.want == "comma":
            inside = self.stack[-1].kind
            self.want = "key" if inside == "object" else "value"
        else:
            raise parse_problem("invalid_json", start)

    def scalar(self, kind, start, end):
        raw = self.data[start:end]
        if kind == 2 and self.want in ("key", "first_key"):
            self.key = string_value(raw, start)
            self.want = "colon"
            return
        if self.want not in ("value", "first"):
            raise parse_problem("invalid_json", start)
        if kind == 2:
            value = Value("string", string_value(raw, start), start)
        elif kind == 3:
            value = Value("number", raw.decode(), start)
        else:
            value = Value(raw.decode(), None, start)
        self.add(value)
        self.want = "comma"

    def run(self):
        offset = 0
        while True:
            kind, start, end = next_token(self.data, offset)
            if kind == 1:
                self.punctuation(self.data[start:end], start)
            else:
                self.scalar(kind, start, end)
            offset = end
            if self.root is not None and not self.stack:
                break
        rest = SPACE.match(self.data, offset).end()
        if rest < len(self.data):
            raise parse_problem("trailing_data", rest)


def parse(data):
    """A Document: its root as far as it was read, and the fault, if any."""
    parser = Parser(data)
    try:
        parser.run()
    except Problem as problem:
        return Document(parser.root, problem)
    return Document(parser.root, None)
