"""Measures the start, a cursor step, a jump that scrolls and a move, on boards of several sizes.

In the same run, in turn with the program, so that figures of different machines can be compared by
their ratio: a program without any framework, a bare Textual application, and kanban-tui if it is
installed. The table is written into `README.md` beside this file.
"""

import argparse
import asyncio
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import NamedTuple

from tests.benchmarks import floor, reference
from tests.benchmarks.driven import COLUMNS, LINES, Answer, Driven
from tests.benchmarks.seed import FIRST_TITLE, seed

STEPS: dict[str, Sequence[str]] = {
    "cursor step": ("j", "j", "j", "k", "k", "k"),
    "jump with scrolling": ("G", "gg"),
    "move to the next column": ("L", "H"),
    "move within the column": ("J", "K"),
}
_STEP = {"cursor step": ("j", "j", "j", "k", "k", "k")}
START, CPU = "start", "processor time of the start"
BARE = "bare Textual"
_START_SECONDS = 60.0
_IDLE_SECONDS = 120.0
_END_SECONDS = 10.0
_HEADINGS = ("program", "what", "n", "first ms", "last ms", "p95 ms", "bytes", "x bare")
_TEXTS = "program", "what"
"""The columns that hold no numbers."""
_README = Path(__file__).parent / "README.md"
_INTRODUCTION = """\
# What Callboard costs beside others

Written by `python -m tests.benchmarks`. Each program runs in a terminal of its own; *first* and
*last* are the medians of when the first and the last byte of an answer come, *x bare* is the last
byte's ratio to that of a bare Textual application. Callboard is measured with its embedded service
and a cache that is up to date, as at every start but the first.

"""


class Program(NamedTuple):
    """A program, the text that says that it is there (any, if empty), and the steps it knows."""

    command: Sequence[str]
    shown: str = ""
    steps: Mapping[str, Sequence[str]] = MappingProxyType({})
    home: Path | None = None


Row = Sequence[str]
Figures = dict[tuple[str, str], list[Answer]]
"""All answers by program and step."""


def main() -> int:
    """Measure, write a table, and print it."""
    asked = _parser().parse_args()
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        programs = {
            "no framework": Program(_module("tests.benchmarks.floor"), floor.SHOWN, _STEP),
            BARE: Program(_module("tests.benchmarks.reference"), reference.SHOWN, _STEP),
        }
        for size in map(int, asked.cards.split(",")):
            home = Path(folder, str(size))
            asyncio.run(seed(home, size))
            own = Program(_module("tui"), FIRST_TITLE, STEPS, home)
            _start_first(own)
            programs[f"Callboard, {size:,} cards"] = own
        if other := shutil.which("kanban-tui"):
            programs["kanban-tui"] = Program((other,), home=Path(folder, "other"))
        figures = _measured(programs, asked.starts, asked.keys)
    rows = _rows(figures)
    table = [*_machine(), "", *_table(_HEADINGS, rows)]
    _README.write_text(_INTRODUCTION + "\n".join(table) + "\n", "utf-8")
    _write_few(rows)
    for line in table:
        print(line)  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--cards", default="100,10000,100000", help="sizes of the board")
    parser.add_argument("--starts", type=int, default=7, help="how often each is started")
    parser.add_argument("--keys", type=int, default=60, help="how often each step is taken")
    return parser


def _module(name: str) -> Sequence[str]:
    return sys.executable, "-m", name


def _measured(programs: dict[str, Program], starts: int, keys: int) -> Figures:
    # The first start of each is thrown away; the last one takes the steps.
    figures: Figures = {}
    for turn in range(starts + 1):
        for name, program in programs.items():
            answers = _answers(program, keys if turn == starts else 0)
            for step, several in answers.items() if turn else ():
                figures.setdefault((name, step), []).extend(several)
    return figures


def _start_first(program: Program) -> None:
    # It reads what the seed did not, the list of boards, and keeps what it has parsed when it ends.
    # The next ones are to draw the board, not only what was on the screen last.
    driven = _started(program)
    try:
        driven.until_shown(program.shown, _START_SECONDS)
        driven.until_idle(_IDLE_SECONDS)
        driven.end(_END_SECONDS)
    finally:
        driven.close()
    for frame in (program.home or Path()).glob("cache/last-frame"):
        frame.unlink()


def _started(program: Program) -> Driven:
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(program.home or Path.home())}
    environment |= {"CALLBOARD_HOME": str(program.home)} if program.home else {}
    if program.home:
        program.home.mkdir(exist_ok=True)
    return Driven(program.command, environment)


def _answers(program: Program, keys: int) -> dict[str, list[Answer]]:
    driven = _started(program)
    try:
        answers = {START: [driven.until_shown(program.shown, _START_SECONDS)]}
        driven.until_idle(_IDLE_SECONDS)
        worked = driven.worked()
        answers[CPU] = [Answer(worked, worked, 0)]
        for step, series in program.steps.items() if keys else ():
            pressed = [driven.press(series[turn % len(series)]) for turn in range(keys)]
            answers[step] = [answer for answer in pressed if answer is not None]
    finally:
        driven.close()
    return answers


def _machine() -> Iterable[str]:
    names = [
        line.partition(":")[2].strip()
        for line in _lines_of("/proc/cpuinfo")
        if line.startswith("model name")
    ]
    name = names[0] if names else platform.processor() or platform.machine()
    yield (
        f"{name}, {os.cpu_count()} processors, {platform.system()}, load {os.getloadavg()[0]:.1f};"
        f" Python {platform.python_version()}, Textual {version('textual')};"
        f" a terminal of {COLUMNS} by {LINES}."
    )


def _lines_of(path: str) -> Sequence[str]:
    try:
        return Path(path).read_text("utf-8").splitlines()
    except OSError:  # the system has no such file
        return ()


def _rows(figures: Figures) -> list[Row]:
    # One for each program and step.
    rows: list[Row] = []
    for step in (START, CPU, *STEPS):
        for (name, own_step), answers in figures.items():
            if own_step != step or not answers:
                continue
            last = median(answer.last for answer in answers)
            slow = sorted(answer.last for answer in answers)[len(answers) * 95 // 100]
            times = [median(answer.first for answer in answers), last, slow]
            size = median(answer.size for answer in answers)
            bare = figures.get((BARE, step)) or figures.get((BARE, "cursor step")) or answers
            ratio = last / median(answer.last for answer in bare)
            values = [f"{1000 * time:.1f}" for time in times]
            rows.append((name, step, str(len(answers)), *values, f"{size:.0f}", f"{ratio:.1f}"))
    return rows


def _write_few(rows: Sequence[Row]) -> None:
    # Five of them into the README of the program.
    ours = [name for name, step, *_ in rows if step == START and name.startswith("Callboard")]
    few = [("no framework", START), (BARE, START), (ours[0], START)]
    few += [(ours[0], "cursor step"), (ours[-1], "move to the next column")]
    shown = [(row[0], row[1], row[4], row[7]) for row in rows if (row[0], row[1]) in few]
    table = "\n".join(_table(("program", "what", "ms", "x bare"), shown))
    path = Path(__file__).parents[2] / "README.md"
    begin, end = "<!-- figures -->\n", "<!-- end of figures -->"
    before, _, rest = path.read_text("utf-8").partition(begin)
    path.write_text(before + begin + table + "\n" + end + rest.partition(end)[2], "utf-8")


def _table(headings: Row, rows: Sequence[Row]) -> Iterable[str]:
    # In Markdown.
    under = ["---" if heading in _TEXTS else "---:" for heading in headings]
    lines = [headings, under, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for row in lines:
        cells = [
            cell.ljust(width) if heading in _TEXTS else cell.rjust(width)
            for heading, cell, width in zip(headings, row, widths, strict=True)
        ]
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
