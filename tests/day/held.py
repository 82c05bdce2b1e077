"""What the service holds, read past every client: the judge of each step of the day."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tui.service.database.base import Database, Row, Transaction


@dataclass(frozen=True, slots=True)
class Card:
    """A task or subtask as the service holds it; people by login, others by title."""

    title: str
    stage: str | None
    parent: str | None
    group: str | None
    status: str
    priority: str
    description: str
    due: str
    start: str
    is_archived: bool
    assignees: tuple[str, ...]
    watchers: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[str, ...]
    comments: tuple[tuple[str, str], ...]
    """Each as (its text, the text of what it answers or ""), oldest first."""
    pictures: int


@dataclass(frozen=True, slots=True)
class Column:
    """A stage as the service holds it; the assignees by id."""

    board: str
    title: str
    status: str
    assignees: tuple[int, ...]
    is_template: bool
    color: str


@dataclass(frozen=True, slots=True)
class Held:
    """The boards of the service; `cards` by title, those of a stage or group in their order.

    The second card of a title is called so with a number behind it; archived ones come last.
    """

    boards: tuple[str, ...] = ()
    groups: frozenset[tuple[str, str]] = field(default=frozenset(), compare=False)
    """The subtask groups, each as (title of the task, title of the group).

    Not compared: the service makes a default group by itself, and an undo leaves that.
    """
    cards: dict[str, Card] = field(default_factory=dict)
    stages: tuple[Column, ...] = ()
    """The active stages, in order."""

    def columns(self, board: str) -> list[str]:
        """The titles of the active stages of a board, in order."""
        return [stage.title for stage in self.stages if stage.board == board]

    def stage(self, board_stage: str) -> list[str]:
        """The titles of the active cards of a stage, in order."""
        return [
            card.title
            for card in self.cards.values()
            if card.stage == board_stage and not card.is_archived
        ]

    def group(self, title: str) -> list[str]:
        """The titles of the subtasks of a group, in order."""
        return [card.title for card in self.cards.values() if card.group == title]


def held(database: Database) -> Held:
    """Read everything; stages are called `board/stage`."""
    with database.transaction(writing=False) as db:
        boards = db.all("select title from board where archived_at is null order by id")
        rows = db.all(
            """select task.*, stage.title as stage_title, board.title as board_title,
                      parent.title as parent_title, subtask_group.title as group_title
               from task join board on board.id = task.board_id
               left join stage on stage.id = task.stage_id
               left join task as parent on parent.id = task.parent_id
               left join subtask_group on subtask_group.id = task.subtask_group_id
               order by task.archived_at is not null, task.position, task.id"""
        )
        stages = db.all(
            """select board.title as board, stage.title, stage.settings, bg_color
               from stage join board on board.id = board_id
               where stage.archived_at is null order by board_id, position, stage.id"""
        )
        groups = db.all(
            """select task.title as task, subtask_group.title as title
               from subtask_group join task on task.id = task_id"""
        )
        cards: dict[str, Card] = {}
        for row in rows:
            card = _card(db, row)
            same = sum(other.title == card.title for other in cards.values())
            cards[f"{card.title} {same + 1}" if same else card.title] = card
    return Held(
        tuple(row["title"] for row in boards),
        frozenset((row["task"], row["title"]) for row in groups),
        cards,
        tuple(map(_column_of, stages)),
    )


def _column_of(row: Row) -> Column:
    settings = json.loads(row["settings"])
    return Column(
        row["board"],
        row["title"],
        settings.get("default_task_status", ""),
        tuple(settings.get("default_task_assignees", ())),
        settings.get("is_template", False),
        row["bg_color"] or "",
    )


def _card(db: Transaction, row: Row) -> Card:
    def titles(sql: str) -> tuple[str, ...]:
        return _column(db.all(sql, task=row["id"]))

    return Card(
        title=row["title"],
        stage=row["stage_title"] and f"{row['board_title']}/{row['stage_title']}",
        parent=row["parent_title"],
        group=row["group_title"],
        status=row["status"],
        priority=row["priority"],
        description=row["description"] or "",
        due=row["due_at"] or "",
        start=row["started_at"] or "",
        is_archived=row["archived_at"] is not None,
        assignees=titles(
            """select login from task_assignee join account on account.id = account_id
               where task_id = :task order by login"""
        ),
        watchers=titles(
            """select login from task_watcher join account on account.id = account_id
               where task_id = :task order by login"""
        ),
        labels=titles(
            """select title from task_label join label on label.id = label_id
               where task_id = :task order by title"""
        ),
        values=titles("select value from custom_field_value where task_id = :task order by id"),
        comments=tuple(
            (one["text"], one["answers"] or "")
            for one in db.all(
                """select comment.description as text, parent.description as answers
                   from comment left join comment as parent on parent.id = comment.parent_id
                   where comment.task_id = :task order by comment.id""",
                task=row["id"],
            )
        ),
        pictures=len(
            db.all(
                """select 1 from comment_image join comment on comment.id = comment_id
                   where comment.task_id = :task""",
                task=row["id"],
            )
        ),
    )


def _column(rows: Iterable[Row]) -> tuple[str, ...]:
    found: list[Any] = [next(iter(dict(row).values())) for row in rows]
    return tuple(str(one) for one in found)
