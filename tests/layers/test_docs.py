"""The documentation lists what the tables hold: every status, reason, limit,
message, format, term, system call, layer, option and step of a job's life.

A rule reads a table and a page and yields what is wrong. Each rule is also
shown a changed table, or a changed page, and must complain.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
STATES = ("ADMITTED", "QUEUED", "RUNNING", "DELIVERING", "ENDED")


class Tree:
    """The files as they are, but for those that a test changes."""

    def __init__(self, **changes):
        self.changes = changes

    def read(self, path):
        text = (ROOT / path).read_text("utf-8")
        old, new = self.changes.get(re.sub(r"\W", "_", path), ("", ""))
        if old not in text:
            raise AssertionError(f"{path} has no {old!r}")
        return text.replace(old, new, 1) if old else text


def lines(tree, table, macro):
    """The arguments of each line of a table, as written, strings joined."""
    text = re.sub(r"/\*.*?\*/", "", tree.read(table), flags=re.S)
    for body in re.findall(rf"^{macro}\((.*?)\)\s*$", text, re.M | re.S):
        parts = re.split(r",\s*(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", body)
        yield [re.sub(r'"\s*"', "", p.strip()).strip('"') for p in parts]


def number(text):
    total = 1
    for factor in text.split("*"):
        factor = factor.strip()
        total *= UNITS.get(factor) or int(factor)
    return total


def rows(page):
    """The cells of each row of each table of a page, without marks."""
    for line in page.splitlines():
        if line.startswith("|"):
            yield [c.strip().replace("`", "").replace("\\|", "|")
                   for c in re.split(r"(?<!\\)\|", line)[1:-1]]


def row_of(page, name, column=0):
    """The first row with that name in a column; None when there is none."""
    return next((r for r in rows(page)
                 if len(r) > column and r[column] == name), None)


def statuses(tree):
    page = tree.read("docs/ERRORS.md")
    for name, _, code, whose, retryable, *_ in lines(
            tree, "proto/status.def", "STATUS"):
        row = row_of(page, name)
        if row is None:
            yield f"ERRORS.md has no {name}"
        elif row[1].split(";")[0] != code:
            yield f"ERRORS.md: {name} exits with {code}"
        elif name != "OK" and (row[2] != whose.lower() or row[3] != (
                "yes" if retryable == "true" else "no")):
            yield f"ERRORS.md: {name} is {whose}, retryable {retryable}"


def named(tree, table, macro, page, column=1):
    """Each public name stands in backquotes somewhere in the page."""
    text = tree.read(page)
    for arguments in lines(tree, table, macro):
        name = arguments[column]
        if name and f"`{name}`" not in text:
            yield f"{page} has no {macro} {name}"


def reasons(tree):
    yield from named(tree, "proto/reason.def", "REASON", "docs/ERRORS.md")


def terms(tree):
    for macro in ("LANGUAGE", "FRAME_TYPE", "CATEGORY", "SYMBOLIZATION",
                  "ENCODING", "COVERAGE", "LIMITATION"):
        yield from named(tree, "proto/terms.def", macro, "docs/RESULT.md")


def layers(tree):
    page = tree.read("docs/SANDBOX.md")
    for _, name, required in lines(tree, "proto/terms.def", "SANDBOX_LAYER"):
        row = row_of(page, name)
        if row is None:
            yield f"SANDBOX.md has no layer {name}"
        elif (row[1] == "yes") != (required == "true"):
            yield f"SANDBOX.md: {name} is required: {required}"


def size(value):
    for unit in ("TIB", "GIB", "MIB", "KIB"):
        if value >= UNITS[unit] and value % UNITS[unit] == 0:
            return f"{value // UNITS[unit]} {unit[0]}iB"
    return str(value)


def limits(tree):
    page = tree.read("docs/OPERATIONS.md")
    for name, *values, unit, _ in lines(tree, "proto/limits.def", "LIMIT"):
        row = row_of(page, name.lower())
        values = [number(v) for v in values]
        wanted = [size(v) if unit == "BYTES" else str(v) for v in values]
        if row is None or row[1:4] != wanted:
            yield f"OPERATIONS.md: {name.lower()} is {', '.join(wanted)}"


def messages(tree):
    page = tree.read("docs/PROTOCOL.md")
    version = re.search(r"define FRAME_VERSION (\d+)",
                        tree.read("proto/frame.h"))[1]
    if f"| u8 version | {version} |" not in page:
        yield f"PROTOCOL.md: the version is {version}"
    for name, no, sender, least, most, fds, states_of in lines(
            tree, "proto/message.def", "MESSAGE"):
        row = row_of(page, name, 1)
        most = "max" if most == "FRAME_PAYLOAD_MAX" else most
        span = least if least == most else f"{least} – {most}"
        if (row is None or row[0] != no or row[3] != span
                or not row[2].startswith(sender.lower())
                or (row[4] == "–") != (fds == "0")
                or row[5] != states_of.replace("-", "–")):
            yield (f"PROTOCOL.md: {no} {name} of the {sender}, {span}, "
                   f"{fds} fd, {states_of}")


def formats(tree):
    for _, name, kind, extractor, version, *_ in lines(
            tree, "proto/format.def", "FORMAT"):
        path = f"docs/formats/{name}.md"
        if not (ROOT / path).exists():
            yield f"{path} is not there"
        elif (f"Extractor `{extractor}`, version {version}"
              not in tree.read(path)):
            yield f"{path}: not of {extractor} {version}"
        if f"`{name}`" not in tree.read("docs/RESULT.md"):
            yield f"RESULT.md has no {name}"


def syscalls(tree):
    page = tree.read("docs/SANDBOX.md")
    section = page[page.index("## System calls"):]
    section = section[:section.index("\n## ", 3)]
    listed = {}
    for row in rows(section):
        for name in re.split(r",\s*", row[0]):
            listed[name] = row[1]
    held = set()
    for name, action, *_ in lines(tree, "proto/syscalls.def", "SYSCALL"):
        held.add(name)
        if listed.get(name) != {"ALLOW_IF": "allowed if"}.get(
                action, action.replace("ALLOW", "allowed")):
            yield f"SANDBOX.md: {name} is {action}, not {listed.get(name)}"
    for name in set(listed) - held - {"call", "---"}:
        yield f"SANDBOX.md: {name} is not in proto/syscalls.def"


def states(tree):
    source = tree.read("broker/supervisor/jobstate.c")
    source = source[source.index("steps[JOB_STATE_COUNT]"):]
    page = tree.read("docs/PROTOCOL.md")
    state = None
    for match in re.finditer(r"\[JOB_(\w+)\] =\s*(?:STAY\((\w+)\)|"
                             r"TO\((\w+), (\w+)\))?", source):
        name, stays, following, action = match.groups()
        if stays is None and following is None:
            state = name if name in STATES else None
        elif state is not None:
            event = name.removeprefix("EVENT_")
            cell = stays or f"{action} → {following}"
            row = next((r for r in rows(page)
                        if r[0] == event and len(r) == 6), None)
            if row is None or row[1 + STATES.index(state)] != cell:
                yield f"PROTOCOL.md: {event} in {state} is {cell}"


def service_help(tree):
    source = tree.read("broker/supervisor/config.c")
    source = source[source.index("config_help[] ="):]
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"',
                              source[:source.index(";\n\n")]))
    text = text.replace("\\n", "\n")
    if f"```\n{text}```" not in tree.read("docs/OPERATIONS.md"):
        yield "OPERATIONS.md does not show extractd --help as it is"


def links(tree):
    for page in ["README.md", *(str(p.relative_to(ROOT)) for p in
                                sorted((ROOT / "docs").rglob("*.md")))]:
        folder = (ROOT / page).parent
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)",
                                 tree.read(page)):
            if not (folder / target).exists():
                yield f"{page}: {target} is not there"


RULES = (statuses, reasons, terms, layers, limits, messages, formats, syscalls,
         states, service_help, links)

# For each rule a change that it must see: file, what stands there, what then.
CHANGES = (
    (statuses, "proto/status.def", "STATUS(OK,", "STATUS(ODD, 99, 5, OURS, "
     'false, "x")\nSTATUS(OK,'),
    (statuses, "proto/status.def", "BUSY, 17, 7,", "BUSY, 17, 8,"),
    (statuses, "proto/status.def", "BUSY, 17, 7, SERVICE, true",
     "BUSY, 17, 7, SERVICE, false"),
    (reasons, "proto/reason.def", '"cycle"', '"circle"'),
    (terms, "proto/terms.def", '"clamped_deltas"', '"squeezed_deltas"'),
    (terms, "proto/terms.def", '"rows_cut"', '"rows_lost"'),
    (terms, "proto/terms.def", '"regexp"', '"regular"'),
    (layers, "proto/terms.def", '"landlock", false', '"landlock", true'),
    (layers, "proto/terms.def", '"mdwe"', '"no_exec"'),
    (limits, "proto/limits.def", "MAX_NODES, 20000000",
     "MAX_NODES, 30000000"),
    (limits, "proto/limits.def", "16 * TIB", "32 * TIB"),
    (messages, "proto/message.def", "DONE, 6, WORKER, 4, 4",
     "DONE, 6, WORKER, 4, 8"),
    (messages, "proto/frame.h", "FRAME_VERSION ", "FRAME_VERSION 9"),
    (messages, "proto/message.def", "HOLD, 36", "WAIT, 36"),
    (messages, "docs/PROTOCOL.md", "| – | running, delivering | frames of",
     "| – | running | frames of"),
    (formats, "proto/format.def", '"v8-heap-profile",\n       1',
     '"v8-heap-profile",\n       2'),
    (formats, "proto/format.def", '"v8.cpuprofile"', '"v8.other"'),
    (syscalls, "proto/syscalls.def", "SYSCALL(brk,", "SYSCALL(sbrk,"),
    (syscalls, "proto/syscalls.def", "futex, ENOSYS", "futex, EPERM"),
    (syscalls, "docs/SANDBOX.md", "| `brk`", "| `brk`, `execve`"),
    (states, "broker/supervisor/jobstate.c",
     "/* what the old front has read nobody can read again */\n"
     "\t\t[JOB_EVENT_FRONT_LOST] = STAY(KILL)",
     "[JOB_EVENT_FRONT_LOST] = STAY(HOLD)"),
    (states, "broker/supervisor/jobstate.c",
     "[JOB_EVENT_NO_WORKER] = TO(ENDED, END)",
     "[JOB_EVENT_NO_WORKER] = STAY(END)"),
    (states, "docs/PROTOCOL.md", "WAIT → QUEUED", "WAIT → RUNNING"),
    (service_help, "broker/supervisor/config.c", "default 64", "default 65"),
    (links, "README.md", "](docs/API.md", "](docs/APIS.md"),
)


class Docs(unittest.TestCase):
    def test_pages_and_tables_agree(self):
        for rule in RULES:
            with self.subTest(rule.__name__):
                self.assertEqual(list(rule(Tree())), [])

    def test_every_rule_sees_its_changes(self):
        for rule, path, old, new in CHANGES:
            with self.subTest(f"{rule.__name__}: {new}"):
                tree = Tree(**{re.sub(r"\W", "_", path): (old, new)})
                self.assertNotEqual(list(rule(tree)), [])

    def test_every_rule_is_shown_a_change(self):
        self.assertEqual({rule for rule, *_ in CHANGES}, set(RULES))

    def test_tables_are_read_whole(self):
        for table, macro in (("status", "STATUS"), ("reason", "REASON"),
                             ("limits", "LIMIT"), ("message", "MESSAGE"),
                             ("format", "FORMAT"), ("syscalls", "SYSCALL"),
                             ("terms", "COVERAGE"), ("terms", "CATEGORY"),
                             ("terms", "SANDBOX_LAYER")):
            path = f"proto/{table}.def"
            found = len(list(lines(Tree(), path, macro)))
            text = re.sub(r"/\*.*?\*/", "", Tree().read(path), flags=re.S)
            self.assertEqual(found, len(re.findall(rf"^{macro}\(", text, re.M)))
            self.assertGreater(found, 1)


if __name__ == "__main__":
    unittest.main()
