"""Where a text is typed, with people to be named by an `@`.

The rule it keeps: an offer opens only by typing, never by moving the cursor; one that was refused
stays closed for that word.
"""

from collections.abc import Sequence
from typing import NamedTuple

from textual.widgets import TextArea

from tui.model.people import mention_name
from tui.model.task import Person
from tui.screens.dialogs.editor.people import PeopleList, mention_before, people_like


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
