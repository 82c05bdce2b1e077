"""Labels and stages of several boards, chosen by their titles for marked cards of these boards."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.actions.tasks.cards import Cards, named
from tui.model.board import BoardView, Stage
from tui.model.colors import color_name
from tui.model.task import Label, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted
from tui.text.fuzzy import fold

if TYPE_CHECKING:
    from tui.dialogs.pick.many import PickChoice


async def choose_labels(cards: Cards, tasks: Sequence[Task]) -> None:
    """Ask for labels by title, and add and remove those that the board of each card has."""
    from tui.dialogs.pick.many import PickMany

    choices = _choices([view for view, _ in cards.by_board(tasks)], tasks)
    keys = [frozenset(map(key_of, task.labels)) - {""} for task in tasks]
    shared, some = frozenset.intersection(*keys), frozenset[str]().union(*keys)
    title = f"Labels of {named(tasks)}"
    dialog = PickMany(title, choices, shared, create="label", mixed=some - shared)
    picked = await cards.ask(dialog)
    tasks = cards.as_now(tasks) if picked is not None else ()
    if picked is None or not tasks:
        return
    names = {choice.value: quoted(choice.label) for choice in choices}
    added = [key for key in names if key in picked.chosen - shared]
    removed = [key for key in names if key in some - picked.chosen - picked.mixed]
    operations: list[Operation] = []
    reached: list[Task] = []
    lacking: dict[str, int] = {}
    for view, own in cards.by_board(tasks):
        labels = {key_of(label): label for label in reversed(view.labels)}
        creations = change.create_labels(view.board.id, picked.created, view.labels)
        joining = [creation.label for creation in creations]
        joining += [labels[key] for key in added if key in labels]
        for key in added:
            lacking[key] = lacking.get(key, 0) + (key not in labels)
        reached += own if joining or removed else ()
        operations += [*creations, *_labelling(own, joining, removed)]
    put = ", ".join((*(names[key] for key in added), *map(quoted, picked.created)))
    gone = f"{', '.join(names[key] for key in removed)} removed" if removed else ""
    parts = [f"{' · '.join(filter(None, (put, gone)))}: {named(reached or tasks)}"]
    parts += [
        f"{counted(count, 'board')} without label {names[key]}"
        for key, count in lacking.items()
        if count
    ]
    if operations:
        await cards.change(operations, ". ".join(parts))
    else:
        cards.say("no labels changed")


def _choices(views: Sequence[BoardView], tasks: Sequence[Task]) -> "list[PickChoice]":
    from tui.dialogs.pick.many import PickChoice

    labels: dict[str, Label] = {}
    boards: dict[str, int] = {}
    for view in views:
        own = {key_of(label): label for label in view.labels if key_of(label)}
        labels = {**own, **labels}
        for key in own:
            boards[key] = boards.get(key, 0) + 1
    labels = {**{key_of(label): label for task in tasks for label in task.labels}, **labels}
    choices = []
    for key, label in sorted(labels.items()):
        count = sum(any(key_of(own) == key for own in task.labels) for task in tasks)
        on_boards = boards.get(key, 0)
        hints = (
            color_name(label.color) or label.color,
            f"on {count} of {len(tasks)} cards" if 0 < count < len(tasks) else "",
            f"{on_boards} of {len(views)} boards" if on_boards < len(views) else "",
        )
        if key:
            hint = " · ".join(filter(None, hints))
            choices.append(PickChoice(key, label.title, hint, label.color))
    return choices


def _labelling(
    tasks: Iterable[Task], added: Sequence[Label], removed: Sequence[str]
) -> Iterable[Operation]:
    for task in tasks:
        had = {key_of(label) for label in task.labels}
        for label in added:
            if key_of(label) not in had:
                yield change.add_label(task, label)
        for label in task.labels:
            if key_of(label) in removed:
                yield change.remove_label(task, label)


def key_of(thing: Label | Stage) -> str:
    """What labels, or stages, of the same title have in common; empty without a title."""
    return fold(" ".join(thing.title.split()))


def with_shared_stages(views: Sequence[BoardView]) -> BoardView:
    """The first of several boards, with the stages whose title all have and the cards of all."""
    by_title = [{key_of(stage): stage for stage in reversed(view.stages)} for view in views]
    first, *others = by_title
    shared = [
        first[key]
        for key in dict.fromkeys(map(key_of, views[0].stages))
        if key and all(key in other for other in others)
    ]
    totals = {
        stage.id: sum(
            view.count(own[key_of(stage)].id) for view, own in zip(views, by_title, strict=True)
        )
        for stage in shared
    }
    # Not complete, as its numbers are those of all boards.
    return replace(views[0], stages=tuple(shared), tasks={}, totals=totals, complete=False)
