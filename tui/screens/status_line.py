"""The lines at the bottom of a screen: a message, and below it key hints that never go away."""

from collections.abc import Callable
from time import monotonic

from textual.timer import Timer

from tui.widgets import glyphs
from tui.widgets.bars import Bar, Notice
from tui.widgets.painted import Line

FRESH_SECONDS = 5.0
"""How long a message is protected from unsolicited ones."""

SHOWN_SECONDS = 4.0
"""How long a message is shown at most, and an error at least."""
_EFFECT_SECONDS = 0.025
"""Delay after a key before the previous message is cleared, to be painted with the key's effect."""
_LEAST_HEIGHT = 10
"""In lower terminals a message has one line, so that the card at the cursor is seen."""
_SIGN_ROLES = {glyphs.DONE: "good", glyphs.MARK: "warn", glyphs.NEEDS_YOU: "bad", "!": "bad"}


class StatusLine(Bar):
    """Shows one message at a time, for a while or until the next key.

    An error persists for `SHOWN_SECONDS`, then the next key clears it; Esc clears it at once.
    Without a message it shows the notice of `own_notice`, or if that is None, the line of
    `edge_line`: what is out of sight. A notice of two lines has its first one in `upper`, which
    covers what is behind it. The hints are in `footer`, the line below.
    """

    def __init__(
        self,
        own_notice: Callable[[], Notice | None],
        edge_line: Callable[[int], tuple[Line, Line]],
        hints: Callable[[], tuple[Line, Line]],
    ) -> None:
        super().__init__()
        self.add_class("status", update=False)
        self.footer = Bar()
        self.footer.add_class("footer", update=False)
        self._upper = Bar()
        self._upper.add_class("upper", update=False)
        self._upper.ground = "raised"
        self._upper.visible = False
        self._own_notice = own_notice
        self._edge_line = edge_line
        self._hints = hints
        self._timer: Timer | None = None
        self._message: Notice | None = None
        self._held: Notice | None = None
        self._shown: Notice | None = None
        self._is_error = False
        self._is_above_held = False
        """Whether the message is newer than the held notice."""
        self._shown_at = 0.0
        self._once = ""
        self._once_at: float | None = None
        """Since when the own notice of `_once` is shown; None once it was read."""

    def on_mount(self) -> None:
        self.screen.mount(self._upper)

    @property
    def words(self) -> str:
        return super().words if self._shown is None else self._shown.words

    def tell(self, text: str, *, hint: str = "", error: bool = False, sign: str = "") -> None:
        """Show a message, with an optional hint what to press, which is `keyed`: a text of ours."""
        sign = sign or ("!" if error else "")
        mark, role = (sign, _SIGN_ROLES[sign]) if sign else None, "bad" if error else "text"
        self._message = Notice.of(_capital(text), hint, sign=mark, role=role)
        self._is_error, self._is_above_held = error, True
        self._shown_at = monotonic()
        self._begin_to_wait()
        self.draw()

    def add(self, text: str) -> None:
        """Show a message behind the one that is shown, if there is one."""
        if self._message is None:
            self.tell(text)
            return
        self._message = self._message._replace(text=(*self._message.text, (f" · {text}", "quiet")))
        self.draw()

    def tell_quietly(self, text: str, *, hint: str = "") -> None:
        """Show an unsolicited message, unless a recent message or another line is shown."""
        is_free = not self._is_error and monotonic() - self._shown_at > FRESH_SECONDS
        is_free = is_free or self._message is None
        if is_free and self._held is None and self._own() is None:
            self._message = Notice.of(_capital(text), hint, role="news")
            self._begin_to_wait()
            self.draw()

    def make_room(self) -> None:
        """Clear the message so that the screen's own notice is visible; keep an error."""
        if not self._is_error:
            self._message = None

    def clear(self) -> bool:
        """Clear the message and the held notice; whether there was a message."""
        had_message = self._message is not None
        self._held = None
        self._forget_message()
        self.draw()
        return had_message

    def _forget_message(self) -> None:
        self._message, self._is_error, self._is_above_held = None, False, False

    def key_pressed(self, key: str = "") -> None:
        """Clear what is shown, because the user has gone on; Esc clears an error by itself."""
        now = monotonic()
        if self._message is not None:
            is_read = now - self._shown_at >= SHOWN_SECONDS and key != "escape"
            if is_read or not self._is_error:
                self._forget_message()
                # A message of the key's effect is drawn in its place, in one paint instead of two.
                self._wait(_EFFECT_SECONDS, self.draw)
        elif self._once_at is not None and now - self._once_at >= SHOWN_SECONDS:
            self._once_at = None
            self.draw()

    def hold(self, notice: Notice | None) -> None:
        """Show this notice in place of everything else, until `hold` is called with None.

        A later message covers it for a moment.
        """
        self._held, self._is_above_held = notice, False
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw_edge(self) -> None:
        """Show what is out of sight now, if that is what is shown."""
        if self._shown is None:
            self.draw()

    def draw(self) -> None:
        self.footer.say(*self._hints())
        first, second = self._held, self._message
        if self._is_above_held:
            first, second = second, first
        self._shown = first or second or self._own()
        width, is_high = self.size.width, False
        if self._shown is None:
            self._show(*self._edge_line(width), "ground")
        else:
            lines = [(self._shown.text, self._shown.keys)]
            is_low = self._shown.is_low or self.app.size.height < _LEAST_HEIGHT
            if width and not is_low:
                lines = self._shown.lines(width)
            is_high = len(lines) > 1
            if is_high:
                self._upper.say(*lines[0])
            self._show(*lines[-1], "raised")
        if self._upper.visible != is_high:  # with `display` Textual would write the whole screen
            self._upper.visible = is_high

    def _own(self) -> Notice | None:
        notice = self._own_notice()
        if notice is None:
            self._once, self._once_at = "", None
        elif notice.once and notice.once != self._once:
            self._once, self._once_at = notice.once, monotonic()
        elif notice.once and self._once_at is None:
            return None
        return notice

    def _show(self, left: Line, right: Line, ground: str) -> None:
        if ground != self.ground:
            # Styles of roles are cached with their ground; this drops them.
            self.ground = ground
            self.notify_style_update()
        self.say(left, right)

    def _begin_to_wait(self) -> None:
        self._wait(None if self._is_error else SHOWN_SECONDS, self.key_pressed)

    def _wait(self, seconds: float | None, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.stop()
        if seconds is not None and self.is_attached:
            self._timer = self.set_timer(seconds, then)


def _capital(text: str) -> str:
    # The name of a host stays as it is.
    first = text.partition(" ")[0]
    return text if "." in first.rstrip(".") else f"{text[:1].upper()}{text[1:]}"
