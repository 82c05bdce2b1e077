"""The people who work on a task: a set, as text with a line for each.

People whom others added or removed meanwhile stay so: what the user added and removed is applied to
those who are there.
"""

from collections.abc import Iterable
from dataclasses import replace

from tui.model.detail import TaskField
from tui.model.task import Person
from tui.store.documents.shapes import Document
from tui.store.operations.fields.field import Field, FieldDelivery, FieldPart, Merge, Value
from tui.text.clean import line, listed, quoted

_NAMED = 3


def spelt_people(people: Iterable[Person]) -> str:
    """People as text: id, login and name of each."""
    return "\n".join(f"{person.id}\t{person.login}\t{person.name}" for person in people)


def people_in(value: str | None) -> tuple[Person, ...]:
    """The people in a text. Raises `ValueError`."""
    rows = (row.split("\t", 2) for row in (value or "").split("\n") if row)
    return tuple(Person(int(person_id), name, login) for person_id, login, name in rows)


def _by_id(value: str | None) -> dict[int, Person]:
    return {person.id: person for person in people_in(value)}


def _merged(base: str, own_value: str, current_value: str) -> str:
    """Those who are there without those we removed, then those we added."""
    previous, ours, current = map(_by_id, (base, own_value, current_value))
    staying = {key: current[key] for key in current if key in ours or key not in previous}
    added = {key: ours[key] for key in ours if key not in previous}
    return spelt_people((staying | added).values())


def _read(task: Document) -> str:
    return spelt_people(
        Person(
            int(user.get("ID", user.get("id"))),
            line(str(user.get("display_name") or "")),
            line(str(user.get("user_login") or "")),
        )
        for user in task.get("assignees") or ()
    )


async def _send(to: FieldDelivery, value: str) -> Document:
    """Send the whole list, with the changes of others."""
    current = _read(await to.task())
    people = value if to.base is None else _merged(to.base[0] or "", value, current)
    return await to.remote.assign(*to.ids, list(_by_id(people)))


def _words(name: str, base: Value | None, value: str) -> str:
    previous, current = _by_id(base[0] if base else None), _by_id(value)
    added = _named(current[key] for key in current if key not in previous)
    removed = _named(previous[key] for key in previous if key not in current)
    if not removed:
        return f"Assign {quoted(name)} to {added or 'no one'}"
    if not added:
        return f"Unassign {removed} from {quoted(name)}"
    return f"Assign {quoted(name)} to {added}, not to {removed}"


def _named(people: Iterable[Person]) -> str:
    names = [person.in_words for person in people]
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return listed(names)


ASSIGNEES = Field(
    (
        FieldPart(
            "assignees",
            _read,
            spell=lambda task: spelt_people(task.assignees),
            comparable=lambda value: str(sorted(_by_id(value))),
        ),
    ),
    draw=lambda task, value: replace(task, assignees=people_in(value)),
    send=_send,
    words=_words,
    merging=Merge(_merged),
    row=TaskField.ASSIGNEES,
    check=people_in,
)
