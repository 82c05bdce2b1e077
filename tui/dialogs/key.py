"""A dialog that is answered by pressing the key, or the two keys of a chord, that are wanted."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from tui.dialogs.base import Dialog

Judge = Callable[[str], tuple[str, bool]]
"""What is to be said of a key or chord, and whether it can be taken."""

_CHORD = 2


class KeyDialog(Dialog[str]):
    """Answers with the name of the key that was pressed; a chord has a blank in between."""

    def __init__(self, title: str, judge: Judge, spelled: Callable[[str], str]) -> None:
        super().__init__()
        self._title = title
        self._judge = judge
        self._spelled = spelled
        self._pressed: list[str] = []

    def compose(self) -> ComposeResult:
        """The pressed key, what is said of it, and the keys."""
        yield self.frame(
            self._title,
            Static(classes="dialog-text", id="said"),
            Static(classes="dialog-keys"),
        )

    def on_mount(self) -> None:
        """Ask for the key."""
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """Take the key, accept what was pressed, or begin again."""
        if event.key == "escape":
            return
        event.stop()
        event.prevent_default()
        if self._pressed and event.key == "enter":
            key = " ".join(self._pressed)
            if self._judge(key)[1]:
                self.dismiss(key)
            return
        if self._pressed and event.key == "backspace":
            self._pressed = []
        elif len(self._pressed) == _CHORD:
            self._pressed = [event.key]
        else:
            self._pressed.append(event.key)
        self._draw()

    def _draw(self) -> None:
        said, keys = self.query_one("#said", Static), self.query_one(".dialog-keys", Static)
        if not self._pressed:
            said.update(Content("Press the new key, or the two keys of a chord."))
            said.remove_class("-refused")
            keys.update(Content("esc cancel"))
            return
        key = " ".join(self._pressed)
        words, is_possible = self._judge(key)
        said.set_class(not is_possible, "-refused")
        said.update(Content.assemble((self._spelled(key), "bold"), f"\n{words}" if words else ""))
        takes = "↵ ok   " if is_possible else ""
        keys.update(Content(f"{takes}backspace again   esc cancel"))
