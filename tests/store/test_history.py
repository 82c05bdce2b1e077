"""The history of a board: what its log tells, what the cache saw, and how far back both reach."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.quirky.quirks import Quirks
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import ANN, BOARD, DOING, DONE, OPEN, Service, four_tasks
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.events.history import BEGINNING, Age, BoardHistory, EventKind, ages
from tui.model.people import Account
from tui.store.cache.eviction import Upkeep
from tui.store.cache.file import open_cache
from tui.store.cache.history import LogPage, Reach
from tui.store.operations import CreateComment, CreateTask, MoveTask

HOUR = 3600.0
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
async def service(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Service]:
    """The service with a board of four tasks, and an empty log."""
    service = new_service(tmp_path, clock)
    yield service
    await service.aclose()


def new_service(folder: Path, clock: FakeClock, quirks: Quirks | None = None) -> Service:
    """The same service, which may have quirks."""
    service = Service(four_tasks(), folder / "attachments", clock=clock.now, quirks=quirks)
    service.forget_log()
    return service


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
        ("created", "", "Open", True),
        ("moved", "Open", "Done", True),
        ("removed", "Open", "", True),
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


async def test_cards_that_were_closed_and_archived_are_read(started: Party) -> None:
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
        await store.read_archived(BOARD, LONG_AGO)
        assert [one.title for one in await store.archived_tasks(BOARD)] == ["Alpha"]
    assert started.remote.calls.count("task") == 3  # Alpha once, and Delta, which is gone, twice
    assert "Alpha" not in {task.title for task in started.view.all_tasks()}


async def test_the_log_is_read_once_and_a_gap_in_it_is_known(
    tmp_path: Path, started: Party, clock: FakeClock
) -> None:
    store, service, remote = started.store, started.service, started.remote
    service.page_size = 5
    alpha, asked = started.task("Alpha").id, remote.calls
    for number in range(24):
        clock.advance(HOUR)
        service.add_comment(alpha, f"Comment {number}")
    now = clock.now()

    async def read(hours: int, *, pages: int, back_to: datetime) -> None:
        """Reading back so many hours takes so many requests; all since `back_to` is known then."""
        asked.clear()
        await store.read_history(BOARD, now - timedelta(hours=hours))
        history = await store.history(BOARD)
        assert (asked.count("activity_page"), history.complete_since) == (pages, back_to)

    second = timedelta(seconds=1)
    await read(3, pages=1, back_to=now - timedelta(hours=4) + second)
    await read(3, pages=1, back_to=now - timedelta(hours=4) + second)
    await read(8, pages=2, back_to=now - timedelta(hours=9) + second)
    await read(18, pages=4, back_to=now - timedelta(hours=19) + second)
    for number in range(24, 32):  # more than a page: what is known does not follow the first page
        clock.advance(HOUR)
        service.add_comment(alpha, f"Comment {number}")
    remote.trouble = lambda call: (
        Fault.UNREACHABLE if call == "activity_page" and asked.count(call) > 1 else None
    )
    asked.clear()
    with pytest.raises(CallboardError, match="cannot be reached"):
        await store.read_history(BOARD, now)
    remote.trouble = lambda _: None
    history = await store.history(BOARD)
    assert history.complete_since == clock.now() - timedelta(hours=4) + second
    assert history.read_at == clock.now()
    assert [event.new for event in history.events][-6:] == [
        *("Comment 23", "Comment 27", "Comment 28", "Comment 29", "Comment 30", "Comment 31"),
    ]
    await started.restart()
    store, remote = started.store, started.remote
    store.connect(remote)
    asked = remote.calls
    await read(0, pages=2, back_to=now - timedelta(hours=19) + second)
    with closing(open_cache(tmp_path / "cache" / "default" / "cache.sqlite3", now)[0]) as cache:
        Upkeep(cache.connection).forget_history(
            now - timedelta(hours=5, minutes=30) + timedelta(days=400)
        )
    history = await store.history(BOARD)
    assert history.complete_since == now - timedelta(hours=5) + second
    await read(99, pages=6, back_to=BEGINNING)
    assert len([one for one in (await store.history(BOARD)).events if one.new]) == 32


async def test_own_changes_have_an_author_before_the_log_is_read(started: Party) -> None:
    store, service = started.store, started.service
    store.set_account(Account("me"))
    alpha, beta = started.task("Alpha"), started.task("Beta")
    made = CreateTask.new(BOARD, OPEN, "Mine")
    await store.submit(
        MoveTask.on(alpha, DOING, Place()),
        CreateComment.new(alpha, "Blocked: no keys"),
        made,
        MoveTask(BOARD, made.task_id or 0, "Mine", DOING, Place()),
    )
    await started.delivered()
    service.move(beta.id, DOING, 1, by=ANN)
    await poll(started, 10.0)

    async def by_whom() -> list[tuple[str, str, str, str | None]]:
        history = await store.history(BOARD)
        return sorted(
            (one.title, one.kind.value, one.new, one.by.login if one.by else None)
            for one in history.events
        )

    own = [
        ("Alpha", "commented", "Blocked: no keys", "me"),
        ("Alpha", "moved", "Doing", "me"),
    ]
    told = await by_whom()
    assert told[:2] == own
    assert told[2] == ("Beta", "moved", "Doing", None)
    assert {one[3] for one in told[3:]} == {"me"}
    await store.read_history(BOARD, LONG_AGO)
    told = await by_whom()
    assert told[:2] == own
    assert told[2] == ("Beta", "moved", "Doing", "ann")


async def test_pending_changes_are_part_of_the_history(started: Party) -> None:
    store, clock = started.store, started.clock
    await store.read_history(BOARD, LONG_AGO)
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    clock.advance(HOUR)
    alpha = started.task("Alpha")
    await store.submit(MoveTask.on(alpha, DONE, Place()))
    assert await told(started) == [
        ("moved", "Open", "Done", False),
        ("closed", "", "", False),
    ]
    history = await store.history(BOARD)
    assert alpha.id not in history.seen_since
    assert history.events[-1].at == clock.now()
    assert ages([(started.task("Alpha"), "Done")], history) == {alpha.id: Age(clock.now(), True)}


async def test_our_own_service_is_known_to_tell_of_every_move(started: Party) -> None:
    alpha, store = started.task("Alpha"), started.store
    await store.read_history(BOARD, LONG_AGO)
    assert not (await store.history(BOARD)).records_moves
    started.remote.waits = True
    await store.read_history(BOARD, LONG_AGO)
    found = ages([(alpha, "Open")], await store.history(BOARD))
    assert [(one.since, one.is_exact) for one in found.values()] == [(alpha.created_at, True)]


async def test_what_another_program_saw_is_known_to_all(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    one, other = Party(tmp_path, service, clock, 0.25), Party(tmp_path, service, clock, 0.25)
    await one.start()
    await other.start()
    service.move(one.task("Alpha").id, DOING, 1)
    await poll(one)
    assert await told(other) == await told(one) == [("moved", "Open", "Doing", True)]
    await one.store.read_history(BOARD, LONG_AGO)
    assert await told(other) == [("moved", "Open", "Doing", False)]
    await other.store.aclose()
    await one.store.aclose()


async def test_what_was_seen_is_forgotten_once_the_log_has_it(started: Party) -> None:
    def evict(days: int) -> list[str]:
        """The kinds of what was only seen and is kept some days later."""
        upkeep = Upkeep(started.store._core.cache.connection)
        upkeep.forget_history(started.clock.now() + timedelta(days=days))
        observed = started.store._core.cache.history.observed(BOARD)
        return [one.kind for one in observed]

    started.service.move(started.task("Alpha").id, DOING, 1)
    await poll(started)
    assert evict(31) == ["moved"]
    await started.store.read_history(BOARD, LONG_AGO)
    assert evict(29) == ["moved"]
    assert evict(31) == []
    assert await told(started) == [("moved", "Open", "Doing", False)]
    assert evict(500) == []
    assert await told(started) == []
    assert (await started.store.history(BOARD)).complete_since is None


async def test_after_the_cache_was_lost_ages_are_bounds_again(started: Party) -> None:
    alpha = started.task("Alpha").id
    first = started.clock.now()
    path = f"/projects/{BOARD}/update-stage/{OPEN}"
    started.service.ask("PUT", path, {"title": "Inbox"})
    await poll(started)
    assert (await started.store.history(BOARD)).seen_since[alpha] == first
    assert (await started.store.history(BOARD, alpha)).seen_since == {alpha: first}
    await started.store.aclose()
    for file in (started.folder / "cache" / "default").glob("cache.sqlite3*"):
        file.unlink()
    started.open()
    await started.start()
    history = await started.store.history(BOARD)
    assert history == BoardHistory(
        BOARD, seen_since={one.id: started.clock.now() for one in started.view.all_tasks()}
    )
    found = ages([(started.task("Alpha"), "Inbox")], history)
    assert found == {alpha: Age(started.clock.now(), is_exact=False)}


async def test_no_history_is_kept_of_a_board_that_is_gone(started: Party) -> None:
    store = started.store
    await store.read_history(BOARD, LONG_AGO)
    started.service.add("Epsilon", OPEN)
    await poll(started)
    assert (await store.history(BOARD)).events
    started.service.ask("DELETE", f"/projects/{BOARD}")
    await store.refresh()
    assert await store.history(BOARD) == BoardHistory(BOARD)


@pytest.mark.parametrize("quirks", [Quirks.recent_free(), Quirks.older_free(), Quirks.old_paid()])
async def test_deployed_editions_tell_their_log_too(
    tmp_path: Path, clock: FakeClock, quirks: Quirks
) -> None:
    service = new_service(tmp_path, clock, quirks)
    party = Party(tmp_path, service, clock)
    await party.start()
    service.page_size = 3
    alpha = party.task("Alpha").id
    clock.advance(HOUR)
    service.move(alpha, DOING, 1)
    service.add_comment(alpha, "So it is.")
    await party.store.read_history(BOARD, LONG_AGO)
    history = await party.store.history(BOARD)
    assert history.complete_since == BEGINNING
    events = [(one.kind.value, one.new, one.title) for one in history.events]
    assert sorted(events) == [("commented", "So it is.", "Alpha"), ("moved", "Doing", "Alpha")]
    await party.store.aclose()
    await service.aclose()


def test_a_gap_is_closed_by_what_follows_it_alone(tmp_path: Path) -> None:
    with closing(open_cache(tmp_path / "cache.sqlite3", LONG_AGO)[0]) as cache:

        def put(*ids: int, follows: int | None = None, total: int = 9, end: bool = False) -> Reach:
            documents = [{"id": one, "created_at": LONG_AGO.isoformat()} for one in ids]
            page = LogPage(documents, LONG_AGO, follows, total, end)
            return cache.put_log_page(BOARD, page)

        assert put(9, 8, 7)[::2] == (7, 3)
        again = put(9, 8, 7, follows=7, end=True)  # from a service without pages
        assert again[::2] == (7, 3)
        assert put(9, 8, 6, follows=None)[::2] == (6, 3)  # 7 is on another board now
        assert put(6, 5, 4, follows=6)[::2] == (4, 5)
        assert put(3, 1, follows=4, total=8, end=True)[::2] == (1, 7)
        assert put(2, 1, follows=3, total=8, end=True) == Reach()


async def test_a_cache_that_cannot_be_read_has_no_history(started: Party) -> None:
    with closing(sqlite3.connect(started.folder / "cache" / "default" / "cache.sqlite3")) as file:
        file.execute("drop table observed")
    assert await started.store.history(BOARD) == BoardHistory(BOARD)
