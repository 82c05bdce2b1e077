"""The texts of the bar and the status line of a board, and what cards and subtasks show alike."""

from collections.abc import Sequence
from datetime import datetime

from tui.actions.tasks.refresh import AGAIN, trouble_hint
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift
from tui.model.moving.stage_lift import StageLift
from tui.model.people import Initials, in_initials
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming, open_and_overdue
from tui.store.events import Loading, SyncStatus
from tui.text.cells import cut
from tui.text.clean import counted
from tui.text.dates import local, relative
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, line_width

TITLE_WIDTH = 48
MANY = 10
"""From this many pending changes on, the number of those sent is shown."""

MINUTE, HOUR, DAY = 60, 3600, 86400

_LEAST_TITLE, _MOST_TITLE = 8, 36
"""How many cells of the title of a lifted card are shown."""
_LEAST_SIZE = 50_000
"""Bytes; a smaller size would be shown as 0.0 MB."""


def board_line(
    view: BoardView,
    status: SyncStatus,
    chips: Sequence[Span],
    now: datetime,
    news: int = 0,
    *,
    is_read_only: bool = False,
) -> tuple[Line, Line]:
    """The bar: the board and its counts; at the right the filter, sync status and age.

    `chips` are the terms of the filter, `news` is the number of cards with unseen remote changes.
    """
    left: list[Span] = [(f" {cut(view.board.title, TITLE_WIDTH)}", "name")]
    if is_read_only:
        left.append(("   read only: you are a viewer", "warning"))
    if view.stages and not view.complete:
        cards = sum(view.count(stage.id) for stage in view.stages)
        left.append((f"   {view.board.type} · {counted(cards, 'card')}", "quiet"))
    elif view.stages:
        opened, late = open_and_overdue(view, now)
        left.append((f"   {view.board.type} · {opened} open", "quiet"))
        left.append((f" · {late} overdue" if late else "", "warning"))
    right = list(chips)
    if news:
        right.append((f"{glyphs.NEWS}{news} ", "heard"))
    right.extend(sync_words(status, now))
    return tuple(left), (*right, (" ", "said"))


def sync_words(status: SyncStatus, now: datetime) -> list[Span]:
    """The pending changes, the connection and the age of the data."""
    words = waiting_words(status)
    seen = ""
    if status.checked_at is not None:
        checked = local(status.checked_at)
        seen = age((now - checked).total_seconds())
    if status.problem:
        words.append(("offline", "error"))
        words.append((f" · seen {seen} ago" if seen else " · from the cache", "quiet"))
    elif seen:
        words.append((f"{glyphs.DONE} {seen}", "good"))
    else:
        words.append(("from the cache", "quiet"))
    return words


def waiting_words(status: SyncStatus) -> list[Span]:
    """How many pending changes need the user, and how many are being sent."""
    words: list[Span] = []
    if status.need_attention:
        need = "needs" if status.need_attention == 1 else "need"
        words.append((f"{glyphs.NEEDS_YOU}{status.need_attention} {need} you ", "error"))
    if status.to_send >= MANY and status.sent:
        words.append((f"{glyphs.ON_THE_WAY}{status.sent} of {status.to_send} ", "warning"))
    elif status.pending:
        words.append((f"{glyphs.ON_THE_WAY}{status.pending} ", "warning"))
    return words


def loading_line(loading: Loading) -> Line:
    """The progress of the first load of a board, or how far it came before it stopped."""
    tasks = f"{loading.tasks:,} task{'' if loading.tasks == 1 else 's'}"
    if loading.is_stopped:
        here = f"{tasks} came before the board stopped loading" if loading.tasks else "not loaded"
        hint = keyed("  {board.refresh:R} loads the board")
        return ((f" {here[0].upper()}{here[1:]}", "warning"), (hint, "quiet"))
    size = f", {loading.size / 1_000_000:.1f} MB" if loading.size >= _LEAST_SIZE else ""
    came = f"{tasks}{size}" if loading.tasks else "the board"
    return ((f" Loading {came} …", "quiet"),)


def trouble_line(status: SyncStatus, again: str = AGAIN) -> Line | None:
    """The connection problem and what to press; None if there is none."""
    if not status.problem:
        return None
    return ((f" {status.problem}", "error"), (f"  {trouble_hint(status, again)}", "quiet"))


def age(seconds: float) -> str:
    """An age in seconds (in steps of five), minutes, hours or days."""
    if seconds < MINUTE:
        return f"{max(0, int(seconds // 5) * 5)}s"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)}m"
    return f"{int(seconds // HOUR)}h" if seconds < DAY else f"{int(seconds // DAY)}d"


def drop_or_cancel(drop: str = "{task.open:↵}", cancel: str = "{board.back:esc}") -> Line:
    """The keys that end a move, in the status line."""
    return (
        (f"   {keyed(drop)}", "key"), (" drop  ", "quiet"),
        (keyed(cancel), "key"), (" cancel", "quiet"),
    )  # fmt: skip


def moving_line(
    lifted: Lift, grid: Grid, whole: BoardView, becomes: str = "", width: int = 120
) -> Line:
    """The status line of a move: the lifted cards, target, origin, and keys to drop or cancel.

    `becomes` is what the cards become in the lane of the target. The title is cut first.
    """
    over, home = grid.stage_of(lifted), grid.cells.stage(lifted.home_stage_id)
    count = len(lift.others(lifted, grid.cells, lifted.stage_id)) + len(lifted.tasks)
    hidden = lift.hidden_between(lifted, grid.cells, whole.in_stage(over.id))
    rest: Line = (
        (f"  {glyphs.ARROW}  {over.title} {lifted.row + 1}/{count}", "name"),
        (f" · {becomes}" if becomes else "", "name"),
        (f"   {hidden} hidden between" if hidden else "", "warning"),
        (f"   from {home.title} {lifted.home_row + 1}" if home and not becomes else "", "quiet"),
        *drop_or_cancel(),
    )
    room = width - line_width(rest) - len(" MOVING “”")
    what = f"“{cut(lifted.tasks[0].title, max(_LEAST_TITLE, min(room, _MOST_TITLE)))}”"
    if len(lifted.tasks) > 1:
        what = f"{len(lifted.tasks)} cards"
    return (f" MOVING {what}", "hand"), *rest


def moving_stage_line(lifted: StageLift, shown: BoardView) -> Line:
    """The status line of a lifted column: its place among the others, and the keys."""
    stage = shown.stage(lifted.stage_id)
    return (
        (f" MOVING stage “{cut(stage.title if stage else '', 36)}”", "hand"),
        (f"  {glyphs.ARROW}  {lifted.index + 1}/{len(shown.stages)}", "name"),
        *drop_or_cancel(),
    )


def edge(*, is_current: bool, is_marked: bool) -> Span:
    """The first cell of a line: the bar of the cursor, a mark, or a blank."""
    if is_current:
        return glyphs.BAR, "mark" if is_marked else "bar"
    return (glyphs.MARK, "mark") if is_marked else (" ", "meta")


def priority(task: Task) -> list[Span]:
    """The sign of the priority; none for low, the usual one."""
    if task.priority is Priority.HIGH:
        return [(glyphs.HIGH, "high")]
    return [(glyphs.MEDIUM, "meta")] if task.priority is Priority.MEDIUM else []


def due(task: Task, now: datetime) -> list[Span]:
    """The due date relative to now; none for a closed task."""
    if task.due_at is None or task.is_closed:
        return []
    when = relative(task.due_at, now)
    if is_overdue(task, now):
        return [(f"·{when}·", "late")]
    return [(when, "soon" if is_upcoming(task, now) else "meta")]


def people(task: Task, initials: Initials, most: int) -> list[Span]:
    """The initials of the first assignees, and the number of others; none without any."""
    named = in_initials(task.assignees[:most], initials)
    more = len(task.assignees) - len(named)
    return [(" ".join(named) + (f"+{more}" if more else ""), "people")] if named else []
