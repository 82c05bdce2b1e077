"""What is known beside the drawn boards and opened tasks, read from the cache in slices."""

import logging
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice

from tui.model.board import Board, BoardView
from tui.model.comment import Comment, Thread
from tui.model.detail import TaskDetail
from tui.model.find import Found, Thing
from tui.model.lane import Tally
from tui.model.task import Person, Task
from tui.runtime.slices import Slicer
from tui.store import operations as change
from tui.store.cache.sections import Kind
from tui.store.core import Core
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.documents.shapes import Document
from tui.store.operations.base import Subject
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.projection import projected
from tui.store.views.relations import RelationViews
from tui.text.clean import line

logger = logging.getLogger(__name__)

_SLICE = 128
_TALLIED_FOR = timedelta(days=7)
"""Tallies of boards that were last read longer ago are too old to be shown."""
_LONGEST = 4_000
"""How much of the text of a comment is searched."""


class Lookup:
    """Looks up archived tasks, the comments on all cards, and everything that can be found."""

    def __init__(self, core: Core, updates: BoardUpdates, relations: RelationViews) -> None:
        self._relations = relations
        self._cache = core.cache
        self._disk = core.disk
        self._clock = core.clock
        self._freshness = core.freshness
        self._queue = core.queue
        self._outbox = core.outbox
        self._updates = updates
        self._boards = updates.boards
        self._assembler = updates.boards.assembler
        self._details = DetailAssembler(self._assembler)

    async def archived_tasks(self, board_id: int) -> tuple[Task, ...]:
        """The archived tasks of a board that are cached, in no particular order."""
        documents = await self._disk.run(self._cache.archived_tasks, board_id)
        return tuple(filter(None, map(self._assembler.task, documents)))

    async def tasks_of_archived_stage(self, board_id: int, stage_id: int) -> tuple[Task, ...]:
        """The tasks of a stage, in order, when it was archived here; empty if that is not known."""
        return await self._disk.run(self._tasks_of_stage, board_id, stage_id)

    def _tasks_of_stage(self, board_id: int, stage_id: int) -> tuple[Task, ...]:
        for step in self._outbox.history.steps(board_id, "undo"):
            for operation in () if step is None else step.operations:
                if isinstance(operation, change.ArchiveStage) and operation.stage.id == stage_id:
                    return operation.tasks
        return ()

    async def tally(self, board_id: int) -> Tally | None:
        """The tally of a board, as drawn or else as cached; None if it was not read lately."""
        read_at = await self._freshness.last_read(board_id)
        if read_at is None or self._clock.now() - read_at > _TALLIED_FOR:
            return None
        tally = await self._tally(board_id)
        if tally is None:
            return None
        blocked = tally.blocked + self._relations.current().blocked_on(board_id)
        return tally._replace(blocked=blocked)

    async def _tally(self, board_id: int) -> Tally | None:
        # Without the cards that only other cards block.
        if self._boards.truth(board_id) is not None:
            view = self._boards.view(board_id)
            return None if view is None else view.tally()
        frame = await self._frame(board_id)
        stages = () if frame is None else frame.stages
        return Tally.sum_of(
            [await self._disk.run(self._cache.cards.tally, board_id, stage.id) for stage in stages]
        )

    async def comments(self, board_id: int) -> dict[int, Thread]:
        """The cached comments on the cards of a board, with pending changes; by task."""
        slicer = Slicer()
        threads: dict[int, Thread] = {}
        documents = await self._disk.run(self._cache.sections.comments_on, board_id)
        for task_id, comments in documents.items():
            threads[task_id] = self._details.thread(comments, {})
            await slicer.yield_if_over()
        entries, view = tuple(self._queue.of(board_id)), self._boards.view(board_id)
        changed = {entry.operation.task_id for entry in entries}
        for task in view.all_tasks() if view is not None and changed else ():
            if task.id in changed:
                cached = TaskDetail(task, comments=threads.get(task.id, ()))
                threads[task.id] = projected(cached, entries).comments or ()
        return threads

    async def everything(self) -> AsyncIterator[Sequence[Found]]:
        """Boards, people, cards, subtasks and comments, a slice at a time.

        Boards in memory come first, then what is newest. Those, and boards with pending changes,
        are read as drawn; what was archived, moved to another board or converted here is found
        again once the service has it. A damaged cache ends it.
        """
        boards = self._boards.all()
        yield [_board(board) for board in boards]
        try:
            active = [board for board in boards if board.archived_at is None]
            drawn = {board.id: view for board in active if (view := await self._drawn(board.id))}
            frames = {
                board.id: await self._frame(board.id) for board in active if board.id not in drawn
            }
            yield _people((*drawn.values(), *filter(None, frames.values())))
            async for slice_ in self._tasks_and_comments(drawn, frames):
                yield slice_
        except sqlite3.Error as error:
            logger.info("Reading everything stopped: %s", error)

    async def _drawn(self, board_id: int) -> BoardView | None:
        is_changed = board_id in self._queue.board_ids()
        if is_changed or board_id < 0 or self._boards.truth(board_id) is not None:
            return await self._updates.load(board_id)
        return None

    async def _frame(self, board_id: int) -> BoardView | None:
        document = await self._disk.run(self._cache.board, board_id)
        return None if document is None else self._assembler.empty_view(document)

    async def _tasks_and_comments(
        self, drawn: dict[int, BoardView], frames: dict[int, BoardView | None]
    ) -> AsyncIterator[Sequence[Found]]:
        by_id: dict[int, Found] = {}
        slicer = Slicer()
        for view in drawn.values():
            tasks = view.all_tasks()
            while slice_ := [_card(task, view) for task in islice(tasks, _SLICE)]:
                by_id.update((card.id, card) for card in slice_)
                yield slice_
                await slicer.yield_if_over()
        pending = [entry.operation for entry in self._queue.all() if entry.is_drawn]
        gone = {operation.subject for operation in pending if operation.removes_subject}
        views = {**frames, **drawn}
        slices = self._cache.sections.tasks_newest_first(drawn, _SLICE)
        # The queries run in `next`, so that is what belongs on the disk thread.
        while (tasks_in_slice := await self._disk.run(next, slices, None)) is not None:
            await slicer.yield_if_over()
            cards = [
                _card(task, on)
                for task in tasks_in_slice
                if task.id not in by_id
                and task.parent_id is None
                and (on := views.get(task.board_id)) is not None
                and Subject("task", task.id) not in gone
            ]
            by_id.update((card.id, card) for card in cards)
            yield cards
        async for documents in self._documents("subtask"):
            subtasks = [
                _subtask(task, parent)
                for task in map(self._assembler.task, documents)
                if task is not None
                and (parent := by_id.get(task.parent_id or 0)) is not None
                and Subject("task", task.id) not in gone
            ]
            by_id.update((subtask.id, subtask) for subtask in subtasks)
            yield subtasks
        comments = (new.comment for new in pending if isinstance(new, change.CreateComment))
        yield [
            _comment(comment, task) for comment in comments if (task := by_id.get(comment.task_id))
        ]
        texts = {
            edit.comment_id: edit.text for edit in pending if isinstance(edit, change.EditComment)
        }
        async for documents in self._documents("comment"):
            yield [
                _comment(replace(comment, text=texts.get(comment.id, comment.text)), task)
                for comment in self._details.comments(documents)
                if (task := by_id.get(comment.task_id)) is not None
                and comment.text.strip()
                and Subject("comment", comment.id) not in gone
            ]

    async def _documents(self, kind: Kind) -> AsyncIterator[list[Document]]:
        slicer, slices = Slicer(), self._cache.sections.newest_first(kind, _SLICE)
        while documents := await self._disk.run(next, slices, None):
            yield documents
            await slicer.yield_if_over()


def _board(board: Board) -> Found:
    return Found(
        Thing.BOARD,
        board.id,
        board.title,
        board.id,
        at=board.created_at,
        is_archived=board.archived_at is not None,
    )


def _people(views: Iterable[BoardView]) -> list[Found]:
    boards: dict[int, list[str]] = {}
    people: dict[int, Person] = {}
    for view in views:
        for person in view.people:
            people.setdefault(person.id, person)
            boards.setdefault(person.id, []).append(view.board.title)
    return [
        Found(Thing.PERSON, person.id, person.name, place=", ".join(boards[person.id]),
              people=(person,))
        for person in people.values()
        if person.name
    ]  # fmt: skip


def _card(task: Task, view: BoardView) -> Found:
    stage = view.stage(task.stage_id)
    return Found(
        Thing.CARD,
        task.id,
        task.title,
        task.board_id,
        view.board.title,
        "" if stage is None else stage.title,
        people=task.assignees,
        at=task.updated_at,
        is_closed=task.is_closed,
        is_archived=task.archived_at is not None,
        due_at=task.due_at,
    )


def _subtask(task: Task, parent: Found) -> Found:
    return Found(
        Thing.SUBTASK,
        task.id,
        task.title,
        parent.board_id,
        parent.board,
        parent.title,
        parent.id,
        task.assignees,
        task.updated_at,
        task.is_closed,
        parent.is_archived or task.archived_at is not None,
        task.due_at,
    )


def _comment(comment: Comment, task: Found) -> Found:
    return Found(
        Thing.COMMENT,
        comment.id,
        " ".join(line(comment.text[:_LONGEST]).split()),
        task.board_id,
        task.board,
        task.title,
        task.id,
        () if comment.author is None else (comment.author,),
        comment.created_at,
        is_archived=task.is_archived,
    )
