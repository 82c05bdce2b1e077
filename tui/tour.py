"""The tutorial board of the first run, whose cards teach the keys.

It is an ordinary board, created once through the service; the file `tour` says whether it was.
"""

import asyncio
import fcntl
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from tui.model.board import BoardView
from tui.store.remote import Remote

_BEGUN, _MADE = "begun", "made"

TITLE = "Start here"

STAGES = ("Try these", "Moving", "Done")

Card = tuple[str, str, str]
"""Title, priority and description (HTML). Titles fit the narrowest column."""

CARDS: tuple[Card, ...] = (
    ("j down, k back up", "low", ""),
    ("L moves me right", "high", "<p><code>H J K L</code> move a card one step at once.</p>"),
    (
        "Space lifts, l carries",
        "high",
        (
            "<p><b>Space</b> picks me up. While lifted, I follow the keys of the cursor: "
            "<code>h j k l</code>, the arrows, <code>gg</code>, <code>G</code>, the numbers of "
            "the columns. <b>Space</b> or <b>Enter</b> drops me, <b>Esc</b> cancels.</p>"
        ),
    ),
    ("v marks me, then next", "low", "<p>Every key then works on all marked cards.</p>"),
    ("x closes, u undoes", "medium", "<p>Every change can be undone: <b>u</b>.</p>"),
    ("d, then type: fri", "low", "<p>Or <code>tomorrow 17:00</code>, <code>+3d</code>.</p>"),
    ("p makes me urgent", "low", ""),
    ("n writes a new card", "low", "<p>It is typed in place, below the cursor.</p>"),
    ("e rewrites this title", "low", ""),
    ("/urgent finds a card", "low", "<p>A filter follows your typing; <b>Esc</b> ends it.</p>"),
    (
        "Enter opens me",
        "low",
        (
            "<h2>You found the description</h2><p>Here you read what a task is about:</p>"
            "<ul><li>lists like this one,</li><li><code>code</code>,</li><li>links, numbered so "
            "that they can be found.</li></ul><p>The keys of the board work here too: "
            "<code>x</code>, <code>p</code>, <code>d</code>, <code>e</code>. <code>[</code> and "
            "<code>]</code> go to the cards above and below, <b>Esc</b> goes back.</p>"
        ),
    ),
    ("ctrl+e: more or less", "low", "<p><b>z</b> folds a column, <b>Z</b> shows it alone.</p>"),
    ("? lists every key", "low", "<p><b>:</b> runs any action by its name.</p>"),
    ("g b: all your boards", "low", "<p><b>n</b> makes one there, <b>D</b> deletes one.</p>"),
)

OVER_THERE: tuple[Card, ...] = (("Drop a card below me", "low", ""),)


def is_tour(view: BoardView) -> bool:
    """Whether a board is the tutorial; the user may have added stages."""
    return view.board.title == TITLE and any(stage.title == STAGES[0] for stage in view.stages)


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
        await asyncio.to_thread(fcntl.flock, mark, fcntl.LOCK_EX)
        mark.seek(0)
        state = mark.read()
        if state == _MADE:
            return None
        boards = await remote.boards()
        if boards and not state:
            _record(mark, _MADE)
            return None
        for board in boards:
            if board["title"] == TITLE:
                await remote.delete_board(board["id"])
        _record(mark, _BEGUN)
        board_id = await make_tour(remote)
        _record(mark, _MADE)
        return board_id
    return None


def _record(mark: TextIO, state: str) -> None:
    mark.seek(0)
    mark.truncate()
    mark.write(state)
    mark.flush()


async def make_tour(remote: Remote) -> int:
    """Create the tutorial board; returns its id. Raises `tui.client.errors.ApiError`."""
    board = await remote.create_board(TITLE, "A board that explains itself.", "to-do")
    board_id = int(board["id"])
    board = await remote.board(board_id)
    stage_ids = [int(stage["id"]) for stage in board["stages"]]
    for stage_id, title in zip(stage_ids, STAGES, strict=False):
        await remote.update_stage(board_id, stage_id, title)
    for stage_id, cards in zip(stage_ids, (CARDS, OVER_THERE), strict=False):
        for title, priority, description in cards:
            task = await remote.create_task(board_id, stage_id, title, priority)
            if description:
                await remote.set_task(board_id, int(task["id"]), "description", description)
    return board_id
