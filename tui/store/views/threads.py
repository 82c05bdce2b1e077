"""The comments on the cards of a board, as far as they are cached, with pending changes."""

from tui.model.comment import Thread
from tui.model.detail import TaskDetail
from tui.runtime.slices import Slicer
from tui.store.core import Core
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.views.boards import Boards
from tui.store.views.projection import projected


class Threads:
    """Reads the comments on many cards at once; those of opened tasks are in `Details`."""

    def __init__(self, core: Core, boards: Boards) -> None:
        self._cache = core.cache
        self._disk = core.disk
        self._queue = core.queue
        self._boards = boards
        self._assembler = DetailAssembler(boards.assembler)

    async def of_board(self, board_id: int) -> dict[int, Thread]:
        """The cached comments by task; a task without any is left out."""
        slicer = Slicer()
        threads: dict[int, Thread] = {}
        documents = await self._disk.run(self._cache.sections.comments_on, board_id)
        for task_id, comments in documents.items():
            threads[task_id] = self._assembler.thread(comments, {})
            await slicer.yield_if_over()
        entries, view = tuple(self._queue.of(board_id)), self._boards.view(board_id)
        changed = {entry.operation.task_id for entry in entries}
        for task in view.all_tasks() if view is not None and changed else ():
            if task.id in changed:
                cached = TaskDetail(task, comments=threads.get(task.id, ()))
                threads[task.id] = projected(cached, entries).comments or ()
        return threads
