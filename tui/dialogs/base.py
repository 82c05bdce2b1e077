"""The base class of dialogs."""

from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from tui.runtime.textual_patches import OneFrame
from tui.text.keyed import keyed
from tui.theme import stylesheet
from tui.widgets.keys import SUSPEND

Answer = TypeVar("Answer")


class Message(Static):
    """A text that changes while a dialog is open, such as an error."""

    def show(self, words: str | Content, *, is_problem: bool = False) -> None:
        """Replace the text, which is never markup."""
        self.update(Content(words) if isinstance(words, str) else words)
        self.set_class(is_problem, "-refused")


class Dialog(OneFrame[Answer | None], ModalScreen[Answer | None], Generic[Answer]):
    """A modal screen with an answer, which is None if the user presses Esc.

    A frame with a title, a `text` if there is one, the widgets of `body` and a line with the keys.
    Title and text are plain, never markup.
    """

    CSS_PATH = stylesheet("dialogs.tcss")
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012 (mypy knows it without ClassVar)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel", id="dialog.cancel", tooltip="Cancel"),
        SUSPEND,
    ]
    frame_class: ClassVar[str] = ""
    """`-wide`, or `-tall` for a frame that keeps its height."""
    keys_text: str | Content = ""
    """What the keys do, `keyed` unless it has styles; `say_keys` replaces it."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text

    def body(self) -> Iterable[Widget]:
        """The widgets between the text and the keys."""
        return ()

    def compose(self) -> ComposeResult:
        if isinstance(self.keys_text, str):
            self.keys_text = keyed(self.keys_text)
        keys = Static(Content.from_text(self.keys_text, markup=False), classes="dialog-keys")
        text = [Static(Content(self._text), classes="dialog-text")] if self._text else []
        frame = Vertical(*text, *self.body(), keys, classes=f"dialog {self.frame_class}")
        frame.border_title = Content(self._title)
        yield frame

    def on_mount(self) -> None:
        # even while the terminal does not have the focus
        if self.focused is None and self.focus_chain:
            self.set_focus(self.focus_chain[0])

    def say_keys(self, text: str) -> None:
        """Replace the line with the keys, which lays the dialog out again, if it differs."""
        if text != self.keys_text:
            self.keys_text = text
            self.query_one(".dialog-keys", Static).update(Content(text))

    def action_scroll(self, lines: int) -> None:
        for widget in self.query(".dialog-scrolled"):
            widget.scroll_relative(y=lines, animate=False, immediate=True)

    def action_cancel(self) -> None:
        self.dismiss(None)
