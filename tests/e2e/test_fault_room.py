"""The room's holder dies, and the kernel takes its time to build another:
limits and replies do not wait for it."""

import os
import pathlib
import tempfile
import time
import unittest

from harness import BUILD, Peer, Service, eventually, kill, profile, slow_file


class SlowRoom(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # The holder, which has the workers' uid, looks for the file.
        os.chmod(folder.name, 0o711)
        self.hang = pathlib.Path(folder.name, "hang")
        self.small = profile(folder.name)
        self.slow = slow_file(folder.name)
        self.service = Service(
            "--workers", "2", env=dict(
                os.environ, FAULT_HANG=str(self.hang),
                LD_PRELOAD=str(BUILD / "fault" / "hang.so")))
        self.addCleanup(self.service.close)
        self.assertTrue(self.service.ready, self.service.text())
        self.peer = Peer(self.service)
        self.addCleanup(self.peer.__exit__)

    def holders(self):
        return self.service.pids("extractd-room")

    def no_room_here(self):
        """The kernel gives none; then nobody waits for one."""
        return "room" in self.peer.status()["sandbox_missing"]

    def tear_down_room(self):
        """The next one hangs while it is built."""
        self.hang.touch()
        old, = self.holders()
        kill(old)
        # Warm workers stay; one that is missing makes a new room wanted.
        kill(self.service.workers()[0])
        return eventually("another holder", lambda: [
            pid for pid in self.holders()
            if pid != old])[0]

    def test_limits_hold_and_replies_come_meanwhile(self):
        if self.no_room_here():
            return
        self.tear_down_room()
        begin = time.monotonic()
        job = self.peer.start(self.slow, limits={"wall_seconds": 1})
        self.assertEqual(self.peer.result(job)["error"]["limit"],
                         "wall_seconds")
        self.assertLess(time.monotonic() - begin, 3)
        self.assertEqual(len(self.holders()), 1)
        self.assertNotIn("room_failed", self.service.text())

    def test_jobs_wait_for_it_and_are_served_then(self):
        if self.no_room_here():
            return
        self.tear_down_room()
        for pid in self.service.workers():
            kill(pid)
            eventually("it is reaped", lambda: pid not in
                       self.service.workers())
        job = self.peer.start(self.small)
        eventually("it waits", lambda: self.peer.status()[
            "queue"]["queued"] == 1)
        self.hang.unlink()
        self.assertEqual(self.peer.result(job)["type"], "result")
        self.assertIn("room", self.peer.status()["sandbox"])

    def test_one_that_is_not_built_in_time_is_given_up_and_tried_again(self):
        if self.no_room_here():
            return
        stuck = self.tear_down_room()
        eventually("it is given up", lambda: "step=no_word"
                   in self.service.text())
        eventually("another is tried", lambda: [
            pid for pid in self.holders() if pid != stuck])
        self.hang.unlink()
        eventually("it stands",
                   lambda: self.service.text().count("event=room_built") == 2)
        reply = self.peer.result(self.peer.start(self.small))
        self.assertEqual(reply["type"], "result", reply)


if __name__ == "__main__":
    unittest.main()
