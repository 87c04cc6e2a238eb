"""How long each sample lasts.

A sample lasts from its own time to the next one's, the last one to the end of
the profile and never below nothing. Samples come in the file's order and are
put in time order through a window: up to 4096 of them wait; when one more
comes, the earliest of those waiting (the first in the file among equals)
leaves. One that leaves with a time before that of the one that left before it
takes that one's time and is counted as clamped.

Decided here: the first delta is the gap between start and first sample; a
missing start is 0. Any time or difference beyond 64 bits is `time_overflow`.
"""

import heapq

from fields import INT64_MAX, INT64_MIN
from problem import parse_problem

WINDOW = 4096


def checked(number):
    if not INT64_MIN <= number <= INT64_MAX:
        raise parse_problem("time_overflow")
    return number


def times_of(start, deltas):
    times = []
    now = start
    for delta in deltas:
        now = checked(now + delta)
        times.append(now)
    return times


def deltas_of(start, times):
    before = [start] + times[:-1]
    return [checked(now - then) for now, then in zip(times, before)]


def ordered(times, window):
    """The (time, sample) pairs in the order in which they leave."""
    waiting = []
    for sample, time in enumerate(times):
        if len(waiting) == window:
            yield heapq.heappop(waiting)
        heapq.heappush(waiting, (time, sample))
    while waiting:
        yield heapq.heappop(waiting)


def durations(times, end, window=WINDOW):
    """(how long each sample lasts, how many were clamped)."""
    lasting = [0] * len(times)
    clamped = 0
    last = None
    now = None
    for time, sample in ordered(times, window):
        if last is not None:
            if time < now:
                clamped += 1
                time = now
            lasting[last] = checked(time - now)
        last, now = sample, time
    if last is not None:
        lasting[last] = max(0, checked(end - now))
    return lasting, clamped


def interval(deltas):
    """The lower median of all deltas but the first; None without any."""
    rest = sorted(deltas[1:])
    return rest[(len(rest) - 1) // 2] if rest else None
