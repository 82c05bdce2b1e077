"""Histories of a board made up by Hypothesis, looked at now and then, against a diary."""

import asyncio
import tempfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import Phase, given, seed, settings, strategies as st

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party, rest, until
from tests.store.service import BOARD, DOING, DONE, OPEN, Service, four_tasks
from tui.client.documents import DocumentPage
from tui.client.errors import Unreachable
from tui.model.events.history import BoardHistory, EventKind, ages

_TITLES = {OPEN: "Open", DOING: "Doing", DONE: "Done"}
_LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
_STEPS = ("move", "move", "move", "close", "comment", "create", "archive", "restore")
_LOOKS = ("poll", "poll", "poll", "read", "restart")
_PLAYED = st.lists(
    st.tuples(
        st.sampled_from((*_STEPS, *_LOOKS)), st.integers(0, 30), st.integers(0, 9),
        st.sampled_from((OPEN, DOING, DONE)),
    ),
    min_size=10, max_size=40,
)  # fmt: skip


class Diary:
    """A board, what happened on it and since when each card is in its stage, and a person's store.

    Without `records_moves` the log has no changes of stages.
    """

    def __init__(self, folder: Path, *, records_moves: bool) -> None:
        self.clock = FakeClock()
        self.service = Service(four_tasks(), folder / "attachments", clock=self.clock.now)
        self.service.forget_log()
        self.party = Party(folder, self.service, self.clock)
        self.records_moves = records_moves
        self.entered: dict[int, datetime] = {}
        self.seen: dict[int, tuple[int, datetime]] = {}
        self.back: dict[int, tuple[int, datetime]] = {}
        self.stages: dict[int, int] = {}
        self.closed: set[int] = set()
        self.archived: set[int] = set()
        self.events: list[tuple[int, EventKind, datetime]] = []
        for task in self.service.tasks():
            self.stages[task["id"]] = task["stage_id"]

    async def come_to_rest(self) -> None:
        """Wait until what was asked for is merged, as no answer takes minutes."""
        store = self.party.store
        for _ in range(3):  # a poll has several requests
            await rest()
            await until(store, lambda: not store.status(BOARD).busy)
            await self.history()  # behind what is being written

    async def play(self, what: str, which: int, stage_id: int) -> None:
        """Somebody does something, or the person looks."""
        party = self.party
        if what == "poll":
            await party.store.refresh(BOARD)
            self.look()
        elif what == "read":
            minutes = 60 * (which % 7)
            await self.read(self.clock.now() - timedelta(minutes=minutes), fails_after=which % 4)
            await self.check_complete()
        elif what == "restart":
            await party.restart()
            await party.start()
            party.store.set_visible(is_visible=False)
            await party.store.refresh(BOARD)
            self.look()
        elif what == "create":
            self.create(stage_id)
        else:
            ids = sorted(self.stages.keys() - self.archived)
            if what == "restore":
                ids = sorted(self.archived)
            if ids:
                getattr(self, what)(ids[which % len(ids)], stage_id)

    def look(self) -> None:
        """The store has fetched the board."""
        for task_id in self.archived:
            self.back.pop(task_id, None)
        for task_id in self.stages.keys() - self.archived:
            now = self.stages[task_id], self.clock.now()
            for looks in (self.seen, self.back):
                if task_id not in looks or looks[task_id][0] != now[0]:
                    looks[task_id] = now

    async def read(self, since: datetime, *, fails_after: int = 0) -> None:
        """Read the log, which has short pages; after so many, if any, the service is away."""

        def without_moves(page: DocumentPage) -> DocumentPage:
            if self.records_moves:
                return page
            return page._replace(
                documents=[
                    {**one, "column": "position"} if one["column"] == "stage" else one
                    for one in page.documents
                ]
            )

        self.service.page_size = 5
        remote = self.party.remote
        remote.retold["activity_page"] = without_moves
        if fails_after:
            ok: list[Fault | None] = [None] * fails_after
            remote.fail_next("activity_page", *ok, Fault.UNREACHABLE)
        with suppress(Unreachable):
            await self.party.store.read_history(BOARD, since)
        remote.trouble = lambda _: None
        self.service.page_size = 100

    def note(self, task_id: int, kind: EventKind) -> None:
        self.events.append((task_id, kind, self.clock.now()))

    def create(self, stage_id: int) -> None:
        made = self.service.add(f"New {len(self.stages)}", stage_id)
        self.stages[made["id"]] = stage_id
        self.entered[made["id"]] = self.clock.now()
        self.note(made["id"], EventKind.CREATED)
        if self.service.task(made["id"])["status"] == "closed":
            self.closed.add(made["id"])

    def move(self, task_id: int, stage_id: int) -> None:
        if self.stages[task_id] == stage_id:
            return
        self.service.move(task_id, stage_id, 1)
        self.stages[task_id] = stage_id
        self.entered[task_id] = self.clock.now()
        self.note(task_id, EventKind.MOVED)
        if stage_id == DONE and task_id not in self.closed:
            self.closed.add(task_id)
            self.note(task_id, EventKind.CLOSED)

    def close(self, task_id: int, _: int) -> None:
        is_closed = task_id in self.closed
        self.service.set(task_id, "status", "open" if is_closed else "closed")
        (self.closed.discard if is_closed else self.closed.add)(task_id)
        self.note(task_id, EventKind.REOPENED if is_closed else EventKind.CLOSED)

    def comment(self, task_id: int, _: int) -> None:
        self.service.add_comment(task_id, "So it is.")
        self.note(task_id, EventKind.COMMENTED)

    def archive(self, task_id: int, _: int) -> None:
        self.service.set(task_id, "archived_at", "2026-11-20 10:00:00")
        self.archived.add(task_id)
        self.note(task_id, EventKind.REMOVED)

    def restore(self, task_id: int, _: int) -> None:
        self.service.set(task_id, "archived_at", None)
        self.archived.discard(task_id)
        self.note(task_id, EventKind.RESTORED)

    async def history(self) -> BoardHistory:
        return await self.party.store.history(BOARD)

    async def check_complete(self) -> None:
        """What happened from `complete_since` on until the log was read is known from it."""
        history = await self.history()
        since, read_at = history.complete_since, history.read_at
        if since is not None and read_at is not None:
            told = {
                (one.task_id, one.kind, one.at) for one in history.events if not one.is_observed
            }
            assert told >= {one for one in self.told if since <= one[2] < read_at}

    @property
    def told(self) -> list[tuple[int, EventKind, datetime]]:
        """What the log tells of what happened."""
        return [one for one in self.events if self.records_moves or one[1] is not EventKind.MOVED]

    async def check_ages(self) -> None:
        """Exact ages are right; others are since it was seen there first, or not archived again."""
        history = await self.history()
        view = self.party.view
        cards = {task: _TITLES[task.stage_id or 0] for task in view.all_tasks()}
        found = ages(cards.items(), history)
        for task in cards:
            age = found[task.id]
            if age.is_exact:
                assert age.since == self.entered.get(task.id, task.created_at)
            else:
                assert self.seen[task.id][1] <= age.since <= self.back[task.id][1]
            assert age.is_exact is history.records_moves or task.id not in self.entered

    async def check_events(self) -> None:
        """The log is told to the second, and what it does not tell was seen."""
        history = await self.history()
        logged = sorted(
            (event.task_id, event.kind, event.at)
            for event in history.events
            if not event.is_observed
        )
        moves = [one for one in self.events if one[1] is EventKind.MOVED]
        assert logged == sorted(self.told)
        observed = [event for event in history.events if event.is_observed]
        if self.records_moves:
            assert observed == []
        for event in observed:
            assert event.kind is EventKind.MOVED
            assert any(task_id == event.task_id and at <= event.at for task_id, _, at in moves)


async def _played(steps: list[tuple[str, int, int, int]], *, records_moves: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        diary = Diary(Path(folder), records_moves=records_moves)
        await diary.party.start()
        diary.party.store.set_visible(is_visible=False)
        diary.look()
        for what, minutes, which, stage_id in steps:
            await diary.come_to_rest()
            diary.clock.advance(60.0 * minutes)
            await diary.play(what, which, stage_id)
        await diary.party.store.refresh(BOARD)
        diary.look()
        await diary.read(_LONG_AGO)
        await diary.check_events()
        await diary.check_ages()
        await diary.party.store.aclose()
        await diary.service.aclose()


@pytest.mark.long
@pytest.mark.parametrize("records_moves", [True, False])
def test_the_history_of_a_board_is_the_one_that_happened(records_moves: bool) -> None:
    @seed(1)
    @settings(max_examples=6, deadline=None, database=None, phases=[Phase.generate])
    @given(steps=_PLAYED)
    def play(steps: list[tuple[str, int, int, int]]) -> None:
        asyncio.run(_played(steps, records_moves=records_moves))

    play()
