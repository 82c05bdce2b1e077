"""A board as a sheet: what the formats write."""

from collections.abc import Mapping, Sequence

from tui.model.board import BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.task import Status, Task
from tui.text.dates import local
from tui.text.plain_names import DEFAULT_GROUP
from tui.transfer.sheet import Sheet, SheetCard, SheetComment, SheetStage, SheetSubtask, tidied


def sheet_of(
    view: BoardView,
    archived: Sequence[Task],
    descriptions: Mapping[int, str],
    details: Mapping[int, TaskDetail],
) -> Sheet:
    """The sheet of a board, with the descriptions as Markdown and what is known of its cards."""
    titles = {stage.id: stage.title for stage in view.stages}
    cards = [
        _card(task, titles.get(task.stage_id or 0, ""), descriptions, details.get(task.id))
        for task in (*view.all_tasks(), *archived)
    ]
    stages = [
        SheetStage(stage.title, stage.default_status is Status.CLOSED) for stage in view.stages
    ]
    colors = {label.title: label.color for label in view.labels if label.title}
    return tidied(Sheet(view.board.title, stages=tuple(stages), cards=tuple(cards), colors=colors))


def _card(
    task: Task, stage: str, descriptions: Mapping[int, str], detail: TaskDetail | None
) -> SheetCard:
    groups = (detail.groups if detail else None) or ()
    comments = (detail.comments if detail else None) or ()
    return SheetCard(
        task.title,
        key=f"card-{task.id}" if task.id > 0 else "",
        stage=stage,
        description=descriptions.get(task.id, ""),
        labels=tuple(label.title or label.color for label in task.labels),
        people=tuple((person.login or person.name, person.name) for person in task.assignees),
        due_at=task.due_at,
        started_at=task.started_at,
        priority=task.priority,
        subtasks=tuple(
            SheetSubtask(
                subtask.title,
                subtask.is_closed,
                "" if group.title == DEFAULT_GROUP else group.title,
            )
            for group in groups
            for subtask in group.subtasks
        ),
        comments=tuple(
            _comment(comment) for first in reversed(comments) for comment in (first, *first.replies)
        ),
        is_done=task.is_closed,
        is_archived=task.archived_at is not None,
        is_template=task.is_template,
    )


def _comment(comment: Comment) -> SheetComment:
    author = comment.author.in_words if comment.author else ""
    return SheetComment(comment.text, author, comment.created_at and local(comment.created_at))
