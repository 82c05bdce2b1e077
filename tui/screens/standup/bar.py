"""The bar of the standup; pure functions."""

from datetime import datetime, timedelta

from tui.model.standup.report import Standup
from tui.screens.board_lines import waiting_words
from tui.screens.standup.content import StandupContent
from tui.screens.standup.rows import EVERYTHING
from tui.store.events import SyncStatus
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span

_OLD = timedelta(minutes=10)
"""What was read longer ago than this is said to be old."""


def bar_line(content: StandupContent, search: str, status: SyncStatus) -> tuple[Line, Line]:
    """The speaker or the boards, and the window; at the right how old this is."""
    of, lens = content.standup, content.lens
    since = f"   since {of.since:%a} {of.since.day} {of.since:%b}"
    boards = ", ".join(board.title for board in of.boards)
    left = (
        *(_speaker(content) or ((" Standup", "name"), *_timer(content))),
        (since, "quiet"),
        (f"   {lens}", "quiet"),
        (f"   {boards}", "quiet"),
    )
    told = content.progress or _known(of, status)
    right = (
        (f"{glyphs.SEARCH} {search} " if search else "", "warning"),
        (f"{told} " if told else "", "quiet"),
        *waiting_words(status),
        *((("offline ", "error"),) if status.problem else ()),
    )
    return left, right


def _speaker(content: StandupContent) -> Line:
    """The present speaker, the time, and who is next."""
    speakers = content.speakers
    if speakers.present == EVERYTHING:
        return ()
    coming = speakers.after(content.turns(), 1)
    following = f"   next: {coming.name}" if coming != EVERYTHING else "   last one"
    return ((f" {speakers.present.name}", "name"), *_timer(content), (following, "key"))


def _timer(content: StandupContent) -> tuple[Span, ...]:
    left = content.speakers.time_left(content.minutes)
    if left is None:
        return ()
    minutes, seconds = divmod(int(abs(left).total_seconds()), 60)
    is_over = left < timedelta()
    return (
        (
            f"   {minutes}:{seconds:02} {'over' if is_over else 'left'}",
            "error" if is_over else "good",
        ),
    )


def _known(of: Standup, status: SyncStatus) -> str:
    """How old this is, if it is not new, or how far it is known."""
    read = [history.read_at for history in of.histories if history.read_at is not None]
    back = [
        history.complete_since for history in of.histories if history.complete_since is not None
    ]
    if len(read) < len(of.histories):
        return "not all activity is known"
    if read and (status.problem or min(read) < of.now - _OLD):
        return f"known as of {_moment(min(read), of.now)}"
    if back and max(back) > of.since:
        return f"known since {_moment(max(back), of.now)}"
    return ""


def _moment(at: datetime, now: datetime) -> str:
    at = at.astimezone(now.tzinfo)
    day = "" if at.date() == now.date() else f"{at:%a} {at.day} {at:%b} "
    return f"{day}{at:%H:%M}"
