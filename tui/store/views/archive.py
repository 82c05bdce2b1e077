"""What is known here of archived tasks and stages: from the cache and the history."""

from tui.model.task import Task
from tui.store import operations as change
from tui.store.core import Core
from tui.store.documents.assemble import Assembler


class Archive:
    """Finds archived tasks, and the order that the tasks of an archived stage had."""

    def __init__(self, core: Core, assembler: Assembler) -> None:
        self._cache = core.cache
        self._outbox = core.outbox
        self._disk = core.disk
        self._assembler = assembler

    async def tasks(self, board_id: int) -> tuple[Task, ...]:
        """The archived tasks of a board that are cached, in no particular order."""
        documents = await self._disk.run(self._cache.archived_tasks, board_id)
        made = map(self._assembler.task, documents)
        return tuple(task for task in made if task is not None)

    async def tasks_of_stage(self, board_id: int, stage_id: int) -> tuple[Task, ...]:
        """The tasks of a stage, in order, when it was archived here; empty if that is not known."""
        return await self._disk.run(self._tasks_of_stage, board_id, stage_id)

    def _tasks_of_stage(self, board_id: int, stage_id: int) -> tuple[Task, ...]:
        for step in self._outbox.history.steps(board_id, "undo"):
            for operation in () if step is None else step.operations:
                if isinstance(operation, change.ArchiveStage) and operation.stage.id == stage_id:
                    return operation.tasks
        return ()
