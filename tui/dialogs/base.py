"""The base class of dialogs."""

from typing import ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from tui.runtime.textual_patches import OneFrame
from tui.theme import stylesheet

Answer = TypeVar("Answer")


class Dialog(OneFrame[Answer | None], ModalScreen[Answer | None], Generic[Answer]):
    """A modal screen with an answer, which is None if the user presses Esc."""

    CSS_PATH = stylesheet("dialogs.tcss")
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012 (mypy knows it without ClassVar)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel", id="dialog.cancel", tooltip="Cancel"),
    ]

    def frame(self, title: str, *inside: Widget) -> Vertical:
        """A frame around widgets; `title` is plain text, never markup."""
        frame = Vertical(*inside, classes="dialog")
        frame.border_title = Content(title)
        return frame

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
