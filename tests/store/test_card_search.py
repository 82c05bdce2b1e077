"""Cards of many boards by a query: what the cache's rows tell leaves none out."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import chain
from pathlib import Path

from hypothesis import example, given, strategies as st

from tests.fakes.boards import ANN, API, BUG, COLOUR, JON, MIRA, NOW, small
from tests.store.fake_clock import FakeClock
from tests.store.party import Party
from tests.store.service import BOARD, Service
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView
from tui.model.lane import Chunk, Lane, order
from tui.model.people import Account
from tui.model.query.language import QueryContext, check, parse
from tui.model.query.matching import filtered
from tui.model.relations import related
from tui.model.task import Label, Priority, Status, Task
from tui.model.work.saved_view import SavedView, ViewGroup, ViewSort
from tui.model.work.view_rows import view_rows
from tui.store.cache.cards import CardCache
from tui.store.cache.schema import MIGRATIONS
from tui.store.cache.sieve import Meanings, Sieve
from tui.store.documents.cards import CardUnpacker, PackedMatches
from tui.store.events import CacheWritten
from tui.store.operations import set_title

TERMS = (
    *("is:blocked", "-is:blocked", "blocked:any", "blocked:#7", "blocked:none", "blocks:any"),
    *("is:open", "-is:open", "is:closed", "-is:closed", "is:t", "-is:t"),
    *("due:none", "due:today", "due:week"),
    *("due:overdue", "-due:week", "priority:high", "p:l", "-p:low", "#12", "12", "stage:doing"),
    *("stage:do", "-stage:done", "label:bug", "label:none", "-label:bug", "label:purple", "#a"),
    *("@me", "-@me", "@none", "@jon", "@ann", "login", "Grosse", "R", '"a b"', "-login", "nbsp"),
    *("größe", "Äpfel", "漢字", "K", "ss x"),
)
WORDS = (
    "login",
    "Größe",
    "Kelvin \N{KELVIN SIGN}",
    "a\u0308pfel 漢字",
    'a "b"',
    "a b",
    "R&D",
    "",
    '"high"',
    "[1,\\",
    "Login\nLOGIN",
)
TASKS = st.builds(
    Task,
    st.integers(1, 40),
    st.just(1),
    st.sampled_from([1, 2, 3]),
    st.sampled_from(WORDS),
    st.sampled_from(Status),
    st.sampled_from(Priority),
    description=st.sampled_from([*WORDS, "<p>lo<b>gin</b> R&amp;D gr&ouml;&szlig;e&nbsp;x</p>"]),
    due_at=st.none()
    | st.integers(-40, 240).map(lambda hours: NOW + timedelta(hours=hours, minutes=30)),
    labels=st.sampled_from(
        [(), (BUG,), (BUG, API), (API, COLOUR), (Label(12, "bugs"),), (Label(13, "Blocked"),)]
    ),
    assignees=st.sampled_from([(), (ANN,), (JON, ANN), (MIRA,)]),
    created_at=st.none() | st.just(NOW.replace(tzinfo=UTC)),
    is_template=st.booleans(),
    blockers=st.sampled_from([(), (Blocker(7),), (Blocker(8), Blocker(7))]),
)
KNOWN = replace(
    small(),
    labels=(BUG, API, COLOUR, Label(12, "bugs"), Label(13, "Blocked")),
    people=(ANN, JON),
    tasks={},
)


@given(
    st.lists(TASKS, unique_by=lambda task: task.id, max_size=8),
    st.lists(st.sampled_from(TERMS), max_size=3).map(" ".join),
)
def test_a_sieve_leaves_out_no_card_that_a_query_matches(tasks: list[Task], typed: str) -> None:
    account, relations = Account(ANN.login, ANN.id), related(tasks)
    query, about = parse(typed), QueryContext.of([KNOWN], account, NOW, relations=relations)
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in chain.from_iterable(MIGRATIONS):
            connection.execute(statement)
        cache = CardCache(connection)
        cache.put({task.id: task for task in tasks}, seen_at="")
        sieve = Sieve.of(query, about, KNOWN, Meanings())
        passed = view_with(cache.matching([1], sieve.condition, sieve.values))
        every = view_with(cache.matching([1], "1", ()))
        counts = cache.counts([1], sieve.condition, sieve.values)
    through_sieve = filtered(passed, query, about)
    wanted = [*filtered(every, query, about).all_tasks()]
    assert [*through_sieve.all_tasks()] == wanted
    if sieve.is_exact:
        assert [*passed.all_tasks()] == wanted
        assert sum(count for _, _, count in counts) == len(wanted)


_WAITING_TEMPLATE = Task(
    1,
    1,
    1,
    "a",
    due_at=NOW - timedelta(hours=1),
    is_template=True,
    blockers=(Blocker(7),),
)


@given(
    st.lists(TASKS, unique_by=lambda task: task.id, max_size=8),
    st.sampled_from(ViewGroup),
    st.sampled_from(ViewSort),
)
@example([_WAITING_TEMPLATE], ViewGroup.DUE, ViewSort.DUE)
def test_cards_are_sorted_and_grouped_alike_before_they_are_read_and_after(
    tasks: list[Task], group: ViewGroup, sort: ViewSort
) -> None:
    how, me = SavedView("", group=group, sort=sort), Account(ANN.login, ANN.id)
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in chain.from_iterable(MIGRATIONS):
            connection.execute(statement)
        cache = CardCache(connection)
        cache.put({task.id: task for task in tasks}, seen_at="")
        packed = view_with(cache.matching([1], "1", ()))
        every = view_with(cache.matching([1], "1", ()))
        lanes = replace(KNOWN, tasks=cache.lanes(1))
    read = replace(KNOWN, tasks={stage: tuple(cards) for stage, cards in every.tasks.items()})
    rows = view_rows([packed], how, me, NOW)
    for other in (read, lanes):
        assert [*rows] == [*view_rows([other], how, me, NOW)]
    assert [row.task for row in rows] == [rows[at].task for at in range(len(rows))]
    assert packed.tally().late(NOW) == read.tally().late(NOW)


class CountingUnpacker(CardUnpacker):
    """Counts the tasks that are made."""

    count = 0

    def tasks(self, board_id: int, stage_id: int | None, bodies: bytes) -> tuple[Task, ...]:
        tasks = super().tasks(board_id, stage_id, bodies)
        self.count += len(tasks)
        return tasks


def test_a_large_view_is_one_statement_and_only_rows_that_are_drawn_become_tasks() -> None:
    boards, statements = range(1, 21), list[str]()
    cards = [
        Task(board * 1_000 + number, board, number % 3, "x", position=-number, due_at=NOW)
        for board in boards
        for number in range(1, 61)
    ]
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in chain.from_iterable(MIGRATIONS):
            connection.execute(statement)
        cache, unpacker = CardCache(connection), CountingUnpacker()
        cache._unpacker = unpacker
        cache.put({task.id: task for task in cards}, seen_at="")
        connection.set_trace_callback(statements.append)
        found: dict[int, dict[int, Lane]] = {board: {} for board in boards}
        for one in cache.matching([*boards], "is_open", ()):
            found[one.board_id][one.stage_id] = Lane([Chunk(one)])
    assert len(statements) == 1
    views = [replace(KNOWN, board=Board(one, "x"), tasks=lanes) for one, lanes in found.items()]
    for group in (ViewGroup.DUE, ViewGroup.PERSON):
        rows = view_rows(views, SavedView("", group=group), Account("ann"), NOW)
        assert len(rows) == len(rows.ids) == rows.in_group.total() == 20 * 40
        assert not unpacker.count
    drawn = [rows[at] for at in range(36)]
    assert unpacker.count == len(drawn)
    # In the order of boards, which is that of the clustered rows.
    lane = views[0].in_stage(1)
    assert (
        [*lane.ids] == [task.id for task in lane] == [task.id for task in sorted(lane, key=order)]
    )


def view_with(matches: Iterable[PackedMatches]) -> BoardView:
    """The known board with these cards."""
    return replace(KNOWN, tasks={one.stage_id: Lane([Chunk(one)]) for one in matches})


async def found(party: Party, typed: str) -> list[str]:
    """The titles of the cards that a query finds."""
    cards = await party.store.find_cards(check(typed), [BOARD, 99], NOW, {BOARD, 99})
    assert cards.missing == (99,)
    counts = await party.store.count_cards(check(typed), [BOARD, 99], NOW, {BOARD, 99})
    assert counts == {view.board.id: len([*view.all_tasks()]) for view in cards.views}
    return [task.title for view in cards.views for task in view.all_tasks()]


async def test_boards_are_looked_through_that_are_not_in_memory(started: Party) -> None:
    started.clock.advance(1)
    await started.restart()
    assert await found(started, "is:open") == ["Alpha", "Beta", "Gamma", "Delta"]
    assert await found(started, "stage:doing") == ["Delta"]
    assert not started.store._parts.boards.in_memory()


async def test_pending_changes_are_applied_and_other_programs_are_heard(
    started: Party, tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    await started.restart()
    view = await started.store.load_board(BOARD)
    assert view is not None
    await started.store.submit(set_title(started.task("Alpha"), "Another"))
    assert await found(started, "anoth") == ["Another"]
    # A second program on the same files sees it once it has been sent, and is told to look.
    other = Party(tmp_path, service, clock, watch_seconds=0.25)
    try:
        other.store._sharing.start()
        assert await found(other, "is:open") == ["Another", "Beta", "Gamma", "Delta"]
        started.store.connect(started.remote)
        await started.delivered()
        other.events.clear()
        await other.store._sharing.check()
        assert CacheWritten(frozenset((BOARD,))) in other.events
        assert await found(other, "anoth") == ["Another"]
        # What is written when nothing has changed concerns nobody.
        other.events.clear()
        await started.store.refresh(BOARD)
        await other.store._sharing.check()
        assert not [event for event in other.events if isinstance(event, CacheWritten)]
    finally:
        await other.store.aclose()


async def test_boards_are_followed_by_several_askers(party: Party) -> None:
    party.store.connect(party.remote)
    await party.store.follow([BOARD], by="a")
    await party.store.follow([], by="b")
    await party.until(lambda: party.store.status(BOARD).checked_at)
    assert party.store._parts.poller._beside.keys() == {BOARD}
    await party.store.follow([], by="a")
    assert not party.store._parts.poller._beside


async def test_a_damaged_cache_finds_nothing_and_raises_nothing(started: Party) -> None:
    await started.restart()
    started.store._core.cache.connection.execute("alter table card rename to damaged")
    cards = await started.store.find_cards(check("is:open"), [BOARD], NOW, {BOARD})
    assert [*cards.views] == []
    started.store._core.cache.connection.execute("alter table damaged rename to card")
