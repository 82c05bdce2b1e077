"""What agents did on boards: on this machine, and as the activity of the boards tells."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from tui.errors import CallboardError
from tui.model.events.activity import Activity
from tui.model.work.agent_log import AgentChange, changed_by_people, logged_changes, merged
from tui.store.clock import few_at_once
from tui.store.events import Reversal
from tui.store.online.activity import page
from tui.store.protocol import Store
from tui.store.remote import Remote
from tui.text.clean import counted

_MOST_PAGES = 10


class AgentLog(NamedTuple):
    """The changes of agents, newest first, and who else has changed which cards.

    With a `problem` the activity of some board was not read, and only changes made on this machine
    are known of it. Not `is_whole` says that the activity is too long to be read back so far.
    """

    changes: Sequence[AgentChange]
    by_others: Mapping[int, str] = MappingProxyType({})
    problem: CallboardError | None = None
    is_whole: bool = True

    @property
    def lacks(self) -> str:
        """Why others may have done more than is listed; empty if nothing is missing."""
        if self.problem is None:
            return ""
        return f"{self.problem.message} Only changes made on this machine are listed."

    def kept(self, agent: str, reversal: Reversal) -> list[str]:
        """What stays if the changes of an agent are undone, and why, in sentences."""
        elsewhere = sum(change.agent == agent and not change.is_here for change in self.changes)
        if not elsewhere:
            return [*reversal.kept]
        they = "it" if elsewhere == 1 else "them"
        changes = counted(elsewhere, "change")
        return [*reversal.kept, f"{changes} made elsewhere: undo {they} there."]


async def agent_log(store: Store, board_ids: Collection[int], since: datetime) -> AgentLog:
    """What agents did on these boards since a moment (aware)."""
    local = [change for change in await store.agent_changes(since) if change.board_id in board_ids]
    logged, by_others = list[AgentChange](), dict[int, str]()
    problems, cut = list[CallboardError](), list[int]()

    async def read(board_id: int) -> None:
        try:
            activities, is_whole = await _activities(await store.service(), board_id, since)
        except CallboardError as error:
            problems.append(error)
            return
        view = store.board(board_id) or await store.load_board(board_id)
        tasks = view.all_tasks() if view is not None else ()
        wanted = {activity.task_id for activity in activities}
        titles = {task.id: task.title for task in tasks if task.id in wanted}
        logged.extend(logged_changes(board_id, activities, titles, store.me))
        by_others.update(changed_by_people(activities, store.me))
        cut.extend([] if is_whole else [board_id])

    await few_at_once(read, [board_id for board_id in board_ids if board_id > 0])
    return AgentLog(merged(local, logged), by_others, next(iter(problems), None), not cut)


async def _activities(
    remote: Remote, board_id: int, since: datetime
) -> tuple[list[Activity], bool]:
    found: list[Activity] = []
    for number in range(1, _MOST_PAGES + 1):
        read = await page(remote, board_id, number)
        recent = [
            activity for activity in read.activities if activity.at is None or activity.at >= since
        ]
        found += recent
        if read.is_last or len(recent) < len(read.activities):
            return found, True
    return found, False
