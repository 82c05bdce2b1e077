"""The texts of the bar and the status line of a board, and what cards and subtasks show alike."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tui.actions.tasks.refresh import AGAIN, trouble
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift
from tui.model.moving.stage_lift import StageLift
from tui.model.people import Initials, in_initials
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming, summary
from tui.model.work.agents import agents_on
from tui.store.events import Loading, SyncStatus
from tui.store.protocol import Store
from tui.text.cells import cut, width as cell_width
from tui.text.clean import counted
from tui.text.dates import local, relative
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Notice
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
"""How much of the title of a lifted card is shown at least, and of that of a column at most."""
_BETWEEN: Span = ("  ", "quiet")
_SYNCED: Span = (f"{glyphs.DONE} synced", "good")
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
    shown: tuple[int, int] | None = None,
    tutorial: tuple[int, int] | None = None,
    is_local: bool = False,
    relations: Relations = NO_RELATIONS,
) -> tuple[Line, Line]:
    """The bar: the board and how it stands; at the right marks, news, filter and sync status.

    `chips` are the terms of the filter, `shown` is how many cards it shows and of how many, `news`
    is the number of cards with unseen remote changes, `tutorial` how many lessons are done and of
    how many. The last counts are left out where there is no room for them, and before the title is
    cut the words at the right are shortened.
    """
    is_wide = width >= WIDE
    left: list[Span] = [(f" {cut(view.board.title, TITLE_WIDTH)} ", "place")]
    marked: list[Span] = []
    if marks:
        marked.append((f"{glyphs.MARK}{f' {marks} marked' if is_wide else marks}  ", "warn"))
    if news:
        marked.append((f"{glyphs.NEWS}{f' {news} new' if is_wide else news}  ", "news"))
    sync = sync_words(status, now)
    if is_local and tutorial is not None and sync == [_SYNCED]:
        sync = [("kept on this machine", "quiet")]
    if (agents := len(agents_on(view))) and view.complete:
        words = f" {counted(agents, 'agent')}" if is_wide else str(agents)
        marked.append((f"{glyphs.AGENT}{words}  ", "strong"))
    right = [*marked, *chips, *sync, (" ", "text")]
    if line_width((*left, *right)) > width:
        right = [*marked, *chips, *sync_words(status, now, is_short=True), (" ", "text")]
    if line_width((*left, *right)) > width:
        right = right[len(marked) :]
    if is_read_only:
        left.append(("  read only: you are a viewer", "warn"))
    room = width - 1 - line_width(left) - line_width(right)
    gap = " "
    for words, role in _summary_words(view, now, shown, tutorial, relations):
        room -= len(gap) + cell_width(words)
        if room < 0:
            break
        left.append((f"{gap}{words}", role))
        gap = "  "
    return tuple(left), tuple(right)


def _summary_words(
    view: BoardView,
    now: datetime,
    shown: tuple[int, int] | None,
    tutorial: tuple[int, int] | None,
    relations: Relations,
) -> list[Span]:
    if not view.stages:
        return []
    if shown is not None:
        return [(f"{shown[0]} of {shown[1]} shown", "warn")]
    if not view.complete:
        cards = sum(view.count(stage.id) for stage in view.stages)
        return [(counted(cards, "card"), "strong")]
    if view.is_empty:
        return [("no cards yet", "quiet")]
    if tutorial is not None:
        return [(f"{tutorial[0]} of {tutorial[1]} done", "strong")]
    counts = summary(view, now)
    words: list[Span] = [(f"{counts.open} open", "strong")]
    if blocked := counts.blocked + relations.blocked_on(view.board.id):
        words.append((f"{glyphs.BLOCKED} {blocked} blocked", "alert"))
    if counts.late:
        words.append((f"{counts.late} overdue", "bad"))
    if counts.due_this_week:
        words.append((f"{counts.due_this_week} due this week", "warn"))
    if counts.over_limit:
        words.append((f"{counts.over_limit} over limit", "warn"))
    return words


def in_trouble(status: SyncStatus) -> str:
    """What a board with a problem is called: one failed request is not a lost connection."""
    return "not synced" if status.is_reached else "offline"


def sync_words(status: SyncStatus, now: datetime, *, is_short: bool = False) -> list[Span]:
    """The pending changes and the connection; the age of the data if it is old."""
    words = waiting_words(status, is_short=is_short)
    seconds = 0.0
    if status.checked_at is not None:
        seconds = (now - local(status.checked_at)).total_seconds()
    if status.problem:
        since = f" {age(seconds)}" if status.checked_at is not None and not is_short else ""
        words.append((f" {in_trouble(status)}{since} ", "blocked"))
    elif status.checked_at is None:
        words.append(("from the cache", "quiet"))
    elif seconds >= OLD_SECONDS:
        words.append((f"{glyphs.DONE} {age(seconds)} ago", "quiet"))
    elif not words:
        words.append(_SYNCED)
    return words


def status_of(store: Store, board_ids: Iterable[int]) -> SyncStatus:
    """How several boards stand together, as old as the one that was checked longest ago.

    One with a local id is not known to the service yet.
    """
    times = [store.status(board_id).checked_at for board_id in board_ids if board_id > 0]
    known = [at for at in times if at is not None]
    status = store.status()
    return status._replace(checked_at=min(known)) if known and len(known) == len(times) else status


def waiting_words(status: SyncStatus, *, is_short: bool = False) -> list[Span]:
    """How many pending changes need the user, and how many are being sent."""
    words: list[Span] = []
    if count := status.need_attention:
        need = "" if is_short else f" {'needs' if count == 1 else 'need'} attention"
        words.append((f"{glyphs.NEEDS_YOU}{'' if is_short else ' '}{count}{need} ", "bad"))
    if status.to_send >= MANY and status.sent:
        words.append((f"{glyphs.ON_THE_WAY} {status.sent} of {status.to_send} ", "warn"))
    elif status.pending:
        waiting = f"{status.pending}" if is_short else f" {status.pending} pending"
        words.append((f"{glyphs.ON_THE_WAY}{waiting} ", "warn"))
    return words


def loading_line(loading: Loading) -> Line:
    """The progress of the first load of a board, or how far it came before it stopped."""
    tasks = f"{loading.tasks:,} card{'' if loading.tasks == 1 else 's'}"
    if loading.is_stopped:
        progress = (
            f"{tasks} loaded before the board stopped loading" if loading.tasks else "not loaded"
        )
        hint = keyed("  {board.refresh:R} to load the board")
        return ((f" {progress[0].upper()}{progress[1:]}", "warn"), (hint, "quiet"))
    size = f", {loading.size / 1_000_000:.1f} MB" if loading.size >= _LEAST_SIZE else ""
    came = f"{tasks}{size}" if loading.tasks else "the board"
    return ((f" Loading {came} …", "quiet"),)


def trouble_notice(status: SyncStatus, again: str = AGAIN) -> Notice | None:
    """The connection problem, until it was read, and what to press; None if there is none."""
    if not status.problem:
        return None
    text, keys = trouble(status, again)
    notice = Notice.of(text, keys, sign=("!", "bad"), role="bad")
    return notice._replace(once=status.problem)


def age(seconds: float) -> str:
    """An age in seconds (in steps of five), minutes, hours or days."""
    if seconds < MINUTE:
        return f"{max(0, int(seconds // 5) * 5)}s"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)}m"
    return f"{int(seconds // HOUR)}h" if seconds < DAY else f"{int(seconds // DAY)}d"


def moving_notice(
    lifted: Lift, grid: Grid, whole: BoardView, becomes: str = "", width: int = 120
) -> Notice:
    """The lifted cards, and at the right from where to where they go.

    `becomes` is what the cards become in the lane of the target. In a narrow terminal the origin is
    left out; then the title is cut, so that all fits into one line.
    """
    over, home = grid.stage_of(lifted), grid.cells.stage(lifted.home_stage_id)
    hidden = lift.hidden_between(lifted, grid.cells, whole.in_stage(over.id))
    to = f"{glyphs.ARROW} {cut(over.title, width // 4)} {lifted.row + 1}"
    origin = f"{cut(home.title, width // 4)} {lifted.home_row + 1} " if home is not None else ""
    more: Line = (
        (f" · {becomes}" if becomes else "", "text"),
        (f"  {hidden} hidden between" if hidden else "", "warn"),
    )
    used = line_width(more) + cell_width(f"{to} {glyphs.MARK}  Moving “”   ")
    if width - used - cell_width(origin) < _LEAST_TITLE:
        origin = ""
    room = max(_LEAST_TITLE, width - used - cell_width(origin))
    cards = f"“{cut(lifted.tasks[0].title, room)}”"
    if len(lifted.tasks) > 1:
        cards = f"{len(lifted.tasks)} cards"
    return moving(cards)._replace(keys=((f"{origin}{to}", "quiet"), *more))


def moving_stage_notice(lifted: StageLift, shown: BoardView) -> Notice:
    """A lifted column, and its place among the others."""
    stage = shown.stage(lifted.stage_id)
    place = f"{glyphs.ARROW} {lifted.index + 1} of {len(shown.stages)}"
    notice = moving(f"stage “{cut(stage.title if stage else '', _MOST_TITLE)}”")
    return notice._replace(keys=((place, "quiet"),))


def moving(what: str) -> Notice:
    """That something is lifted; where it is and what to press is added to it."""
    return Notice.of(f"Moving {what}", sign=(glyphs.MARK, "warn"))


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
