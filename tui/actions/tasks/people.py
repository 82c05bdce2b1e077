"""Assigning people to the selected tasks, and watching them.

For several tasks, the dialog shows the assignees that all have in common as selected; people
assigned to only some of the tasks are mixed, and stay so unless they are toggled. An assignee who
has left the board is listed too, so that they can be unassigned. If the tasks are on several
boards, a person is assigned to those whose board has them.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tui.actions.tasks.cards import Cards, mixed_ids, named, shared_ids
from tui.context import Context
from tui.model.task import Person, Task
from tui.store import operations as change
from tui.text.clean import counted
from tui.text.fuzzy import fold
from tui.text.keyed import keyed

if TYPE_CHECKING:
    from tui.dialogs.pick.many import PickChoice

_RECENT = "people"
_NOT_LOADED = "the members of this board are not loaded yet"


async def choose_assignees(cards: Cards) -> None:
    """Ask for the assignees of the chosen cards."""
    from tui.dialogs.pick.many import PickMany

    tasks, view = cards.need_tasks_anywhere(), cards.view
    if not tasks or view is None:
        return
    people = offered(view.people, tasks, cards.me)
    if not people:
        cards.say(_NOT_LOADED, hint="{board.refresh:R} to refresh")
        return
    assignees = [task.assignees for task in tasks]
    shared, mixed = shared_ids(assignees), mixed_ids(assignees)
    picked = await cards.ask(
        PickMany(
            f"Assign people to {named(tasks)}",
            choices(people, [own.people for own, _ in cards.by_board(tasks)], tasks, cards.me),
            frozenset(map(str, shared)),
            mixed=frozenset(map(str, mixed)),
            enter_toggles=True,
            recent=cards.context.preferences.recent(cards.board_id, _RECENT),
            invite=how_to_invite(cards.context, is_among_members=False),
        )
    )
    if picked is None:
        return
    chosen = {person.id for person in people if str(person.id) in picked.chosen}
    added = [person for person in people if person.id in chosen - shared]
    removed = (shared | mixed) - chosen - {int(key) for key in picked.mixed}
    if await set_assignees(cards, cards.as_now(tasks), added, removed):
        ids = [str(person.id) for person in added]
        cards.context.preferences.used(cards.board_id, _RECENT, ids)


async def set_assignees(
    cards: Cards, tasks: Sequence[Task], added: Sequence[Person], removed: Iterable[int]
) -> bool:
    """Assign and unassign people as one step; whether anything was changed."""
    removed_ids = set(removed)
    operations = []
    reached: list[Task] = []
    left_out: dict[str, list[Task]] = {}
    groups = cards.by_board(tasks)
    for view, own in groups:
        member_ids = {person.id for person in view.people}
        joining = [person for person in added if len(groups) == 1 or person.id in member_ids]
        for person in added:
            if person not in joining:
                left_out.setdefault(person.in_words, []).extend(own)
        reached += own if joining or removed_ids else ()
        for task in own:
            staying = [person for person in task.assignees if person.id not in removed_ids]
            ids = {person.id for person in staying}
            people = (*staying, *(person for person in joining if person.id not in ids))
            operations.append(change.set_assignees(task, people))
    gone = {
        person.id: person for task in tasks for person in task.assignees if person.id in removed_ids
    }
    parts = (
        f"assigned to {', '.join(person.in_words for person in added)}" if added else "",
        f"unassigned {', '.join(person.in_words for person in gone.values())}" if gone else "",
    )
    message = f"{', '.join(filter(None, parts))}: {named(reached or tasks)}"
    for name, missed in left_out.items():
        boards = "boards" if len({task.board_id for task in missed}) > 1 else "board"
        cards_there = named(missed) if len(missed) == 1 else counted(len(missed), "card")
        message += f". {name} is not on the {boards} of {cards_there}"
    return await cards.change(operations, message)


def how_to_invite(context: Context, *, is_among_members: bool) -> str:
    """What to do so that there are more people to choose from.

    Members are added on their list; others need an account of the service first.
    """
    if context.is_embedded:
        return "To invite people, share this board: callboard serve"
    if is_among_members:
        return "To invite people, ask the host of the service for an account"
    return keyed("To invite people: {go.members:g t} members, then {member.add:n}")


def say_not_a_member(cards: Cards) -> None:
    """Say why the user cannot be assigned to cards of the board."""
    login = cards.store.me.login
    if not cards.people:
        cards.say(_NOT_LOADED, hint="{board.refresh:R} to refresh")
    elif login:
        cards.say(
            f"you ({login}) are not a member of this board", hint="{task.assign:a} to assign others"
        )
    else:
        cards.say("your account is not loaded yet", hint="{task.assign:a} to assign people")


def offered(
    members: Iterable[Person], tasks: Iterable[Task], me: Person | None
) -> tuple[Person, ...]:
    """The members of a board and the assignees of the tasks: `me` first, then by name."""
    people = {person.id: person for task in tasks for person in task.assignees}
    people |= {person.id: person for person in members}
    my_id = me.id if me is not None else None
    return tuple(
        sorted(
            people.values(),
            key=lambda person: (person.id != my_id, fold(person.in_words), person.id),
        )
    )


def choices(
    people: Iterable[Person],
    members: Sequence[Iterable[Person]],
    tasks: Sequence[Task],
    me: Person | None,
) -> "list[PickChoice]":
    """Rows for people, with their login and the number of tasks they are assigned to.

    `members` are those of each board of the tasks.
    """
    from tui.dialogs.pick.many import PickChoice

    boards = [{person.id for person in of_board} for of_board in members]
    rows = []
    for person in people:
        count = sum(any(assignee.id == person.id for assignee in task.assignees) for task in tasks)
        hints = (
            "me" if me is not None and me.id == person.id else "",
            person.login if person.login != person.in_words else "",
            f"on {count} of {len(tasks)}" if 0 < count < len(tasks) else "",
            _where(sum(person.id in on_board for on_board in boards), len(boards)),
        )
        rows.append(PickChoice(str(person.id), person.in_words, " · ".join(filter(None, hints))))
    return rows


def _where(boards: int, of_boards: int) -> str:
    if boards == of_boards:
        return ""
    if boards:
        return f"on {boards} of {of_boards} boards"
    return "no longer on this board" if of_boards == 1 else "no longer on these boards"
