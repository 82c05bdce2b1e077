"""Loads the activity of the shown task, page by page, when the user looks at it."""

from tui.actions.tasks.cards import Cards
from tui.errors import CallboardError
from tui.model.activity import by_day
from tui.model.detail import Part, TaskDetail
from tui.screens.task.activity_list import ActivityList
from tui.screens.task.shown import ShownTask

ASKING = "loading activity …"
OLDER = "loading older activity …"
NOTHING = "no activity"


class Activities:
    """Fills the activity list."""

    def __init__(self, tasks: Cards, shown: ShownTask, drawn: ActivityList) -> None:
        self._tasks = tasks
        self._shown = shown
        self._list = drawn
        self._is_loading = False
        self.begin()

    def begin(self) -> None:
        """Reset for another task, with the saved order of its board."""
        self._problem = ""
        self._list.begin()
        kept = self._tasks.context.preferences.text(self._tasks.board_id, "activity")
        self._is_oldest_first = kept == "oldest"

    def look(self) -> None:
        """Show the activity, and allow another request after a failed one."""
        self._problem = ""
        self.show()

    def show(self) -> None:
        """Draw the loaded activity, with a note in place of the rest."""
        detail = self._shown.detail
        known = detail.activities if detail is not None else None
        why = self._problem or (detail.why.get(Part.ACTIVITIES, "") if detail is not None else "")
        is_whole = known is not None and detail is not None and detail.all_activities
        is_open = not (is_whole or why or self._is_loading)
        note = why or (OLDER if known else ASKING)
        if is_whole:
            note = "" if known else NOTHING
        days = by_day(known or (), self._tasks.now(), oldest_first=self._is_oldest_first)
        first = self._is_oldest_first or not days
        self._list.show(
            days, above=note if first else "", below="" if first else note, is_open=is_open
        )

    def turn_order(self) -> None:
        self._is_oldest_first = not self._is_oldest_first
        order = "oldest" if self._is_oldest_first else "newest"
        self._tasks.context.preferences.keep(self._tasks.board_id, activity=order)
        self._list.begin()
        self.look()
        self._tasks.say(f"{order} first")

    def ask_for_more(self) -> None:
        """Request older activity, unless a request is running."""
        if not self._is_loading:
            self._is_loading = True
            self._tasks.host.run_worker(self._load_older(), group="activities", exclusive=True)

    async def _load_older(self) -> None:
        store, task_id = self._tasks.store, self._shown.task_id
        before = store.detail(task_id)
        try:
            await store.older_activities(task_id)
        except CallboardError as error:
            self._problem = f"activity cannot be loaded: {error.message}"
        else:
            after = store.detail(task_id)
            if _loaded(after) == _loaded(before):
                self._problem = (
                    "no activity until the service has the task"
                    if task_id < 0
                    else "no older activity"
                )
        finally:
            self._is_loading = False
        self._shown.look()
        self.show()


def _loaded(detail: TaskDetail | None) -> tuple[int, bool]:
    """How much is loaded, to see whether a request brought anything."""
    return (0, False) if detail is None else (len(detail.activities or ()), detail.all_activities)
