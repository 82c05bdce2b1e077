"""The people that are offered as assignees, in words.

Oneself comes first and the others by name; an assignee who is no longer on the board can still be
taken off.
"""

from collections.abc import Iterable, Sequence

from tui.dialogs.pick.many import PickChoice
from tui.model.task import Person, Task
from tui.text.fuzzy import fold


def offered(
    members: Iterable[Person], tasks: Iterable[Task], me: Person | None
) -> tuple[Person, ...]:
    """The members of a board and those who work on the tasks: `me` first, then by name."""
    known = {person.id: person for task in tasks for person in task.assignees}
    known |= {person.id: person for person in members}
    mine = me.id if me is not None else None
    return tuple(sorted(known.values(), key=lambda one: (one.id != mine, fold(_name(one)), one.id)))


def choices(
    people: Iterable[Person], members: Iterable[Person], tasks: Sequence[Task], me: Person | None
) -> list[PickChoice]:
    """How they are offered: with their login, and on how many of the tasks they work."""
    on_board = {person.id for person in members}
    lines = []
    for person in people:
        on = sum(any(one.id == person.id for one in task.assignees) for task in tasks)
        hints = (
            "me" if me is not None and me.id == person.id else "",
            person.login if person.login != _name(person) else "",
            f"on {on} of {len(tasks)}" if 0 < on < len(tasks) else "",
            "" if person.id in on_board else "not on this board any more",
        )
        lines.append(PickChoice(str(person.id), _name(person), " · ".join(filter(None, hints))))
    return lines


def _name(person: Person) -> str:
    return person.name or person.login or f"person {person.id}"
