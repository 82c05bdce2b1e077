"""The history of a board: what its log tells, what the cache saw, and how far back both reach."""

from datetime import UTC, datetime

from tests.store.party import Party
from tests.store.service import ANN, BOARD, DONE, OPEN
from tui.model.history import BEGINNING, BoardHistory, EventKind

HOUR = 3600.0
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


async def told(party: Party) -> list[tuple[str, str, str, bool]]:
    """The kinds of events with old and new value, and whether they were only seen."""
    history = await party.store.history(BOARD)
    return [(one.kind.value, one.old, one.new, one.is_observed) for one in history.events]


async def poll(party: Party, seconds: float = HOUR) -> None:
    """Some time later the board is fetched again."""
    party.clock.advance(seconds)
    await party.store.refresh(BOARD)


async def test_what_the_cache_sees_is_replaced_by_what_the_log_tells(started: Party) -> None:
    store, service, clock = started.store, started.service, started.clock
    assert await store.history(BOARD) == BoardHistory(
        BOARD, seen_since={one.id: clock.now() for one in started.view.all_tasks()}
    )
    alpha = started.task("Alpha").id
    clock.advance(HOUR)
    moved_at = clock.now()
    service.move(alpha, DONE, 1, by=ANN)
    service.add_comment(alpha, "Blocked: waiting")
    service.add("Epsilon", OPEN)
    service.set(started.task("Gamma").id, "archived_at", "2026-11-20 10:00:00")
    await poll(started)
    seen = clock.now()
    history = await store.history(BOARD)
    assert sorted(await told(started)) == [
        ("closed", "", "", True),
        ("commented", "", "", True),
        ("created", "", "", True),
        ("moved", "Open", "Done", True),
        ("removed", "", "", True),
    ]
    assert {event.at for event in history.events} == {seen}
    assert history.seen_since[alpha] == seen
    await store.read_history(BOARD, LONG_AGO)
    history = await store.history(BOARD)
    assert history.complete_since == BEGINNING
    assert (history.read_at, history.records_moves) == (seen, True)
    assert [one for one in await told(started) if one[3]] == []
    moves = [event for event in history.events if event.kind is EventKind.MOVED]
    assert [(one.at, one.by and one.by.login, one.title) for one in moves] == [
        (moved_at, "ann", "Alpha")
    ]
    assert ("commented", "", "Blocked: waiting", False) in await told(started)


async def test_cards_that_were_closed_and_archived_are_read_with_the_log(started: Party) -> None:
    store, service = started.store, started.service
    named = {task.title: task.id for task in started.view.all_tasks()}
    for title in ("Alpha", "Beta", "Delta"):
        service.set(named[title], "status", "closed")
    for title in ("Alpha", "Gamma"):
        service.set(named[title], "archived_at", "2026-11-20 10:00:00")
    service.delete(named["Delta"])
    await poll(started)
    assert await store.archived_tasks(BOARD) == ()
    for _ in range(2):
        await store.read_history(BOARD, LONG_AGO)
        assert [one.title for one in await store.archived_tasks(BOARD)] == ["Alpha"]
    assert started.remote.calls.count("task") == 3  # Alpha once, and Delta, which is gone, twice
    assert "Alpha" not in {task.title for task in started.view.all_tasks()}
