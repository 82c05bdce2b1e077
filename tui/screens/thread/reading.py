"""Keys that go through a thread: to the next comment, to unread ones, into folded replies."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.context import Context
from tui.model.comment import Comment, Order, next_unread
from tui.screens.thread.answers import Answers
from tui.screens.thread.lines import Look
from tui.screens.thread.view import ThreadFace, ThreadView


class Reading(Answers):
    """A screen with a thread to go through."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Next", id="thread.next", show=False, tooltip="Next comment"),
        Binding(
            "k,up", "move(-1)", "Before", id="thread.before", show=False,
            tooltip="The comment before",
        ),
        Binding(
            "ctrl+d,pagedown", "page(1)", "Page down", id="thread.page-down", show=False,
            tooltip="Half a page down",
        ),
        Binding(
            "ctrl+u,pageup", "page(-1)", "Page up", id="thread.page-up", show=False,
            tooltip="Half a page up",
        ),
        Binding("g g,home", "first", "First", id="thread.first", show=False, tooltip="The first"),
        Binding("G,end", "last", "Last", id="thread.last", show=False, tooltip="The last"),
        Binding(
            "]", "unread(1)", "next unread", id="thread.next-unread",
            tooltip="The next unread comment",
        ),
        Binding(
            "[", "unread(-1)", "Unread before", id="thread.unread-before", show=False,
            tooltip="The unread comment before",
        ),
        Binding(
            "enter", "unfold", "unfold", id="thread.unfold",
            tooltip="Unfold or fold the replies, or show the picture",
        ),
        Binding(
            "O", "order", "Order", id="thread.order", show=False,
            tooltip="Latest or oldest comment first",
        ),
    ]  # fmt: skip

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self.order = self._kept_order()
        self.thread = ThreadView(ThreadFace((), Look(context.now())))
        self.marks: frozenset[int] = frozenset()
        self.unfolded: frozenset[int] = frozenset()

    def begin_reading(self) -> None:
        """Begin with another thread, in the order of its board."""
        self.order = self._kept_order()
        self.marks = self.unfolded = frozenset()
        self.thread.begin()

    def _kept_order(self) -> Order:
        kept = self.context.preferences.text(self.board_id, "thread_order")
        return Order(kept) if kept in set(Order) else Order.LATEST

    @property
    def current(self) -> Comment | None:
        """The comment at the cursor."""
        row = self.thread.current
        return None if row is None else row.comment

    def show_thread(self) -> None:
        """Draw the thread as it is now; for subclasses."""
        raise NotImplementedError

    def show_bar(self) -> None:
        """Say where one is, in the frame that shows it; for subclasses."""
        raise NotImplementedError

    def ask_again(self) -> None:
        """The person goes on at an end of what is known; for subclasses that can have more."""

    def action_move(self, by: int) -> None:
        """Go to another comment; at the end of those known, ask again for older ones."""
        before = self.thread.cursor
        self.thread.move(by)
        self.show_bar()
        if before == self.thread.cursor:
            self.ask_again()

    def action_page(self, direction: int) -> None:
        """Scroll by half a page."""
        self.thread.page(direction)
        self.show_bar()

    def action_first(self) -> None:
        """Go to the first comment."""
        self.thread.go_to(0)
        self.ask_again()

    def action_last(self) -> None:
        """Go to the last comment."""
        self.thread.go_to(len(self.thread.face.rows) - 1)
        self.ask_again()

    def action_unread(self, by: int) -> None:
        """Go to the next or previous unread comment."""
        detail, here = self.detail, self.current
        thread = (detail.comments or ()) if detail is not None else ()
        after = None if here is None else here.id
        found = next_unread(thread, self.order, self.marks, after, by)
        if found is None:
            where = "below" if by > 0 else "above"
            self.say(f"no unread comment {where}" if self.marks else "nothing is unread here")
            return
        self.follow(found.id)
        self.thread.go_to(self.thread.cursor)

    def action_unfold(self) -> None:
        """Unfold or fold the replies of a comment, or show its picture."""
        comment = self.current
        if comment is None:
            return
        if comment.images and not comment.replies:
            self.action_picture()
            return
        parent = comment.parent_id or comment.id
        if not comment.replies and comment.parent_id is None:
            self.say("there are no replies", hint="r writes one")
            return
        self.unfolded ^= {parent}
        self.show_thread()
        self.thread.go_to(self.thread.cursor)

    def action_order(self) -> None:
        """Put the latest or the oldest comment first."""
        self.order = self.order.other
        self.context.preferences.keep(self.board_id, thread_order=self.order.value)
        self.show_thread()
        self.thread.go_to(self.thread.cursor)
        self.say(self.order.value)
