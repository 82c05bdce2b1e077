"""Asks before a step is undone or redone that was done long ago, or changed by others since."""

from datetime import datetime
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.sides import Sides
from tui.store.events import UndoAsks
from tui.text.dates import spoken


class EvenSoDialog(Dialog[bool]):
    """Asks whether to do it all the same; True only after `y`. `now` is wall-clock time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "do it", id="even-so.confirm", tooltip="Do it all the same"),
        Binding("n", "cancel", "leave it", id="even-so.leave", tooltip="Leave it as it is now"),
        Binding("j,down", "scroll(1)", "Down", id="even-so.down", show=False, tooltip="Down"),
        Binding("k,up", "scroll(-1)", "Up", id="even-so.up", show=False, tooltip="Up"),
    ]

    def __init__(self, asked: UndoAsks, now: datetime, *, back: bool) -> None:
        super().__init__()
        self._asked = asked
        self._now = now
        self._back = back

    def compose(self) -> ComposeResult:
        """What would be done, why it is asked, what is there now, and the keys."""
        asked, verb = self._asked, "Undo" if self._back else "Redo"
        lines = [asked.step, *asked.why]
        if asked.at is not None:
            at = asked.at.astimezone().replace(tzinfo=None)
            lines.insert(1, spoken(at, self._now, past="ago"))
        names = ("it would be", "it is now", "you had it at")
        sides = [Sides(asked.differences, names)] if asked.differences else []
        frame = self.frame(
            f"{verb} all the same?" if asked.differences else f"{verb} this?",
            Static(Content("\n".join(lines)), classes="dialog-text"),
            *sides,
            Static(_keys(verb.lower()), classes="dialog-keys"),
        )
        frame.add_class("-wide")
        yield frame

    def on_mount(self) -> None:
        """Scroll with the keys."""
        for sides in self.query(Sides):
            sides.focus()

    def on_key(self, event: events.Key) -> None:
        """Say which key does it, to whoever pressed another."""
        if event.key == "enter" or (event.is_printable and event.key not in self.active_bindings):
            self.query_one(".dialog-keys").add_class("-reminded")

    def action_confirm(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_scroll(self, lines: int) -> None:
        """Scroll."""
        for sides in self.query(Sides):
            sides.scroll_relative(y=lines, animate=False, immediate=True)


def _keys(verb: str) -> Content:
    return Content.from_markup(
        f"[b $error]y[/] yes, {verb} it   [b]n[/] or [b]esc[/] leave it as it is now"
    )
