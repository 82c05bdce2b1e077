"""What the names in a query refer to: the contents of boards, the user and the time."""

from collections.abc import Callable, Container, Iterable
from dataclasses import field
from datetime import datetime
from operator import attrgetter
from typing import TypeAlias

from tui.model.board import BoardView, Stage
from tui.model.colors import color_name
from tui.model.custom_field import CustomField, FieldValue
from tui.model.people import Account
from tui.model.task import Label, Person, Task
from tui.record import record
from tui.text.fuzzy import comparable

ValuesOf: TypeAlias = Callable[[Task], Iterable[FieldValue]]


@record
class About:
    """The contents of one board or of several; `me` is the user's id, if known.

    `changed` are the ids of tasks that others changed since the user last looked, and `values`
    returns a task's values of custom fields.
    """

    now: datetime
    me: int | None = None
    people: tuple[Person, ...] = ()
    labels: tuple[Label, ...] = ()
    stages: tuple[Stage, ...] = ()
    fields: tuple[CustomField, ...] = ()
    changed: Container[int] = field(default_factory=frozenset)
    values: ValuesOf = attrgetter("values")

    @classmethod
    def of(
        cls,
        views: Iterable[BoardView],
        me: Account,
        now: datetime,
        changed: Container[int] = (),
        values: ValuesOf = attrgetter("values"),
    ) -> "About":
        """What queries on these boards are about."""
        views = tuple(views)
        people = tuple(dict.fromkeys(one for view in views for one in view.people))
        own = me.among(people)
        return cls(
            now,
            None if own is None else own.id,
            people,
            tuple(dict.fromkeys(one for view in views for one in view.labels)),
            tuple(one for view in views for one in view.stages),
            tuple(one for view in views for one in view.fields),
            changed,
            values,
        )

    def fields_called(self, title: str) -> tuple[CustomField, ...]:
        """The custom fields that a title means."""
        is_meant = meaning(title, ((one.title,) for one in self.fields))
        return tuple(one for one in self.fields if is_meant((one.title,)))


def meaning(typed: str, known: Iterable[tuple[str, ...]]) -> Callable[[tuple[str, ...]], bool]:
    """A function that tells whether a thing with these names is meant by what was typed.

    It is if it is called so, or, if none of the `known` things is, if a word of a name begins so.
    Case, accents, and `-` or `_` for a blank make no difference.
    """
    part = comparable(typed)
    if any(comparable(name) == part for names in known for name in names):
        return lambda names: any(comparable(name) == part for name in names)
    return lambda names: any(f" {part}" in f" {comparable(name)}" for name in names)


def names_of_person(person: Person) -> tuple[str, ...]:
    """What a person is called."""
    return tuple(filter(None, (person.login, person.name)))


def name_of_label(label: Label) -> str:
    """The title of a label, or its colour."""
    return label.title or color_name(label.color) or label.color
