"""The people who work on a task: a set, as text with a line for each.

People whom others added or removed meanwhile stay so: what the user added and removed is applied to
those who are there.
"""

from collections.abc import Iterable
from dataclasses import replace

from tui.model.detail import TaskField
from tui.model.task import Person
from tui.store.documents.shapes import Document
from tui.store.operations.fields.field import Delivery, Field, Merge, Part, Value
from tui.text.clean import line, quoted

_NAMED = 3


def spelt_people(people: Iterable[Person]) -> str:
    """People as text: id, login and name of each."""
    return "\n".join(f"{one.id}\t{one.login}\t{one.name}" for one in people)


def people_in(value: str | None) -> tuple[Person, ...]:
    """The people in a text. Raises `ValueError`."""
    rows = (row.split("\t", 2) for row in (value or "").split("\n") if row)
    return tuple(Person(int(own_id), name, login) for own_id, login, name in rows)


def _by_id(value: str | None) -> dict[int, Person]:
    return {one.id: one for one in people_in(value)}


def _merged(base: str, mine: str, theirs: str) -> str:
    """Those who are there without those we removed, then those we added."""
    before, ours, there = map(_by_id, (base, mine, theirs))
    kept = {one: there[one] for one in there if one in ours or one not in before}
    added = {one: ours[one] for one in ours if one not in before}
    return spelt_people((kept | added).values())


def _read(task: Document) -> str:
    return spelt_people(
        Person(
            int(one.get("ID", one.get("id"))),
            line(str(one.get("display_name") or "")),
            line(str(one.get("user_login") or "")),
        )
        for one in task.get("assignees") or ()
    )


async def _send(to: Delivery, value: str) -> Document:
    """Send the whole list, with the changes of others."""
    now = _read(await to.task())
    people = value if to.base is None else _merged(to.base[0] or "", value, now)
    return await to.remote.assign(*to.ids, list(_by_id(people)))


def _words(name: str, base: Value | None, value: str) -> str:
    before, now = _by_id(base[0] if base else None), _by_id(value)
    added = _named(now[one] for one in now if one not in before)
    removed = _named(before[one] for one in before if one not in now)
    if not removed:
        return f"Assign {quoted(name)} to {added or 'nobody'}"
    if not added:
        return f"Take {removed} off {quoted(name)}"
    return f"Assign {quoted(name)} to {added}, not to {removed}"


def _named(people: Iterable[Person]) -> str:
    names = [one.in_words for one in people]
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


ASSIGNEES = Field(
    (
        Part(
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
