"""The lines at the bottom of a screen: a message, and below it key hints that never go away."""

from collections.abc import Callable
from enum import Enum, auto
from time import monotonic
from typing import NamedTuple

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


class MessageKind(Enum):
    """What a message is about, which decides how long it stays."""

    UNSOLICITED = auto()
    """The user did not ask for it; it yields to everything."""
    RESULT = auto()
    """The result of what the user did; the next key clears it."""
    ERROR = auto()
    """Only Esc clears it before it could be read."""


class StatusMessage(NamedTuple):
    """A message on the status line."""

    notice: Notice
    kind: MessageKind
    covers_held: bool = True
    """Whether it is newer than the held notice, so that it is shown instead."""


class Repaint(Enum):
    """When the line is drawn again after a key."""

    NOT = auto()
    NOW = auto()
    WITH_EFFECT = auto()
    """With what the key does, in one paint instead of two."""


class OwnProblem(NamedTuple):
    """The problem in the screen's own notice: none without a name, unread since a time, or read."""

    name: str = ""
    unread_since: float | None = None


class StatusState:
    """What a status line has to show: a message, a held notice, or the screen's own notice.

    A held notice covers all but a later message; the screen's own notice is shown if there is
    neither, and only until it was read if it has a name (`Notice.once`). Times are monotonic.
    """

    def __init__(self) -> None:
        self.message: StatusMessage | None = None
        self.held: Notice | None = None
        self.problem = OwnProblem()
        self._result_at = 0.0
        """When the last result or error was shown; unsolicited messages leave it as it is."""

    @property
    def front(self) -> Notice | None:
        """The message or the held notice; None if the screen's own notice is shown."""
        message = self.message
        if message is not None and (message.covers_held or self.held is None):
            return message.notice
        return self.held

    def tell(self, notice: Notice, kind: MessageKind, now: float) -> None:
        """Show a result or an error."""
        self.message = StatusMessage(notice, kind)
        self._result_at = now

    def append(self, text: str) -> bool:
        """Append to the message; False if there is none."""
        if self.message is None:
            return False
        notice = self.message.notice
        longer = notice._replace(text=(*notice.text, (f" · {text}", "quiet")))
        self.message = self.message._replace(notice=longer)
        return True

    def takes_unsolicited(self, now: float) -> bool:
        """Whether neither a recent message nor a held notice keeps an unsolicited one away."""
        if self.held is not None:
            return False
        if self.message is None:
            return True
        is_error = self.message.kind is MessageKind.ERROR
        return not is_error and now - self._result_at > FRESH_SECONDS

    def tell_unsolicited(self, notice: Notice) -> None:
        """Show an unsolicited message; only if it `takes_unsolicited`."""
        self.message = StatusMessage(notice, MessageKind.UNSOLICITED)

    def make_room(self) -> None:
        """Clear the message unless it is an error."""
        if self.message is not None and self.message.kind is not MessageKind.ERROR:
            self.message = None

    def clear(self) -> bool:
        """Clear the message and the held notice; whether there was a message."""
        had_message = self.message is not None
        self.message = self.held = None
        return had_message

    def hold(self, notice: Notice | None) -> None:
        """Show a notice over the present message, until this is called with None."""
        self.held = notice
        if self.message is not None:
            self.message = self.message._replace(covers_held=False)

    def key_pressed(self, key: str, now: float) -> Repaint:
        """Clear what a key clears: a message, else the screen's own problem that could be read."""
        if self.message is not None:
            # Esc clears an error by `clear`, which says so: else it would also do what it does
            # without a message, such as clearing the filter.
            is_read = now - self._result_at >= SHOWN_SECONDS and key != "escape"
            if self.message.kind is MessageKind.ERROR and not is_read:
                return Repaint.NOT
            self.message = None
            return Repaint.WITH_EFFECT
        since = self.problem.unread_since
        if since is None or now - since < SHOWN_SECONDS:
            return Repaint.NOT
        self.problem = OwnProblem(self.problem.name)
        return Repaint.NOW

    def unread(self, own: Notice | None, now: float) -> Notice | None:
        """The screen's own notice; None if the problem that it names was read.

        A problem is unread from when this is first asked, as it is not asked while another notice
        covers it. One that was gone in between is unread again.
        """
        if own is None:
            self.problem = OwnProblem()
        elif own.once and own.once != self.problem.name:
            self.problem = OwnProblem(own.once, now)
        elif own.once and self.problem.unread_since is None:
            return None
        return own


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
        self._state = StatusState()
        self._shown: Notice | None = None
        """What is drawn; None for the edge line."""
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        self.screen.mount(self._upper)

    @property
    def words(self) -> str:
        return super().words if self._shown is None else self._shown.words

    def tell(self, text: str, *, hint: str = "", error: bool = False, sign: str = "") -> None:
        """Show a message, with an optional hint what to press, which is `keyed`: a text of ours."""
        sign = sign or ("!" if error else "")
        mark, role = (sign, _SIGN_ROLES[sign]) if sign else None, "bad" if error else "text"
        notice = Notice.of(_capital(text), hint, sign=mark, role=role)
        self._state.tell(notice, MessageKind.ERROR if error else MessageKind.RESULT, monotonic())
        self._wait(None if error else SHOWN_SECONDS, self.key_pressed)
        self.draw()

    def add(self, text: str) -> None:
        """Show a message behind the one that is shown, if there is one."""
        if self._state.append(text):
            self.draw()
        else:
            self.tell(text)

    def tell_quietly(self, text: str, *, hint: str = "") -> None:
        """Show an unsolicited message, unless a recent message or another line is shown."""
        if self._state.takes_unsolicited(monotonic()) and self._own() is None:
            self._state.tell_unsolicited(Notice.of(_capital(text), hint, role="news"))
            self._wait(SHOWN_SECONDS, self.key_pressed)
            self.draw()

    def make_room(self) -> None:
        """Clear the message so that the screen's own notice is visible; keep an error."""
        self._state.make_room()

    def clear(self) -> bool:
        """Clear the message and the held notice; whether there was a message."""
        had_message = self._state.clear()
        self.draw()
        return had_message

    def key_pressed(self, key: str = "") -> None:
        """Clear what is shown, because the user has gone on; Esc clears an error by itself."""
        repaint = self._state.key_pressed(key, monotonic())
        if repaint is Repaint.NOW:
            self.draw()
        elif repaint is Repaint.WITH_EFFECT:
            # A message of the key's effect is drawn in its place.
            self._wait(_EFFECT_SECONDS, self.draw)

    def hold(self, notice: Notice | None) -> None:
        """Show this notice in place of everything else, until `hold` is called with None.

        A later message covers it for a moment.
        """
        self._state.hold(notice)
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw_edge(self) -> None:
        """Show what is out of sight now, if that is what is shown."""
        if self._shown is None:
            self.draw()

    def draw(self) -> None:
        self.footer.say(*self._hints())
        self._shown = self._state.front or self._own()
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
        return self._state.unread(self._own_notice(), monotonic())

    def _show(self, left: Line, right: Line, ground: str) -> None:
        if ground != self.ground:
            # Styles of roles are cached with their ground; this drops them.
            self.ground = ground
            self.notify_style_update()
        self.say(left, right)

    def _wait(self, seconds: float | None, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.stop()
        if seconds is not None and self.is_attached:
            self._timer = self.set_timer(seconds, then)


def _capital(text: str) -> str:
    # The name of a host stays as it is.
    first = text.partition(" ")[0]
    return text if "." in first.rstrip(".") else f"{text[:1].upper()}{text[1:]}"
