"""Assigning people to the selected tasks, and watching them.

For several tasks, the dialog shows the assignees that all have in common as selected; people
assigned to only some of the tasks stay assigned. An assignee who has left the board is listed too,
so that they can be unassigned.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tui.actions.tasks.cards import Cards, named, shared_ids
from tui.model.task import Person, Task
from tui.store import operations as change
from tui.text.fuzzy import fold

if TYPE_CHECKING:
    from tui.dialogs.pick.many import PickChoice

_RECENT = "people"
_NOT_LOADED = "the members of this board are not loaded yet"


async def choose_assignees(cards: Cards) -> None:
    """Ask for the assignees of the chosen cards."""
    from tui.dialogs.pick.many import PickMany

    tasks, view = cards.need_tasks(), cards.view
    if not tasks or view is None:
        return
    people = offered(view.people, tasks, cards.me)
    if not people:
        cards.say(_NOT_LOADED, hint="{board.refresh:R} refreshes")
        return
    shared = shared_ids(task.assignees for task in tasks)
    picked = await cards.ask(
        PickMany(
            f"Assign people to {named(tasks)}",
            choices(people, view.people, tasks, cards.me),
            frozenset(map(str, shared)),
            recent=cards.context.preferences.recent(cards.board_id, _RECENT),
        )
    )
    if picked is None:
        return
    chosen = {person.id for person in people if str(person.id) in picked.chosen}
    added = [person for person in people if person.id in chosen - shared]
    if await set_assignees(cards, cards.as_now(tasks), added, shared - chosen):
        ids = [str(person.id) for person in added]
        cards.context.preferences.used(cards.board_id, _RECENT, ids)


async def set_assignees(
    cards: Cards, tasks: Sequence[Task], added: Sequence[Person], removed: Iterable[int]
) -> bool:
    """Assign and unassign people as one step; whether anything was changed."""
    gone = set(removed)
    operations = []
    for task in tasks:
        kept = [person for person in task.assignees if person.id not in gone]
        there = {person.id for person in kept}
        people = (*kept, *(person for person in added if person.id not in there))
        operations.append(change.SetAssignees.on(task, people))
    off = {one.id: one for task in tasks for one in task.assignees if one.id in gone}
    return await cards.change(operations, _message(tasks, added, off.values()))


def say_not_a_member(cards: Cards) -> None:
    """Say why the user cannot be assigned to cards of the board."""
    login = cards.store.me.login
    if not cards.people:
        cards.say(_NOT_LOADED, hint="{board.refresh:R} refreshes")
    elif login:
        cards.say(
            f"you ({login}) are not a member of this board", hint="{task.assign:a} assigns others"
        )
    else:
        cards.say("your account is not known yet", hint="{task.assign:a} assigns people")


def _message(tasks: Sequence[Task], added: Iterable[Person], removed: Iterable[Person]) -> str:
    names = ", ".join(person.in_words for person in added)
    gone = ", ".join(person.in_words for person in removed)
    parts = (f"assigned to {names}" if names else "", f"unassigned {gone}" if gone else "")
    return f"{', '.join(filter(None, parts))}: {named(tasks)}"


def offered(
    members: Iterable[Person], tasks: Iterable[Task], me: Person | None
) -> tuple[Person, ...]:
    """The members of a board and the assignees of the tasks: `me` first, then by name."""
    known = {person.id: person for task in tasks for person in task.assignees}
    known |= {person.id: person for person in members}
    mine = me.id if me is not None else None
    return tuple(
        sorted(known.values(), key=lambda one: (one.id != mine, fold(one.in_words), one.id))
    )


def choices(
    people: Iterable[Person], members: Iterable[Person], tasks: Sequence[Task], me: Person | None
) -> "list[PickChoice]":
    """Rows for people, with their login and the number of tasks they are assigned to."""
    from tui.dialogs.pick.many import PickChoice

    on_board = {person.id for person in members}
    lines = []
    for person in people:
        on = sum(any(one.id == person.id for one in task.assignees) for task in tasks)
        hints = (
            "me" if me is not None and me.id == person.id else "",
            person.login if person.login != person.in_words else "",
            f"on {on} of {len(tasks)}" if 0 < on < len(tasks) else "",
            "" if person.id in on_board else "not on this board any more",
        )
        lines.append(PickChoice(str(person.id), person.in_words, " · ".join(filter(None, hints))))
    return lines
