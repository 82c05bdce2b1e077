"""Fills a folder with one big board, or several, in the embedded service and in the cache.

What is measured is what the program itself would have written. The board is
made through the client; only the tasks, which are many, are copies of one such task in the
service's file. The cache is then filled by the store.
"""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED
from tui.connecting.connections import open_embedded
from tui.model.board import BoardView
from tui.store.remote import Remote
from tui.store.store import LocalStore

FIRST_TITLE = "Board painted"
"""The title of the first card of the first stage: once it is on screen, so is the board."""

LOGIN = "me"
"""What the program calls the person where the system does not say who that is."""
STAGES = ("Backlog", "Doing", "Review", "Testing", "Done")
LABELS = ("bug", "api", "auth", "later")
_VERBS = ("Fix", "Document", "Measure", "Rewrite", "Test", "Drop", "Explain", "Migrate")
_THINGS = (
    *("the login redirect after SSO", "rate limits of the public API", "the session store"),
    *("umlauts in file names (größer, Äpfel)", "search by label", "the 漢字 import"),
    *("retries on a slow network", "the export of archived boards", "keyboard focus in dialogs"),
)
_PRIORITIES = ("low", "low", "medium", "high")
_ONE_TASK = "insert into task ({columns}) values ({values})"


async def seed(home: Path, cards: int, boards: int = 1, *, own_every: int = 0) -> None:
    """Make so many cards on boards below `home`, as `CALLBOARD_HOME` will name it.

    With `own_every` each card whose number this divides has a label and is assigned to the user.
    """
    places = Places.find({HOME_VARIABLE: str(home)})
    database = places.data / "boards.sqlite3"
    connection = open_embedded(database, LOGIN)
    board_ids = [await _make_board(connection.remote) for _ in range(boards)]
    await connection.aclose()
    with closing(sqlite3.connect(database)) as file, file:
        for board_id in board_ids:
            _name_labels(file, board_id)
            _multiply(file, board_id, cards // boards)
            if own_every:
                _give_out(file, board_id, own_every)
    (places.data / "tour").write_text("made", "utf-8")
    await fill_cache(places, database, board_ids, cards // boards)


async def _make_board(remote: Remote) -> int:
    """A board with five stages, of which the last closes, and one task."""
    board_id = int((await remote.create_board("Website relaunch", "", "to-do"))["id"])
    for title in STAGES[len((await remote.board(board_id))["stages"]) :]:
        await remote.create_stage(board_id, title, "open")
    stages = (await remote.board(board_id))["stages"]
    stages.sort(key=lambda stage: stage["settings"]["default_task_status"] == "closed")
    stage_ids = [int(stage["id"]) for stage in stages]
    await remote.reposition_stages(board_id, stage_ids)
    for stage_id, title in zip(stage_ids, STAGES, strict=True):
        await remote.update_stage(board_id, stage_id, title)
    await remote.create_task(board_id, stage_ids[0], FIRST_TITLE, "high")
    return board_id


def _name_labels(file: sqlite3.Connection, board_id: int) -> None:
    """Give the labels that every new board has a name."""
    labels = file.execute("select id from label where board_id = ? order by id", (board_id,))
    named = [(title, label_id) for title, (label_id,) in zip(LABELS, labels, strict=False)]
    file.executemany("update label set title = ? where id = ?", named)


def _multiply(file: sqlite3.Connection, board_id: int, cards: int) -> None:
    """Copy the one task until there are `cards` of them, spread over all stages, with labels."""
    file.row_factory = sqlite3.Row
    model = dict(file.execute("select * from task where board_id = ?", (board_id,)).fetchone())
    columns = [name for name in model if name != "id"]
    stages = file.execute("select id from stage where board_id = ? order by position", (board_id,))
    stage_ids = [row["id"] for row in stages]
    insert = _ONE_TASK.format(
        columns=", ".join(columns), values=", ".join(f":{name}" for name in columns)
    )
    file.executemany(insert, _copies(model, stage_ids, cards - 1))
    labels = file.execute("select id from label where board_id = ? and title != ''", (board_id,))
    label_ids = [row["id"] for row in labels]
    file.executemany(
        """insert into task_label (task_id, label_id, created_at)
           select id, :label_id, created_at from task
           where board_id = :board_id and id % :every = 0""",
        [
            {"label_id": label_id, "board_id": board_id, "every": every}
            for every, label_id in enumerate(label_ids, start=2)
        ],
    )


def _give_out(file: sqlite3.Connection, board_id: int, every: int) -> None:
    """Label and assign every card of a board whose number this divides."""
    now = "2026-01-05T17:00:00+00:00"
    (label_id,) = file.execute(
        """insert into label (board_id, title, slug, position, color, bg_color, created_at,
               updated_at) values (?, 'bug', 'bug', 1, '#1B2533', '#f87168', ?, ?) returning id""",
        (board_id, now, now),
    ).fetchone()
    values = {"label_id": label_id, "board_id": board_id, "every": every, "now": now}
    file.execute(
        """insert into task_label (task_id, label_id, created_at)
           select id, :label_id, :now from task where board_id = :board_id and id % :every = 0""",
        values,
    )
    file.execute(
        """insert into task_assignee (task_id, account_id, created_at)
           select id, (select min(id) from account), :now from task
           where board_id = :board_id and id % :every = 0""",
        values,
    )


def _copies(model: dict[str, Any], stage_ids: list[int], count: int) -> Iterator[dict[str, Any]]:
    random = Random(2026)  # noqa: S311 - the same board every time, not a secret
    today = datetime.fromisoformat("2026-01-05 17:00:00")
    for number in range(count):
        due_at = today + timedelta(days=random.randrange(720))
        yield {
            **model,
            "stage_id": stage_ids[number % len(stage_ids)],
            "position": float(number // len(stage_ids) + 2),
            "title": f"{random.choice(_VERBS)} {random.choice(_THINGS)} {number}",
            "priority": random.choice(_PRIORITIES),
            "due_at": str(due_at) if number % 3 == 0 else None,
        }


async def fill_cache(places: Places, database: Path, board_ids: Sequence[int], cards: int) -> None:
    """Open each board once, as the program does, and wait until all of it is in the cache."""
    store = LocalStore.open(places.cache, places.data, EMBEDDED)
    connection = open_embedded(database, LOGIN)
    store.connect(connection.remote)
    changed = asyncio.Event()
    store.subscribe(lambda _: changed.set())
    for board_id in reversed(board_ids):
        await store.open_board(board_id)
        while not _is_whole(store.board(board_id), cards):
            await changed.wait()
            changed.clear()
    await store.aclose()
    await connection.aclose()


def _is_whole(view: BoardView | None, cards: int) -> bool:
    return view is not None and view.complete and sum(1 for _ in view.all_tasks()) == cards
