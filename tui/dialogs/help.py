"""The help dialog: the key bindings of a screen, with a filter."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.widgets.bars import key_name

KEYS_WIDTH, NARROW_KEYS_WIDTH = 19, 10
_NARROW = 60


@dataclass(frozen=True, slots=True)
class KeyLine:
    """An action with all its keys."""

    keys: str
    text: str
    group: str


def key_lines(bindings: Mapping[str, ActiveBinding]) -> list[KeyLine]:
    """Actions with their keys, grouped by the first part of their binding ids."""
    by_text: dict[tuple[str, str], list[str]] = {}
    for key, each in bindings.items():
        group, _, rest = (each.binding.id or "").partition(".")
        if rest and not each.binding.system:
            text = each.tooltip or each.binding.description
            by_text.setdefault((group, text), []).append(key_name(key))
    groups = list(dict.fromkeys(group for group, _ in by_text))
    lines = [KeyLine(" ".join(keys), text, group) for (group, text), keys in by_text.items()]
    return sorted(lines, key=lambda line: groups.index(line.group))


class HelpDialog(Dialog[None]):
    """Lists the keys of the screen behind it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "cursor(1)", "Down", id="help.down", show=False),
        Binding("up", "cursor(-1)", "Up", id="help.up", show=False),
        Binding("pagedown", "page(1)", "Page down", id="help.page-down", show=False),
        Binding("pageup", "page(-1)", "Page up", id="help.page-up", show=False),
    ]

    def __init__(self, bindings: Mapping[str, ActiveBinding]) -> None:
        super().__init__()
        self._lines = key_lines(bindings)

    def compose(self) -> ComposeResult:
        """A filter above the list."""
        yield self.frame(
            "Keys that work here",
            Input(placeholder="type to filter · esc closes", compact=True),
            OptionList(),
        ).add_class("-tall")

    def on_mount(self) -> None:
        """List all keys and focus the filter."""
        self._list("")
        options = self.query_one(OptionList)
        options.can_focus = False
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        """Give the keys less room in a narrow terminal."""
        self._list(self.query_one(Input).value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Apply the filter."""
        self._list(event.value)

    def on_input_submitted(self) -> None:
        """Close on Enter."""
        self.dismiss(None)

    def action_cursor(self, rows: int) -> None:
        """Scroll by a line."""
        self.query_one(OptionList).scroll_relative(y=rows, animate=False, immediate=True)

    def action_page(self, pages: int) -> None:
        """Scroll by a page."""
        options = self.query_one(OptionList)
        options.scroll_relative(y=pages * options.size.height, animate=False, immediate=True)

    def _list(self, words: str) -> None:
        """List the lines that contain every word of the filter."""
        options = self.query_one(OptionList)
        options.clear_options()
        group = ""
        room = NARROW_KEYS_WIDTH if self.app.size.width < _NARROW else KEYS_WIDTH
        for line in self._lines:
            searched = f"{line.keys} {line.text} {line.group}".casefold()
            if not all(word in searched for word in words.casefold().split()):
                continue
            if line.group != group:
                group = line.group
                options.add_option(
                    Option(Content.styled(group.capitalize(), "bold $foreground"), disabled=True)
                )
            keys = Content.styled(f"  {line.keys:<{room}} ", "$primary")
            options.add_option(Option(keys + Content(line.text)))
        if not options.option_count:
            options.add_option(Option(Content(f"no key for “{words}”"), disabled=True))
