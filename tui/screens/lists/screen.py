"""Lists whose rows are an object of their own; `TableScreen` replaces them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from tui.actions.old import Action
from tui.context import Context
from tui.screens.lists.content import Content, ListContext
from tui.screens.lists.table import TableScreen
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line

_BASE_ACTIONS = ("list.search", "list.refresh", "list.back")


class Search(Action["ListScreen"]):
    """Searches while the user types."""

    id, keys, label, hint = "list.search", "slash", "Search", "search"

    async def run(self, on: "ListScreen") -> None:
        typed = LineInput("search", on.search, placeholder="part of a name")
        typed.add_class("filter-line")
        on.status.display = False
        on.mount(typed)
        typed.focus()


class ListScreen(TableScreen[Any]):
    """One list; subclasses give their bindings, and the content."""

    def __init__(
        self,
        context: Context,
        board_id: int | None,
        content: Content[Any],
        actions: Iterable[Action[Any]],
        *,
        heading: Callable[[Any], str | tuple[str, ...]] | None = None,
        screen_actions: tuple[()] | None = None,
    ) -> None:
        self.content = content
        self._section = heading
        super().__init__(context, board_id)
        self.list_context = ListContext(
            self, board_id or 0, content, lambda: self.row_list.chosen, self.load
        )
        if screen_actions is not None:
            for action_id in _BASE_ACTIONS:
                self.actions._offered.pop(action_id)  # noqa: SLF001 (until boards is converted)
        self.actions.add(actions, self.list_context)
        self.keys.enter_runs = content.opens

    @property
    def heading(self) -> str:
        return self.content.title

    @property
    def row_name(self) -> str:  # type: ignore[override]
        return self.content.row

    @property
    def opens(self) -> str:  # type: ignore[override]
        return self.content.opens

    @property
    def has_order(self) -> bool:  # type: ignore[override]
        return self.content.move is not None

    @property
    def keeps_order(self) -> bool:  # type: ignore[override]
        return self._section is not None

    async def load_rows(self) -> None:
        await self.content.load()

    def rows(self) -> Sequence[Any]:
        return self.content.rows()

    def key(self, row: Any) -> Hashable:
        return self.content.key(row)

    def words(self, row: Any) -> str:
        return self.content.words(row)

    def line(self, row: Any, width: int) -> Line:
        return self.content.line(row, width)

    def sections(self, row: Any) -> tuple[str, ...]:
        found = () if self._section is None else self._section(row)
        return (found,) if isinstance(found, str) else found

    def empty(self) -> tuple[str, str]:
        return self.content.empty()

    async def move_row(self, row: Any, index: int) -> None:
        if self.content.move is not None:
            await self.content.move(self.list_context, row, index)
