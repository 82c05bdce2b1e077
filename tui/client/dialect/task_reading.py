"""Reading one task, also where an edition answers no question about a subtask by itself."""

from tui.client.errors import Refused
from tui.client.records import TaskRecord
from tui.client.resources.subtasks import SubtaskGroups, Subtasks
from tui.client.resources.tasks import Tasks


class TaskReading:
    """Reads tasks; remembers below which task each subtask was listed."""

    def __init__(self, tasks: Tasks, subtasks: Subtasks) -> None:
        self._tasks = tasks
        self._subtasks = subtasks
        self._parents: dict[int, int] = {}

    async def get(self, board_id: int, task_id: int) -> TaskRecord:
        """A task as it is now (4.3).

        Where the service calls the question invalid, a subtask is looked for in the list of its
        parent, if it was seen there before. Raises what `Tasks.get` raises.
        """
        try:
            return await self._tasks.get(board_id, task_id)
        except Refused as error:
            parent_id = self._parents.get(task_id)
            if parent_id is None or error.is_passing:
                raise
            listed = await self.subtasks(board_id, parent_id)
            subtask = next((one for one in _all(listed) if one.id == task_id), None)
            if subtask is None:
                raise
            return subtask

    async def subtasks(self, board_id: int, task_id: int) -> SubtaskGroups:
        """The subtasks of a task by group (4.5). Raises what `Subtasks.list` raises."""
        listed = await self._subtasks.list(board_id, task_id)
        self._parents.update((subtask.id, task_id) for subtask in _all(listed))
        return listed


def _all(listed: SubtaskGroups) -> list[TaskRecord]:
    return [one for group in listed.groups for one in group.subtasks] + listed.ungrouped
