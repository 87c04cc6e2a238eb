"""G14, local peers: whoever talks, the front stays under its cap or is back
within a second, extractd is untouched, and others' jobs are answered."""

import harness
import load_attacks
from load_watch import Good, Watch
import watch

FRONT_CAP_BYTES = 1 << 30
BACK_S = 1.0
GROWTH_BYTES = 1 << 20
SERVED_S = 1.0  # another client's job, while tickets are taken and not used

# (attack, small size, full size)
ATTACKS = (
    (load_attacks.idle, 5000, 10_000),
    (load_attacks.half_handshake, 500, 3000),
    (load_attacks.garbage, 500, 3000),
    (load_attacks.no_tickets, 1000, 10_000),
    (load_attacks.oversize, 300, 10_000),
    (load_attacks.endless, 400, 40_000),
    (load_attacks.never_reads, 500, 5000),
    (load_attacks.no_doors, 2000, 20_000),
    (load_attacks.no_doors_crowd, 2000, 20_000),
)


def judge(run, name, service, seen, good):
    run.check(service.process.poll() is None, f"{name}: extractd has exited")
    run.check(seen.front_bytes < FRONT_CAP_BYTES,
              f"{name}: the front took {seen.front_bytes} bytes")
    late = [gap for gap in seen.gaps if gap > BACK_S * run.pick(4, 1)]
    run.check(not late, f"{name}: no front for {late} s")
    run.check(not good.failed, f"{name}: {good.failed[:2]}")
    run.check(good.took, f"{name}: no other client was answered")


def served(run, attack, good):
    """Tickets that nobody uses keep no other client waiting."""
    name, worst = attack.__name__, max(good.took)
    # a machine that runs tests may be busy with others, too
    run.check(worst <= SERVED_S * run.pick(4, 1), f"{name}: {worst} s")
    if attack is load_attacks.no_doors:
        run.check(not good.busy, f"{name}: told BUSY {good.busy} times")


def attacked(run, attack, size, path):
    name = attack.__name__
    with harness.Service("--workers", "2") as service:
        with harness.Peer(service) as peer:
            peer.result(peer.start(path))  # all that is lazy is there now
        seen, good = Watch(service), Good(service, path)
        begin = watch.rss(service.process.pid)
        seen.start()
        good.start()
        said = attack(service, size, good.meanwhile)
        good.meanwhile()
        good.stop()
        seen.stop()
        judge(run, name, service, seen, good)
        run.check(seen.extractd_bytes - begin <= GROWTH_BYTES,
                  f"{name}: extractd grew from {begin} to "
                  f"{seen.extractd_bytes} bytes")
        if attack in (load_attacks.no_doors, load_attacks.no_doors_crowd):
            served(run, attack, good)
        tell(run, said, seen, good)


def tell(run, said, seen, good):
    away = (f"replaced {len(seen.fronts) - 1} times, away for at most "
            f"{max(seen.gaps) * 1000:.0f} ms" if seen.gaps else "the same")
    run.figure(said, f"front {seen.front_bytes / 2**20:.0f} MiB, {away}; "
               f"extractd {seen.extractd_bytes / 2**20:.1f} MiB; "
               f"{len(good.took)} other jobs, worst "
               f"{max(good.took) * 1000:.0f} ms, told BUSY {good.busy} times")


def prove(run):
    path = harness.profile(run.folder)
    for attack, small, full in ATTACKS:
        attacked(run, attack, run.pick(small, full), path)
