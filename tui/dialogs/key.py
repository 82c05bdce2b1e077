"""A dialog that is answered by pressing the key, or the two keys of a chord, that are wanted."""

from collections.abc import Callable, Iterable

from textual import events
from textual.content import Content
from textual.widget import Widget

from tui.dialogs.base import Dialog, Message

Judge = Callable[[str], tuple[str, bool]]
"""What is to be said of a key or chord, and whether it can be taken."""

_CHORD = 2


class KeyDialog(Dialog[str]):
    """Answers with the name of the key that was pressed; a chord has a blank in between."""

    def __init__(self, title: str, judge: Judge, spelled: Callable[[str], str]) -> None:
        super().__init__(title)
        self._judge = judge
        self._spelled = spelled
        self._pressed: list[str] = []
        self._message = Message(classes="dialog-text")

    def body(self) -> Iterable[Widget]:
        yield self._message

    def on_mount(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape":  # whatever key cancels other dialogs: here that one is an answer
            self.dismiss(None)
        elif self._pressed and event.key == "enter":
            key = " ".join(self._pressed)
            if self._judge(key)[1]:
                self.dismiss(key)
        elif self._pressed and event.key == "backspace":
            self._pressed = []
            self._draw()
        else:
            before = self._pressed if len(self._pressed) < _CHORD else []
            self._pressed = [*before, event.key]
            self._draw()

    def _draw(self) -> None:
        if not self._pressed:
            self._message.show("Press the new key, or the two keys of a chord.")
            self.say_keys("esc cancel")
            return
        key = " ".join(self._pressed)
        words, is_possible = self._judge(key)
        text = Content.assemble((self._spelled(key), "bold"), f"\n{words}" if words else "")
        self._message.show(text, is_problem=not is_possible)
        self.say_keys(f"{'↵ ok   ' if is_possible else ''}backspace again   esc cancel")
