"""A field on which hostile workers are let loose: what they are after, and the
marks that a success leaves. The workers are tests/misbehave/attack*.c, started
by the real service."""

import contextlib
import ctypes
import errno
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import tempfile

import harness

SHM_KEY = 0x45584437  # of attacks_memory.c
ORDINARY = 64321      # a user that owns nothing else

# What each is after; the order is that of docs/SANDBOX.md.
ATTACKS = {
    "read_file": "open a file and read it",
    "stat_file": "look at a file",
    "list_folder": "list a folder",
    "create_file": "create a file",
    "make_folder": "make a folder",
    "remove_file": "remove a file",
    "chmod_file": "change the mode of a file of its user",
    "connect_tcp": "connect by TCP",
    "send_udp": "send by UDP",
    "connect_path": "connect to a local socket in a folder",
    "connect_abstract": "connect to an abstract local socket",
    "fork": "fork",
    "exec": "exec a program",
    "exec_memory": "write a program into memory and exec it",
    "signal_parent": "signal the supervisor",
    "kill_sibling": "kill a process of its user",
    "trace_sibling": "trace a process of its user",
    "read_sibling": "read the memory of a process of its user",
    "map_exec": "map memory, write code, run it",
    "protect_exec": "make written memory executable, run it",
    "map_memory_file": "write code into a memory file, map and run it",
    "take_memory": "take 64 GiB of address space",
    "share_memory": "make System V shared memory for others",
    "io_uring": "make an io_uring",
    "userfaultfd": "make a userfaultfd",
    "new_namespaces": "make namespaces of its own",
    "undump": "let itself be dumped and traced",
    "write_input": "write to the artifact",
    "map_input": "change the artifact through a shared mapping",
    "truncate_input": "truncate the artifact",
    "pass_descriptor": "pass its descriptor to the front",
}


def worker_ids(ordinary):
    """Whom workers run as."""
    if ordinary or os.geteuid() != 0:
        me = ORDINARY if os.geteuid() == 0 else os.geteuid()
        return me, me if os.geteuid() == 0 else os.getegid()
    try:
        entry = pwd.getpwnam("extractd-worker")
        return entry.pw_uid, entry.pw_gid
    except KeyError:
        return 65534, 65534


class Programs:
    """Copies that everybody may execute, wherever the build lies."""

    def __init__(self, folder):
        self.folder = folder / "bin"
        self.folder.mkdir()
        for path in ("extractd", "extractd-front", "extract-worker",
                     "prove/prove-inject"):
            shutil.copy(harness.BUILD / path, self.folder)

    def launcher(self, ordinary=False, fail=None):
        """fail: (number, errno, argument, value) of a call that is to fail."""
        command = []
        if ordinary and os.geteuid() == 0:
            command += ["setpriv", "--reuid", str(ORDINARY), "--regid",
                        str(ORDINARY), "--clear-groups", "--"]
        if fail is not None:
            command += [self.folder / "prove-inject", *map(str, fail), "--"]
        # in place of the program that the harness names next
        return [*command, "/bin/sh", "-c",
                'program=$0; shift; exec "$program" "$@"',
                self.folder / "extractd"]


def runtime_of(folder, ordinary):
    """A runtime directory whose folder belongs to the service's user."""
    parent = tempfile.mkdtemp(dir=folder, prefix="run.")
    if ordinary and os.geteuid() == 0:
        os.chown(parent, ORDINARY, ORDINARY)
    return os.path.join(parent, "r")


def listener(kind, address, family=socket.AF_UNIX):
    found = socket.socket(family, kind)
    found.bind(address)
    if kind == socket.SOCK_STREAM:
        found.listen(8)
    found.setblocking(False)
    return found


class Field:
    """Targets for the workers of one user."""

    def __init__(self, folder, ordinary):
        self.uid, self.gid = worker_ids(ordinary)
        self.folder = folder = pathlib.Path(
            tempfile.mkdtemp(dir=folder, prefix="field."))
        self.folder.chmod(0o777)
        self.victim = None
        stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
        inet = socket.AF_INET
        self.abstract = f"extractd-prove-{os.getpid()}-{self.uid}"
        self.doors = {
            "connect_tcp": listener(stream, ("127.0.0.1", 0), inet),
            "send_udp": listener(datagram, ("127.0.0.1", 0), inet),
            "connect_path": listener(stream, str(folder / "door")),
            "connect_abstract": listener(stream, "\0" + self.abstract),
        }
        (folder / "door").chmod(0o777)
        self.input = folder / "input"

    def close(self):
        for door in self.doors.values():
            door.close()
        self.stop_victim()

    def stop_victim(self):
        if self.victim is not None:
            self.victim.kill()
            self.victim.wait()
            self.victim = None

    def live_victim(self):
        if self.victim is None or self.victim.poll() is not None:
            me = {} if os.geteuid() != 0 else {
                "user": self.uid, "group": self.gid, "extra_groups": []}
            self.victim = subprocess.Popen(["sleep", "infinity"], **me)
        return self.victim.pid

    def own_file(self, name, mode=0o644):
        path = self.folder / name
        path.write_text("x")
        os.chmod(path, mode)
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid)
        return path

    def arm(self, attack):
        """The argument of the attack, with its target as it was."""
        self.input.write_text("input")
        for name in ("mark", "folder"):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
            with contextlib.suppress(OSError):
                (self.folder / name).rmdir()
        if attack in ("read_file", "stat_file"):
            return "/etc/passwd"
        if attack == "list_folder":
            return "/etc"
        if attack == "create_file":
            return str(self.folder / "mark")
        if attack == "make_folder":
            return str(self.folder / "folder")
        if attack in ("remove_file", "chmod_file"):
            return str(self.own_file(attack))
        if attack in ("connect_tcp", "send_udp"):
            return str(self.doors[attack].getsockname()[1])
        if attack == "connect_path":
            return str(self.folder / "door")
        if attack == "connect_abstract":
            return self.abstract
        if attack.endswith("_sibling"):
            return str(self.live_victim())
        return "-"

    def mark(self, attack):
        """True or False for an attack that leaves a mark; else None."""
        if attack == "create_file":
            return (self.folder / "mark").exists()
        if attack == "make_folder":
            return (self.folder / "folder").exists()
        if attack == "remove_file":
            return not (self.folder / attack).exists()
        if attack == "chmod_file":
            return (self.folder / attack).stat().st_mode & 0o777 != 0o644
        if attack in self.doors:
            return self.visited(self.doors[attack])
        if attack in ("write_input", "map_input", "truncate_input"):
            return self.input.read_text() != "input"
        if attack == "share_memory":
            return take_away_shared_memory()
        return None

    @staticmethod
    def visited(door):
        try:
            if door.type == socket.SOCK_DGRAM:
                door.recv(16)
            else:
                door.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def killed(self):
        """After a kill that said it was done."""
        self.victim.wait(harness.PATIENCE_S)
        return True


def take_away_shared_memory():
    """True when it was there, for everybody to see."""
    with open("/proc/sysvipc/shm", encoding="ascii") as file:
        there = any(line.split()[0] == str(SHM_KEY) for line in file)
    if there:
        libc = ctypes.CDLL(None)
        libc.shmctl(libc.shmget(SHM_KEY, 0, 0), 0, None)
    return there


def outcome_of(result, error):
    if result >= 0:
        return "done"
    return str(result) if result < -1 else errno.errorcode[error]


def commit(field, peer, attack, layers=""):
    """(done, how it ended): one job, whose worker attacks. "nothing" is no
    attack, and is answered with -2."""
    argument = field.arm(attack)
    accepted = peer.submit(f"{attack}@{layers}@{argument}")
    assert accepted["type"] == "accepted", accepted
    with open(field.input, "r+b") as file:
        peer.hand_over(accepted, file.fileno())
    reply = peer.result(accepted["job"])
    peer.doors.pop(accepted["job"]).close()
    assert reply["type"] == "error", reply
    error = reply["error"]
    report = re.fullmatch(r"result (-?\d+) errno (\d+)", error["message"])
    how = error["code"]
    if report is not None:
        how = outcome_of(int(report[1]), int(report[2]))
    elif error.get("signal") is not None:
        how = f"{error['code']} {error['signal']}"
    done = how == "done"
    if attack in ("exec", "exec_memory"):
        # what was exec'd says nothing
        done = error["reason"] == "no_answer"
    if attack == "pass_descriptor":
        done = how in ("done", "BAD_REPLY")
    if attack == "kill_sibling" and done:
        done = field.killed()
    mark = field.mark(attack)
    return (done if mark is None else mark), how
