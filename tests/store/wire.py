"""Bringing changes to a service in memory, with and without what later ones make up for."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from tests.store.fake_remote import BOARD, FakeRemote, FakeService
from tui.model.board import BoardView
from tui.store.documents.assemble import Assembler, lanes
from tui.store.files.disk import DiskThread
from tui.store.operations.base import Operation
from tui.store.outbox.entry import Entry
from tui.store.outbox.file import _MIGRATIONS, Outbox
from tui.store.outbox.merge import merged
from tui.store.outbox.queue import Queue

_NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
_WRITES = {"create_task", "set_task", "move_task", "delete_task", "add_label", "remove_label"}


class Wire:
    """Sends operations one after another, as a courier does, without a store around it."""

    def __init__(self, service: FakeService) -> None:
        self.service = service
        self.remote = FakeRemote(service)

    @property
    def view(self) -> BoardView:
        """The board as the service has it."""
        assembler = Assembler()
        frame = assembler.empty_view(
            {**self.service.boards[BOARD], "stages": self.service.stages[BOARD]}
        )
        if frame is None:
            raise LookupError(BOARD)
        tasks = (
            assembler.task(document)
            for document in self.service.by_id.values()
            if not document["archived_at"]
        )
        by_stage = lanes(task for task in tasks if task is not None)
        return replace(frame, tasks={one.id: by_stage.get(one.id, ()) for one in frame.stages})

    @property
    def writes(self) -> list[str]:
        """The requests that changed something, by their names."""
        return [call for call in self.remote.calls if call in _WRITES]

    async def send(self, operations: Sequence[Operation], *, merging: bool) -> None:
        """Send everything, or what is left of it when merged."""
        entries = Queue(_empty_outbox(), DiskThread())
        entries.put(
            Entry(seq, BOARD, operation, _NOW) for seq, operation in enumerate(operations, start=1)
        )
        while entry := entries.next_of(BOARD):
            if merging and not self._is_shortest(entries, entry):
                continue
            entry = entries.next_of(BOARD) or entry
            reply = await entry.operation.deliver(self.remote, self.view)
            entries.remove([entry.seq])
            if entry.operation.creates is not None and reply.made is not None:
                entries.rename({entry.operation.creates: reply.made})

    @staticmethod
    def _is_shortest(entries: Queue, entry: Entry) -> bool:
        later = [other for other in entries.about(entry.subject) if other.seq > entry.seq]
        merging = merged(entry, later, entries.between, entries.dependants(entry))
        entries.remove(gone.seq for gone in merging.gone)
        if merging.survivor is not None:
            entries.put([merging.survivor])
        return not merging.gone

    def state(self) -> dict[int, list[tuple[object, ...]]]:
        """Everything a person can see at the service, but for the ids of new things."""
        return {
            stage["id"]: [
                tuple(task[name] for name in ("title", "status", "priority", "due_at"))
                for task in self.service.lane(stage["id"])
            ]
            for stage in self.service.stages[BOARD]
        } | {
            0: sorted(
                (task["title"], task["status"])
                for task in self.service.by_id.values()
                if task["archived_at"]
            )
        }


def _empty_outbox() -> Outbox:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in (one for statements in _MIGRATIONS for one in statements):
        connection.execute(statement)
    return Outbox(connection)
