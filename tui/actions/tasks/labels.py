"""Setting the labels of tasks, creating, editing and deleting labels of the board, and blocking.

Adding and removing labels is one undo step with the labels created for it. Editing or deleting a
label affects the whole board and is a step of its own. A blocked task has a label, and a comment
with the reason.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC

from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named, shared_ids
from tui.model.colors import COLORS, color_name, free_color
from tui.model.comment_text import named_in
from tui.model.detail import Part
from tui.model.task import Label, Task
from tui.model.work.blocking import BLOCKED, as_comment, blocked_labels
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

_RECENT = "labels"


class SetLabels(Action[TaskContext]):
    """Asks for the labels of the selected tasks; reopens the dialog after a label was edited."""

    id, keys, label = "task.labels", "t", "Edit labels"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.pick.many import PickLabels

        created: tuple[str, ...] = ()
        at = ""
        tasks = on.need_tasks()
        chosen = shared = shared_ids(task.labels for task in tasks)
        while tasks and (view := on.view) is not None:
            picked = await on.ask(
                PickLabels(
                    f"Labels of {named(tasks)}",
                    view,
                    tasks,
                    chosen,
                    created=created,
                    at=at,
                    recent=_recent(on),
                )
            )
            if picked is None:
                return
            chosen, created, at = frozenset(map(int, picked.chosen)), picked.created, picked.at
            if not picked.verb:
                await _label(on, tasks, chosen - shared, shared - chosen, created)
                return
            await _change_label(on, on.called(int(at)), picked.verb)
            tasks = on.as_now(tasks)
            chosen, shared = _current_ids(on, chosen), _current_ids(on, shared)


async def _label(
    on: TaskContext,
    tasks: Sequence[Task],
    added: Iterable[int],
    removed: Iterable[int],
    created: Sequence[str],
) -> None:
    """Add and remove labels of tasks, as one step with the labels created for it."""
    view, tasks = on.view, on.as_now(tasks)
    if not tasks:
        return
    known = {label.id: label for label in view.labels} if view is not None else {}
    operations: list[Operation] = []
    put = [known[one] for one in _current_ids(on, added) if one in known]
    for title in created:
        color = free_color((*known.values(), *put))
        made = change.CreateLabel.new(on.board_id, title, color)
        operations.append(made)
        put.append(made.label)
    gone = _current_ids(on, removed)
    for task in tasks:
        there = {label.id for label in task.labels}
        operations += [change.AddLabel.on(task, one) for one in put if one.id not in there]
        operations += [change.RemoveLabel.on(task, one) for one in task.labels if one.id in gone]
    if not operations:
        on.say("no label was changed")
    elif await on.change(operations, _message(tasks, put, gone)):
        chosen = [str(one.id) for one in put]
        on.context.preferences.used(on.board_id, _RECENT, [*chosen, *_recent(on)])


async def _change_label(on: TaskContext, label_id: int, verb: str) -> None:
    """Edit or delete a label, by `verb`, if the board still has it."""
    label = on.view.label(label_id) if on.view is not None else None
    if label is None:
        on.say("that label was deleted: nothing was changed", error=True)
    elif verb == "edit":
        await _edit_label(on, label)
    else:
        await _delete_label(on, label)


async def _edit_label(on: TaskContext, label: Label) -> None:
    from tui.dialogs.pick.many import LabelEditor

    looks = await on.ask(LabelEditor(label))
    if looks is None:
        return
    operation = change.edit_label(on.board_id, label, title=looks.title, color=looks.color)
    if not operation.changes_nothing:
        await on.submit([operation], f"changed label {_name(label)} on the whole board")


async def _delete_label(on: TaskContext, label: Label) -> None:
    from tui.dialogs.confirm import ConfirmDialog

    view = on.view
    if view is None:
        return
    operation = change.DeleteLabel.on(view, label)
    count = len(operation.tasks)
    loses = f"{count} card{' loses' if count == 1 else 's lose'} it." if count else ""
    asked = ConfirmDialog(
        f"Delete label {_name(label)} from this board?",
        f"{loses or 'No card on the board has it.'} Archived cards lose it too.",
    )
    if await on.ask(asked):
        await on.submit([operation], f"deleted label {_name(label)}")


def _recent(on: TaskContext) -> list[str]:
    """The current ids of recently used labels."""
    kept = on.context.preferences.recent(on.board_id, _RECENT)
    return [str(on.called(int(one))) for one in kept if one.removeprefix("-").isdecimal()]


def _current_ids(on: TaskContext, label_ids: Iterable[int]) -> frozenset[int]:
    """The current ids of labels, which may have been local before they were sent."""
    return frozenset(map(on.called, label_ids))


def _name(label: Label) -> str:
    """The name of a label for messages: its title, or its colour if it has none."""
    return quoted(label.title) if label.title else color_name(label.color) or label.color


def _message(tasks: Sequence[Task], put: Sequence[Label], gone: Iterable[int]) -> str:
    names = ", ".join(_name(label) for label in put)
    count = len(frozenset(gone))
    off = f"{counted(count, 'label')} removed" if count else ""
    return f"{' · '.join(filter(None, (names, off)))}: {named(tasks)}"


class Block(Action[TaskContext]):
    """Asks for a reason and blocks the selected tasks; unblocks them if all are blocked."""

    id, keys, label = "task.block", "b", "Block with a reason, or unblock"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        free = [task for task in tasks if not blocked_labels(task.labels)]
        if free:
            await _block(on, free)
        elif tasks:
            labels = ((task, label) for task in tasks for label in blocked_labels(task.labels))
            removed = [change.RemoveLabel.on(task, label) for task, label in labels]
            await on.change(removed, f"unblocked {named(tasks)}")


async def _block(on: TaskContext, tasks: Sequence[Task]) -> None:
    """Ask for a reason, then add the label and the comment as one step."""
    from tui.dialogs.ask import AskDialog

    no_comments = on.why_lacking(tasks[:1], Part.COMMENTS)
    hint = "why, or nothing for the label alone"
    asked = AskDialog(f"What blocks {named(tasks)}?", placeholder=hint)
    reason = "" if no_comments else await on.ask(asked)
    if reason is None:
        return
    reason, tasks, view = " ".join(reason.split()), on.as_now(tasks), on.view
    if view is None or not tasks:
        return
    operations: list[Operation] = []
    label = next(iter(blocked_labels(view.labels)), None)
    if label is None:
        created = change.CreateLabel.new(on.board_id, BLOCKED, COLORS["red"])
        operations, label = [created], created.label
    for task in tasks:
        operations.append(change.AddLabel.on(task, label))
        if reason:
            operations.append(_comment(on, task, as_comment(reason)))
    why = reason or no_comments
    await on.change(operations, f"blocked {named(tasks)}{f': {why}' if why else ''}")


def _comment(on: TaskContext, task: Task, text: str) -> Operation:
    at, mentions = on.now().astimezone(UTC), named_in(text, on.people)
    return change.CreateComment.new(task, text, author=on.me, at=at, mentions=mentions)
