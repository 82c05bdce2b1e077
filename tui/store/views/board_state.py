"""One board in memory, and how it gets there.

The rule it keeps: a board is read whole and in order, a slice at a time, so that the event loop is
never held for long.
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tui.model.board import BoardView
from tui.runtime.slices import Slicer
from tui.store.cache.file import Cache
from tui.store.cache.task_lists import Exchanged
from tui.store.documents.assemble import Assembler, lanes
from tui.store.documents.shapes import Document, KeptBoardDocuments
from tui.store.files.disk import DiskThread
from tui.store.views.truth import Truth

_SLICE = 128


class Absorbed(NamedTuple):
    """What a list of tasks brought: whether the board looks different, and which tasks differ.

    A list `is_outdated` for tasks that something was written of since it was asked for.
    """

    looks_different: bool = False
    exchanged: tuple[Exchanged, ...] = ()
    is_outdated: bool = False


@dataclass(slots=True)
class KeptBoard:
    """One board in memory.

    `sketch` is what the first paint shows until the `truth` is there; `touched` are the tasks the
    service spoke of since a reload began, which the reload therefore knows less about; `revision`
    is that of the cache when the truth was read, `asked_at_revision` when a reload began: other
    programs may write to it as well.
    """

    sketch: BoardView | None = None
    truth: Truth | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    touched: set[int] = field(default_factory=set)
    revision: int = 0
    asked_at_revision: int = 0


def sketch_of(first: KeptBoardDocuments, assembler: Assembler) -> BoardView | None:
    """A board with the first tasks of each stage; None if its documents tell of no board."""
    frame = assembler.empty_view(first.board)
    if frame is None:
        return None
    made = (assembler.task(document) for document in first.tasks)
    by_stage = lanes(task for task in made if task is not None)
    return replace(
        frame,
        tasks={stage.id: by_stage.get(stage.id, ()) for stage in frame.stages},
        complete=False,
        totals=first.totals,
    )


def merge(
    truth: Truth, assembler: Assembler, changed: Iterable[Document], gone: Iterable[int]
) -> bool:
    """Take over tasks as they are now, and that some are gone; says whether it looks different.

    One that is on another board now is gone from this one.
    """
    different = False
    for document in changed:
        task = assembler.task(document)
        if task is not None and task.board_id == truth.board_id:
            different |= truth.put(task)
        elif task is not None:
            different |= truth.drop(task.id)
    for task_id in gone:
        different |= truth.drop(task_id)
    return different


async def truth_from_cache(
    cache: Cache, disk: DiskThread, assembler: Assembler, board_id: int
) -> Truth | None:
    """What the service last said about a board, whole; None if the cache does not know it."""
    document = await disk.run(cache.board, board_id)
    frame = None if document is None else assembler.empty_view(document)
    if frame is None:
        return None
    newest_id = await disk.run(cache.newest_task_id, board_id)
    slices = cache.whole(board_id, _SLICE)
    truth = Truth(frame, newest_id)
    slicer = Slicer()
    while bodies := await disk.run(next, slices, None):
        for body in bodies:
            task = assembler.task(json.loads(body))
            if task is not None:
                truth.append(task)
            await slicer.breathe()
    return truth
