"""G19: lanes change nothing but time. The fuzz targets of the two formats, as
programs that replay files, extract each with lanes and without, whole and in
pieces, and end where the outcomes differ in a byte."""

import random
import re
import subprocess

import harness
import randdamage
import randprof

TARGETS = {"v8_cpu": "cpuprofile", "v8_heap": "heapprofile"}
SHAPES = {"v8_cpu": ("cpuS", "cpuN", "real"), "v8_heap": ("heap",)}
AT_ONCE = 2000


class Replay:
    """Gathers inputs and gives them to a target, many at a time."""

    def __init__(self, run, target):
        self.run, self.target = run, target
        self.folder = run.folder / target
        self.folder.mkdir()
        self.waiting = self.done = 0

    def add(self, data):
        (self.folder / str(self.waiting)).write_bytes(data)
        self.waiting += 1
        if self.waiting == AT_ONCE:
            self.flush()

    def flush(self):
        if self.waiting == 0:
            return
        program = harness.BUILD / "tests" / f"fuzz-{self.target}"
        ended = subprocess.run([program, self.folder], capture_output=True,
                               text=True, check=False)
        self.run.check(ended.returncode == 0,
                       f"{self.target}: {ended.stderr[-500:]}")
        self.done += int(re.search(r"replayed (\d+)", ended.stdout)[1])
        for path in self.folder.iterdir():
            path.unlink()
        self.waiting = 0


def corpus(suffix):
    """Our cases and captured files of that suffix."""
    found = [*(harness.DATA / "cases").glob(f"*/*.{suffix}"),
             *(harness.DATA / "real").glob(f"*.{suffix}")]
    return [path.read_bytes() for path in sorted(found)]


def generated(shape, size):
    """A profile as V8 spells it."""
    return subprocess.run([harness.BUILD / "bench" / "bench-generate", shape,
                           str(size)], capture_output=True, check=True).stdout


def of_target(run, target):
    """The figures of one format: inputs of each kind."""
    replay = Replay(run, target)
    rand = random.Random(19)
    counts = {}

    def kind(what, inputs):
        before = replay.done
        for data in inputs:
            replay.add(data)
        replay.flush()
        counts[what] = replay.done - before

    files = corpus(TARGETS[target])
    small = [data for data in files if len(data) < 1500]
    spelled = [generated(shape, size) for shape in SHAPES[target]
               for size in run.pick((2000,), (2000, 5000, 20000))]
    kind("files", files + spelled)
    kind("cut at each byte",
         (data[:end] for data in run.pick(small[:3], small[:20]) +
          run.pick([], spelled[:1]) for end in range(len(data))))
    kind("of random writers", (randprof.profile_bytes(seed)
                               for seed in range(run.pick(200, 5000))))
    kind("in V8's spelling, with one to three harms",
         (harmed(rand, rand.choice(spelled))
          for _ in range(run.pick(300, 10000))))
    return counts


def harmed(rand, data):
    for _ in range(rand.randint(1, 3)):
        if data:
            data = randdamage.damaged(rand, data)
    return data


def prove(run):
    for target, suffix in TARGETS.items():
        counts = of_target(run, target)
        run.figure(f".{suffix} inputs, six ways each, no difference",
                   ", ".join(f"{count} {what}"
                             for what, count in counts.items()))
