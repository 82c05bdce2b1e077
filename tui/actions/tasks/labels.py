"""Setting the labels of tasks; creating, editing and deleting labels of the board.

Adding and removing labels is one undo step with the labels created for it. Editing or deleting a
label affects the whole board and is a step of its own.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence

from tui.actions.host import Host
from tui.actions.tasks import by_title
from tui.actions.tasks.cards import Cards, mixed_ids, named, shared_ids
from tui.model.colors import COLORS, color_name, color_words, read_color
from tui.model.task import Label, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted, quoted

_RECENT = "labels"


async def choose_labels(cards: Cards) -> None:
    """Ask for the labels of the chosen cards, again after a label was edited."""
    from tui.dialogs.pick.many import PickLabels

    created: tuple[str, ...] = ()
    at = ""
    tasks = cards.need_tasks_anywhere()
    if len(cards.by_board(tasks)) > 1:
        await by_title.choose_labels(cards, tasks)
        return
    labels = [task.labels for task in tasks]
    chosen = shared = shared_ids(labels)
    mixed = partial = mixed_ids(labels)
    while tasks and (view := cards.view) is not None:
        picked = await cards.ask(
            PickLabels(
                f"Labels of {named(tasks)}",
                view,
                tasks,
                chosen,
                created=created,
                mixed=mixed,
                at=at,
                recent=_recent(cards),
            )
        )
        if picked is None:
            return
        chosen, created, at = frozenset(map(int, picked.chosen)), picked.created, picked.at
        mixed = frozenset(map(int, picked.mixed))
        if not picked.verb:
            removed = (shared | partial) - chosen - mixed
            await _set_labels(cards, tasks, chosen - shared, removed, created)
            return
        label = cards.view.label(cards.called(int(at))) if cards.view is not None else None
        if label is None:
            cards.say("that label was deleted: nothing was changed", error=True)
        elif picked.verb == "edit":
            await _edit_label(cards, label)
        else:
            await _delete_label(cards, label)
        tasks = cards.as_now(tasks)
        chosen, shared = _current_ids(cards, chosen), _current_ids(cards, shared)
        mixed, partial = _current_ids(cards, mixed), _current_ids(cards, partial)


async def _set_labels(
    cards: Cards,
    tasks: Sequence[Task],
    added_ids: Iterable[int],
    removed_ids: Iterable[int],
    titles: Sequence[str],
) -> None:
    view, tasks = cards.view, cards.as_now(tasks)
    if not tasks:
        return
    on_board = {label.id: label for label in view.labels} if view is not None else {}
    added = [
        on_board[label_id] for label_id in _current_ids(cards, added_ids) if label_id in on_board
    ]
    creations = change.create_labels(cards.board_id, titles, on_board.values())
    operations: list[Operation] = [*creations]
    added += [creation.label for creation in creations]
    removed = _current_ids(cards, removed_ids)
    for task in tasks:
        old = {label.id for label in task.labels}
        operations += [change.add_label(task, label) for label in added if label.id not in old]
        operations += [
            change.remove_label(task, label) for label in task.labels if label.id in removed
        ]
    names = ", ".join(_name(label) for label in added)
    count = f"{counted(len(removed), 'label')} removed" if removed else ""
    message = f"{' · '.join(filter(None, (names, count)))}: {named(tasks)}"
    if not operations:
        cards.say("no labels changed")
    elif await cards.change(operations, message):
        used = [*(str(label.id) for label in added), *_recent(cards)]
        cards.context.preferences.used(cards.board_id, _RECENT, used)


async def _edit_label(cards: Cards, label: Label) -> None:
    async def save(title: str, color: str) -> None:
        operation = change.edit_label(cards.board_id, label, title=title, color=color)
        if not operation.changes_nothing:
            await cards.keep([operation], f"changed label {_name(label)} on the whole board")

    await ask_look(cards.host, f"Label {_name(label)}", label, save)


async def ask_look(
    host: Host, question: str, label: Label, save: Callable[[str, str], Awaitable[None]]
) -> None:
    """Ask for the title and the colour of a label, and `save` them."""
    from tui.dialogs.form import Answers, Choice, FormDialog, FormField

    async def send(answers: Answers) -> None:
        title, typed = answers["title"], answers["other"]
        is_same = title == " ".join(label.title.split())
        color = read_color(typed) if typed else answers["color"]
        await save(label.title if is_same else title, color)

    color, colors = label.color.casefold(), [*COLORS.values()]
    if color not in colors:
        color = label.color
        colors.insert(0, color)
    choices = [Choice(hex_color, color_words(hex_color), color=hex_color) for hex_color in colors]
    fields = (
        FormField("title", "Title", label.title, placeholder="optional"),
        FormField("color", "Colour", color, choices),
        FormField("other", "or another", placeholder="such as #4bce97"),
    )
    await host.ask(FormDialog(question, fields, send=send))


async def _delete_label(cards: Cards, label: Label) -> None:
    from tui.dialogs.questions import ConfirmDialog

    if cards.view is None:
        return
    operation = change.DeleteLabel.on(cards.view, label)
    count = len(operation.tasks)
    loses = f"{count} card{'' if count == 1 else 's'} will lose it." if count else ""
    dialog = ConfirmDialog(
        f"Delete label {_name(label)} from this board?",
        f"{loses or 'No card on the board has it.'} Archived cards will lose it too.",
    )
    if await cards.ask(dialog):
        await cards.submit([operation], f"deleted label {_name(label)}")


def _recent(cards: Cards) -> list[str]:
    ids = cards.context.preferences.recent(cards.board_id, _RECENT)
    return [
        str(cards.called(int(label_id)))
        for label_id in ids
        if label_id.removeprefix("-").isdecimal()
    ]


def _current_ids(cards: Cards, label_ids: Iterable[int]) -> frozenset[int]:
    # Labels created offline have local ids until they are sent.
    return frozenset(map(cards.called, label_ids))


def _name(label: Label) -> str:
    return quoted(label.title) if label.title else color_name(label.color) or label.color
