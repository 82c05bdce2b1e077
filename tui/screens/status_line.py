"""The line at the bottom of a screen: a message, else the screen's own line, else key hints."""

from collections.abc import Callable
from time import monotonic

from tui.text.keyed import keyed
from tui.widgets.bars import Bar
from tui.widgets.painted import Line, line_width

FRESH_SECONDS = 5.0
"""How long a message is protected from unsolicited ones."""


class StatusLine(Bar):
    """Shows one message at a time, until the next key; an error until Esc.

    Without a message it shows the line of `own_line`, or if that is None, the key hints.
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
        self._shown_at = 0.0

    def tell(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Show a message, with an optional hint what to press, which is `keyed`: a text of ours."""
        role = "error" if error else "said"
        self._message = _sentence(text, role, hint)
        self._is_error = error
        self._shown_at = monotonic()
        self.draw()

    def add(self, text: str) -> None:
        """Show a message behind the one that is shown, if there is one."""
        if not self._message:
            self.tell(text)
            return
        message, (hint, role) = self._message
        self._message = (message, (f"{hint} · {text}", role))
        self.draw()

    def tell_quietly(self, text: str, *, hint: str = "") -> None:
        """Show an unsolicited message, unless a recent message or another line is shown."""
        is_free = not self._is_error and monotonic() - self._shown_at > FRESH_SECONDS
        is_free = is_free or not self._message
        if is_free and not self._held and self._own_line() is None:
            self._message = _sentence(text, "heard", hint)
            self.draw()

    def make_room(self) -> None:
        """Clear the message so that the screen's own line is visible; keep an error."""
        if not self._is_error:
            self._message = ()

    def clear(self) -> bool:
        """Clear the message and the held line; whether there was a message."""
        self._held = ()
        had_message, self._message, self._is_error = bool(self._message), (), False
        self.draw()
        return had_message

    def key_pressed(self) -> None:
        """Clear the message, because the user has gone on; keep an error."""
        if self._message and not self._is_error:
            self.clear()

    def hold(self, line: Line) -> None:
        """Show this line in place of everything else, until `hold` is called with an empty one."""
        self._held = line
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the line; an error that does not fit is cut before the last part of its hint."""
        line = self._held or self._message or self._own_line()
        if line is self._message and self._is_error and line_width(line) > self.size.width:
            text, (hint, role) = line
            self.say((text,), ((hint.rpartition("· ")[2].strip(), role),))
        elif line:
            self.say(line)
        else:
            self.say(*self._hints())


def _sentence(text: str, role: str, hint: str) -> Line:
    return (f" {text[:1].upper()}{text[1:]}", role), (f"  {keyed(hint)}" if hint else "", "quiet")
