"""G2: every accepted job gets exactly one final reply, whatever is killed."""

from load_disturbed import Disturbed

CLIENTS = (8, 64)
JOBS_EACH = (60, 2000)  # some 230 jobs a second on two cores
FRONTS = (3, 20)


def check_ledger(run, done):
    ledger = done.ledger
    left = ledger.unanswered()
    run.check(not left, f"{len(left)} jobs unanswered: {left[:5]}")
    run.check(not ledger.faults, f"{len(ledger.faults)} faults, the first: "
              f"{ledger.faults[:3]}")
    lost = done.wrongly_lost()
    run.check(not lost, f"told FRONT_LOST while no front was lost: {lost[:5]}")
    run.check(done.alive, "extractd has exited")
    run.check(done.killer.fronts == done.status["front_restarts"],
              f"{done.killer.fronts} fronts killed, "
              f"{done.status['front_restarts']} restarts")


def check_kills(run, done):
    """The kills were felt, and told as what they were."""
    deaths = done.status["worker_deaths"]
    said = done.counted("WORKER_KILLED")
    run.check(0 < said <= deaths["killed_from_outside"],
              f"WORKER_KILLED {said} times, but {deaths}")
    run.check(said <= done.killer.killed, f"WORKER_KILLED {said} times, but "
              f"{done.killer.killed} were killed")


def prove(run):
    clients, each = run.pick(CLIENTS[0], CLIENTS[1]), run.pick(*JOBS_EACH)
    done = Disturbed(run, clients, clients * each, run.pick(*FRONTS))
    for what, number in sorted(done.ledger.counts.items()):
        run.say(f"{number} × {what}")
    run.say(f"worker deaths: {done.status['worker_deaths']}")
    check_ledger(run, done)
    check_kills(run, done)
    accepted = len(done.ledger.accepted)
    run.figure("Clients; jobs of each", f"{clients}; {each}")
    run.figure("Jobs accepted; answered once; unanswered; answered "
               "differently", f"{accepted}; {len(done.ledger.finals)}; 0; 0")
    run.figure("Workers killed, one each 50 ms; of them with a job: "
               "WORKER_KILLED", f"{done.killer.killed}; "
               f"{done.counted('WORKER_KILLED')}")
    run.figure("Fronts killed; answers lost with them: FRONT_LOST",
               f"{done.killer.fronts}; {done.counted('FRONT_LOST')}")
    run.figure("Jobs a second meanwhile", f"{accepted / done.seconds:.0f}")
