"""A search dialog for somebody who is not on the board yet.

It lists the people who are known, and asks the service for others while a name is typed.
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from textual.content import Content
from textual.worker import WorkType

from tui.dialogs.pick.find import FindDialog, Row, marked
from tui.errors import CallboardError
from tui.model.task import Person
from tui.text.fuzzy import fold, rank
from tui.text.keyed import keyed

FindPeople = Callable[[str], Awaitable[Iterable[Person]]]
"""The people whose name contains a text; everybody for an empty one. Raises `CallboardError`."""
_MOST = 60
"""The most people in the list; typing finds the others."""


class PickPerson(FindDialog[Person]):
    """Asks for a person; those with ids in `without` are left out."""

    def __init__(
        self, title: str, known: Iterable[Person], without: frozenset[int], find: FindPeople
    ) -> None:
        super().__init__(title, "part of a name or login")
        self._people = {one.id: one for one in known if one.id not in without}
        self._without = without
        self._find = find
        self._searched = ""
        self._problem = ""

    def on_mount(self) -> None:
        self._start_asking("")

    def typed(self, words: str) -> None:
        super().typed(words)
        if words.strip():
            self._start_asking(words.strip())

    def rows(self, words: str) -> list[Row]:
        people = sorted(self._people.values(), key=lambda one: (fold(one.name), one.id))
        found = [people[at] for at in rank(words, [f"{one.name} {one.login}" for one in people])]
        rows = [Row(str(one.id), _line(one, words)) for one in found[:_MOST]]
        if self._problem:
            rows.append(Row("", Content(f" {self._problem}")))
        elif self._searched != words.strip():
            rows.append(Row("", Content(" searching …")))
        elif len(found) > _MOST:
            rows.append(Row("", Content(f" … {len(found) - _MOST} more: type to find them")))
        elif not found:
            rows.append(Row("", Content(f" nobody fits “{words}”" if words else " nobody else")))
        return rows

    def keys_line(self) -> str:
        return keyed("↵ take   {find.up:↑} {find.down:↓} choose   {dialog.cancel:esc} cancel")

    def take(self) -> None:
        if self.at:
            self.dismiss(self._people[int(self.at)])

    def _start_asking(self, words: str) -> None:
        asking: WorkType[None] = partial(self._ask, words)
        self.run_worker(asking, group="search" if words else "everybody", exclusive=True)

    async def _ask(self, words: str) -> None:
        """Add the people whom the service finds."""
        try:
            found = await self._find(words)
            self._people |= {one.id: one for one in found if one.id not in self._without}
            self._problem = ""
        except CallboardError as error:
            self._problem = error.message
        self._searched = words
        if self.is_mounted:
            self.list_again(at=self.at)


def _line(person: Person, words: str) -> Content:
    name = person.name or f"person {person.id}"
    line = Content(" ") + marked(name, words)
    login = person.login if person.login != person.name else ""
    return line + Content.styled(f"  {login}", "$quiet") if login else line
