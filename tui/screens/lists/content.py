"""What a list screen shows and what its actions run on."""

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from tui.actions.host import ErrorsSaid, Host
from tui.actions.tasks.history import undo_hint
from tui.model.board import BoardView
from tui.runtime.key_queue import keys_held
from tui.store.operations.base import Operation
from tui.widgets import row_list
from tui.widgets.painted import Line

R = TypeVar("R")
TABLE_WIDTH = row_list.TABLE_WIDTH


class Content(Protocol[R]):
    """The rows of a list, and how they look.

    `rows` returns what is known now; `load` fetches the rest from the service, if anything has to
    be fetched. Both are called again after each change.
    """

    @property
    def title(self) -> str:
        """The heading in the bar, such as “Labels”."""

    @property
    def row(self) -> str:
        """The word for one row, such as “label”."""

    @property
    def opens(self) -> str:
        """The id of the action that Enter runs; empty if there is none."""

    @property
    def move(self) -> "Move[R] | None":
        """Puts a row at an index among the others; None if the rows have no order of their own."""

    async def load(self) -> None:
        """Fetch the rows. Raises `CallboardError`."""

    def rows(self) -> Sequence[R]:
        """The rows, as far as known."""

    def key(self, row: R) -> Hashable:
        """What identifies a row; the cursor and the marks stay on it."""

    def words(self, row: R) -> str:
        """The text in which a search looks for its words."""

    def line(self, row: R, width: int) -> Line:
        """A row, at most `width` cells wide, in roles for an unselected row."""

    def empty(self) -> tuple[str, str]:
        """Why there are no rows, and what to press."""


class ListContext(Generic[R]):
    """The rows of a list that its actions run on; `board_id` is 0 for the whole service."""

    def __init__(
        self,
        host: Host,
        board_id: int,
        content: Content[R],
        chosen: Callable[[], Sequence[R]],
        reload: Callable[[Hashable], None],
    ) -> None:
        self.host = host
        self.board_id = board_id
        self.content = content
        self.store = host.context.store
        self.say = host.say
        self.ask = host.ask
        self.has_undone = False
        self._reload = reload
        self._chosen = chosen

    @property
    def view(self) -> BoardView | None:
        """The board; None for lists of the whole service."""
        return self.store.board(self.board_id)

    def go_to(self, operation: Operation) -> str | None:
        """Put the cursor on what undo made again; the rows are fetched when that was sent."""
        self.has_undone = True
        self.reload(operation.creates)
        return None

    @property
    def chosen(self) -> Sequence[R]:
        return self._chosen()

    def reload(self, select: Hashable = None) -> None:
        """Fetch the rows again, and put the cursor on the row with the key `select`, if given."""
        self._reload(select)

    async def confirm(self, question: str, text: str) -> bool:
        """Ask for confirmation; `text` says what is going to happen."""
        from tui.dialogs.confirm import ConfirmDialog

        answer = await self.ask(ConfirmDialog(question, text))
        return bool(answer)

    def need_row(self) -> R | None:
        """The only row that is chosen; say so if there is none, or more than one."""
        rows = self.need_rows()
        if len(rows) > 1:
            what = self.content.row
            self.say(f"this works on one {what} at a time", hint="{list.back:esc} clears the marks")
            return None
        return rows[0] if rows else None

    def need_rows(self) -> Sequence[R]:
        """The marked rows, else the one at the cursor; say so if there are none."""
        rows = self.chosen
        if not rows:
            why, hint = self.content.empty()
            self.say(why, hint=hint)
        return rows

    async def submit(self, message: str, *operations: Operation) -> bool:
        """Submit operations and show `message`, or the error; whether they were submitted."""
        with ErrorsSaid(self.host):
            await self.keep(message, *operations)
            return True
        return False

    async def keep(self, message: str, *operations: Operation) -> None:
        """Submit the operations of a form, which stays open if that fails, and show `message`.

        Raises `CallboardError`.
        """
        with keys_held(self.host.app):
            await self.store.submit(*operations)
        made = [one.creates for one in operations if one.creates is not None]
        self.reload(made[-1] if made else None)
        is_one_step = len({one.board_id for one in operations}) == 1
        can_undo = is_one_step and not any(one.lost_when_undone() for one in operations)
        undo = undo_hint(self.host.context) if can_undo else ""
        self.say(message, hint=self.sent_later or undo)

    @property
    def sent_later(self) -> str:
        """A hint that changes are sent later, if the service does not answer now."""
        hint = "it is sent when the service answers · {go.waiting:g u}"
        return hint if self.store.status().problem else ""


Move: TypeAlias = Callable[[ListContext[R], R, int], Awaitable[None]]
