"""The rows of the standup, computed from the boards in the store and from their histories."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from random import SystemRandom

from tui.client.errors import NotAllowed, NotOffered
from tui.config.preferences import ALL_BOARDS, LIMITS
from tui.context import Context
from tui.errors import CallboardError
from tui.model.standup.report import Standup, standup
from tui.model.standup.rows import BoardSource
from tui.model.standup.window import READ_BACK, midnight
from tui.model.standup.writing import Lens, markdown, plain
from tui.model.task import Task
from tui.screens.standup.rows import EVERYTHING, PARKING_LOT, StandupRow, Turn, row_line, rows_of
from tui.screens.standup.speakers import Speakers
from tui.store.events import BoardChanged
from tui.store.online.activity import read_back
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.text.markdown.signs import escaped, escaped_start
from tui.widgets.painted import Line

_TOPICS, _MINUTES = "standup-topics", "standup-minutes"
"""The preferences with the parking lot, and with the minutes of a speaker."""


class StandupContent:
    """The standup of some boards in one lens.

    `progress` says what is being read, unless that is to be `is_quiet`; news are read by the next
    `load` if that `is_due`.
    """

    row, opens, title = "card", "card.open", "Standup"
    move = None

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
        self._context = context
        self._store = context.store
        self._since = since
        self._read_back: datetime | None = None
        self._sources: dict[int, BoardSource] = {}
        self._one_at_a_time = asyncio.Lock()
        self._renamed: dict[int, int] = {}
        self._unsent: set[int] = set()
        self._made = standup((), self.now, self.since)
        self._rows: dict[tuple[object, ...], list[StandupRow]] = {}

    @property
    def now(self) -> datetime:
        """The time in the user's zone."""
        return self._context.now().replace(tzinfo=LocalZone())

    @property
    def since(self) -> datetime:
        """When the window begins: the last working day, or the day that was chosen."""
        now = self.now
        return (
            self._context.settings.calendar.since(now)
            if self._since is None
            else midnight(self._since, now)
        )

    @since.setter
    def since(self, moment: datetime) -> None:
        self._since = moment.date()

    @property
    def standup(self) -> Standup:
        """The standup of the boards that have been read, with the speakers in their order."""
        return replace(self._made, people=self.speakers.in_order(self._made.people))

    def _make(self) -> None:
        limits = self._context.preferences.numbers_by_id
        sources = [
            replace(source, view=source.view.with_limits(limits(board_id, LIMITS)))
            for board_id in self.board_ids
            if (source := self._sources.get(board_id)) is not None
        ]
        self._made, self._rows = standup(sources, self.now, self.since), {}
        self._rows_of(self.lens)

    def _rows_of(self, lens: Lens) -> list[StandupRow]:
        """The rows of a lens, made once for each order of the speakers."""
        of, topics = self.standup, self.topics
        made_for = (lens, *(one.person.id for one in of.people), *topics)
        if made_for not in self._rows:
            self._rows[made_for] = rows_of(of, lens, topics)
        return self._rows[made_for]

    @property
    def topics(self) -> list[str]:
        return self._context.preferences.texts(ALL_BOARDS, _TOPICS)

    @topics.setter
    def topics(self, topics: Sequence[str]) -> None:
        self._context.preferences.keep(ALL_BOARDS, **{_TOPICS: list(dict.fromkeys(topics))})

    @property
    def minutes(self) -> int:
        """How long a speaker may speak."""
        return self._context.preferences.number(
            ALL_BOARDS, _MINUTES, self._context.settings.standup_minutes
        )

    @minutes.setter
    def minutes(self, minutes: int) -> None:
        self._context.preferences.keep(ALL_BOARDS, **{_MINUTES: minutes})

    @property
    def count(self) -> int:
        rows = self._rows_of(self.lens)
        return len({row.card.task.id for row in rows if row.card})

    def turns(self) -> list[Turn]:
        """The speakers in their order, and the last parts of the standup."""
        rows = self._rows_of(Lens.BY_PERSON)
        return [turn for turn in dict.fromkeys(row.turn for row in rows) if turn != EVERYTHING]

    def rows(self) -> list[StandupRow]:
        rows, present = self._rows_of(self.lens), self.speakers.present
        return rows if present == EVERYTHING else [row for row in rows if row.turn == present]

    def task(self, row: StandupRow) -> Task | None:
        return row.card.task if row.card else None

    def key(self, row: StandupRow) -> tuple[object, ...]:
        return row.key

    def words(self, row: StandupRow) -> str:
        return row.words

    def line(self, row: StandupRow, width: int) -> Line:
        return row_line(row, width)

    def empty(self) -> tuple[str, str]:
        if self.speakers.present != EVERYTHING:
            return (
                f"{self.speakers.present.name} has no cards here now",
                "{standup.next-speaker:>} goes on · {list.back:esc} shows all",
            )
        if self.board_ids:
            return "these boards are not cached yet", "{list.refresh:R} reads them"
        return "there are no boards", "{standup.boards:B} chooses boards"

    def headings(self, row: StandupRow) -> tuple[str, ...]:
        return row.headings

    def where_is(self, row: StandupRow | None) -> tuple[object, ...] | None:
        """The key of the row with the card of a row that was shown, best of the same speaker."""
        if row is None or row.card is None:
            return None
        task_id = self._renamed.get(row.card.task.id, row.card.task.id)
        found = [one for one in self.rows() if one.card and one.card.task.id == task_id]
        found.sort(key=lambda one: (one.turn != row.turn, one.kind != row.kind))
        return found[0].key if found else None

    async def load(self) -> None:
        """Read what is new, unless that was done lately. Raises `CallboardError`."""
        is_further_back = self._read_back is None or self.since < self._read_back
        if self.is_due or is_further_back:
            try:
                await self._read_news()
            finally:
                self.progress, self.is_quiet = "", False

    async def read_cached(self, *board_ids: int) -> None:
        async with self._one_at_a_time:  # or what was read earlier might be made last
            for board_id in board_ids:
                await self._store.load_board(board_id)
                history = await self._store.history(board_id)
                archived = await self._store.archived_tasks(board_id)
                view = self._store.board(board_id)
                if view is not None and view.complete and board_id in self.board_ids:
                    self._sources[board_id] = BoardSource(view, history, archived)
            await asyncio.to_thread(self._make)

    async def _read_news(self) -> None:
        """Read news and the activity of all boards; an error does not keep the others back."""
        problem: CallboardError | None = None
        since, boards = self.since, self.board_ids
        for number, board_id in enumerate(boards, 1):
            if not self.is_quiet:
                self.progress = f"reading activity: {number} of {counted(len(boards), 'board')}"
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
            self.changed()
        self.is_due, self._read_back = False, since
        if problem is not None:
            raise problem
        if not self.is_quiet:
            await self._read_older(since - READ_BACK)

    async def _read_older(self, since: datetime) -> None:
        """Read the activity further back, for the ages of cards and usual times in stages."""
        for board_id in self.board_ids:
            source = self._sources.get(board_id)
            known = source.history.complete_since if source else None
            if known is not None and known > since:
                self.progress = "reading older activity"
                self.changed()
                await self._store.read_history(board_id, since)
                await self.read_cached(board_id)
                self.changed()

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

    def choose(self, board_ids: Sequence[int]) -> None:
        self.board_ids, self.is_due = tuple(board_ids), True
        self._sources.clear()
        self._make()

    def hear(self, event: BoardChanged) -> bool:
        """Follow assigned ids; whether the board that changed is one of those shown."""
        self._renamed |= event.renamed
        self.board_ids = tuple(self._renamed.get(one, one) for one in self.board_ids)
        return event.board_id in self.board_ids

    def step(self, by: int) -> bool:
        """Begin a working day earlier or later; False if it cannot begin later."""
        days, before = self._context.settings.calendar, self.since
        self.since = days.earlier(before) if by < 0 else days.later(before, self.now)
        return self.since != before

    def text(self, *, is_plain: bool) -> str:
        """The lens as text to send to others, with the parking lot."""
        lines = (plain if is_plain else markdown)(self.standup, self.lens)
        if not self.topics:
            return lines
        mark = "" if is_plain else "## "
        topics = "\n".join(
            f"- {one if is_plain else escaped_start(escaped(one))}" for one in self.topics
        )
        return f"{lines}\n{mark}{PARKING_LOT.name}\n\n{topics}\n"
