"""Whether what a person sees is what the service has."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.store.machine.ledger import Key
from tests.store.machine.player import Player
from tui.client.documents import Document
from tui.model.board import BoardView, Stage
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.store.documents.assemble import Assembler, field_values
from tui.store.documents.assemble_detail import DetailAssembler, comment_text
from tui.store.remote import Remote
from tui.text.clean import line

Picture = dict[Any, Any]


def check_same(what: str, seen: Picture, there: Picture) -> None:
    """What is seen is what is there; else both are told as far as they differ."""
    for name in seen.keys() | there.keys():
        ours, theirs = seen.get(name), there.get(name)
        if isinstance(ours, dict) and isinstance(theirs, dict):
            check_same(f"{what}, {name}", ours, theirs)
        assert ours == theirs, f"{what}, {name}: seen {ours}, but there is {theirs}"


async def boards_at(witness: Remote) -> Picture:
    """The list of boards as the service has it."""
    return {
        board["id"]: (line(board["title"]), bool(board.get("archived_at")))
        for board in await witness.boards()
    }


def boards_seen(player: Player) -> Picture:
    """The list of boards as a person sees it."""
    return {
        board.id: (board.title, board.archived_at is not None) for board in player.store.boards()
    }


async def board_at(witness: Remote, board_id: int) -> Picture:
    """A board as the service has it."""
    board = await witness.board(board_id)
    stages = [one for one in board["stages"] if not one.get("archived_at")]
    tasks = sorted(await witness.tasks(board_id), key=lambda task: (_position(task), task["id"]))
    made = [_card(task) for one in tasks if (task := Assembler().task(one)) is not None]
    frame = Assembler().empty_view(board)
    if frame is None:
        raise LookupError(board_id)
    return {
        "board": (frame.board.title, bool(frame.board.archived_at)),
        "stages": [_stage(one) for one in frame.stages],
        "tasks": {
            one["id"]: [card for card in made if card["stage_id"] == one["id"]]
            for one in sorted(stages, key=_position)
        },
        "labels": {one.id: (one.title, one.color) for one in frame.labels},
        "fields": _fields(frame),
        "members": _members(frame),
    }


def board_seen(view: BoardView) -> Picture:
    """A board as a person sees it."""
    return {
        "board": (view.board.title, bool(view.board.archived_at)),
        "stages": [_stage(one) for one in view.stages],
        "tasks": {one.id: [_card(task) for task in view.in_stage(one.id)] for one in view.stages},
        "labels": {one.id: (one.title, one.color) for one in view.labels},
        "fields": _fields(view),
        "members": _members(view),
    }


def _fields(view: BoardView) -> list[tuple[object, ...]]:
    return [(one.id, one.title, one.type, one.options) for one in view.fields]


def _stage(stage: Stage) -> Stage:
    return replace(stage, position=0.0)


def _members(view: BoardView) -> dict[int, str]:
    return {one.id: view.board.role_word(one.id) for one in view.people}


def _card(task: Task) -> Picture:
    return {
        "id": task.id,
        "stage_id": task.stage_id,
        "title": task.title,
        "status": task.status,
        "priority": task.priority,
        "description": task.description,
        "blockers": [one.id for one in task.blockers],
        "due_at": task.due_at,
        "started_at": task.started_at,
        "labels": sorted((one.id, one.title, one.color) for one in task.labels),
        "assignees": sorted(one.id for one in task.assignees),
    }


async def detail_at(witness: Remote, board_id: int, task_id: int) -> Picture:
    """What stands around a task at the service."""
    around = DetailAssembler(Assembler())
    groups = [
        around.group(one, one["subtasks"])
        for one in await witness.subtask_groups(board_id, task_id)
    ]
    document = await witness.task(board_id, task_id)
    task = Assembler().task(document)
    values = field_values(await witness.field_values(board_id, task_id))
    return {
        **({} if task is None else _traits(around.around(task, document))),
        "values": {one.field_id: one.value for one in values},
        "groups": {
            one.id: (one.title, [_subtask(task) for task in one.subtasks])
            for one in groups
            if one is not None
        },
        "comments": {
            one["id"]: _said(one) for one in await comments_at(witness, board_id, task_id)
        },
    }


async def comments_at(witness: Remote, board_id: int, task_id: int) -> list[Document]:
    """Every comment on a task, and every reply."""
    found: list[Document] = []
    number = 1
    while True:
        page = await witness.comments(board_id, task_id, number)
        found += page.documents
        number += 1
        if page.is_last:
            return [two for one in found for two in (one, *(one.get("replies") or ()))]


def detail_seen(detail: TaskDetail) -> Picture:
    """What stands around a task, as a person sees it."""
    return {
        **_traits(detail),
        "values": {one.field_id: one.value for one in detail.values or ()},
        "groups": {
            one.id: (one.title, [_subtask(task) for task in one.subtasks])
            for one in detail.groups or ()
        },
        "comments": {
            two.id: (two.text, two.parent_id, [image.id for image in two.images])
            for one in detail.comments or ()
            for two in (one, *one.replies)
        },
    }


def _subtask(task: Task) -> tuple[object, ...]:
    return (task.id, task.title, task.status, task.priority, task.due_at)


def _said(comment: Document) -> tuple[str, int | None, list[int]]:
    images = [one["id"] for one in comment.get("images") or ()]
    return comment_text(comment), comment.get("parent_id"), images


def _traits(detail: TaskDetail) -> Picture:
    return {
        "cover": detail.cover,
        "contact": detail.contact_id,
        "is a template": detail.is_template,
        "reminder": detail.reminder,
    }


def _position(document: Document) -> float:
    return float(document.get("position") or 0.0)


async def everything_at(witness: Remote, boards: Sequence[int]) -> dict[Key, Picture]:
    """What is there still, of all that can be made, and what it is like."""
    there: dict[Key, Picture] = {("board", board_id): {} for board_id in boards}
    for board_id in boards:
        board = await witness.board(board_id)
        there |= {("stage", one["id"]): {} for one in board["stages"]}
        there |= {("label", one["id"]): {} for one in board["labels"]}
        there |= {("field", one["id"]): {} for one in board.get("custom_fields") or ()}
        for task in await witness.tasks(board_id):
            there |= _task_at(task)
            for group in await witness.subtask_groups(board_id, task["id"]):
                there["subtask_group", group["id"]] = {}
                for one in group["subtasks"]:
                    there |= _task_at(one)
            comments = await comments_at(witness, board_id, task["id"])
            there |= {("comment", one["id"]): {} for one in comments}
    return there


def _task_at(document: Document) -> dict[Key, Picture]:
    task = Assembler().task(document)
    if task is None:
        return {}
    return {("task", task.id): _card(task)}
