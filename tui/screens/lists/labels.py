"""The labels of a board: as they look, and on how many cards."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.action import Action, bindings
from tui.context import Context
from tui.model.board import BoardView
from tui.model.colors import COLORS, color_words, drawable
from tui.model.task import Label
from tui.screens.lists.content import ListContext
from tui.screens.lists.screen import ListScreen
from tui.store import operations as change
from tui.store.protocol import Store
from tui.text.cells import fit
from tui.text.clean import counted
from tui.widgets import glyphs
from tui.widgets.painted import Line

_COLOR_WIDTH = 16


class Labels:
    """The labels of a board."""

    title, row, opens = "Labels", "label", "label.edit"
    move = None

    def __init__(self, store: Store, board_id: int) -> None:
        self._store = store
        self.board_id = board_id
        self._counts: Counter[int] = Counter()

    @property
    def view(self) -> BoardView | None:
        """The board."""
        return self._store.board(self.board_id)

    async def load(self) -> None:
        """Nothing: labels come with the board."""

    def rows(self) -> Sequence[Label]:
        view = self.view
        if view is None:
            return ()
        self._counts = Counter(label.id for task in view.all_tasks() for label in task.labels)
        return view.labels

    def key(self, row: Label) -> int:
        return row.id

    def words(self, row: Label) -> str:
        return f"{row.title} {color_words(row.color)}"

    def line(self, row: Label, width: int) -> Line:
        count = self._counts[row.id]
        used = f" {counted(count, 'card') if count else 'unused'} "
        room = max(1, width - _COLOR_WIDTH - len(used) - 3)
        return (
            (f"{glyphs.CHIP * 2} ", drawable(row.color)),
            (fit(row.title or "(no title)", room), "title"),
            (fit(color_words(row.color), _COLOR_WIDTH), "meta"),
            (used, "count"),
        )

    def empty(self) -> tuple[str, str]:
        return "no labels yet", "n makes one"


class EditLabel(Action[ListContext[Label]]):
    """Asks for the title and the colour of the label."""

    id, keys, label, hint = "label.edit", "e", "Edit label", "edit"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        row = on.need_row()
        if row is None:
            return
        look = await ask_look(on, f"Label {row.in_words}", row.title, row.color)
        if look is not None and look != (row.title, row.color):
            edit = change.edit_label(on.board_id, row, title=look[0], color=look[1])
            await on.submit(f"changed the label {row.in_words}", edit)


class NewLabel(Action[ListContext[Label]]):
    """Asks for a title and a colour, and creates a label."""

    id, keys, label, hint = "label.new", "n", "New label", "new"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        look = await ask_look(on, "New label", "", next(iter(COLORS.values())))
        if look is not None:
            made = change.CreateLabel.new(on.board_id, *look)
            await on.submit(f"added the label {made.label.in_words}", made)


class DeleteLabels(Action[ListContext[Label]]):
    """Asks for confirmation, then deletes the labels."""

    id, keys, label = "label.delete", "D", "Delete label"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        rows, view = on.need_rows(), on.store.board(on.board_id)
        if not rows or view is None:
            return
        ids = {row.id for row in rows}
        cards = sum(any(one.id in ids for one in task.labels) for task in view.all_tasks())
        names = ", ".join(row.in_words for row in rows)
        text = f"{counted(cards, 'card')} on the board will lose it. u brings it back."
        if await on.ask(ConfirmDialog(f"Delete the label {names}?", text)):
            deletions = [change.DeleteLabel.on(view, row) for row in rows]
            await on.submit(f"deleted the label {names}", *deletions)


async def ask_look(
    on: ListContext[Label], question: str, title: str, color: str
) -> tuple[str, str] | None:
    """Ask for the title and the colour of a label; None if cancelled."""
    from tui.dialogs.form import Choice, Field, FormDialog

    known = list(COLORS.values())
    colors = known if color in known else [color, *known]
    fields = (
        Field("title", "Title", title, placeholder="may be empty"),
        Field("color", "Colour", color, [Choice(one, color_words(one)) for one in colors]),
    )
    answer = await on.ask(FormDialog(question, fields))
    if answer is None:
        return None
    return " ".join(answer["title"].split()), answer["color"]


ACTIONS: tuple[Action[ListContext[Label]], ...] = (EditLabel(), NewLabel(), DeleteLabels())


class LabelsScreen(ListScreen):
    """The labels of a board."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id, Labels(context.store, board_id), ACTIONS)


SCREEN = LabelsScreen
