"""A board whose lists all have rows, and a service behind it that fails or tells hostile texts."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any, cast

from tests.fakes.boards import ANN, JON, MIRA
from tests.fakes.store import FakeStore
from tests.pictures.boards import boards
from tests.pictures.insight import history
from tests.pictures.lists import ListService
from tests.pictures.tasks import board
from tui.errors import CallboardError
from tui.model.people import Account
from tui.model.task import Person
from tui.store.remote import Remote

_TEXTS = {"name", "title", "display_name", "old_value", "new_value", "description"}


class Service:
    """Answers what the lists of the pictures ask, unless there is a `problem`.

    With `titles`, they take turns as what people have typed.
    """

    def __init__(self, titles: Sequence[str] = ()) -> None:
        self.problem: CallboardError | None = None
        self.asked: list[str] = []
        self._titles = cycle(titles) if titles else None
        self._lists = ListService()

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        """A method of the service; those that write accept everything."""

        async def answer(*given: object, **named: object) -> Any:
            self.asked.append(name)
            if self.problem is not None:
                raise self.problem
            asked = getattr(self._lists, name, None)
            told = None if asked is None else await asked(*given, **named)
            return self._told(told)

        return answer

    def _told(self, value: Any) -> Any:
        """The same, with other texts."""
        if self._titles is None:
            return value
        if isinstance(value, dict):
            return {
                key: next(self._titles)
                if key in _TEXTS and isinstance(each, str)
                else self._told(each)
                for key, each in value.items()
            }
        if isinstance(value, list | tuple):
            made = [self._told(each) for each in value]
            return made if isinstance(value, list) else getattr(value, "_make", tuple)(made)
        return value


def store_with_lists(*titles: str) -> tuple[FakeStore, Service]:
    """A store in which every list has rows, for an administrator; `titles` take turns in them."""
    view, service = board(), Service(titles)
    others = boards()
    people: tuple[Person, ...] = (ANN, MIRA, JON)
    if titles:
        title = cycle(titles)
        people = tuple(Person(one.id, next(title), one.login) for one in people)
        view = replace(
            view,
            board=replace(view.board, title=next(title)),
            stages=tuple(replace(one, title=next(title)) for one in view.stages),
            labels=tuple(replace(one, title=next(title)) for one in view.labels),
            fields=tuple(
                replace(one, title=next(title), options=(next(title), next(title)))
                for one in view.fields
            ),
            people=people,
        )
        others = tuple(replace(one, title=next(title)) for one in others)
    managers = frozenset({ANN.id})
    view = replace(view, board=replace(view.board, people=people, managers=managers))
    store = FakeStore(view)
    store.me = Account(ANN.login, ANN.id, is_administrator=True)
    store.others = tuple(replace(one, people=people, managers=managers) for one in others)
    store.remote = cast("Remote", service)
    store.histories[view.board.id] = history(weeks=20)  # for a forecast
    return store, service
