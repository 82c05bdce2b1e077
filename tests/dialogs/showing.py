"""Shows a dialog on top of a board, and keeps its answers."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.dialogs.base import Dialog

Answer = TypeVar("Answer")


class Shown(Generic[Answer]):
    """A dialog in front of a person, and its answers."""

    def __init__(self, person: Driver) -> None:
        self.person = person
        self.press = person.press
        self.type = person.type
        self.answers: list[Answer | None] = []

    @property
    def text(self) -> str:
        """Everything in the frame of the dialog, without its border and with single blanks."""
        place = self.person.app.screen.query_one(".dialog").region
        lines = self.person.text.splitlines()[place.y : place.bottom]
        inside = " ".join(line[place.x + 1 : place.right - 1] for line in lines)
        return " ".join(inside.replace("─", " ").split())


@asynccontextmanager
async def shown(make: Callable[[], Dialog[Answer]]) -> AsyncIterator[Shown[Answer]]:
    """A dialog on top of a board."""
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        front = Shown[Answer](person)
        await person.app.push_screen(make(), front.answers.append)
        await person.pilot.pause()
        yield front
