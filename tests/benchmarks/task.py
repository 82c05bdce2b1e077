"""Measures how a task opens from the board, and how a thread of a thousand comments is read.

Run `python -m tests.benchmarks.task`. A cursor step on the board is measured in
the same run, so that figures of different machines can be compared by their ratio. Everything comes
from the cache, which is filled before, as an earlier use of the program would have.
"""

import argparse
import asyncio
import os
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from tests.benchmarks.driven import COLUMNS, LINES, Answer, Driven, NotReadyError
from tests.benchmarks.seed import FIRST_TITLE, LOGIN, seed
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED
from tui.connecting.connections import open_embedded
from tui.model.detail import TaskDetail
from tui.store.store import LocalStore

_ESCAPE = "\x1b"
_OTHERS = 18
"""More tasks than stay in memory: at the first look each is read from the disk."""
_HALF_PAGE = "\x04"
_EVERY = 10
_UP = "\x15"
_WORDS = "The redirect loses its query on the way back, see https://example.org/logs for one. "


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.task", description=__doc__)
    parser.add_argument("--comments", type=int, default=1000, help="comments and replies in all")
    parser.add_argument("--times", type=int, default=30, help="how often each is done")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        home = Path(folder)
        asyncio.run(_prepare(home, asked.comments))
        found = _measured(home, asked.times)
    _say(f"{COLUMNS}x{LINES}, {asked.comments:,} comments, load {os.getloadavg()[0]:.1f}")
    for what, answers in found.items():
        _say(f"{what:24} n {len(answers):3}  {_figures(answers)}")
    return 0


async def _prepare(home: Path, comments: int) -> None:
    """A board whose first card has so many comments, all of them in the cache."""
    await seed(home, 100)
    places = Places.find({HOME_VARIABLE: str(home)})
    database = places.data / "boards.sqlite3"
    board_id, task_id = await _first_comment(database)
    with closing(sqlite3.connect(database)) as file, file:
        _multiply(file, task_id, comments - 1)
    await _fill_cache(places, database, board_id, task_id)


async def _first_comment(database: Path) -> tuple[int, int]:
    """Write one comment on the first card, through the client; the ids of board and task."""
    connection = open_embedded(database, LOGIN)
    remote = connection.remote
    with closing(sqlite3.connect(database)) as file:
        found = file.execute("select board_id, id from task where title = ?", (FIRST_TITLE,))
        board_id, task_id = found.fetchone()
    await remote.create_comment(
        board_id, task_id, _WORDS, parent_id=None, image_ids=(), mentions=()
    )
    await connection.aclose()
    return board_id, task_id


def _multiply(file: sqlite3.Connection, task_id: int, count: int) -> None:
    """Copy the one comment; every tenth is a reply to the one before."""
    file.row_factory = sqlite3.Row
    model = dict(file.execute("select * from comment where task_id = ?", (task_id,)).fetchone())
    columns = list(model)
    insert = f"insert into comment ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608  names from the schema
    first = model["id"]
    parent = first
    for number in range(1, count + 1):
        is_reply = number % _EVERY == 0
        parent = parent if is_reply else first + number
        text = f"{number}. {_WORDS * (1 + number % 4)}"
        row = {
            **model,
            "id": first + number,
            "parent_id": parent if is_reply else None,
            "type": "reply" if is_reply else "comment",
            "description": text,
        }
        file.execute(insert, [row[name] for name in columns])


async def _fill_cache(places: Places, database: Path, board_id: int, task_id: int) -> None:
    """Open the task once, and all of its comments."""
    store = LocalStore.open(places.cache, places.data, EMBEDDED)
    connection = open_embedded(database, LOGIN)
    changed = asyncio.Event()
    store.subscribe(lambda _: changed.set())
    store.connect(connection.remote)
    await store.open_board(board_id)
    view = store.board(board_id)
    column = view.in_stage(view.stages[0].id) if view is not None else ()
    for one in (*(task.id for task in column[: _OTHERS + 1]), task_id):
        await store.open_task(board_id, one)
        while (detail := store.detail(one)) is None or detail.values is None:
            await changed.wait()
            changed.clear()
    while not _has_all(store.detail(task_id)):
        await store.older_comments(task_id)
    await store.aclose()
    await connection.aclose()


def _has_all(detail: TaskDetail | None) -> bool:
    return detail is not None and detail.all_comments


def _measured(home: Path, times: int) -> dict[str, list[Answer]]:
    """Every answer by what was done."""
    environment = {"PATH": os.defpath, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment |= {"LANG": "C.UTF-8", "HOME": str(home), "CALLBOARD_HOME": str(home)}
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    found: dict[str, list[Answer]] = {}
    program = Driven([sys.executable, "-m", "tui"], environment)

    def press(what: str, keys: Sequence[str]) -> None:
        for key in keys:
            answer = program.press(key)
            if answer is None:
                raise NotReadyError(f"nothing followed {key!r} ({what})")
            found.setdefault(what, []).append(answer)

    try:
        program.until_shown(FIRST_TITLE, 60.0)
        program.until_idle(60.0)
        press("step on the board", "jk" * times)
        for _ in range(_OTHERS):
            press("on to a task", "j")
            press("open one from disk", "\r")
            press("back to the board", _ESCAPE)
        press("on to a task", ["gg"])
        for _ in range(times):
            press("open the task", "\r")
            press("back to the board", _ESCAPE)
        program.press("\r")
        for _ in range(times):
            press("open the thread", "T")
            press("back to the task", _ESCAPE)
        program.press("T")
        press("step in the thread", "j" * times)
        press("half a page", (_HALF_PAGE + _UP) * (times // 2))
        program.press("G")
        press("step at the end", "k" * times)
    finally:
        program.close()
    return found


def _figures(answers: list[Answer]) -> str:
    firsts = [1000 * answer.first for answer in answers]
    lasts = sorted(1000 * answer.last for answer in answers)
    return (
        f"first {median(firsts):6.1f} ms  last {median(lasts):6.1f} ms  "
        f"p95 {lasts[len(lasts) * 95 // 100]:6.1f} ms  "
        f"{median(answer.size for answer in answers):7.0f} bytes"
    )


def _say(line: str) -> None:
    print(line)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
