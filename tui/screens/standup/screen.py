"""The standup: what happened on boards since the last working day, and what needs attention.

All actions on cards work in place. What is cached is shown at once; news and the activity of the
boards are read in the background.
"""

from collections.abc import Hashable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.timer import Timer
from textual.worker import WorkType

from tui.actions.old import bindings
from tui.actions.tasks.converting import ToSubtask
from tui.context import Context
from tui.model.standup.report import Standup
from tui.model.standup.writing import Lens
from tui.navigation import StandupRequested
from tui.runtime.key_queue import keys_held
from tui.screens.lists.cards import CARD_ACTIONS, CardListScreen
from tui.screens.standup.actions import STANDUP_ACTIONS, boards_for
from tui.screens.standup.content import StandupContent
from tui.screens.standup.rows import EVERYTHING, Turn
from tui.store.events import BoardChanged, StatusChanged, StoreEvent, SyncStatus
from tui.widgets.painted import Line, Span
from tui.widgets.row_list import NONE

_CARD_ACTIONS = tuple(one for one in CARD_ACTIONS if not isinstance(one, ToSubtask))
"""All but the one whose key goes to the next speaker."""
_OLD = timedelta(minutes=10)
"""What was read longer ago than this is said to be old."""
_NEWS_SECONDS = 60.0
"""How often changes of others are looked for; only an opened board is polled by the store."""


class StandupScreen(CardListScreen):
    """A standup of one or several boards, in two lenses."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(STANDUP_ACTIONS)

    content: StandupContent

    def __init__(self, context: Context, board_id: int | None, request: StandupRequested) -> None:
        boards = request.board_ids or boards_for(context, board_id)
        content = StandupContent(context, boards, request.since)
        if request.by_person:
            content.lens = Lens.BY_PERSON
        if request.speaker is not None:
            content.speakers.begin(Turn.of(request.speaker))
        super().__init__(context, content, heading=content.headings, card_actions=_CARD_ACTIONS)
        self.actions.add(STANDUP_ACTIONS, self)
        content.changed = self.show_again
        self._seconds: Timer | None = None

    def on_mount(self) -> None:
        """Prepare the timer of the speakers, and look for news from time to time."""
        self._seconds = self.set_interval(1.0, self.draw_bar, pause=True)
        self.set_interval(_NEWS_SECONDS, self.look_for_news)

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        """Show the rows, with the cursor on the card where it was, and the same cards marked."""
        shown = self.row_list
        if select is None:
            select = self.content.where_is(shown.row)
        if shown.marks:
            marked = [row for row in shown.rows if row.key in shown.marks]
            shown.marks = frozenset(self.content.where_is(row) or row.key for row in marked)
        super().show_rows(select, renamed)

    def draw_bar(self) -> None:
        content, of = self.content, self.content.standup
        boards = ", ".join(board.title for board in of.boards)
        self.bar.say(
            (
                *(_speaker(content) or ((" Standup", "name"), *_timer(content))),
                (f"   since {of.since:%a} {of.since.day} {of.since:%b}", "quiet"),
                (f"   {content.lens}", "quiet"),
                (f"   {boards}", "quiet"),
            ),
            self.bar_end(content.progress or _known(of, self.store.status())),
        )

    def count_seconds(self, *, is_timed: bool) -> None:
        if self._seconds is not None:
            self._seconds.resume() if is_timed else self._seconds.pause()
        self.draw_bar()

    def clear_search(self) -> bool:
        """Clear the search, else show everything instead of one speaker."""
        speakers = self.content.speakers
        if super().clear_search():
            return True
        was_turn, speakers.present = speakers.present != EVERYTHING, EVERYTHING
        if was_turn:
            self.show_rows()
        return was_turn

    def look_for_news(self) -> None:
        """Read the changes of others without a word, if the standup is looked at."""
        if self.app.screen is self and self.app.app_focus and not self._is_loading:
            self.content.is_quiet = True
            self.refresh_rows()

    def refresh_rows(self) -> None:
        self.content.is_due = True
        self.load()

    def hear(self, event: StoreEvent) -> None:
        """Show a board that changed, together with its history."""
        super().hear(event)
        if isinstance(event, BoardChanged) and self.content.hear(event):
            cached: WorkType[None] = partial(self._read_cached, event.board_id)
            self.run_worker(cached, group=f"cached {event.board_id}", exclusive=True)
        elif isinstance(event, StatusChanged):
            self.draw_bar()
            if event.board_id is not None and self.content.is_sent(event.board_id):
                log: WorkType[None] = partial(self._read_log, event.board_id)
                self.run_worker(log, group=f"log {event.board_id}", exclusive=True)

    async def _read_log(self, board_id: int) -> None:
        await self.content.read_log(board_id)
        self.show_again()

    async def _load(self) -> None:
        await self._read_cached(*self.content.board_ids)
        await super()._load()

    async def _read_cached(self, *board_ids: int) -> None:
        with keys_held(self.app):
            await self.content.read_cached(*board_ids)
        self.show_again()


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
