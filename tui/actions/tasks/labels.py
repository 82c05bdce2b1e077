"""Setting the labels of tasks, creating, editing and deleting labels of the board, and blocking.

Adding and removing labels is one undo step with the labels created for it. Editing or deleting a
label affects the whole board and is a step of its own. A blocked task has a label, and a comment
with the reason.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC

from tui.actions.tasks.cards import Cards, named, shared_ids
from tui.model.colors import COLORS, color_name, free_color
from tui.model.comment_text import named_in
from tui.model.detail import Part
from tui.model.task import Label, Task
from tui.model.work.blocking import BLOCKED, as_comment, blocked_labels
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

_RECENT = "labels"


async def choose_labels(cards: Cards) -> None:
    """Ask for the labels of the chosen cards, again after a label was edited."""
    from tui.dialogs.pick.many import PickLabels

    created: tuple[str, ...] = ()
    at = ""
    tasks = cards.need_tasks()
    chosen = shared = shared_ids(task.labels for task in tasks)
    while tasks and (view := cards.view) is not None:
        picked = await cards.ask(
            PickLabels(
                f"Labels of {named(tasks)}",
                view,
                tasks,
                chosen,
                created=created,
                at=at,
                recent=_recent(cards),
            )
        )
        if picked is None:
            return
        chosen, created, at = frozenset(map(int, picked.chosen)), picked.created, picked.at
        if not picked.verb:
            await _label(cards, tasks, chosen - shared, shared - chosen, created)
            return
        await _change_label(cards, cards.called(int(at)), picked.verb)
        tasks = cards.as_now(tasks)
        chosen, shared = _current_ids(cards, chosen), _current_ids(cards, shared)


async def _label(
    cards: Cards,
    tasks: Sequence[Task],
    added: Iterable[int],
    removed: Iterable[int],
    created: Sequence[str],
) -> None:
    view, tasks = cards.view, cards.as_now(tasks)
    if not tasks:
        return
    known = {label.id: label for label in view.labels} if view is not None else {}
    operations: list[Operation] = []
    put = [known[one] for one in _current_ids(cards, added) if one in known]
    for title in created:
        color = free_color((*known.values(), *put))
        made = change.CreateLabel.new(cards.board_id, title, color)
        operations.append(made)
        put.append(made.label)
    gone = _current_ids(cards, removed)
    for task in tasks:
        there = {label.id for label in task.labels}
        operations += [change.AddLabel.on(task, one) for one in put if one.id not in there]
        operations += [change.RemoveLabel.on(task, one) for one in task.labels if one.id in gone]
    if not operations:
        cards.say("no label was changed")
    elif await cards.change(operations, _message(tasks, put, gone)):
        chosen = [str(one.id) for one in put]
        cards.context.preferences.used(cards.board_id, _RECENT, [*chosen, *_recent(cards)])


async def _change_label(cards: Cards, label_id: int, verb: str) -> None:
    label = cards.view.label(label_id) if cards.view is not None else None
    if label is None:
        cards.say("that label was deleted: nothing was changed", error=True)
    elif verb == "edit":
        await _edit_label(cards, label)
    else:
        await _delete_label(cards, label)


async def _edit_label(cards: Cards, label: Label) -> None:
    from tui.dialogs.pick.many import LabelEditor

    looks = await cards.ask(LabelEditor(label))
    if looks is None:
        return
    operation = change.edit_label(cards.board_id, label, title=looks.title, color=looks.color)
    if not operation.changes_nothing:
        await cards.submit([operation], f"changed label {_name(label)} on the whole board")


async def _delete_label(cards: Cards, label: Label) -> None:
    from tui.dialogs.confirm import ConfirmDialog

    view = cards.view
    if view is None:
        return
    operation = change.DeleteLabel.on(view, label)
    count = len(operation.tasks)
    loses = f"{count} card{' loses' if count == 1 else 's lose'} it." if count else ""
    asked = ConfirmDialog(
        f"Delete label {_name(label)} from this board?",
        f"{loses or 'No card on the board has it.'} Archived cards lose it too.",
    )
    if await cards.ask(asked):
        await cards.submit([operation], f"deleted label {_name(label)}")


def _recent(cards: Cards) -> list[str]:
    kept = cards.context.preferences.recent(cards.board_id, _RECENT)
    return [str(cards.called(int(one))) for one in kept if one.removeprefix("-").isdecimal()]


def _current_ids(cards: Cards, label_ids: Iterable[int]) -> frozenset[int]:
    return frozenset(map(cards.called, label_ids))


def _name(label: Label) -> str:
    return quoted(label.title) if label.title else color_name(label.color) or label.color


def _message(tasks: Sequence[Task], put: Sequence[Label], gone: Iterable[int]) -> str:
    names = ", ".join(_name(label) for label in put)
    count = len(frozenset(gone))
    off = f"{counted(count, 'label')} removed" if count else ""
    return f"{' · '.join(filter(None, (names, off)))}: {named(tasks)}"


async def block_or_unblock(cards: Cards) -> None:
    """Ask for a reason and block the chosen cards; unblock them if all are blocked."""
    tasks = cards.need_tasks()
    free = [task for task in tasks if not blocked_labels(task.labels)]
    if free:
        await _block(cards, free)
    elif tasks:
        labels = ((task, label) for task in tasks for label in blocked_labels(task.labels))
        removed = [change.RemoveLabel.on(task, label) for task, label in labels]
        await cards.change(removed, f"unblocked {named(tasks)}")


async def _block(cards: Cards, tasks: Sequence[Task]) -> None:
    from tui.dialogs.ask import AskDialog

    no_comments = cards.why_lacking(tasks[:1], Part.COMMENTS)
    hint = "why, or nothing for the label alone"
    asked = AskDialog(f"What blocks {named(tasks)}?", placeholder=hint)
    reason = "" if no_comments else await cards.ask(asked)
    if reason is None:
        return
    reason, tasks, view = " ".join(reason.split()), cards.as_now(tasks), cards.view
    if view is None or not tasks:
        return
    operations: list[Operation] = []
    label = next(iter(blocked_labels(view.labels)), None)
    if label is None:
        created = change.CreateLabel.new(cards.board_id, BLOCKED, COLORS["red"])
        operations, label = [created], created.label
    for task in tasks:
        operations.append(change.AddLabel.on(task, label))
        if reason:
            operations.append(_comment(cards, task, as_comment(reason)))
    why = reason or no_comments
    await cards.change(operations, f"blocked {named(tasks)}{f': {why}' if why else ''}")


def _comment(cards: Cards, task: Task, text: str) -> Operation:
    at, mentions = cards.now().astimezone(UTC), named_in(text, cards.people)
    return change.CreateComment.new(task, text, author=cards.me, at=at, mentions=mentions)
