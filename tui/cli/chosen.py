"""Boards and folders as they are named on the command line: by id, title, or part of the title."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from tui.config.settings_file import nearest
from tui.errors import CallboardError
from tui.text import clean
from tui.text.clean import quoted


class Named(Protocol):
    """Something with an id and a title."""

    @property
    def id(self) -> int:
        """Its id at the service."""
        ...

    @property
    def title(self) -> str:
        """Its title."""
        ...


One = TypeVar("One", bound=Named)


class NotChosen(CallboardError):
    """A name does not tell which board or folder is meant."""


def chosen(words: str, among: Sequence[One], what: str) -> One:
    """The board or folder that is meant; `what` is its kind.

    Raises `NotChosen` if there is none, or more than one.
    """
    said = " ".join(clean.line(words).casefold().split())
    titles = [" ".join(one.title.casefold().split()) for one in among]
    by_id = [one for one in among if str(one.id) == said.removeprefix("#")]
    exact = [one for one, title in zip(among, titles, strict=True) if title == said]
    part = [one for one, title in zip(among, titles, strict=True) if said and said in title]
    found = by_id or exact or part
    if not found:
        raise NotChosen(
            f"no {what} is called {quoted(clean.line(words))}.",
            hint=nearest(words, [one.title for one in among]),
        )
    if len(found) > 1:
        told = ", ".join(f"{quoted(one.title)} ({one.id})" for one in found[:5])
        raise NotChosen(
            f"{quoted(clean.line(words))} is in the titles of {len(found)} {what}s: {told}.",
            hint="Type more of the title, or the id.",
        )
    return found[0]
