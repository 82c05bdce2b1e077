"""The dialog that asks for a person; the service is searched for those that it does not list."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial

from textual import on
from textual.content import Content
from textual.widgets import Input
from textual.worker import WorkType

from tui.dialogs.pick.find import MOST, Choice, FindDialog, PickRow, labelled, no_one
from tui.errors import CallboardError
from tui.model.task import Person
from tui.runtime.key_queue import drop_keys
from tui.text.fuzzy import fold, rank

FindPeople = Callable[[str], Awaitable[Iterable[Person]]]
"""The people whose name contains a text; everybody for an empty one. Raises `CallboardError`."""


class PickPerson(FindDialog[Person]):
    """Asks for a person; those with ids in `without` are left out.

    The service is asked for others once typing a name pauses for `pause_seconds`, or at Enter. If
    there is no one, the list says how to `invite` people.
    """

    def __init__(
        self,
        title: str,
        people: Iterable[Person],
        without: frozenset[int],
        find: FindPeople,
        *,
        invite: str,
        pause_seconds: float,
    ) -> None:
        super().__init__(title, "part of a name or login")
        self._people = {person.id: person for person in people if person.id not in without}
        self._without = without
        self._find = find
        self._invite = invite
        self._asking: str | None = None
        self._problem = ""
        self._pause_seconds = pause_seconds
        self._is_typed = asyncio.Event()

    def on_mount(self) -> None:
        # Textual also runs `on_mount` of the base classes, after this one.
        self._start_asking("")

    @on(Input.Submitted)
    def end_pause(self) -> None:
        self._is_typed.set()

    def typed(self, words: str) -> None:
        if words.strip():
            self._start_asking(words.strip())
        super().typed(words)

    def rows(self, words: str) -> list[PickRow]:
        people = sorted(self._people.values(), key=lambda person: (fold(person.name), person.id))
        ranked = rank(words, [f"{person.name} {person.login}" for person in people])
        rows = []
        for person in (people[at] for at in ranked[:MOST]):
            login = person.login if person.login != person.name else ""
            choice = Choice(person, person.name or f"person {person.id}", login)
            rows.append(PickRow(str(person.id), labelled(" ", choice, words)))
        if self._problem:
            rows.append(PickRow("", Content(f" {self._problem}")))
        elif self._asking is not None:
            rows.append(PickRow("", Content(" searching …")))
        elif len(ranked) > MOST:
            rows.append(PickRow("", Content(f" … {len(ranked) - MOST} more: type to find them")))
        elif not ranked:
            rows += no_one(words, "no one else", self._invite)
        return rows

    def take(self) -> None:
        if self.at:
            self.dismiss(self._people[int(self.at)])

    @property
    def lacks_matches(self) -> bool:
        return self._asking is not None and not self.at

    def _start_asking(self, words: str) -> None:
        self._asking = words
        self._is_typed.clear()
        asking: WorkType[None] = partial(self._ask, words)
        self.run_worker(asking, group="search" if words else "everybody", exclusive=True)

    async def _ask(self, words: str) -> None:
        # Another letter cancels this worker, so that one request is made for several letters.
        if words:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause_seconds):
                    await self._is_typed.wait()
        try:
            people = await self._find(words)
            self._people |= {
                person.id: person for person in people if person.id not in self._without
            }
            self._problem = ""
        except CallboardError as error:
            self._problem = error.message
            # What was typed after Enter was meant for what follows the choice.
            if self.is_taking:
                drop_keys(self.app)
        # The list of everybody and a search may be under way at once: only the last one counts.
        if self._asking == words:
            self._asking = None
        if self.is_mounted:
            self.list_again(at=self.at)
            self.matches_found()
