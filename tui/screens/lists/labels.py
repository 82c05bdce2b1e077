"""The labels of a board: as they look, and on how many cards; edited, merged and deleted."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.colors import COLORS, color_name, color_words, drawable, free_color
from tui.model.task import Label, Task
from tui.screens.lists.content import TABLE_WIDTH, ListContext
from tui.screens.lists.screen import ListScreen
from tui.store import operations as change
from tui.store.protocol import Store
from tui.text.cells import fit
from tui.text.clean import counted
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import Line

_COLOR_WIDTH, _USED_WIDTH = 11, 10
_FEWEST_MERGED = 2


class Labels:
    """The labels of a board."""

    title, row, opens = "Labels", "label", "label.edit"
    move = None

    def __init__(self, store: Store, board_id: int) -> None:
        self._store = store
        self.board_id = board_id
        self._counts: Counter[int] = Counter()
        self._counted: BoardView | None = None
        self._used: frozenset[int] | None = None

    @property
    def view(self) -> BoardView | None:
        return self._store.board(self.board_id)

    async def load(self) -> None:
        """Ask which labels are in use anywhere; the rest comes with the board."""
        with suppress(CallboardError):
            service = await self._store.service()
            used = await service.used_labels(self.board_id)
            self._used = frozenset(int(one["id"]) for one in used)

    def is_elsewhere(self, row: Label) -> bool | None:
        """Whether archived cards or subtasks alone have a label; None if not known."""
        if self._counts[row.id]:
            return None
        return None if self._used is None or row.id < 0 else row.id in self._used

    def rows(self) -> Sequence[Label]:
        view = self.view
        if view is None:
            return ()
        if view is not self._counted:
            self._counted = view
            self._counts = Counter(label.id for task in view.all_tasks() for label in task.labels)
        return view.labels

    def key(self, row: Label) -> int:
        return row.id

    def words(self, row: Label) -> str:
        return f"{row.title} {color_words(row.color)}"

    def line(self, row: Label, width: int) -> Line:
        width = min(width, TABLE_WIDTH)
        count = self._counts[row.id]
        none = {True: "elsewhere", False: "unused", None: "no card"}[self.is_elsewhere(row)]
        used = counted(count, "card") if count else none
        room = max(1, width - _COLOR_WIDTH - _USED_WIDTH - 5)
        return (
            (f"{glyphs.CHIP * 2} ", drawable(row.color)),
            (fit(row.title or "(no title)", room), "title"),
            (f" {fit(color_name(row.color) or row.color, _COLOR_WIDTH)}", "meta"),
            (f"{used:>{_USED_WIDTH}} ", "count"),
        )

    def empty(self) -> tuple[str, str]:
        return "no labels yet", "{label.new:n} makes one"


class EditLabel(Action[ListContext[Label]]):
    """Asks for the title and the colour of the label."""

    id, keys, label, hint = "label.edit", "e", "Edit label", "edit"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        row = on.need_row()
        if row is None:
            return

        async def keep(title: str, color: str) -> None:
            edit = change.edit_label(on.board_id, row, title=title, color=color)
            if edit.changes_nothing:
                on.say("nothing was changed")
            else:
                await on.keep(f"changed the label {row.in_words}", edit)

        await ask_look(on, f"Label {row.in_words}", row, keep)


class NewLabel(Action[ListContext[Label]]):
    """Asks for a title and a colour, and creates a label."""

    id, keys, label, hint = "label.new", "n", "New label", "new"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        async def keep(title: str, color: str) -> None:
            made = change.CreateLabel.new(on.board_id, title, color)
            await on.keep(f"added the label {made.label.in_words}", made)

        color = free_color(on.content.rows())
        await ask_look(on, "New label", Label(0, "", color), keep)


class MergeLabels(Action[ListContext[Label]]):
    """Asks which of the marked labels is kept, puts it on their cards, and deletes the others."""

    id, keys, label, hint = "label.merge", "m", "Merge marked labels into one", "merge"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        from tui.dialogs.choose import Choice, ChooseDialog

        rows, view = on.need_rows(), whole_board(on)
        if len(rows) < _FEWEST_MERGED:
            on.say("two labels or more are merged", hint="{rows.mark:v} marks a label")
            return
        if view is None:
            return
        options = [
            Choice(str(number), f"{row.in_words} · {color_words(row.color)}", str(row.id))
            for number, row in enumerate(rows, start=1)
        ]
        chosen = await on.ask(ChooseDialog(f"Merge {len(rows)} labels into", options))
        kept = next((row for row in rows if str(row.id) == chosen), None)
        if kept is None:
            return
        gone = [row for row in rows if row is not kept]
        cards = tasks_with(view, gone)
        put = [task for task in cards if all(one.id != kept.id for one in task.labels)]
        names = ", ".join(row.in_words for row in gone)
        text = (
            f"{counted(len(cards), 'card')} on the board will have {kept.in_words} instead. "
            f"Archived cards and subtasks lose {names} and get nothing instead. "
            + keyed("{board.undo:u} undoes it, but not for these.")
        )
        if await on.confirm(f"Merge {names} into {kept.in_words}?", text):
            additions = [change.AddLabel.on(task, kept) for task in put]
            deletions = [change.DeleteLabel.on(view, row) for row in gone]
            await on.submit(f"merged {names} into {kept.in_words}", *additions, *deletions)


class DeleteLabels(Action[ListContext[Label]]):
    """Asks for confirmation, then deletes the labels."""

    id, keys, label = "label.delete", "D", "Delete label"
    asks = changes_board = True

    async def run(self, on: ListContext[Label]) -> None:
        rows, view = on.need_rows(), whole_board(on)
        if not rows or view is None:
            return
        names = ", ".join(row.in_words for row in rows)
        text = (
            f"{counted(len(tasks_with(view, rows)), 'card')} on the board will lose it, and so "
            "will archived cards and subtasks. "
            + keyed("{board.undo:u} brings it back, but not on these.")
        )
        if await on.confirm(f"Delete the label {names}?", text):
            deletions = [change.DeleteLabel.on(view, row) for row in rows]
            await on.submit(f"deleted the label {names}", *deletions)


def whole_board(on: ListContext[Label]) -> BoardView | None:
    """The board with all its cards; say so if they are not there yet."""
    view = on.view
    if view is not None and view.complete:
        return view
    on.say("the cards of the board are still loading")
    return None


def tasks_with(view: BoardView, labels: Iterable[Label]) -> list[Task]:
    """The cards that have one of some labels."""
    ids = {label.id for label in labels}
    return [task for task in view.all_tasks() if any(one.id in ids for one in task.labels)]


async def ask_look(
    on: ListContext[Label],
    question: str,
    label: Label,
    keep: Callable[[str, str], Awaitable[None]],
) -> None:
    """Ask for the title and the colour of a label, until they are kept or it is cancelled."""
    from tui.dialogs.choose import read_color
    from tui.dialogs.form import Answers, Choice, Field, FormDialog

    def read(answers: Answers) -> tuple[str, str]:
        typed = answers["other"]
        return answers["title"], read_color(typed) if typed else answers["color"]

    known = list(COLORS.values())
    colors = known if label.color.casefold() in known else [label.color, *known]
    fields = (
        Field("title", "Title", label.title, placeholder="may be empty"),
        Field(
            "color",
            "Colour",
            label.color if label.color in colors else label.color.casefold(),
            [Choice(one, color_words(one), one) for one in colors],
        ),
        Field("other", "or another", placeholder="such as #4bce97"),
    )

    async def send(answers: Answers) -> None:
        await keep(*read(answers))

    await on.ask(FormDialog(question, fields, check=read, send=send))


ACTIONS: tuple[Action[ListContext[Label]], ...] = (
    EditLabel(),
    NewLabel(),
    MergeLabels(),
    DeleteLabels(),
    *HISTORY_ACTIONS,
)


class LabelsScreen(ListScreen):
    """The labels of a board."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id, Labels(context.store, board_id), ACTIONS)


SCREEN = LabelsScreen
