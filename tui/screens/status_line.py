"""The two lines at the bottom of a screen: a message, and below it key hints that never go away."""

from collections.abc import Callable
from time import monotonic

from textual.timer import Timer

from tui.text.keyed import keyed
from tui.widgets.bars import Bar
from tui.widgets.painted import Line, line_width

FRESH_SECONDS = 5.0
"""How long a message is protected from unsolicited ones."""


SHOWN_SECONDS = 4.0
"""How long a message is shown at most; an error until Esc."""


class StatusLine(Bar):
    """Shows one message at a time, for a while or until the next key; an error until Esc.

    Without a message it shows the line of `own_line`, or if that is None, that of `edge_line`: what
    is out of sight. The hints are in `footer`, the line below.
    """

    def __init__(
        self,
        own_line: Callable[[], Line | None],
        edge_line: Callable[[int], tuple[Line, Line]],
        hints: Callable[[], tuple[Line, Line]],
    ) -> None:
        super().__init__()
        self.add_class("status")
        self.footer = Bar()
        self.footer.add_class("footer")
        self._own_line = own_line
        self._edge_line = edge_line
        self._hints = hints
        self._timer: Timer | None = None
        self._message: Line = ()
        self._held: Line = ()
        self._is_error = False
        self._shown_at = 0.0

    def tell(self, text: str, *, hint: str = "", error: bool = False) -> None:
        """Show a message, with an optional hint what to press, which is `keyed`: a text of ours."""
        role = "bad" if error else "text"
        self._message = _sentence(text, role, hint)
        self._is_error = error
        self._shown_at = monotonic()
        self._begin_to_wait()
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
            self._message = _sentence(text, "news", hint)
            self._begin_to_wait()
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
        """Show the lines; an error that does not fit is cut before the last part of its hint."""
        self.footer.say(*self._hints())
        line = self._held or self._message or self._own_line()
        if not line:
            self._show(*self._edge_line(self.size.width), "ground")
        elif line is self._message:
            text, (hint, role) = line
            is_long = line_width(line) >= self.size.width
            if is_long and not self._is_error:
                self._show(line, (), "raised")
                return
            if is_long:
                hint = hint.rpartition("· ")[2].strip()
            self._show((text,), ((f"{hint} " if hint else "", role),), "raised")
        else:
            self._show(line, (), "raised")

    def _show(self, left: Line, right: Line, ground: str) -> None:
        if ground != self.ground:
            self.ground = ground
            self.notify_style_update()
        self.say(left, right)

    def _begin_to_wait(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        if not self._is_error and self.is_attached:
            self._timer = self.set_timer(SHOWN_SECONDS, self.key_pressed)


def _sentence(text: str, role: str, hint: str) -> Line:
    return (f" {text[:1].upper()}{text[1:]}", role), (f"  {keyed(hint)}" if hint else "", "quiet")
