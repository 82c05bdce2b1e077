"""What is new on boards: found by several people on one service, each change with its author."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.party import Party, rest
from tests.store.service import ANN, BOARD, DOING, DONE, ME, OPEN, Service
from tui.model.people import Account
from tui.model.work.news import Reason
from tui.notifications.reader import Batch, NewsReader
from tui.store.operations import set_title

Said = tuple[int, tuple[str, ...], str, bool]


class Reading:
    """A program that reads the news of the board; `batches` are those it told of."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self.batches: list[Batch] = []
        party.store.set_account(Account("me", ME))
        self.reader = NewsReader(
            party.store,
            lambda: [BOARD],
            self.batches.append,
            lambda: party.clock.now().replace(tzinfo=None),
            clock=party.clock,
        )

    @property
    def changes(self) -> list[Said]:
        """The changes: the card, what differs, by whom, and whether they are my own."""
        return [
            (each.difference.task.id, each.difference.kinds, each.who, each.is_own)
            for batch in self.batches
            for each in batch.changes
        ]

    @property
    def news(self) -> list[tuple[Reason, int, str, str]]:
        """The news for me."""
        return [
            (each.reason, each.task.id, each.who, each.text)
            for batch in self.batches
            for each in batch.news
        ]


async def pass_time(clock: FakeClock, seconds: float) -> None:
    """Let time pass in steps, with all that happens in it."""
    for _ in range(round(seconds * 4)):
        await rest()
        clock.advance(0.25)
    await rest()


@asynccontextmanager
async def reading(*programs: Reading) -> AsyncIterator[None]:
    """The programs are connected and have read the board."""
    for program in programs:
        program.party.store.connect(program.party.remote)
    tasks = [asyncio.create_task(program.reader.run()) for program in programs]
    await pass_time(programs[0].party.clock, 15)
    for program in programs:
        program.batches.clear()
    try:
        yield
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def programs(
    tmp_path: Path, service: Service, clock: FakeClock
) -> AsyncIterator[tuple[Reading, Reading]]:
    """Two programs on one profile."""
    made = [Reading(Party(tmp_path, service, clock, 0.25)) for _ in range(2)]
    yield made[0], made[1]
    for program in made:
        await program.party.store.aclose()


async def test_changes_by_others_and_what_is_for_me(
    programs: tuple[Reading, Reading], service: Service, clock: FakeClock
) -> None:
    program, _ = programs
    alpha, beta = (task["id"] for task in service.lane(OPEN)[:2])
    async with reading(program):
        service.move(alpha, DOING, 1, by=ANN)
        await pass_time(clock, 15)
        assert program.changes == [(alpha, ("moved",), "Ann Miller", False)]
        service.ask(
            "PUT",
            f"/projects/{BOARD}/tasks/{beta}",
            {"property": "assignees", "value": [ME]},
            who="ann",
        )
        await pass_time(clock, 15)
        assert program.news == [(Reason.ASSIGNED, beta, "Ann Miller", "")]
        service.add_comment(alpha, "nothing for you", by=ANN)
        await pass_time(clock, 15)
        mine = service.add_comment(alpha, "mine", by=ME)["id"]
        await pass_time(clock, 15)
        service.add_comment(alpha, "so?", by=ANN, parent_id=mine)
        await pass_time(clock, 15)
        service.add_comment(alpha, "and you, @me?", by=ANN)
        await pass_time(clock, 15)
        assert program.news[1:] == [
            (Reason.REPLIED, alpha, "Ann Miller", "so?"),
            (Reason.MENTIONED, alpha, "Ann Miller", "and you, @me?"),
        ]
        comments = [
            (who, is_own) for _, kinds, who, is_own in program.changes if "commented" in kinds
        ]
        assert comments == [
            ("Ann Miller", False),
            ("", True),
            ("Ann Miller", False),
            ("Ann Miller", False),
        ]


async def test_both_programs_tell_of_others_and_of_what_the_other_one_changed(
    programs: tuple[Reading, Reading], service: Service, clock: FakeClock
) -> None:
    one, other = programs
    alpha, beta = (task["id"] for task in service.lane(OPEN)[:2])
    async with reading(one, other):
        service.move(alpha, DONE, 1, by=ANN)
        await pass_time(clock, 20)
        assert one.changes == other.changes == [(alpha, ("moved",), "Ann Miller", False)]
        view = await one.party.store.load_board(BOARD)
        assert view is not None
        task = view.task(beta)
        assert task is not None
        await one.party.store.submit(set_title(task, "Mine"))
        await pass_time(clock, 20)
        assert other.changes[1:] == [(beta, ("renamed",), "", True)]
        assert other.news == []


async def test_what_happened_before_the_start_is_no_news(
    programs: tuple[Reading, Reading], service: Service, clock: FakeClock
) -> None:
    program, _ = programs
    program.party.store.connect(program.party.remote)
    await program.party.store.refresh(BOARD)
    service.add_comment(service.lane(OPEN)[0]["id"], "@me", by=ANN)
    await pass_time(clock, 60)
    async with reading(program):
        assert program.batches == []


@pytest.mark.long
async def test_a_card_of_mine_is_told_of_once_an_hour_before_it_is_due(
    programs: tuple[Reading, Reading], service: Service, clock: FakeClock
) -> None:
    program, _ = programs
    alpha = service.lane(OPEN)[0]["id"]
    due = clock.now().replace(tzinfo=None) + timedelta(minutes=70)
    service.set(alpha, "due_at", f"{due:%Y-%m-%d %H:%M:%S}")
    service.ask("PUT", f"/projects/{BOARD}/tasks/{alpha}", {"property": "assignees", "value": [ME]})
    async with reading(program):
        assert program.news == []
        for _ in range(20):
            clock.advance(60)
            await pass_time(clock, 1)
        assert program.news == [(Reason.DUE, alpha, "", f"{due:%H:%M}")]
        late = (due + timedelta(hours=2)).strftime("%Y-%m-%d %H:%M:%S")
        service.set(alpha, "due_at", late)
        for _ in range(23):
            clock.advance(300)
            await pass_time(clock, 1)
        assert len(program.news) == 2
