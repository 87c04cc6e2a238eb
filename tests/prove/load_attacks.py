"""What peers that mean harm do to the API and the door. Each attack is
attack(service, size, meanwhile), holds on until meanwhile() returns, lets go,
and says in words what it did."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys

import zmq

import harness

HERE = pathlib.Path(__file__).resolve().parent
EACH = 2000  # connections of one process
GREETING = (b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") +
            b"\0" + bytes(31))
_NAMES = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
READY = b"\x04" + bytes([len(_NAMES)]) + _NAMES


def crowd(meanwhile, kind, path, count, greeting=b""):
    """How many connections could be made."""
    sizes = [min(EACH, count - at) for at in range(0, count, EACH)]
    held = [subprocess.Popen(
        [sys.executable, str(HERE / "load_crowd.py"), kind, path, str(size),
         greeting.hex()], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for size in sizes]
    try:
        made = sum(int(process.stdout.readline()) for process in held)
        meanwhile()
        return made
    finally:
        for process in held:
            process.stdin.close()
            process.stdout.close()
            process.wait(harness.PATIENCE_S)


def api_path(service):
    return service.endpoint[len("ipc://"):]


def idle(service, size, meanwhile):
    made = crowd(meanwhile, "stream", api_path(service), size)
    return f"{made} idle connections"


def half_handshake(service, size, meanwhile):
    made = crowd(meanwhile, "stream", api_path(service), size, GREETING)
    return f"{made} greetings, then silence"


def garbage(service, size, meanwhile):
    made = crowd(meanwhile, "stream", api_path(service), size,
                 b"GET / HTTP/1.1\r\n\r\n")
    return f"{made} connections that speak something else"


def no_tickets(service, size, meanwhile):
    path = str(service.runtime / "door.sock")
    made = crowd(meanwhile, "door", path, size)
    return f"{made} connections to the door, no ticket"


@contextlib.contextmanager
def _spoken(service):
    """A raw connection after its handshake."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.settimeout(2)
    with peer:
        peer.connect(api_path(service))
        peer.sendall(GREETING)
        have = b""
        while len(have) < 64 + 2:  # its greeting, and the head of its READY
            more = peer.recv(4096)
            if not more:
                break
            have += more
        peer.sendall(READY)
        yield peer


def _pour(peer, head, piece, count):
    """Bytes taken before the other side hung up or stopped reading."""
    taken = 0
    with contextlib.suppress(OSError):
        peer.sendall(head)
        for _ in range(count):
            taken += peer.send(piece)
    return taken


def oversize(service, size, meanwhile):
    taken = 0
    for _ in range(max(size // 100, 3)):
        with _spoken(service) as peer:
            taken += _pour(peer, b"\x02" + (1 << 30).to_bytes(8, "big"),
                           bytes(1 << 16), 1 << 14)
    meanwhile()
    return f"frames of 1 GiB announced, {taken >> 10} KiB of them taken"


def endless(service, size, meanwhile):
    """One message of small parts, without an end."""
    with _spoken(service) as peer:
        taken = _pour(peer, b"", (b"\x01\x40" + bytes(64)) * 500, size)
        meanwhile()
    return f"a message without an end, {taken >> 20} MiB of it taken"


def never_reads(service, size, meanwhile):
    """Asks for a large result again and again, and reads none."""
    with harness.Peer(service) as peer:
        job = peer.start(harness.DATA / "real" / "webpack.cpuprofile",
                         rows=1000)
        whole = len(json.dumps(peer.result(job)))
        peers = [zmq.Context.instance().socket(zmq.DEALER)
                 for _ in range(max(size // 100, 10))]
        for deaf in peers:
            deaf.setsockopt(zmq.LINGER, 0)
            deaf.setsockopt(zmq.RCVHWM, 1)
            deaf.setsockopt(zmq.RCVBUF, 4096)
            deaf.connect(service.endpoint)
        for number in range(200):
            for deaf in peers:
                with contextlib.suppress(zmq.Again):
                    deaf.send(json.dumps({
                        "op": "result", "id": str(number),
                        "job": job}).encode(), zmq.DONTWAIT)
        meanwhile()
        for deaf in peers:
            deaf.close()
    return (f"{len(peers)} peers that read nothing asked 200 times each for "
            f"{whole >> 10} KiB")


def _stay_away(service, size, meanwhile, count):
    """SUBMITs from so many peers, none of which comes to the door."""
    told = {"accepted": 0, "error": 0}

    def take(peer, patience_ms):
        while peer.socket.poll(patience_ms):
            told[json.loads(peer.socket.recv())["type"]] += 1

    peers = [harness.Peer(service) for _ in range(count)]
    for number in range(size):
        peer = peers[number % len(peers)]
        peer.send("submit", name="x")
        take(peer, 0)
    for peer in peers:
        take(peer, 10)
    meanwhile()
    for peer in peers:
        peer.socket.close()
    return (f"{size} SUBMITs of {count} peers without a door: "
            f"{told['accepted']} accepted, {told['error']} refused")


def no_doors(service, size, meanwhile):
    """More tickets than there are places."""
    return _stay_away(service, size, meanwhile, 32)


def no_doors_crowd(service, size, meanwhile):
    """More peers than there may be tickets."""
    return _stay_away(service, size, meanwhile, 500)
