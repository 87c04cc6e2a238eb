"""G3: a worker's death fails only its own job: while workers and the front are
killed, all others are answered byte for byte as in peace."""

import hostile
from load_disturbed import Disturbed


def prove(run):
    clients, each = run.pick(8, 64), run.pick(50, 300)
    done = Disturbed(run, clients, clients * each, run.pick(1, 4))
    ledger = done.ledger
    run.check(not ledger.faults, f"{len(ledger.faults)} differ, the first: "
              f"{ledger.faults[:2]}")
    run.check(not ledger.unanswered(), "jobs are unanswered")
    lost = done.wrongly_lost()
    run.check(not lost, f"told FRONT_LOST while no front was lost: {lost[:5]}")
    killed = done.counted("WORKER_KILLED")
    run.check(killed > 0, "no worker with a job was hit")
    run.check(done.counted(hostile.OK) > 0, "nothing to compare")
    spared = [job for job, (outcome, _) in ledger.finals.items()
              if job not in ledger.given_up and (
                  outcome == hostile.OK or outcome[0] not in
                  ("WORKER_KILLED", "FRONT_LOST"))]
    run.check(len(spared) == ledger.equal, f"{len(spared)} spared jobs, "
              f"{ledger.equal} equal replies")
    run.figure("Replies equal to undisturbed ones, all but `run`; of these "
               "results", f"{ledger.equal}; {done.counted(hostile.OK)}")
    run.figure("Jobs whose worker was killed meanwhile", killed)
