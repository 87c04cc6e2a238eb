"""No input makes extractd exit, and its resident memory stays small: the
hostile list between good profiles, one service, and part of it again with
extractd under sanitizers; its records under valgrind."""

import contextlib
import shutil
import subprocess

import harness
import hostile
from prove import build
import watch

WINDOW = 8  # jobs under way at a time
MEMORY_BYTES = 32 << 20


def work_of(run, full):
    """(file, what may come of it), every second one good."""
    good = [(str(path), hostile.OK)
            for path in sorted((harness.DATA / "real").glob("*profile"))]
    mixed = []
    for i, bad in enumerate(hostile.make(run.folder / "hostile", full)):
        mixed += [bad, good[i % len(good)]]
    return mixed


def submit_all(run, service, work):
    with harness.Peer(service) as peer:
        for i in range(0, len(work), WINDOW):
            part = work[i:i + WINDOW]
            jobs = [peer.start(path, **hostile.options(path))
                    for path, _ in part]
            for job, (path, expected) in zip(jobs, part):
                seen = hostile.outcome(peer.result(job, 600))
                run.check(hostile.accepts(expected, seen),
                          f"{path}: {seen} instead of {expected}")
                peer.doors.pop(job).close()
                peer.ask("ack", job=job)


def plain(run, work):
    with harness.Service("--workers", "2") as service:
        pid = service.process.pid
        front = service.front()
        submit_all(run, service, work)
        run.check(service.process.poll() is None, "extractd has exited")
        peak = watch.peak(pid)
        run.check(peak < MEMORY_BYTES, f"extractd took {peak} bytes")
        run.check(service.front() == front, "the front was restarted")
    run.figure("Jobs of one extractd, half of them hostile", len(work))
    run.figure("Its highest resident memory", f"{peak / 2**20:.1f} MiB")


@contextlib.contextmanager
def sanitized(run, folder):
    """An extractd of that build; it must end well."""
    usual, harness.BUILD = harness.BUILD, folder
    # the usual front: no sanitizer fits the address space it is given
    service = harness.Service("--workers", "2", "--libexec-dir", str(usual))
    try:
        run.check(service.ready, f"sanitizers: {service.text()}")
        yield service
        service.process.terminate()
        status = service.process.wait(60)
        text = service.text()
        run.check(status == 0 and "ERROR: AddressSanitizer" not in text and
                  "runtime error" not in text, f"sanitizers: {status}, {text}")
    finally:
        service.close()
        harness.BUILD = usual


def watched(run, work):
    """Jobs while sanitizers look at extractd."""
    asan = build("asan")
    run.check(asan is not None and (asan / "extractd").exists(),
              "the asan build is not there; ./dev prove makes it")
    with sanitized(run, asan) as service:
        submit_all(run, service, work[:1000])
    run.figure("Jobs with extractd under ASan and UBSan, no error",
               len(work[:1000]))


def under_valgrind(run):
    """valgrind does not know seccomp(2), so extractd itself refuses to start
    there. What it does with a front's records, workers' ends and clocks runs
    under it instead, over the seeds of its fuzz target."""
    run.check(shutil.which("valgrind") is not None, "valgrind is not there")
    seeds = harness.DATA.parent / "fuzz" / "corpus" / "link"
    done = subprocess.run(
        ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full",
         harness.BUILD / "tests" / "fuzz-link", seeds],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    run.check(done.returncode == 0, done.stdout)
    run.figure("Sequences of records under valgrind, no error and no leak",
               len(list(seeds.iterdir())))
    run.not_shown("the whole extractd under valgrind",
                  "valgrind has no seccomp(2), and without it there is no "
                  "service")


def prove(run):
    (run.folder / "hostile").mkdir()
    work = work_of(run, run.full)
    plain(run, work)
    if run.full:
        watched(run, work)
        under_valgrind(run)
    else:
        run.say("sanitizers and valgrind: at full size only")
