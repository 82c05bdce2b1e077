"""The state of a standup: its boards as they are read, the window, the lens, the speakers and rows.

The rows are cards under the headings of a lens, notes, and the parking lot. Of a row flags, number
and title are drawn first, because the end may be cut.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random, SystemRandom
from typing import NamedTuple

from tui.client.errors import NotAllowed, NotOffered
from tui.config.preferences import ALL_BOARDS, LIMITS
from tui.context import Context
from tui.errors import CallboardError
from tui.model.standup import words
from tui.model.standup.report import Kind, Section, Speaker, Standup, standup
from tui.model.standup.rows import BoardSource, Row
from tui.model.standup.window import READ_BACK, midnight
from tui.model.standup.words import SEPARATOR, About, Piece
from tui.model.standup.writing import Lens
from tui.model.task import Person, Priority
from tui.store.events import BoardChanged
from tui.store.online.activity import read_back
from tui.text.cells import cut, width as cell_width
from tui.text.clean import counted, quoted
from tui.text.dates import LocalZone
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, line_width

_ROLES = {About.PEOPLE: "people", About.CHANGES: "title", About.COMMENTS: "news"}
_NARROW = 48
"""With less room than this, nothing takes room of the title."""
_LEAST_PIECE = 6
"""A piece behind the title is not cut to fewer cells than this, but left out."""

_TOPICS, _MINUTES = "standup-topics", "standup-minutes"
"""The preferences with the parking lot, and with the minutes of a speaker."""


class Turn(NamedTuple):
    """A part of a standup that is talked about at a time: a speaker, or one of its last parts."""

    person_id: int
    name: str

    @classmethod
    def of(cls, person: Person) -> "Turn":
        return cls(person.id, words.names([person]))


EVERYTHING = Turn(0, "")
NOBODY, NO_MOVEMENT, PARKING_LOT = (
    Turn(-1, "Nobody"),
    Turn(-2, "No movement"),
    Turn(-3, "Parking lot"),
)


class StandupRow(NamedTuple):
    """A card, a note, or a topic of the parking lot, with the headings above it."""

    turn: Turn
    headings: tuple[str, ...]
    kind: Kind | None = None
    card: Row | None = None
    pieces: tuple[Piece, ...] = ()
    text: str = ""

    @property
    def is_topic(self) -> bool:
        return self.turn == PARKING_LOT

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies it; a card may be in several places."""
        return self.turn, self.kind, self.card.task.id if self.card else self.text

    @property
    def words(self) -> str:
        return self.text or SEPARATOR.join(piece.text for piece in self.pieces)


def rows_of(report: Standup, lens: Lens, topics: Sequence[str]) -> list[StandupRow]:
    """The rows of a lens; none until a board is known."""
    if not report.boards:
        return []
    rows = list(_walk(report) if lens is Lens.WALK else _by_person(report))
    if not any(row.card for row in rows):
        rows.insert(0, StandupRow(EVERYTHING, (), text=words.nothing(report)))
    headings = (f"{PARKING_LOT.name} ({len(topics)})",)
    return [*rows, *(StandupRow(PARKING_LOT, headings, text=topic) for topic in topics)]


def _walk(report: Standup) -> Iterator[StandupRow]:
    for section in report.walk:
        sign = f"{glyphs.NEEDS_YOU} " if section.is_over_limit else ""
        headings = (f"{sign}{words.heading(section, report)}",)
        yield from _cards(section, report, EVERYTHING, headings)
        if section.kind is Kind.BACKLOG and not section.rows:
            note = "none of them is blocked or overdue" if section.count else "no open cards"
            yield StandupRow(EVERYTHING, headings, section.kind, text=note)


def _by_person(report: Standup) -> Iterator[StandupRow]:
    for speaker in report.people:
        turn = Turn.of(speaker.person)
        for section in speaker.sections:
            headings = (words.name(speaker), f"{words.heading(section, report)} ({section.count})")
            yield from _cards(section, report, turn, headings, speaker.person)
    yield from _cards(report.nobody, report, NOBODY, (f"{NOBODY.name} ({report.nobody.count})",))
    if report.no_movement:
        yield StandupRow(NO_MOVEMENT, (NO_MOVEMENT.name,), text=words.names(report.no_movement))


def _cards(
    section: Section, report: Standup, turn: Turn, headings: tuple[str, ...],
    person: Person | None = None,
) -> Iterator[StandupRow]:  # fmt: skip
    for row in section.rows:
        pieces = words.pieces(row, section.kind, report, person)
        yield StandupRow(turn, headings, section.kind, row, pieces)


def row_line(row: StandupRow, width: int) -> Line:
    """A row; what does not fit into `width` cells is for the list to cut."""
    card = row.card
    if card is None:
        return ((f" {row.text}", "title" if row.is_topic else "meta"),)
    texts = {piece.about: piece.text for piece in row.pieces}
    flags, reason = _flags(card, texts.get(About.FLAGS, ""), width)
    sign = f"{glyphs.DONE} " if card.task.is_closed else ""
    number = "new" if card.task.is_local else f"#{card.task.id}"
    first = ((f" {sign}", "good"), (flags, "late"), (f"{number} ", "meta"))
    beside = list(_beside(card, row.pieces, reason))
    room = width - line_width(first)
    taken = sum(cell_width(f"{SEPARATOR}{text}") for text, _ in beside)
    title = cut(card.task.title, max(room - taken, room if room < _NARROW else room // 2))
    behind = _fitting(beside, room - cell_width(title))
    return (*first, (title, "closed" if sign else "title"), *behind)


def _fitting(spans: Iterable[Span], room: int) -> Iterator[Span]:
    for text, role in spans:
        room -= cell_width(SEPARATOR)
        if room < min(cell_width(text), _LEAST_PIECE):
            return
        yield from ((SEPARATOR, "meta"), (cut(text, room), role))
        room -= cell_width(text)


def _flags(card: Row, text: str, width: int) -> tuple[str, str]:
    if not text:
        return "", ""
    words = [flag.value for flag in card.flags if flag.value in text]
    more = f" +{len(words) - 1}" if len(words) > 1 else ""
    ways = (text, ", ".join(words), f"{words[0]}{more}")
    chosen = next((way for way in ways if cell_width(way) <= width // 3), ways[-1])
    reason = card.reason if chosen is not text else ""
    return f"{glyphs.NEEDS_YOU} {chosen} ", reason


def _beside(card: Row, pieces: tuple[Piece, ...], reason: str) -> Iterator[Span]:
    if reason:
        yield quoted(reason), "late"
    for about, text in pieces:
        if about is About.PRIORITY:
            yield text, "high" if card.task.priority is Priority.HIGH else "meta"
        elif about is About.DUE:
            yield text, "late" if text.endswith(" late") else "soon"
        elif about not in (About.FLAGS, About.TITLE):
            yield text, _ROLES.get(about, "meta")


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
        return tuple(sorted(people, key=lambda each: places.get(each.person.id, len(places))))

    def shuffle(self, people: Sequence[Speaker]) -> None:
        """Put the speakers into another order than they are in."""
        ids = [each.person.id for each in people]
        self._order = list(ids)
        while len(ids) > 1 and self._order == ids:
            self._random.shuffle(self._order)

    def after(self, turns: Sequence[Turn], by: int) -> Turn:
        """Whose turn is next, or was before; `EVERYTHING` after the last and before the first."""
        if self.present not in turns:
            return turns[0 if by > 0 else -1] if turns else EVERYTHING
        at = turns.index(self.present) + by
        return turns[at] if 0 <= at < len(turns) else EVERYTHING

    def begin(self, turn: Turn) -> None:
        """Begin somebody's turn; a timer that runs starts anew."""
        self.present = turn
        if self._began is not None:
            self._began = self._now()

    @property
    def is_timed(self) -> bool:
        return self._began is not None

    def switch_timer(self) -> None:
        self._began = self._now() if self._began is None else None

    def time_left(self, minutes: int) -> timedelta | None:
        """What is left of so many minutes, less than nothing afterwards; None without a timer."""
        if self._began is None:
            return None
        return timedelta(minutes=minutes) - (self._now() - self._began)


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
        self._made = standup((), self.now, self.since)
        self._rows: dict[tuple[object, ...], list[StandupRow]] = {}

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
        days, before = self._context.settings.calendar, self.since
        self.since = days.earlier(before) if by < 0 else days.later(before, self.now)
        return self.since != before

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
        return replace(self._made, people=self.speakers.in_order(self._made.people))

    def rows(self, lens: Lens | None = None) -> list[StandupRow]:
        """The rows of a lens, else of the present one; made once for each order of the speakers."""
        lens, report, topics = lens or self.lens, self.standup, self.topics
        made_for = (lens, *(speaker.person.id for speaker in report.people), *topics)
        if made_for not in self._rows:
            self._rows[made_for] = rows_of(report, lens, topics)
        return self._rows[made_for]

    def turns(self) -> list[Turn]:
        """The speakers in their order, and the last parts of the standup."""
        rows = self.rows(Lens.BY_PERSON)
        return [turn for turn in dict.fromkeys(row.turn for row in rows) if turn != EVERYTHING]

    def choose(self, board_ids: Sequence[int]) -> None:
        self.board_ids, self.is_due = tuple(board_ids), True
        self._sources.clear()
        self._make()

    def _make(self) -> None:
        limits = self._context.preferences.numbers_by_id
        sources = [
            replace(source, view=source.view.with_limits(limits(board_id, LIMITS)))
            for board_id in self.board_ids
            if (source := self._sources.get(board_id)) is not None
        ]
        self._made, self._rows = standup(sources, self.now, self.since), {}
        self.rows()

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

    async def load(self) -> None:
        """Read what is new, unless that was done lately. Raises `CallboardError`."""
        is_further_back = self._read_back is None or self.since < self._read_back
        if self.is_due or is_further_back:
            try:
                await self._read_news()
            finally:
                self.progress, self.is_quiet = "", False

    async def _read_news(self) -> None:
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
        for board_id in self.board_ids:
            source = self._sources.get(board_id)
            complete_since = source.history.complete_since if source else None
            if complete_since is not None and complete_since > since:
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

    def hear(self, event: BoardChanged) -> bool:
        """Follow assigned ids; whether the board that changed is one of those shown."""
        self.renamed |= event.renamed
        self.board_ids = tuple(self.renamed.get(each, each) for each in self.board_ids)
        return event.board_id in self.board_ids
