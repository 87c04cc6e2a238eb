"""Which layer of the sandbox stops which attack when it is the only one: the
table of docs/SANDBOX.md, and what is observed.

    attack_matrix.py --write    renews the table of the document (as root)
"""

import argparse
import ctypes
import re

import prove  # which knows where the harness is
import attacks
import harness

DOCUMENT = prove.SOURCE / "docs" / "SANDBOX.md"
MARKS = re.compile(r"(<!-- attacks -->\n).*?(<!-- end -->)", re.DOTALL)
# As docs/SANDBOX.md orders and writes them.
LAYERS = {"seccomp": "seccomp", "room": "room", "landlock": "Landlock",
          "rlimits": "rlimits", "mdwe": "MDWE", "own_uid": "own uid"}
# What a stand-in puts up by itself, in the order of the real worker.
INSIDE = ("rlimits", "mdwe", "landlock", "seccomp")
# The first version of Landlock that knows of it.
LANDLOCK_SINCE = {"connect_tcp": 4, "connect_abstract": 6,
                  "signal_parent": 6, "kill_sibling": 6}
UNSHARE = 272
ROOM_NAMESPACES = 0x10000000 | 0x40000000 | 0x08000000 | 0x20000 | 0x04000000
EPERM = 1
PASSING_TRIES = 200


def landlock_abi():
    return max(ctypes.CDLL(None).syscall(444, None, 0, 1), 0)


def columns(available):
    """(what it is, the layers in force) of every set that is tried."""
    have = [layer for layer in ("seccomp", "room", "landlock", "rlimits",
                                "mdwe") if layer in available]
    sets = [("none", set())]
    sets += [(f"only {LAYERS[layer]}", {layer}) for layer in have]
    sets += [(f"all but {LAYERS[layer]}", set(have) - {layer})
             for layer in have]
    return [*sets, ("all", set(have))]


def attempt(field, peer, attack, inside):
    """As attacks.commit. Without room for descriptors of its own a worker may
    pass one on only while no other of its user is under way anywhere, which
    is nobody's layer: tried again then."""
    for _ in range(PASSING_TRIES):
        outcome = attacks.commit(field, peer, attack, inside)
        if outcome[1] != "ETOOMANYREFS":
            break
    return outcome


class Siege:
    """Services without a true worker, and what is tried upon them."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = attacks.Programs(folder)
        self.attempts = 0

    def service(self, ordinary, room, standin="attack_layers"):
        fail = None if room else (UNSHARE, EPERM, 0, ROOM_NAMESPACES)
        return harness.Service(
            "--workers", "1", standin=standin,
            runtime=attacks.runtime_of(self.folder, ordinary),
            launcher=self.programs.launcher(ordinary, fail))

    def available(self, ordinary):
        """Layers of the product on this machine."""
        with self.service(ordinary, True, None) as service, \
                harness.Peer(service) as peer:
            return set(peer.status()["sandbox"])

    def observe(self, ordinary, sets):
        """{(what it is, attack): (done, how)}"""
        found = {}
        field = attacks.Field(self.folder, ordinary)
        for room in (True, False):
            open_sets = [(what, layers) for what, layers in sets
                         if ("room" in layers) == room]
            if not open_sets:
                continue
            with self.service(ordinary, room) as service, \
                    harness.Peer(service) as peer:
                if ("room" in peer.status()["sandbox"]) != room:
                    raise prove.Failed("the room is not as it was asked for")
                for what, layers in open_sets:
                    inside = "+".join(n for n in INSIDE if n in layers)
                    for attack in attacks.ATTACKS:
                        self.attempts += 1
                        found[what, attack] = attempt(
                            field, peer, attack, inside)
        field.close()
        return found


def documented():
    """{attack: layers each of which stops it}"""
    text = MARKS.search(DOCUMENT.read_text())[0]
    names = {what: attack for attack, what in attacks.ATTACKS.items()}
    layers = list(LAYERS)
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in names:
            found[names[cells[0]]] = {
                layer for layer, cell in zip(layers, cells[1:]) if cell}
    return found


def table(stops):
    lines = ["| attack | " + " | ".join(LAYERS.values()) + " |",
             "|---|" + "---|" * len(LAYERS)]
    for attack, what in attacks.ATTACKS.items():
        cells = ["stops" if layer in stops[attack] else ""
                 for layer in LAYERS]
        lines.append(f"| {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def look(siege):
    """{attack: layers that stop it}, as root, where all layers are."""
    sets = columns(siege.available(True))
    user, root = siege.observe(True, sets), siege.observe(False, sets[:1])
    stops = {attack: {layer for layer in LAYERS
                      if (f"only {LAYERS[layer]}", attack) in user and
                      not user[f"only {LAYERS[layer]}", attack][0]}
             for attack in attacks.ATTACKS}
    for attack, layers in stops.items():
        if not root["none", attack][0] and user["none", attack][0]:
            layers.add("own_uid")
    return stops


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    run = prove.Run("matrix", full=False)
    try:
        text = table(look(Siege(run.folder)))
    finally:
        run.close()
    print(text)
    if write:
        DOCUMENT.write_text(MARKS.sub(
            lambda m: m[1] + text + m[2], DOCUMENT.read_text()))


if __name__ == "__main__":
    main()
