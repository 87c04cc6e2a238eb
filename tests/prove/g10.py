"""No sandbox, no service: each call by which the sandbox is put up is made to
fail, one at a time, in the service and in all that it starts. A required layer
then means no service, or no job; an optional one is named as missing."""

import errno
import os
import re

import attack_matrix
import attacks
import harness
import prove as framework

# Of x86_64. A call may be told from others of its number by one argument.
PRCTL, PRLIMIT, SECCOMP, FCNTL = 157, 302, 317, 72
ANY = (-1, 0)
ROOM = (0, attack_matrix.ROOM_NAMESPACES)
NO_SANDBOX, FAILED = 3, 1

# (what, number, errno, which); what then holds: "refuses" with words, or the
# "job" is, by WORKER_START_FAILED with words in the log.
REQUIRED = [
    ("capset", 126, errno.EPERM, ANY, "cannot drop capabilities"),
    ("capget", 125, errno.EPERM, ANY, "layer not up: no_capabilities"),
    ("prctl PR_SET_NO_NEW_PRIVS", PRCTL, errno.EPERM, (0, 38),
     "cannot set no_new_privs"),
    ("prctl PR_SET_DUMPABLE", PRCTL, errno.EPERM, (0, 4),
     "cannot become undumpable"),
    ("prctl PR_SET_PDEATHSIG", PRCTL, errno.EPERM, (0, 1), "pdeathsig"),
    ("getppid", 110, errno.EPERM, ANY, "parent: No such process"),
    ("seccomp", SECCOMP, errno.EPERM, ANY, "the system-call filter"),
    ("memfd_create", 319, errno.ENOSYS, ANY, "the system-call filter"),
    ("fcntl F_ADD_SEALS", FCNTL, errno.EPERM, (1, 1033),
     "the system-call filter"),
    ("setrlimit RLIMIT_CORE", PRLIMIT, errno.EPERM, (1, 4),
     "layer not up: rlimits"),
    ("setrlimit RLIMIT_FSIZE", PRLIMIT, errno.EPERM, (1, 1),
     "layer not up: rlimits"),
    ("setrlimit RLIMIT_NPROC", PRLIMIT, errno.EPERM, (1, 6),
     "layer not up: rlimits"),
    ("setrlimit RLIMIT_MEMLOCK", PRLIMIT, errno.EPERM, (1, 8),
     "layer not up: rlimits"),
    ("setrlimit RLIMIT_MSGQUEUE", PRLIMIT, errno.EPERM, (1, 12),
     "layer not up: rlimits"),
    ("rt_sigaction", 13, errno.EPERM, (0, 13), "signals"),
    ("dup2", 33, errno.EPERM, ANY, "descriptors"),
    ("close_range", 436, errno.ENOSYS, ANY, "close_range"),
    ("clone", 56, errno.EAGAIN, ANY, "cannot be started: clone"),
    ("execveat", 322, errno.EPERM, ANY, "cannot be started: exec"),
    # a room that stands is never done without
    ("setns", 308, errno.EPERM, ANY, "cannot be started: room"),
]
AS_ROOT = [
    ("setgroups", 116, errno.EPERM, ANY, "identity"),
    ("setresgid", 119, errno.EPERM, ANY, "identity"),
    ("setresuid", 117, errno.EPERM, ANY, "identity"),
]
# Not the workers' sandbox alone, or before it: no service either.
BESIDE = [
    ("getrlimit RLIMIT_NOFILE", PRLIMIT, errno.EPERM, (1, 7), "getrlimit"),
    ("setrlimit RLIMIT_AS", PRLIMIT, errno.EPERM, (1, 9),
     "front_start_failed"),
    ("signalfd", 289, errno.EPERM, ANY, "signalfd"),
]
# When the job is there.
LATER = [
    ("seccomp SECCOMP_SET_MODE_FILTER", SECCOMP, errno.EPERM, (0, 1),
     "layer not up: seccomp"),
    ("timer_create", 222, errno.EPERM, ANY, "layer not up: rlimits"),
    ("timer_settime", 223, errno.EPERM, ANY, "layer not up: rlimits"),
]
OPTIONAL = [
    ("unshare", 272, errno.EPERM, ROOM, "room"),
    ("clone3", 435, errno.ENOSYS, ANY, "room"),
    ("mount", 165, errno.EPERM, ANY, "room"),
    ("pivot_root", 155, errno.EPERM, ANY, "room"),
    ("umount2", 166, errno.EPERM, ANY, "room"),
    ("chdir", 80, errno.EPERM, ANY, "room"),
    ("landlock_create_ruleset", 444, errno.ENOSYS, ANY, "landlock"),
    ("landlock_restrict_self", 446, errno.EPERM, ANY, "landlock"),
    ("prctl PR_SET_MDWE", PRCTL, errno.EINVAL, (0, 65), "mdwe"),
]
NEVER_READY = ("exit_early", "no_sandbox")
# What asks the environment for anything, in all that the service is made of.
VARIABLES = {"NOTIFY_SOCKET", "XDG_RUNTIME_DIR"}
# No option may be about a layer, or about doing without something.
OPTION_ABOUT_LAYERS = re.compile(
    r"sandbox|seccomp|filter|landlock|room|namespace|rlimit|mdwe|capab|"
    r"privilege|uid|user|unsafe|insecure|trust|disable|skip|without|\bno-")
# Whoever would look for a way out would try these.
HOSTILE = {name: "1" for prefix in ("EXTRACTD_", "EXTRACT_", "")
           for name in (f"{prefix}NO_SANDBOX", f"{prefix}UNSAFE",
                        f"{prefix}DEBUG", f"{prefix}SANDBOX_OFF",
                        f"{prefix}TEST", f"{prefix}NO_SECCOMP")}


def serve(siege, ordinary, row, env=None):
    """A service in which the call of that row fails."""
    fail = None
    if row is not None:
        _, number, error, (argument, value), _ = row
        fail = (number, error, argument, value)
    return harness.Service(
        "--workers", "1", env=env,
        runtime=attacks.runtime_of(siege.folder, ordinary),
        launcher=siege.programs.launcher(ordinary, fail))


def refuses(run, siege, ordinary, row, expected):
    service = serve(siege, ordinary, row)
    try:
        run.check(not service.ready, f"{row[0]} fails, and it serves")
        status = service.process.wait(harness.PATIENCE_S)
        run.check(status == expected and row[4] in service.text(),
                  f"{row[0]} fails: exit {status}\n{service.text()}")
        run.check(not os.path.exists(f"{service.runtime}/extractd.sock"),
                  f"{row[0]} fails, and its socket is there")
    finally:
        service.close()


def fails_the_job(run, siege, ordinary, row, file):
    with serve(siege, ordinary, row) as service, \
            harness.Peer(service) as peer:
        reply = peer.result(peer.start(file))
        run.check(reply["type"] == "error" and
                  reply["error"]["code"] == "WORKER_START_FAILED",
                  f"{row[0]} fails: {reply}")
        harness.eventually(f"the log says {row[4]}",
                           lambda: row[4] in service.text())


def is_named_as_missing(run, siege, ordinary, row, file):
    layer = row[4]
    with serve(siege, ordinary, row) as service, \
            harness.Peer(service) as peer:
        status = peer.status()
        reply = peer.result(peer.start(file))
        run.check(layer in status["sandbox_missing"] and
                  layer not in status["sandbox"],
                  f"{row[0]} fails, and status says {status['sandbox']}")
        run.check(reply["type"] == "result", f"{row[0]} fails: {reply}")
        run.check(layer not in reply["result"]["run"]["sandbox"],
                  f"{row[0]} fails, and the result names {layer}")


def each_call(run, siege, ordinary, file):
    """How many were made to fail."""
    have = siege.available(ordinary)
    required = REQUIRED + ([] if ordinary else AS_ROOT)
    if "room" not in have:
        required = [row for row in required if row[0] != "setns"]
    optional = [row for row in OPTIONAL if row[4] in have]
    for layer in {row[4] for row in OPTIONAL} - have:
        run.not_shown(f"{layer} made to fail", "this kernel lacks it")
    for row in required:
        refuses(run, siege, ordinary, row, NO_SANDBOX)
    for row in BESIDE:
        refuses(run, siege, ordinary, row, FAILED)
    for row in LATER:
        fails_the_job(run, siege, ordinary, row, file)
    for row in optional:
        is_named_as_missing(run, siege, ordinary, row, file)
    return len(required), len(BESIDE), len(LATER), len(optional)


def no_first_worker_no_service(run):
    """One that dies, with or without a word, or lacks a layer."""
    for standin in NEVER_READY:
        service = harness.Service("--workers", "1", standin=standin)
        try:
            run.check(not service.ready, f"it serves with {standin}")
            status = service.process.wait(harness.PATIENCE_S)
            run.check(status == NO_SANDBOX and
                      "no sandbox, no service" in service.text(),
                      f"{standin}: exit {status}\n{service.text()}")
        finally:
            service.close()


def nothing_switches_it_off(run, siege, ordinary, file):
    """Neither an option nor the environment."""
    names = set()
    for top in ("proto", "broker", "worker"):
        for path in (framework.SOURCE / top).rglob("*.[ch]"):
            text = path.read_text()
            names |= set(re.findall(r'getenv\("([^"]*)"\)', text))
            run.check(len(re.findall(r"getenv\(", text)) ==
                      len(re.findall(r'getenv\("', text)),
                      f"{path}: a variable without a plain name")
    run.check(names == VARIABLES, f"variables: {sorted(names)}")
    for program in ("extractd", "extractd-front", "extract-worker"):
        data = (harness.BUILD / program).read_bytes()
        run.check(not any(f"\0{name}\0".encode() in data for name in HOSTILE
                          if "_" in name),
                  f"{program} knows such a name")
    text = (framework.SOURCE / "broker/supervisor/config.c").read_text()
    options = set(re.findall(r"--([a-z-]+)", text))
    run.check("runtime-dir" in options, "no options are found")
    wrong = sorted(filter(OPTION_ABOUT_LAYERS.search, options))
    run.check(not wrong, f"options: {wrong}")
    with serve(siege, ordinary, None, {**os.environ, **HOSTILE}) as service, \
            harness.Peer(service) as peer:
        layers = peer.status()["sandbox"]
        reply = peer.result(peer.start(file))
    run.check(set(layers) == siege.available(ordinary) and
              reply["result"]["run"]["sandbox"] == layers,
              f"under a hostile environment: {layers}")


def prove(run):
    if os.uname().machine != "x86_64":
        run.not_shown("calls made to fail", "their numbers are of x86_64")
        return
    siege = attack_matrix.Siege(run.folder)
    file = harness.profile(run.folder)
    users = [True, False] if os.geteuid() == 0 else [True]
    for ordinary in users:
        counts = each_call(run, siege, ordinary, file)
        who = "an ordinary user" if ordinary else "root"
        run.figure(f"calls made to fail, as {who}", sum(counts))
        run.figure(f"… refused with exit 3 and a name, as {who}", counts[0])
        run.figure(f"… optional, named as missing, as {who}", counts[3])
        nothing_switches_it_off(run, siege, ordinary, file)
    no_first_worker_no_service(run)
    if len(users) == 1:
        run.not_shown("as root", "an ordinary user runs this")
    run.figure("names tried in the environment", len(HOSTILE))
