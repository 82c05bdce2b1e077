"""Dialogs to read: the help with a search, details below headings, an address."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import ClassVar

from textual.binding import ActiveBinding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.dialogs.base import Dialog, key_hints
from tui.dialogs.help_lines import KeyLine, key_lines
from tui.help import topics
from tui.text import cells
from tui.text.keyed import keyed
from tui.widgets.keys import hinted_keys, quiet_keys
from tui.widgets.text_input import TextInput

_WIDEST, _BESIDE = 118, 8
"""The width of the dialog, and how much of it frame, padding and scroll bar take."""
_TWO_COLUMNS, _THREE_COLUMNS = 64, 100
"""The widths of the terminal from which on there are two and three columns."""
_KEYS = 9
_GAP = 3
_EXCERPTS = 3
"""How many lines of a topic a search shows."""


class HelpDialog(Dialog[None]):
    """Lists the keys of the screen behind it, and searches them and the topics of the help.

    `words` are more words to find actions by, by their ids. With `topic` it shows that one instead
    of the keys, until something is typed.
    """

    frame_class = "-tall"
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "help",
        ("down", "down", "scroll(1)", "Down"),
        ("up", "up", "scroll(-1)", "Up"),
        ("page-down", "pagedown", "page(1)", "Page down"),
        ("page-up", "pageup", "page(-1)", "Page up"),
    )

    def __init__(
        self,
        bindings: Mapping[str, ActiveBinding],
        words: Mapping[str, str] = MappingProxyType({}),
        topic: str = "",
    ) -> None:
        super().__init__("Keys that work here")
        self._topic = topic
        self._lines = key_lines(bindings, words)
        self._input = TextInput(placeholder="type to search keys and help", compact=True)
        self._shown = Static()
        self._rows = VerticalScroll(self._shown, can_focus=False, classes="dialog-scrolled")
        self._topics: dict[str, list[topics.TopicLine]] = {}
        self._found: list[str] = []
        self._ways = ""
        self._listed_for = 0

    def body(self) -> Iterable[Widget]:
        return self._input, self._rows

    def on_mount(self) -> None:
        self.query_one(".dialog-keys").display = False
        self.say_context(keyed("{dialog.cancel:esc} close"))
        self.watch(self._rows, "show_vertical_scrollbar", self._say_ways, init=False)
        self._list()

    def on_resize(self) -> None:
        # The first resize comes with opening, when `on_mount` has listed all for this width.
        if self.app.size.width != self._listed_for:
            self._topics.clear()
            self._list()

    def on_input_changed(self) -> None:
        self._list()

    def on_input_submitted(self) -> None:
        if not self._found:
            self.dismiss(None)
            return
        self._show_topic(self._found[0])

    def _show_topic(self, name: str) -> None:
        text = topics.markdown(name)
        ways = f"type to search again · callboard help {name} to print it"
        self._show([_styled(line) for line in topics.shown(text, self._width)], ways)

    def action_page(self, pages: int) -> None:
        self.action_scroll(pages * self._rows.size.height)

    @property
    def _width(self) -> int:
        return max(_KEYS + 12, min(_WIDEST, self.app.size.width) - _BESIDE)

    def _list(self) -> None:
        words = self._input.value.casefold().split()
        if self._topic and not words:
            self._show_topic(self._topic)
            return
        groups: dict[str, list[KeyLine]] = {}
        for line in self._lines:
            parts = (line.text, *line.keys, line.group, line.searched)
            searched = " ".join(parts).casefold()
            if all(word in searched for word in words):
                groups.setdefault(line.group, []).append(line)
        self._listed_for = width = self.app.size.width
        columns = 3 if width >= _THREE_COLUMNS else 2 if width >= _TWO_COLUMNS else 1
        room = (self._width - _GAP * (columns - 1)) // columns
        lines = _beside([_group_lines(*group, room) for group in groups.items()], columns, room)
        if words:
            lines += self._excerpts(words)
        else:
            self._found = []
        if not lines:
            lines = [Content.styled(f"No results for “{self._input.value}”", "$quiet")]
        ways = f"↵ open “{self._found[0]}”" if self._found else "{go.settings:g ,} change keys"
        self._show(lines, ways)

    def _show(self, lines: Sequence[Content], ways: str) -> None:
        self._ways = ways
        self._say_ways()
        self._shown.update(Content("\n").join(lines))
        self._rows.scroll_home(animate=False)

    def _say_ways(self) -> None:
        # At the lower edge: what else can be done.
        more = "{help.page-down:pgdn} more   " if self._rows.show_vertical_scrollbar else ""
        self.query_one(".dialog").border_subtitle = key_hints(more + self._ways)

    def _excerpts(self, words: Sequence[str]) -> list[Content]:
        # Topics are laid out for one width: a resize clears them.
        if not self._topics:
            for name in topics.names():
                self._topics[name] = list(topics.shown(topics.markdown(name), self._width - 2))
        excerpts: dict[str, list[topics.TopicLine]] = {}
        for name, every in self._topics.items():
            whole = " ".join(line.text for line in every).casefold()
            if all(word in whole or word in name for word in words):
                in_line = [
                    (sum(word in line.text.casefold() for word in words), line)
                    for line in every[1:]
                ]
                most = max(count for count, _ in in_line)
                # Of all lines those that have the most of the words.
                excerpts[name] = [line for count, line in in_line if count == most][:_EXCERPTS]
        self._found = sorted(
            excerpts, key=lambda name: (not name.startswith(words[0]), -len(excerpts[name]))
        )
        lines: list[Content] = []
        for name in self._found:
            heading = (f"Help: {name}", "bold $foreground")
            lines += [Content.assemble(heading, ("  " + topics.title(name), "$quiet"))]
            shown = [_styled(topics.TopicLine(f"  {line.text.strip()}")) for line in excerpts[name]]
            lines += [line.truncate(self._width, ellipsis=True) for line in shown]
            lines.append(Content())
        return lines


def _styled(line: topics.TopicLine) -> Content:
    if line.strong:
        return Content(line.text).stylize("bold $foreground", 0, line.strong)
    parts = topics.CODE.split(line.text)
    return Content.assemble(
        *((part, "$primary") if at % 2 else part for at, part in enumerate(parts))
    )


def _group_lines(group: str, lines: Sequence[KeyLine], room: int) -> list[Content]:
    # A heading, and each action with as many of its keys at the left as there is room for.
    shown = [Content.styled(group, "bold $foreground")]
    for line in lines:
        keys = [key.split(" ", 1)[1] for key in line.keys] if group.endswith(" then") else line.keys
        # `gg` is written in one, so that it is not taken for two keys.
        keys = [key[0] * 2 if key == f"{key[0]} {key[0]}" else key for key in keys]
        digits = [key for key in keys if key.isdecimal()]
        if len(digits) > 2:  # noqa: PLR2004 (a range)
            keys = [f"{digits[0]}–{digits[-1]}"]
        names = keys[0]
        for key in keys[1:]:
            if cells.width(f"{names} {key}") <= _KEYS:
                names += f" {key}"
        names = " " * max(0, _KEYS - cells.width(names)) + names
        first, *below = wrap(line.text, max(8, room - _KEYS - 2))
        shown.append(Content.assemble((names, "$primary"), f"  {first}"))
        shown += [Content(" " * (_KEYS + 2) + text) for text in below]
    return [*shown, Content()]


def _beside(groups: Sequence[list[Content]], columns: int, room: int) -> list[Content]:
    # Groups below each other in the lowest columns that hold them all, without dividing one.
    if not groups:
        return []
    height = max(*map(len, groups), -(-sum(map(len, groups)) // columns))
    while True:
        filled: list[list[Content]] = [[]]
        for group in groups:
            if filled[-1] and len(filled[-1]) + len(group) > height:
                filled.append([])
            filled[-1] += group
        if len(filled) <= columns:
            break
        height += 1
    lines = []
    for at in range(max(map(len, filled))):
        parts = [column[at] if at < len(column) else Content() for column in filled]
        padded = [part.pad_right(max(0, room + _GAP - part.cell_length)) for part in parts[:-1]]
        lines.append(Content("").join([*padded, parts[-1]]))
    return lines


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
        "Copied, if your terminal allows it.   {address.copy:y} copy   {dialog.cancel:esc} back"
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
