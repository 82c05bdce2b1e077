"""Dialogs to read: the help with a search, details below headings, an address."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from textual.binding import ActiveBinding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.dialogs.base import Dialog, key_hints
from tui.dialogs.help_lines import KeyLine, key_lines
from tui.help import topics
from tui.text import cells
from tui.widgets import glyphs
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
_CURSOR = "not dim not underline bold $cursor-text on $cursor-ground"


class Cell(NamedTuple):
    """A line of a column, and the place of its row among those that can be chosen."""

    shown: Content
    width: int
    row: int = -1


class HelpDialog(Dialog[ActiveBinding]):
    """Lists the keys of the screen behind it, and searches them and the topics of the help.

    Answers with the key at the cursor, for the caller to run. `words` are more words to find
    actions by, by their ids. With `topic` it shows that one instead of the keys, until something is
    typed.
    """

    frame_class = "-tall"
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "help",
        ("down", "down,ctrl+n", "cursor(1)", "Next key"),
        ("up", "up,ctrl+p", "cursor(-1)", "Previous key"),
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
        self._bound = {bound.binding.id: bound for bound in bindings.values()}
        self._input = TextInput(placeholder="type to search keys and help", compact=True)
        self._shown = Static()
        self._scrolled = VerticalScroll(self._shown, can_focus=False, classes="dialog-scrolled")
        self._topics: dict[str, list[topics.TopicLine]] = {}
        self._rows: list[KeyLine | str] = []
        """What can be chosen: keys, and names of topics."""
        self._at = -1
        self._cells: list[list[Cell]] = []
        self._ways = ""
        self._listed_for = 0

    def body(self) -> Iterable[Widget]:
        return self._input, self._scrolled

    def on_mount(self) -> None:
        self.query_one(".dialog-keys").display = False
        self.watch(self._scrolled, "show_vertical_scrollbar", self._say_ways, init=False)
        self._list()

    def on_resize(self) -> None:
        # The first resize comes with opening, when `on_mount` has listed all for this width.
        if self.app.size.width != self._listed_for:
            self._topics.clear()
            at = self._at
            self._list()
            if 0 <= at < len(self._rows):
                self._at = at  # what is chosen is brought into sight as after each listing
                self._draw()

    def on_input_changed(self) -> None:
        self._list()

    def on_input_submitted(self) -> None:
        chosen = self._rows[self._at] if self._at >= 0 else None
        if isinstance(chosen, str):
            self._show_topic(chosen)
        elif chosen is not None and not chosen.action_id:
            self.tell(f"{chosen.text}: close this and press one of {_named(chosen)}")
        else:
            self.dismiss(None if chosen is None else self._bound[chosen.action_id])

    def _show_topic(self, name: str) -> None:
        text = topics.markdown(name)
        self._rows, self._at = [], -1
        lines = [_styled(line) for line in topics.shown(text, self._width)]
        self._show(
            [[Cell(line, self._width)] for line in lines],
            f"type to search again · callboard help {name} to print it",
        )

    def action_cursor(self, by: int) -> None:
        if not self._rows:
            self.action_scroll(by)
            return
        self._at = max(0, min(self._at + by, len(self._rows) - 1))
        self._draw()
        self._bring_into_sight()

    def _bring_into_sight(self) -> None:
        if self._at < 0:
            return
        line = next(at for at, parts in enumerate(self._cells) if self._has_cursor(parts))
        top, height = self._scrolled.scroll_offset.y, self._scrolled.size.height
        # The first row is shown with the heading above it.
        begin = 0 if line == 1 else line
        if not top <= begin < top + height:
            self._scrolled.scroll_to(
                y=begin if begin < top else begin - height + 1, animate=False, immediate=True
            )

    def action_page(self, pages: int) -> None:
        self.action_scroll(pages * self._scrolled.size.height)

    @property
    def _width(self) -> int:
        return max(_KEYS + 12, min(_WIDEST, self.app.size.width) - _BESIDE)

    def _list(self) -> None:
        typed = self._input.value.strip()
        words = typed.casefold().split()
        if self._topic and not words:
            self._show_topic(self._topic)
            return
        groups: dict[str, list[KeyLine]] = {}
        for line in self._lines:
            parts = (line.text, *line.keys, line.group, line.searched)
            searched = " ".join(parts).casefold()
            if all(word in searched for word in words):
                groups.setdefault(line.group, []).append(line)
        self._rows = [line for group in groups.values() for line in group]
        self._listed_for = width = self.app.size.width
        columns = 3 if width >= _THREE_COLUMNS else 2 if width >= _TWO_COLUMNS else 1
        room = (self._width - _GAP * (columns - 1)) // columns
        first, drawn = 0, []
        for group, in_group in groups.items():
            drawn.append(_group_cells(group, in_group, room, first, words))
            first += len(in_group)
        lines = _beside(drawn, columns, room)
        if words:
            lines += self._excerpts(words)
        if not lines:
            nothing = Content.styled(f"No results for “{self._input.value}”", "$quiet")
            lines = [[Cell(nothing, self._width)]]
        # A key that is typed is chosen itself; what is found has the cursor on the first.
        typed_key = (
            at
            for at, row in enumerate(self._rows)
            if isinstance(row, KeyLine) and typed in row.keys
        )
        self._at = next(typed_key, 0 if self._rows else -1) if words else -1
        self._show(lines)

    def _show(self, lines: list[list[Cell]], ways: str = "") -> None:
        self._cells, self._ways = lines, ways
        self._draw()
        self._scrolled.scroll_home(animate=False, immediate=True)
        # Other lines have no height before the layout.
        self.call_after_refresh(self._bring_into_sight)

    def _draw(self) -> None:
        lines = (Content("").join(map(self._drawn, parts)) for parts in self._cells)
        self._shown.update(Content("\n").join(lines))
        self._say_ways()

    def _has_cursor(self, parts: Iterable[Cell]) -> bool:
        return self._at >= 0 and any(part.row == self._at for part in parts)

    def _drawn(self, cell: Cell) -> Content:
        shown = cell.shown.pad_right(max(0, cell.width - cell.shown.cell_length))
        if not self._has_cursor([cell]):
            return shown
        if shown.plain.startswith(" "):
            shown = Content(glyphs.BAR) + shown[1:]
        return shown.stylize(_CURSOR)

    def _say_ways(self) -> None:
        # At the lower edge: what else can be done.
        more = "{help.page-down:pgdn} more   " if self._scrolled.show_vertical_scrollbar else ""
        row = self._rows[self._at] if self._at >= 0 else None
        chosen = "↵ run" if row is not None else "{help.down:↓} choose"
        if isinstance(row, str):
            chosen = f"↵ open “{row}”"
        ways = key_hints(more + (self._ways or chosen))
        self.query_one(".dialog").border_subtitle = ways

    def _excerpts(self, words: Sequence[str]) -> list[list[Cell]]:
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
        found = sorted(
            excerpts, key=lambda name: (not name.startswith(words[0]), -len(excerpts[name]))
        )
        lines: list[list[Cell]] = []
        for name in found:
            heading = Content.assemble(
                (f" Help: {name}", "bold $foreground"), ("  " + topics.title(name), "$quiet")
            )
            lines.append([Cell(heading, self._width, len(self._rows))])
            self._rows.append(name)
            texts = (topics.TopicLine(f"   {line.text.strip()}") for line in excerpts[name])
            shown = [_styled(text).truncate(self._width, ellipsis=True) for text in texts]
            lines += [[Cell(line, self._width)] for line in (*shown, Content())]
        return lines


def _styled(line: topics.TopicLine) -> Content:
    if line.strong:
        return Content(line.text).stylize("bold $foreground", 0, line.strong)
    parts = topics.CODE.split(line.text)
    return Content.assemble(
        *((part, "$primary") if at % 2 else part for at, part in enumerate(parts))
    )


def _named(line: KeyLine) -> str:
    # As many of its keys as there is room for; below the heading of a chord without its first key.
    in_chord = line.group.endswith(" then")
    keys = [key.split(" ", 1)[1] for key in line.keys] if in_chord else line.keys
    # `gg` is written in one, so that it is not taken for two keys.
    keys = [key[0] * 2 if key == f"{key[0]} {key[0]}" else key for key in keys]
    digits = [key for key in keys if key.isdecimal()]
    if len(digits) > 1:
        return f"{digits[0]}–{digits[-1]}"
    names = keys[0]
    for key in keys[1:]:
        if cells.width(f"{names} {key}") <= _KEYS:
            names += f" {key}"
    return names


def _group_cells(
    group: str, lines: Sequence[KeyLine], room: int, first: int, words: Sequence[str]
) -> list[Cell]:
    # A heading, and each action with its keys at the left; `first` is the place of the first one.
    shown = [Cell(Content.styled(group, "bold $foreground"), room)]
    for at, line in enumerate(lines, first):
        names = _named(line)
        names = " " * max(0, _KEYS - cells.width(names)) + names
        text, *below = wrap(line.text, max(8, room - _KEYS - 2))
        row = Content.assemble((names, "$primary"), "  ", _underlined(text, words))
        shown.append(Cell(row, room, at))
        shown += [Cell(Content(" " * (_KEYS + 2) + text), room, at) for text in below]
    return [*shown, Cell(Content(), room)]


def _underlined(text: str, words: Sequence[str]) -> Content:
    content, folded = Content(text), text.casefold()
    for word in words:
        at = folded.find(word)
        if at >= 0:
            content = content.stylize("bold underline", at, at + len(word))
    return content


def _beside(groups: Sequence[list[Cell]], columns: int, room: int) -> list[list[Cell]]:
    # Groups below each other in the lowest columns that hold them all, without dividing one.
    if not groups:
        return []
    height = max(*map(len, groups), -(-sum(map(len, groups)) // columns))
    while True:
        filled: list[list[Cell]] = [[]]
        for group in groups:
            if filled[-1] and len(filled[-1]) + len(group) > height:
                filled.append([])
            filled[-1] += group
        if len(filled) <= columns:
            break
        height += 1
    empty, gap = Cell(Content(), room), Cell(Content(), _GAP)
    lines = []
    for at in range(max(map(len, filled))):
        parts = [column[at] if at < len(column) else empty for column in filled]
        lines.append([cell for part in parts for cell in (part, gap)][:-1])
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
