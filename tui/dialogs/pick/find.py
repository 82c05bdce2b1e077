"""Dialogs with a searchable list, for one of its rows.

The input above the list keeps the focus, and the arrow keys move the cursor of the list. The best
match comes first, with the cursor on it. A list of choices is a `Pick`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.binding import BindingType
from textual.content import Content, Span
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from tui.dialogs.base import Answer, Dialog
from tui.dialogs.one_line import OneLine, TwoSided
from tui.dialogs.pick.cursor_list import CursorList
from tui.model.colors import drawable
from tui.runtime.key_queue import Opening, await_opening
from tui.text.fuzzy import Index, places
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

MOST = 60
"""The most places or people in a list; typing finds the others."""

T = TypeVar("T")
V_co = TypeVar("V_co", covariant=True)


class PickRow(NamedTuple):
    """A row of the list; rows without a key cannot be chosen."""

    key: str
    shown: Content | OneLine


class FindDialog(Dialog[Answer], Generic[Answer]):
    """Asks for an item of a list; subclasses supply the rows and the answer."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "find",
        ("down", "down,ctrl+n", "cursor(1)", "Next entry"),
        ("up", "up,ctrl+p", "cursor(-1)", "Previous entry"),
        ("page-down", "pagedown", "page(1)", "Page down"),
        ("page-up", "pageup", "page(-1)", "Page up"),
    )

    def __init__(self, title: str, prompt: str, *, line: Input | None = None) -> None:
        super().__init__(title)
        self.line = line or TextInput(placeholder=prompt, compact=True)
        self.starts_at = ""
        self._list = CursorList(classes="picks")
        self._list.can_focus = False
        self._keys: list[str] = []
        self.is_taking = False

    def rows(self, words: str) -> Sequence[PickRow]:
        """The rows that match the words, best first."""
        raise NotImplementedError

    def keys_line(self) -> str | Content | TwoSided:
        """The text below the list: what the keys do now, see `key_hints`."""
        if not self.can_take:
            return "{dialog.cancel:esc} cancel"
        return "↵ select   {find.up:↑}{find.down:↓} choose    {dialog.cancel:esc} cancel"

    def take(self) -> None:
        """Answer with the row at the cursor."""
        raise NotImplementedError

    def typed(self, words: str) -> None:
        """Update the list after typing; subclasses may keep the cursor where it is."""
        del words
        self.list_again()

    def clicked(self) -> None:
        """Handle a click on the row at the cursor; by default, answer with it."""
        self.take()

    def body(self) -> Iterable[Widget]:
        return self.line, self._list

    def on_mount(self) -> None:
        self.list_again(at=self.starts_at)
        # A watcher, not `Changed`, which comes later: one frame shows both the input and the list.
        self.watch(self.line, "value", self.typed, init=False)

    @property
    def at(self) -> str:
        """The key of the row at the cursor; empty if there is none."""
        index = self._list.highlighted
        return self._keys[index] if index is not None else ""

    @property
    def can_take(self) -> bool:
        """Whether Enter takes something: the row at the cursor, or a match once it is found."""
        return bool(self.at) or self.lacks_matches

    def list_again(self, *, at: str = "") -> None:
        """Update the list, with the cursor on the row with the key `at`, else on the first."""
        rows = self.rows(self.line.value)
        self._list.set_options(Option(row.shown, disabled=not row.key) for row in rows)
        self._keys = [row.key for row in rows]
        first = next((index for index, key in enumerate(self._keys) if key), None)
        self._list.highlighted = self._keys.index(at) if at and at in self._keys else first
        self.show_keys()

    def show_keys(self) -> None:
        self.say_keys(self.keys_line())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.lacks_matches:
            # The best match is not known yet: it is taken when the search has ended.
            self.is_taking = True
            await_opening(self.app, Opening(lambda: self.is_taking, cancel=self._stop_taking))
        else:
            self.take()

    @property
    def lacks_matches(self) -> bool:
        """True while the match that Enter would take is still searched for; for subclasses."""
        return False

    def matches_found(self) -> None:
        """Take what Enter was pressed for, if it was; for subclasses to call."""
        if self.is_taking and not self.lacks_matches:
            self.is_taking = False
            self.take()

    def _stop_taking(self) -> bool:
        self.is_taking = False
        return True

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.show_keys()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.clicked()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        # The list cannot have the focus: keys go on to the input after a click, too.
        self.line.focus()

    def action_cursor(self, direction: int) -> None:
        if direction > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_page(self, pages: int) -> None:
        page = max(1, self._list.size.height - 1)
        to = (self._list.highlighted or 0) + pages * page
        rows = (row for row, key in enumerate(self._keys) if key)
        self._list.highlighted = min(rows, key=lambda row: abs(row - to), default=None)


class Choice(NamedTuple, Generic[V_co]):
    """A row or an option of a field that stands for a value, found by its label.

    The `sign` or a chip in a `color` from the service is before the label, the `hint` beside it.
    """

    value: V_co
    label: str
    hint: str = ""
    color: str = ""
    sign: str = ""


class Pick(FindDialog[Answer]):
    """Asks for one of `choices`, of which at most so many are listed."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[Answer]],
        prompt: str = "type to find",
        *,
        most: int | None = None,
        nothing: str = "nothing",
    ) -> None:
        super().__init__(title, prompt)
        self.choices = tuple(choices)
        self._index = Index([choice.label for choice in choices])
        self._most = most
        self._nothing = nothing

    @property
    def choice(self) -> Choice[Answer] | None:
        return self.choices[int(self.at)] if self.at.isdecimal() else None

    def rows(self, words: str) -> list[PickRow]:
        ranked = self._index.rank(words)
        rows = [
            PickRow(str(at), self.shown(self.choices[at], words)) for at in ranked[: self._most]
        ]
        if more := len(ranked) - len(rows):
            rows.append(PickRow("", Content(f" … {more} more: type to find them")))
        rows += self.below(words)
        return rows or [PickRow("", Content(f" {self._nothing} matches “{words}”"))]

    def below(self, words: str) -> list[PickRow]:
        del words
        return []

    def shown(self, choice: Choice[Answer], words: str) -> Content | TwoSided:
        return labelled(f" {choice.sign} " if choice.sign else " ", choice, words)

    def take(self) -> None:
        if self.choice is not None:
            self.dismiss(self.choice.value)


def labelled(sign: str, choice: Choice[T], words: str) -> Content:
    """The label of a choice with its matches marked, between its sign or chip and its hint."""
    line = Content(sign)
    if choice.color:
        line += chip(choice.color) + Content(" ")
    line += marked(choice.label or "(no title)", words)
    return line + Content.styled(f"  {choice.hint}", "$quiet") if choice.hint else line


def marked(text: str, words: str) -> Content:
    """A text with the letters highlighted that match the input."""
    matching = set(places(words, text))
    starts = sorted(place for place in matching if place - 1 not in matching)
    ends = sorted(place + 1 for place in matching if place + 1 not in matching)
    runs = zip(starts, ends, strict=True)
    return Content(text, [Span(start, end, "bold underline") for start, end in runs])


def chip(color: str) -> Content:
    """A sign in a colour from the service."""
    return Content.styled(glyphs.CHIP, drawable(color))


def recent_choices(
    choices: Iterable[Choice[T]], recent: Sequence[str], key: Callable[[T], str]
) -> list[Choice[T]]:
    """The choices with the recent ones first, most recent on top, where a hint says so."""
    order = {name: place for place, name in enumerate(recent)}
    return [
        choice._replace(hint=" · ".join(filter(None, (choice.hint, "recent"))))
        if key(choice.value) in recent
        else choice
        for choice in sorted(choices, key=lambda choice: order.get(key(choice.value), len(order)))
    ]


class FilterRow(NamedTuple):
    """A row: what it is, and its value at the right; only a saved filter can be deleted."""

    key: str
    label: str
    value: str
    is_saved: bool = False


class FilterAnswer(NamedTuple):
    """The key of the chosen row, and whether it is to be deleted."""

    key: str
    is_deleted: bool = False


class FilterDialog(Pick[FilterAnswer]):
    """Asks for a row; the cursor starts on the row with the key `at`."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "filter", ("delete", "ctrl+x", "delete", "Delete saved filter"), priority=True
    )

    def __init__(self, title: str, rows: Sequence[FilterRow], *, at: str = "") -> None:
        choices = [Choice(FilterAnswer(row.key), row.label, row.value) for row in rows]
        super().__init__(title, choices)
        self._saved = {row.key for row in rows if row.is_saved}
        self.starts_at = next((str(n) for n, row in enumerate(rows) if row.key == at), "")

    def shown(self, choice: Choice[FilterAnswer], words: str) -> TwoSided:
        style = "$primary" if choice.value.key in self._saved else "$foreground"
        value = Content.styled(f" {choice.hint} ", style)
        return TwoSided(marked(f" {choice.label}", words), value)

    def keys_line(self) -> str:
        if self.choice is None:
            return "{dialog.cancel:esc} close"
        is_saved = self.choice.value.key in self._saved
        delete = "   {filter.delete:ctrl+x} delete" if is_saved else ""
        return f"↵ select   {{dialog.cancel:esc}} close{delete}"

    def action_delete(self) -> None:
        if self.choice is not None and self.choice.value.key in self._saved:
            self.dismiss(self.choice.value._replace(is_deleted=True))


def no_one(words: str, nothing: str, invite: str) -> list[PickRow]:
    """The rows of an empty list of people: no one matches `words`, or there is no one at all."""
    reason = f"no one matches “{words}”" if words.strip() else nothing
    return [PickRow("", Content(f" {reason}")), PickRow("", Content.styled(f" {invite}", "$quiet"))]
