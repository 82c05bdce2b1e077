"""What can be found is what the cache and the pending changes hold, clean and nothing else."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, strategies as st

from tests.store.opened_board import Opened
from tests.store.party import Party
from tests.store.service import BOARD, OPEN
from tui.model.find import Found, Thing
from tui.store import operations as change
from tui.store.cache.file import open_cache
from tui.store.cache.revisions import ListRequest
from tui.store.cache.sections import CachedSection
from tui.store.documents.shapes import Document
from tui.store.store import LocalStore
from tui.text.clean import line

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
STAGES = [{"id": 11, "title": "Doing"}, {"id": 12, "title": "Old", "archived_at": "2026-01-01"}]


async def everything(store: LocalStore) -> list[Found]:
    return [one async for things in store.everything() for one in things]


def named(found: Sequence[Found], thing: Thing) -> dict[str, Found]:
    """What is of a kind, by its title."""
    return {one.title: one for one in found if one.thing is thing}


async def test_what_is_around_an_opened_task_is_found_offline_too(opened: Opened) -> None:
    party, things = opened.party, opened.things
    before = await everything(party.store)
    await party.restart()
    found = await everything(party.store)
    assert sorted(found, key=str) == sorted(before, key=str), "from memory as from the cache"
    card = next(one for one in found if one.key == f"card {things.task}")
    assert (card.board_id, card.board, card.place) == (BOARD, "Relaunch", "Open")
    assert [one.login for one in card.people] == ["me"]
    subtasks = named(found, Thing.SUBTASK)
    assert sorted(subtasks) == ["X", "Y", "Z"]
    assert (subtasks["X"].task_id, subtasks["X"].place) == (things.task, card.title)
    comments = named(found, Thing.COMMENT)
    assert sorted(comments) == ["First Second Third", "Indeed", "Well said"]
    said = comments["Well said"]
    assert [said.id, said.task_id, said.place] == [things.foreign, things.task, card.title]
    assert [one.name for one in said.people] == ["Ann Miller"]
    assert named(found, Thing.PERSON)["Ann Miller"].place == "Relaunch"
    assert named(found, Thing.BOARD)["Relaunch"].id == BOARD


async def test_what_was_done_offline_is_found_as_it_will_be(opened: Opened) -> None:
    party, things = opened.party, opened.things
    await party.restart()
    store = party.store
    await store.open_board(BOARD)
    await store.open_task(BOARD, things.task)
    await store.submit(change.CreateBoard.new("Made offline"))
    await store.submit(change.CreateTask.new(BOARD, OPEN, "Written offline"))
    await store.submit(
        change.set_title(opened.task, "Renamed"),
        change.CreateComment.new(opened.task, "Said\noffline"),
        change.EditComment.on(opened.task, opened.comment(things.own), "Said better"),
    )
    await store.submit(
        change.DeleteComment.on(opened.task, opened.comment(things.foreign)),
        change.DeleteSubtask.on(opened.detail, opened.subtask(0)),
        change.DeleteTask(opened.other, party.place(opened.other.title)),
    )
    for _ in ("in memory", "read from the files"):
        found = await everything(party.store)
        assert "Made offline" in named(found, Thing.BOARD)
        assert sorted(named(found, Thing.CARD)) == ["Delta", "Gamma", "Renamed", "Written offline"]
        assert sorted(named(found, Thing.SUBTASK)) == ["Y", "Z"]
        comments = named(found, Thing.COMMENT)
        assert {"Said offline", "Said better"} <= set(comments)
        assert not {"Well said", "First Second Third"} & set(comments)
        assert comments["Said better"].place == "Renamed"
        await party.restart()


async def test_an_empty_or_damaged_cache_has_nothing(party: Party) -> None:
    assert await everything(party.store) == []
    party.store._core.cache.close()
    assert await everything(party.store) == []


titles = st.text(max_size=30) | st.sampled_from(
    ["[b]x[/b]", "\x1b[31mred\x07", "\u202eabc", "\ud800"]
)


@given(st.lists(titles, max_size=9), st.sets(st.integers(1, 9)), st.sets(st.integers(1, 9)))
def test_every_cached_task_is_there_once_and_no_deleted_one(
    made: list[str], deleted: set[int], archived: set[int]
) -> None:
    """Every third task is on a board that is archived, and not found."""
    documents: list[Document] = [
        {
            "id": number,
            "board_id": 2 if number % 3 == 0 else 1,
            "stage_id": 10 + number % 2,
            "title": title.encode(errors="ignore").decode(),
            "archived_at": "2026-11-01 09:00:00" if number in archived else None,
        }
        for number, title in enumerate(made, start=1)
    ]
    with TemporaryDirectory() as folder:
        _fill(Path(folder, "cache", "default", "cache.sqlite3"), documents, deleted)
        found = asyncio.run(_found_in(Path(folder)))
    cards = [one for one in found if one.thing is Thing.CARD]
    left = [one for one in documents if one["id"] not in deleted and one["board_id"] == 1]
    assert sorted((one.id, one.title) for one in cards) == [
        (one["id"], line(one["title"])) for one in left
    ]
    assert {one.id for one in cards if one.is_archived} == archived & {one["id"] for one in left}
    assert {one.place for one in cards} <= {"Doing", ""}
    comments = {one.task_id for one in found if one.thing is Thing.COMMENT}
    assert comments == {one["id"] for one in left}, "those of deleted tasks are gone with them"


def _fill(path: Path, documents: Sequence[Document], deleted: set[int]) -> None:
    """Write two boards with tasks, each with a comment, to a cache, and delete some again."""
    cache, _ = open_cache(path, NOW)
    boards = [{"id": 1, "title": "A"}, {"id": 2, "title": "B", "archived_at": "2026-01-01 09:00"}]
    cache.put_board_summaries(boards, cache.revision())
    for board in boards:
        cache.put_board({**board, "stages": STAGES})
    cache.put_tasks(documents)
    for number in (one["id"] for one in documents):
        comment = {"id": number, "task_id": number, "description": "said", "created_at": None}
        cache.write([CachedSection(number, "comment", number, comment)])
    cache.forget_tasks(deleted, ListRequest(1, cache.revision()))
    cache.close()


async def _found_in(folder: Path) -> list[Found]:
    store = LocalStore.open(folder / "cache", folder / "data", "default", watch_seconds=None)
    try:
        return await everything(store)
    finally:
        await store.aclose()
