"""The `file` of a row: a path made from the writer's url.

Decided here:
- only `file:` URLs are turned into paths; every other url stays as it is.
- a percent sign that no two hex digits follow stays; where decoding gives
  bytes that are not UTF-8, a zero byte or a slash, there is no file.
- `.` and `..` are resolved after decoding and never leave the root, the drive
  or the host.
- `--path-map` and the project root match whole segments only, and a file
  outside the root stays absolute.
"""

import re

SCHEME = re.compile(r"file:", re.IGNORECASE)
DRIVE = re.compile(r"/([A-Za-z]):(/|$)")
PERCENT = re.compile(rb"%([0-9a-fA-F]{2})")


def without_query(url):
    return re.split(r"[?#]", url, maxsplit=1)[0]


def percent_decoded(path):
    """The decoded text, or None when it cannot be a path."""
    bad = []

    def byte(match):
        value = bytes([int(match[1], 16)])
        if value in (b"/", b"\0"):
            bad.append(value)
        return value

    raw = PERCENT.sub(byte, path.encode())
    try:
        decoded = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if bad or "\0" in decoded else decoded


def dots_resolved(path):
    """`path` starts with a slash; so does the result."""
    parts = path.split("/")[1:]
    kept = []
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
            continue
        if last:
            kept.append("")
    return "/" + "/".join(kept)


def path_of_file_url(url):
    rest = without_query(url)[len("file:") :]
    host = ""
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    decoded = percent_decoded(rest)
    if decoded is None:
        return None
    if not decoded.startswith("/"):
        decoded = "/" + decoded
    drive = DRIVE.match(decoded)
    if drive and not host:
        return drive[1].upper() + ":" + dots_resolved(decoded[3:] or "/")
    path = dots_resolved(decoded)
    return f"//{host}{path}" if host else path


def plain_path(url):
    """The path before any mapping, or None; a row's category looks at it."""
    if not url:
        return None
    if SCHEME.match(url):
        return path_of_file_url(url)
    return url


def inside(path, folder):
    """What follows `folder` in `path`, slash included; None when outside."""
    folder = folder.rstrip("/")
    if path == folder or path.startswith(folder + "/"):
        return path[len(folder) :]
    return None


def file_of(url, project_root=None, path_map=()):
    path = plain_path(url)
    if path is None:
        return None
    for before, after in path_map:
        rest = inside(path, before)
        if rest is not None:
            path = after.rstrip("/") + rest
            break
    rest = inside(path, project_root) if project_root else None
    return rest.lstrip("/") or path if rest else path
