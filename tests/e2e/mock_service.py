"""A stand-in for the service, for what a real one does only by accident.

It speaks the public interface (ROUTER on ipc, door as SEQPACKET) and answers
each job by a script: a list of steps, one of which is taken for each submit.
A step is a dict: {"busy": ms}, {"lost": True}, {"drop": True} (no reply at
all), {"error": {...}}, {"progress": n, ...} or {} (a result about the file's
bytes). When the script is spent, {} is meant.
"""

import hashlib
import json
import os
import socket
import threading

import zmq


def error_object(code, message, **more):
    error = {"schema": "extractd.error/1", "code": code, "reason": None,
             "message": message, "offset": None, "path": None, "limit": None,
             "actual": None, "max": None, "signal": None,
             "retry_after_ms": None, "retryable": False, "remediation": [],
             "artifact": {"name": None, "sha256": None, "bytes": None},
             "run": {"job": None}}
    error.update(more)
    return error


def row(function, self_us, inclusive_us, rank, **more):
    made = {"frame_id": "%032x" % rank, "function_id": "%032x" % (rank + 100),
            "function": function, "file": "src/%d.js" % rank,
            "url": "file:///srv/app/src/%d.js" % rank, "line": rank,
            "column": 1, "script": None, "source": None,
            "language": "javascript", "frame_type": "v8js",
            "category": "user", "package": None, "symbolization": "complete",
            "rank_self": rank, "rank_inclusive": rank,
            "values": {"wall.time": {"self": self_us,
                                     "inclusive": inclusive_us}}}
    made.update(more)
    return made


def result_object(name, data, rows=None):
    rows = rows if rows is not None else [row("parse", 80, 100, 1)]
    total = sum(r["values"]["wall.time"]["self"] for r in rows)
    digest = hashlib.sha256(data).hexdigest()
    return {"schema": "extractd.result/1", "status": "ok",
            "format": "v8.cpuprofile", "kind": "sample_profile",
            "profile_id": digest[:32],
            "artifact": {"name": name, "sha256": digest, "bytes": len(data),
                         "encoding": "identity", "decoded_bytes": len(data)},
            "metrics": [{"name": "wall.time", "unit": "microseconds",
                         "total": total, "active": total}],
            "unavailable": [], "counts": {"nodes": 1, "samples": 1,
                                          "frames": 1, "max_depth": 1},
            "options": {"rows": 1000, "sort": None},
            "rows": rows, "rows_total": len(rows), "rows_returned": len(rows),
            "other": {"rows": 0, "values": {}}, "limitations": []}


class MockService:
    """Runs in a thread of its own between start() and stop()."""

    def __init__(self, folder, script=(), workers=2):
        self.folder = folder
        self.path = os.path.join(folder, "extractd.sock")
        self.door_path = os.path.join(folder, "door.sock")
        self.script = list(script)
        self.workers = workers
        self.jobs = {}
        self.left_out = 0   # of a listing of jobs
        self.submits = []   # the requests, as they came
        self.acked, self.cancelled = [], []
        self.most_at_once = 0
        self.status = {"schema": "extractd.status/1",
                       "workers": {"max": workers}}
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def start(self):
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.door.bind(self.door_path)
        self.door.listen(64)
        self.context = zmq.Context()
        self.router = self.context.socket(zmq.ROUTER)
        self.router.linger = 0
        self.router.bind("ipc://" + self.path)
        self.thread.start()
        return self

    def stop(self):
        self.stopping.set()
        self.thread.join()
        self.router.close()
        self.context.term()
        self.door.close()
        for job in self.jobs.values():
            if job["lease"]:
                job["lease"].close()

    def serve(self):
        while not self.stopping.is_set():
            if not self.router.poll(20):
                self.take_door()
                self.hand_out()
                continue
            peer, message = self.router.recv_multipart()
            request = json.loads(message)
            self.answer(peer, request)

    def send(self, peer, request, reply):
        reply = {"type": reply.pop("type"), "id": request.get("id"), **reply}
        self.router.send_multipart([peer, json.dumps(reply).encode()])

    def answer(self, peer, request):
        getattr(self, "on_" + request["op"])(peer, request)

    def on_version(self, peer, request):
        self.send(peer, request,
                  {"type": "version", "version": "9.9.9", "api": 1})

    def on_status(self, peer, request):
        self.send(peer, request, {"type": "status", "status": self.status})

    def on_submit(self, peer, request):
        self.submits.append(request)
        step = self.script.pop(0) if self.script else {}
        if step.get("drop"):
            return
        if "busy" in step:
            self.send(peer, request,
                      {"type": "error", "job": None,
                       "error": error_object("BUSY", "busy", retryable=True,
                                             retry_after_ms=step["busy"])})
            return
        number = len(self.jobs) + 1
        job = "j-%016x" % number
        ticket = "%032x" % number
        self.jobs[job] = {"step": step, "ticket": ticket, "lease": None,
                          "name": request["name"], "data": None,
                          "waiting": [], "options": request["options"]}
        self.send(peer, request, {"type": "accepted", "job": job,
                                  "ticket": ticket, "door": self.door_path})
        self.most_at_once = max(self.most_at_once, sum(
            1 for j in self.jobs.values() if not j.get("ended")))

    def on_result(self, peer, request):
        job = self.jobs.get(request["job"])
        if job is None:
            self.send(peer, request,
                      {"type": "error", "job": request["job"],
                       "error": error_object("RESULT_EXPIRED", "not known",
                                             reason="unknown_job")})
            return
        self.take_door()
        if not request["wait"] and not self.over(job):
            self.send(peer, request, {"type": "pending",
                                      "job": request["job"],
                                      "state": "running"})
            return
        job["waiting"].append((peer, request))
        self.hand_out()

    def on_jobs(self, peer, request):
        self.send(peer, request, {"type": "jobs", "jobs": [
            {"job": name, "name": job["name"],
             "state": "ended" if job.get("ended") else "running",
             "class": job["options"].get("class", "interactive"),
             "detached": job["options"].get("detach", False),
             "outcome": "ok" if job.get("ended") else None,
             "elapsed_ms": 1500, "bytes": 1 << 20, "total": 4 << 20}
            for name, job in self.jobs.items()],
            "left_out": self.left_out})

    def on_ack(self, peer, request):
        self.acked.append(request["job"])
        self.send(peer, request, {"type": "ok"})

    def on_cancel(self, peer, request):
        self.cancelled.append(request["job"])
        self.send(peer, request, {"type": "ok"})
        job = self.jobs[request["job"]]
        if not self.over(job):
            job["step"] = {"error": error_object("CANCELLED", "cancelled")}
            job["data"] = b""

    def take_door(self):
        """Reads tickets and files of all connections that are there."""
        self.door.settimeout(0)
        while True:
            try:
                lease, _ = self.door.accept()
            except BlockingIOError:
                return
            lease.settimeout(2)
            ticket = lease.recv(64).hex()
            byte, fds, _, _ = socket.recv_fds(lease, 64, 4)
            assert byte == b"F" and len(fds) == 1, (byte, fds)
            with os.fdopen(fds[0], "rb") as f:
                data = os.pread(f.fileno(), 1 << 20, 0)
            for job in self.jobs.values():
                if job["ticket"] == ticket:
                    job["lease"], job["data"] = lease, data

    def over(self, job):
        return job["data"] is not None and not job["step"].get("hang")

    def hand_out(self):
        for name, job in self.jobs.items():
            waiting, job["waiting"] = job["waiting"], []
            for peer, request in waiting:
                if not self.over(job):
                    self.send(peer, request,
                              {"type": "progress", "job": name,
                               "state": "running", "phase": "reading",
                               "bytes": 1 << 20, "total": 4 << 20,
                               "nodes": 10, "samples": 20,
                               "elapsed_ms": 1000})
                    continue
                job["ended"] = True
                self.send(peer, request, self.final(name, job))

    def final(self, name, job):
        step = job["step"]
        if step.get("lost"):
            return {"type": "error", "job": name,
                    "error": error_object("FRONT_LOST", "lost")}
        if "error" in step:
            return {"type": "error", "job": name, "error": step["error"]}
        if not job["data"].startswith(b"{"):
            return {"type": "error", "job": name,
                    "error": error_object("UNSUPPORTED_FORMAT", "not JSON")}
        return {"type": "result", "job": name,
                "result": result_object(job["name"], job["data"],
                                        step.get("rows"))}


if __name__ == "__main__":
    import sys
    MockService(sys.argv[1]).start().thread.join()
