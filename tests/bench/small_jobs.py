"""Many small profiles, each in a sandboxed process of its own."""
import os
import statistics
import subprocess
import time

import table
from measure import Service, program

AT_ONCE = 200
SIZE = 10_000


def once(endpoint, path, core, jobs):
    """Jobs a second, client to client: one client, many files in flight."""
    began = time.monotonic()
    subprocess.run([program("extract-client"), "submit", "--quiet", "--output",
                    "json", "--digest", "sha256", "--endpoint", endpoint,
                    *[path] * jobs], check=True, stdout=subprocess.DEVNULL,
                   preexec_fn=lambda: os.sched_setaffinity(0, core))
    return jobs / (time.monotonic() - began)


def measure(core, folder, rounds, jobs):
    """The service, its workers and the client are all on these cores."""
    path = os.path.join(folder, "small.cpuprofile")
    with open(path, "wb") as out:
        subprocess.run([program("bench-generate"), "real", str(SIZE)],
                       stdout=out, check=True)
    with Service(core) as service:
        once(service.endpoint, path, core, AT_ONCE)
        return [once(service.endpoint, path, core, jobs)
                for _ in range(rounds)], os.path.getsize(path)


def text(options, folder):
    load = table.load()
    lines = ["| cores | jobs a second, client to client |", "|---:|---:|"]
    all_cores = os.sched_getaffinity(0)
    for core in ({max(all_cores)}, all_cores):
        speeds, size = measure(core, folder, options.rounds, 10 * AT_ONCE)
        lines.append(f"| {len(core)} | {statistics.median(speeds):.0f} |")
    return "\n".join(lines) + (
        f"\n\nProfiles of {size} bytes, {10 * AT_ONCE} by one client, digest "
        f"on.\n\n" + table.footing(options.rounds, load_before=load,
                                    cores="the cores named"))
