"""Measures a timeline with a thousand bars: time, processor time and bytes of each step.

Run `python -m tests.benchmarks.timeline`. A cursor step on the board is measured in the same run,
so that figures of different machines can be compared by their ratio.
"""

import argparse
import asyncio
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from shutil import rmtree
from statistics import median

from tests.benchmarks.driven import COLUMNS, LINES, Answer, Driven, NotReadyError
from tests.benchmarks.seed import FIRST_TITLE, fill_cache, seed
from tui.config.paths import HOME_VARIABLE, Places

_ESCAPE = "\x1b"


@dataclass(slots=True)
class Steps:
    """The answers to one kind of step, and how much the processor worked for all of them."""

    answers: list[Answer] = field(default_factory=list)
    worked: float = 0.0


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.timeline", description=__doc__
    )
    parser.add_argument("--cards", type=int, default=1000, help="cards with dates")
    parser.add_argument("--times", type=int, default=40, help="how often each is done")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        home = Path(folder)
        asyncio.run(_prepare(home, asked.cards))
        found = _measured(home, asked.times)
    _say(f"{COLUMNS}x{LINES}, {asked.cards:,} cards, load {os.getloadavg()[0]:.1f}")
    for what, steps in found.items():
        _say(f"{what:24} n {len(steps.answers):3}  {_figures(steps)}")
    return 0


async def _prepare(home: Path, cards: int) -> None:
    """A board of open cards, each with a start and a due date around today."""
    await seed(home, cards)
    places = Places.find({HOME_VARIABLE: str(home)})
    database, today = places.data / "boards.sqlite3", datetime.now().replace(microsecond=0)  # noqa: DTZ005
    with closing(sqlite3.connect(database)) as file, file:
        for number, (task_id,) in enumerate(file.execute("select id from task").fetchall()):
            start = today + timedelta(days=number % 37 - 18)
            dates = str(start), str(start + timedelta(days=number % 23)), task_id
            file.execute(
                "update task set started_at = ?, due_at = ?, status = 'open' where id = ?", dates
            )
        board_ids = [number for (number,) in file.execute("select id from board").fetchall()]
    # What was written into the file by hand is no change that the service could tell of.
    rmtree(places.cache)
    await fill_cache(places, database, board_ids, cards)


def _measured(home: Path, times: int) -> dict[str, Steps]:
    """Every answer by what was done."""
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home), "CALLBOARD_HOME": str(home)}
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    found: dict[str, Steps] = {}
    program = Driven([sys.executable, "-m", "tui"], environment)

    def press(what: str, keys: str) -> None:
        steps, before = found.setdefault(what, Steps()), program.worked()
        for key in keys:
            answer = program.press(key)
            if answer is None:
                raise NotReadyError(f"nothing followed {key!r} ({what})")
            steps.answers.append(answer)
        steps.worked += program.worked() - before

    try:
        program.until_shown(FIRST_TITLE, 60.0)
        program.until_idle(60.0)
        press("step on the board", "jk" * (times // 2))
        program.press("g")
        press("open the timeline", "d")
        program.until_idle(10.0)
        press("step of the cursor", "j" * 20 + "k" * 20)
        press("step that scrolls", "j" * max(40, times))
        program.press(" ")
        press("day carried", "hl" * (times // 2))
        program.press(_ESCAPE)
        press("day without lifting", "LH" * (times // 2))
        program.press(_ESCAPE)
        press("week scrolled", "lh" * (times // 2))
        press("zoom", "+-" * (times // 4))
        program.press(" ")
        program.press("l")
        press("drop", "\r")
        program.press("\t")
        press("step in the agenda", "j" * times)
    finally:
        program.close()
    return found


def _figures(steps: Steps) -> str:
    lasts = sorted(1000 * answer.last for answer in steps.answers)
    return (
        f"last {median(lasts):6.1f} ms  p95 {lasts[len(lasts) * 95 // 100]:6.1f} ms  "
        f"cpu {1000 * steps.worked / len(lasts):6.1f} ms  "
        f"{median(answer.size for answer in steps.answers):7.0f} bytes"
    )


def _say(line: str) -> None:
    print(line)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
