"""The form of a view: its name, filter, boards, grouping, order and columns, with a preview."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import WorkType

from tui.context import Context
from tui.dialogs.base import Dialog, DialogMessage
from tui.dialogs.questions import ConfirmDialog
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.query.language import QueryContext, QueryProblem, completions, parse, read, similar
from tui.model.urgency import is_overdue
from tui.model.work.saved_view import SavedView, ViewColumn, ViewGroup, ViewSort, checked
from tui.model.work.view_rows import ViewRow, view_rows
from tui.runtime.key_queue import drop_keys
from tui.screens.board.filter_line import FilterInput
from tui.screens.views.cells import due_cell
from tui.screens.views.choices import Choices, Option
from tui.text.clean import counted, line, quoted
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line, PaintedLines, cut_line, line_width
from tui.widgets.text_input import TextInput

_ALL = "all"
_NAMES = {ViewColumn.BOARD: f"board {glyphs.RIGHT} stage"}
_ROOMY, _HIGH, _LOW = 36, 30, 20
_MOST_SHOWN = _MOST_LINES = 3
"""From these heights on: blank lines between fields, three rows of preview, and one of them."""


class ViewForm(Dialog[SavedView]):
    """Asks for a view; what it would show is counted while it is typed."""

    frame_class = "-wide"
    keys_text = (
        "{form.save:ctrl+s} save   ↵ next   {choices.select:space} select"
        "   {dialog.cancel:esc} cancel"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *quiet_keys("form", ("save", "ctrl+s", "save", "Save the form"), priority=True),
        *quiet_keys(
            "form",
            ("next", "down,tab,enter", "go(1)", "Next field"),
            ("previous", "up,shift+tab", "go(-1)", "Previous field"),
        ),
    ]

    def __init__(
        self,
        title: str,
        view: SavedView,
        others: Sequence[str],
        boards: Sequence[Board],
        context: Context,
    ) -> None:
        super().__init__(title)
        self._view, self._others, self._program = view, others, context
        # A view may name boards that are archived, or not there just now: they stay in it.
        titles = {board.id: board.title for board in boards}
        self._board_ids = [
            *titles,
            *(board_id for board_id in view.boards if board_id not in titles),
        ]
        self._name_input = TextInput(view.name, compact=True, select_on_focus=False)
        self._filter_input = FilterInput("filter", view.query, self._completions)
        self._count = DialogMessage(classes="view-count")
        self._boards = Choices(
            [
                Option(_ALL, "All boards"),
                *(
                    Option(
                        str(board_id),
                        line(titles.get(board_id, f"board {board_id}")) or "(no title)",
                    )
                    for board_id in self._board_ids
                ),
            ],
            [str(board_id) for board_id in view.boards],
            self._count_soon,
            are_many=True,
            first_alone=True,
        )
        self._group = Choices(_options(ViewGroup), [view.group.value], self._count_soon, most=1)
        self._sort = Choices(
            _options(ViewSort),
            [view.sort.value],
            self._count_soon,
            is_reversed=view.is_reversed,
            most=1,
        )
        self._columns = Choices(
            [Option(column.value, _NAMES.get(column, column.value)) for column in ViewColumn],
            [column.value for column in view.columns],
            self._count_soon,
            are_many=True,
            in_order=True,
        )
        self._preview = _Preview()
        self._about: QueryContext | None = None

    def body(self) -> Iterable[Widget]:
        yield _row("Name", self._name_input)
        yield _row("Filter", self._filter_input, "-counted")
        yield self._count
        yield _row("Boards", self._boards)
        yield _row("Group by", self._group)
        yield _row("Sort by", self._sort)
        yield _row("Columns", self._columns)
        yield self._preview

    def on_mount(self) -> None:
        self.say_context("saved on this computer")
        first = self._filter_input if self._view.name else self._name_input
        first.focus()
        self._fit()
        self._count_soon()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        height = self.app.size.height
        self.set_class(height >= _ROOMY, "-roomy")
        self._preview.most = _MOST_SHOWN if height >= _HIGH else 1
        self._preview.display = height >= _LOW
        for choices in (self._boards, self._columns):
            choices.show_at_most(_MOST_LINES if height >= _LOW else 1)
        self._preview.draw_anew()

    @property
    def view(self) -> SavedView:
        """The view as it is filled in."""
        boards = tuple(
            board_id for board_id in self._board_ids if str(board_id) in self._boards.chosen
        )
        return replace(
            self._view,
            name=self._name_input.value,
            query=self._filter_input.value,
            boards=boards,
            group=ViewGroup(self._group.chosen[0]),
            sort=ViewSort(self._sort.chosen[0]),
            is_reversed=bool(self._sort.is_reversed),
            columns=tuple(map(ViewColumn, self._columns.chosen)),
        )

    def _completions(self, word: str) -> tuple[str, ...]:
        if self._about is None:
            return ()
        return completions(word, self._about) or similar(word, self._about)

    def on_descendant_focus(self) -> None:
        self._draw_labels()

    def _draw_labels(self) -> None:
        for row in self.query(".view-row"):
            label, field = row.children
            label.set_class(field is self.focused, "-current")
            name = str(label.name or "")
            mark = glyphs.HERE if field is self.focused else " "
            if isinstance(label, Static):
                label.update(Content(f"{mark}{name}"))

    def action_go(self, by: int) -> None:
        self._go(by)

    def _go(self, by: int) -> None:
        fields = [row.children[1] for row in self.query(".view-row")]
        at = next((at for at, field in enumerate(fields) if field is self.focused), 0)
        fields[(at + by) % len(fields)].focus()

    @on(LineInput.Done)
    def next_field(self) -> None:
        self._go(1)

    @on(LineInput.GivenUp)
    def give_up(self) -> None:
        self.action_cancel()

    @on(LineInput.Typed)
    def filter_typed(self) -> None:
        self._count_soon()

    @on(FilterInput.HelpRequested)
    def explain_terms(self) -> None:
        self.tell("words  #12  label:bug  @name  stage:review  p:high  due:week  is:open")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._go(1)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._count_soon()

    def _count_soon(self) -> None:
        counting: WorkType[None] = self._look
        self.run_worker(counting, group="count", exclusive=True)

    async def _look(self) -> None:
        view, now = self.view, self._program.now()
        board_ids = [
            board.id
            for board in self._program.store.boards()
            if board.archived_at is None and (not view.boards or board.id in view.boards)
        ]
        try:
            found = await self._program.store.find_cards(
                parse(view.query), board_ids, now, frozenset(board_ids)
            )
        except CallboardError as error:
            self._count.explain(error)
            return
        self._about = found.about
        rows = view_rows(found.views, view, self._program.store.me, now)
        self._preview.show(rows, now)
        problem = self._problem
        self._filter_input.mark(problem)
        if problem is not None and not problem.is_begun:
            self._say_problem(problem)
            return
        if not rows:
            self._count.show("No cards match")
            return
        boards = len({row.task.board_id for row in rows})
        late = sum(is_overdue(row.task, now) for row in rows)
        words = f"{counted(len(rows), 'card')} on {counted(boards, 'board')}"
        self._count.show(
            Content.assemble(
                (words, "bold $success"), (f"  {late} overdue" if late else "", "bold $refused")
            )
        )

    @property
    def _problem(self) -> QueryProblem | None:
        problems = read(self._filter_input.value, self._about).problems
        return problems[0] if problems else None

    def _say_problem(self, problem: QueryProblem) -> None:
        typed = self._filter_input.value[problem.start : problem.end]
        meant = similar(typed, self._about) if self._about is not None else ()
        hint = f". Did you mean {meant[0]}?" if meant else ""
        self._count.show(f"{problem.why}{hint}", is_problem=True)

    def action_save(self) -> None:
        problem = self._problem
        try:
            view = checked(self.view, self._others)
        except CallboardError as error:
            message = error.message.partition("\n")[0]
            self._count.show(message, is_problem=True)
            is_name = problem is None
            (self._name_input if is_name else self._filter_input).focus()
            drop_keys(self.app)
            return
        if problem is not None:
            self._filter_input.mark(problem)
            self._say_problem(problem)
            self._filter_input.cursor_position = problem.end
            self._filter_input.focus()
            drop_keys(self.app)
            return
        self.dismiss(view)

    def action_cancel(self) -> None:
        if self.view == self._view:
            self.dismiss(None)
            return
        asking: WorkType[None] = self._ask_to_discard
        self.run_worker(asking, group="discard", exclusive=True)

    async def _ask_to_discard(self) -> None:
        name = self._name_input.value.strip()
        text = f"What you changed of {quoted(line(name))} is lost." if name else "It is not saved."
        if await self.app.push_screen_wait(ConfirmDialog("Discard?", text, verb="discard")):
            self.dismiss(None)


class _Preview(PaintedLines):
    """The first rows of the view."""

    ground = "raised"
    most = _MOST_SHOWN

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[str, str, Line]] = []

    def show(self, rows: Sequence[ViewRow], now: datetime) -> None:
        """Show the first of these rows."""
        self._rows = [
            (
                f"{'new' if row.task.is_local else f'#{row.task.id}':>6}",
                row.task.title or "(no title)",
                due_cell(row.task, now),
            )
            for row in rows[:_MOST_SHOWN]
        ]
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        title = " Preview "
        rule = glyphs.FRAME.across * max(0, size.width - len(title))
        lines: list[Line] = [((title, "quiet"), (rule, "line"))]
        for number, name, due in self._rows[: self.most]:
            left = cut_line(
                ((number, "quiet"), (f"  {name}", "text")), size.width - line_width(due) - 2
            )
            gap = " " * (size.width - line_width(left) - line_width(due))
            lines.append((*left, (gap, "text"), *due))
        return [*lines, *[()] * (self.most + 1 - len(lines))]


def _row(name: str, field: Widget, own_class: str = "") -> Horizontal:
    label = Static(name=name, classes="view-label")
    return Horizontal(label, field, classes=f"view-row {own_class}")


def _options(choices: type[ViewGroup] | type[ViewSort]) -> list[Option]:
    return [Option(choice.value, choice.value) for choice in choices]
