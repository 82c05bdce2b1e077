"""The line at the bottom of a screen: a message, else what the screen says, else its keys."""

from collections.abc import Callable
from time import monotonic

from tui.widgets.bars import Bar
from tui.widgets.painted import Line

FRESH_SECONDS = 5.0
"""How long a message is not replaced by one that nobody asked for."""


class StatusLine(Bar):
    """Says one thing at a time: until the next key, an error until Esc.

    `own_line` is what the screen says by itself, None for its keys, which `hints` gives.
    """

    def __init__(
        self, own_line: Callable[[], Line | None], hints: Callable[[], tuple[Line, Line]]
    ) -> None:
        super().__init__()
        self.add_class("status")
        self._own_line = own_line
        self._hints = hints
        self._message: Line = ()
        self._held: Line = ()
        self._is_error = False
        self._said_at = 0.0

    def tell(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Say something."""
        role = "error" if error else "said"
        self._message = _sentence(text, role, hint)
        self._is_error = error
        self._said_at = monotonic()
        self.draw()

    def tell_quietly(self, text: str, *, hint: str = "") -> None:
        """Say something that nobody asked for, unless something else has just been said."""
        is_free = not self._is_error and monotonic() - self._said_at > FRESH_SECONDS
        is_free = is_free or not self._message
        if is_free and not self._held and self._own_line() is None:
            self._message = _sentence(text, "heard", hint)
            self.draw()

    def make_room(self) -> None:
        """Give way to what needs the person, unless an error is being said."""
        if not self._is_error:
            self._message = ()

    def clear(self) -> bool:
        """Clear the message and the held line; whether there was a message."""
        self._held = ()
        had_message, self._message, self._is_error = bool(self._message), (), False
        self.draw()
        return had_message

    def key_pressed(self) -> None:
        """A message has been read by now; an error stays."""
        if self._message and not self._is_error:
            self.clear()

    def hold(self, line: Line) -> None:
        """Show this line until another is held; an empty one shows what is to be said."""
        self._held = line
        self.draw()

    def draw(self) -> None:
        """Say what is to be said now."""
        said = self._held or self._message or self._own_line()
        if said:
            self.say(said)
        else:
            self.say(*self._hints())


def _sentence(text: str, role: str, hint: str) -> Line:
    """A message, which begins with a capital letter, and quietly what to press."""
    return (f" {text[:1].upper()}{text[1:]}", role), (f"  {hint}" if hint else "", "quiet")
