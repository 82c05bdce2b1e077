"""The text area of the editor: it marks mentions, and completes people after an `@`.

Only typing opens the list, not moving the cursor. Once closed with Esc, it stays closed for that
word.
"""

import re
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.binding import BindingType
from textual.geometry import Size
from textual.widgets import TextArea

from tui.model.comment_text import mentions_in
from tui.model.people import by_mention, mention_name
from tui.model.task import Person
from tui.text.cells import fit
from tui.text.fuzzy import rank
from tui.text.keyed import keyed
from tui.theme import style_of
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.painted import Line, PaintedLines

MOST = 6
"""The most people in the completion list."""

_MENTION = re.compile(r"(?:^|(?<=[^\w@./-]))@([\w.-]*)$")


def mention_before(line: str) -> str | None:
    """The text after an `@` at the end of a line; None if there is no `@`."""
    mention = _MENTION.search(line)
    return mention[1] if mention else None


def people_like(people: Sequence[Person], typed: str) -> list[Person]:
    """The people whose name or login matches, best first."""
    listed = list(by_mention(people).values())
    ranked = rank(typed, [f"{person.login} {person.name}" for person in listed])
    return [listed[index] for index in ranked[:MOST]]


class PeopleList(PaintedLines):
    """The completion list of people, with a cursor; hidden if empty."""

    def __init__(self) -> None:
        super().__init__()
        self._people: tuple[Person, ...] = ()
        self._at = 0
        self.display = False

    @property
    def chosen(self) -> Person | None:
        return self._people[self._at] if self._people else None

    def show(self, people: Sequence[Person]) -> None:
        if tuple(people) != self._people:
            self._people, self._at = tuple(people), 0
            self.draw_anew()
        self.display = bool(people)

    def move(self, by: int) -> None:
        self._at = (self._at + by) % max(1, len(self._people))
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        lines: list[Line] = []
        for at, person in enumerate(self._people):
            is_here = at == self._at
            edge, role = (glyphs.BAR, "cursor") if is_here else (" ", "text")
            hint = keyed("    {edit.take-person:tab} complete") if is_here else ""
            name = f"  {person.name}" if person.login else ""
            words = f" {edge}@{mention_name(person)}{name}{hint}"
            lines.append(((fit(words, size.width), role),))
        return lines


class Mention(NamedTuple):
    """A mention before the cursor: its row, and the text after the `@`."""

    row: int
    typed: str


class WritingArea(TextArea):
    """A text area; the screen has to place its completion list `offered` below it."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "edit",
        ("take-person", "tab,enter", "take_person", "Mention this person"),
        ("next-person", "down", "person(1)", "Next person"),
        ("person-before", "up", "person(-1)", "Previous person"),
        priority=True,
    )

    def __init__(self, text: str, people: Sequence[Person]) -> None:
        super().__init__(text, tab_behavior="indent", highlight_cursor_line=False, compact=True)
        self.cursor_blink = False
        self.offered = PeopleList()
        self._people = tuple(people)
        self._names = frozenset(by_mention(people))
        self._dismissed: Mention | None = None

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        if spans := mentions_in(line.plain, self._names):
            style = style_of("news", self.app.theme_variables, "raised")
            for start, end in spans:
                line.stylize(style, start, end)
        return line

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        # `TextArea` claims Tab for indenting; while people are offered, Tab completes a name.
        is_taken = key == "tab" and self.offered.display
        return not is_taken and super().check_consume_key(key, character)

    def replace_all(self, text: str) -> None:
        """Replace the whole text, as an edit that ctrl+z undoes."""
        self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"take_person", "person"}:
            return self.offered.display
        return super().check_action(action, parameters)

    def action_person(self, by: int) -> None:
        self.offered.move(by)

    @on(TextArea.Changed)
    # Textual posts `Changed` for edits only, so that moving the cursor opens nothing.
    def offer(self) -> None:
        mention, dismissed = self._mention, self._dismissed
        if (
            mention is None
            or dismissed is None
            or mention.row != dismissed.row
            or not mention.typed.startswith(dismissed.typed)
        ):
            self._dismissed = None
            self.offered.show(people_like(self._people, mention.typed) if mention else ())
        else:
            self.offered.show(())

    def stop_offering(self) -> None:
        """Close the completion list until another word is typed."""
        self._dismissed = self._mention
        self.offered.show(())

    @on(TextArea.SelectionChanged)
    def stop_offering_elsewhere(self) -> None:
        if self.offered.display and self._mention is None:
            self.offered.show(())

    def action_take_person(self) -> None:
        person, mention = self.offered.chosen, self._mention
        if person is None or mention is None:
            return
        row, column = self.cursor_location
        start = column - len(mention.typed)
        # A blank that is there already is stepped over, not doubled.
        blank = "" if self.document.get_line(row)[column : column + 1] == " " else " "
        name = mention_name(person)
        self.replace(f"{name}{blank}", (row, start), (row, column))
        self.move_cursor((row, start + len(name) + 1))
        self.offered.show(())

    @property
    def _mention(self) -> Mention | None:
        row, column = self.cursor_location
        typed = mention_before(self.document.get_line(row)[:column])
        return None if typed is None else Mention(row, typed)
