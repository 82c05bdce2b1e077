"""Pending changes as rows of a list.

Those that need the user come first. A row has the card and the change; the line below it says what
has no room there, and why the change was not accepted.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from tui.actions.availability import READ_ONLY
from tui.store.events import PendingChange, PendingState
from tui.store.protocol import Store
from tui.text.cells import cut
from tui.text.clean import quoted
from tui.text.dates import elapsed, local
from tui.text.keyed import keyed
from tui.text.spans import Span, wrap
from tui.widgets import glyphs
from tui.widgets.painted import Line
from tui.widgets.row_list import TABLE_WIDTH, Heading, ListColumn, columns_line

_SIDE = 30
_MOST_SIDES = 2
_WIDE = 100
"""From this width on the card has a column of its own beside the change."""
COLUMNS = (
    ListColumn("", width=3),
    ListColumn("#", width=6, role="quiet", align="right", gap=1),
    ListColumn("card", width=34, gap=1, least=_WIDE, wide=60),
    ListColumn("change", gap=1),
    ListColumn("board", width=16, role="quiet", gap=1, least=_WIDE),
    ListColumn("since", width=17, role="quiet", gap=1, least=_WIDE),
    ListColumn("age", width=9, role="quiet", align="right", gap=1, least=50),
)


class Prospect(NamedTuple):
    """What will become of a change, or what is to be decided about it.

    `heading` and `keys` stand above all such changes, `text` and `hint` are the message on one.
    """

    heading: str
    text: str
    hint: str = ""
    keys: str = ""
    is_going: bool = False


class PendingRow(NamedTuple):
    """A change, or a text about changes that may be lost, with the heading of its group.

    `title` is that of the card, `board` is empty if all changes are of one board.
    """

    heading: Heading
    text: str
    change: PendingChange | None = None
    title: str = ""
    board: str = ""

    @property
    def what(self) -> str:
        """The change, without the title of the card that has a column of its own."""
        name = quoted(self.title)
        for words in (f" of {name}", f" on {name}", f" {name}") if self.title else ():
            if words in self.text:
                return self.text.replace(words, "", 1)
        return self.text


_CHECKS_AGAIN = "{waiting.retry:r} to check again · {waiting.discard:D} to discard it"
_SENDS_AGAIN = "{waiting.retry:r} to send it again · {waiting.discard:D} to discard it"
_KEPT = Prospect("kept until you open it without read-only mode", READ_ONLY)
_STUCK = {
    PendingState.CONFLICT: Prospect(
        "conflict: someone else changed it too",
        "conflict: someone else changed it too",
        "{rows.open:↵} to show both sides",
        "{rows.open:↵} to show both sides · {waiting.discard:D} to keep theirs",
    ),
    PendingState.UNSURE: Prospect(
        "may have arrived, please check",
        "it may have arrived already",
        _CHECKS_AGAIN,
        _CHECKS_AGAIN,
    ),
    PendingState.REFUSED: Prospect(
        "refused", "the service refused this", _SENDS_AGAIN, _SENDS_AGAIN
    ),
}
"""What is to be decided, by state."""
_ORDER = (*_STUCK, PendingState.SENDING, PendingState.WAITING)


def prospect(change: PendingChange, store: Store) -> Prospect:
    """What will become of a change."""
    status, is_read_only = store.status(change.board_id), store.is_read_only
    settled = _STUCK.get(change.state, _KEPT if is_read_only else None)
    if settled is not None:
        return settled
    undo = "{board.undo:u} on its board to undo it"
    if status.problem and status.remedy:
        heading = "not sent until you decide"
        return Prospect(heading, status.problem, status.remedy, status.remedy)
    if status.problem:
        return Prospect(
            "waiting for the connection, nothing to do",
            "waiting for the connection",
            f"{{waiting.retry-all:R}} to retry now · {undo}",
        )
    if change.after:
        heading = "waiting for another change, nothing to do"
        if change.is_after_unsure:
            heading = "waiting for a change that you have to check"
        return Prospect(heading, f"sent after another change: {_short(change.after)}", undo)
    if change.reason:
        return Prospect(
            "retried automatically, nothing to do",
            "this is retried automatically",
            "{waiting.retry:r} to retry now · {waiting.discard:D} to discard it",
        )
    return Prospect("being sent, nothing to do", "this is being sent", undo, is_going=True)


def rows_of(store: Store) -> list[PendingRow]:
    """What may be lost, and the changes in groups, those that need the user first.

    Each group is oldest first.
    """
    waiting, losses = store.pending(), store.losses()
    is_of_several = len({change.board_id for change in waiting}) > 1
    boards = {board.id: board.title for board in store.boards()} if is_of_several else {}
    groups: dict[tuple[str, str], list[PendingChange]] = {}
    for change in sorted(waiting, key=lambda change: _ORDER.index(change.state)):
        coming = prospect(change, store)
        groups.setdefault((coming.heading, coming.keys), []).append(change)
    note: Line = ((keyed("{waiting.acknowledge:a} to remove this notice"), "quiet"),)
    title = f"{glyphs.NEEDS_YOU} may be lost: check the boards  {len(losses)}"
    rows = [PendingRow(Heading(title, note), text) for text in losses]
    for (title, keys), changes in groups.items():
        sign = glyphs.NEEDS_YOU if changes[0].needs_attention else glyphs.ON_THE_WAY
        note = ((keyed(keys), "quiet"),) if keys else ()
        heading = Heading(f"{sign} {title}  {len(changes)}", note)
        for change in changes:
            view, task_id = store.board(change.board_id), change.operation.task_id
            task = view.task(task_id) if view is not None and task_id is not None else None
            via = f", via {change.origin}" if change.origin else ""
            text, board = f"{change.operation.describe()}{via}", boards.get(change.board_id, "")
            rows.append(PendingRow(heading, text, change, task.title if task else "", board))
    return rows


def line_of(row: PendingRow, columns: Sequence[ListColumn], width: int, now: datetime) -> Line:
    """The line of a row of a width."""
    change = row.change
    _, (first_line, *_) = _place(row, columns, width)
    if change is None:
        return ((f"{glyphs.NEEDS_YOU}  ", "bad"), (first_line, "text"))
    number, then = change.operation.task_id, local(change.since)
    sign = (glyphs.NEEDS_YOU, "bad") if change.needs_attention else (glyphs.ON_THE_WAY, "quiet")
    cells: tuple[str | Line, ...] = (
        (sign, ("", "text")),
        f"#{number}" if number is not None and number > 0 else "",
        row.title,
        first_line,
        row.board,
        f"{then:%H:%M}" if then.date() == now.date() else f"{then:%a %d %b %H:%M}",
        elapsed(then, now).removesuffix(" ago"),
    )
    pairs = [pair for pair in zip(COLUMNS, cells, strict=True) if pair[0] in columns]
    return columns_line(columns, [cell for _, cell in pairs], width)


def below_of(
    row: PendingRow, columns: Sequence[ListColumn], width: int, store: Store
) -> list[Line]:
    """The lines below that of a row: the rest of a long change, and why it was not accepted."""
    change = row.change
    indent, (_, *continuation) = _place(row, columns, width)
    lines: list[Line] = [((f"{' ' * indent}{line}", "text"),) for line in continuation]
    if change is None:
        return lines
    reason = _reason(change, "" if store.is_read_only else store.status(change.board_id).problem)
    if reason:
        begin = f"{' ' * sum(column.width for column in COLUMNS[:2])} └ "
        for line in folded(reason, width - len(begin)):
            lines.append(((begin, "quiet"), (line, "alert" if change.needs_attention else "quiet")))
            begin = " " * len(begin)
    return lines


def _place(row: PendingRow, columns: Sequence[ListColumn], width: int) -> tuple[int, list[str]]:
    # The indent of the lines that continue the text of a row, and the lines of that text.
    if row.change is None:
        return 4, folded(row.text, width - 4)
    shown = [column for column in columns if column.least <= width]
    place = [column.name for column in shown].index("change")
    rooms = [column.room(width) for column in shown]
    room = min(width, TABLE_WIDTH) - sum(rooms) - shown[place].gap
    indent = sum(rooms[:place]) + 1
    return indent, folded(row.what if width >= _WIDE else row.text, room)


def _reason(change: PendingChange, problem: str) -> str:
    reason = change.reason
    if change.differences:
        sides = [
            f"{side.field}: mine “{_short(side.ours)}”, theirs “{_short(side.current)}”"
            for side in change.differences[:_MOST_SIDES]
        ]
        more = len(change.differences) - _MOST_SIDES
        reason = " · ".join(sides + ([f"{more} more"] if more > 0 else []))
    elif change.state is PendingState.SENDING:
        reason = "trying now" if problem else "being sent now"
    elif change.state is PendingState.WAITING and change.after:
        reason = f"waits for: {_short(change.after)}"
    tries = f"tried {change.attempts} times" if change.attempts > 1 else ""
    return " · ".join(filter(None, (reason, tries)))


def _short(value: str) -> str:
    return cut(" ".join(value.split()), _SIDE)


def folded(text: str, width: int) -> list[str]:
    """A text wrapped to a width, at least one line."""
    lines = wrap([Span(" ".join(text.split()))], max(10, width))
    return ["".join(span.text for span in line) for line in lines] or [""]
