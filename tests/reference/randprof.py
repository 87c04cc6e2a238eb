#!/usr/bin/env python3
"""Random small profiles of both formats, the same for the same seed.

They vary in everything the formats leave open: order of keys, spelling of
numbers and text, unknown keys, links by children or parent or both, nested
layout, missing metrics, samples that name no node, negative deltas, recursion,
every category of frame, envelopes, byte-order marks and containers. About one
in four is damaged on purpose (randdamage). Left out is what the contract leaves
open: two readings of such a file may both be right.

Use: randprof.py SEED > FILE
"""

import gzip
import random
import sys

import randdamage
from randtext import Object, Raw, Speller

PLACES = (
    "file:///srv/app/a.js", "file:///srv/app/b%20c.js", "file:///c:/w/d.js",
    "file://nas/share/e.js", "/srv/app/bare.js", "app.js", "node:fs",
    "node:internal/modules/cjs/loader", "wasm://wasm/1a2b", "internal/u.js",
    "native array.js", "evalmachine.<anonymous>", "https://x.example/f.js?q#g",
    "file:///srv/node_modules/left-pad/index.js", "bun:main", "ext:core/x.js",
    "file:///srv/node_modules/@s/p/node_modules/@t/q/i.js",
    "file:///srv/node_modules/.pnpm/ms@2.1.3/node_modules/ms/index.js",
    "file:///srv/node_modules/.pnpm/@a+b@1.0.0_c@2/node_modules/@a/b/i.js",
    "file:///srv/x/../y/./z.js", "file:///srv/a%2Fb.js", "file:///srv/%ff.js",
    "file:///srv/a%00.js", "file:///srv/%C3%A9.js", "webpack://w/./src/g.ts",
    "file:///\u00e9.js",
)
# Two urls of one file: which one a row shows is clear only when frames are
# written in the order of the tree.
SAME_FILE = ("file:///srv/app/a.js?v=2", "file:///srv/app/a.js#h")
NAMES = (
    "run", "parse", "", "", "(anonymous)", "(idle)", "get x", "Foo.bar",
    "\u00fcber", "\u65e5\u672c", "\U0001f600", "a\u0000b", "q\"uote\\", "=cmd",
    "\ud83d", "x\udc00y", "line\nbreak", "RegExp: ^a+$", "wasm-function[3]",
    "(unresolved function)", "(unknown)", "\u202egnp", "<script>",
)
VM = ("(program)", "(idle)", "(garbage collector)", "(root)",
      "(unresolved function)")
SCRIPTS = ("0", "17", ":17", "word", "", "83")
SKIP_ID = 9223372036854775807


class Frame:
    def __init__(self, name, url, line, column, script):
        self.name, self.url = name, url
        self.line, self.column, self.script = line, column, script


def random_frame(rand, places):
    kind = rand.random()
    if kind < 0.15:
        return Frame(rand.choice(VM), "", -1, -1, rand.choice(("0", 0, None)))
    line = rand.choice((-1, 0, 1, 7, 119, rand.randrange(2**31 - 1)))
    column = rand.choice((-1, 0, 4, rand.randrange(500)))
    script = rand.choice(SCRIPTS + (0, 5, 17, None))
    if kind < 0.3:
        return Frame(rand.choice(NAMES), "", line, column, script)
    return Frame(rand.choice(NAMES), rand.choice(places), line, column, script)


def frame_pairs(rand, frame):
    pairs = [("functionName", frame.name)]
    if frame.url or rand.random() < 0.9:
        pairs.append(("url", frame.url))
    if frame.line >= 0 or rand.random() < 0.9:
        pairs.append(("lineNumber", frame.line))
    if frame.column >= 0 or rand.random() < 0.9:
        pairs.append(("columnNumber", frame.column))
    if frame.script is not None:
        pairs.insert(1, ("scriptId", frame.script))
    return pairs


def random_ids(rand, count):
    kind = rand.randrange(4)
    if kind < 2:
        return list(range(1, count + 1))
    if kind == 2:
        return rand.sample(range(count * 20), count)
    return [SKIP_ID - 1 - number for number in rand.sample(range(900), count)]


class Plan:
    """The tree before it is written. Node 0 is the root."""

    def __init__(self, rand, shuffled):
        self.rand = rand
        places = PLACES if shuffled else PLACES + SAME_FILE
        count = rand.choice((1, 2, 3, 8, 20, 45))
        deep = rand.random() < 0.3
        self.parents = [None] + [
            i - 1 if deep else rand.randrange(i) for i in range(1, count)]
        self.children = [[] for _ in range(count)]
        for child, parent in enumerate(self.parents):
            if parent is not None:
                self.children[parent].append(child)
        pool = [random_frame(rand, places)
                for _ in range(rand.randint(1, 12))]
        self.frames = [rand.choice(pool) for _ in range(count)]
        if rand.random() < 0.8:
            self.frames[0] = Frame("(root)", "", -1, -1, "0")
        self.ids = random_ids(rand, count)
        self.is_flat_frame = rand.random() < 0.2

    def frame(self, node):
        pairs = frame_pairs(self.rand, self.frames[node])
        return pairs if self.is_flat_frame else [("callFrame", Object(pairs))]

    def nested(self, pairs_of, bare_leaves):
        """The head object; pairs_of(node) gives a node's own pairs."""
        made = {}
        for node in reversed(range(len(self.ids))):
            below = [made.pop(child) for child in self.children[node]]
            pairs = self.frame(node) + pairs_of(node)
            if below or not bare_leaves:
                pairs.append(("children", below))
            made[node] = Object(pairs)
        return made[0]

    def some_ids(self, count):
        """Sample ids; now and then one that names no node."""
        odd = self.rand.random() < 0.4
        known = set(self.ids)
        strange = [n for n in (0, -1, -77, 999999, SKIP_ID) if n not in known]
        return [self.rand.choice(strange)
                if odd and self.rand.random() < 0.2
                else self.rand.choice(self.ids) for _ in range(count)]


def flat_nodes(rand, plan, hits):
    style = rand.choice(("children", "children", "parent", "both"))
    nodes = []
    for node, ident in enumerate(plan.ids):
        pairs = [("id", ident)] + plan.frame(node)
        if hits[node] is not None:
            pairs.append(("hitCount", hits[node]))
        below = [plan.ids[child] for child in plan.children[node]]
        if style != "parent" and (below or rand.random() < 0.5):
            pairs.append(("children", below))
        if style != "children" and node:
            pairs.append(("parent", plan.ids[plan.parents[node]]))
        if rand.random() < 0.1:
            tick = Object([("line", rand.randrange(99)), ("ticks", 1)])
            pairs.append(("positionTicks", [tick]))
        nodes.append(Object(pairs))
    if rand.random() < 0.3:
        rand.shuffle(nodes)
    return nodes


def random_hits(rand, count):
    kind = rand.randrange(4)
    if kind == 0:
        return [None] * count
    sometimes = kind == 1
    return [None if sometimes and rand.random() < 0.4
            else rand.choice((0, 0, 1, 2, 300)) for _ in range(count)]


def random_deltas(rand, count):
    backwards = rand.random() < 0.4
    deltas = [rand.choice((0, 1, 9, 100, 125, 5000)) for _ in range(count)]
    if backwards:
        deltas = [-delta if i and rand.random() < 0.2 else delta
                  for i, delta in enumerate(deltas)]
    return deltas


def seconds(microseconds):
    """Exact to the microsecond, as a fraction."""
    whole, part = divmod(microseconds, 1000000)
    return Raw(f"{whole}.{part:06d}" if part else str(whole))


def cpu_times(rand, plan, is_nested):
    start = rand.choice((0, 1000, 607790378, 1761784720948727))
    pairs = []
    count = rand.choice((0, 1, 2, 10, 60))
    deltas = random_deltas(rand, count)
    end = start + sum(deltas) + rand.choice((0, 1, 250, -3))
    end = max(end, start)
    write = seconds if is_nested else int
    if rand.random() < 0.9:
        pairs.append(("startTime", write(start)))
    else:
        start = 0
    if rand.random() < 0.9:
        pairs.append(("endTime", write(end)))
    if rand.random() < 0.1:
        return pairs
    pairs.append(("samples", plan.some_ids(count)))
    kind = rand.random()
    if kind < 0.1:
        return pairs
    if kind < (0.9 if is_nested else 0.2):
        times, now = [], start
        for delta in deltas:
            now += delta
            times.append(now)
        pairs.append(("timestamps", times))
    else:
        pairs.append(("timeDeltas", deltas))
    return pairs


def cpu(rand, shuffled):
    plan = Plan(rand, shuffled)
    hits = random_hits(rand, len(plan.ids))
    is_nested = rand.random() < 0.25
    times = cpu_times(rand, plan, is_nested)
    if not is_nested:
        return Object([("nodes", flat_nodes(rand, plan, hits))] + times)
    hits[0] = hits[0] or 0  # what tells this layout from a heap profile
    bare = rand.random() < 0.3

    def pairs_of(node):
        own = [("id", plan.ids[node])]
        return own + ([] if hits[node] is None
                      else [("hitCount", hits[node])])

    return Object([("head", plan.nested(pairs_of, bare))] + times)


def heap(rand, shuffled):
    plan = Plan(rand, shuffled)
    has_ids = rand.random() < 0.8
    sizes = [rand.choice((0, 0, 16, 1024, 99999)) for _ in plan.ids]

    def pairs_of(node):
        own = [("selfSize", sizes[node])]
        return own + ([("id", plan.ids[node])] if has_ids else [])

    pairs = [("head", plan.nested(pairs_of, rand.random() < 0.3))]
    if rand.random() < 0.8:
        records = []
        for ident in plan.some_ids(rand.choice((0, 1, 5, 40))):
            record = [("size", rand.choice((8, 64, 1000))),
                      ("nodeId", ident)]
            if rand.random() < 0.9:
                record.append(("ordinal", len(records) + 1))
            records.append(Object(record))
        pairs.append(("samples", records))
    return Object(pairs)


def wrapped(rand, profile):
    kind = rand.random()
    if kind < 0.05:
        return Object([("profile", profile)])
    if kind < 0.1:
        inner = Object([("profile", profile)])
        return Object([("id", 3), ("result", inner)])
    return profile


def profile_bytes(seed):
    """The file for this seed."""
    rand = random.Random(seed)
    speller = Speller(rand)
    make = cpu if rand.random() < 0.6 else heap
    profile = make(rand, speller.shuffled)
    data = speller.spell(wrapped(rand, profile)).encode()
    if rand.random() < 0.25:
        data = randdamage.damaged(rand, data)
    if rand.random() < 0.05:
        data = b"\xef\xbb\xbf" + data
    if rand.random() < 0.05:
        cut = rand.randint(0, len(data))
        data = b"".join(gzip.compress(part, 6, mtime=0)
                        for part in (data[:cut], data[cut:]))
    return data


if __name__ == "__main__":
    sys.stdout.buffer.write(profile_bytes(int(sys.argv[1])))
