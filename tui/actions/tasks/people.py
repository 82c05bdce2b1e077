"""Assigning people to the selected tasks, and watching them.

For several tasks, the dialog shows the assignees that all have in common as selected; people
assigned to only some of the tasks stay assigned. An assignee who has left the board is listed too,
so that they can be unassigned.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named, shared_ids
from tui.client.capabilities import Feature, why_missing
from tui.model.task import Person, Task
from tui.store import operations as change
from tui.text.fuzzy import fold

if TYPE_CHECKING:
    from tui.dialogs.pick.many import PickChoice

_RECENT = "people"
_NOT_LOADED = "the members of this board are not loaded yet"


class Assign(Action[TaskContext]):
    """Asks for the assignees of the selected tasks."""

    id, keys, label = "task.assign", "a", "Assign people"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.pick.many import PickMany

        tasks, view = on.need_tasks(), on.view
        if not tasks or view is None:
            return
        people = offered(view.people, tasks, on.me)
        if not people:
            on.say(_NOT_LOADED, hint="{board.refresh:R} refreshes")
            return
        shared = shared_ids(task.assignees for task in tasks)
        picked = await on.ask(
            PickMany(
                f"Assign people to {named(tasks)}",
                choices(people, view.people, tasks, on.me),
                frozenset(map(str, shared)),
                recent=on.context.preferences.recent(on.board_id, _RECENT),
            )
        )
        if picked is None:
            return
        chosen = {person.id for person in people if str(person.id) in picked.chosen}
        added = [person for person in people if person.id in chosen - shared]
        if await _assign(on, on.as_now(tasks), added, shared - chosen):
            ids = [str(person.id) for person in added]
            on.context.preferences.used(on.board_id, _RECENT, ids)


class AssignMe(Action[TaskContext]):
    """Assigns the user to the selected tasks; unassigns them if they are assigned to all."""

    id, keys, label = "task.assign-me", "i", "Assign or unassign me"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        tasks, me = on.need_tasks(), on.me
        if not tasks:
            return
        if me is None:
            _say_not_a_member(on)
        elif me.id in shared_ids(task.assignees for task in tasks):
            await _assign(on, tasks, (), {me.id})
        else:
            await _assign(on, tasks, (me,), set())


class Watch(Action[TaskContext]):
    """Watches the selected tasks; stops watching if all are watched."""

    id, keys, label = "task.watch", "w", "Watch or stop watching"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        details = [on.store.detail(task.id) for task in tasks]
        if any(detail is not None and detail.watching is None for detail in details):
            on.say("whether you watch this is not loaded yet: nothing was changed")
            return
        is_watched = [detail is not None and bool(detail.watching) for detail in details]
        watches = not all(is_watched)
        is_theirs = any(on.store.me.among(task.assignees) for task in tasks)
        if not watches and is_theirs and on.store.offers(Feature.UNWATCHING_OWN) is False:
            on.say(why_missing(Feature.UNWATCHING_OWN))  # the service makes assignees watch
            return
        changed = [
            task for task, watched in zip(tasks, is_watched, strict=True) if watched is not watches
        ]
        if changed:
            operations = [change.Watch.of(task, on=watches) for task in changed]
            said = f"{'watching' if watches else 'stopped watching'} {named(changed)}"
            await on.change(operations, said)


async def _assign(
    on: TaskContext, tasks: Sequence[Task], added: Sequence[Person], removed: Iterable[int]
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
    return await on.change(operations, _message(tasks, added, off.values()))


def _say_not_a_member(on: TaskContext) -> None:
    login = on.store.me.login
    if not on.people:
        on.say(_NOT_LOADED, hint="{board.refresh:R} refreshes")
    elif login:
        on.say(
            f"you ({login}) are not a member of this board", hint="{task.assign:a} assigns others"
        )
    else:
        on.say("your account is not known yet", hint="{task.assign:a} assigns people")


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
