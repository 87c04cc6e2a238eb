"""From stored bytes to the JSON text: gzip, zstd, byte-order marks.

The container is told by its magic, never by the file's name. All members of a
gzip file and all frames of a zstd file follow each other; checksums count.

Decided here: bytes after the last member or frame that start no further one
are `bad_container`; a wrong CRC or length in a gzip trailer is `bad_checksum`;
UTF-16 (with a mark, or seen by its zero bytes) is `unsupported_encoding`.
"""

import subprocess
import zlib

from problem import CORRUPT, EMPTY, UNSUPPORTED, Problem

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
SKIPPABLE_TAIL = b"\x2a\x4d\x18"
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_zstd(stored):
    skippable = stored[1:4] == SKIPPABLE_TAIL and stored[0] & 0xF0 == 0x50
    return stored[:4] == ZSTD or skippable


def gunzip(stored):
    decoded = []
    rest = stored
    while rest:
        if not GZIP.startswith(rest[:2]):
            raise Problem(CORRUPT, "bad_container", len(stored) - len(rest))
        member = zlib.decompressobj(31)
        try:
            decoded.append(member.decompress(rest))
        except zlib.error as error:
            check = "incorrect data check" in str(error)
            check = check or "incorrect length check" in str(error)
            reason = "bad_checksum" if check else "bad_container"
            raise Problem(CORRUPT, reason, len(stored) - len(rest))
        if not member.eof:
            raise Problem(CORRUPT, "truncated_container", len(stored))
        rest = member.unused_data
    return b"".join(decoded)


def unzstd(stored):
    command = ["zstd", "-dcq", "--long=27", "-"]
    done = subprocess.run(command, input=stored, capture_output=True)
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode("utf-8", "replace")
    if "checksum" in said:
        raise Problem(CORRUPT, "bad_checksum")
    if "premature" in said or "unknown header" in said:
        raise Problem(CORRUPT, "truncated_container")
    raise Problem(CORRUPT, "bad_container")


def decode(stored):
    """(encoding, decoded bytes)."""
    if stored[:2] == GZIP:
        return "gzip", gunzip(stored)
    if is_zstd(stored):
        return "zstd", unzstd(stored)
    return "identity", stored


def text_of(decoded):
    """The decoded bytes without their byte-order mark."""
    zeros = decoded[:2] in (b"{\0", b"\0{")
    if decoded[:2] in UTF16_MARKS or zeros:
        raise Problem(UNSUPPORTED, "unsupported_encoding")
    if decoded[:3] == UTF8_MARK:
        decoded = decoded[3:]
    if not decoded.strip(b" \t\r\n"):
        raise Problem(EMPTY, None)
    return decoded
