"""Dialogs that compare conflicting values: resolving a conflict, and confirming an undo.

Enter does not decide, and Esc changes nothing.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.dialogs.base import Dialog
from tui.store.events import PendingChange, UndoNeedsConfirmation
from tui.store.operations.base import Difference
from tui.store.protocol import Resolution
from tui.text.dates import local, spoken
from tui.text.keyed import keyed
from tui.widgets.keys import hinted_keys

NARROW = 70
"""Below this width the values are stacked instead of side by side."""
_MINE, _THEIRS = "{conflict.mine:m}", "{conflict.theirs:t}"


class Sides(VerticalScroll, can_focus=True):
    """A scrollable comparison of values; `names` are the headings of mine, theirs and base."""

    def __init__(self, differences: Sequence[Difference], names: tuple[str, str, str]) -> None:
        super().__init__(classes="sides dialog-scrolled")
        self._differences = tuple(differences)
        self._names = names

    def compose(self) -> ComposeResult:
        for each in self._differences:
            yield Static(Content(f"the {each.field}"), classes="sides-field")
            values = (each.mine, each.theirs, each.base)
            with Horizontal(classes="sides-row"):
                for name, value in zip(self._names, values, strict=True):
                    yield Vertical(
                        Static(Content(name), classes="side-name"),
                        Static(Content(value or "none"), classes="side-value"),
                        classes="side",
                    )

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")


class ConflictDialog(Dialog[Resolution]):
    """Shows my value, theirs and the base, and asks which to keep.

    The answer “text” means that the user wants to merge both texts.
    """

    frame_class = "-wide"
    BINDINGS: ClassVar[list[BindingType]] = hinted_keys(
        "conflict",
        ("mine", "m", "mine", "Keep mine", "mine"),
        ("theirs", "t", "theirs", "Take theirs", "theirs"),
        ("edit", "e", "edit", "Merge both texts", "edit"),
        ("down", "j,down", "scroll(1)", "Down", ""),
        ("up", "k,up", "scroll(-1)", "Up", ""),
    )

    def __init__(self, waiting: PendingChange, *, is_text: bool) -> None:
        super().__init__("Somebody else changed it too", waiting.operation.describe())
        self._differences = waiting.differences
        self._is_text = is_text
        self.keys_text = (
            f"{_MINE} mine   {_THEIRS} theirs   "
            + ("{conflict.edit:e} edit both   " if is_text else "")
            + "{conflict.down:j} {conflict.up:k} scroll   {dialog.cancel:esc} later"
        )

    def body(self) -> Iterable[Widget]:
        yield Sides(self._differences, ("mine", "theirs, there now", "before both"))

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            self._explain(f"press {_MINE} to keep mine, {_THEIRS} to take theirs")
        elif event.is_printable and event.key not in self.active_bindings:
            keys = f"{_MINE} mine, {_THEIRS} theirs, {{dialog.cancel:esc}} later"
            self._explain(keys, f"‘{event.character}’ does nothing here: ")

    def action_mine(self) -> None:
        self.dismiss("mine")

    def action_theirs(self) -> None:
        self.dismiss("theirs")

    def action_edit(self) -> None:
        if self._is_text:
            self.dismiss("text")
        else:
            keys = f"{_MINE} keeps mine, {_THEIRS} takes theirs"
            self._explain(keys, "only texts can be merged: ")

    def _explain(self, keys: str, why: str = "") -> None:
        self.say_keys(f"{why}{keyed(keys)}")
        self.query_one(".dialog-keys").add_class("-reminded")


class EvenSoDialog(Dialog[bool]):
    """Asks whether to undo or redo despite later changes; answers True after `y`.

    `now` is local time without a zone.
    """

    frame_class = "-wide"
    BINDINGS: ClassVar[list[BindingType]] = hinted_keys(
        "even-so",
        ("confirm", "y", "confirm", "Do it anyway", "do it"),
        ("leave", "n", "cancel", "Leave it unchanged", "leave it"),
        ("down", "j,down", "scroll(1)", "Down", ""),
        ("up", "k,up", "scroll(-1)", "Up", ""),
    )

    def __init__(self, asked: UndoNeedsConfirmation, now: datetime, *, back: bool) -> None:
        verb = "Undo" if back else "Redo"
        when = [] if asked.at is None else [spoken(local(asked.at), now, past="ago")]
        super().__init__(
            f"{verb} anyway?" if asked.differences else f"{verb} this?",
            "\n".join([asked.step, *when, *asked.why]),
        )
        self._differences = asked.differences
        self.keys_text = Content.from_markup(
            f"[b $refused]$yes[/] yes, {verb.lower()} it   "
            "[b]$no[/] or [b]$esc[/] leave it unchanged",
            yes=keyed("{even-so.confirm:y}"),
            no=keyed("{even-so.leave:n}"),
            esc=keyed("{dialog.cancel:esc}"),
        )

    def body(self) -> Iterable[Widget]:
        if self._differences:
            yield Sides(self._differences, ("it would be", "it is now", "you had it at"))

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter" or (event.is_printable and event.key not in self.active_bindings):
            self.query_one(".dialog-keys").add_class("-reminded")

    def action_confirm(self) -> None:
        self.dismiss(True)
