"""G13: whatever is killed, and when, what it was there for goes with it."""

import os
import random
import signal

import fault_kin
from fault_points import Alone, Serving, scene
from harness import eventually, kill

WITHIN_S = 1.0
# After SIGTERM clients have 2 s to fetch what has ended.
FLUSH_S = 2.0


class Ledger:
    """What each kind of killing came to."""

    def __init__(self, run):
        self.run = run
        # A machine that runs tests may be busy with others, too.
        self.slack = run.pick(4, 1)
        self.took = {}

    def take(self, kind, event, seconds, limit, left):
        self.run.check(seconds is not None,
                       f"{kind} at {event}: {limit * self.slack:.0f} s later "
                       f"there are {left}")
        self.took.setdefault(kind, []).append(seconds)

    def tell(self):
        for kind, took in self.took.items():
            self.run.figure(f"{kind}: until all was gone",
                            f"worst {max(took) * 1000:.0f} ms of {len(took)} "
                            "points, nothing left")


def service_killed(run, ledger, chance, number):
    """extractd in the midst of all kinds of jobs, then one on its folder."""
    kind = f"extractd, {number.name}"
    limit = WITHIN_S + (FLUSH_S if number == signal.SIGTERM else 0)
    with scene(run.folder) as here:
        serving = here.enter(Serving(here))
        here.load()
        event = serving.until_some_event(chance)
        ours = serving.family() - {serving.process.pid}
        children = here.waited_for(serving)
        kill(serving.process.pid, number)
        seconds = fault_kin.gone_after(ours, children, limit * ledger.slack)
        left = fault_kin.left_of(ours, children)
        ledger.take(kind, event, seconds, limit, left)
        serving.process.wait(limit * ledger.slack)
        run.check(not here.spools(), f"{kind}: {here.spools()}")
        here.kill_clients()
        again = here.enter(Serving(here))
        again.until_ready()
        run.check(here.answered(), f"{kind} at {event}: no service "
                  f"again\n{again.log_text()}")
        again.stop()
        run.check(os.listdir(here.runtime) == ["lock"],
                  f"left behind: {os.listdir(here.runtime)}")


def front_killed(run, ledger, chance):
    with scene(run.folder) as here:
        serving = here.enter(Serving(here))
        serving.until_ready()
        before = serving.idle()
        here.load()
        event = serving.until_some_event(chance)
        front = serving.front()
        kill(front)
        seconds = fault_kin.gone_after({front}, here.waited_for(serving),
                                       WITHIN_S * ledger.slack)
        ledger.take("extractd-front", event, seconds, WITHIN_S, {front})
        eventually("another front", serving.front)
        clients_gone(run, ledger, here, serving, event, None)
        run.check(here.answered(), f"front at {event}: no answer")
        same_as_before(run, serving, before, f"front at {event}")


def same_as_before(run, serving, before, text):
    """No descriptor is kept for a job that is over."""
    try:
        eventually("as many descriptors as before",
                   lambda: serving.idle() <= before)
    except AssertionError as error:
        run.check(False, f"{text}: {before} descriptors became "
                         f"{serving.idle()}: {error}")


def clients_gone(run, ledger, here, serving, event, kind):
    """Kills the clients: the workers of their jobs go with them."""
    busy = serving.workers_of_jobs()
    here.kill_clients()
    seconds = fault_kin.gone_after(busy, here.waited_for(serving),
                                   WITHIN_S * ledger.slack)
    if kind is not None:
        ledger.take(kind, event, seconds, WITHIN_S, busy)
    run.check(seconds is not None, f"clients gone at {event}: {busy}")
    run.check(not here.spools(), f"spooled: {here.spools()}")


def client_killed(run, ledger, chance):
    with scene(run.folder) as here:
        serving = here.enter(Serving(here))
        serving.until_ready()
        before = serving.idle()
        here.load()
        event = serving.until_some_event(chance)
        clients_gone(run, ledger, here, serving, event, "extract-client")
        same_as_before(run, serving, before, f"clients at {event}")


def embedded_killed(run, ledger, chance, victim, number):
    """A client with a service of its own: either of the two."""
    kind = f"{victim} of a private service, {number.name}"
    with scene(run.folder) as here:
        alone = here.enter(Alone(here, chance, victim))
        event = alone.until_some_event(chance, victim)
        ours = alone.family()
        kill(alone.pid_of(victim), number)
        children = {alone.process.pid}
        seconds = fault_kin.gone_after(ours - children, children,
                                       WITHIN_S * ledger.slack)
        ledger.take(kind, event, seconds, WITHIN_S,
                    fault_kin.left_of(ours, children))
        alone.process.wait(20)
        if alone.had_service:
            run.check(os.listdir(here.tmp) == [],
                      f"{kind} at {event}: left {os.listdir(here.tmp)}")


def prove(run):
    seed = int(os.environ.get("EXTRACTD_SEED", "0")) or random.getrandbits(32)
    chance = random.Random(seed)
    run.say(f"seed {seed} (EXTRACTD_SEED)")
    fault_kin.adopt_orphans()
    ledger = Ledger(run)
    kinds = (
        (run.pick(3, 50), service_killed, signal.SIGKILL),
        (run.pick(1, 10), service_killed, signal.SIGTERM),
        (run.pick(3, 50), front_killed),
        (run.pick(2, 40), client_killed),
        (run.pick(2, 30), embedded_killed, "extract-client", signal.SIGKILL),
        (run.pick(1, 10), embedded_killed, "extract-client", signal.SIGTERM),
        (run.pick(1, 10), embedded_killed, "extractd", signal.SIGKILL),
    )
    for count, killed, *how in kinds:
        for _ in range(count):
            killed(run, ledger, chance, *how)
    ledger.tell()
    run.figure("Points in all, and the seed they came from",
               f"{sum(kind[0] for kind in kinds)}, {seed}")
