"""The activity of one or several boards, merged as far back as all of them were read.

Ids of activities count up over all boards of a service, so their order is that of time.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tui.model.events.activity import Activity, action_of

BOARD, CARDS, FIELDS, MOVES, SUBTASKS = "the board", "cards", "fields", "moves", "subtasks"
_KINDS = {
    "assignee": "assignees",
    "comment": "comments",
    "label": "labels",
    "position": MOVES,
    "reply": "comments",
    "stage": MOVES,
    "status": CARDS,
    "subtask": SUBTASKS,
    "subtask group": SUBTASKS,
    "task": CARDS,
}
_WITH_TITLE = (("created", "task"), ("deleted", "task"), ("changed", "title"))


class ActivityEntry(NamedTuple):
    """An activity of a board."""

    board_id: int
    activity: Activity


class ActivityPage(NamedTuple):
    """A page of the activity of a board; `is_last` says that there is nothing older."""

    activities: tuple[Activity, ...]
    is_last: bool


@dataclass(slots=True)
class _BoardLog:
    """What was read of a board, newest page first."""

    pages: int = 1
    is_whole: bool = False
    activities: dict[int, Activity] = field(default_factory=dict)

    @property
    def back_to(self) -> int:
        """The id of the oldest activity; 0 if there is nothing older."""
        return 0 if self.is_whole else min(self.activities, default=0)


class ActivityLog:
    """The activity of boards; begins empty."""

    def __init__(self) -> None:
        self._boards: dict[int, _BoardLog] = {}

    @property
    def board_ids(self) -> frozenset[int]:
        """The boards that were read."""
        return frozenset(self._boards)

    def add_newest(self, board_id: int, page: ActivityPage) -> None:
        """Add the first page of a board; older pages stay if they follow it without a gap."""
        log = self._boards.get(board_id)
        if log is None or not any(activity.id in log.activities for activity in page.activities):
            log = self._boards[board_id] = _BoardLog(is_whole=page.is_last)
        log.activities |= {activity.id: activity for activity in page.activities}

    def add_older(self, board_id: int, page: ActivityPage) -> None:
        """Add the next page of a board that was read before."""
        log = self._boards[board_id]
        log.pages += 1
        log.is_whole = page.is_last or not page.activities
        log.activities |= {activity.id: activity for activity in page.activities}

    def entries(self) -> list[ActivityEntry]:
        """All activities, newest first, back to where every board was read."""
        # Older entries of one board would suggest that nothing happened on the others.
        since = max((log.back_to for log in self._boards.values()), default=0)
        entries = [
            ActivityEntry(board_id, activity)
            for board_id, log in self._boards.items()
            for activity in log.activities.values()
            if activity.id >= since
        ]
        return sorted(entries, key=lambda entry: entry.activity.id, reverse=True)

    def is_deleted(self, task_id: int) -> bool:
        """Whether a task was deleted, as far as was read."""
        return any(
            entry.activity.task_id == task_id and action_of(entry.activity) == ("deleted", "task")
            for entry in self.entries()
        )

    def next_page(self) -> tuple[int, int] | None:
        """The board and the number of the page with which it goes further back; None at the end."""
        open_boards = [(log.back_to, board_id) for board_id, log in self._boards.items()]
        # The board that was read least far back holds up all others.
        back_to, board_id = max(open_boards, default=(0, 0))
        return (board_id, self._boards[board_id].pages + 1) if back_to else None


def kind(activity: Activity) -> str:
    """The kind of an activity, to filter by."""
    verb, name = action_of(activity)
    if activity.task_id is None:
        return MOVES if (verb, name) == ("moved", "task") else BOARD
    by_verb = {"moved": MOVES, "converted": SUBTASKS}
    return by_verb.get(verb) or _KINDS.get(name, FIELDS)


def titles(entries: Iterable[ActivityEntry]) -> dict[int, str]:
    """The titles of tasks, as far as their activity tells them; entries are newest first."""
    by_task: dict[int, str] = {}
    for _, activity in entries:
        action = action_of(activity)
        title = activity.old if action == ("deleted", "task") else activity.new
        if activity.task_id and title and action in _WITH_TITLE:
            by_task.setdefault(activity.task_id, title)
    return by_task
