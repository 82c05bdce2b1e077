"""Operations that create a board with its stages, duplicate one, and delete one.

Undoing a new board archives the new board, because others may have added something meanwhile.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Self

from tui.model.board import Board, BoardType, BoardView
from tui.model.detail import TaskDetail
from tui.model.fields.plain import STAGE_SETTINGS
from tui.model.ids import BoardId
from tui.model.task import Status
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import Baseline, Nothing, Operation, Reply, Subject, operation
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.edit import is_edit
from tui.store.operations.ids import About, new_local_id
from tui.store.operations.setters import archive_board
from tui.store.reading import folded, ids_in_order, same_text
from tui.store.remote import Remote
from tui.text.clean import line, quoted, text

DEFAULT_STAGES = ("Open", "In Progress", "Completed")
"""The stages that services give a new to-do board; the last one closes tasks."""


@record
class NewBoard(Creation, ABC):
    """A new board, empty or as a copy."""

    @property
    @abstractmethod
    def board(self) -> Board:
        """The board as it is drawn."""

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        is_listed = any(board.id == self.board_id for board in boards)
        return boards if is_listed else (self.board, *boards)

    def is_mine(self, board: Document) -> bool:
        return same_text(board.get("title"), self.board.title)

    def merged_with(self, later: Operation) -> Operation | None:
        if is_edit(later, "archived_at", "board") and later.text:
            return Nothing(self.board_id)
        return Creation.merged_with(self, later)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (archive_board(self.board),)


@operation("create-board")
@record
class CreateBoard(NewBoard):
    """Create a board with the service's default stages; `board_id` is a local id.

    Services let only a roadmap begin with other `stages`; `ArrangeStages` makes sure of them.
    """

    absorbs: ClassVar[Absorbed] = {"title": {"title": str, "description": str}}

    board_id: About[BoardId]
    title: str
    description: str = ""
    type: BoardType = BoardType.TO_DO
    currency: str = ""
    folder_id: int | None = None
    stages: tuple[str, ...] = ()

    @classmethod
    def new(cls, title: str, description: str = "", kind: BoardType = BoardType.TO_DO) -> Self:
        return cls(new_local_id(), title, description, kind)

    @property
    def board(self) -> Board:
        return Board(self.board_id, line(self.title), self.type, text(self.description))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        return self.reply_created(
            await remote.create_board(
                self.title,
                self.description,
                self.type,
                currency=self.currency or None,
                folder_id=self.folder_id,
                stages=[{"title": title} for title in self.stages] or None,
            )
        )

    def describe(self) -> str:
        return f"Add the board {quoted(line(self.title))}"


@operation("arrange-stages")
@record
class ArrangeStages(Operation):
    """Make the stages of a new board have these titles; tasks moved into the last one are closed.

    Sending it again changes only what is not as wanted yet.
    """

    board_id: BoardId
    name: str
    titles: tuple[str, ...]

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({self.subject})

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        stages = _active_stages(await remote.board(self.board_id))
        setting = STAGE_SETTINGS["status"]
        for (title, status), stage in zip(self._wanted_stages, stages, strict=False):
            if not same_text(stage.get("title"), title):
                await remote.update_stage(self.board_id, stage["id"], title)
            if setting.read(stage) != status:
                await remote.set_stage_setting(
                    self.board_id, stage["id"], title, setting.member, status
                )
        for title, status in self._wanted_stages[len(stages) :]:
            await remote.create_stage(self.board_id, title, status)
        for stage in stages[len(self.titles) :]:
            await remote.archive_stage(self.board_id, stage["id"])
        return self.reply_about(await remote.board(self.board_id))

    @property
    def _wanted_stages(self) -> Sequence[tuple[str, Status]]:
        last = len(self.titles) - 1
        return [
            (title, Status.CLOSED if place == last else Status.OPEN)
            for place, title in enumerate(self.titles)
        ]

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        if now is None:  # nothing is left to do for a deleted board
            return True
        status_of, stages = STAGE_SETTINGS["status"].read, _active_stages(now)
        present = [(folded(stage.get("title")), status_of(stage)) for stage in stages]
        return present == [(folded(title), status) for title, status in self._wanted_stages]

    def merged_with(self, later: Operation) -> Operation | None:
        return later if isinstance(later, ArrangeStages) else None

    def describe(self) -> str:
        return f"Set the stages of {quoted(line(self.name))}: {line(', '.join(self.titles))}"


def new_board(
    title: str,
    kind: BoardType,
    stages: tuple[str, ...],
    *,
    description: str = "",
    currency: str = "",
    folder_id: int | None = None,
) -> tuple[CreateBoard, *tuple[ArrangeStages, ...]]:
    """The operations that create a board with these stages, or with the service's own if none.

    The description is HTML.
    """
    # The service makes these by itself: arranging them would cost requests.
    if kind is BoardType.TO_DO and stages == DEFAULT_STAGES:
        stages = ()
    board = replace(
        CreateBoard.new(title, description, kind),
        currency=currency,
        folder_id=folder_id,
        stages=stages if kind is BoardType.ROADMAP else (),
    )
    return (board, ArrangeStages(board.board_id, board.title, stages)) if stages else (board,)


@operation("duplicate-board")
@record
class DuplicateBoard(NewBoard):
    """Copy a board with its stages under a new title; `board_id` is a local id.

    `source` is the copied board, `name` its title.
    """

    board_id: About[BoardId]
    source: BoardId
    name: str
    title: str
    type: BoardType
    with_tasks: bool = False
    with_labels: bool = False
    with_templates: bool = False

    @property
    def board(self) -> Board:
        return Board(self.board_id, line(self.title), self.type)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        return self.reply_created(
            await remote.duplicate_board(
                self.source,
                self.title,
                with_tasks=self.with_tasks,
                with_labels=self.with_labels,
                with_templates=self.with_templates,
            )
        )

    def merged_with(self, later: Operation) -> Operation | None:
        # A new description is sent on its own: a copy is made with that of its source.
        if is_edit(later, "title", "board") and later.value[1] is None:
            return replace(self, title=later.text)
        return NewBoard.merged_with(self, later)

    def describe(self) -> str:
        return f"Duplicate the board {quoted(line(self.name))} as {quoted(line(self.title))}"


def _active_stages(board: Document) -> list[Document]:
    by_id: Mapping[int, Document] = {int(stage["id"]): stage for stage in board.get("stages") or ()}
    return [by_id[stage_id] for stage_id in ids_in_order(by_id.values())]


@operation("delete-board")
@record
class DeleteBoard(Operation):
    """Delete a board permanently, with everything on it."""

    removes_subject: ClassVar[bool] = True

    board_id: BoardId
    name: str

    @classmethod
    def on(cls, board: Board) -> Self:
        return cls(board.id, board.title)

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        return tuple(board for board in boards if board.id != self.board_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_board(self.board_id)
        return self.reply_about(None)

    def lost_when_undone(self) -> str:
        return "A deleted board cannot be restored."

    def describe(self) -> str:
        return f"Delete the board {quoted(self.name)}"
