"""The state of a standup: its boards as they are read, the window, the lens, the speakers."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random, SystemRandom
from typing import NamedTuple

from tui.client.errors import NotAllowed, NotOffered
from tui.config.preferences import ALL_BOARDS
from tui.config.stage_settings import with_own_settings
from tui.context import Context
from tui.errors import CallboardError
from tui.model.relations import NO_RELATIONS
from tui.model.standup.report import BoardSource, Speaker, Standup, standup
from tui.model.standup.window import READ_BACK, midnight
from tui.model.standup.writing import Lens
from tui.screens.standup.rows import EVERYTHING, StandupRow, StandupTurn, of_speaker, rows_of
from tui.store.events import BoardChanged
from tui.store.online.activity import read_back
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.widgets.row_list import Heading

_TOPICS, _MINUTES = "standup-topics", "standup-minutes"
"""The preferences with the parking lot, and with the minutes of a speaker."""


class Speakers:
    """The order of the speakers, the present one of them, and the timer.

    What is left for the end of a standup, such as the parking lot, has its turn like a speaker.
    """

    def __init__(self, now: Callable[[], datetime], random: Random) -> None:
        self._now = now
        self._random = random
        self._order: list[int] = []
        self._began: datetime | None = None
        self.present = EVERYTHING

    def in_order(self, people: Sequence[Speaker]) -> tuple[Speaker, ...]:
        """The speakers as last shuffled, new ones at the end; as given if they never were."""
        places = {person_id: place for place, person_id in enumerate(self._order)}
        return tuple(sorted(people, key=lambda speaker: places.get(speaker.person.id, len(places))))

    def shuffle(self, people: Sequence[Speaker]) -> None:
        """Put the speakers into another order than they are in."""
        ids = [speaker.person.id for speaker in people]
        self._order = list(ids)
        # A shuffle may return the same order, which would look like a key without effect.
        while len(ids) > 1 and self._order == ids:
            self._random.shuffle(self._order)

    def after(self, turns: Sequence[StandupTurn], by: int) -> StandupTurn:
        """The next or previous turn; `EVERYTHING` after the last and before the first."""
        if self.present not in turns:
            return turns[0 if by > 0 else -1] if turns else EVERYTHING
        at = turns.index(self.present) + by
        return turns[at] if 0 <= at < len(turns) else EVERYTHING

    def begin(self, turn: StandupTurn) -> None:
        """Begin somebody's turn; a timer that runs starts anew."""
        self.present = turn
        if self._began is not None:
            self._began = self._now()

    def leave(self) -> None:
        """Leave the view of a speaker, which stops the timer."""
        self.present, self._began = EVERYTHING, None

    @property
    def is_timed(self) -> bool:
        return self._began is not None

    def switch_timer(self) -> None:
        self._began = self._now() if self._began is None else None

    def time_left(self, minutes: int) -> timedelta | None:
        """What is left of so many minutes, less than nothing afterwards.

        None without a timer, and while nobody speaks.
        """
        if self._began is None or self.present == EVERYTHING:
            return None
        return timedelta(minutes=minutes) - (self._now() - self._began)


class DrawnStandup(NamedTuple):
    """A standup and its rows, by what they were drawn for.

    Both are replaced at once, on a thread: rows of a previous standup never stand for the next one.
    """

    standup: Standup
    rows: dict[tuple[object, ...], list[StandupRow]]


class StandupState:
    """The standup of some boards in one lens.

    `progress` says what is being read, unless that is to be `is_quiet`; `changed` is called when it
    or the standup changed. News are read by the next `load` if that `is_due`.
    """

    def __init__(
        self, context: Context, board_ids: Sequence[int], since: date | None = None
    ) -> None:
        self.board_ids = tuple(board_ids)
        self.lens = Lens.WALK
        self.progress = ""
        self.is_due = True
        self.is_quiet = False
        self.changed: Callable[[], None] = lambda: None
        self.speakers = Speakers(context.now, SystemRandom())
        self.renamed: dict[int, int] = {}
        self._context = context
        self._store = context.store
        self._since = since
        self._read_back: datetime | None = None
        self._sources: dict[int, BoardSource] = {}
        self._one_at_a_time = asyncio.Lock()
        self._unsent: set[int] = set()
        self._relations = NO_RELATIONS
        self._drawn = DrawnStandup(standup((), self.now, self.since, self._store.me), {})

    @property
    def now(self) -> datetime:
        return self._context.now().replace(tzinfo=LocalZone())

    @property
    def since(self) -> datetime:
        """When the window begins: the last working day, or the day that was chosen."""
        if self._since is None:
            return self._context.settings.calendar.since(self.now)
        return midnight(self._since, self.now)

    @since.setter
    def since(self, moment: datetime) -> None:
        self._since = moment.date()

    def step(self, by: int) -> bool:
        """Begin a working day earlier or later; False if it cannot begin later."""
        days, previous = self._context.settings.calendar, self.since
        self.since = days.earlier(previous) if by < 0 else days.later(previous, self.now)
        return self.since != previous

    @property
    def topics(self) -> list[str]:
        return self._context.preferences.texts(ALL_BOARDS, _TOPICS)

    @topics.setter
    def topics(self, topics: Sequence[str]) -> None:
        self._context.preferences.keep(ALL_BOARDS, **{_TOPICS: list(dict.fromkeys(topics))})

    @property
    def minutes(self) -> int:
        usual = self._context.settings.standup_minutes
        return self._context.preferences.number(ALL_BOARDS, _MINUTES, usual)

    @minutes.setter
    def minutes(self, minutes: int) -> None:
        self._context.preferences.keep(ALL_BOARDS, **{_MINUTES: minutes})

    @property
    def standup(self) -> Standup:
        """The standup of the boards that have been read, with the speakers in their order."""
        return self._in_order(self._drawn.standup)

    def _in_order(self, report: Standup) -> Standup:
        return replace(report, people=self.speakers.in_order(report.people))

    def rows(self, lens: Lens | None = None) -> list[StandupRow]:
        """The rows of a lens, else of the present one; made once for each order of the speakers."""
        return self._rows_of(self._drawn, lens or self.lens)

    def _rows_of(self, drawn: DrawnStandup, lens: Lens) -> list[StandupRow]:
        report, topics = self._in_order(drawn.standup), self.topics
        key = (lens, *(speaker.person.id for speaker in report.people), *topics)
        if key not in drawn.rows:
            drawn.rows[key] = rows_of(report, lens, topics, self._store.me)
        return drawn.rows[key]

    def groups_of_speaker(self) -> dict[Heading, list[StandupRow]]:
        """What the present speaker did, does now and does next; nothing between speakers."""
        present = self.speakers.present
        if present.person_id <= 0:
            return {}
        return of_speaker([row for row in self.rows() if row.turn == present], self.standup)

    def turns(self) -> list[StandupTurn]:
        """The speakers in their order, and the last parts of the standup."""
        rows = self.rows(Lens.BY_PERSON)
        return [turn for turn in dict.fromkeys(row.turn for row in rows) if turn != EVERYTHING]

    def choose(self, board_ids: Sequence[int]) -> None:
        self.board_ids, self.is_due = tuple(board_ids), True
        self._sources.clear()
        self._make()

    def _make(self) -> None:
        sources = [
            replace(
                source,
                view=with_own_settings(source.view, self._context.preferences),
                relations=self._relations,
            )
            for board_id in self.board_ids
            if (source := self._sources.get(board_id)) is not None
        ]
        drawn = DrawnStandup(standup(sources, self.now, self.since, self._store.me), {})
        # For the first drawing, still on the thread of `read_cached`.
        self._rows_of(drawn, self.lens)
        self._drawn = drawn

    async def read_cached(self, *board_ids: int) -> None:
        # One reading at a time: an earlier, slower one could replace a later one.
        async with self._one_at_a_time:
            for board_id in board_ids:
                await self._store.load_board(board_id)
                history = await self._store.history(board_id)
                archived = await self._store.archived_tasks(board_id)
                view = self._store.board(board_id)
                # A board may have been left out of the standup while it was read.
                if view is not None and view.complete and board_id in self.board_ids:
                    self._sources[board_id] = BoardSource(view, history, archived)
            # Read here: its connection belongs to this thread.
            self._relations = self._store.relations()
            await asyncio.to_thread(self._make)
        self.changed()

    async def load(self) -> None:
        """Read what is new, unless that was done lately. Raises `CallboardError`."""
        if self.is_due or self._read_back is None or self.since < self._read_back:
            try:
                await self._read_news()
            finally:
                self.progress, self.is_quiet = "", False

    async def _read_news(self) -> None:
        problem: CallboardError | None = None
        # The window may be moved meanwhile: what counts is how far back this reading goes.
        since, boards = self.since, self.board_ids
        for number, board_id in enumerate(boards, 1):
            if not self.is_quiet:
                self.progress = f"loading activity: {number} of {counted(len(boards), 'board')}"
                self.changed()
            try:
                if self.is_due:
                    await self._store.refresh(board_id, only_changes=True)
                await read_back(self._store, board_id, since)
                await self._store.read_archived(board_id, since)
            except (NotAllowed, NotOffered):
                pass  # the bar says that not all activity is known
            except CallboardError as error:
                problem = problem or error
            await self.read_cached(board_id)
        self.is_due, self._read_back = False, since
        # Only now: the other boards are read although one failed.
        if problem is not None:
            raise problem
        # Activity before the window tells how long cards usually stay; it is read last.
        older = since - READ_BACK
        for board_id in () if self.is_quiet else self.board_ids:
            source = self._sources.get(board_id)
            complete_since = source.history.complete_since if source else None
            if complete_since is not None and complete_since > older:
                self.progress = "loading older activity"
                self.changed()
                await self._store.read_history(board_id, older)
                await self.read_cached(board_id)

    async def read_log(self, board_id: int) -> None:
        """Read what the log says of changes that were sent; an error is shown by the status."""
        with suppress(CallboardError):
            await self._store.read_history(board_id, self.since)
        await self.read_cached(board_id)

    def is_sent(self, board_id: int) -> bool:
        """Whether all changes of a board of this standup have been sent just now."""
        has_unsent = bool(self._store.status(board_id).pending)
        is_sent = board_id in self._unsent and not has_unsent
        self._unsent.discard(board_id)
        if has_unsent and board_id in self.board_ids:
            self._unsent.add(board_id)
        return is_sent

    def hear(self, event: BoardChanged) -> bool:
        """Follow assigned ids; whether the board that changed is one of those shown."""
        self.renamed |= event.renamed
        self.board_ids = tuple(self.renamed.get(board_id, board_id) for board_id in self.board_ids)
        return event.board_id in self.board_ids
