"""Asks which of two changes is to stay, or whether to undo a step all the same; shows both sides.

Enter decides nothing, and Esc leaves everything as it is.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Generic

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.dialogs.base import Answer, Dialog
from tui.store.events import PendingChange, UndoNeedsConfirmation
from tui.store.operations.base import Difference
from tui.store.protocol import Resolution
from tui.text.dates import local, spoken

NARROW = 70
"""Below so many cells the sides stand below each other."""

_KEYS = "m mine   t theirs   e edit both   j k scroll   esc later"
_KEYS_WITHOUT_TEXT = "m mine   t theirs   j k scroll   esc later"


class Sides(VerticalScroll, can_focus=True):
    """The differences, to scroll through; `names` are the headings of the three sides."""

    def __init__(self, differences: Sequence[Difference], names: tuple[str, str, str]) -> None:
        super().__init__(classes="sides")
        self._differences = tuple(differences)
        self._names = names

    def compose(self) -> ComposeResult:
        """A row of three for each field."""
        for one in self._differences:
            yield Static(Content(f"the {one.field}"), classes="sides-field")
            sides = zip(self._names, (one.mine, one.theirs, one.base), strict=True)
            with Horizontal(classes="sides-row"):
                yield from (_side(name, value) for name, value in sides if name)

    def on_resize(self, event: events.Resize) -> None:
        """Stand beside each other, or below each other."""
        self.set_class(event.size.width < NARROW, "-narrow")


def _side(name: str, value: str) -> Vertical:
    """One side with its heading."""
    return Vertical(
        Static(Content(name), classes="side-name"),
        Static(Content(value or "none"), classes="side-value"),
        classes="side",
    )


class _Comparing(Dialog[Answer], Generic[Answer]):
    """A dialog with `Sides`, if there is anything to compare, that are scrolled by keys."""

    def on_mount(self) -> None:
        """Scroll with the keys."""
        for sides in self.query(Sides):
            sides.focus()

    def action_scroll(self, lines: int) -> None:
        """Scroll."""
        for sides in self.query(Sides):
            sides.scroll_relative(y=lines, animate=False, immediate=True)


class ConflictDialog(_Comparing[Resolution]):
    """Shows mine, theirs and what it was before, and asks which is to stay.

    “text” says that the person wants to put both together.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mine", "mine", id="conflict.mine", tooltip="Keep mine"),
        Binding("t", "theirs", "theirs", id="conflict.theirs", tooltip="Take theirs"),
        Binding("e", "edit", "edit", id="conflict.edit", tooltip="Merge both texts"),
        Binding("j,down", "scroll(1)", "Down", id="conflict.down", show=False, tooltip="Down"),
        Binding("k,up", "scroll(-1)", "Up", id="conflict.up", show=False, tooltip="Up"),
    ]

    def __init__(self, waiting: PendingChange, *, is_text: bool) -> None:
        super().__init__()
        self._waiting = waiting
        self._is_text = is_text

    def compose(self) -> ComposeResult:
        """The change, the sides, and the keys."""
        keys = _KEYS if self._is_text else _KEYS_WITHOUT_TEXT
        frame = self.frame(
            "Somebody else changed it too",
            Static(Content(self._waiting.operation.describe()), classes="dialog-text"),
            Sides(self._waiting.differences, ("mine", "theirs, there now", "before both")),
            Static(Content(keys), classes="dialog-keys"),
        )
        frame.add_class("-wide")
        yield frame

    def on_key(self, event: events.Key) -> None:
        """Explain keys that do nothing."""
        if event.key == "enter":
            self._say("press m to keep mine, t to take theirs")
        elif event.is_printable and event.key not in self.active_bindings:
            self._say(f"‘{event.character}’ does nothing here: m mine, t theirs, esc later")

    def action_mine(self) -> None:
        """Keep mine."""
        self.dismiss("mine")

    def action_theirs(self) -> None:
        """Take theirs."""
        self.dismiss("theirs")

    def action_edit(self) -> None:
        """Put both together, where they are texts."""
        if self._is_text:
            self.dismiss("text")
        else:
            self._say("only texts can be merged: m keeps mine, t takes theirs")

    def _say(self, words: str) -> None:
        """Say something in the place of the keys."""
        keys = self.query_one(".dialog-keys", Static)
        keys.update(Content(words))
        keys.add_class("-reminded")


class EvenSoDialog(_Comparing[bool]):
    """Asks whether to do it all the same; True only after `y`. `now` is wall-clock time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "do it", id="even-so.confirm", tooltip="Do it anyway"),
        Binding("n", "cancel", "leave it", id="even-so.leave", tooltip="Leave it unchanged"),
        Binding("j,down", "scroll(1)", "Down", id="even-so.down", show=False, tooltip="Down"),
        Binding("k,up", "scroll(-1)", "Up", id="even-so.up", show=False, tooltip="Up"),
    ]

    def __init__(self, asked: UndoNeedsConfirmation, now: datetime, *, back: bool) -> None:
        super().__init__()
        self._asked = asked
        self._now = now
        self._back = back

    def compose(self) -> ComposeResult:
        """What would be done, why it is asked, what is there now, and the keys."""
        asked, verb = self._asked, "Undo" if self._back else "Redo"
        lines = [asked.step, *asked.why]
        if asked.at is not None:
            at = local(asked.at)
            lines.insert(1, spoken(at, self._now, past="ago"))
        names = ("it would be", "it is now", "you had it at")
        sides = [Sides(asked.differences, names)] if asked.differences else []
        frame = self.frame(
            f"{verb} anyway?" if asked.differences else f"{verb} this?",
            Static(Content("\n".join(lines)), classes="dialog-text"),
            *sides,
            Static(_keys(verb.lower()), classes="dialog-keys"),
        )
        frame.add_class("-wide")
        yield frame

    def on_key(self, event: events.Key) -> None:
        """Say which key confirms: this one does not."""
        if event.key == "enter" or (event.is_printable and event.key not in self.active_bindings):
            self.query_one(".dialog-keys").add_class("-reminded")

    def action_confirm(self) -> None:
        """Answer yes."""
        self.dismiss(True)


def _keys(verb: str) -> Content:
    return Content.from_markup(
        f"[b $error]y[/] yes, {verb} it   [b]n[/] or [b]esc[/] leave it unchanged"
    )
