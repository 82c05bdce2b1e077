"""The words above and below a board, as pure functions."""

from datetime import datetime

from tui.actions.tasks.refresh import trouble_hint
from tui.model import lift
from tui.model.board import BoardView
from tui.model.lift import Lift
from tui.model.urgency import open_count, overdue_count
from tui.store.events import Loading, SyncStatus
from tui.text.cells import cut
from tui.text.clean import counted
from tui.text.dates import local
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span

TITLE_WIDTH = 48
MANY = 10
"""From so many changes on it is told how many of them are sent."""

MINUTE, HOUR, DAY = 60, 3600, 86400

_WORTH_TELLING = 50_000
"""Bytes; fewer would be told as 0.0 MB."""


def board_line(
    view: BoardView,
    status: SyncStatus,
    filter_words: str,
    now: datetime,
    news: int = 0,
    *,
    is_read_only: bool = False,
) -> tuple[Line, Line]:
    """What board this is and how it stands; what is filtered, on its way, and how fresh it is.

    `news` is how many cards others changed since the person last looked.
    """
    left: list[Span] = [(f" {cut(view.board.title, TITLE_WIDTH)}", "name")]
    if is_read_only:
        left.append(("   read only: you are a viewer", "warning"))
    if view.stages and not view.complete:
        cards = sum(view.count(stage.id) for stage in view.stages)
        left.append((f"   {view.board.type} · {counted(cards, 'card')}", "quiet"))
    elif view.stages:
        late = overdue_count(view, now)
        left.append((f"   {view.board.type} · {open_count(view)} open", "quiet"))
        left.append((f" · {late} overdue" if late else "", "warning"))
    right: list[Span] = []
    if filter_words:
        right.append((f"{glyphs.SEARCH} {filter_words}   ", "warning"))
    if news:
        right.append((f"{glyphs.NEWS}{news} ", "heard"))
    right.extend(sync_words(status, now))
    return tuple(left), (*right, (" ", "said"))


def sync_words(status: SyncStatus, now: datetime) -> list[Span]:
    """What needs the person, what is on its way, and how old the rest is."""
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
    """What needs the person, and what is on its way; many are told as they go."""
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
    """How far a board is that is fetched for the first time, or what there is of it."""
    tasks = f"{loading.tasks:,} task{'' if loading.tasks == 1 else 's'}"
    if loading.is_stopped:
        here = f"{tasks} came before the board stopped loading" if loading.tasks else "not loaded"
        return ((f" {here[0].upper()}{here[1:]}", "warning"), ("  R loads the board", "quiet"))
    size = f", {loading.size / 1_000_000:.1f} MB" if loading.size >= _WORTH_TELLING else ""
    came = f"{tasks}{size}" if loading.tasks else "the board"
    return ((f" Loading {came} …", "quiet"),)


def trouble_line(status: SyncStatus) -> Line | None:
    """Why the service does not answer, what to do, what is safe, and the key that tries again."""
    if not status.problem:
        return None
    return ((f" {status.problem}", "error"), (f"  {trouble_hint(status)}", "quiet"))


def age(seconds: float) -> str:
    """How long ago, in the largest unit that says enough; steps of five seconds."""
    if seconds < MINUTE:
        return f"{max(0, int(seconds // 5) * 5)}s"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)}m"
    return f"{int(seconds // HOUR)}h" if seconds < DAY else f"{int(seconds // DAY)}d"


def moving_line(lifted: Lift, shown: BoardView, whole: BoardView) -> Line:
    """What is lifted, where it would go, where it came from, and how to let go."""
    over, home = shown.stage(lifted.stage_id), shown.stage(lifted.home_stage_id)
    count = len(lift.others(lifted, shown, lifted.stage_id)) + len(lifted.tasks)
    what = f"“{cut(lifted.tasks[0].title, 36)}”"
    if len(lifted.tasks) > 1:
        what = f"{len(lifted.tasks)} cards"
    hidden = lift.hidden_between(lifted, shown, whole)
    return (
        (f" MOVING {what}", "hand"),
        (f"  {glyphs.ARROW}  {over.title if over else ''} {lifted.row + 1}/{count}", "name"),
        (f"   {hidden} hidden between" if hidden else "", "warning"),
        (f"   from {home.title if home else ''} {lifted.home_row + 1}", "quiet"),
        ("   ↵", "key"),
        (" drop  ", "quiet"),
        ("esc", "key"),
        (" cancel", "quiet"),
    )
