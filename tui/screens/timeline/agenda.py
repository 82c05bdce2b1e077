"""The rows of an agenda: the headings of its days, its columns and what is in them."""

from datetime import date, datetime
from typing import NamedTuple

from tui.model.people import Account, Initials, in_initials
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Task
from tui.model.timeline.rows import AgendaDay, DatedRow, DateKind
from tui.model.urgency import is_overdue
from tui.screens.timeline.drawing import short_day
from tui.text.cells import width as cell_width
from tui.text.dates import customs, day_in_words, overdue
from tui.widgets import glyphs
from tui.widgets.painted import Line, fitted
from tui.widgets.row_list import TABLE_WIDTH, Heading, ListColumn, columns_line

_WORDS = {
    DateKind.DUE: (f"{glyphs.MARK} due", "text"),
    DateKind.START: (f"{glyphs.RIGHT} start", "quiet"),
}
_HERE = 50
"""Below this width a kind is its sign alone."""
_TITLE = ListColumn("title", gap=2)
COLUMNS = (
    ListColumn("", width=1),
    ListColumn("day", width=8, gap=1, least=_HERE),
    ListColumn("", width=2, most=_HERE - 1),
    ListColumn("#", width=7, role="quiet", align="right", gap=2),
    _TITLE,
    ListColumn("stage", width=19, role="quiet", gap=1, least=_HERE, wide=40),
    ListColumn("who", width=6, gap=1, least=70),
    ListColumn("due", width=12),
)
"""What a narrow agenda leaves out: who below 70 cells, the stage below 50."""


def heading(row: DatedRow, count: int, now: datetime) -> Heading:
    """The heading of the day of a row, or of its group, with the number of rows."""
    if not isinstance(row.group, date):
        name = row.group.value if isinstance(row.group, AgendaDay) else row.group
        role = "bad" if row.group is AgendaDay.OVERDUE else "strong"
        return Heading(name, (), role, str(count))
    day = f"{row.group:%a} {row.group}"
    if not customs.get().is_iso:
        day = day_in_words(row.group, now.year)
    if row.group == now.date():
        return Heading(f"Today {day}", (), "warn", str(count))
    return Heading(day, (), "strong", str(count))


class AgendaDrawing(NamedTuple):
    """Draws the rows of an agenda at a time, for a user of a board with these initials."""

    now: datetime
    me: Account
    initials: Initials
    relations: Relations = NO_RELATIONS

    def line(self, row: DatedRow, shifted: Task, width: int) -> Line:
        """A row; `shifted` is the card with the dates that it would have after a drop."""
        task = row.task
        kind, role = _WORDS.get(row.kind, ("", "quiet"))
        return columns_line(
            COLUMNS,
            (
                "",
                ((kind, role),),
                ((kind[:1], role),),
                "new" if task.is_local else f"#{task.id}",
                _title(task, width, self.relations.what_blocks(task)),
                row.place,
                self._who(task),
                _due(row, shifted, self.now),
            ),
            width,
        )

    def _who(self, task: Task) -> Line:
        if not task.assignees:
            return ((glyphs.NOBODY, "quiet"),)
        first, more = task.assignees[0], len(task.assignees) - 1
        name = in_initials([first], self.initials)[0]
        role = "accent" if self.me.is_of(first) else "text"
        return ((name, role), (f" +{more}" if more else "", "quiet"))


def _title(task: Task, width: int, what_blocks: str) -> Line:
    # That a card is blocked is never cut.
    if not what_blocks:
        return ((task.title, "text"),)
    shown = (column for column in COLUMNS if column.least <= width <= column.most)
    room = min(width, TABLE_WIDTH) - sum(column.room(width) for column in shown) - _TITLE.gap
    sign = f" {glyphs.BLOCKED} {what_blocks}"
    return (*fitted([(task.title, "text")], max(1, room - cell_width(sign)), "text"), (sign, "bad"))


def _due(row: DatedRow, shifted: Task, now: datetime) -> Line:
    task = row.task
    if shifted is not task:
        at = shifted.started_at if row.kind is DateKind.START else shifted.due_at
        return (("" if at is None else short_day(at.date()), "accent"),)
    if task.due_at is None or row.kind is not DateKind.DUE:
        return (("", "quiet"),)
    if is_overdue(task, now):
        return ((overdue(task.due_at, now), "bad"),)
    is_today = task.due_at.date() == now.date()
    return ((f"{task.due_at:%H:%M}" if is_today else "", "warn"),)
