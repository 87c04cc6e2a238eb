"""Many clients of one service, played in one thread: each submits a file,
hands it over at the door, waits for the reply, thanks, and goes on. After
silence it asks again and after FRONT_LOST it submits again, once, as
docs/API.md ("Reconnecting") says."""

import contextlib
import json
import socket
import time

import zmq

SILENCE_S = 2.0
SUBMITTING, WAITING = "submitting", "waiting"
OPTIONS = {"rows": 20}


class Client:
    """One connection with one job under way. Give it a file by begin()."""

    def __init__(self, service, ledger, options=None):
        self.ledger = ledger
        self.options = options or OPTIONS
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(service.endpoint)
        self.asked = 0
        self.state = None
        self.door = None
        self.due = None      # when to do something without a reply
        self.known = {}      # request id of a submit: its file

    def close(self):
        self._shut_door()
        self.socket.close()

    def begin(self, path, again=False):
        self.path, self.again = path, again
        self._submit()

    def send(self, op, number=None, **fields):
        if number is None:
            self.asked += 1
            number = f"{op}{self.asked}"
        self.socket.send(json.dumps({"op": op, "id": number,
                                     **fields}).encode())
        self.due = time.monotonic() + SILENCE_S
        return number

    def _submit(self):
        self.state = SUBMITTING
        self.current = self.send("submit", name="load.cpuprofile",
                                  options=self.options)
        self.known[self.current] = self.path

    def _shut_door(self):
        if self.door is not None:
            self.door.close()
            self.door = None

    def _hand_over(self):
        """False when there was nobody behind the door."""
        self._shut_door()
        door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.door = door
        door.settimeout(SILENCE_S)
        with contextlib.suppress(OSError):
            door.connect(self.accepted["door"])
            door.send(bytes.fromhex(self.accepted["ticket"]))
            with open(self.path, "rb") as file:
                socket.send_fds(door, [b"F"], [file.fileno()])

    def _hung_up(self):
        with contextlib.suppress(BlockingIOError):
            try:
                return self.door.recv(1, socket.MSG_DONTWAIT) == b""
            except ConnectionResetError:
                return True
        return False

    def tick(self, now):
        """After silence: asks again."""
        if self.due is None or now < self.due:
            return
        if self.state == SUBMITTING:
            self.ledger.count("submitted again after silence or BUSY")
            self._submit()
        elif self.state == WAITING:
            self.ledger.count("asked again after silence")
            if self._hung_up():  # it went with a front
                self._hand_over()
            self._wait()

    def _wait(self):
        self.send("result", f"w{self.job}", job=self.job, wait=True)

    def take(self):
        """Takes what has come. True when its job is over."""
        over = False
        while True:
            try:
                raw = self.socket.recv(zmq.DONTWAIT)
            except zmq.Again:
                return over
            over = self._reply(json.loads(raw), raw) or over

    def _reply(self, reply, raw):
        number = reply["id"] or ""
        if number.startswith("submit"):
            return self._submitted(number, reply)
        if number.startswith("w"):
            return self._answered(reply["job"] or number[1:], reply, raw)
        return False

    def _submitted(self, number, reply):
        path = self.known.pop(number)
        if reply["type"] == "accepted":
            self.ledger.accept(reply["job"], path)
            if number == self.current and self.state == SUBMITTING:
                self.accepted, self.job = reply, reply["job"]
                self.state = WAITING
                self._hand_over()
                self._wait()
            else:  # its reply came late; another took its place
                self._give_up(reply["job"])
        elif number == self.current and self.state == SUBMITTING:
            code = reply["error"]["code"]
            self.ledger.count(f"submit: {code}")
            if code != "BUSY":
                self.ledger.faults.append(f"submit: {reply}")
            self.due = time.monotonic() + 0.02
        return False

    def _give_up(self, job):
        self.ledger.given_up.add(job)
        due = self.due
        self.send("cancel", job=job)
        self.send("result", f"w{job}", job=job, wait=True)
        self.due = due

    def _answered(self, job, reply, raw):
        first = self.ledger.final(job, reply, raw)
        mine = self.state == WAITING and job == self.job
        if mine:
            self.state, self.due = None, None
            self._shut_door()
        if first:
            due = self.due
            self.send("ack", job=job)
            self.due = due
        if not mine:
            return False
        if not self.again and reply["type"] == "error" and (
                reply["error"]["code"] == "FRONT_LOST"):
            self.begin(self.path, again=True)
            return False
        return True


def play(service, ledger, count, files, jobs, told=lambda done: None,
         options=None):
    """count clients send jobs of these files (a function of the job's number)
    until all are answered; told() hears how many are over. Seconds taken."""
    clients = [Client(service, ledger, options) for _ in range(count)]
    poller = zmq.Poller()
    by_socket = {}
    for client in clients:
        poller.register(client.socket, zmq.POLLIN)
        by_socket[client.socket] = client
    begun = over = 0
    start = ticked = last = time.monotonic()
    try:
        for client in clients[:jobs]:
            client.begin(files(begun))
            begun += 1
        while over < jobs or _strays(ledger, clients):
            for ready, _ in poller.poll(100):
                client = by_socket[ready]
                if client.take():
                    over += 1
                    last = time.monotonic()
                    told(over)
                    if begun < jobs:
                        client.begin(files(begun))
                        begun += 1
            now = time.monotonic()
            if now - ticked > 0.05:
                ticked = now
                for client in clients:
                    client.tick(now)
            if now - last > 60:
                raise AssertionError(
                    f"silent for 60 s: {over} of {jobs} over, unanswered "
                    f"{ledger.unanswered()[:5]}\n{service.text()[-3000:]}")
    finally:
        for client in clients:
            client.close()
    return time.monotonic() - start


def _strays(ledger, clients):
    """Given up, not answered yet: asked for again after silence."""
    left = [job for job in ledger.given_up if job not in ledger.finals]
    now = time.monotonic()
    for client in clients:
        if left and (client.due is None or now > client.due):
            for job in left:
                client.send("result", f"w{job}", job=job, wait=True)
            break
    return left
