"""The choices of the dialog for assignees.

The user comes first, the others follow by name. An assignee who has left the board is listed too,
so that they can be unassigned.
"""

from collections.abc import Iterable, Sequence

from tui.dialogs.pick.many import PickChoice
from tui.model.task import Person, Task
from tui.text.fuzzy import fold


def offered(
    members: Iterable[Person], tasks: Iterable[Task], me: Person | None
) -> tuple[Person, ...]:
    """The members of a board and the assignees of the tasks: `me` first, then by name."""
    known = {person.id: person for task in tasks for person in task.assignees}
    known |= {person.id: person for person in members}
    mine = me.id if me is not None else None
    return tuple(sorted(known.values(), key=lambda one: (one.id != mine, fold(_name(one)), one.id)))


def choices(
    people: Iterable[Person], members: Iterable[Person], tasks: Sequence[Task], me: Person | None
) -> list[PickChoice]:
    """Rows for people, with their login and the number of tasks they are assigned to."""
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
