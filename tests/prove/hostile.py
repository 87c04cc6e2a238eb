"""Hostile artifacts as real files, each with the outcomes that are right.

    for path, expected in hostile.make(folder, full):
        reply = …
        assert hostile.accepts(expected, hostile.outcome(reply))

`expected` is OK or a set of them: ("CODE", "reason"), where a LIMIT_EXCEEDED
has its limit's name for a reason and a code without reasons has None. What is
right was worked out from the documents of the formats and errors, not by
running the program. Some kinds want options: options(path) gives them; without
them the outcome is another one of the set.

Large things are packed, so that the folder stays small: RLE blocks of zstd
(RFC 8878) hold 128 KiB in 4 bytes, members of gzip may be repeated.
Descriptors that are no regular files are not here: opening some would wait.
"""

import gzip
import io
import os
import pathlib
import random
import struct
import tarfile
import zipfile
import zlib

OK = "ok"
LIMIT = "LIMIT_EXCEEDED"
PARSE = "ARTIFACT_PARSE_FAILED"
CORRUPT = "ARTIFACT_CORRUPT"
UNSUPPORTED = "UNSUPPORTED_FORMAT"

EMPTY = {("EMPTY_INPUT", None)}
LAYOUT = {(UNSUPPORTED, "unrecognized_layout"), (UNSUPPORTED, "known_format")}
ENCODING = {(UNSUPPORTED, "unsupported_encoding")}
# Only the fault of the input, or a result: what damage at random may give.
BLAME = ("EMPTY_INPUT", PARSE, CORRUPT, UNSUPPORTED, LIMIT)
ANY = frozenset([OK, *BLAME])

# The kinds that are judged better under a limit of their own.
OPTIONS = {
    "bomb-gzip": {"limits": {"max_decoded_bytes": 1 << 20}},
    "bomb-zstd": {"limits": {"max_decoded_bytes": 1 << 20}},
    "bomb-behind": {"limits": {"max_decoded_bytes": 1 << 22}},
}


def parse(*reasons):
    return {(PARSE, reason) for reason in reasons}


def limit(*names):
    return {(LIMIT, name) for name in names}


def outcome(reply):
    """What a final reply of the API says, in the words of `expected`."""
    if reply["type"] == "result":
        return OK
    error = reply["error"]
    return error["code"], error["limit"] or error["reason"]


def accepts(expected, seen):
    if expected == OK or seen == OK:
        return seen == expected or (expected != OK and OK in expected)
    return seen in expected or seen[0] in expected


def options(path):
    """Options of submit that a file is meant to be sent with."""
    return OPTIONS.get(kind(path), {})


def kind(path):
    """The name of what it is; files cut or flipped have one kind."""
    return pathlib.Path(path).name.split(".")[0]


# -- profiles ------------------------------------------------------------------

def node(number, name="f", **more):
    text = f'{{"id":{number},"callFrame":{{"functionName":"{name}"}}'
    for key, value in more.items():
        text += f',"{key}":{value}'
    return text + "}"


def cpu(nodes, samples="", deltas="", more="", start="0", end="1000"):
    return (f'{{"nodes":[{nodes}],"startTime":{start},"endTime":{end},'
            f'"samples":[{samples}],"timeDeltas":[{deltas}]{more}}}').encode()


ROOT = node(1, "(root)", children="[2]")
GOOD = cpu(f"{ROOT},{node(2, 'work')}", "2,2,2", "0,10,10")


def named(raw):
    """A good profile, one name of which is those bytes."""
    return GOOD.replace(b'"work"', b'"' + raw + b'"')


def with_key(raw):
    """A good profile with a key of its own before all others."""
    return b'{"x":' + raw + b"," + GOOD[1:]


def with_start(raw):
    return GOOD.replace(b'"startTime":0', b'"startTime":' + raw)


def children(*links):
    """Nodes 1, 2, … with those lists of children."""
    return cpu(",".join(node(i + 1, f"f{i}", children=str(list(some)))
                        for i, some in enumerate(links)))


def heap_node(number, inside="", size=8):
    return (f'{{"callFrame":{{"functionName":"f"}},"selfSize":{size},'
            f'"id":{number},"children":[{inside}]}}')


def heap(head, samples=""):
    return f'{{"head":{head},"samples":[{samples}]}}'.encode()


def deep_heap(depth):
    opening = ('{"callFrame":{"functionName":"f"},"selfSize":1,"id":%d,'
               '"children":[')
    return heap("".join(opening % i for i in range(1, depth + 1)) +
                "]}" * depth)


def chain(depth):
    return cpu(",".join(
        node(i, children=f"[{i + 1}]" if i < depth else "[]")
        for i in range(1, depth + 1)))


# -- containers ----------------------------------------------------------------

def member(data, level=6):
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def repeated(pattern, count, before=b"", after=b""):
    """gzip of a pattern very often."""
    many = max(1, (1 << 22) // len(pattern))
    packed = member(pattern * many)
    return (member(before) + packed * (count // many) +
            member(pattern * (count % many) + after))


BLOCK = 128 * 1024


def zstd(*pieces, window_log=23, content=None):
    """A zstd frame of pieces: bytes, or (one byte, how often)."""
    head = b"\x28\xb5\x2f\xfd"
    window = bytes([(window_log - 10) << 3])
    if content is None:
        head += b"\x00" + window
    else:
        head += b"\xc0" + window + struct.pack("<Q", content)
    out = [head]
    for piece in pieces:
        if isinstance(piece, tuple):
            byte, count = piece
            whole = struct.pack("<I", BLOCK << 3 | 1 << 1)[:3] + byte
            out.append(whole * (count // BLOCK))
            out.append(struct.pack("<I", count % BLOCK << 3 | 2)[:3] + byte)
        else:
            for at in range(0, len(piece), BLOCK):
                some = piece[at:at + BLOCK]
                out.append(struct.pack("<I", len(some) << 3)[:3] + some)
    out.append(b"\x01\0\0")
    return b"".join(out)


def tar(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as t:
        for name, sort, content in members:
            info = tarfile.TarInfo(name)
            info.type = sort
            if sort in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                info.linkname = content.decode()
                content = b""
            info.size = len(content)
            t.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in members:
            z.writestr(name, content)
    return out.getvalue()


# -- the kinds: name, content, what is right -----------------------------------

def bytes_kinds():
    yield "empty", b"", EMPTY
    yield "one-byte-brace", b"{", parse("truncated_input")
    yield "one-byte-letter", b"x", LAYOUT
    yield "mark-only", b"\xef\xbb\xbf", EMPTY
    yield "blanks", b" \n\t\r" * 300_000, EMPTY
    yield "blanks-packed", zstd((b" ", 1 << 26)), EMPTY
    yield "utf-16-little", GOOD.decode().encode("utf-16-le"), ENCODING
    yield "utf-16-big", GOOD.decode().encode("utf-16-be"), ENCODING
    yield "utf-16-mark", GOOD.decode().encode("utf-16"), ENCODING
    yield "utf-32", GOOD.decode().encode("utf-32"), ENCODING
    yield "zeros", bytes(1 << 20), LAYOUT | ENCODING
    yield "noise", random.Random(4).randbytes(1 << 16), LAYOUT | ENCODING
    yield "text", b"not a profile\n" * 1000, LAYOUT
    yield "program", b"\x7fELF\x02\x01\x01" + bytes(500), LAYOUT
    yield "utf-8-cut", named(b"ab\xe2\x82"), parse("invalid_utf8")
    yield "utf-8-overlong", named(b"\xc0\xaf"), parse("invalid_utf8")
    yield "utf-8-surrogate", named(b"\xed\xa0\x80"), parse("invalid_utf8")
    yield "utf-8-too-large", named(b"\xf4\x90\x80\x80"), parse("invalid_utf8")
    yield "utf-8-in-key", b'{"\xff":1,' + GOOD[1:], parse("invalid_utf8")
    yield "nul-raw", named(b"a\0b"), parse("invalid_json")
    yield "nul-escaped", named(b"a\\u0000b"), OK
    yield "control-characters", named(b"a\\u001b[2Jb\\u202e\\u009b"), OK
    yield "lone-surrogates", named(b"\\ud800 \\udfff\\ud800"), OK
    yield "escape-broken", named(b"\\ud8zz"), parse("invalid_json")
    yield "escape-unknown", named(b"\\x41"), parse("invalid_json")
    yield "backslashes", named(b"\\\\" * 200_000), OK


def json_kinds(full):
    many = 100_000_000 if full else 3_000_000
    deep = limit("max_json_depth")
    yield "brackets", zstd((b"[", many)), LAYOUT | deep
    yield "brackets-inside", zstd(b'{"x":', (b"[", many)), deep
    yield "brackets-for-nodes", zstd(b'{"nodes":', (b"[", many)), (
        deep | parse("not_an_object", "wrong_type"))
    yield "objects", repeated(b'{"a":', many // 5), deep
    yield "unclosed", GOOD[:GOOD.index(b"work") + 2], parse("truncated_input")
    yield "unclosed-long", zstd(b'{"x":"', (b"y", many)), (
        limit("max_token_bytes"))
    yield "commas", zstd(b'{"nodes":[', (b",", many)), parse("invalid_json")
    yield "comment", b"/* */" + GOOD, LAYOUT | parse("invalid_json")
    yield "comment-inside", with_key(b"1/**/"), parse("invalid_json")
    yield "junk-behind", GOOD + b"junk", parse("trailing_data")
    yield "two-documents", GOOD + b"\n" + GOOD, parse("trailing_data")
    yield "hole-in-string", named(bytes(1 << 20)), parse("invalid_json")
    yield "no-profile", b'{"a":1}', LAYOUT
    yield "wrong-type", GOOD.replace(b"[2,2,2]", b"7"), parse("wrong_type")
    yield "wrong-layout", b'{"nodes":{},"samples":7}', (
        LAYOUT | parse("wrong_type"))
    count = 10_000_000 if full else 100_000
    again = repeated(b'"x":1,', count, b"{", GOOD[1:])
    yield "duplicate-unknown-keys", again, OK
    again = repeated(b'"startTime":1,', count, b"{", GOOD[1:])
    yield "duplicate-known-keys", again, parse("duplicate_key")
    yield "escaped-key-again", with_key(b'1,"\\u006eodes":[]'), (
        parse("duplicate_key"))


def large_kinds(full):
    much = 1 << 30 if full else 1 << 24
    token = limit("max_token_bytes")
    yield "string-huge", zstd(b'{"x":"', (b"y", much), b'",' + GOOD[1:]), token
    half = GOOD.index(b"work")
    yield "name-huge", zstd(GOOD[:half], (b"y", much), GOOD[half:]), token
    yield "key-huge", zstd(b'{"', (b"k", much), b'":1,' + GOOD[1:]), token
    yield "number-huge", zstd(b'{"x":', (b"7", much), b"," + GOOD[1:]), token
    yield "fraction-huge", zstd(b'{"x":0.', (b"0", much), b"1}"), token
    start = GOOD.index(b'"startTime":') + len('"startTime":')
    yield "start-huge", zstd(GOOD[:start], (b"7", much), GOOD[start + 1:]), (
        token)


def number_kinds():
    out = parse("number_out_of_range")
    yield "number-1e999999", with_start(b"1e999999"), out
    yield "number-minus-0", with_start(b"-0"), OK
    yield "number-nan", with_start(b"NaN"), parse("invalid_json")
    yield "number-infinity", with_start(b"-Infinity"), parse("invalid_json")
    yield "number-2-63", with_start(b"9223372036854775808"), out
    yield "number-65-digits", with_start(b"1" * 65), (
        limit("max_token_bytes") | out)
    near = 2**63 - 1
    yield "id-near-2-63", (
        GOOD.replace(b'"id":2', b'"id":%d' % near)
        .replace(b"[2]", b"[%d]" % near).replace(b"2,2,2", b"%d,2" % near)
        .replace(b"0,10,10", b"0,10")), OK
    yield "id-2-63", GOOD.replace(b'"id":2', b'"id":%d' % (near + 1)), out
    yield "id-negative", GOOD.replace(b'"id":2', b'"id":-2'), (
        parse("negative_value"))
    yield "deltas-overflow", cpu(
        f"{ROOT},{node(2)}", "2,2,2", f"{near},{near},{near}",
        end=str(near)), parse("time_overflow")
    hits = ",".join([node(1, "r", hitCount=near, children="[2,3]"),
                     node(2, "f", hitCount=near), node(3, hitCount=2)])
    yield "hits-overflow", cpu(hits), parse("value_overflow")
    yield "hits-negative", cpu(node(1, hitCount=-1)), parse("negative_value")
    yield "lengths-differ", GOOD.replace(b"0,10,10", b"0,10"), (
        parse("length_mismatch"))
    yield "samples-of-nothing", GOOD.replace(b"2,2,2", b"7,8,9"), OK


def tree_kinds(full):
    yield "cycle", children([], [3], [2]), parse("cycle", "unreachable_node")
    yield "cycle-of-root", children([2], [1]), parse("cycle")
    yield "self-child", children([1]), parse("cycle")
    yield "self-parent", cpu(node(1) + "," + node(2, parent=2)), (
        parse("cycle", "unreachable_node"))
    yield "two-parents", children([2, 3], [3], []), (
        parse("node_has_two_parents"))
    yield "unknown-child", children([9]), parse("unknown_child")
    yield "unknown-parent", cpu(node(1, parent=9)), parse("unknown_parent")
    yield "two-roots", children([], []), parse("unreachable_node")
    yield "duplicate-ids", cpu(f"{node(1)},{node(1)}"), (
        parse("duplicate_node_id"))
    yield "chain-200001", member(chain(200_001)), limit("max_depth")
    yield "heap-200001", member(deep_heap(200_001)), (
        limit("max_depth", "max_json_depth"))
    count = 20_000_001 if full else 50_000
    yield "nodes-20-million", many_nodes(count, "f", ""), (
        limit("max_nodes") if full else parse("unreachable_node"))
    count = 10_000_000 if full else 20_000
    yield "names-10-million", many_nodes(count, "f%d", ',"parent":1'), (
        limit("max_frames") if full else OK)
    yield "heap-size-negative", heap(heap_node(1, size=-1)), (
        parse("negative_value"))
    yield "heap-size-overflow", heap(heap_node(
        1, heap_node(2, heap_node(3, size=2), size=2**63 - 1),
        size=2**63 - 1)), parse("value_overflow")
    yield "heap-duplicate-ids", heap(heap_node(1, heap_node(1))), (
        parse("duplicate_node_id"))


def many_nodes(count, name, link):
    """Pieces of gzip, made as they are written."""
    yield member(b'{"nodes":[' + node(1, "(root)").encode(), 1)
    step = 100_000
    form = ',{"id":%d,"callFrame":{"functionName":"' + name + '"}' + link + "}"
    for first in range(2, count + 1, step):
        numbers = range(first, min(first + step, count + 1))
        if "%d" in name:
            text = "".join([form % (i, i) for i in numbers])
        else:
            text = "".join([form % i for i in numbers])
        yield member(text.encode(), 1)
    yield member(b"]}", 1)


def container_kinds(full):
    much = 1 << 30 if full else 1 << 26
    packed = gzip.compress(GOOD, mtime=0)
    decoded = limit("max_decoded_bytes")
    cut = parse("truncated_input")
    yield "bomb-gzip", repeated(b" " * 4096, much >> 12, b'{"x":['), (
        decoded | cut)
    yield "bomb-zstd", zstd(b'{"x":[', (b" ", much)), decoded | cut
    yield "bomb-behind", zstd(GOOD, (b" ", much), b"x"), (
        decoded | parse("trailing_data"))
    yield "zstd-window-2-gib", zstd(GOOD, window_log=31), (
        limit("max_window_bytes"))
    yield "zstd-size-lies", zstd(GOOD, content=5), {(CORRUPT, "bad_container")}
    yield "zstd-reserved-block", zstd() + zstd()[:6] + b"\x07\0\0", (
        {(CORRUPT, "bad_container")})
    yield "zstd-skippable-lies", b"\x50\x2a\x4d\x18\xff\xff\xff\xff" + GOOD, (
        {(CORRUPT, "truncated_container")})
    yield "zstd-cut", zstd(GOOD)[:-5], {(CORRUPT, "truncated_container")}
    yield "gzip-cut", packed[:-9], {(CORRUPT, "truncated_container")}
    yield "gzip-size-lies", packed[:-4] + b"\1\2\3\4", (
        {(CORRUPT, "bad_checksum")})
    yield "gzip-sum-lies", packed[:-8] + bytes(4) + packed[-4:], (
        {(CORRUPT, "bad_checksum")})
    yield "gzip-junk-behind", packed + b"junk", {(CORRUPT, "bad_container")}
    yield "gzip-of-nothing", member(b"") * 1000, EMPTY
    yield "gzip-nested", member(packed), LAYOUT | ENCODING


def archive_kinds(full):
    plain = tarfile.REGTYPE
    yield "tar-dot-dot", tar([("../../etc/x", plain, GOOD)]), LAYOUT
    yield "tar-absolute", tar([("/etc/x", plain, GOOD)]), LAYOUT
    yield "tar-links", tar([("a", tarfile.SYMTYPE, b"/etc/passwd"),
                            ("b", tarfile.LNKTYPE, b"../x")]), LAYOUT
    yield "tar-devices", tar([("null", tarfile.CHRTYPE, b""),
                              ("pipe", tarfile.FIFOTYPE, b"")]), LAYOUT
    one = tar([("a.cpuprofile", plain, b"")])[:512]
    yield "tar-members", repeated(one, 10_000_000 if full else 10_000), LAYOUT
    inner = zipped([("a.cpuprofile", GOOD)])
    for _ in range(8):
        inner = zipped([("inner.zip", inner)])
    yield "zip-nested", inner, LAYOUT
    yield "zip-dot-dot", zipped([("../../x", GOOD), ("/etc/x", GOOD)]), LAYOUT
    lying = bytearray(zipped([("a", GOOD)]))
    lying[22:26] = b"\xff\xff\xff\x7f"
    yield "zip-size-lies", bytes(lying), LAYOUT


def cut_kinds(full):
    """The good profile, padded, cut at each offset, and with bits flipped."""
    whole = cpu(",".join([node(1, "(root)", children=str([
        *range(2, 90)])), *(node(i, f"work {i}") for i in range(2, 90))]),
                "2,3,4", "0,10,10")
    assert len(whole) > 4200
    for at in range(1, 4097, 1 if full else 97):
        yield f"cut.{at:04}", whole[:at], parse("truncated_input")
    dice = random.Random(11)
    for i in range(4096 if full else 40):
        base = (whole, member(whole), zstd(whole))[i % 3]
        flipped = bytearray(base)
        for _ in range(1 + i % 3):
            at = dice.randrange(len(flipped))
            flipped[at] ^= 1 << dice.randrange(8)
        yield f"flip.{i:04}", bytes(flipped), ANY


def sparse(folder):
    """Files of 1 TiB that take no room, where the file system can."""
    beyond = limit("max_input_bytes")
    for name, start, expected in (
            ("sparse-zeros", b"", LAYOUT | ENCODING | beyond),
            ("sparse-profile", b'{"nodes":[', parse("invalid_json") | beyond)):
        path = folder / f"{name}.cpuprofile"
        with open(path, "wb") as file:
            file.write(start)
            for size in (1 << 40, 1 << 35):
                try:
                    os.truncate(file.fileno(), size)
                    break
                except OSError:
                    continue
        yield str(path), expected


def make(folder, full):
    """Writes them all into the folder; a list of (path, expected)."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    made = list(sparse(folder))
    for kinds in (bytes_kinds(), json_kinds(full), large_kinds(full),
                  number_kinds(), tree_kinds(full), container_kinds(full),
                  archive_kinds(full), cut_kinds(full)):
        for name, content, expected in kinds:
            path = folder / f"{name}.cpuprofile"
            with open(path, "wb") as file:
                if isinstance(content, bytes):
                    file.write(content)
                else:
                    file.writelines(content)
            made.append((str(path), expected))
    return made
