"""The base class of dialogs with a searchable list.

The input above the list keeps the focus, and the arrow keys move the cursor of the list. The best
match comes first, with the cursor on it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.binding import BindingType
from textual.color import Color, ColorParseError
from textual.content import Content, Span
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from tui.dialogs.base import Answer, Dialog
from tui.text.fuzzy import places
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput
from tui.widgets.two_sided import TwoSided

Choice = TypeVar("Choice")


class Row(NamedTuple):
    """A row of the list; rows without a key cannot be chosen."""

    key: str
    shown: Content | TwoSided


class FindDialog(Dialog[Answer], Generic[Answer]):
    """Asks for an item of a list; subclasses supply the rows and the answer."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "find",
        ("down", "down,ctrl+n", "cursor(1)", "Next entry"),
        ("up", "up,ctrl+p", "cursor(-1)", "Previous entry"),
        ("page-down", "pagedown", "page(1)", "Page down"),
        ("page-up", "pageup", "page(-1)", "Page up"),
    )

    def __init__(self, title: str, placeholder: str = "type to find") -> None:
        super().__init__(title)
        self.placeholder = placeholder
        self.starts_at = ""
        self._keys: list[str] = []

    def line(self) -> Input:
        """The input; subclasses may use another."""
        return TextInput(placeholder=self.placeholder, compact=True)

    def rows(self, words: str) -> Sequence[Row]:
        """The rows that match the words, best first."""
        raise NotImplementedError

    def keys_line(self) -> str:
        """The text below the list: what the keys do now."""
        raise NotImplementedError

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
        return self.line(), OptionList(classes="picks")

    def on_mount(self) -> None:
        """List all rows.

        The list is updated in the step that changes the input: one frame shows both, without the
        pause between two frames.
        """
        self.query_one(OptionList).can_focus = False
        self.list_again(at=self.starts_at)
        self.watch(self.query_one(Input), "value", self.typed, init=False)

    @property
    def words(self) -> str:
        """The text of the input."""
        return self.query_one(Input).value

    @property
    def at(self) -> str:
        """The key of the row at the cursor; empty if there is none."""
        index = self.query_one(OptionList).highlighted
        return self._keys[index] if index is not None else ""

    def list_again(self, *, at: str = "") -> None:
        """Update the list, with the cursor on the row with the key `at`, else on the first."""
        rows = self.rows(self.words)
        options = self.query_one(OptionList)
        options.set_options(Option(row.shown, disabled=not row.key) for row in rows)
        self._keys = [row.key for row in rows]
        found = [index for index, key in enumerate(self._keys) if key]
        where = self._keys.index(at) if at in self._keys and at else next(iter(found), None)
        options.highlighted = where
        self.show_keys()

    def list_more(self) -> None:
        """List the rows again, as there are more; the cursor stays where the user moved it."""
        self.list_again(at=self.at if self.was_moved else "")

    @property
    def was_moved(self) -> bool:
        """Whether the cursor is below the first row."""
        found = next((key for key in self._keys if key), "")
        return self.at != found

    def say(self, words: str) -> None:
        """Replace the text of the input."""
        line = self.query_one(Input)
        line.value = words
        line.cursor_position = len(words)

    def show_keys(self) -> None:
        self.say_keys(self.keys_line())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.take()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.show_keys()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Handle a click on a row; Enter is handled by the input."""
        event.stop()
        self.clicked()

    def on_click(self, event: events.Click) -> None:
        """Keep the focus on the input."""
        event.stop()
        self.query_one(Input).focus()

    def action_cursor(self, lines: int) -> None:
        options = self.query_one(OptionList)
        for _ in range(abs(lines)):
            (options.action_cursor_down if lines > 0 else options.action_cursor_up)()

    def action_page(self, pages: int) -> None:
        options = self.query_one(OptionList)
        page = max(1, options.size.height - 1)
        last = options.option_count - 1
        options.highlighted = max(0, min((options.highlighted or 0) + pages * page, last))


def marked(text: str, words: str) -> Content:
    """A text with the letters highlighted that match the input."""
    found = frozenset(places(words, text))
    starts = sorted(place for place in found if place - 1 not in found)
    ends = sorted(place + 1 for place in found if place + 1 not in found)
    runs = zip(starts, ends, strict=True)
    return Content(text, [Span(start, end, "bold underline") for start, end in runs])


def recent_first(
    choices: Iterable[Choice], recent: Sequence[str], key: Callable[[Choice], str]
) -> list[Choice]:
    """The choices with the recent ones first, most recent on top."""
    order = {one: place for place, one in enumerate(recent)}
    return sorted(choices, key=lambda one: order.get(key(one), len(order)))


def with_recent(hint: str, *, is_recent: bool) -> str:
    """The hint of a choice, with a mark if it is a recent one."""
    return " · ".join(filter(None, (hint, "recent" if is_recent else "")))


def chip(color: str) -> Content:
    """A sign in a colour from the service; in the default colour if that is invalid."""
    try:
        return Content.styled(glyphs.CHIP, Color.parse(color).hex)
    except ColorParseError:
        return Content(glyphs.CHIP)
