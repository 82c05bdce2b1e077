"""The dialog for moving tasks: to the top or bottom of a stage, or to another board.

A single list contains the stages in board order, then the boards; current stages are marked.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content

from tui.dialogs.pick.find import FindDialog, Row, marked, recent_first, with_recent
from tui.model.board import Board, BoardView, Stage
from tui.text.fuzzy import Index
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys

_NUMBERED = 9


class Destination(NamedTuple):
    """The answer: an end of a stage, or another board."""

    stage_id: int | None = None
    is_top: bool = False
    board_id: int | None = None

    @property
    def key(self) -> str:
        """The key of the stage or board among recent destinations."""
        return f"board {self.board_id}" if self.stage_id is None else f"stage {self.stage_id}"


class _Line(NamedTuple):
    """A destination with its sign, its name and the text beside it."""

    destination: Destination
    sign: str
    name: str
    beside: str


class MoveToDialog(FindDialog[Destination]):
    """Asks for a stage of `view` or one of other boards; `here` are the stages of the tasks.

    `recent` destinations come first, except the stages of the tasks. `note` is shown below the list
    and explains what is missing in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "move-to", ("turn", "tab,shift+tab", "turn", "Top or bottom of stage"), priority=True
    )

    def __init__(
        self,
        title: str,
        view: BoardView,
        *,
        here: Collection[int] = (),
        boards: Sequence[Board] = (),
        both_ends: bool = True,
        note: str = "",
        recent: Sequence[str] = (),
    ) -> None:
        super().__init__(title, "type to find a stage or a board" if boards else "type to find")
        self._has_both_ends = both_ends
        self._note = note
        self._is_top = False
        recent = [one for one in recent if one not in {Destination(each).key for each in here}]
        lines = [
            *(
                _stage_line(view, stage, number, here)
                for number, stage in enumerate(view.stages, 1)
            ),
            *(_board_line(board) for board in boards),
        ]
        self._lines = [
            one._replace(beside=with_recent(one.beside, is_recent=one.destination.key in recent))
            for one in recent_first(lines, recent, lambda one: one.destination.key)
        ]
        self._index = Index([line.name for line in self._lines])

    def rows(self, words: str) -> list[Row]:
        found = [
            Row(str(index), _shown(self._lines[index], words)) for index in self._index.rank(words)
        ]
        if self._note:
            found.append(Row("", Content.styled(f" {self._note}", "$quiet")))
        return found or [Row("", Content(f" no stage or board fits “{words}”"))]

    def keys_line(self) -> str:
        if not self.at:
            return keyed("{dialog.cancel:esc} cancel")
        if not self._has_both_ends or self._lines[int(self.at)].destination.stage_id is None:
            return keyed("↵ to the bottom of it   {dialog.cancel:esc} cancel")
        now, other = ("top", "bottom") if self._is_top else ("bottom", "top")
        turn = f"{{move-to.turn:tab}} to the {other} instead"
        return keyed(f"↵ to the {now}   {turn}   {{dialog.cancel:esc}} cancel")

    def action_turn(self) -> None:
        if self._has_both_ends:
            self._is_top = not self._is_top
            self.show_keys()

    def take(self) -> None:
        if self.at:
            destination = self._lines[int(self.at)].destination
            self.dismiss(destination._replace(is_top=self._is_top))


def _stage_line(view: BoardView, stage: Stage, number: int, here: Collection[int]) -> _Line:
    """A stage with its number, its number of cards, and whether the tasks are in it."""
    sign = str(number) if number <= _NUMBERED else " "
    beside = f"{view.count(stage.id)}{' · here' if stage.id in here else ''}"
    return _Line(Destination(stage.id), sign, stage.title or "(no title)", beside)


def _board_line(board: Board) -> _Line:
    there = Destination(board_id=board.id)
    return _Line(there, glyphs.ARROW, board.title or "(no title)", "another board")


def _shown(line: _Line, words: str) -> Content:
    name = Content(f" {line.sign} ") + marked(line.name, words)
    return name + Content.styled(f"  {line.beside}", "$quiet")
