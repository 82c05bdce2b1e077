"""Asks where a task is to go: a stage of this board, at its top or bottom, or another board.

One list to search, with the stages first, in their order; where the task is now is marked.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.content import Content

from tui.dialogs.pick.find import FindDialog, Row
from tui.model.board import Board, BoardView
from tui.text.fuzzy import Index
from tui.widgets import glyphs

_NUMBERED = 9


class Destination(NamedTuple):
    """A stage and an end of it, or another board."""

    stage_id: int | None = None
    is_top: bool = False
    board_id: int | None = None


class MoveToDialog(FindDialog[Destination]):
    """Asks for a stage of a board, or one of other boards; `here` are the stages of the tasks.

    `note` stands below the list: why there is nothing more in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "tab,shift+tab", "turn", "top or bottom", id="move-to.turn", priority=True,
            tooltip="To the top of the stage, or to its bottom",
        ),
    ]  # fmt: skip

    def __init__(
        self,
        title: str,
        view: BoardView,
        *,
        here: Collection[int] = (),
        boards: Sequence[Board] = (),
        both_ends: bool = True,
        note: str = "",
    ) -> None:
        super().__init__(title, "type to find a stage or a board" if boards else "type to find")
        self._has_both_ends = both_ends
        self._note = note
        self._is_top = False
        stages = [
            (
                Destination(stage.id),
                f"{stage.title or '(no title)'}",
                self._beside(view, stage.id, here),
            )
            for stage in view.stages
        ]
        others = [
            (Destination(board_id=board.id), board.title or "(no title)", "another board")
            for board in boards
        ]
        self._lines = (*stages, *others)
        self._index = Index([name for _, name, _ in self._lines])

    @staticmethod
    def _beside(view: BoardView, stage_id: int, here: Collection[int]) -> str:
        """What is said beside a stage: how many cards it has, and whether this is the one."""
        count = view.count(stage_id)
        return f"{count} · here" if stage_id in here else str(count)

    def rows(self, words: str) -> list[Row]:
        """The stages and boards that fit."""
        found = [Row(str(index), self._line(index)) for index in self._index.rank(words)]
        if self._note:
            found.append(Row("", Content.styled(f" {self._note}", "dim")))
        return found or [Row("", Content(f" no stage or board fits “{words}”"))]

    def keys_line(self) -> str:
        """Where Enter takes it."""
        if not self.at:
            return "esc cancel"
        if not self._has_both_ends or self._lines[int(self.at)][0].stage_id is None:
            return "↵ to the bottom of it   esc cancel"
        now, other = ("top", "bottom") if self._is_top else ("bottom", "top")
        return f"↵ to the {now}   tab to the {other} instead   esc cancel"

    def action_turn(self) -> None:
        """The other end of the stage."""
        if self._has_both_ends:
            self._is_top = not self._is_top
            self.show_keys()

    def take(self) -> None:
        """Answer with the stage, or the board."""
        if self.at:
            destination, _, _ = self._lines[int(self.at)]
            self.dismiss(destination._replace(is_top=self._is_top))

    def _line(self, index: int) -> Content:
        """A stage by its number, a board by an arrow."""
        destination, name, beside = self._lines[index]
        is_board = destination.board_id is not None
        number = str(index + 1) if index < _NUMBERED and not is_board else " "
        sign = glyphs.ARROW if is_board else number
        return Content(f" {sign} {name}") + Content.styled(f"  {beside}", "dim")
