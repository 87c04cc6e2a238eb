"""Small files for many jobs, good and hostile, and what undisturbed replies to
them are."""

import gzip

import hostile
from harness import DATA, profile
import load
from load_ledger import Ledger, essence

HOSTILE_BYTES = 16 << 10
# Small when stored, not when read.
BIG_INSIDE = ("bomb", "sparse", "tar-members", "zstd", "gzip", "million",
              "deep", "large", "long", "nodes", "keys")


def slow(folder):
    """Many blanks: long enough that random kills hit it."""
    path = folder / "slow.cpuprofile"
    good = profile(folder, "inside.cpuprofile").read_bytes()
    path.write_bytes(gzip.compress(b" " * (1 << 22) + good, 9, mtime=0))
    return str(path)


def make(folder):
    """(good, larger, hostile): lists of paths. The first of the larger ones is
    the slow one."""
    good = [str(profile(folder, f"good.{n}.cpuprofile", n))
            for n in (3, 5, 8, 13, 21, 34, 48, 60)]
    larger = [slow(folder)]
    larger += [str(DATA / "real" / name)
              for name in ("server.heapprofile", "server.cpuprofile",
                           "eslint.cpuprofile")]
    (folder / "hostile").mkdir()
    bad = [path for path, _ in hostile.make(folder / "hostile", False)
           if not any(word in path for word in BIG_INSIDE)
           and not hostile.options(path) and _size(path) <= HOSTILE_BYTES]
    return good, larger, bad


def _size(path):
    with open(path, "rb") as file:
        return file.seek(0, 2)


def mixed(good, larger, bad, slow_each):
    """Which file the n-th job has: of ten, six good, three hostile, and a
    larger one; in so many the slow one."""
    def file(n):
        place, turn = n % 10, n // 10
        if n % slow_each == slow_each - 1:
            return larger[0]
        if place == 9:
            return larger[1 + turn % (len(larger) - 1)]
        if place % 3 == 2:
            return bad[(3 * turn + place // 3) % len(bad)]
        return good[(6 * turn + place) % len(good)]
    return file


def undisturbed(service, files):
    """The essence of the reply to each file: one job at a time, twice, since
    what differs between those cannot be compared."""
    replies = {}

    class Keeper(Ledger):
        def final(self, job, reply, raw):
            before = replies.setdefault(self.accepted[job], essence(raw))
            assert before == essence(raw), (before[:500], raw[:500])
            return super().final(job, reply, raw)

    for _ in range(2):
        load.play(service, Keeper(), 1, lambda n: files[n], len(files))
    return replies
