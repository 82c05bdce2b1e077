"""What changes do to a board, written from their words and not from the code that draws.

`carry_out` does to a plain board what a change says, which is read as data. Done one after the
other with all that wait, to what the program last read, they make what the person must see.
"""

from collections.abc import Callable, Iterable
from typing import Any

from tests.store.machine.plain import Plain, card_of, field_of, label_of, moment_of, stage_of
from tui.model.blocked_by import Blocker
from tui.model.task import Label

_PRIORITIES = ("high", "medium", "low")


def _cards(board: Plain) -> list[Plain]:
    return [card for lane in board["cards"].values() for card in lane]


def _find(row: Iterable[Plain], some_id: int | None) -> Plain | None:
    return next((one for one in row if one["id"] == some_id), None)


def _card_in(board: Plain, change: Any) -> Plain | None:
    return _find(_cards(board), change.task_id)


def _put(row: list[Plain], thing: Plain, place: Any) -> None:
    """Below what is to be above it, else above what is to be below; at the top if nothing is."""
    ids = [one["id"] for one in row]
    if place.above in ids:
        row.insert(ids.index(place.above) + 1, thing)
    elif place.below in ids:
        row.insert(ids.index(place.below), thing)
    else:
        row.insert(0 if place.above is None else len(row), thing)


def _move_thing(row: list[Plain], some_id: int, place: Any) -> None:
    thing = _find(row, some_id)
    if thing is not None:
        row.remove(thing)
        _put(row, thing, place)


def _leave(board: Plain, task_id: int) -> None:
    for lane in board["cards"].values():
        lane[:] = [card for card in lane if card["id"] != task_id]


def _enter(board: Plain, card: Plain, stage_id: int) -> list[Plain] | None:
    """Take a card to a stage, which may close it; returns the lane, None if there is no stage."""
    stage = _find(board["stages"], stage_id)
    if stage is None:
        return None
    _leave(board, card["id"])
    if stage["status"] == "closed" and card["stage_id"] != stage_id:
        card["status"] = "closed"
    card["stage_id"] = stage_id
    lane: list[Plain] = board["cards"][stage_id]
    return lane


def _appear(board: Plain, card: Plain, stage_id: int, index: int | None = None) -> None:
    """A card that is not on the board comes to a stage, by default to its end."""
    if _find(_cards(board), card["id"]) is None:
        lane = _enter(board, card, stage_id)
        if lane is not None:
            lane.insert(len(lane) if index is None else index, card)


def _edit(board: Plain, change: Any) -> None:
    """Set a field; one that only an opened task shows is none of a card."""
    kind, field, value = change.target.kind, change.field, change.value
    if kind == "board":
        board |= {"title": value[0]} if field == "title" else {"archived": bool(value[0])}
    for thing in _edited(board, kind, change.target.id):
        if kind == "task" and not isinstance(field, str):
            _edit_of_card(board, thing, change)
        elif kind == "task" and field == "assignees":
            _set_assignees(thing, change)
        elif kind == "label":
            # A card may still have it as it was called when its tasks were read.
            of_board = _find(board["labels"], change.target.id) or {}
            thing.update({**of_board, **_given(title=value[0], color=value[1])})
        elif kind == "field":
            options = None if value[2] is None else value[2].splitlines()
            thing.update(_given(title=value[0], type=value[1], options=options))
        elif field in thing:
            thing[field] = _READ.get(field, str)(value[0])


def _edited(board: Plain, kind: str, some_id: int) -> list[Plain]:
    """Wherever the board shows what is edited: a label is on its cards too."""
    labels = [board["labels"], *(card["labels"] for card in _cards(board))]
    rows = {
        "task": [_cards(board)],
        "stage": [board["stages"]],
        "label": labels,
        "field": [board["fields"]],
    }
    found = (_find(row, some_id) for row in rows.get(kind, ()))
    return [thing for thing in found if thing is not None]


def _edit_of_card(board: Plain, card: Plain, change: Any) -> None:
    """Put a label on a card, or take it off; values of custom fields are not compared."""
    label = change.field
    if isinstance(label, Blocker):
        remaining = [one for one in card["blockers"] if one != label.id]
        is_there = len(remaining) < len(card["blockers"])
        if change.value[0] != "true":
            card["blockers"] = remaining
        elif not is_there:
            card["blockers"].append(label.id)
    if not isinstance(label, Label):
        return
    others = [one for one in card["labels"] if one["id"] != label.id]
    if change.value[0] != "true":
        card["labels"] = others
    elif len(others) == len(card["labels"]):
        card["labels"].append(dict(_find(board["labels"], label.id) or label_of(label)))


def _ids_of_people(value: str | None) -> list[int]:
    return [int(row.partition("\t")[0]) for row in (value or "").split("\n") if row]


_READ: dict[str, Callable[[str], object]] = {
    "due_at": moment_of,
    "started_at": moment_of,
    "template": lambda value: value == "true",
    "assignees": lambda ids: sorted(map(int, ids.split(","))) if ids else [],
}
"""What a value of an edit means, where it is not just a text."""


def _given(**values: Any) -> Plain:
    return {name: value for name, value in values.items() if value is not None}


def _move_task(board: Plain, change: Any) -> None:
    card = _card_in(board, change)
    lane = None if card is None else _enter(board, card, change.stage_id)
    if card is not None and lane is not None:
        _put(lane, card, change.place)


def _create_task(board: Plain, change: Any) -> None:
    new = {"id": change.task_id, "board_id": change.board_id, "stage_id": change.stage_id}
    new |= {"title": change.title, "priority": change.priority, "status": "open"}
    _appear(board, card_of({**new, "labels": (), "assignees": ()}), change.stage_id)


def _clone_task(board: Plain, change: Any) -> None:
    """Below its source, or at the end of another stage; open, unless the stage closes it."""
    parts, card = change.parts, card_of(change.source)
    card |= {"id": change.task_id, "title": change.title, "stage_id": None, "status": "open"}
    card |= {"created_at": None, "subtasks_done": 0, "attachments_count": 0}
    lacking = {
        "labels": [] if not parts.labels else card["labels"],
        "assignees": [] if not parts.people else card["assignees"],
        "comments_count": card["comments_count"] if parts.comments else 0,
        "subtasks_total": card["subtasks_total"] if parts.subtasks else 0,
    }
    row = [one["id"] for one in board["cards"].get(change.stage_id, ())]
    source = change.source.id
    _appear(
        board, card | lacking, change.stage_id, row.index(source) + 1 if source in row else None
    )


def _restore_task(board: Plain, change: Any) -> None:
    _appear(board, card_of(change.task), change.task.stage_id, 0)


def _to_task(board: Plain, change: Any) -> None:
    card = card_of(change.task) | {"parent_id": None, "stage_id": None}
    _appear(board, card, change.stage_id)


def _drop_label(board: Plain, label_id: int) -> None:
    for row in (board["labels"], *(card["labels"] for card in _cards(board))):
        row[:] = [one for one in row if one["id"] != label_id]


def _drop_stage(board: Plain, stage_id: int) -> None:
    board["stages"] = [one for one in board["stages"] if one["id"] != stage_id]
    board["cards"].pop(stage_id, None)


def _add_new(row: list[Plain], new: Plain) -> bool:
    if _find(row, new["id"]) is not None:
        return False
    row.append(new)
    return True


def _create_stage(board: Plain, change: Any) -> None:
    settings = {"default_task_status": change.status}
    new = stage_of({"id": change.stage_id, "title": change.title, "settings": settings})
    if _add_new(board["stages"], new):
        board["cards"][change.stage_id] = []


def _restore_stage(board: Plain, change: Any) -> None:
    there = [card["id"] for card in _cards(board)]
    if _add_new(board["stages"], stage_of(change.stage)):
        back = [card_of(one) for one in change.tasks if one.id not in there]
        board["cards"][change.stage.id] = back


def _sort_stage(board: Plain, change: Any) -> None:
    """What lacks what it is sorted by comes last; equal ones keep their order."""
    lane, by = board["cards"].get(change.stage_id, []), str(change.by)
    if by == "position":
        lane[:] = reversed(lane) if change.descending else lane
        return
    keys: dict[str, Callable[[Plain], Any]] = {
        "title": lambda card: card["title"].casefold(),
        "priority": lambda card: _PRIORITIES.index(card["priority"]),
    }
    keys |= dict.fromkeys(("created_at", "due_at"), lambda card: card[by])
    key = keys[by]
    having = [card for card in lane if key(card) is not None]
    lacking = [card for card in lane if key(card) is None]
    lane[:] = sorted(having, key=key, reverse=change.descending) + lacking


def _order_tasks(board: Plain, stage_id: int, order: list[int]) -> None:
    """The named ones change places among themselves; the others stay where they are."""
    lane = board["cards"].get(stage_id, [])
    spots = [spot for spot, card in enumerate(lane) if card["id"] in order]
    named = sorted((lane[spot] for spot in spots), key=lambda card: order.index(card["id"]))
    for spot, card in zip(spots, named, strict=True):
        lane[spot] = card


def _restore_tasks(board: Plain, change: Any) -> None:
    there = [card["id"] for card in _cards(board)]
    lane = board["cards"].get(change.stage_id, [])
    lane[:0] = [card_of(one) for one in change.tasks if one.id not in there]
    _order_tasks(board, change.stage_id, [one.id for one in change.tasks])


def _set_assignees(card: Plain, change: Any) -> None:
    """Those are added and removed who were by this change; whom others did so stay so."""
    wanted = _ids_of_people(change.value[0])
    base = card["assignees"] if change.base is None else _ids_of_people(change.base[0])
    kept = [one for one in card["assignees"] if one in wanted or one not in base]
    card["assignees"] = kept + [one for one in wanted if one not in (*kept, *base)]


def _set_role(board: Plain, change: Any) -> None:
    """Who is removed from the board is so from its cards."""
    if change.role:
        board["people"][change.person.id] = change.role
        return
    board["people"].pop(change.person.id, None)
    for card in _cards(board):
        card["assignees"] = [one for one in card["assignees"] if one != change.person.id]


def _create_field(board: Plain, change: Any) -> None:
    settings = {"custom_field_type": change.type, "options": change.options}
    new = {"id": change.field_id, "title": change.title, "settings": settings}
    _add_new(board["fields"], field_of(new))


def _comment(board: Plain, change: Any) -> None:
    card = _card_in(board, change)
    if card is not None:
        count = change.counted or card["comments_count"] + 1
        card["comments_count"] = max(card["comments_count"], count)


def _delete_comment(board: Plain, change: Any) -> None:
    card = _find(_cards(board), change.comment.task_id)
    if card is not None:
        fewer = max(0, card["comments_count"] - 1 - len(change.comment.replies))
        fewer = fewer if change.left is None else change.left
        card["comments_count"] = min(card["comments_count"], fewer)


_CHANGES: dict[str, Callable[[Plain, Any], object]] = {
    "ArchiveStage": lambda board, change: _drop_stage(board, change.stage.id),
    "ArchiveTask": lambda board, change: _leave(board, change.task.id),
    "ArchiveTasks": lambda board, change: board["cards"].get(change.stage_id, []).clear(),
    "CloneTask": _clone_task,
    "ConvertToSubtask": lambda board, change: _leave(board, change.task.id),
    "ConvertToTask": _to_task,
    "CreateComment": _comment,
    "CreateField": _create_field,
    "CreateLabel": lambda board, change: _add_new(
        board["labels"], {"id": change.label_id, "title": change.title, "color": change.color}
    ),
    "CreateStage": _create_stage,
    "CreateTask": _create_task,
    "DeleteComment": _delete_comment,
    "DeleteField": lambda board, change: board.update(
        fields=[one for one in board["fields"] if one["id"] != change.field.id]
    ),
    "DeleteLabel": lambda board, change: _drop_label(board, change.label.id),
    "DeleteTask": lambda board, change: _leave(board, change.task.id),
    "Edit": _edit,
    "MoveField": lambda board, change: _move_thing(board["fields"], change.field_id, change.place),
    "MoveStage": lambda board, change: _move_thing(board["stages"], change.stage_id, change.place),
    "MoveTask": _move_task,
    "OrderTasks": lambda board, change: _order_tasks(board, change.stage_id, list(change.order)),
    "RestoreStage": _restore_stage,
    "RestoreTask": _restore_task,
    "RestoreTasks": _restore_tasks,
    "SetRole": _set_role,
    "SortStage": _sort_stage,
}
_SHOWN_ELSEWHERE = frozenset(
    {
        "ArrangeStages",
        "CloneSubtask",
        "CreateBoard",
        "CreateGroup",
        "CreateSubtask",
        "DeleteBoard",
        "DeleteGroup",
        "DeleteSubtask",
        "DuplicateBoard",
        "EditComment",
        "MoveSubtask",
        "MoveSubtasks",
        "UploadImage",
    }
)
"""What changes no board: what is in opened tasks, and in the list of boards."""


def carry_out(board: Plain, change: Any) -> None:
    """Do to a board what a change says; nothing where what it is about is not there."""
    name = type(change).__name__
    if name not in _SHOWN_ELSEWHERE:
        _CHANGES[name](board, change)


def hide_made(board: Plain, change: Any, newest_id: int) -> None:
    """Take away what a change made whose reply is outstanding: it is drawn as still waiting."""
    name = type(change).__name__
    rows = {"CreateStage": "stages", "CreateLabel": "labels", "CreateField": "fields"}
    if name in ("CreateTask", "CloneTask"):
        row = board["cards"].get(change.stage_id, [])
    elif name in rows:
        row = board[rows[name]]
    else:
        return
    made = [one["id"] for one in row if one["title"] == change.title and one["id"] > newest_id]
    if not made:
        return
    if name == "CreateLabel":
        _drop_label(board, min(made))
    elif name == "CreateStage":
        _drop_stage(board, min(made))
    else:
        row[:] = [one for one in row if one["id"] != min(made)]
