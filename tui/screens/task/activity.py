"""What was done to the task: asked for when it is looked at, a page at a time.

The rule it keeps: nothing is asked for that nobody looks at, and what cannot be had says why and is
asked for again only when a person comes back to it.
"""

from textual import on

from tui.errors import CallboardError
from tui.model.activity import by_day
from tui.model.detail import Part, TaskDetail
from tui.screens.context import Context
from tui.screens.task.shown import ShownTask
from tui.widgets.task.activity_list import ActivityList

ASKING = "asking for what was done …"
OLDER = "asking for what was done before …"
NOTHING = "nothing is recorded"


class ActivityPart(ShownTask):
    """A screen with the activities of its task."""

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self._is_oldest_first = self._kept_order()
        self._is_asking = False
        self._why_not = ""

    def _kept_order(self) -> bool:
        return self.context.preferences.text(self.board_id, "activity") == "oldest"

    def begin(self, board_id: int, task_id: int, parent_id: int | None = None) -> None:
        """Show this task from now on, its activities in the order of its board."""
        super().begin(board_id, task_id, parent_id)
        self._is_oldest_first = self._kept_order()

    @property
    def activity(self) -> ActivityList:
        """Where it is drawn; for subclasses."""
        raise NotImplementedError

    @property
    def activity_order(self) -> str:
        """The order, in words."""
        return "oldest first" if self._is_oldest_first else "newest first"

    def begin_activity(self) -> None:
        """A person looks at it: what could not be had may be asked for again."""
        self._why_not = ""
        self.show_activity()

    def show_activity(self) -> None:
        """Draw what is known, with a word about what is not."""
        detail = self.detail
        known = detail.activities if detail is not None else None
        why = self._why_not or (detail.why.get(Part.ACTIVITIES, "") if detail is not None else "")
        is_whole = known is not None and detail is not None and detail.all_activities
        is_open = not (is_whole or why or self._is_asking)
        note = why or (OLDER if known else ASKING)
        if is_whole:
            note = "" if known else NOTHING
        days = by_day(known or (), self.context.now(), oldest_first=self._is_oldest_first)
        first = self._is_oldest_first or not days
        self.activity.show(
            days, above=note if first else "", below="" if first else note, is_open=is_open
        )

    @on(ActivityList.OrderRequested)
    def turn_order(self) -> None:
        """Show the other order, and remember it."""
        self._is_oldest_first = not self._is_oldest_first
        order = "oldest" if self._is_oldest_first else "newest"
        self.context.preferences.keep(self.board_id, activity=order)
        self.activity.top = 0
        self.begin_activity()
        self.show_task()
        self.say(self.activity_order)

    @on(ActivityList.MoreRequested)
    def ask_for_more(self) -> None:
        """Ask for older ones, unless that is going on."""
        if not self._is_asking:
            self._is_asking = True
            self.run_worker(self._ask(), group="activities", exclusive=True)

    async def _ask(self) -> None:
        task_id = self.task_id
        before = self.store.detail(task_id)
        try:
            await self.store.older_activities(task_id)
        except CallboardError as error:
            self._why_not = f"what was done cannot be had: {error.message}"
        else:
            after = self.store.detail(task_id)
            if _known(after) == _known(before):
                self._why_not = (
                    "nothing is recorded before the service has the task"
                    if task_id < 0
                    else "the service says no more"
                )
        finally:
            self._is_asking = False
        self.look()
        self.show_activity()

    def has_turned(self) -> None:
        """Another task: its activities begin at the top."""
        super().has_turned()
        self._why_not = ""
        self.activity.top = 0


def _known(detail: TaskDetail | None) -> tuple[int | None, bool]:
    """How much is known, to tell whether anything came."""
    if detail is None or detail.activities is None:
        return None, False
    return len(detail.activities), detail.all_activities
