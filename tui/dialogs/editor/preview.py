"""The preview of an edited text, rendered like all other texts."""

from html import escape
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.text.html.reading import read
from tui.text.spans import Kind

_NARROWEST = 20
STYLES = {
    Kind.PLAIN: "",
    Kind.STRONG: "bold",
    Kind.EMPHASIS: "italic",
    Kind.STRUCK: "strike",
    Kind.CODE: "$accent",
    Kind.HEADING: "bold $primary",
    Kind.LINK: "underline $primary",
    Kind.QUOTE: "$quiet italic",
    Kind.SIGN: "$quiet",
}


class Preview(VerticalScroll, can_focus=True):
    """A scrollable rendering of HTML."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "lines(1)", "Down", id="preview.down", show=False, tooltip="Scroll down"),
        Binding("k", "lines(-1)", "Up", id="preview.up", show=False, tooltip="Scroll up"),
        Binding(
            "ctrl+d", "half(1)", "Half a page down", id="preview.half-down", show=False,
            tooltip="Scroll down half a page",
        ),
        Binding(
            "ctrl+u", "half(-1)", "Half a page up", id="preview.half-up", show=False,
            tooltip="Scroll up half a page",
        ),
    ]  # fmt: skip

    def compose(self) -> ComposeResult:
        yield Static()

    def show(self, source: str, width: int) -> None:
        self.query_one(Static).update(readable(source, max(_NARROWEST, width)))

    def action_lines(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False, immediate=True)

    def action_half(self, direction: int) -> None:
        self.scroll_relative(
            y=direction * max(1, self.size.height // 2), animate=False, immediate=True
        )


def plain(text: str) -> str:
    """Convert plain text to HTML, with all markup escaped."""
    return escape(text, quote=False)


def readable(source: str, width: int) -> Content:
    """Render HTML, with its links listed below."""
    reading = read(source, width)
    lines = [
        Content("").join(Content.styled(text, STYLES.get(kind, "")) for text, kind in line)
        for line in reading.lines
    ]
    links = [
        Content.styled(f"[{number}] {link}", "$quiet")
        for number, link in enumerate(reading.links, 1)
    ]
    if not lines:
        return Content.styled("nothing written yet", "$quiet")
    return Content("\n").join([*lines, *([Content("")] if links else []), *links])
