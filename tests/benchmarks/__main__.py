"""Measures the start, a cursor step, a jump that scrolls and a move, on boards of several sizes.

A bare Textual application is measured in the same run, in turn with the
program, so that figures of different machines can be compared by their ratio.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks import reference
from tests.benchmarks.driven import COLUMNS, LINES, Answer, Driven
from tests.benchmarks.seed import FIRST_TITLE, seed

STEPS: dict[str, Sequence[str]] = {
    "cursor step": ("j", "j", "j", "k", "k", "k"),
    "jump with scrolling": ("G", "gg"),
    "move to the next column": ("L", "H"),
    "move within the column": ("J", "K"),
}
_START_SECONDS = 60.0
_IDLE_SECONDS = 120.0
_HEADINGS = ("cards", "what", "n", "first ms", "last ms", "p95 ms", "bytes", "x reference")


def main() -> int:
    """Measure, and print a table."""
    asked = _parser().parse_args()
    sizes = [int(size) for size in asked.cards.split(",")]
    print(f"{COLUMNS}x{LINES}, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}")  # noqa: T201
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        homes = {size: Path(folder, str(size)) for size in sizes}
        for size, home in homes.items():
            asyncio.run(seed(home, size))
        found = _measured(homes, asked.starts, asked.keys)
    for line in _table(found):
        print(line)  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--cards", default="100,10000,100000", help="sizes of the board")
    parser.add_argument("--starts", type=int, default=7, help="how often each is started")
    parser.add_argument("--keys", type=int, default=60, help="how often each step is taken")
    return parser


Found = dict[tuple[str, str], list[Answer]]


def _measured(homes: dict[int, Path], starts: int, keys: int) -> Found:
    """All answers by board and step; the first start of each is thrown away."""
    found: Found = {}
    for turn in range(starts + 1):
        last = turn == starts
        command = [sys.executable, "-m", "tests.benchmarks.reference"]
        answers = _run(command, None, reference.SHOWN, {"key": "j"} if last else {}, keys)
        _keep(found, "reference", answers, is_kept=turn > 0)
        for size, home in homes.items():
            answers = _run(
                [sys.executable, "-m", "tui"], home, FIRST_TITLE, STEPS if last else {}, keys
            )
            _keep(found, f"{size:,}", answers, is_kept=turn > 0)
    return found


def _keep(found: Found, board: str, answers: dict[str, list[Answer]], *, is_kept: bool) -> None:
    for step, several in answers.items():
        if is_kept:
            found.setdefault((board, step), []).extend(several)


def _run(
    command: Sequence[str],
    home: Path | None,
    shown: str,
    steps: dict[str, Sequence[str]],
    keys: int,
) -> dict[str, list[Answer]]:
    """Start a program, take the steps, and end it."""
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home or Path.home())}
    environment |= {"CALLBOARD_HOME": str(home)} if home else {}
    program = Driven(command, environment)
    try:
        answers = {"start": [program.until_shown(shown, _START_SECONDS)]}
        if steps:
            program.until_idle(_IDLE_SECONDS)
        for step, series in steps.items():
            pressed = [program.press(series[turn % len(series)]) for turn in range(keys)]
            answers[step] = [answer for answer in pressed if answer is not None]
    finally:
        program.close()
    return answers


def _table(found: Found) -> Iterable[str]:
    """The figures, a line for each board and step."""
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for (board, step), answers in sorted(found.items(), key=lambda item: item[0][1] != "start"):
        like = found.get(("reference", "start" if step == "start" else "key"), answers)
        last = median(answer.last for answer in answers)
        slow = sorted(answer.last for answer in answers)[len(answers) * 95 // 100]
        times = [median(answer.first for answer in answers), last, slow]
        size = median(answer.size for answer in answers)
        ratio = last / median(answer.last for answer in like)
        figures = [f"{1000 * time:.1f}" for time in times]
        rows.append((board, step, str(len(answers)), *figures, f"{size:.0f}", f"{ratio:.1f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows:
        cells = [
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells)


if __name__ == "__main__":
    sys.exit(main())
