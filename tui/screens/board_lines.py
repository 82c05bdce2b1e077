"""The texts of the bar and the status line of a board, and what cards and subtasks show alike."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tui.actions.tasks.refresh import AGAIN, trouble_hint
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift
from tui.model.moving.stage_lift import StageLift
from tui.model.people import Initials, in_initials
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming, summary
from tui.store.events import Loading, SyncStatus
from tui.text.cells import cut, width as cell_width
from tui.text.clean import counted
from tui.text.dates import local, relative
from tui.text.keyed import keyed
from tui.tour import is_tour
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, fitted, line_width

TITLE_WIDTH = 48
WIDE = 100
"""From this width on, counts at the right of the bar have words."""
OLD_SECONDS = 600.0
"""When the last answer of the service is so long ago, its age is shown."""
MANY = 10
"""From this many pending changes on, the number of those sent is shown."""

MINUTE, HOUR, DAY = 60, 3600, 86400

_LEAST_TITLE, _MOST_TITLE = 8, 36
"""How many cells of the title of a lifted card are shown."""
_BETWEEN: Span = ("  ", "quiet")
_LEAST_SIZE = 50_000
"""Bytes; a smaller size would be shown as 0.0 MB."""


def board_line(
    view: BoardView,
    status: SyncStatus,
    chips: Sequence[Span],
    now: datetime,
    width: int,
    *,
    marks: int = 0,
    news: int = 0,
    is_read_only: bool = False,
) -> tuple[Line, Line]:
    """The bar: the board and how it stands; at the right marks, news, filter and sync status.

    `chips` are the terms of the filter, `news` is the number of cards with unseen remote changes.
    The last counts are left out where there is no room for them.
    """
    is_wide = width >= WIDE
    right: list[Span] = []
    if marks:
        right.append((f"{glyphs.MARK}{f' {marks} marked' if is_wide else marks}  ", "warn"))
    if news:
        right.append((f"{glyphs.NEWS}{f' {news} new' if is_wide else news}  ", "news"))
    right += [*chips, *sync_words(status, now), (" ", "text")]
    left: list[Span] = [(f" {cut(view.board.title, TITLE_WIDTH)} ", "place")]
    if is_read_only:
        left.append(("  read only: you are a viewer", "warn"))
    room = width - line_width(left) - line_width(right)
    gap = " "
    for words, role in _summary_words(view, now):
        room -= len(gap) + cell_width(words)
        if room < 0:
            break
        left.append((f"{gap}{words}", role))
        gap = "  "
    return tuple(left), tuple(right)


def _summary_words(view: BoardView, now: datetime) -> list[Span]:
    if not view.stages:
        return []
    if not view.complete:
        cards = sum(view.count(stage.id) for stage in view.stages)
        return [(counted(cards, "card"), "strong")]
    if is_tour(view):
        tasks = [*view.all_tasks()]
        return [(f"{sum(task.is_closed for task in tasks)} of {len(tasks)} tried", "strong")]
    counts = summary(view, now)
    words: list[Span] = [(f"{counts.open} open", "strong")]
    if counts.blocked:
        words.append((f"{glyphs.BLOCKED} {counts.blocked} blocked", "alert"))
    if counts.late:
        words.append((f"{counts.late} late", "bad"))
    if counts.due_this_week:
        words.append((f"{counts.due_this_week} due this week", "warn"))
    if counts.over_limit:
        words.append((f"{counts.over_limit} over limit", "warn"))
    return words


def sync_words(status: SyncStatus, now: datetime) -> list[Span]:
    """The pending changes and the connection; the age of the data if it is old."""
    words = waiting_words(status)
    seconds = 0.0
    if status.checked_at is not None:
        seconds = (now - local(status.checked_at)).total_seconds()
    if status.problem:
        since = f" {age(seconds)}" if status.checked_at is not None else ""
        words.append((f" offline{since} ", "blocked"))
    elif status.checked_at is None:
        words.append(("from the cache", "quiet"))
    elif seconds >= OLD_SECONDS:
        words.append((f"{glyphs.DONE} {age(seconds)} ago", "quiet"))
    elif not words:
        words.append((f"{glyphs.DONE} synced", "good"))
    return words


def waiting_words(status: SyncStatus) -> list[Span]:
    """How many pending changes need the user, and how many are being sent."""
    words: list[Span] = []
    if status.need_attention:
        need = "needs" if status.need_attention == 1 else "need"
        words.append((f"{glyphs.NEEDS_YOU} {status.need_attention} {need} you ", "bad"))
    if status.to_send >= MANY and status.sent:
        words.append((f"{glyphs.ON_THE_WAY} {status.sent} of {status.to_send} ", "warn"))
    elif status.pending:
        words.append((f"{glyphs.ON_THE_WAY} {status.pending} waiting ", "warn"))
    return words


def loading_line(loading: Loading) -> Line:
    """The progress of the first load of a board, or how far it came before it stopped."""
    tasks = f"{loading.tasks:,} task{'' if loading.tasks == 1 else 's'}"
    if loading.is_stopped:
        here = f"{tasks} came before the board stopped loading" if loading.tasks else "not loaded"
        hint = keyed("  {board.refresh:R} loads the board")
        return ((f" {here[0].upper()}{here[1:]}", "warn"), (hint, "quiet"))
    size = f", {loading.size / 1_000_000:.1f} MB" if loading.size >= _LEAST_SIZE else ""
    came = f"{tasks}{size}" if loading.tasks else "the board"
    return ((f" Loading {came} …", "quiet"),)


def trouble_line(status: SyncStatus, again: str = AGAIN) -> Line | None:
    """The connection problem and what to press; None if there is none."""
    if not status.problem:
        return None
    return ((f" {status.problem}", "bad"), (f"  {trouble_hint(status, again)}", "quiet"))


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
    """The status line of a move: the lifted cards, target and origin.

    `becomes` is what the cards become in the lane of the target. The title is cut first.
    """
    over, home = grid.stage_of(lifted), grid.cells.stage(lifted.home_stage_id)
    count = len(lift.others(lifted, grid.cells, lifted.stage_id)) + len(lifted.tasks)
    hidden = lift.hidden_between(lifted, grid.cells, whole.in_stage(over.id))
    rest: Line = (
        (f"  {glyphs.ARROW}  {over.title} {lifted.row + 1}/{count}", "strong"),
        (f" · {becomes}" if becomes else "", "strong"),
        (f"   {hidden} hidden between" if hidden else "", "warn"),
        (f"   from {home.title} {lifted.home_row + 1}" if home and not becomes else "", "quiet"),
    )
    room = width - line_width(rest) - len(" MOVING “”")
    what = f"“{cut(lifted.tasks[0].title, max(_LEAST_TITLE, min(room, _MOST_TITLE)))}”"
    if len(lifted.tasks) > 1:
        what = f"{len(lifted.tasks)} cards"
    return (f" MOVING {what}", "hand"), *rest


def moving_stage_line(lifted: StageLift, shown: BoardView) -> Line:
    """The status line of a lifted column: its place among the others."""
    stage = shown.stage(lifted.stage_id)
    return (
        (f" MOVING stage “{cut(stage.title if stage else '', 36)}”", "hand"),
        (f"  {glyphs.ARROW}  {lifted.index + 1}/{len(shown.stages)}", "strong"),
    )


def edge(*, is_current: bool, is_marked: bool) -> Span:
    """The first cell of a line: the bar of the cursor, a mark, or a blank."""
    if is_current:
        return glyphs.BAR, "mark" if is_marked else "accent"
    return (glyphs.MARK, "mark") if is_marked else (" ", "quiet")


def priority(task: Task) -> list[Span]:
    """The sign of the priority; none for low, the usual one."""
    if task.priority is Priority.HIGH:
        return [(glyphs.HIGH, "strong")]
    return [(glyphs.MEDIUM, "quiet")] if task.priority is Priority.MEDIUM else []


def due(task: Task, now: datetime) -> list[Span]:
    """The due date relative to now; none for a closed task."""
    if task.due_at is None or task.is_closed:
        return []
    when = relative(task.due_at, now)
    if is_overdue(task, now):
        return [(f"·{when}·", "bad")]
    return [(when, "warn" if is_upcoming(task, now) else "quiet")]


def people(task: Task, initials: Initials, most: int) -> list[Span]:
    """The initials of the first assignees, and the number of others; none without any."""
    named = in_initials(task.assignees[:most], initials)
    more = len(task.assignees) - len(named)
    return [(" ".join(named) + (f"+{more}" if more else ""), "text")] if named else []


def wrapped(chips: Iterable[Line], width: int, most: int) -> list[Line]:
    """Short pieces of text side by side, in at most so many lines of exactly `width` cells."""
    lines: list[list[Span]] = []
    room = 0
    for chip in chips:
        needed = line_width((_BETWEEN, *chip))
        if lines and needed <= room:
            lines[-1] += [_BETWEEN, *chip]
            room -= needed
        else:
            lines.append(list(chip))
            room = width - needed + cell_width(_BETWEEN[0])
    return [fitted(spans, width, "quiet") for spans in lines[:most]]
