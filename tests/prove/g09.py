"""The filter fits the C library: what the real worker asks for over the whole
corpus is on the list, and none of the ways in which a C program fails looks
like a breach of policy."""

import collections
import gzip
import os
import re
import signal
import subprocess

import harness
import prove as framework

LIST = framework.SOURCE / "proto" / "syscalls.def"
MEMORY = 256 << 20
# Room for a little more than the program: the arena is spent.
LITTLE = 8 << 20
LANES, YAJL = 0, 1

# How each failure must end: the code, and the signals that may be its own. A
# signal of abort is refused, and then it ends itself by a privileged
# instruction.
ABORTED = (signal.SIGSEGV, signal.SIGABRT, signal.SIGILL)
FAILURES = {
    "abort": ABORTED,
    "assert": ABORTED,
    "stack_smash": ABORTED,
    "heap_corruption": ABORTED,
    "double_free": ABORTED,
    "stack_overflow": (signal.SIGSEGV,),
    "wild_read": (signal.SIGSEGV,),
    "division": (signal.SIGFPE,),
    "trap": (signal.SIGILL, signal.SIGTRAP),
}


def listed():
    """Every call that the filter knows."""
    return set(re.findall(r"^SYSCALL\((\w+),", LIST.read_text(),
                          re.MULTILINE))


def pack(folder, files):
    """Each once more, as gzip and as zstd."""
    packed = []
    for number, file in enumerate(files):
        path = folder / f"{number}.gz"
        path.write_bytes(gzip.compress(file.read_bytes(), 1))
        packed.append(path)
    plain = [folder / f"{number}.plain" for number in range(len(files))]
    for path, file in zip(plain, files):
        path.write_bytes(file.read_bytes())
    subprocess.run(["zstd", "-q", "-1", *plain], check=True)
    return packed + [path.with_name(path.name + ".zst") for path in plain]


def cut(folder, files):
    """Each to its half."""
    halves = []
    for number, file in enumerate(files):
        path = folder / f"{number}.half"
        data = file.read_bytes()
        path.write_bytes(data[:len(data) // 2])
        halves.append(path)
    return halves


class Watch:
    """What was seen of the real worker."""

    def __init__(self, run):
        self.run = run
        self.files = 0
        self.calls = collections.Counter()

    def over(self, files, memory, parser):
        text = subprocess.run(
            [harness.BUILD / "prove" / "prove-calls",
             harness.BUILD / "extract-worker", str(memory), str(parser),
             *files], check=True, capture_output=True, text=True).stdout
        path = None
        for line in text.splitlines():
            kind, rest = line.split(" ", 1)
            if kind == "file":
                path, how, number = rest.rsplit(" ", 2)
                self.run.check(how == "exit" and number == "0",
                               f"{path}: {how} {number}")
                self.files += 1
                continue
            name, verdict, count = rest.split(" ")
            self.run.check(verdict != "forbidden",
                           f"{path}: asks for {name}, which would kill it")
            self.run.check(name in listed(), f"{path}: {name} is not listed")
            self.calls[name, verdict] += int(count)


def corpus(run):
    watch = Watch(run)
    data = sorted(path for path in harness.DATA.rglob("*") if path.is_file())
    seeds = sorted(path for path in
                   (framework.SOURCE / "tests/fuzz/corpus").rglob("*")
                   if path.is_file())
    profiles = [path for path in data
                if path.suffix in (".cpuprofile", ".heapprofile")]
    some = profiles if run.full else profiles[::8]
    watch.over(data, MEMORY, LANES)
    watch.over(profiles, MEMORY, YAJL)
    watch.over([*pack(run.folder, some), *cut(run.folder, some)], MEMORY,
               LANES)
    watch.over(seeds if run.full else seeds[::4], MEMORY, LANES)
    large = harness.profile(run.folder, "large", run.pick(20000, 200000))
    before = watch.files
    for parser in (LANES, YAJL):
        watch.over([large], MEMORY, parser)
        watch.over([large, *some], LITTLE, parser)
    run.figure("files read under the asking filter",
               f"{watch.files}, of them {watch.files - before} to show a "
               "large one and too little memory")
    run.figure("calls seen", sum(watch.calls.values()))
    run.figure("kinds of them, all on the list", ", ".join(
        sorted({f"`{name}`" for name, _ in watch.calls})))
    run.figure("calls on the list", len(listed()))


def failures(run, peer, file):
    def error(name):
        reply = peer.result(peer.start(file, name=name))
        run.check(reply["type"] == "error", f"{name}: {reply}")
        found = reply["error"]
        run.check(found["code"] != "WORKER_POLICY_VIOLATION",
                  f"{name} is taken for a breach of policy: {found}")
        return found

    ended = collections.Counter()
    for name, signals in FAILURES.items():
        found = error(name)
        run.check(found["code"] == "WORKER_CRASHED" and
                  found["signal"] in signals, f"{name}: {found}")
        ended[signal.Signals(found["signal"]).name] += 1
    found = error("no_memory")
    run.check((found["code"], found["limit"]) ==
              ("LIMIT_EXCEEDED", "memory_bytes"), f"no_memory: {found}")
    found = error("library")
    run.check(found["code"] == "BAD_REPLY" and
              found["reason"] == "no_answer", f"library: {found}")
    return ended


def a_spent_arena_is_named(run):
    """The real worker, through the real service."""
    file = harness.profile(run.folder, "spent", 60000)
    with harness.Service("--workers", "1") as service, \
            harness.Peer(service) as peer:
        reply = peer.result(peer.start(
            file, limits={"memory_bytes": 16 << 20}))
        run.check(reply["type"] == "error" and
                  (reply["error"]["code"], reply["error"]["limit"]) ==
                  ("LIMIT_EXCEEDED", "memory_bytes"), f"spent: {reply}")


def prove(run):
    if os.uname().machine == "x86_64":
        corpus(run)
    else:
        run.not_shown("calls over the corpus", "the tracer is for x86_64")
    file = harness.profile(run.folder)
    rounds = run.pick(1, 20)
    with harness.Service("--workers", "1", standin="fail") as service, \
            harness.Peer(service) as peer:
        ended = collections.Counter()
        for _ in range(rounds):
            ended += failures(run, peer, file)
    a_spent_arena_is_named(run)
    run.figure("ways to fail, none a WORKER_POLICY_VIOLATION",
               f"{len(FAILURES) + 2}, each {rounds} times; ended by "
               + ", ".join(f"{name} {count}"
                           for name, count in sorted(ended.items())))
