"""`callboard subtask`: adds subtasks to a card, and closes or reopens them."""

from collections.abc import Sequence

from tui.cli.scripts.chosen import chosen, title_given
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.reading import detail_of
from tui.cli.scripts.writing import Plan
from tui.errors import CallboardError
from tui.model.detail import Part, SubtaskGroup, TaskDetail
from tui.model.moving.subtasks import DEFAULT_GROUP
from tui.model.task import Status
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted


async def subtask(
    opened: Opened,
    card: str,
    subtasks: Sequence[str],
    *,
    closes: bool,
    reopens: bool,
    group: str,
    board: str,
) -> Plan:
    """Add subtasks of these titles to a group of a card, or close or reopen those that it has.

    Without the name of a group it is the first one. A card without any gets one.
    """
    view, task = await opened.card(card, board)
    detail = await detail_of(opened, view, task.id)
    if detail is None or detail.groups is None:
        why = detail.why.get(Part.SUBTASKS) if detail else None
        raise CallboardError(
            why or f"the subtasks of {quoted(task.title)} are not known here: nothing was changed.",
            hint="" if why else "They are read with a connection.",
        )
    if closes or reopens:
        status = Status.CLOSED if closes else Status.OPEN
        among = [each for own in detail.groups for each in own.subtasks]
        named = list(dict.fromkeys(chosen(words, among, "subtask") for words in subtasks))
        names = quoted(named[0].title) if len(named) == 1 else counted(len(named), "subtask")
        done = "closed" if closes else "reopened"
        changes = [change.set_status(each, status) for each in named]
        return Plan(changes, f"{done} {names} of", [task], [view])
    titles = [title_given(words) for words in subtasks]
    operations: list[Operation] = []
    into = _group(detail, group)
    if into is None:
        create = change.CreateGroup.new(task, group or DEFAULT_GROUP)
        operations.append(create)
        into = SubtaskGroup(create.group_id, create.title)
    operations += [change.CreateSubtask.new(task, into, title) for title in titles]
    return Plan(operations, f"added {counted(len(titles), 'subtask')} to", [task], [view])


def _group(detail: TaskDetail, words: str) -> SubtaskGroup | None:
    groups = detail.groups or ()
    return chosen(words, groups, "group") if words and groups else next(iter(groups), None)
