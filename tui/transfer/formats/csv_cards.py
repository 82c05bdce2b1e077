"""A row of CSV as a card, in the words of several programs.

A cell holds several labels or people separated by `; `, and a subtask in each line, with `[x]`
before those that are done; a line that ends with a colon is the group of those below. What of a row
is not taken is known in the end, so that no column is lost silently.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from tui.model.colors import COLORS
from tui.model.task import Priority
from tui.text import clean
from tui.text.clean import quoted
from tui.transfer.formats.csv_writing import COLUMNS, OLDER_COLUMNS
from tui.transfer.formats.fields import FIELDS, NO, OPEN, YES, priority_called
from tui.transfer.losses import DATE_ALONE, NOT_UNDERSTOOD, field_called
from tui.transfer.moments import moment, moment_or_day
from tui.transfer.sheet import (
    NotReadable,
    SheetCard,
    SheetComment,
    SheetSubtask,
    folded,
    says_done,
)

_SEVERAL = frozenset({"labels", "assignees", "emails", "comments"})
"""The fields that may have several columns of the same name."""
_SILENT = frozenset({"list id", "board id"})
_SILENT_COUNTS = frozenset(
    {
        *("attachment count", "checklist item total count", "checklist item completed count"),
        *("vote count", "comment count", "votes", "watchers"),
    }
)
"""Columns that say nothing if they are 0."""
_LISTED = 50
"""So many names of columns are listed in an error."""
_CATEGORY, _RESOLUTION, _DONE = "status category", "resolution", "done"
_DATED = re.compile(r"\d{1,4}[./-](?:\d{1,2}|[A-Za-z]{3})[./-]\d{1,4}")
"""What looks like a date, which may not be readable."""
_RANGE = "→"
_NOTHING = frozenset({"[]", "{}", "null"})
"""What programs write for no value, which is a text in our own export."""
_LIST = re.compile(r"\[(.*)\]", re.DOTALL)
"""Several texts in a cell of ClickUp."""
_QUOTED_FORMULA = re.compile(r"'+[=+\-@\t]")
_PART = re.compile(r"(?:[^\\;]|\\.|\\$)+", re.DOTALL)
"""A text of several in a cell: a backslash keeps a sign as it is."""
_BOX = re.compile(r"\[([ xX])\] ?")
_COLORED = re.compile(r"(.*?) ?\(([a-z]+)(?:_(dark|light))?\)", re.DOTALL)
_COMMENT = re.compile(r"([^;\n]{6,60});([^;\n]{0,200});(.*)", re.DOTALL)
"""Jira writes a comment as its date, its author and its text."""


class Columns:
    """Which columns hold which fields; what the user names comes before what is recognised."""

    def __init__(self, heading: Sequence[str], named: Mapping[str, str]) -> None:
        self.heading = heading
        self.names = [folded(name) for name in heading]
        self.colors: dict[str, str] = {}
        self.is_own = self.names in (
            [folded(name) for name in columns] for columns in (COLUMNS, OLDER_COLUMNS)
        )
        self.is_trello = {"card id", "card name", "list name"} <= {*self.names}
        self.is_clickup = {"task name", "list name"} <= {*self.names}
        self.places: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        for at, name in enumerate(self.names):
            self._first.setdefault(name, at)
        for field, name in named.items():
            if folded(name) not in self._first:
                raise NotReadable(
                    f"there is no column {quoted(clean.line(name))} among {self._listing()}."
                )
            self._place(field, [folded(name)])
        if self.is_clickup and "stage" not in self.places:
            # The cards are in several lists, and their stages are their statuses.
            stages = ("status" if name == "list name" else name for name in FIELDS["stage"])
            self._place("stage", [*stages])
        for field, names in FIELDS.items():
            if field not in self.places:
                self._place(field, names)
        if "title" not in self.places:
            raise NotReadable(
                f"no column is known as that of titles, of {self._listing()}.",
                hint="Name it: --map title=COLUMN",
            )
        # A list of issues often has one column for both.
        self.has_status = "stage" in self.places
        if not self.has_status and "status" in self.places:
            self.places["stage"] = self.places["status"]
        # Where `_NOTHING` is a text.
        self.verbatim = {*(range(len(heading)) if self.is_own else self.places["title"])}
        # Another id of a card says nothing that the first does not.
        self.silent = {at for at, name in enumerate(self.names) if name in _SILENT}
        if "id" in self.places:
            self.silent |= {at for at, name in enumerate(self.names) if name in FIELDS["id"]}

    def _listing(self) -> str:
        more = " and more" if self.heading[_LISTED:] else ""
        return ", ".join(map(quoted, self.heading[:_LISTED])) + more

    def _place(self, field: str, names: Sequence[str]) -> None:
        # What the user maps is placed first, and is not recognised as something else too.
        taken = {at for places in self.places.values() for at in places}
        candidates = (self._first[name] for name in names if name in self._first)
        free = [at for at in candidates if at not in taken]
        # A card is done if any of the columns says so.
        columns = free if field == "done" else free[:1]
        if field in _SEVERAL and columns:
            name = self.names[columns[0]]
            columns = [at for at, column_name in enumerate(self.names) if column_name == name]
        if columns:
            self.places[field] = columns


class CsvRow:
    """The cells of a row, and which of them the card gets."""

    def __init__(self, columns: Columns, cells: Sequence[str]) -> None:
        self.columns = columns
        self._cells = [
            "" if cell.strip() in _NOTHING and at not in columns.verbatim else cell
            for at, cell in enumerate(cells)
        ]
        self._taken: set[int] = set()
        self._why: dict[int, str] = {}

    def cells(self, field: str) -> Iterator[tuple[int, str]]:
        """Take the cells of a field that are not empty, each with its column."""
        for at in self.columns.places.get(field, ()):
            if at < len(self._cells) and self._cells[at].strip():
                self._taken.add(at)
                yield at, _cell(self._cells[at])

    def several(self, field: str) -> Iterator[str]:
        """Take the texts in the cells of a field."""
        for _, cell in self.cells(field):
            in_brackets = _LIST.fullmatch(cell) if self.columns.is_clickup else None
            yield from _several(in_brackets[1] if in_brackets else cell)

    def text(self, field: str) -> str:
        """Take a field that has one column."""
        return next((text for _, text in self.cells(field)), "")

    def word(self, field: str) -> str:
        """Take a field of one line."""
        return clean.line(self.text(field)).strip()

    def called(self, name: str) -> str:
        """The cell of the column with this folded name, without taking it."""
        names = self.columns.names[: len(self._cells)]
        return _cell(self._cells[names.index(name)]).strip() if name in names else ""

    def leave(self, field: str, why: str = "") -> None:
        """Report a field as lost although it was read, as the card does not get it."""
        for at in self.columns.places.get(field, ()):
            self.leave_column(at, why)

    def leave_column(self, at: int, why: str = "") -> None:
        """Report the cell of a column as lost although it was read."""
        self._taken.discard(at)
        self._why[at] = why

    def not_taken(self) -> Iterator[str]:
        """The columns of which the card does not get the cell, in words."""
        for at, cell in enumerate(self._cells[: len(self.columns.heading)]):
            is_count = self.columns.names[at] in _SILENT_COUNTS and cell.strip() == "0"
            if cell.strip() and not is_count and at not in self._taken | self.columns.silent:
                yield field_called(self.columns.heading[at], self._why.get(at, ""))


def card_of(row: CsvRow, closing: set[str]) -> SheetCard:
    """The card in a row; its stage is added to those that are `closing` if the row says so."""
    own_id, stage = row.word("id"), row.word("stage")
    priority = priority_called(row.word("priority"))
    if priority is None:
        row.leave("priority", NOT_UNDERSTOOD)
    started_at, due_at = _dates(row)
    is_done = _is_done(row, stage)
    if is_done and folded(row.called(_CATEGORY)) == _DONE:
        closing.add(stage)
    return SheetCard(
        row.text("title").strip(),
        key=f"trello {own_id}" if own_id and row.columns.is_trello else own_id,
        stage=stage,
        description=row.text("description"),
        labels=tuple(_labels(row)),
        people=tuple(_people(row)),
        due_at=due_at,
        started_at=started_at,
        priority=priority or Priority.LOW,
        subtasks=tuple(_subtasks(row.text("subtasks"))),
        comments=tuple(_comments(row)),
        is_done=is_done,
        is_archived=_is_archived(row),
        is_template=_is_template(row),
        blocked_by=tuple(_KEYS_APART.split(row.word("blockers"))),
    )


_KEYS_APART = re.compile(r"[,;\s]+")


def _cell(raw: str) -> str:
    # Our own export puts an apostrophe before what a spreadsheet would take for a formula.
    text = raw.replace("\r\n", "\n")
    return text[1:] if _QUOTED_FORMULA.match(text) else text


def _dates(row: CsvRow) -> tuple[datetime | None, datetime | None]:
    # Notion writes from when to when in one cell.
    start, due = row.text("start"), row.text("due")
    if _RANGE not in due or start.strip():
        return _date(row, "start", start), _date(row, "due", due)
    first, _, last = due.partition(_RANGE)
    due_at, started_at = _date(row, "due", last), moment_or_day(first)
    if started_at is None:
        row.leave("due", NOT_UNDERSTOOD)
    return started_at, due_at


def _date(row: CsvRow, field: str, words: str) -> datetime | None:
    # Trello and our own export write times; others may write a day as its midnight.
    is_time = row.columns.is_own or row.columns.is_trello
    at = (moment if is_time else moment_or_day)(words)
    if at is None:
        row.leave(field, NOT_UNDERSTOOD)
    return at


def _is_done(row: CsvRow, stage: str) -> bool:
    # What Jira says of a status comes before all else.
    says = [_says_done(row, at, cell) for at, cell in row.cells("done")]
    category = folded(row.called(_CATEGORY))
    is_done = category == _DONE if category else any(says)
    status = folded(row.word("status")) if row.columns.has_status else ""
    if not status:
        return is_done or (not category and says_done(stage))
    if says_done(status) or status in YES:
        return True
    if status not in OPEN | NO:
        row.leave("status")
    return is_done


def _says_done(row: CsvRow, at: int, cell: str) -> bool:
    # A date says so too, and is listed, as a card does not get it.
    words, name = folded(cell), row.columns.names[at]
    if words in NO or (name == _CATEGORY and words in OPEN):
        return False
    if words in YES or says_done(cell):
        return True
    is_date = _is_date(cell)
    row.leave_column(at, DATE_ALONE if is_date else "")
    return is_date or name == _RESOLUTION


def _is_date(words: str) -> bool:
    return moment(words) is not None or _DATED.match(words.strip()) is not None


def _is_archived(row: CsvRow) -> bool:
    words = row.word("archived")
    is_date = _is_date(words)
    if is_date or folded(words) not in YES | NO:
        row.leave("archived", DATE_ALONE if is_date else "")
    return is_date or folded(words) in YES


def _is_template(row: CsvRow) -> bool:
    words = folded(row.word("template"))
    if words not in YES | NO:
        row.leave("template")
    return words in YES


def _labels(row: CsvRow) -> Iterator[str]:
    for label in row.several("labels"):
        colored = _COLORED.fullmatch(label) if row.columns.is_trello else None
        color = ""
        if colored:
            name = f"dark {colored[2]}" if colored[3] == "dark" else colored[2]
            color = COLORS.get("grey" if name == "black" else name, "")
        if colored and color:
            title = colored[1].strip() or name
            row.columns.colors[title] = color
            yield title
        else:
            yield label


def _people(row: CsvRow) -> Iterator[tuple[str, ...]]:
    names, emails = list(row.several("assignees")), list(row.several("emails"))
    if not names:
        yield from ((email,) for email in emails)
    elif len(names) == len(emails):
        yield from zip(names, emails, strict=True)
    else:
        row.leave("emails")
        yield from ((name,) for name in names)


def _comments(row: CsvRow) -> Iterator[SheetComment]:
    for at, cell in row.cells("comments"):
        written = _COMMENT.fullmatch(cell)
        when = moment(written[1]) if written else None
        if written and when:
            yield SheetComment(written[3], written[2].strip(), when)
        elif cell.strip().isdecimal():  # how many there are
            row.leave_column(at)
        else:
            yield SheetComment(cell)


def _several(cell: str) -> list[str]:
    # Other programs separate them by commas.
    cell = cell if ";" in cell or "\\" in cell else cell.replace(",", ";")
    parts = (re.sub(r"\\(.)", r"\1", part[0], flags=re.DOTALL) for part in _PART.finditer(cell))
    return [part for raw in parts if (part := raw.strip())]


def _subtasks(cell: str) -> Iterator[SheetSubtask]:
    group = ""
    # Planner writes them in one line.
    sign = ";" if "\n" not in cell and not _BOX.match(cell) else "\n"
    for line in cell.split(sign):
        if box := _BOX.match(line):
            yield SheetSubtask(line[box.end() :], box[1] in "xX", group)
        elif line.endswith(":"):
            group = line[:-1].removeprefix("\\")
        elif line.strip():
            yield SheetSubtask(line, group=group)
