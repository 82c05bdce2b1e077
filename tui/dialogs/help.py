"""Dialogs to read: the keys of a screen, with a filter, details below headings, an address."""

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import ClassVar, NamedTuple

from textual.binding import ActiveBinding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.text.keyed import keyed
from tui.widgets.bars import key_name
from tui.widgets.keys import hinted_keys, quiet_keys
from tui.widgets.text_input import TextInput

KEYS_WIDTH, NARROW_KEYS_WIDTH = 19, 10
_NARROW = 60


_GROUPS = (
    ("Card", ("task.", "card.", "mine.")),
    ("Pending changes", ("waiting.",)),
    ("Undo", ("board.undo", "board.redo")),
    ("Navigation", ("cursor.", "rows.")),
    ("View", ("board.", "column.", "list.", "thread.")),
    ("Go to", ("go.",)),
    ("Program", ("app.",)),
)
"""Groups of actions with how the ids of their bindings begin."""
_LAST = ("Undo", "Navigation", "View", "Go to", "Program")
"""The groups below those of the screen itself."""
_NAVIGATION = re.compile(
    r"(list|task|thread)\.(cursor|first|last|next|previous|before|unread|page|part|scroll).*"
    r"|boards\..*-pane|\w+\.back"
)


class KeyLine(NamedTuple):
    """An action with all its keys."""

    keys: str
    text: str
    group: str


def key_lines(bindings: Mapping[str, ActiveBinding]) -> list[KeyLine]:
    """Actions with their keys by group: first what is special to the screen."""
    by_text: dict[tuple[str, str], list[str]] = {}
    for key, each in bindings.items():
        if each.binding.id and not each.binding.system:
            text = each.tooltip or each.binding.description
            by_text.setdefault((_group(each.binding.id), text), []).append(key_name(key))
    own = [group for group, _ in by_text if group not in _LAST]
    groups = [*dict.fromkeys(own), *_LAST]
    lines = [KeyLine(" ".join(keys), text, group) for (group, text), keys in by_text.items()]
    return sorted(lines, key=lambda line: groups.index(line.group))


def _group(binding_id: str) -> str:
    if _NAVIGATION.fullmatch(binding_id):
        return "Navigation"
    own = binding_id.partition(".")[0].replace("_", " ").capitalize()
    return next((group for group, begins in _GROUPS if binding_id.startswith(begins)), own)


class HelpDialog(Dialog[None]):
    """Lists the keys of the screen behind it."""

    frame_class = "-tall"
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "help",
        ("down", "down", "scroll(1)", "Down"),
        ("up", "up", "scroll(-1)", "Up"),
        ("page-down", "pagedown", "page(1)", "Page down"),
        ("page-up", "pageup", "page(-1)", "Page up"),
    )

    def __init__(self, bindings: Mapping[str, ActiveBinding]) -> None:
        super().__init__("Keys that work here")
        self._lines = key_lines(bindings)
        hint = keyed("type to filter · {dialog.cancel:esc} closes")
        self._input = TextInput(placeholder=hint, compact=True)
        self._rows = OptionList(classes="dialog-scrolled")
        self._rows.can_focus = False

    def body(self) -> Iterable[Widget]:
        return self._input, self._rows

    def on_mount(self) -> None:
        self.query_one(".dialog-keys").display = False
        self._list()

    def on_resize(self) -> None:
        self.call_after_refresh(self._list)

    def on_input_changed(self) -> None:
        self._list()

    def on_input_submitted(self) -> None:
        self.dismiss(None)

    def action_page(self, pages: int) -> None:
        self.action_scroll(pages * self._rows.size.height)

    def _list(self) -> None:
        words, rows = self._input.value, self._rows
        rows.clear_options()
        group = ""
        room = NARROW_KEYS_WIDTH if self.app.size.width < _NARROW else KEYS_WIDTH
        beside = rows.get_component_styles("option-list--option").padding.width
        beside += rows.gutter.width + rows.styles.scrollbar_size_vertical
        width = max(rows.region.width - beside, room + NARROW_KEYS_WIDTH)
        for line in self._lines:
            searched = " ".join(line).casefold()
            if not all(word in searched for word in words.casefold().split()):
                continue
            if line.group != group:
                group = line.group
                rows.add_option(Option(Content.styled(group, "bold $foreground"), disabled=True))
            keys = f"  {line.keys:<{room}} "
            text = wrap(f"{keys}{line.text}", width, subsequent_indent=" " * (room + 3))
            shown = Content("\n".join(text))
            rows.add_option(Option(shown.stylize("$primary", 0, len(keys))))
        if not rows.option_count:
            rows.add_option(Option(Content(f"no key for “{words}”"), disabled=True))


Detail = tuple[str, str]
"""A heading, and a text of one or several lines below it."""


class DetailsDialog(Dialog[None]):
    """Shows texts below headings, which can be scrolled."""

    frame_class = "-wide"
    keys_text = "{details.down:j} {details.up:k} scroll   {dialog.cancel:esc} back"
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "details",
        ("back", "enter,q", "cancel", "Back"),
        ("down", "j,down", "scroll(1)", "Next line"),
        ("up", "k,up", "scroll(-1)", "Previous line"),
    )

    def __init__(self, title: str, details: Sequence[Detail]) -> None:
        super().__init__(title)
        self._details = tuple(details)

    def body(self) -> Iterable[Widget]:
        parts = [
            Content.assemble((heading, "bold"), "\n", text, "\n") for heading, text in self._details
        ]
        yield VerticalScroll(
            *map(Static, parts), can_focus=False, id="details", classes="dialog-scrolled"
        )


class AddressDialog(Dialog[None]):
    """Shows an address that cannot be opened here; it was copied, and is wrapped in full."""

    frame_class = "-wide"
    keys_text = (
        "Copied, if your terminal allows it.   {address.copy:y} copies   {dialog.cancel:esc} back"
    )
    BINDINGS: ClassVar[list[BindingType]] = hinted_keys(
        "address",
        ("back", "enter,q", "cancel", "Back", ""),
        ("copy", "y", "copy", "Copy again", "copy"),
    )

    def __init__(self, url: str) -> None:
        super().__init__("No display to open a browser on", url)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._text)
