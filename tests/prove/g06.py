"""G6: a reply is bounded in rows, bytes, strings and depth, and says what was
cut; a worker that lies about it is a BAD_REPLY, and the front stays small."""

import json
import random

import watch
from harness import DATA, Peer, Service, profile

STRINGS = ("function", "url", "file", "script", "package")
MARK = "…"


class RawPeer(Peer):
    """Knows how long the last reply was."""

    raw_bytes = 0

    def receive(self, number, seconds=20):
        reply = super().receive(number, seconds)
        if reply is not None:
            self.raw_bytes = len(json.dumps(
                reply, ensure_ascii=False, separators=(",", ":")).encode())
        return reply

    def extract(self, path, **options):
        job = self.start(path, name="f", **options)
        reply = self.result(job)
        self.doors.pop(job).close()
        return reply


# -- profiles at random --------------------------------------------------------

LETTERS = "abcXYZ_$09 " + "éßжλ" + "漢字か" + "\U0001f600\U0001f680" + '"\\/\n'


def text(dice, most):
    length = dice.choice((0, 1, 5, 20, 20, 20, dice.randrange(most)))
    return "".join(dice.choices(LETTERS, k=length))


def url(dice, most):
    return dice.choice((
        "", "node:fs", "native x", "evalmachine.<anonymous>",
        f"file:///srv/app/{dice.randrange(9)}.js",
        f"file:///srv/app/node_modules/{text(dice, 40)}/x.js",
        f"https://example.org/{text(dice, most)}",
        f"/srv/{text(dice, most)}"))


def random_profile(dice, path):
    """A CPU profile of a random tree, deep or broad, with odd names."""
    count = dice.choice((1, 2, 10, 100, 400))
    most = dice.choice((30, 300, 3000))
    children = [[] for _ in range(count)]
    for i in range(1, count):
        # Nearly a chain, or anything.
        first = max(0, i - 2) if dice.random() < 0.5 else 0
        children[dice.randrange(first, i)].append(i + 1)
    nodes = [{"id": i + 1, "hitCount": dice.randrange(5),
              "children": children[i],
              "callFrame": {"functionName": text(dice, most),
                            "scriptId": str(dice.randrange(4)),
                            "url": url(dice, most),
                            "lineNumber": dice.randrange(-1, 9),
                            "columnNumber": dice.randrange(-1, 9)}}
             for i in range(count)]
    samples = [dice.randrange(1, count + 1)
               for _ in range(dice.randrange(500))]
    path.write_text(json.dumps({
        "nodes": nodes, "startTime": 0, "endTime": 10**6, "samples": samples,
        "timeDeltas": [dice.randrange(1000) for _ in samples]}))
    return str(path)


def random_options(dice):
    limits = {}
    for name, low, high in (("max_rows", 0, 500), ("max_depth", 1, 300),
                            ("max_string_bytes", 16, 6144),
                            ("max_result_bytes", 65536, 300_000),
                            ("max_samples", 1, 600), ("max_nodes", 1, 500),
                            ("max_frames", 1, 500)):
        # Those that end a job are lowered less often, or all would end.
        often = 0.5 if name in ("max_string_bytes", "max_result_bytes") else (
            0.15)
        if dice.random() < often:
            limits[name] = dice.randrange(low, high)
    options = {"limits": limits}
    if dice.random() < 0.5:
        options["rows"] = dice.randrange(min(limits.get("max_rows", 1000), 500)
                                         + 1)
    if dice.random() < 0.5:
        options["on_limit"] = "truncate"
    return options


# -- what must be true of a reply ----------------------------------------------

class Judge:
    def __init__(self, run):
        self.run = run
        self.results = self.errors = self.cut_rows = self.cut_strings = 0
        self.partial = 0

    def check(self, holds, text_):
        self.run.check(holds, text_)

    def error(self, error, options):
        """Only a limit that was set may end a job."""
        self.errors += 1
        self.check(error["code"] == "LIMIT_EXCEEDED" and
                   error["limit"] in options["limits"], f"{options}: {error}")
        self.check(error["actual"] > error["max"] ==
                   options["limits"][error["limit"]], f"{error}")

    def result(self, result, whole, options, raw_bytes):
        self.results += 1
        limits = result["limits"]
        for name, value in options["limits"].items():
            self.check(limits[name] == value, f"{name} is in effect")
        self.check(raw_bytes <= limits["max_result_bytes"],
                   f"{raw_bytes} of {limits['max_result_bytes']} bytes")
        self.check(result["counts"]["max_depth"] <= limits["max_depth"],
                   "depth")
        self.rows(result, options)
        self.sums(result)
        self.strings(result, whole)
        self.input(result, options)

    def rows(self, result, options):
        rows = result["rows"]
        wanted = options.get("rows", 1000)
        self.check(len(rows) == result["rows_returned"] <=
                   min(wanted, result["limits"]["max_rows"]), "rows")
        self.check(result["rows_total"] == result["counts"]["frames"] ==
                   len(rows) + result["other"]["rows"], "rows in all")
        asked = min(wanted, result["limits"]["max_rows"],
                    result["rows_total"])
        named = self.named(result, "rows_cut")
        self.check(named == (len(rows) < asked),
                   f"rows_cut {named}, {len(rows)} of {asked}")
        self.cut_rows += named

    def sums(self, result):
        for metric in result["metrics"]:
            name = metric["name"]
            listed = sum(row["values"][name]["self"]
                         for row in result["rows"])
            other = result["other"]["values"][name]["self"]
            self.check(listed + other == metric["total"], f"{name} adds up")
            self.check(all(row["values"][name]["self"] <=
                           row["values"][name]["inclusive"] <=
                           metric["total"] for row in result["rows"]), name)

    def strings(self, result, whole):
        """Each within its limit, or cut at a character and marked."""
        most = result["limits"]["max_string_bytes"]
        cut = 0
        full = {row["frame_id"]: row for row in whole["rows"]}
        for row in result["rows"]:
            for key in STRINGS:
                seen = row[key]
                if seen is None:
                    continue
                self.check(len(seen.encode()) <= most, f"{key} is too long")
                # Of the whole, where that was not cut itself.
                true = full.get(row["frame_id"], row)[key]
                if seen != true:
                    self.check(seen.endswith(MARK) and
                               true.startswith(seen[:-1]), f"{key}: {seen}")
                    self.check(len(true.encode()) > most and most - len(
                        seen.encode()) < 4, f"{key} is cut too much")
                    cut += 1
        self.check(result["coverage"]["cut_strings"] == cut,
                   f"{cut} strings, {result['coverage']}")
        self.check(self.named(result, "strings_cut") == (cut > 0), "named")
        self.cut_strings += cut

    def input(self, result, options):
        partial = result["status"] == "partial"
        self.check(partial == self.named(result, "input_cut"), "input_cut")
        self.check(not partial or options.get("on_limit") == "truncate",
                   "cut on request only")
        # counts has those of the file, coverage those left out.
        samples = result["counts"]["samples"] or 0
        cut = result["coverage"]["cut_samples"]
        self.check(partial == (cut > 0) and cut == max(
            0, samples - result["limits"]["max_samples"]),
            f"{cut} of {samples} samples cut, {options}")
        self.partial += partial

    @staticmethod
    def named(result, code):
        return code in [entry["code"] for entry in result["limitations"]]


def properties(run):
    dice = random.Random(run.pick(3, 6))
    judge = Judge(run)
    real = sorted(path for path in (DATA / "real").rglob("*")
                  if path.suffix in (".cpuprofile", ".heapprofile"))
    with Service("--workers", "2") as service, RawPeer(service) as peer:
        for i in range(run.pick(40, 2000)):
            path = str(dice.choice(real))
            if i % 8:
                path = random_profile(dice, run.folder / "random.cpuprofile")
            # Nothing is cut at the longest strings that there are.
            whole = peer.extract(path, rows=1000, limits={
                "max_string_bytes": 6144, "max_result_bytes": 128 << 20})
            for _ in range(3):
                options = random_options(dice)
                reply = peer.extract(path, **options)
                if reply["type"] == "error":
                    judge.error(reply["error"], options)
                else:
                    judge.result(reply["result"], whole["result"], options,
                                 peer.raw_bytes)
    run.check(judge.cut_strings and judge.cut_rows and judge.partial,
              "something was cut")
    run.figure("Replies under random limits, all within them", judge.results)
    run.figure("Of which with rows left out; partial; strings cut in all",
               f"{judge.cut_rows}; {judge.partial}; {judge.cut_strings}")
    run.figure("Ended by a limit that was set", judge.errors)


def edges(run):
    """Strings of just as many bytes as are allowed, and of a few more."""
    most = 64
    path = run.folder / "edges.cpuprofile"
    with Service("--workers", "1") as service, RawPeer(service) as peer:
        for letter in ("x", "ß", "漢", "\U0001f600"):
            size = len(letter.encode())
            for length in range(most - 3, most + 6):
                name = "a" * (length % size) + letter * (length // size)
                path.write_text(json.dumps({"nodes": [
                    {"id": 1, "callFrame": {"functionName": name}}],
                    "samples": [1], "timeDeltas": [1]}))
                reply = peer.extract(path, limits={"max_string_bytes": most})
                seen = reply["result"]["rows"][0]["function"]
                room = most - len(MARK.encode())
                cut = name.encode()[:room].decode(errors="ignore") + MARK
                run.check(seen == (name if length <= most else cut),
                          f"{length} bytes of {letter}: {seen}")


# -- workers that lie ----------------------------------------------------------

LIES = ("no_result", "rows_first", "too_few", "too_many", "above_cap",
        "twice", "wrong_length", "foreign_job", "descriptor", "garbage",
        "silent", "early", "answer_again", "failed_behind", "no_rows", "half",
        "row_long", "row_utf8", "row_cut_char", "row_self", "row_missing",
        "row_inclusive", "row_rank", "row_category", "row_behind",
        "failure_busy", "failure_ok", "header_magic", "header_version",
        "header_sender", "header_huge", "header_short")
FLOODS = ("rows", "long", "progress", "words")


def lies(run):
    small = str(profile(run.folder))
    reasons = set()
    with Service("--workers", "1", standin="lie") as service, \
            RawPeer(service) as peer:
        front = service.front()
        for _ in range(run.pick(1, 20)):
            for lie in LIES:
                job = peer.start(small, name=lie)
                reply = peer.result(job)
                peer.doors.pop(job).close()
                run.check(reply["type"] == "error" and
                          reply["error"]["code"] == "BAD_REPLY",
                          f"{lie}: {reply}")
                reasons.add(reply["error"]["reason"])
        run.check(service.front() == front, "the front lives")
    run.check(reasons == {"bad_frame", "bad_order", "no_answer", "too_much"},
              f"{reasons}")
    run.figure("Kinds of lies, all BAD_REPLY", len(LIES))


def floods(run):
    """Whatever is said, the front's memory and the log stay flat."""
    small = str(profile(run.folder))
    with Service("--workers", "1", standin="flood") as service, \
            RawPeer(service) as peer:
        front = service.front()
        before = watch.rss(front)
        for flood in FLOODS:
            name = flood if run.full else flood + " short"
            job = peer.start(small, name=name, limits={
                "max_result_bytes": 1 << 20, "wall_seconds": 600})
            reply = peer.result(job, 600)
            peer.doors.pop(job).close()
            run.check(reply["type"] == "error" and
                      reply["error"]["code"] == "BAD_REPLY",
                      f"{flood}: {reply}")
        run.check(service.front() == front, "the front lives")
        grown = watch.peak(front) - before
        run.check(grown < 16 << 20, f"the front grew by {grown} bytes")
        run.check(service.process.poll() is None, "extractd lives")
        logged = service.log.stat().st_size
    run.figure(f"Floods of {run.pick('16 MiB', '1 GiB')} of frames",
               f"{len(FLOODS)} kinds, all BAD_REPLY")
    run.figure("The front's memory grew by at most", f"{grown >> 10} KiB")
    run.check(logged < 64 << 10, f"the log grew to {logged} bytes")
    run.figure("The log of all of them", f"{logged} bytes")


def prove(run):
    edges(run)
    properties(run)
    lies(run)
    floods(run)
