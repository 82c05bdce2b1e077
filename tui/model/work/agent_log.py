"""What agents did: their changes as a list, from this machine and from the activity of boards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tui.model.events.activity import Activity, action_of, what
from tui.model.people import Account
from tui.record import record
from tui.text.agent_marks import agent_of, origin_of, progress_in

HOUR = timedelta(hours=1)
_CLOCKS_DIFFER_BY = timedelta(minutes=2)


@record
class AgentChange:
    """A change that an agent made: on which card, what, and what was there before, if known.

    `at` is aware; `by` is the person it acted for, empty for the user. `is_here` says that it was
    made on this machine, so that it is known how to undo it, `is_undone` that the user undid it
    with all that the agent did.
    """

    agent: str
    at: datetime
    board_id: int
    task_id: int | None
    title: str
    what: str
    was: str = ""
    by: str = ""
    is_here: bool = True
    is_undone: bool = False

    @property
    def words(self) -> str:
        """What it did, and what was there before."""
        return f"{self.what}, was {self.was}" if self.was else self.what


def logged_changes(
    board_id: int, activities: Iterable[Activity], titles: Mapping[int, str], me: Account
) -> list[AgentChange]:
    """The changes of agents that the activity of a board tells of.

    Our own service says of each change what made it. Elsewhere the marks of agents alone do:
    their labels, and the comments with their progress.
    """
    changes = []
    for activity in activities:
        agent = activity.via or _marked(activity)
        if agent and activity.at is not None:
            by = "" if activity.is_by(me) or activity.by is None else activity.by.in_words
            title = titles.get(activity.task_id or 0, "")
            said = what(replace(activity, via=""))
            ids = board_id, activity.task_id
            changes.append(
                AgentChange(origin_of(agent), activity.at, *ids, title, said, by=by, is_here=False)
            )
    return changes


def _marked(activity: Activity) -> str:
    verb, name = action_of(activity)
    if name == "label":
        return agent_of(activity.new if verb == "added" else activity.old)
    mark = progress_in(activity.new) if name == "comment" else None
    return mark[0] if mark is not None else ""


def merged(local: Sequence[AgentChange], logged: Iterable[AgentChange]) -> list[AgentChange]:
    """The changes made here, and those of the log that were not made here; newest first.

    What is sent later is logged later. So of an agent that has changed a card here, what the log
    has of that card since, in the name of the user, is taken for the same.
    """
    first: dict[tuple[str, int | None], datetime] = {}
    for change in local:
        key = change.agent, change.task_id
        first[key] = min(change.at, first.get(key, change.at))
    others = [
        change
        for change in logged
        if change.by
        or (since := first.get((change.agent, change.task_id))) is None
        or change.at < since - _CLOCKS_DIFFER_BY
    ]
    return sorted((*local, *others), key=lambda change: change.at, reverse=True)


def changed_by_people(activities: Iterable[Activity], me: Account) -> dict[int, str]:
    """Who else has changed each card, by its id; changes of the user and their agents are not."""
    return {
        activity.task_id: activity.by.in_words
        for activity in activities
        if activity.task_id and activity.by is not None and not activity.is_by(me)
    }
