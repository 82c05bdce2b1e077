"""The order of a list that its user chooses: by a column, or by none in the usual order."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from tui.actions.action import action
from tui.actions.host import Host
from tui.model.work.ordering import in_order
from tui.widgets.painted import Line
from tui.widgets.row_list import ListColumn, sorted_head

R = TypeVar("R")
Sorted = TypeVar("Sorted", contravariant=True)  # noqa: PLC0105  one word says enough


class OrderedHost(Host, Protocol[Sorted]):
    """The screen of a list that can be sorted."""

    @property
    def sortable(self) -> Sequence[str]:
        """The names of the columns by which it can be sorted."""

    def sort_value(self, column: str, row: Sorted) -> Any:
        """The value by which rows are sorted; None for a row that has none."""

    def sections(self, row: Sorted) -> Hashable:
        """The group of a row."""

    def show_rows(self) -> None:
        """Show the rows in their order."""


class ListOrder(Generic[R]):
    """Sorts the rows of a list within their groups."""

    def __init__(self, host: OrderedHost[R]) -> None:
        self._host = host
        self._column = ""
        self._is_reversed = False

    def head(self, column: ListColumn) -> Line:
        """The name of a column, with an arrow if the rows are sorted by it."""
        return sorted_head(column, self._column, is_reversed=self._is_reversed)

    def rows(self, rows: Sequence[R]) -> Sequence[R]:
        """The rows in order."""
        if not self._column:
            return rows
        groups: dict[Hashable, list[R]] = {}
        for row in rows:
            groups.setdefault(self._host.sections(row), []).append(row)
        value: Callable[[R], Any] = lambda row: self._host.sort_value(self._column, row)  # noqa: E731
        ordered = list[R]()
        for group in groups.values():
            ordered += in_order(group, value, is_reversed=self._is_reversed)
        return ordered

    @action("list.sort", "O", "Sort cards by …", words="order", asks=True)
    async def ask(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice, by_first_letter

        choices = [*by_first_letter(self._host.sortable), QuestionChoice("u", "usual order", "")]
        answer = await self._host.ask(ChooseDialog("Sort by …", choices, self._column))
        if answer is not None:
            self._sort_by(answer)

    def click(self, column: ListColumn) -> None:
        """Sort by a column whose name was clicked, if that is possible."""
        if column.name in self._host.sortable:
            self._sort_by(column.name)
        elif self._host.sortable:
            self._host.say(f"sorting works by {', '.join(self._host.sortable)}")

    def _sort_by(self, column: str) -> None:
        # By the same again is the other way round.
        self._is_reversed = column == self._column and not self._is_reversed
        self._column = column
        self._host.show_rows()
        order = " in reverse" if self._is_reversed else ""
        self._host.say(f"sorted by {column}{order}" if column else "sorted in the usual order")
