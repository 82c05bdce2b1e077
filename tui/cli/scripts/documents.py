"""Boards and cards as documents for programs: what JSON is written of.

The keys are those of the topic `scripts` of the help, and stay. All times have the offset of this
machine.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from tui.model.board import Board, BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.task import Person, Task
from tui.text.dates import stamp

if TYPE_CHECKING:
    from tui.store.protocol import Store

Document = dict[str, Any]


def board_document(board: Board) -> Document:
    """A board of the list of boards."""
    return {
        "id": board.id,
        "title": board.title,
        "type": board.type.value,
        "open": board.tasks_count - board.completed_count,
        "closed": board.completed_count,
        "created_at": _moment(board.created_at),
    }


def card_document(task: Task, view: BoardView) -> Document:
    """A card with what a list of cards knows of it."""
    stage = view.stage(task.stage_id)
    return {
        "id": task.id,
        "title": task.title,
        "board": {"id": view.board.id, "title": view.board.title},
        "stage": {"id": stage.id, "title": stage.title} if stage else None,
        "status": task.status.value,
        "priority": task.priority.value,
        "due": _moment(task.due_at),
        "start": _moment(task.started_at),
        "assignees": [*map(_person, task.assignees)],
        "labels": [
            {"id": label.id, "title": label.title, "color": label.color} for label in task.labels
        ],
        "blocked_by": [
            {"id": blocker.id, "board": blocker.board or None} for blocker in task.blockers
        ],
        "subtasks_done": task.subtasks_done,
        "subtasks_total": task.subtasks_total,
        "comments_count": task.comments_count,
        "created_at": _moment(task.created_at),
        "updated_at": _moment(task.updated_at),
        "is_sent": not task.is_local,
        "is_template": task.is_template,
    }


def blockers_document(task: Task, store: "Store") -> list[Document]:
    """The cards that block a card, how it stands with them, and on which boards they are."""
    relations = store.relations()
    is_known = relations.has_blockers_of(task)
    titles = {board.id: board.title for board in store.boards()}
    documents = list[Document]()
    for blocker in task.blockers:
        card = relations.cards.get(blocker.id)
        board = None if card is None else {"id": card.board_id, "title": titles.get(card.board_id)}
        documents.append(
            {
                "id": blocker.id,
                "board": blocker.board or None,
                "state": relations.standing(blocker.id).value if is_known else None,
                "found_on": board,
            }
        )
    return documents


def detail_document(detail: TaskDetail, view: BoardView, description: str) -> Document:
    """A card with everything around it; a part that is not known is null."""
    values = {value.field_id: value.value for value in detail.values or ()}
    fields = [
        {"id": field.id, "title": field.title, "value": values.get(field.id)}
        for field in view.fields
    ]
    subtasks = [
        {"group": group.title, "id": task.id, "title": task.title, "status": task.status.value}
        for group in detail.groups or ()
        for task in group.subtasks
    ]
    comments = [_comment(comment) for comment in reversed(detail.comments or ())]
    return card_document(detail.task, view) | {
        "description": description,
        "fields": None if detail.values is None else fields,
        "subtasks": None if detail.groups is None else subtasks,
        "comments": None if detail.comments is None else comments,
    }


def _comment(comment: Comment) -> Document:
    return {
        "id": comment.id,
        "author": _person(comment.author) if comment.author else None,
        "at": _moment(comment.created_at),
        "text": comment.text,
        "replies": [*map(_comment, comment.replies)],
    }


def _person(person: Person) -> Document:
    return {"id": person.id, "name": person.name, "login": person.login}


def _moment(at: datetime | None) -> str | None:
    return stamp(at) if at else None
