"""The people that an `@` in a text may mean.

They are offered only where somebody just typed a name after an `@`.
"""

import re
from collections.abc import Sequence

from textual.geometry import Size
from textual.strip import Strip

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
