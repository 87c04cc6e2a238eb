"""A worker that turned hostile can do none of what it would like: every system
call is tried under the real filter, and the attacks under all layers."""

import os

import attack_matrix
import attacks
import harness
import sweep_table

CAPABILITY_SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
# ENOMEM: what the filter allows meets the address space's limit.
SOFT = ("EACCES", "EPERM", "ENOMEM")


def sweep(run):
    if os.uname().machine != "x86_64":
        run.not_shown("the table of system calls", "it is that of x86_64")
        return
    for _ in range(run.pick(1, 5)):
        trials = sweep_table.observe(harness.BUILD)
        difference = sweep_table.difference(trials)
        run.check(not difference, "the table of system calls differs:\n"
                  + "\n".join(difference))
    outcomes = [trial.outcome for trial in trials]
    allowed = {trial.name for trial in trials if trial.outcome == "allowed"}
    run.figure("system calls tried under the filter", len(trials))
    run.figure("killed", sum(o.startswith("killed") for o in outcomes))
    run.figure("refused without being run",
               sum(o in ("EACCES", "EPERM", "ENOSYS") for o in outcomes))
    run.figure("allowed", f"{outcomes.count('allowed')}, "
               f"of {len(allowed)} calls")


def status_of(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file
                    if ":\t" in line)


def reading_worker_holds_nothing(run, siege, ordinary):
    """A real worker in the middle of its artifact."""
    with siege.service(ordinary, True, None) as service, \
            harness.Peer(service) as peer:
        layers = peer.status()["sandbox"]
        job = peer.start(harness.slow_file(run.folder))
        peer.until_running(job)
        worker = harness.eventually(
            "a worker under its filter",
            lambda: [status for status in map(status_of, service.workers())
                     if status["Seccomp"] == "2"])[0]
        sets = [name for name in CAPABILITY_SETS
                if name != "CapBnd" or "room" in layers]
        for name in sets:
            run.check(int(worker[name], 16) == 0, f"{name}: {worker[name]}")
        if "room" not in layers:
            run.not_shown("an empty bounding set", "there is no room here")
        run.check(worker["NoNewPrivs"] == "1", "no_new_privs is not set")
        if os.geteuid() == 0:
            run.check("0" not in worker["Uid"].split(), worker["Uid"])
        peer.ask("cancel", job=job)
    return layers


def attack_all(run, siege, ordinary):
    """Every attack under all layers: no mark, its error, the next job."""
    layers = reading_worker_holds_nothing(run, siege, ordinary)
    field = attacks.Field(siege.folder, ordinary)
    killed = refused = 0
    with siege.service(ordinary, True, "attack") as service, \
            harness.Peer(service) as peer:
        run.check(peer.status()["sandbox"] == layers,
                  "the stand-in is not boxed in as the real worker")
        for attack in attacks.ATTACKS:
            done, how = attacks.commit(field, peer, attack)
            run.check(not done, f"{attack} was done: {how}")
            if how.startswith("WORKER_POLICY_VIOLATION"):
                killed += 1
            else:
                run.check(how in SOFT, f"{attack} ended as {how}")
                refused += 1
            _, how = attacks.commit(field, peer, "nothing")
            run.check(how == "-2", f"after {attack}, the next job: {how}")
        run.check(service.process.poll() is None, "the service ended")
    field.close()
    return killed, refused


def prove(run):
    sweep(run)
    siege = attack_matrix.Siege(run.folder)
    killed = refused = 0
    users = [True, False] if os.geteuid() == 0 else [True]
    for _ in range(run.pick(1, 10)):
        for ordinary in users:
            more = attack_all(run, siege, ordinary)
            killed += more[0]
            refused += more[1]
    run.figure("attacks through the service, under all layers",
               f"{killed + refused}, of {len(attacks.ATTACKS)} kinds, as "
               + ("root and an ordinary user" if len(users) == 2
                  else "an ordinary user"))
    run.figure("of these none left a mark; ended as WORKER_POLICY_VIOLATION",
               killed)
    run.figure("refused without being run, and reported", refused)
