"""Many connections held by a process of its own, since the number of
descriptors of one is limited.

    load_crowd.py stream|door SOCKET COUNT [GREETING-HEX]

Prints how many it could make, then holds them until its input ends."""

import errno
import select
import socket
import sys
import time

PATIENCE_S = 20.0


def connect(kind, path, deadline):
    """A connection, or None when there is none to be had in time."""
    while time.monotonic() < deadline:
        peer = socket.socket(socket.AF_UNIX, kind)
        peer.setblocking(False)
        try:
            peer.connect(path)
            return peer
        except OSError as error:
            peer.close()
            if error.errno not in (errno.EAGAIN, errno.ECONNREFUSED):
                raise
        # nothing tells when a listener has room again
        select.select([], [], [], 0.001)
    return None


def main():
    kind = {"stream": socket.SOCK_STREAM,
            "door": socket.SOCK_SEQPACKET}[sys.argv[1]]
    path, count = sys.argv[2], int(sys.argv[3])
    greeting = bytes.fromhex(sys.argv[4]) if len(sys.argv) > 4 else b""
    deadline = time.monotonic() + PATIENCE_S
    held = []
    while len(held) < count:
        peer = connect(kind, path, deadline)
        if peer is None:
            break
        held.append(peer)
        if greeting:
            try:
                peer.send(greeting)
            except OSError:
                pass  # closed already: it was made all the same
    print(len(held), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
