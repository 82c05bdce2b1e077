"""The text area of the editor, with a list of people to mention by an `@`.

The list opens only by typing, never by moving the cursor; one that was closed by Esc stays closed
for that word.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import TextArea

from tui.model.people import by_mention, mention_name
from tui.model.task import Person
from tui.text.cells import fit
from tui.text.fuzzy import rank
from tui.widgets.painted import Painted

MOST = 6
"""How many people are offered at once."""

_MENTION = re.compile(r"(?:^|(?<=[^\w@./-]))@([\w.-]*)$")


def mention_before(line: str) -> str | None:
    """What was typed after an `@` at the end of a line; None where there is none."""
    found = _MENTION.search(line)
    return found[1] if found else None


def people_like(people: Sequence[Person], typed: str) -> list[Person]:
    """The people whom some letters of a name or login may mean, best first."""
    known = list(by_mention(people).values())
    ranked = rank(typed, [f"{person.login} {person.name}" for person in known])
    return [known[index] for index in ranked[:MOST]]


class PeopleList(Painted):
    """The people offered, a line each, with a cursor; hidden where there is nobody."""

    def __init__(self) -> None:
        super().__init__()
        self._people: tuple[Person, ...] = ()
        self._at = 0
        self.display = False

    @property
    def chosen(self) -> Person | None:
        """The person at the cursor."""
        return self._people[self._at] if self._people else None

    def show(self, people: Sequence[Person]) -> None:
        """Offer these, best first."""
        if tuple(people) != self._people:
            self._people, self._at = tuple(people), 0
            self.refresh(layout=True)
        self.display = bool(people)

    def move(self, by: int) -> None:
        """Move the cursor; it goes round."""
        self._at = (self._at + by) % max(1, len(self._people))
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line for each."""
        del container, viewport, width
        return len(self._people)

    def render_line(self, y: int) -> Strip:
        """Draw one of the people."""
        if y >= len(self._people):
            return Strip.blank(self.size.width)
        person = self._people[y]
        sign = "▸" if y == self._at else " "
        called = f"@{mention_name(person)}"
        words = fit(f" {sign} {called}  {person.name if person.login else ''}", self.size.width)
        return self.strip(((words, "cursor" if y == self._at else "said"),))


class Mention(NamedTuple):
    """An `@` before the cursor: its line, and what was typed after it."""

    row: int
    typed: str


class WritingArea(TextArea):
    """A text of several lines; `offered` is to be shown beneath it."""

    def __init__(self, text: str, people: Sequence[Person]) -> None:
        super().__init__(text, tab_behavior="indent", highlight_cursor_line=False, compact=True)
        self.cursor_blink = False
        self.offered = PeopleList()
        self._people = tuple(people)
        self._refused: Mention | None = None

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Tab is a part of the text, but not while it takes one of the people."""
        if key == "tab" and self.offered.display:
            return False
        return super().check_consume_key(key, character)

    def replace_all(self, text: str) -> None:
        """Put another text in the place of all; ctrl+z takes that back."""
        self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)

    def offer(self) -> None:
        """Offer the people that what was just typed may mean."""
        mention, refused = self._mention, self._refused
        is_refused = (
            mention is not None
            and refused is not None
            and mention.row == refused.row
            and mention.typed.startswith(refused.typed)
        )
        if not is_refused:
            self._refused = None
        found = people_like(self._people, mention.typed) if mention and not is_refused else ()
        self.offered.show(found)

    def stop_offering(self) -> None:
        """Offer nobody for the word that is being typed."""
        self._refused = self._mention
        self.offered.show(())

    def stop_offering_elsewhere(self) -> None:
        """Offer nobody once the cursor is not behind an `@` any more."""
        if self.offered.display and self._mention is None:
            self.offered.show(())

    def name_chosen(self) -> None:
        """Write what the person at the cursor of the list is called, with a blank behind."""
        person, mention = self.offered.chosen, self._mention
        if person is None or mention is None:
            return
        row, column = self.cursor_location
        start = column - len(mention.typed)
        blank = "" if self.document.get_line(row)[column : column + 1] == " " else " "
        name = mention_name(person)
        self.replace(f"{name}{blank}", (row, start), (row, column))
        self.move_cursor((row, start + len(name) + 1))
        self.offered.show(())

    @property
    def _mention(self) -> Mention | None:
        """What is being typed after an `@`; None where there is none."""
        row, column = self.cursor_location
        typed = mention_before(self.document.get_line(row)[:column])
        return None if typed is None else Mention(row, typed)
