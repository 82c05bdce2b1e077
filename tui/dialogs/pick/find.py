"""A list that is searched by typing.

Letters always go into the line above the list, whatever the cursor is on; the arrows move in the
list, and the best match is on top with the cursor on it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color, ColorParseError
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.dialogs.base import Answer, Dialog
from tui.text.fuzzy import places
from tui.widgets import glyphs
from tui.widgets.two_sided import TwoSided

Choice = TypeVar("Choice")


class Row(NamedTuple):
    """A line of the list: by which key it is known, and what it shows; no key for mere words."""

    key: str
    shown: Content | TwoSided


class FindDialog(Dialog[Answer], Generic[Answer]):
    """Asks for something of a list; subclasses say what fits and what is done with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "cursor(1)", "Down", id="find.down", show=False, tooltip="Next entry"),
        Binding("up", "cursor(-1)", "Up", id="find.up", show=False, tooltip="Previous entry"),
        Binding(
            "pagedown", "page(1)", "Page down", id="find.page-down", show=False,
            tooltip="Page down",
        ),
        Binding(
            "pageup", "page(-1)", "Page up", id="find.page-up", show=False, tooltip="Page up"
        ),
    ]  # fmt: skip

    def __init__(self, title: str, placeholder: str = "type to find") -> None:
        super().__init__()
        self._title = title
        self.placeholder = placeholder
        self.starts_at = ""
        self._keys: list[str] = []

    def line(self) -> Input:
        """The line to type in; for subclasses that need another."""
        return Input(placeholder=self.placeholder, compact=True)

    def rows(self, words: str) -> Sequence[Row]:
        """What fits the words, best first; for subclasses."""
        raise NotImplementedError

    def keys_line(self) -> str:
        """What the keys do now, in words; for subclasses."""
        raise NotImplementedError

    def take(self) -> None:
        """Answer with what the cursor is on; for subclasses."""
        raise NotImplementedError

    def typed(self, words: str) -> None:
        """List what fits the words so far; for subclasses that keep the cursor where it is."""
        del words
        self.list_again()

    def clicked(self) -> None:
        """Do what a click on the line of the cursor means: by default, answer with it."""
        self.take()

    def compose(self) -> ComposeResult:
        """The line to type in, the list, and the keys."""
        yield self.frame(
            self._title,
            self.line(),
            OptionList(classes="picks"),
            Static(classes="dialog-keys"),
        )

    def on_mount(self) -> None:
        """List everything, ready to type."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self.list_again(at=self.starts_at)

    @property
    def words(self) -> str:
        """What is typed."""
        return self.query_one(Input).value

    @property
    def at(self) -> str:
        """The key of the line that the cursor is on; empty on none."""
        index = self.query_one(OptionList).highlighted
        return self._keys[index] if index is not None else ""

    def list_again(self, *, at: str = "") -> None:
        """List what fits now, with the cursor on the line of the key `at`, else on the first."""
        rows = self.rows(self.words)
        options = self.query_one(OptionList)
        options.set_options(Option(row.shown, disabled=not row.key) for row in rows)
        self._keys = [row.key for row in rows]
        found = [index for index, key in enumerate(self._keys) if key]
        where = self._keys.index(at) if at in self._keys and at else next(iter(found), None)
        options.highlighted = where
        self.show_keys()

    def show_keys(self) -> None:
        """Say what the keys do now."""
        self.query_one(".dialog-keys", Static).update(Content(self.keys_line()))

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what fits so far."""
        event.stop()
        self.typed(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer."""
        event.stop()
        self.take()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The keys may do something else here."""
        event.stop()
        self.show_keys()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Somebody clicked on a line: Enter is a key of the line above."""
        event.stop()
        self.clicked()

    def on_click(self, event: events.Click) -> None:
        """Keep typing where one types."""
        event.stop()
        self.query_one(Input).focus()

    def action_cursor(self, lines: int) -> None:
        """Move the cursor by lines, round the ends."""
        options = self.query_one(OptionList)
        for _ in range(abs(lines)):
            (options.action_cursor_down if lines > 0 else options.action_cursor_up)()

    def action_page(self, pages: int) -> None:
        """Move the cursor by a page."""
        options = self.query_one(OptionList)
        page = max(1, options.size.height - 1)
        last = options.option_count - 1
        options.highlighted = max(0, min((options.highlighted or 0) + pages * page, last))


def marked(text: str, words: str) -> Content:
    """A text with the letters marked that match what is typed."""
    content = Content(text)
    for place in places(words, text):
        content = content.stylize("bold underline", place, place + 1)
    return content


def recent_first(
    choices: Iterable[Choice], recent: Sequence[str], key: Callable[[Choice], str]
) -> list[Choice]:
    """The choices with those chosen lately first, the latest before the others."""
    order = {one: place for place, one in enumerate(recent)}
    return sorted(choices, key=lambda one: order.get(key(one), len(order)))


def with_recent(hint: str, *, is_recent: bool) -> str:
    """What is said beside a choice: also that it was chosen lately."""
    return " · ".join(filter(None, (hint, "recent" if is_recent else "")))


def chip(color: str) -> Content:
    """A sign in a colour of the service's; in the ordinary one where that is no colour."""
    try:
        return Content.styled(glyphs.CHIP, Color.parse(color).hex)
    except ColorParseError:
        return Content(glyphs.CHIP)
