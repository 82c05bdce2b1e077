"""The archived cards of a board, without a service and as changes are answered."""

from dataclasses import replace
from datetime import timedelta

from tests.fakes.boards import NOW
from tests.fakes.store import FakeStore
from tests.pictures.boards import launch
from tests.screens.driving import opened
from tui.model.board import Place
from tui.store.events import PendingChange, PendingState
from tui.store.operations import DeleteTask, Operation, RestoreTask


def archive() -> FakeStore:
    """A board, two of whose cards are archived, one of them with its stage; no service answers."""
    store = FakeStore(launch())
    first, second, *_ = store.views[1].in_stage(1)
    store.archived = (
        replace(first, id=71, title="Older", archived_at=NOW - timedelta(days=3)),
        replace(second, id=72, title="Newer", archived_at=NOW - timedelta(hours=2), stage_id=99),
    )
    return store


async def test_what_is_cached_is_shown_without_a_service() -> None:
    async with opened(archive(), size=(80, 24)) as person:
        await person.press("g", "x")
        assert "Archived cards, as far as loaded" in person.text
        rows = [row for row in person.text.splitlines() if " ago" in row]
        assert [row.split()[0] for row in rows] == ["▌", "Older"]
        assert "Newer" in rows[0]
        assert "(archived stage)      2 hours ago" in rows[0]
        assert "no service behind this store" in person.text


async def test_a_card_waits_in_the_archive_for_its_stage() -> None:
    store = archive()
    async with opened(store) as person:
        await person.press("g", "x", "A")
        assert "Its stage is archived: “Newer”" in person.text
        assert store.submitted == []
        await person.press("v", "v", "A")
        assert "Restored “Older”; 1 card not restored: the stage is archived" in person.text
        assert [type(one) for one in store.submitted] == [RestoreTask]
        assert "Older" not in person.text.splitlines()[1]


async def test_a_card_whose_deletion_was_refused_is_there_again() -> None:
    store = archive()
    async with opened(store) as person:
        await person.press("g", "x", "/", *"older", "enter")
        deletion = DeleteTask(store.archived[0], Place())
        store.kept.append(waiting(deletion))
        store.news(store.views[1])
        await person.press()
        assert "0 of 1" in person.text
        store.kept.clear()
        store.news(store.views[1])
        await person.press()
        assert "0 of 1" in person.text
        store.refuse(deletion, "No.")
        store.news(store.views[1])
        await person.press()
        assert "1 of 2" in person.text


def waiting(operation: Operation) -> PendingChange:
    """A change that was not answered yet."""
    return PendingChange(9, operation.board_id, operation, PendingState.WAITING, NOW)
