"""The base class of dialogs."""

import re
from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from tui.dialogs.one_line import TwoSided
from tui.errors import CallboardError
from tui.runtime.textual_patches import ProgramScreen
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Bar, hint_line, pressed_name
from tui.widgets.keys import HOW_TO_QUIT, REDRAW, SUSPEND
from tui.widgets.painted import Line

Answer = TypeVar("Answer")
_KEY = re.compile(r"(↵|\{[^{}]+\})")
_BOLD = re.compile(r"\bb(old)?\b")
_GAP = re.compile(r"\s{3,}|\n")
"""What is between two hints."""
_TOLD_SECONDS = 4.0
_CORNERS = 6
"""The cells of the upper edge that are left for its corners and blanks."""


def key_hints(text: str, *after: str | Content) -> Content:
    """A text that names keys, see `keyed`, and after it texts in which no keys are looked for."""
    parts = _KEY.split(text)
    spans = [(keyed(part), "bold $primary") if at % 2 else part for at, part in enumerate(parts)]
    return Content.assemble(*spans, *after)


def footer_hints(line: Content, room: int) -> Line:
    """The hints of a footer from a line with keys.

    These are another key than Enter that saves, Enter, else the first key, and what closes.
    """
    starts = [span for span in line.spans if _BOLD.search(str(span.style))]
    ends = [*(span.start for span in starts[1:]), len(line.plain)]
    hints = [
        (line.plain[span.start : span.end], _GAP.split(line.plain[span.end : end])[0].strip())
        for span, end in zip(starts, ends, strict=False)
    ]
    closing = keyed("{dialog.cancel:esc}")
    last = [hint for hint in hints if hint[0] == closing] or [(closing, "close")]
    remaining = [hint for hint in hints if hint[1] and hint[0] != closing]
    saving = [hint for hint in remaining if hint[0] != "↵" and hint[1] == "save"]
    entering = [hint for hint in remaining if hint[0] == "↵"]
    first = [*saving[:1], *entering[:1]] or remaining[:1]
    return hint_line([*first, *last[:1]], room)


class Frame(Vertical):
    """A frame with a title at the left of its upper edge, and a context at the right."""

    def __init__(self, title: str, *parts: Widget, classes: str) -> None:
        super().__init__(*parts, classes=classes)
        self._title = title
        self._about = ""

    def say_context(self, words: str) -> None:
        """Show these words at the right of the upper edge."""
        if words != self._about:
            self._about = words
            self.on_resize()

    def on_resize(self) -> None:
        title = Content(self._title)
        room = self.outer_size.width - _CORNERS - title.cell_length
        context = Content(self._about).truncate(max(0, room - 3), ellipsis=True)
        if context:
            rule = f" {glyphs.FRAME.across * (room - context.cell_length - 2)} "
            quiet = Content.styled(str(context), "not bold $quiet")
            title += Content.styled(rule, "not bold $primary") + quiet
        self.border_title = title


class DialogMessage(Static):
    """A text that changes while a dialog is open, such as an error."""

    def show(self, words: str | Content, *, is_problem: bool = False) -> None:
        """Replace the text, which is never markup."""
        self.update(Content(words) if isinstance(words, str) else words)
        self.set_class(is_problem, "-refused")

    def explain(self, error: CallboardError) -> None:
        """Show an error, with its hint on a line of its own."""
        self.show(f"{error.message}\n{error.hint}".strip(), is_problem=True)


class Dialog(ProgramScreen[Answer | None], ModalScreen[Answer | None], Generic[Answer]):
    """A modal screen with an answer, which is None if the user presses Esc.

    A frame with a title, a `text` if there is one, the widgets of `body` and a line with the keys.
    Title and text are plain, never markup. Its footer covers that of the screen behind it, whose
    keys do not work meanwhile.
    """

    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012 (mypy knows it without ClassVar)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel", id="dialog.cancel", tooltip="Cancel"),
        SUSPEND,
        REDRAW,
        HOW_TO_QUIT,
    ]
    frame_class: ClassVar[str] = ""
    """`-wide`, or `-tall` for a frame that keeps its height."""
    reminds: ClassVar[bool] = False
    """Whether a key without effect highlights the line with the keys."""
    keys_text: str | Content | TwoSided = ""
    """What the keys do, see `key_hints`; `say_keys` replaces it."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._footer = Bar()
        self._footer.add_class("footer", update=False)
        self._held_text = ""

    def body(self) -> Iterable[Widget]:
        """The widgets between the text and the keys."""
        return ()

    def compose(self) -> ComposeResult:
        hints = self.keys_text
        keys = Static(key_hints(hints) if isinstance(hints, str) else hints, classes="dialog-keys")
        text = [Static(Content(self._text), classes="dialog-text")] if self._text else []
        classes = f"dialog {self.frame_class}"
        yield Frame(self._title, *text, *self.body(), keys, classes=classes)
        yield self._footer

    def on_mount(self) -> None:
        # Textual sets the first focus only while the terminal has the focus.
        if self.focused is None and self.focus_chain:
            self.set_focus(self.focus_chain[0])

    def on_resize(self) -> None:
        self._say_footer()

    def on_key(self, event: events.Key) -> None:
        # Keys that a widget handles do not come here; those with an action do, before it is run.
        if event.key not in self.active_bindings and not event.key.startswith("<"):
            self.tell(f"‘{pressed_name(event)}’ does nothing here")
            if self.reminds:
                self.action_remind()

    def say_keys(self, text: str | Content | TwoSided) -> None:
        """Replace the line with the keys, which lays the dialog out again, if it differs."""
        if text != self.keys_text:
            self.keys_text = text
            self._draw_keys()

    def hold_keys(self, text: str) -> None:
        """Show this in place of the line with the keys, until it is called with an empty text."""
        if text != self._held_text and self.is_mounted and self.is_attached:
            self._held_text = text
            self._draw_keys()

    def _draw_keys(self) -> None:
        text = self._held_text or self.keys_text
        hints = key_hints(text) if isinstance(text, str) else text
        self.query_one(".dialog-keys", Static).update(hints)
        self._say_footer()

    def _say_footer(self) -> None:
        text = self._held_text or self.keys_text
        line = text.left if isinstance(text, TwoSided) else text
        hints = key_hints(line) if isinstance(line, str) else line
        self._footer.say(footer_hints(hints, self.app.size.width))

    def tell(self, words: str) -> None:
        """Say something at the bottom of the screen for a moment."""
        self._footer.say(((f" {words}", "text"),))
        self.set_timer(_TOLD_SECONDS, self._say_footer)

    def action_remind(self) -> None:
        """Highlight the line with the keys."""
        self.query_one(".dialog-keys").add_class("-reminded")

    def say_context(self, words: str) -> None:
        """Show what the dialog is about at the right of its title."""
        self.query_one(Frame).say_context(words)

    def action_scroll(self, lines: int) -> None:
        for widget in self.query(".dialog-scrolled"):
            widget.scroll_relative(y=lines, animate=False, immediate=True)

    def action_cancel(self) -> None:
        self.dismiss(None)
