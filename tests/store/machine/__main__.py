"""As many histories as are asked for: `python -m tests.store.machine 2000`."""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Sequence

from tests.store.machine.playing import FAST, MACHINES, Job, play

_PROCESSES = 2
_AT_ONCE = 50
_EVENTS = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the histories, on two cores; says how many, and how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.store.machine", description=__doc__)
    parser.add_argument("histories", type=int, nargs="?", default=2000)
    parser.add_argument(
        "--kind",
        choices=MACHINES,
        action="append",
        help="of which service: if none is given, the fakes",
    )
    parser.add_argument("--seed", type=int, default=1, help="the first of the seeds")
    parser.add_argument("--events", type=int, default=_EVENTS, help="how long a history is at most")
    chosen = parser.parse_args(arguments)
    kinds = chosen.kind or list(FAST)
    rounds = -(-chosen.histories // _AT_ONCE)
    jobs = [
        Job(kinds[number % len(kinds)], _AT_ONCE, chosen.seed + number, chosen.events)
        for number in range(rounds)
    ]
    started = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(_PROCESSES) as pool:
        for outcome in pool.imap_unordered(play, jobs):
            if outcome:
                sys.stdout.write(outcome)
                return 1
    seconds = time.monotonic() - started
    sys.stdout.write(f"{rounds * _AT_ONCE} histories in {seconds:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
