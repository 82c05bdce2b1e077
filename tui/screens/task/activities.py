"""The activities of the task that is shown, asked for when somebody looks, a page at a time."""

from collections.abc import Callable

from tui.actions.tasks.context import TaskContext
from tui.errors import CallboardError
from tui.model.activity import by_day
from tui.model.detail import Part, TaskDetail
from tui.screens.task.activity_list import ActivityList
from tui.screens.task.shown import ShownTask

ASKING = "loading activity …"
OLDER = "loading older activity …"
NOTHING = "no activity"


class Activities:
    """Draws the activities in their list; `redraw` draws the task after the order was changed."""

    def __init__(
        self,
        tasks: TaskContext,
        shown: ShownTask,
        drawn: ActivityList,
        redraw: Callable[[], None],
    ) -> None:
        self._tasks = tasks
        self._shown = shown
        self._list = drawn
        self._redraw = redraw
        self._is_asking = False
        self.begin()

    def begin(self) -> None:
        """Begin at the top with another task, in the order that its board was left in."""
        self._why_not = ""
        self._list.begin()
        kept = self._tasks.context.preferences.text(self._tasks.board_id, "activity")
        self._is_oldest_first = kept == "oldest"

    def look(self) -> None:
        """A person looks at it: what could not be had may be asked for again."""
        self._why_not = ""
        self.show()

    def show(self) -> None:
        """Draw what is known, with a word about what is not."""
        detail = self._shown.detail
        known = detail.activities if detail is not None else None
        why = self._why_not or (detail.why.get(Part.ACTIVITIES, "") if detail is not None else "")
        is_whole = known is not None and detail is not None and detail.all_activities
        is_open = not (is_whole or why or self._is_asking)
        note = why or (OLDER if known else ASKING)
        if is_whole:
            note = "" if known else NOTHING
        days = by_day(known or (), self._tasks.now(), oldest_first=self._is_oldest_first)
        first = self._is_oldest_first or not days
        self._list.show(
            days, above=note if first else "", below="" if first else note, is_open=is_open
        )

    def turn_order(self) -> None:
        """Show the other order, and remember it."""
        self._is_oldest_first = not self._is_oldest_first
        order = "oldest" if self._is_oldest_first else "newest"
        self._tasks.context.preferences.keep(self._tasks.board_id, activity=order)
        self._list.begin()
        self.look()
        self._redraw()
        self._tasks.say(f"{order} first")

    def ask_for_more(self) -> None:
        """Ask for older ones, unless that is going on."""
        if not self._is_asking:
            self._is_asking = True
            self._tasks.host.run_worker(self._ask(), group="activities", exclusive=True)

    async def _ask(self) -> None:
        store, task_id = self._tasks.store, self._shown.task_id
        before = store.detail(task_id)
        try:
            await store.older_activities(task_id)
        except CallboardError as error:
            self._why_not = f"activity cannot be loaded: {error.message}"
        else:
            after = store.detail(task_id)
            if _known(after) == _known(before):
                self._why_not = (
                    "no activity until the service has the task"
                    if task_id < 0
                    else "no older activity"
                )
        finally:
            self._is_asking = False
        self._shown.look()
        self.show()


def _known(detail: TaskDetail | None) -> tuple[int | None, bool]:
    """How much is known, to tell whether anything came."""
    if detail is None or detail.activities is None:
        return None, False
    return len(detail.activities), detail.all_activities
