"""The scrolling list of a task's activity, grouped by day.

It is loaded page by page when the user looks at it. Older entries are requested when the user
scrolls near the end of the loaded ones; a note stands in their place meanwhile.
"""

from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType

from tui.actions.tasks.cards import Cards
from tui.errors import CallboardError
from tui.model.detail import DetailPart, TaskDetail
from tui.model.events.activity import by_day
from tui.screens.task.shown import ShownTask
from tui.widgets.keys import quiet_keys
from tui.widgets.line_list import LineList, LineSpot
from tui.widgets.painted import Line, fitted, linked

NEAR = 10
"""How many lines before the end older entries are requested."""

_CLOCK = 7


class LineFace(NamedTuple):
    """A line and its width."""

    line: Line
    width: int

    def lines(self) -> list[Line]:
        return [fitted(self.line, self.width, "text")]


class ActivityList(LineList[Line], can_focus=True):
    """The activity of the shown task by day."""

    wheel = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("O", "order", "order", id="activity.order", tooltip="Reverse order"),
        *quiet_keys(
            "activity",
            ("first", "g g,home", "go(0)", "First entry"),
            ("last", "G,end", "go(-1)", "Last entry"),
        ),
    ]

    def __init__(self, tasks: Cards, shown: ShownTask) -> None:
        super().__init__()
        self.shows_cursor = False
        self._tasks = tasks
        self._shown = shown
        self._is_note_first = False
        self._is_open = False
        """Whether there may be older entries to request."""
        self._is_loading = False
        self.begin()

    def begin(self) -> None:
        super().begin()
        self._problem = ""
        order = self._tasks.context.preferences.text(self._tasks.board_id, "activity")
        self._is_oldest_first = order == "oldest"

    def look(self) -> None:
        """Show the activity, and allow another request after a failed one."""
        self._problem = ""
        self.show()

    def show(self) -> None:
        detail = self._shown.detail
        activities = detail.activities if detail is not None else None
        why = self._problem or (
            detail.why.get(DetailPart.ACTIVITIES, "") if detail is not None else ""
        )
        is_whole = activities is not None and detail is not None and detail.all_activities
        if is_whole:
            note = "" if activities else "no activity"
        else:
            note = why or ("loading older activity …" if activities else "loading activity …")
        is_open = not (is_whole or why or self._is_loading)
        days = by_day(activities or (), self._tasks.now(), oldest_first=self._is_oldest_first)
        is_note_first = note != "" and (self._is_oldest_first or not days)
        lines: list[Line] = [((note, "quiet"),), ()] if is_note_first else []
        for day in days:
            lines.append(((day.title, "strong"),))
            for entry in day.entries:
                clock = f"{entry.at:>{_CLOCK - 2}}".ljust(_CLOCK)
                what = linked(f" {entry.what}", "text")
                lines.append(((clock, "quiet"), (entry.who, "text"), *what))
            lines.append(())
        lines = [*lines, ((note, "quiet"),)] if note and not is_note_first else lines[:-1]
        if (lines, is_open) == (self.rows, self._is_open):
            return
        # Older entries were inserted above: the lines in sight stay where they are.
        if is_note_first and self._is_note_first and self.top.row > 0:
            self.top = LineSpot(self.top.row + len(lines) - len(self.rows), 0)
        self.rows, self._is_open, self._is_note_first = lines, is_open, is_note_first
        self.settle()

    def face_of(self, row: int) -> LineFace:
        return LineFace(self.rows[row], self.drawn_size.width)

    def on_click(self, event: events.Click) -> None:
        self.follow_link_at(event)

    def redraw(self) -> None:
        super().redraw()
        # Drawing is where it shows that the end is near, by the cursor, the wheel or a resize.
        last = self.top.row + self.drawn_size.height
        is_near = self.top.row == 0 if self._is_note_first else last >= len(self.rows) - NEAR
        is_wanted = self._is_open and is_near and self.drawn_size.height > 0
        if is_wanted and not self._is_loading:
            self._is_loading = True
            self._tasks.host.run_worker(self._load_older(), group="activities", exclusive=True)

    async def _load_older(self) -> None:
        store, task_id = self._tasks.store, self._shown.task_id
        previous, problem = _extent(store.detail(task_id)), ""
        try:
            await store.older_activities(task_id)
        except CallboardError as error:
            problem = f"activity cannot be loaded: {error.message}"
        else:
            # A service may answer without older entries: do not ask again.
            if _extent(store.detail(task_id)) == previous:
                is_sent = task_id >= 0
                nothing = "no activity until the card is sent"
                problem = "no older activity" if is_sent else nothing
        finally:
            self._is_loading = False
        # Meanwhile another task may have been opened, which can be asked for.
        if self._shown.task_id == task_id:
            self._problem = problem
        self._shown.look()
        self.show()

    def action_order(self) -> None:
        self._is_oldest_first = not self._is_oldest_first
        order = "oldest" if self._is_oldest_first else "newest"
        self._tasks.context.preferences.keep(self._tasks.board_id, activity=order)
        self.top = LineSpot(0, 0)
        self.look()
        self._tasks.say(f"{order} first")

    def action_go(self, where: int) -> None:
        self.top = LineSpot(0 if where == 0 else len(self.rows), 0)
        self.settle()


def _extent(detail: TaskDetail | None) -> tuple[int, bool]:
    # How much is loaded, to see whether a request brought anything.
    return (0, False) if detail is None else (len(detail.activities or ()), detail.all_activities)
