"""The rows of a standup: cards under the headings of a lens, notes, and parked topics.

Rows are columns with fixed roles. Flag, number, title and due date stay however narrow it is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tui.model.board import StageKind
from tui.model.events.history import PERCENTILE
from tui.model.people import Account
from tui.model.standup import words
from tui.model.standup.report import Flag, SectionKind, Standup, StandupCard
from tui.model.standup.words import SEPARATOR, LinePiece
from tui.model.standup.writing import Lens
from tui.model.task import Person, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.text.cells import cut, width as cell_width
from tui.text.clean import counted
from tui.text.dates import age, relative
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, cut_line, line_width
from tui.widgets.row_list import Heading, ListColumn, start_of

_FLAGS: dict[Flag, Span] = {
    Flag.BLOCKED: (f" {glyphs.BLOCKED} blocked ", "blocked"),
    Flag.OVERDUE: ("! overdue", "bad"),
    Flag.STALE: (f"{glyphs.STALE} stale", "warn"),
    Flag.UNASSIGNED: (f"{glyphs.NOBODY} unassigned", "quiet"),
}
_STAGE, _PLACE, _SHORT = 22, 40, 14
"""The most cells of a stage with its board, in a column and in words, and of a name."""
_WEEK = 7
_IS_NOW = frozenset({SectionKind.STUCK, SectionKind.NOW})
_LEGEND = f"{glyphs.DONE} closed {glyphs.ARROW} moved {glyphs.NOW} now {glyphs.RIGHT} next"
_NUMBER = ListColumn("#", width=6, role="quiet", align="right", gap=1)
_FLAG = (ListColumn("", width=13, least=56), ListColumn("", width=2, most=55))
_ENDS = (
    ListColumn("here", width=6, role="quiet", align="right", gap=1, least=70),
    ListColumn("due", width=12, gap=1),
    ListColumn("new", width=3, role="news", least=50),
)
COLUMNS = {
    Lens.WALK: (
        *_FLAG,
        _NUMBER,
        ListColumn("card", gap=1),
        ListColumn("who", width=10, gap=1, least=70),
        ListColumn("since then", width=24, role="quiet", gap=1, least=100, wide=52),
        *_ENDS,
    ),
    Lens.BY_PERSON: (
        ListColumn("", width=2),
        ListColumn("", width=2),
        _NUMBER,
        ListColumn(f"card   {_LEGEND}", gap=1),
        ListColumn("stage", width=_STAGE, role="quiet", gap=1, least=100, wide=50),
        *_FLAG,
        *_ENDS,
    ),
}
"""The columns of the lenses. In a narrow list a flag is its sign alone."""


LENSES = {"by board": Lens.WALK, "by person": Lens.BY_PERSON}
"""The lenses by the names of their tabs."""
_NEEDED_WORDS = ("blocked", "overdue", "stale")
"""The words of the summary that stay where it is narrow, as they name what is wrong."""
_WIDE = 100
"""From this width on the key of the lenses is named beside them."""


class StandupTurn(NamedTuple):
    """What a standup is talking about: a speaker, or one of its last parts."""

    person_id: int
    name: str

    @classmethod
    def of(cls, person: Person) -> "StandupTurn":
        return cls(person.id, words.names([person]))

    @property
    def short(self) -> str:
        """The first name of a speaker, or the name of another part."""
        return cut(_first_name(self.name) if self.person_id > 0 else self.name, _SHORT)


EVERYTHING, NOBODY = StandupTurn(0, ""), StandupTurn(-1, "Unassigned")
NO_MOVEMENT, PARKING_LOT = StandupTurn(-2, "No movement"), StandupTurn(-3, "Parking lot")


class StandupRow(NamedTuple):
    """A card, a note, or a topic of the parking lot, with the headings above it.

    By person a card of someone is one row, though it may be of several `kinds`.
    """

    turn: StandupTurn
    headings: tuple[Heading, ...]
    kinds: frozenset[SectionKind] = frozenset()
    card: StandupCard | None = None
    pieces: tuple[LinePiece, ...] = ()
    text: str = ""
    is_spoken: bool = False
    """Whether its person is speaking, so that there is more in words."""

    @property
    def is_topic(self) -> bool:
        return self.turn == PARKING_LOT

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies it; a card may be in several places."""
        return self.turn, self.card.task.id if self.card else self.text

    @property
    def words(self) -> str:
        return self.text or SEPARATOR.join(piece.text for piece in self.pieces)


def rows_of(report: Standup, lens: Lens, topics: Sequence[str], me: Account) -> list[StandupRow]:
    """The rows of a lens; none until a board is known."""
    if not report.boards:
        return []
    rows = list(_walk(report) if lens is Lens.WALK else _by_person(report, me))
    if not any(row.card for row in rows):
        rows.insert(0, StandupRow(EVERYTHING, (), text=words.nothing(report)))
    headings = (Heading(PARKING_LOT.name, ((str(len(topics)), "quiet"),)),)
    return [*rows, *(StandupRow(PARKING_LOT, headings, text=topic) for topic in topics)]


def _walk(report: Standup) -> Iterator[StandupRow]:
    opened = {
        board.id: sum(
            section.count for section in report.walk if section.board == board and section.stage
        )
        for board in report.boards
    }
    for section in report.walk:
        # An empty stage has no row, and nothing is said about it.
        if not section.rows or section.board is None:
            continue
        stage, count = section.stage, str(section.count)
        if stage is not None and stage.limit is not None:
            count = f"{count}/{stage.limit}"
            if section.is_over_limit:
                count = f"!{count} over by {section.count - stage.limit}"
        if section.kind is SectionKind.BACKLOG and section.new:
            count = f"{count}, {section.new} new"
        headings: tuple[Heading, ...] = (Heading(f"{stage.title if stage else 'Done'}  {count}"),)
        if len(report.boards) > 1:
            note = ((f"  {opened[section.board.id]} open", "quiet"),)
            headings = (Heading(section.board.title, note), *headings)
        for row in section.rows:
            pieces = words.pieces(row, section.kind, report)
            yield StandupRow(EVERYTHING, headings, frozenset({section.kind}), row, pieces)


def _by_person(report: Standup, me: Account) -> Iterator[StandupRow]:
    for speaker in report.people:
        # Each card once: stuck, in progress, next, finished. The first section with it has its row.
        kinds: dict[int, set[SectionKind]] = {}
        rows: dict[int, StandupCard] = {}
        for kind in (SectionKind.STUCK, SectionKind.NOW, SectionKind.NEXT, SectionKind.MOVED):
            for row in speaker.section(kind).rows:
                rows.setdefault(row.task.id, row)
                kinds.setdefault(row.task.id, set()).add(kind)
        note: list[Span] = []
        current = sum(not own.isdisjoint(_IS_NOW) for own in kinds.values())
        did, coming = (
            speaker.section(kind).count for kind in (SectionKind.MOVED, SectionKind.NEXT)
        )
        for count, word in ((did, "did"), (current, "now"), (coming, "next")):
            note.append((f"{count} {word}  ", "quiet"))
        if stuck := speaker.section(SectionKind.STUCK).count:
            note.append((_need(stuck), "bad"))
        turn = StandupTurn.of(speaker.person)
        you = " you" if me.is_of(speaker.person) else ""
        headings = (Heading(f"{turn.name}{you}", tuple(note)),)
        for task_id, row in rows.items():
            pieces = words.pieces(row, min(kinds[task_id]), report, speaker.person)
            yield StandupRow(turn, headings, frozenset(kinds[task_id]), row, pieces)
    nobody = (Heading(NOBODY.name, ((str(report.nobody.count), "quiet"),)),)
    for row in report.nobody.rows:
        pieces = words.pieces(row, SectionKind.NOBODY, report)
        yield StandupRow(NOBODY, nobody, frozenset({SectionKind.NOBODY}), row, pieces)
    if report.no_movement:
        text = words.names(report.no_movement)
        yield StandupRow(NO_MOVEMENT, (Heading(NO_MOVEMENT.name),), text=text)


def cells(row: StandupRow, report: Standup, lens: Lens, me: Account) -> list[str | Line]:
    """The text of a row in the columns of a lens."""
    card = row.card
    if card is None:
        text = ((row.text, "text" if row.is_topic else "quiet"),)
        return [text if column.name.startswith("card") else "" for column in COLUMNS[lens]]
    task, now = card.task, report.now.replace(tzinfo=None)
    word, role = flag_of(row, card, report)
    flag: Line = ((word, role), ("", "text"))
    sign: Line = ((word.strip()[:1], role), ("", "text"))
    number = "new" if task.is_local else f"#{task.id}"
    companions = _with_others(row, task) if lens is Lens.BY_PERSON else ""
    beside = f"  {companions}" if companions else ""
    title: Line = ((task.title, "quiet" if task.is_closed else "text"), (beside, "quiet"))
    due: Line = (("", "quiet"),)
    if task.due_at is not None and not task.is_closed:
        when = relative(task.due_at, now)
        late = "bad" if is_overdue(task, now) else "warn" if is_upcoming(task, now) else "quiet"
        due = (("today" if when.startswith("today ") else when, late),)
    news = f"{glyphs.NEWS}{card.new_comments}" if card.new_comments else ""
    ends = (words.age(card, report.now), due, news)
    if lens is Lens.WALK:
        since = "new" if card.is_new else ""
        if card.closed:
            since = words.closed(card.closed, report.now).replace("closed ", "")
        elif card.moved:
            since = f"{card.moved[0]} {glyphs.ARROW} {card.moved[1]}".strip()
        return [flag, sign, number, title, _who(task.assignees, me), since, *ends]
    did: Line = (("", "text"),)
    if SectionKind.MOVED in row.kinds:
        did = ((glyphs.DONE, "good"),) if card.closed else ((glyphs.ARROW, "text"),)
    where: Line = (("", "quiet"),)
    if SectionKind.NEXT in row.kinds:
        where = ((glyphs.RIGHT, "quiet"),)
    elif card.stage_kind is StageKind.ACTIVE and not task.is_closed:
        where = ((glyphs.NOW, "accent"),)
    if task.is_closed:
        # The first sign says already that it was closed.
        flag = sign = (("", "text"),)
    return [did, where, number, title, _place(card, report, _STAGE), flag, sign, *ends]


def _who(people: Sequence[Person], me: Account) -> Line:
    if not people:
        return (("no one", "quiet"),)
    first = _first_name(people[0].in_words)
    more = f" +{len(people) - 1}" if len(people) > 1 else ""
    return ((first, "accent" if me.is_of(people[0]) else "text"), (more, "quiet"))


def _first_name(name: str) -> str:
    return name.partition(" ")[0]


def _with_others(row: StandupRow, task: Task) -> str:
    companions = [person for person in task.assignees if person.id != row.turn.person_id]
    names = ", ".join(_first_name(person.in_words) for person in companions)
    return f"with {names}" if row.turn.person_id > 0 and companions else ""


def _place(card: StandupCard, report: Standup, width: int) -> str:
    # The bar names the first board already.
    if card.task.board_id == report.boards[0].id:
        return card.stage
    board = cut(card.board, max(4, width - cell_width(card.stage) - 4))
    return f"{board} {glyphs.RIGHT} {card.stage}" if card.stage else board


def flag_of(row: StandupRow, card: StandupCard, report: Standup) -> Span:
    """The most urgent flag of a card as it is drawn, or that it is closed."""
    if card.task.is_closed:
        return f"{glyphs.DONE} closed", "good"
    board = next((board for board in report.boards if board.id == card.task.board_id), None)
    # On a board of one person everything is theirs, so “unassigned” tells nothing.
    is_alone = board is not None and len(board.people) <= 1
    for flag in card.flags:
        if flag is not Flag.UNASSIGNED or not (is_alone or SectionKind.NOBODY in row.kinds):
            return _FLAGS[flag]
    return "", "quiet"


def below(row: StandupRow, report: Standup, lens: Lens, width: int) -> tuple[Line, ...]:
    """The lines below a card: why it is blocked, and for a speaker more in words."""
    if row.card is None:
        return ()
    columns = COLUMNS[lens]
    card = next(at for at, column in enumerate(columns) if column.name.startswith("card"))
    indent = start_of(columns, card, width)
    spans: list[Span] = [(reason(row.card), "alert")]
    if row.is_spoken:
        spans.append((in_words(row, row.card, report), "quiet"))
    return tuple(((" " * indent, "text"), span) for span in spans if span[0])


def reason(card: StandupCard) -> str:
    """Why a card is blocked; empty if it is not, or if that is not known."""
    return f"└ “{card.reason}”" if card.reason else ""


def in_words(row: StandupRow, card: StandupCard, report: Standup) -> str:
    """What a speaker says of a card: where it is and since when, with whom, what happened to it."""
    texts = [_with_others(row, card.task)]
    if card.closed:
        texts.append(words.closed(card.closed, report.now))
    else:
        place = _place(card, report, _PLACE), words.age(card, report.now)
        texts.insert(0, ", ".join(filter(None, place)))
    if card.moved and not card.closed:
        texts.append(f"moved from {card.moved[0]}" if card.moved[0] else "moved here")
    if card.is_new:
        texts.append("new")
    if Flag.STALE in card.flags and card.usual:
        count, unit = age(report.now - card.usual, report.now)
        texts.append(f"{PERCENTILE}% of cards stay less than {count}{unit[0]}")
    if card.new_comments:
        texts.append(f"{glyphs.NEWS}{counted(card.new_comments, 'new comment')}")
    return SEPARATOR.join(filter(None, texts))


def of_speaker(rows: Sequence[StandupRow], report: Standup) -> dict[Heading, list[StandupRow]]:
    """The rows of one speaker below the headings did, now and next; of each there may be none."""
    groups: dict[str, list[StandupRow]] = {f"Did {_since(report)}": [], "Now": [], "Next": []}
    did, now, coming = groups.values()
    for row in rows:
        is_now = row.kinds & _IS_NOW
        (now if is_now else coming if SectionKind.NEXT in row.kinds else did).append(row)
    headed = {}
    for name, group in groups.items():
        stuck = sum(SectionKind.STUCK in row.kinds for row in group)
        note: Line = (
            (str(len(group)), "quiet"),
            (f"  {_need(stuck)}" if stuck else "", "bad"),
        )
        heading = Heading(name, note)
        headed[heading] = [row._replace(headings=(heading,), is_spoken=True) for row in group]
    return headed


def _need(count: int) -> str:
    return f"{count} need{'s' if count == 1 else ''} attention"


def _since(report: Standup) -> str:
    days = (report.now.date() - report.since.date()).days
    if not days:
        return "today"
    since = report.since
    return f"since {since:%A}" if days < _WEEK else f"since {since.day} {since:%b}"


def summary_line(report: Standup, lens: Lens, key: str, width: int) -> tuple[Line, Line]:
    """What the signs mean and how many cards have each; at the right the lenses with their key."""
    keys: Line = ((f"{key} ", "accent"),)
    tabs = tuple(
        (f" {name} ", "place" if choice is lens else "quiet") for name, choice in LENSES.items()
    )
    right: Line = (*(keys if width >= _WIDE else ()), *tabs, (" ", "text"))
    counts, room = _counts(report), width - line_width(right) - 1
    left: list[Span] = []
    for blank in (" ", ""):
        left.clear()
        for sign, role, count, word in counts:
            left += [(f" {sign}{blank}", role), (f"{count} ", "strong")]
            if blank or word in _NEEDED_WORDS:
                left.append((f"{word} ", "text"))
        if line_width(left) <= room:
            break
    return tuple(cut_line(left, room)), right


def _counts(report: Standup) -> list[tuple[str, str, int, str]]:
    # Tuples of sign, role, number and word; a card in several sections counts once.
    rows = {row.task.id: row for section in report.walk for row in section.rows}
    rows |= {row.task.id: row for row in report.nobody.rows}
    flags = {flag: sum(flag in row.flags for row in rows.values()) for flag in Flag}
    closed = sum(row.closed is not None for row in rows.values())
    moved = sum(row.moved is not None and not row.closed for row in rows.values())
    counts = [
        (glyphs.DONE, "good", closed, "closed"),
        (glyphs.ARROW, "text", moved, "moved"),
        (glyphs.BLOCKED, "bad", flags[Flag.BLOCKED], "blocked"),
        ("!", "bad", flags[Flag.OVERDUE], "overdue"),
        (glyphs.STALE, "warn", flags[Flag.STALE], "stale"),
        (glyphs.NOBODY, "quiet", report.nobody.count, "unassigned"),
        (glyphs.NEWS, "news", sum(row.new_comments for row in rows.values()), "new"),
    ]
    return [entry for entry in counts if entry[2]]
