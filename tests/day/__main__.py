"""Play the day on every edition: `python -m tests.day [--only STEP] [EDITION …]`."""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.day.editions import EDITIONS
from tests.day.play import Outcome, Verdict, play


def main() -> int:
    """Print a line for each step; 1 if any went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.day", description=__doc__)
    parser.add_argument("editions", nargs="*", help=", ".join(EDITIONS))
    parser.add_argument("--only", action="append", default=[], help="the name of a step")
    options = parser.parse_args()
    names = options.editions or list(EDITIONS)
    with ProcessPoolExecutor() as pool:
        played = pool.map(_play, names, [frozenset(options.only)] * len(names))
        wrong = sum(_tell(name, outcomes) for name, outcomes in zip(names, played, strict=True))
    return 1 if wrong else 0


def _play(name: str, only: frozenset[str]) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(play(EDITIONS[name], Path(folder), only))


def _tell(edition: str, outcomes: list[Outcome]) -> int:
    """Print what came of the steps of an edition; how many went wrong."""
    lines = [f"{edition}\n"]
    for one in outcomes:
        told = f"{one.verdict}{': ' + one.words if one.words else ''}"
        cost = f"{one.requests:3} {one.size:8}"
        lines.append(f"  {one.keys:24} {one.name:22} {cost}  {told}\n")
    counts = Counter(one.verdict for one in outcomes)
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    requests = sum(one.requests for one in outcomes)
    size = sum(one.size for one in outcomes)
    lines.append(f"  {summary}; {requests} requests, {size} bytes\n\n")
    sys.stdout.write("".join(lines))
    sys.stdout.flush()
    return counts[Verdict.WRONG]


if __name__ == "__main__":
    sys.exit(main())
