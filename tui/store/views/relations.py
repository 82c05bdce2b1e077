"""Which cards block which, from the cached rows of all boards, with pending changes applied.

Nothing is loaded or asked for. Two statements find the rows, a third those that are archived, a
fourth which of those that are not found were deleted, and only after the cache or the pending
changes have changed.
"""

import logging
import sqlite3
from collections.abc import Iterable
from dataclasses import replace

from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Task
from tui.store import operations as change
from tui.store.core import Core
from tui.store.operations.base import Operation
from tui.store.views.boards import BoardViews

logger = logging.getLogger(__name__)

_OF_MANY = ("board", "stage", "label")
"""What a change is about that may be one of many cards."""


class RelationViews:
    """Relates the cards of all boards; the same object while nothing about them changes."""

    def __init__(self, core: Core, boards: BoardViews) -> None:
        self._cache = core.loop_cache
        self._queue = core.queue
        self._boards = boards
        self._current = NO_RELATIONS
        self._read_at: tuple[int, ...] = ()

    def current(self) -> Relations:
        """The relations as drawn; those known before if the cache is damaged."""
        try:
            at = (self._cache.number, self._cache.revision(), self._queue.revision)
            if at != self._read_at:
                relations = self._related()
                if relations != self._current:
                    self._current = relations
                self._read_at = at
        except sqlite3.Error as error:  # a damaged cache is set aside and filled again
            logger.info("Relations could not be read: %s", error)
        return self._current

    def _related(self) -> Relations:
        pending = [entry.operation for entry in self._queue.all() if entry.is_drawn]
        drawn = _Drawn(self._boards, pending)
        blocked = drawn.over(self._cache.cards.blocked())
        blocked |= {task.id: task for task in drawn.changed() if task.blockers and task.is_open}
        blocked = {card_id: card for card_id, card in blocked.items() if card.blockers}
        named = {
            blocker.id for card in blocked.values() for blocker in card.blockers
        } - blocked.keys()
        blocking = drawn.over(self._cache.cards.with_ids(named))
        blocking |= {task.id: task for task in drawn.changed() if task.id in named}
        if missing := named - blocking.keys():
            documents = self._cache.sections.tasks_with_ids(missing)
            archived = filter(None, map(self._boards.assembler.task, documents))
            blocking |= drawn.over(task for task in archived if task.archived_at is not None)
        lost = named - blocking.keys()
        deleted = self._cache.history.deleted(lost) if lost else frozenset[int]()
        deleted |= {
            operation.task.id for operation in pending if isinstance(operation, change.DeleteTask)
        } & lost
        return Relations(blocking | blocked, deleted)


class _Drawn:
    """Cards as they are drawn: only those that pending changes are about differ from their rows."""

    def __init__(self, boards: BoardViews, pending: Iterable[Operation]) -> None:
        self._boards = boards
        self._changed: dict[int, Operation] = {}
        """The last pending change of each card."""
        self._wide = set[int]()
        for operation in pending:
            for task_id in (operation.task_id, operation.creates):
                if task_id is not None:
                    self._changed[task_id] = operation
            if operation.subject.kind in _OF_MANY:
                self._wide.add(operation.board_id)

    def over(self, cards: Iterable[Task]) -> dict[int, Task]:
        """Cached cards as drawn, by id, without those that are on no board any more."""
        found = ((card, self._as_drawn(card)) for card in cards)
        return {card.id: drawn for card, drawn in found if drawn is not None}

    def _as_drawn(self, card: Task) -> Task | None:
        if card.id not in self._changed and card.board_id not in self._wide:
            return card
        last, view = self._changed.get(card.id), self._boards.view(card.board_id)
        task = None if view is None else view.task(card.id)
        if task is not None or last is None:
            return task
        if isinstance(last, change.ArchiveTask):
            return replace(card, archived_at=last.archived_at)
        # It is not drawn any more: it was deleted, or goes to another board.
        return None if last.removes_subject else card

    def changed(self) -> Iterable[Task]:
        """The cards that pending changes are about, as drawn."""
        for task_id, operation in self._changed.items():
            view = self._boards.view(operation.board_id)
            task = None if view is None else view.task(task_id)
            if task is not None:
                yield task
