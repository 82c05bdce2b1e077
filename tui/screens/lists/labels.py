"""The labels of a board: on how many cards, and since when; edited, merged and deleted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import ClassVar

from tui.actions.action import board_action
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.labels import ask_look
from tui.actions.tasks.loading import complete_board
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.colors import color_name, color_words, drawable, free_color
from tui.model.task import Label, Task
from tui.screens.keys import Hints
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.text.clean import counted
from tui.text.dates import local, past
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Notice
from tui.widgets.painted import Line
from tui.widgets.row_list import ListColumn, number

_FEWEST_MERGED = 2


class LabelsScreen(TableScreen[Label]):
    """The labels of a board."""

    heading, row_name, opens = "Labels", "label", "label.edit"
    nothing = ("no labels yet", "{label.new:n} to add one")
    actions_of = (HistoryActions,)
    columns = (
        ListColumn("", width=2),
        ListColumn("label", limit=33, gap=1),
        ListColumn("open", width=6, align="right", gap=1),
        ListColumn("all", width=9, role="quiet", align="right", gap=3),
        ListColumn("newest card", width=12, role="quiet", least=50),
    )
    first_hints: ClassVar[Hints] = {
        "label.edit": "",
        "label.new": "",
        "label.merge": "",
        "label.delete": "delete",
        "list.search": "",
        "board.undo": "",
        "list.back": "",
    }

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self._used: frozenset[int] | None = None
        """The labels in use according to the service; None if it does not tell."""
        self._archived: tuple[Task, ...] = ()
        self._counted: BoardView | None = None
        self._all: Counter[int] = Counter()
        self._open: Counter[int] = Counter()
        self._newest: dict[int, datetime] = {}

    async def load_rows(self) -> None:
        self._archived, self._counted = await self.store.archived_tasks(self.board_id), None
        with suppress(CallboardError):  # the labels themselves come with the board
            service = await self.store.service()
            used = await service.used_labels(self.board_id)
            self._used = frozenset(int(label["id"]) for label in used)

    def rows(self) -> Sequence[Label]:
        view = self.view
        if view is None:
            return ()
        # Views are immutable: only another one has to be counted.
        if view is not self._counted:
            self._counted = view
            self._count((*view.all_tasks(), *self._archived))
        return view.labels

    def _count(self, tasks: Iterable[Task]) -> None:
        self._all, self._open, self._newest = Counter(), Counter(), {}
        for task in tasks:
            is_open = task.is_open and task.archived_at is None
            for label in task.labels:
                self._all[label.id] += 1
                self._open[label.id] += is_open
                if task.created_at is not None:
                    newest = self._newest.get(label.id, task.created_at)
                    self._newest[label.id] = max(newest, task.created_at)

    def words(self, row: Label) -> str:
        return f"{row.title} {color_words(row.color)}"

    def counts(self) -> Line:
        unused = sum(map(self._is_unused, self.known))
        words = ((counted(len(self.known), "label"), "strong"),)
        return (*words, (f"{unused} unused", "quiet")) if unused else words

    def _is_elsewhere(self, row: Label) -> bool:
        """Whether, according to the service, an archived card or a subtask has it."""
        return self._used is not None and row.id in self._used

    def _is_unused(self, row: Label) -> bool:
        return not self._all[row.id] and not self._is_elsewhere(row)

    def cells(self, row: Label) -> Sequence[str | Line]:
        count, newest = self._all[row.id], self._newest.get(row.id)
        is_unused = self._is_unused(row)
        # The service does not know labels with local ids, so its list says nothing of them.
        is_surely_unused = is_unused and self._used is not None and row.id > 0
        title = row.title or f"(no title) {color_name(row.color)}"
        everywhere, when = str(count), ""
        if newest is not None:
            when = past(local(newest), self.context.now())
        if not count:
            everywhere = "≥1" if self._is_elsewhere(row) else "0" if is_surely_unused else ""
            when = "never" if is_surely_unused else ""
        return (
            "",
            ((f"{glyphs.CHIP} ", drawable(row.color)), (title, "quiet" if is_unused else "text")),
            number(self._open[row.id]),
            everywhere,
            when,
        )

    def own_notice(self) -> Notice | None:
        count = len(self.row_list.marks)
        if not count:
            return super().own_notice()
        keys = "{label.merge:m} to merge them into one"
        if count < _FEWEST_MERGED:
            keys = "{rows.mark:v} marks another one to merge them"
        sentence = f"{count} marked: {keyed(keys)}"
        hint = "{rows.mark:v} unmark  {list.back:esc} clear"
        return Notice.of(sentence, hint, sign=(glyphs.MARK, "warn"))

    @board_action("label.edit", "e", "Edit label", hint="edit", asks=True)
    async def edit(self) -> None:
        row = self.need_row()
        if row is None:
            return

        async def save(title: str, color: str) -> None:
            edit = change.edit_label(self.board_id, row, title=title, color=color)
            if edit.changes_nothing:
                self.say("nothing was changed")
            else:
                await self.submit(f"changed the label {row.in_words}", edit)

        await ask_look(self, f"Label {row.in_words}", row, save)

    @board_action("label.new", "n", "New label", hint="new", asks=True)
    async def create(self) -> None:
        async def save(title: str, color: str) -> None:
            creation = change.CreateLabel.new(self.board_id, title, color)
            await self.submit(f"added the label {creation.label.in_words}", creation)

        await ask_look(self, "New label", Label(0, "", free_color(self.rows())), save)

    @board_action("label.merge", "m", "Merge marked labels into one", hint="merge", asks=True)
    async def merge(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        rows = self.need_rows()
        if len(rows) < _FEWEST_MERGED:
            self.say("mark at least two labels to merge", hint="{rows.mark:v} to mark a label")
            return
        view = await complete_board(self, self.board_id)
        if view is None:
            return
        options = [
            QuestionChoice(str(number), f"{row.in_words} · {color_words(row.color)}", str(row.id))
            for number, row in enumerate(rows, start=1)
        ]
        chosen = await self.ask(ChooseDialog(f"Merge {len(rows)} labels into", options))
        target = next((row for row in rows if str(row.id) == chosen), None)
        if target is None:
            return
        gone = [row for row in rows if row is not target]
        cards = _tasks_with(view, gone)
        put = [task for task in cards if all(label.id != target.id for label in task.labels)]
        names = ", ".join(row.in_words for row in gone)
        text = (
            f"{counted(len(cards), 'card')} on the board will have {target.in_words} instead. "
            f"Archived cards and subtasks lose {names} and get nothing instead. "
            + keyed("Undo ({board.undo:u}) does not restore these.")
        )
        if await self.confirm(f"Merge {names} into {target.in_words}?", text):
            additions = [change.add_label(task, target) for task in put]
            deletions = [change.DeleteLabel.on(view, row) for row in gone]
            await self.submit(f"merged {names} into {target.in_words}", *additions, *deletions)

    @board_action("label.delete", "D", "Delete label", asks=True)
    async def delete(self) -> None:
        if not (rows := self.need_rows()):
            return
        view = await complete_board(self, self.board_id)
        if view is None:
            return
        names = ", ".join(row.in_words for row in rows)
        text = (
            f"{counted(len(_tasks_with(view, rows)), 'card')} on the board will lose it, as will "
            "archived cards and subtasks. "
            + keyed("Undo ({board.undo:u}) restores it, but not on these.")
        )
        if await self.confirm(f"Delete the label {names}?", text):
            deletions = [change.DeleteLabel.on(view, row) for row in rows]
            await self.submit(f"deleted the label {names}", *deletions)


def _tasks_with(view: BoardView, labels: Iterable[Label]) -> list[Task]:
    ids = {label.id for label in labels}
    return [task for task in view.all_tasks() if any(label.id in ids for label in task.labels)]


SCREEN = LabelsScreen
