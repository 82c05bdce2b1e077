"""What is named on the command line: by id, by name, or by a part of the name."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from tui.config.settings_file import nearest
from tui.errors import CallboardError, WrongInput
from tui.model.board import BoardView
from tui.model.find import number_of
from tui.model.people import Account, initials_of
from tui.model.query.about import name_of_label, names_of_person
from tui.model.task import Label, Person, Task
from tui.text import clean
from tui.text.clean import quoted

_ME = ("me", "@me")
_CANDIDATES = 5


class Identified(Protocol):
    """Something with an id."""

    @property
    def id(self) -> int:
        """Its id at the service."""


class Titled(Identified, Protocol):
    """Something with an id and a title."""

    @property
    def title(self) -> str:
        """Its title."""


One = TypeVar("One", bound=Identified)
OneTitled = TypeVar("OneTitled", bound=Titled)


class NotChosen(WrongInput):
    """A name may mean several things, or is missing."""


class NothingFound(CallboardError):
    """There is nothing of a name."""


def chosen(words: str, among: Sequence[OneTitled], what: str) -> OneTitled:
    """The board, stage or folder that is meant; `what` is its kind.

    Raises `NothingFound` if there is none, `NotChosen` if there is more than one.
    """
    return _chosen(words, among, what, lambda one: (one.title,))


def chosen_card(words: str, views: Iterable[BoardView]) -> Task:
    """The card that is meant: a number is never part of a title.

    Raises `NothingFound` or `NotChosen`.
    """
    tasks = [task for view in views for task in view.all_tasks()]
    number = number_of(words)
    if not number:
        return chosen(words, tasks, "card")
    found = next((task for task in tasks if task.id == number), None)
    if found is None:
        raise NothingFound(f"there is no card #{number} on these boards.")
    return found


def chosen_person(words: str, view: BoardView, me: Account) -> Person:
    """The member of a board that is meant by name, login or initials.

    Raises `NothingFound` or `NotChosen`.
    """
    own = me.among(view.people)
    if words.casefold() in _ME:
        if own is None:
            raise NothingFound(f"you are not a member of {quoted(view.board.title)}.")
        return own
    initials = initials_of(view.people)
    return _chosen(
        words.removeprefix("@"),
        view.people,
        "member",
        lambda one: (*names_of_person(one), initials.get(one.id, "")),
    )


def chosen_label(words: str, view: BoardView) -> Label:
    """The label of a board that is meant by title or colour.

    Raises `NothingFound` or `NotChosen`.
    """
    return _chosen(words, view.labels, "label", lambda one: (name_of_label(one),))


def _chosen(
    words: str, among: Sequence[One], what: str, names_of: Callable[[One], Sequence[str]]
) -> One:
    """What is meant: an id comes before a name, and a name before a part of one."""
    said = _comparable(words)
    if not said:
        raise NotChosen(f"the name of a {what} is empty.")
    names = [[_comparable(name) for name in names_of(one)] for one in among]
    by_id = [one for one in among if str(one.id) == said.removeprefix("#")]
    exact = [one for one, called in zip(among, names, strict=True) if said in called]
    part = [
        one
        for one, called in zip(among, names, strict=True)
        if any(said in name for name in called)
    ]
    found = by_id or exact or part
    if not found:
        known = [name for one in among for name in names_of(one)]
        raise NothingFound(
            f"no {what} is called {quoted(clean.line(words))}.", hint=nearest(words, known)
        )
    if len(found) > 1:
        told = [f"{quoted(names_of(one)[0])} ({one.id})" for one in found[:_CANDIDATES]]
        more = ["…"] if len(found) > _CANDIDATES else []
        raise NotChosen(
            f"{quoted(clean.line(words))} is in the names of {len(found)} {what}s:"
            f" {', '.join([*told, *more])}",
            hint="Type more of the name, or the id.",
        )
    return found[0]


def _comparable(name: str) -> str:
    return " ".join(clean.line(name).casefold().split())
