"""Play the day on every edition, if wanted with each route of the service broken in turn.

`python -m tests.day [--only STEP] [--ids-as-text] [--break ROUTE | --break-each] [EDITION …]`
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from tests.day.broken import plan, play_broken, routes
from tests.day.editions import EDITIONS
from tests.day.play import Outcome, Verdict, play
from tests.day.steps import furnish
from tests.day.world import Edition, furnish_folder
from tests.drivers import loops
from tests.quirky.quirks import Quirks


def main() -> int:
    """Print a line for each step; 1 if any went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.day", description=__doc__)
    parser.add_argument("editions", nargs="*", help=", ".join(EDITIONS))
    parser.add_argument("--only", action="append", default=[], help="the name of a step")
    parser.add_argument("--ids-as-text", action="store_true", help="every id comes as text")
    parser.add_argument(
        "--break",
        action="append",
        default=[],
        dest="broken",
        metavar="ROUTE",
        help="play once more with this route broken, as “PUT /projects/{board_id}”",
    )
    parser.add_argument("--break-each", action="store_true", help="the same with each route asked")
    options = parser.parse_args()
    editions = [EDITIONS[name] for name in options.editions or EDITIONS]
    if options.ids_as_text:
        editions = [_with_text_ids(edition) for edition in editions if edition.quirks is not None]
    only, broken = frozenset(options.only), options.broken or routes() * options.break_each
    with ProcessPoolExecutor() as pool, tempfile.TemporaryDirectory() as folder:
        asyncio.run(furnish_folder(Path(folder), furnish))
        played = pool.map(_play, editions, [only] * len(editions))
        wrong, broken_days = 0, []
        for edition, outcomes in zip(editions, played, strict=True):
            wrong += _tell(edition.name, outcomes)
            planned = plan(outcomes, broken).items()
            broken_days += [(edition, route, names) for route, names in planned]
        again = [pool.submit(_play_broken, *day, Path(folder)) for day in broken_days]
        totals: Counter[Verdict] = Counter()
        for (edition, route, _), future in zip(broken_days, again, strict=True):
            totals += _tell_broken(edition.name, route, future.result())
    for route in set(options.broken) - {route for _, route, _ in broken_days}:
        sys.stdout.write(f"{route}: no step asks there\n")
    if broken_days:
        summary = _summary(totals)
        sys.stdout.write(f"{len(broken_days)} days with a broken route: {summary}\n")
    return 1 if wrong + totals[Verdict.WRONG] else 0


def _with_text_ids(edition: Edition) -> Edition:
    quirks = edition.quirks or Quirks.none()
    return replace(edition, quirks=replace(quirks, ids_as_text=True, every_id_as_text=True))


def _play(edition: Edition, only: frozenset[str]) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return loops.run(play(edition, Path(folder), only))


def _play_broken(
    edition: Edition, route: str, names: frozenset[str], furnished: Path
) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return loops.run(play_broken(edition, route, names, furnished, Path(folder)))


def _tell(edition: str, outcomes: Sequence[Outcome]) -> int:
    """Print what came of the steps of an edition; how many went wrong."""
    lines = [f"{edition}\n", *map(_line, outcomes)]
    requests = sum(one.requests for one in outcomes)
    size = sum(one.size for one in outcomes)
    counts = Counter(one.verdict for one in outcomes)
    lines.append(f"  {_summary(counts)}; {requests} requests, {size} bytes\n\n")
    sys.stdout.write("".join(lines))
    sys.stdout.flush()
    return counts[Verdict.WRONG]


def _tell_broken(edition: str, route: str, outcomes: Iterable[Outcome]) -> Counter[Verdict]:
    """Print what came of the steps of a day with a broken route, but of those that went well."""
    counts = Counter(one.verdict for one in outcomes)
    lines = [f"{edition}, {route} broken: {_summary(counts)}\n"]
    untold = (Verdict.OK, Verdict.NOT_OFFERED)
    lines += [_line(one) for one in outcomes if one.verdict not in untold]
    sys.stdout.write("".join(lines))
    sys.stdout.flush()
    return counts


def _line(outcome: Outcome) -> str:
    words = f"{outcome.verdict}{': ' + outcome.words if outcome.words else ''}"
    cost = f"{outcome.requests:3} {outcome.size:8}"
    return f"  {outcome.keys:24} {outcome.name:22} {cost}  {words}\n"


def _summary(counts: Counter[Verdict]) -> str:
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)


if __name__ == "__main__":
    sys.exit(main())
