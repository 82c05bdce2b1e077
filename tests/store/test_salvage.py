"""A damaged outbox file: what can be read of it is saved, the rest is named."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Task
from tui.store.events import PendingState
from tui.store.files.database import report_of, set_aside_files
from tui.store.files.lease import Lease
from tui.store.operations import CreateSubtask, CreateTask, MoveTask, set_title
from tui.store.outbox.file import Outbox, open_outbox
from tui.store.store import LocalStore

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
CHANGES = 40
LONG = "x" * 300


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An outbox file with forty changes that were not sent, on several pages."""
    path = tmp_path / "data" / "default" / "outbox.sqlite3"
    outbox, _ = open_outbox(path, NOW)
    for number in range(CHANGES):
        alpha = Task(number, 1, 2, f"Alpha {number}")
        outbox.add(1, [(set_title(alpha, f"Title {number} {LONG}"), ())], NOW)
    outbox.close()
    return path


def pages(path: Path, table: str) -> list[int]:
    """The numbers of a table's leaf pages, from 1, in the order of what is on them."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "select rootpage from sqlite_master where name = ?", (table,)
        ).fetchone()
    page = path.read_bytes()[(root - 1) * 4096 : root * 4096]
    assert page[0] == 5, "an inner page, whose cells name the leaves; its last leaf is at byte 8"
    cells = [int.from_bytes(page[12 + 2 * i : 14 + 2 * i]) for i in range(page[4])]
    return [int.from_bytes(page[cell : cell + 4]) for cell in (*cells, 8)]


def overwrite(path: Path, page: int, content: bytes = b"\xa5" * 4096, at: int = 0) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096 + at)
        file.write(content)


def overwrite_text(path: Path, *texts: bytes) -> None:
    """Make texts in the file no UTF-8, where they are first."""
    content = path.read_bytes()
    for text in texts:
        overwrite(path, 1, b"\xff\xfe", at=content.index(text))


def titles(outbox: Outbox) -> list[int]:
    """The numbers of the changes that are there."""
    entries, _ = outbox.entries()
    return [int(entry.operation.describe().split("Title ")[1].split()[0]) for entry in entries]


@pytest.mark.parametrize("which", [0, 1, -1])
def test_a_damaged_page_costs_the_changes_on_it_alone(path: Path, which: int) -> None:
    leaves = pages(path, "entry")
    assert len(leaves) > 3
    overwrite(path, leaves[which])
    outbox, said = open_outbox(path, NOW)
    left = titles(outbox)
    lost = [number for number in range(CHANGES) if number not in left]
    assert 0 < len(lost) < CHANGES / 2
    assert lost == list(range(lost[0], lost[-1] + 1))
    (aside,) = set_aside_files(path)
    assert aside.name in said
    assert f"{len(left)} of the changes in it saved, others may be lost" in said
    saved, _, missing = report_of(aside).read_text("utf-8").partition("Not readable")
    assert all(f"Title {number} " in saved for number in left)
    assert [f"Title {number} " in missing for number in range(CHANGES)] == [
        number in lost for number in range(CHANGES)
    ]
    (entry,) = outbox.add(1, [(set_title(Task(1, 1, 11, "A"), "B"), ())], NOW)
    assert entry.seq == CHANGES + 1
    outbox.close()
    again, said = open_outbox(path, NOW)
    assert (len(again.entries()[0]), said) == (len(left) + 1, "")
    again.close()


def test_damage_in_the_history_costs_no_change(path: Path) -> None:
    for page in pages(path, "step"):
        overwrite(path, page)
    outbox, said = open_outbox(path, NOW)
    assert titles(outbox) == list(range(CHANGES))
    assert "lost" not in said
    assert outbox.history.last(1, "undo") is None
    outbox.close()


def test_damage_in_the_tree_of_pages_costs_only_what_cannot_be_found(path: Path) -> None:
    """The root of the table: nothing of it can be read, and the history names what is missing."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "select rootpage from sqlite_master where name = 'entry'"
        ).fetchone()
    overwrite(path, root)
    outbox, said = open_outbox(path, NOW)
    assert titles(outbox) == []
    assert "no change in it saved, others may be lost" in said
    report = report_of(set_aside_files(path)[0]).read_text("utf-8")
    assert all(f"Title {number} " in report for number in range(CHANGES))
    outbox.close()


def test_without_its_first_page_a_file_gives_everything_back(path: Path) -> None:
    overwrite(path, 1, bytes(4096))
    outbox, said = open_outbox(path, NOW)
    assert titles(outbox) == list(range(CHANGES))
    assert "lost" not in said
    assert outbox.losses() == ()
    outbox.close()


def test_of_a_file_that_was_cut_the_beginning_is_saved_and_the_rest_stays_named(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 3 // 4])
    outbox, said = open_outbox(path, NOW)
    left = titles(outbox)
    assert left == list(range(len(left)))
    assert 10 < len(left) < CHANGES
    assert "others may be lost" in said
    outbox.close()
    outbox, said = open_outbox(path, NOW)
    assert said == ""
    (loss,) = outbox.losses()
    assert "others may be lost" in loss
    outbox.acknowledge_losses()
    outbox.close()
    outbox, _ = open_outbox(path, NOW)
    assert outbox.losses() == ()
    outbox.close()


async def test_a_change_whose_id_was_lost_is_left_to_the_user(path: Path) -> None:
    outbox, _ = open_outbox(path, NOW)
    made = Task(-5, 1, 2, "Made offline")
    create, *_ = outbox.add(
        1,
        [
            (CreateTask(1, made.id, 2, made.title), ()),
            (set_title(made, "Renamed"), ()),
            (CreateSubtask(1, made.id, -7, -6, "Check it"), ()),
            (set_title(Task(-6, 1, 2, "Check it", parent_id=made.id), "Look"), ()),
            (MoveTask(1, 3, "Alpha 3", 3, Place(made.id, None)), ()),
        ],
        NOW,
    )
    outbox.add(-8, [(CreateTask(-8, -9, -10, "On a lost board"), ())], NOW)
    outbox.settle(create, {made.id: 50})
    outbox.connection.execute("delete from renamed")
    outbox.close()
    for page in pages(path, "step"):
        overwrite(path, page)
    store = LocalStore.open(path.parents[2] / "cache", path.parents[1], "default")
    stuck = [one for one in store.pending() if one.state is PendingState.REFUSED]
    assert [one.operation.describe() for one in stuck] == [
        "Rename “Made offline” to “Renamed”",
        "Add the subtask “Check it”",
        "Rename “Check it” to “Look”",
        "Add “On a lost board”",
    ]
    assert all("was lost" in one.reason for one in stuck)
    assert f"{CHANGES + 5} of the changes in it saved, 4 of them only to look at" in " ".join(
        store.messages
    )
    report = report_of(set_aside_files(path)[0]).read_text("utf-8")
    saved, _, orphaned = report.partition("Saved, but not sent")
    assert "Move “Alpha 3”" in saved
    assert "Check it" not in saved
    assert "Rename “Check it”" in orphaned
    with pytest.raises(CallboardError, match="no longer cached"):
        await store.retry(stuck[-1].id)
    assert await store.discard(stuck[-1].id)
    await store.aclose()


async def test_a_text_that_is_damaged_is_no_change_and_costs_no_other(path: Path) -> None:
    overwrite_text(path, b"Title 7 ", b"Title 39 ")
    store = LocalStore.open(path.parents[2] / "cache", path.parents[1], "default")
    assert len(store.pending()) == CHANGES - 2
    assert "2 unsent changes cannot be read" in " ".join(store.messages)
    await store.aclose()


def test_a_damaged_file_that_another_program_uses_is_left_alone(path: Path) -> None:
    overwrite(path, pages(path, "entry")[0])
    before = path.read_bytes()
    other = Lease(path.parent / "sender.lock")
    assert other.take()
    with pytest.raises(CallboardError, match="is damaged") as raised:
        LocalStore.open(path.parents[2] / "cache", path.parents[1], "default")
    assert "Close it and start again" in raised.value.hint
    assert path.read_bytes() == before
    other.release()


@pytest.mark.long
def test_no_damaged_page_stops_the_program(path: Path) -> None:
    content = path.read_bytes()
    for page in range(1, len(content) // 4096 + 1):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(content)
        overwrite(path, page)
        outbox, said = open_outbox(path, NOW)
        assert said or titles(outbox) == list(range(CHANGES))
        outbox.close()
