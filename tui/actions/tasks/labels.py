"""The labels of tasks, and of their board.

What is toggled on the tasks is one step with the labels that are made for them; a label that is
changed or deleted is so on the whole board, and that is a step of its own.
"""

from collections.abc import Iterable, Sequence

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.colors import color_name, free_color, text_color
from tui.model.task import Label, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

_RECENT = "labels"


class SetLabels(Action[TaskContext]):
    """Asks for the labels of the chosen tasks, until they are taken or given up."""

    id, keys, label = "task.labels", "t", "Edit labels"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.pick.labels import PickLabels

        created: tuple[str, ...] = ()
        at = ""
        tasks = on.need_tasks()
        chosen = shared = _shared(tasks)
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
            tasks, chosen, shared = on.as_now(tasks), _ids_now(on, chosen), _ids_now(on, shared)


async def _label(
    on: TaskContext,
    tasks: Sequence[Task],
    added: Iterable[int],
    removed: Iterable[int],
    created: Sequence[str],
) -> None:
    """Put labels on tasks and take others off, as one step with the labels made for them."""
    view, tasks = on.view, on.as_now(tasks)
    if not tasks:
        return
    known = {label.id: label for label in view.labels} if view is not None else {}
    operations: list[Operation] = []
    put = [known[one] for one in _ids_now(on, added) if one in known]
    for title in created:
        color = free_color((*known.values(), *put))
        made = change.CreateLabel.new(on.board_id, title, color, text_color(color))
        operations.append(made)
        put.append(made.label)
    gone = _ids_now(on, removed)
    for task in tasks:
        there = {label.id for label in task.labels}
        operations += [change.AddLabel.on(task, one) for one in put if one.id not in there]
        operations += [change.RemoveLabel.on(task, one) for one in task.labels if one.id in gone]
    if not operations:
        on.say("no label was changed")
    elif await on.change(operations, _told(tasks, put, gone)):
        chosen = [str(one.id) for one in put]
        on.context.preferences.used(on.board_id, _RECENT, [*chosen, *_recent(on)])


async def _change_label(on: TaskContext, label_id: int, verb: str) -> None:
    """Edit or delete a label, if the board still has it."""
    label = on.view.label(label_id) if on.view is not None else None
    if label is None:
        on.say("that label was deleted: nothing was changed", error=True)
    elif verb == "edit":
        await _edit_label(on, label)
    else:
        await _delete_label(on, label)


async def _edit_label(on: TaskContext, label: Label) -> None:
    """Ask for another title and colour of a label."""
    from tui.dialogs.pick.labels import LabelEditor

    looks = await on.ask(LabelEditor(label))
    if looks is None:
        return
    operation = change.edit_label(
        on.board_id,
        label,
        title=looks.title,
        color=looks.color,
        text_color=text_color(looks.color),
    )
    if not operation.changes_nothing:
        await on.submit([operation], f"changed label {_called(label)} on the whole board")


async def _delete_label(on: TaskContext, label: Label) -> None:
    """Ask, then delete a label of the board."""
    from tui.dialogs.confirm import ConfirmDialog

    view = on.view
    if view is None:
        return
    operation = change.DeleteLabel.on(view, label)
    count = len(operation.tasks)
    loses = f"{count} card{' loses' if count == 1 else 's lose'} it." if count else ""
    asked = ConfirmDialog(
        f"Delete label {_called(label)} from this board?",
        f"{loses or 'No card on the board has it.'} Archived cards lose it too.",
    )
    if await on.ask(asked):
        await on.submit([operation], f"deleted label {_called(label)}")


def _recent(on: TaskContext) -> list[str]:
    """The labels chosen lately, by the ids they have now."""
    kept = on.context.preferences.recent(on.board_id, _RECENT)
    return [str(on.called(int(one))) for one in kept if one.removeprefix("-").isdecimal()]


def _ids_now(on: TaskContext, label_ids: Iterable[int]) -> frozenset[int]:
    """The ids that labels have now."""
    return frozenset(map(on.called, label_ids))


def _shared(tasks: Sequence[Task]) -> frozenset[int]:
    """The labels that all of the tasks have."""
    each = [frozenset(label.id for label in task.labels) for task in tasks]
    return frozenset.intersection(*each) if each else frozenset()


def _called(label: Label) -> str:
    """A label by its title, or by its colour where it has none."""
    return quoted(label.title) if label.title else color_name(label.color) or label.color


def _told(tasks: Sequence[Task], put: Sequence[Label], gone: Iterable[int]) -> str:
    """A message about the change."""
    names = ", ".join(_called(label) for label in put)
    count = len(frozenset(gone))
    off = f"{counted(count, 'label')} removed" if count else ""
    return f"{' · '.join(filter(None, (names, off)))}: {named(tasks)}"
