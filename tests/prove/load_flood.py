"""Offers jobs at a steady pace, whatever is answered, and times the answers."""

import contextlib
import json
import socket
import threading
import time

import zmq

import watch

CLIENTS = 64


class Memory(threading.Thread):
    """VmRSS of processes, ten times a second: lists by name."""

    def __init__(self, **pids):
        super().__init__(daemon=True)
        self.pids = pids
        self.seen = {name: [] for name in pids}
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(0.1):
            for name, pid in self.pids.items():
                self.seen[name].append(watch.rss(pid) or 0)

    def stop(self):
        self.over.set()
        self.join()


class Flood:
    """Submits `path` so many times a second for so long. Then: accepted and
    refused, `busy_s` from SUBMIT to BUSY, `job_s` from SUBMIT to the final
    reply, `finals` by job, `other` replies to SUBMIT."""

    def __init__(self, service, path, rate, seconds, limits):
        self.path, self.rate, self.seconds = path, rate, seconds
        self.options = {"rows": 10, "limits": limits}
        self.sent, self.busy_s, self.job_s = {}, [], {}
        self.finals, self.other, self.doors, self.begun = {}, [], {}, {}
        self.sockets = []
        for _ in range(CLIENTS):
            peer = zmq.Context.instance().socket(zmq.DEALER)
            peer.setsockopt(zmq.LINGER, 0)
            peer.connect(service.endpoint)
            self.sockets.append(peer)

    def _submit(self, number):
        peer = self.sockets[number % CLIENTS]
        self.sent[f"s{number}"] = time.monotonic()
        peer.send(json.dumps({"op": "submit", "id": f"s{number}", "name": "f",
                              "options": self.options}).encode())

    def _hand_over(self, peer, reply, since):
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            door.connect(reply["door"])
            door.send(bytes.fromhex(reply["ticket"]))
            with open(self.path, "rb") as file:
                socket.send_fds(door, [b"F"], [file.fileno()])
        job = reply["job"]
        self.doors[job], self.begun[job] = door, since
        peer.send(json.dumps({"op": "result", "id": "w", "job": job}).encode())

    def _take(self, peer, now):
        while True:
            try:
                reply = json.loads(peer.recv(zmq.DONTWAIT))
            except zmq.Again:
                return
            if reply["id"] == "w":
                self._final(peer, reply, now)
            elif reply["id"] != "a":
                since = self.sent.pop(reply["id"])
                if reply["type"] == "accepted":
                    self._hand_over(peer, reply, since)
                elif reply["error"]["code"] == "BUSY":
                    self.busy_s.append(now - since)
                else:
                    self.other.append(reply)

    def _final(self, peer, reply, now):
        job = reply["job"]
        self.finals[job] = reply
        self.job_s[job] = now - self.begun[job]
        self.doors.pop(job).close()
        peer.send(json.dumps({"op": "ack", "id": "a", "job": job}).encode())

    def play(self, patience_s=60):
        poller = zmq.Poller()
        for peer in self.sockets:
            poller.register(peer, zmq.POLLIN)
        start, number = time.monotonic(), 0
        end = start + self.seconds
        while True:
            now = time.monotonic()
            due = int((min(now, end) - start) * self.rate)
            while number < due:
                self._submit(number)
                number += 1
            if now > end and not self.sent and len(self.finals) == len(
                    self.begun):
                break
            if now > end + patience_s:
                break
            for peer, _ in poller.poll(2):
                self._take(peer, time.monotonic())
        self.offered = number
        for peer in self.sockets:
            peer.close()
        for door in self.doors.values():
            door.close()
