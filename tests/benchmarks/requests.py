"""Counts the requests and bytes of a start, an idle minute and each action, for each edition.

python -m tests.benchmarks.requests [tasks]
"""

import asyncio
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.store.counted import EDITIONS, Count, counted
from tests.store.counted_actions import ACTIONS
from tui.store import operations

_TASKS = 3_000


async def measure(folder: Path, edition: str, tasks: int) -> dict[str, tuple[Count, Count]]:
    """What each thing asks for, and what is asked for in the minute after it."""
    found: dict[str, tuple[Count, Count]] = {}
    nothing = Count(())
    async with counted(folder, edition, tasks) as one:
        found["first start"] = await one.counting(one.start), nothing
        found["idle minute"] = await one.counting(lambda: one.pass_time(60)), nothing
        await one.end()
        one.clock.advance(20)
        found["second start"] = await one.counting(one.start), nothing
        for name, act in ACTIONS.items():
            done = await one.counting(partial(act, one))
            found[name] = done, await one.counting(lambda: one.pass_time(60))
    return found


def main() -> int:
    """Measure, and print a table."""
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else _TASKS
    operations.load()
    print(f"{'':<36}{'requests':>9}{'kB':>9}{'lists':>6}   minute after: requests, kB, lists")  # noqa: T201
    for edition in EDITIONS:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(measure(Path(folder), edition, tasks))
        for name, (done, later) in found.items():
            print(f"{edition:<14}{name:<22}{_row(done)}   {_row(later)}")  # noqa: T201
    return 0


def _row(count: Count) -> str:
    return f"{count.requests:>9}{count.bytes / 1000:>9.1f}{count.lists:>6}"


if __name__ == "__main__":
    sys.exit(main())
