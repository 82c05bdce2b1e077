"""Dialogs that ask for a place: where tasks are moved, or what something belongs to."""

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content

from tui.dialogs.pick.find import MOST, Choice, Pick, PickRow, recent_choices
from tui.model.board import Board, BoardView
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys

_NUMBERED = 9
_NEW = "new"

PlaceChoice = Choice[int]


class PickedPlace(NamedTuple):
    """The id of the place, or the title of one to create."""

    key: int
    created: str = ""


class PickParent(Pick[PickedPlace]):
    """Asks for the place of something: a parent task, a group, a stage or a board.

    With `create` (“a new group”) the typed text is offered as the title of a new one.
    """

    def __init__(self, title: str, places: Sequence[PlaceChoice], *, create: str = "") -> None:
        choices = [Choice(PickedPlace(key), label, hint) for key, label, hint, *_ in places]
        super().__init__(title, choices, most=MOST)
        self._create = create

    def below(self, words: str) -> list[PickRow]:
        title = " ".join(words.split())
        if not self._create or any(choice.label == title for choice in self.choices if title):
            return []
        if not title:
            return [PickRow("", Content(f" + {self._create}: type its title"))]
        return [PickRow(_NEW, Content(f" + {self._create} “{title}”"))]

    def take(self) -> None:
        if self.at == _NEW:
            self.dismiss(PickedPlace(0, " ".join(self.line.value.split())))
        else:
            super().take()


class Destination(NamedTuple):
    """Where tasks are moved: an end of a stage, or another board."""

    stage_id: int | None = None
    is_top: bool = False
    board_id: int | None = None

    @property
    def key(self) -> str:
        """The key of the stage or board among recent destinations."""
        return f"board {self.board_id}" if self.stage_id is None else f"stage {self.stage_id}"


class MoveToDialog(Pick[Destination]):
    """Asks for a stage of `view` or one of other boards; `current_stages` are those of the tasks.

    The stages are in board order, then the boards. `recent` destinations come first, except the
    stages of the tasks. `note` is shown below the list and explains what is missing in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "move-to", ("turn", "tab,shift+tab", "turn", "Top or bottom of stage"), priority=True
    )

    def __init__(
        self,
        title: str,
        view: BoardView,
        *,
        current_stages: Collection[int] = (),
        boards: Sequence[Board] = (),
        both_ends: bool = True,
        note: str = "",
        recent: Sequence[str] = (),
    ) -> None:
        choices = []
        for number, stage in enumerate(view.stages, 1):
            hint = f"{view.count(stage.id)}{' · here' if stage.id in current_stages else ''}"
            sign = str(number) if number <= _NUMBERED else " "
            choices.append(Choice(Destination(stage.id), stage.title, hint, sign=sign))
        for board in boards:
            to, sign = Destination(board_id=board.id), glyphs.ARROW
            choices.append(Choice(to, board.title, "another board", sign=sign))
        current = {Destination(stage_id).key for stage_id in current_stages}
        recent = [key for key in recent if key not in current]
        super().__init__(
            title,
            recent_choices(choices, recent, lambda destination: destination.key),
            "type to find a stage or a board" if boards else "type to find",
            nothing="no stage or board",
        )
        self._note = note
        self._has_both_ends = both_ends
        self._is_top = False

    def below(self, words: str) -> list[PickRow]:
        del words
        return [PickRow("", Content.styled(f" {self._note}", "$quiet"))] if self._note else []

    def keys_line(self) -> str:
        if self.choice is None:
            return "{dialog.cancel:esc} cancel"
        if not self._has_both_ends or self.choice.value.stage_id is None:
            return "↵ select   {dialog.cancel:esc} cancel"
        now, opposite = ("top", "bottom") if self._is_top else ("bottom", "top")
        turn = f"{{move-to.turn:tab}} {opposite} instead"
        return f"↵ select {now}   {turn}   {{dialog.cancel:esc}} cancel"

    def action_turn(self) -> None:
        if self._has_both_ends:
            self._is_top = not self._is_top
            self.show_keys()

    def take(self) -> None:
        if self.choice is not None:
            self.dismiss(self.choice.value._replace(is_top=self._is_top))
