"""Bringing changes to a service in memory, with and without what later ones make up for."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from tests.store.lanes import lanes
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.model.board import BoardView
from tui.store.documents.assemble import Assembler
from tui.store.files.disk import DiskThread
from tui.store.operations.base import Operation
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.file import MIGRATIONS, Outbox
from tui.store.outbox.merge import merged
from tui.store.outbox.queue import Queue
from tui.store.remote import Remote

_NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
_WRITES = {"create_task", "set_task", "move_task", "delete_task", "add_label", "remove_label"}


class Wire:
    """Sends operations one after another, without a store around it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.remote = service.connection()
        self._assembler = Assembler()
        self._frame = self._assembler.empty_view(service.board())

    @property
    def view(self) -> BoardView:
        """The board as the service has it."""
        if self._frame is None:
            raise LookupError(BOARD)
        tasks = (self._assembler.task(document) for document in self.service.tasks())
        by_stage = lanes(task for task in tasks if task is not None)
        lane_of = {one.id: by_stage.get(one.id, ()) for one in self._frame.stages}
        return replace(self._frame, tasks=lane_of)

    @property
    def writes(self) -> list[str]:
        """The requests that changed something, by their names."""
        return [call for call in self.remote.calls if call in _WRITES]

    async def send(self, operations: Sequence[Operation], *, merging: bool) -> None:
        """Send everything, or what is left of it when merged."""
        with closing(_empty_outbox()) as outbox:
            await self._send(operations, Queue(outbox, DiskThread()), merging=merging)

    async def _send(
        self, operations: Sequence[Operation], entries: Queue, *, merging: bool
    ) -> None:
        entries.put(
            OutboxEntry(seq, BOARD, operation, _NOW)
            for seq, operation in enumerate(operations, start=1)
        )
        while entry := entries.next_of(BOARD):
            if merging and not self._is_shortest(entries, entry):
                continue
            entry = entries.next_of(BOARD) or entry
            reply = await entry.operation.deliver(cast("Remote", self.remote), self.view)
            entries.remove([entry.seq])
            if entry.operation.creates is not None and reply.created_id is not None:
                entries.rename({entry.operation.creates: reply.created_id})

    @staticmethod
    def _is_shortest(entries: Queue, entry: OutboxEntry) -> bool:
        merging = merged(entry, entries)
        entries.remove(gone.seq for gone in merging.gone)
        if merging.survivor is not None:
            entries.put([merging.survivor])
        return not merging.gone

    def state(self) -> list[object]:
        """Everything a person can see at the service, but for the ids of new things."""
        return [
            [
                (task.title, task.status, task.priority, task.due_at)
                for task in self.view.in_stage(stage_id)
            ]
            for stage_id in (OPEN, DOING, DONE)
        ] + [sorted(self.service.archived())]


def _empty_outbox() -> Outbox:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in (one for statements in MIGRATIONS for one in statements):
        connection.execute(statement)
    return Outbox(connection)
