"""Two changes of the same: which is to stay is asked, and both are shown.

The rule it keeps: nothing is decided by Enter or by chance, and Esc leaves everything as it is.
"""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.sides import Sides
from tui.store.events import Waiting
from tui.store.protocol import Resolution

_KEYS = "m mine   t theirs   e edit both   j k scroll   esc later"
_KEYS_WITHOUT_TEXT = "m mine   t theirs   j k scroll   esc later"


class ConflictDialog(Dialog[Resolution]):
    """Shows mine, theirs and what it was before, and asks which is to stay.

    “text” says that the person wants to put both together.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mine", "mine", id="conflict.mine", tooltip="Keep mine: it is sent"),
        Binding("t", "theirs", "theirs", id="conflict.theirs", tooltip="Take theirs: mine goes"),
        Binding("e", "edit", "edit", id="conflict.edit", tooltip="Put both texts together"),
        Binding("j,down", "scroll(1)", "Down", id="conflict.down", show=False, tooltip="Down"),
        Binding("k,up", "scroll(-1)", "Up", id="conflict.up", show=False, tooltip="Up"),
    ]

    def __init__(self, waiting: Waiting, *, is_text: bool) -> None:
        super().__init__()
        self._waiting = waiting
        self._is_text = is_text

    def compose(self) -> ComposeResult:
        """The change, the sides, and the keys."""
        keys = _KEYS if self._is_text else _KEYS_WITHOUT_TEXT
        frame = self.frame(
            "Somebody else changed the same",
            Static(Content(self._waiting.operation.describe()), classes="dialog-text"),
            Sides(self._waiting.differences, ("mine", "theirs, there now", "before both")),
            Static(Content(keys), classes="dialog-keys"),
        )
        frame.add_class("-wide")
        yield frame

    def on_mount(self) -> None:
        """Scroll with the keys."""
        self.query_one(Sides).focus()

    def on_key(self, event: events.Key) -> None:
        """Explain keys that do nothing."""
        if event.key == "enter":
            self._say("enter decides nothing here: m keeps mine, t takes theirs")
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
            self._say("this is no text that could be put together: m keeps mine, t takes theirs")

    def action_scroll(self, lines: int) -> None:
        """Scroll."""
        self.query_one(Sides).scroll_relative(y=lines, animate=False, immediate=True)

    def _say(self, words: str) -> None:
        """Say something in the place of the keys."""
        keys = self.query_one(".dialog-keys", Static)
        keys.update(Content(words))
        keys.add_class("-reminded")
