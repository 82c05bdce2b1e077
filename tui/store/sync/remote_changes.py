"""Finds the changes others made to a board, from the differences a fetch brought.

The user's own changes, from this or another program, are never included. The service's activities
tell who made a change, with one request for all; where they do not, the task itself may.

What follows from a change of the user counts as the user's own too, unless somebody else is named:
services close cards that move, or drop their labels, and show that only in the next fetch.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.client.errors import ApiError
from tui.model.board import BoardView
from tui.model.events.activity import Activity
from tui.model.events.remote_changes import ChangeKind, RemoteChange, actor
from tui.model.task import Person
from tui.store.cache.observer import COUNTS, ChangedTask
from tui.store.core import Core
from tui.store.documents.assemble import Assembler, instant, wall_clock
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.operations.base import AlreadyApplied, Operation
from tui.store.operations.moving import MoveTaskToBoard
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.marks import Unseen
from tui.store.remote import Remote
from tui.store.views.details import Details
from tui.text.clean import line, quoted
from tui.text.dates import in_words

_OF_MANY = ("board", "stage")
_A_MOMENT = timedelta(seconds=5)
_OWN, _MOST_KEPT = "own-changes", 1_000


class _OwnChange(NamedTuple):
    """A change of the user: the ids it refers to, and whether it may add or remove many tasks."""

    things: frozenset[int]
    is_of_many: bool


class RemoteChangeTracker:
    """Marks cards that others changed.

    The user's own changes are recorded until a response includes them; that may be a response to
    another program, as a command ends as soon as its change is accepted.
    """

    def __init__(self, core: Core, unseen: Unseen, details: Details) -> None:
        self._unseen = unseen
        self._details = details
        self._assembler = DetailAssembler(Assembler())
        self._core = core
        self._own: defaultdict[int, list[_OwnChange]] = defaultdict(list)
        with suppress(sqlite3.Error, ValueError, TypeError):
            for board_id, things, is_of_many in json.loads(core.outbox.setting(_OWN) or "[]"):
                self._own[board_id].append(_OwnChange(frozenset(things), is_of_many))

    async def keep_own(self) -> None:
        """Store the recorded changes for the next program, as this one ends."""
        rows = [
            (board_id, sorted(recorded.things), recorded.is_of_many)
            for board_id, changes in self._own.items()
            for recorded in changes[-_MOST_KEPT:]
        ]
        with suppress(sqlite3.Error):
            await self._core.disk.run(self._core.outbox.set_setting, _OWN, json.dumps(rows))

    def record_own(self, operation: Operation, created_id: int | None = None) -> None:
        """Record a change of the user that the service accepted, from whichever program."""
        # A change of a subtask or comment shows on the card of the task that it belongs to.
        around = self._details.detail_containing(operation.task_id)
        things = operation.refers if around is None else operation.refers | {around.task.id}
        if created_id is not None and operation.subject.kind == "task":
            things |= {created_id}
        is_of_many = operation.subject.kind in _OF_MANY
        self._own[operation.board_id].append(_OwnChange(things, is_of_many))
        if isinstance(operation, MoveTaskToBoard):
            self._own[operation.to_board_id].append(_OwnChange(things, is_of_many=False))

    def count_own(self, board_id: int) -> int:
        """How many changes are recorded, which the response to a request made now includes."""
        return len(self._own[board_id])

    def forget_own(self, board_id: int, count: int) -> None:
        """Forget the oldest recorded changes, as a response included them."""
        del self._own[board_id][:count]

    async def publish(
        self, view: BoardView, changed_tasks: Sequence[ChangedTask], remote: Remote
    ) -> None:
        """Mark the cards that others changed."""
        board_id = view.board.id
        own = self._own[board_id]
        things = frozenset[int]().union(*(recorded.things for recorded in own))
        of_many = any(recorded.is_of_many for recorded in own)
        pending = [entry for entry in self._core.queue.of(board_id) if entry.is_drawn]
        # What was merged into an entry may have been sent before, and take effect only now.
        on_the_way = [
            replace(entry, operation=operation)
            for entry in pending
            for operation in await self._core.queue.on_the_way(entry)
        ]
        pending += on_the_way
        stage_ids = {str(stage.id) for stage in view.stages}
        of_others = []
        for task in changed_tasks:
            # A comment, subtask or picture of the user changes the counts on its card.
            kinds = [
                kind for kind in task.kinds if kind not in COUNTS or task.task_id not in things
            ]
            # Archiving a stage, for example, removes cards that the operation does not name.
            if of_many and kinds and kinds[0] in (ChangeKind.NEW, ChangeKind.GONE):
                continue
            is_gone = task.kinds[0] is ChangeKind.GONE
            if is_gone and str(task.document.get("stage_id")) not in stage_ids:
                continue  # it disappeared together with its stage
            if kinds and not _may_be_own(task, pending):
                of_others.append((task, kinds))
        if not of_others:
            return
        people = {person.id: person for person in (*view.people, *view.board.people)}
        activities = await self._activities(
            board_id, remote, [task for task, _ in of_others], people
        )
        changes = []
        for task, kinds in of_others:
            actors = (
                (kind, actor(kind, activities[task.task_id], self._core.me)) for kind in kinds
            )
            kind, who = next(((kind, who) for kind, who in actors if who is not None), (None, ""))
            if kind is not None:
                author = who or self._author(kind, task, people)
                if not author and task.task_id in things:
                    continue
                changes.append(RemoteChange(task.task_id, kind, _detail(kind, task, view), author))
        if changes:
            await self._unseen.mark(board_id, changes)

    def _author(self, kind: ChangeKind, changed: ChangedTask, people: Mapping[int, Person]) -> str:
        get = changed.document.get
        author = people.get(_id(get("updated_by")))
        if author is None and kind is ChangeKind.NEW:
            created_at, changed_at = (instant(get(name)) for name in ("created_at", "updated_at"))
            if _is_as_old(created_at, changed_at):  # else it was restored, by whomever
                author = people.get(_id(get("created_by")))
        return "" if author is None or self._core.me.is_of(author) else author.in_words

    async def _activities(
        self,
        board_id: int,
        remote: Remote,
        changed_tasks: Iterable[ChangedTask],
        people: Mapping[int, Person],
    ) -> Mapping[int, Sequence[Activity]]:
        setting = f"newest-activity-{board_id}"
        by_task: defaultdict[int, list[Activity]] = defaultdict(list)
        try:
            documents = await remote.board_activities(board_id)
            authors = {
                _id(document.get("id")): people.get(_id(document.get("created_by")))
                for document in documents
            }
            latest = [
                activity if activity.by else replace(activity, by=authors.get(activity.id))
                for activity in self._assembler.activities(documents)
                if activity.task_id and (activity.by or authors.get(activity.id))
            ]
            newest = int(await self._core.disk.run(self._core.outbox.setting, setting) or 0)
            if latest and latest[0].id != newest:
                await self._core.disk.run(self._core.outbox.set_setting, setting, str(latest[0].id))
        except (ApiError, sqlite3.Error, ValueError):
            return by_task
        changed_at = {
            task.task_id: instant(task.document.get("updated_at")) for task in changed_tasks
        }
        for activity in latest:
            task_id = activity.task_id or 0
            # At the first time no newest id is stored: then the times have to match.
            is_old = _is_as_old(activity.at, changed_at.get(task_id))
            if activity.id > newest if newest else is_old:
                by_task[task_id].append(activity)
        return by_task


def _is_as_old(at: datetime | None, changed_at: datetime | None) -> bool:
    return at is not None and changed_at is not None and abs(at - changed_at) <= _A_MOMENT


def _id(value: object) -> int:
    # A service may send anything in a field that the client does not check.
    digits = str(value)
    return int(digits) if digits.isdecimal() else 0


def _may_be_own(changed: ChangedTask, pending: Iterable[OutboxEntry]) -> bool:
    # Another program may be sending a pending change at this moment, so a task in the state that it
    # sets counts as changed by the user.
    is_new, title = changed.kinds[0] is ChangeKind.NEW, changed.document.get("title")
    for entry in pending:
        operation = entry.operation
        if is_new and operation.creates is not None and getattr(operation, "title", None) == title:
            return True
        if entry.subject.id != changed.task_id:
            continue
        if entry.baseline is not None:  # it may have been sent already
            return True
        is_task = entry.subject.kind == "task"
        if is_task and isinstance(operation.check(changed.document), AlreadyApplied):
            return True
    return False


def _detail(kind: ChangeKind, changed: ChangedTask, view: BoardView) -> str:
    get = changed.document.get
    if kind in (ChangeKind.NEW, ChangeKind.GONE, ChangeKind.RENAMED):
        return quoted(line(str(get("title") or "")))
    if kind is ChangeKind.MOVED:
        stage = next(
            (stage for stage in view.stages if str(stage.id) == str(get("stage_id"))), None
        )
        return "another stage" if stage is None else quoted(stage.title)
    if kind is ChangeKind.DUE:
        moment = wall_clock(get("due_at"))
        return "" if moment is None else in_words(moment, has_clock=False)
    return line(str(get("priority") or "low")) if kind is ChangeKind.PRIORITY else ""
