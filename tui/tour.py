"""The tutorial board of the first run, whose cards teach the keys.

It is an ordinary board, created once through the service; the file `tour` says whether it was.
"""

import asyncio
import fcntl
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TextIO

from tui.model.board import BoardView
from tui.store.remote import Remote

_BEGUN, _MADE = "begun", "made"

TITLE = "Start here"

STAGES = ("First steps", "In progress", "Done")


class Lesson(NamedTuple):
    """A card of the tutorial, with a title that fits the narrowest column and an HTML description.

    It is ticked off once one of its `actions` has run with effect; `opens` says that this effect is
    another screen, not a change of the board.
    """

    title: str
    actions: tuple[str, ...]
    priority: str = "low"
    description: str = ""
    opens: bool = False


LESSONS = (
    Lesson("j down, k back up", ("cursor.down", "cursor.up")),
    Lesson(
        "L moves me right",
        ("task.move-right", "task.move-left", "task.move-down", "task.move-up"),
        "high",
        "<p><code>H J K L</code> move a card one step at once.</p>",
    ),
    Lesson(
        "Space lifts, l carries",
        ("task.lift",),
        "high",
        (
            "<p><b>Space</b> picks me up. While lifted, I follow the keys of the cursor: "
            "<code>h j k l</code>, the arrows, <code>gg</code>, <code>G</code>, the numbers of "
            "the columns. <b>Space</b> or <b>Enter</b> drops me, <b>Esc</b> cancels.</p>"
        ),
    ),
    Lesson(
        "v marks me, then next",
        ("task.mark", "task.mark-range"),
        description="<p>Every key then works on all marked cards.</p>",
    ),
    Lesson(
        "x closes, u undoes",
        ("board.undo",),
        "medium",
        "<p>Every change can be undone: <b>u</b>.</p>",
    ),
    Lesson(
        "d, then type: fri",
        ("task.due",),
        description="<p>Or <code>tomorrow 17:00</code>, <code>+3d</code>.</p>",
    ),
    Lesson("p makes me urgent", ("task.priority",)),
    Lesson(
        "n writes a new card",
        ("task.new", "task.new-form"),
        description="<p>It is typed in place, below the cursor.</p>",
    ),
    Lesson("e rewrites this title", ("task.edit-title",)),
    Lesson("c writes a comment", ("task.comment",)),
    Lesson(
        "/urgent finds a card",
        ("board.filter",),
        description="<p>A filter follows your typing; <b>Esc</b> ends it.</p>",
    ),
    Lesson(
        "Enter opens me",
        ("task.open",),
        description=(
            "<h2>You found the description</h2><p>Here you read what a card is about:</p>"
            "<ul><li>lists like this one,</li><li><code>code</code>,</li><li>links, numbered so "
            "that they can be found.</li></ul><p>The keys of the board work here too: "
            "<code>x</code>, <code>p</code>, <code>d</code>, <code>e</code>. <code>[</code> and "
            "<code>]</code> go to the cards above and below, <b>Esc</b> goes back.</p>"
        ),
        opens=True,
    ),
    Lesson(
        "ctrl+e: more or less",
        ("board.density", "column.collapse", "column.zoom"),
        description="<p><b>z</b> folds a column, <b>Z</b> shows it alone.</p>",
    ),
    Lesson(
        "? lists every key",
        ("app.help",),
        description="<p><b>:</b> runs any action by its name.</p>",
        opens=True,
    ),
    Lesson("g s: your standup", ("go.standup",), opens=True),
    Lesson(
        "g b: all your boards",
        ("go.boards",),
        description="<p><b>n</b> makes one there, <b>D</b> deletes one.</p>",
        opens=True,
    ),
)

OVER_THERE = (Lesson("Drop a card below me", ("task.lift",)),)

ALL_LESSONS = (*LESSONS, *OVER_THERE)


def is_tour(view: BoardView) -> bool:
    """Whether a board is the tutorial; the user may have added stages."""
    return view.board.title == TITLE and any(stage.title == STAGES[0] for stage in view.stages)


def ticked_ids(view: BoardView, ticked: Collection[str]) -> frozenset[int]:
    """The cards on the tutorial board that were ticked off, by the titles of their lessons."""
    return frozenset(task.id for task in view.all_tasks() if task.title in ticked)


def progress(view: BoardView, ticked: Collection[str]) -> tuple[int, int]:
    """How many lessons are done, and of how many; other cards do not count.

    One is done if it was ticked off, or if its card is closed, has another title, or is gone.
    """
    open_titles = {task.title for task in view.all_tasks() if not task.is_closed}
    remaining = sum(
        lesson.title in open_titles and lesson.title not in ticked for lesson in ALL_LESSONS
    )
    return len(ALL_LESSONS) - remaining, len(ALL_LESSONS)


def is_first_run(folder: Path) -> bool:
    """Whether the tutorial board of the boards in a folder was never made."""
    try:
        return (folder / "tour").read_bytes() != _MADE.encode()
    except FileNotFoundError:
        return True
    except OSError:
        return False


async def first_run(remote: Remote, folder: Path) -> int | None:
    """Create the tutorial board if that was never done, and there are no boards; returns its id.

    An incomplete one is created again. If several programs start for the first time at once, a file
    lock lets one create it. Without a file that can be written there is no tutorial.
    """
    with (
        suppress(OSError),
        (folder / "tour").open("a+", encoding="ascii", errors="replace") as mark,
    ):
        # On a thread, as it blocks until another program has created the tutorial. Closing the file
        # releases the lock.
        await asyncio.to_thread(fcntl.flock, mark, fcntl.LOCK_EX)
        mark.seek(0)
        state = mark.read()
        if state == _MADE:
            return None
        boards = await remote.boards()
        # Boards without a mark are those of somebody who has worked without a tutorial.
        if boards and not state:
            _record(mark, _MADE)
            return None
        # A tutorial that was begun and not finished is incomplete, and is made again.
        for board in boards:
            if board["title"] == TITLE:
                await remote.delete_board(board["id"])
        _record(mark, _BEGUN)
        board_id = await make_tour(remote)
        _record(mark, _MADE)
        return board_id
    return None


def _record(mark: TextIO, state: str) -> None:
    # A file opened to append is written at its end, which truncating moves to its start.
    mark.seek(0)
    mark.truncate()
    mark.write(state)
    mark.flush()


async def make_tour(remote: Remote) -> int:
    """Create the tutorial board; returns its id. Raises `tui.client.errors.ApiError`."""
    board = await remote.create_board(TITLE, "A tutorial: its cards say what to press.", "to-do")
    board_id = int(board["id"])
    board = await remote.board(board_id)
    stage_ids = [int(stage["id"]) for stage in board["stages"]]
    for stage_id, title in zip(stage_ids, STAGES, strict=False):
        await remote.update_stage(board_id, stage_id, title)
    for stage_id, lessons in zip(stage_ids, (LESSONS, OVER_THERE), strict=False):
        for lesson in lessons:
            task = await remote.create_task(board_id, stage_id, lesson.title, lesson.priority)
            if text := lesson.description:
                await remote.set_task(board_id, int(task["id"]), "description", text)
    return board_id
