"""Each layer of the sandbox holds alone: the attacks with no layer, with each
one only, with all but each, and with all; as root and as an ordinary user.
docs/SANDBOX.md says which layer stops what, and is held to it."""

import os

import attack_matrix
import attacks


def stoppers(documented, attack, layers, abi):
    """Which of the layers in force should stop it here."""
    return {layer for layer in documented[attack] & layers
            if layer != "landlock" or
            abi >= attack_matrix.LANDLOCK_SINCE.get(attack, 1)}


def besiege(run, siege, ordinary, documented):
    """The observed, held against the document; how many cells."""
    available = siege.available(ordinary)
    who = "an ordinary user" if ordinary else "root"
    for layer in ("room", "landlock", "mdwe"):
        if layer not in available:
            run.not_shown(f"{layer}, as {who}", "this kernel does not give it")
    sets = attack_matrix.columns(available)
    found = siege.observe(ordinary, sets)
    always = {"own_uid"} if "own_uid" in available else set()
    abi = attack_matrix.landlock_abi()
    cells = 0
    for attack in attacks.ATTACKS:
        idle = not found["none", attack][0] and \
            not stoppers(documented, attack, always, abi)
        if idle:
            run.not_shown(f"{attack}, as {who}",
                          "this machine refuses it without any layer: "
                          + found["none", attack][1])
            continue
        for what, layers in sets:
            done, how = found[what, attack]
            stop = stoppers(documented, attack, layers | always, abi)
            run.check(done == (not stop),
                      f"as {who}, {what}: {attack}: {how}; "
                      f"docs/SANDBOX.md names {sorted(stop) or 'no layer'}")
            cells += 1
    return cells


def prove(run):
    documented = attack_matrix.documented()
    run.check(set(documented) == set(attacks.ATTACKS),
              "docs/SANDBOX.md does not list the attacks")
    run.check(all("seccomp" in stops or attack == "take_memory"
                  for attack, stops in documented.items()),
              "an attack is not stopped by the filter")
    siege = attack_matrix.Siege(run.folder)
    rounds = run.pick(1, 10)
    cells = 0
    for _ in range(rounds):
        cells += besiege(run, siege, True, documented)
        if os.geteuid() == 0:
            cells += besiege(run, siege, False, documented)
    if os.geteuid() != 0:
        run.not_shown("as root", "an ordinary user runs this")
    run.figure("attacks", len(documented))
    run.figure("sets of layers", len(attack_matrix.columns(
        siege.available(True))))
    run.figure("attempts through the service, all as documented", cells)
    only = [attack for attack, stops in documented.items()
            if stops == {"seccomp"}]
    run.figure("attacks that no layer but the filter stops", len(only))
