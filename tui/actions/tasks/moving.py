"""Moving tasks to a stage found by name, to another board or into another task, and copying them.

Several tasks keep their order, and a move to the same position sends nothing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.actions.tasks import by_title
from tui.actions.tasks.cards import Cards, named
from tui.actions.tasks.loading import complete_board
from tui.client.capabilities import Feature
from tui.model.board import BoardView, Stage
from tui.model.detail import DetailPart, SubtaskGroup
from tui.model.moving import lift
from tui.model.task import Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.text.plain_names import DEFAULT_GROUP, group_in_words

if TYPE_CHECKING:
    from tui.dialogs.form import FormField

_PARTS = ("people", "labels", "subtasks", "comments")
_RECENT = "destinations"
_NO_OTHER_BOARDS = "this service’s edition cannot move cards to other boards"


async def move(cards: Cards) -> None:
    """Ask for a stage or a board, and move the chosen cards there."""
    from tui.dialogs.pick.places import MoveToDialog

    tasks, view = cards.need_tasks_anywhere(), cards.view
    if not tasks or view is None or not are_on_board(cards, tasks, "moved"):
        return
    views = [own for own, _ in cards.by_board(tasks)]
    if len(views) > 1:
        view = by_title.with_shared_stages(views)
    goes_elsewhere = cards.store.offers(Feature.BOARD_MOVES) is not False
    of_cards = {own.board.id for own in views}
    boards = [
        board
        for board in cards.store.boards()
        if goes_elsewhere and board.archived_at is None and board.id not in of_cards
    ]
    if not view.stages and not boards:
        cards.say("the boards of the marked cards share no stage", hint="mark cards of one board")
        return
    current_stages = {task.stage_id for task in tasks if task.stage_id is not None}
    destination = await cards.ask(
        MoveToDialog(
            f"Move {named(tasks)} to …",
            view,
            current_stages=current_stages,
            boards=boards,
            note="" if goes_elsewhere else _NO_OTHER_BOARDS,
            recent=cards.context.preferences.recent(cards.board_id, _RECENT),
        )
    )
    if destination is None:
        return
    is_moved = False
    if destination.board_id is not None:
        is_moved = await _move_to_board(cards, tasks, destination.board_id)
    elif (stage := view.stage(destination.stage_id or 0)) is not None and len(views) > 1:
        is_moved = await _move_by_title(cards, tasks, stage, is_top=destination.is_top)
    elif destination.stage_id is not None:
        is_moved = await _move_within(cards, tasks, destination.stage_id, is_top=destination.is_top)
    if is_moved:
        cards.context.preferences.used(cards.board_id, _RECENT, [destination.key])


async def _move_within(cards: Cards, tasks: Sequence[Task], stage_id: int, *, is_top: bool) -> bool:
    view = cards.view
    if not is_top and view is not None and not view.complete:
        view = await complete_board(cards.host, cards.board_id)  # says why there is none
        if view is None:
            return False
    # The service may have assigned ids while the dialog was open or the board was loading.
    stage_id, tasks = cards.called(stage_id), cards.as_now(tasks)
    if not tasks:
        return False
    stage = view.stage(stage_id) if view is not None else None
    if view is None or stage is None:
        cards.say("that stage was deleted: nothing was moved", error=True)
        return False
    moves = moves_to_end(view, tasks, stage_id, is_top=is_top)
    end = "top" if is_top else "bottom"
    if not moves:
        cards.say(f"already at the {end} of {quoted(stage.title)}: {named(tasks)}")
        return False
    return await cards.change(moves, f"moved {named(tasks)} to the {end} of {quoted(stage.title)}")


async def _move_by_title(
    cards: Cards, tasks: Sequence[Task], chosen: Stage, *, is_top: bool
) -> bool:
    """Move cards to an end of the stage of the same title on the board of each."""
    if not is_top:
        for view, _ in cards.by_board(tasks):
            # It says why there is none.
            if await complete_board(cards.host, view.board.id) is None:
                return False
    tasks, key = cards.as_now(tasks), by_title.key_of(chosen)
    moves: list[Operation] = []
    for view, own in cards.by_board(tasks):
        stage = next(
            (candidate for candidate in view.stages if by_title.key_of(candidate) == key), None
        )
        if stage is None:
            where = quoted(view.board.title)
            cards.say(f"{where} has no such stage anymore: nothing was moved", error=True)
            return False
        moves += moves_to_end(view, own, stage.id, is_top=is_top)
    end = f"the {'top' if is_top else 'bottom'} of {quoted(chosen.title)}"
    if not moves and tasks:
        cards.say(f"already at {end}: {named(tasks)}")
    return bool(moves) and await cards.change(moves, f"moved {named(tasks)} to {end}")


async def _move_to_board(cards: Cards, tasks: Sequence[Task], board_id: int) -> bool:
    board_id = cards.called(board_id)
    target = cards.store.board(board_id)
    board = next(
        (candidate for candidate in cards.store.boards() if candidate.id == board_id), None
    )
    if board is None:
        cards.say("that board was deleted: nothing was moved", error=True)
        return False
    if target is None or not target.stages:
        cards.say(
            f"the stages of {quoted(board.title)} are not loaded yet",
            hint="open it once, then {task.move-to:m} to move there",
        )
        return False
    stage_id = await _target_stage(cards, target, tasks)
    tasks = cards.as_now(tasks) if stage_id is not None else ()
    if stage_id is None or not tasks:
        return False
    stage = target.stage(stage_id)
    closes = stage is not None and stage.default_status is Status.CLOSED
    moves = [
        change.MoveTaskToBoard(task, board_id, stage_id, board.title, closes=closes)
        for task in tasks
    ]
    # Labels belong to a board: the editions drop them in the move.
    lost = ", without labels" if any(task.labels for task in tasks) else ""
    return await cards.change(moves, f"moved {named(tasks)} to {quoted(board.title)}{lost}")


async def _target_stage(cards: Cards, target: BoardView, tasks: Sequence[Task]) -> int | None:
    from tui.dialogs.pick.places import MoveToDialog

    if len(target.stages) == 1:
        return target.stages[0].id
    title = f"Move {named(tasks)} to {quoted(target.board.title)}, stage …"
    destination = await cards.ask(MoveToDialog(title, target, both_ends=False))
    return None if destination is None else destination.stage_id


def are_on_board(cards: Cards, tasks: Sequence[Task], done: str) -> bool:
    """Whether all tasks are cards on the board; if not, say why they cannot be `done` (“moved”)."""
    if any(task.parent_id is not None for task in tasks):
        cards.say(
            f"subtasks are {done} in the list of subtasks",
            hint="{subtask.lift:space} to lift, {subtask.clone:C} to duplicate",
        )
    elif any(task.archived_at is not None for task in tasks):
        cards.say(f"archived cards cannot be {done}", hint="{task.archive:A} to restore it")
    else:
        return True
    return False


def moves_to_end(
    view: BoardView, tasks: Sequence[Task], stage_id: int, *, is_top: bool
) -> list[Operation]:
    """Operations that move tasks, in board order, to an end of a stage; none if already there."""
    stage = view.stage(stage_id)
    lifted = lift.lift(view, [task.id for task in tasks], tasks[0].id) if tasks else None
    if stage is None or lifted is None:
        return []
    row = 0 if is_top else len(view.in_stage(stage_id))
    lifted = lift.to_stage(lifted, view, view.stages.index(stage), row)
    if lift.is_at_home(lifted, view, view.in_stage(stage_id)):
        return []
    return [
        change.MoveTask.on(task, stage_id, place, stage_title=stage.title)
        for task, place in lift.places(lifted, view)
    ]


async def clone(cards: Cards) -> None:
    """Ask for the parts to copy and the stage, and clone the chosen cards."""
    from tui.dialogs.form import FormDialog

    tasks, view = cards.need_tasks(), cards.view
    if not tasks or view is None or not are_on_board(cards, tasks, "copied"):
        return
    fields = _clone_fields(tasks, view.stages, cards.why_lacking(tasks, DetailPart.SUBTASKS))
    answers = await cards.ask(FormDialog(f"Duplicate {named(tasks)}", fields, verb="duplicate"))
    tasks = cards.as_now(tasks) if answers is not None else ()
    if answers is None or not tasks:
        return
    # The dialog offered the stages of this view, whose ids may have been replaced since.
    stage = view.stage(int(answers["stage"])) if answers["stage"] else None
    stage_id = None if stage is None else cards.called(stage.id)
    parts = change.CloneParts(**{part: bool(answers[part]) for part in _PARTS})
    copies = [
        change.CloneTask.of(task, stage_id=stage_id, title=answers["title"], parts=parts)
        for task in tasks
    ]
    where = "" if stage is None else f" to {quoted(stage.title)}"
    await cards.change(copies, f"duplicated {named(tasks)}{where}")


def _clone_fields(
    tasks: Sequence[Task], stages: Sequence[Stage], no_subtasks: str
) -> "list[FormField]":
    # Each option names what would be copied, or why the service cannot copy it.
    from tui.dialogs.form import Choice, FormField

    homes = {task.stage_id for task in tasks}
    places = [Choice(str(stage.id), stage.title or "(no title)") for stage in stages]
    if len(homes) > 1 or not stages:
        places.insert(0, Choice("", "same stage as the original"))
    home = str(tasks[0].stage_id) if len(homes) == 1 else ""
    people = dict.fromkeys(person.in_words for task in tasks for person in task.assignees)
    labels = dict.fromkeys(label.title or label.color for task in tasks for label in task.labels)
    title, why = (tasks[0].title, "") if len(tasks) == 1 else ("", "same title as the original")
    fields = [
        FormField("title", "Title", title, why_not=why),
        FormField("stage", "To stage", home, places),
    ]
    for part, content, why in (
        ("people", ", ".join(people), ""),
        ("labels", ", ".join(labels), ""),
        ("subtasks", sum(task.subtasks_total for task in tasks), no_subtasks),
        ("comments", sum(task.comments_count for task in tasks), ""),
    ):
        is_copied = part != "comments" and not why
        options = [
            Choice("yes", f"yes: {content}" if content else "none"),
            Choice("", "no"),
        ]
        value = "yes" if is_copied else ""
        fields.append(FormField(part, f"With {part}", value, options, why_not=why))
    return fields


async def convert_to_subtasks(cards: Cards) -> None:
    """Ask for a parent and a group, and convert the chosen cards to subtasks."""
    from tui.dialogs.pick.places import PickParent, PlaceChoice

    tasks, view = cards.need_tasks(), cards.view
    if not tasks or view is None:
        return
    if why := next(filter(None, (_why_not_convertible(cards, task) for task in tasks)), ""):
        cards.say(why)
        return
    chosen = {task.id for task in tasks}
    places = [
        PlaceChoice(task.id, task.title, stage.title)
        for stage in view.stages
        for task in view.in_stage(stage.id)
        if task.id not in chosen
    ]
    picked = await cards.ask(PickParent(f"Convert {named(tasks)} to a subtask of …", places))
    parent = None if picked is None or cards.view is None else cards.view.task(picked.key)
    if parent is None:
        return
    choice = await pick_group(cards, parent, f"Group of {quoted(parent.title)}")
    if choice is None:
        return
    group, steps = choice
    steps += [change.ConvertToSubtask.on(task, parent, group.id or None) for task in tasks]
    verb = "is now a subtask" if len(tasks) == 1 else "are now subtasks"
    await cards.change(steps, f"{named(tasks)} {verb} of {quoted(parent.title)}")


async def pick_group(
    cards: Cards, parent: Task, title: str
) -> tuple[SubtaskGroup, list[Operation]] | None:
    """Ask for a subtask group of a task; returns it, and the operation that creates a new one.

    It has the id 0 if the service chooses: without groups, or if they are not loaded.
    """
    if cards.store.offers(Feature.SUBTASK_GROUPS) is False:
        return SubtaskGroup(0, ""), []
    from tui.dialogs.pick.places import PickParent, PlaceChoice

    detail = cards.store.detail(parent.id)
    groups = () if detail is None else detail.groups or ()
    places = [
        PlaceChoice(group.id, group.in_words, f"{group.done}/{len(group.subtasks)}")
        for group in groups
    ] or [PlaceChoice(0, group_in_words(DEFAULT_GROUP))]
    picked = await cards.ask(PickParent(title, places, create="a new group"))
    if picked is None:
        return None
    is_loaded = detail is not None and detail.groups is not None
    # A task that is known to have no group gets its first one, titled as the service would.
    created = picked.created or (DEFAULT_GROUP if is_loaded and not groups else "")
    if created:
        creation = change.CreateGroup.new(parent, created)
        return SubtaskGroup(creation.group_id, created), [creation]
    return next((group for group in groups if group.id == picked.key), SubtaskGroup(0, "")), []


def _why_not_convertible(cards: Cards, task: Task) -> str:
    detail = cards.store.detail(task.id)
    has_subtasks = task.subtasks_total if detail is None else detail.progress[1]
    if task.parent_id is not None:
        return f"{quoted(task.title)} is already a subtask"
    if has_subtasks:
        return f"{quoted(task.title)} has subtasks, so it cannot become one"
    return ""
