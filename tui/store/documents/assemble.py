"""Documents made into the model.

Every text goes through `tui.text.clean` here and nowhere else, and a document that makes no sense
costs itself only, never the rest of the board. A board may have a hundred thousand tasks, so what
is alike in many of them is one object.
"""

import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from math import isfinite
from typing import Any, TypeVar

from tui.model.board import Board, BoardType, BoardView, Stage
from tui.model.custom_field import CustomField, FieldType
from tui.model.label_colors import is_color
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.documents.shapes import Document
from tui.text.clean import line, text

_T = TypeVar("_T")
_STATUSES: dict[str, Status] = {status.value: status for status in Status}
_PRIORITIES: dict[str, Priority] = {priority.value: priority for priority in Priority}
_FIELD_TYPES: dict[str, FieldType] = {kind.value: kind for kind in FieldType}
_NO_SETTINGS: Document = {}
_MOMENTS = 4_096
"""How many times are remembered: tasks are due by the day, and many were changed at once."""
_DEFAULT_COLOR = "#8590a2"


class Assembler:
    """Makes tasks, stages and boards out of documents.

    Labels, people, and tuples of them that are alike are one object, however many tasks carry them.
    """

    def __init__(self) -> None:
        self._ids: dict[Any, Any] = {}
        self._together: dict[tuple[int, ...], tuple[Any, ...]] = {}
        self._labels: dict[tuple[object, ...], Label] = {}
        self._people: dict[tuple[object, ...], Person] = {}

    def task(self, document: Document) -> Task | None:
        """The task a document tells of; None if it has no usable id or board."""
        get = document.get
        settings = get("settings")
        if not isinstance(settings, dict):
            settings = _NO_SETTINGS
        description = get("description")
        try:
            return Task(
                int(document["id"]),
                self._shared_id(int(document["board_id"])),
                self._shared_id(_whole_or_none(get("stage_id"))),
                _clean_line(get("title")),
                _STATUSES.get(str(get("status")), Status.OPEN),
                _PRIORITIES.get(str(get("priority")), Priority.LOW),
                _number(get("position")),
                text(description) if isinstance(description, str) else "",
                wall_clock(get("due_at")),
                wall_clock(get("started_at")),
                wall_clock(get("archived_at")),
                instant(get("created_at")),
                instant(get("updated_at")),
                _whole_or_none(get("parent_id")),
                self._shared(self._many(get("labels"), self.label)),
                self._shared(self._many(get("assignees"), self.person)),
                _count(get("comments_count")),
                _count(settings.get("subtask_completed_count")),
                _count(settings.get("subtask_count")),
                _count(settings.get("attachment_count")),
                sys.intern(_clean_line(get("source"))),
                self._shared_id(_whole_or_none(get("created_by"))),
            )
        except (KeyError, TypeError, ValueError, OverflowError):
            return None

    def _shared_id(self, some_id: _T) -> _T:
        """An id that many tasks have: of a board, a stage, or whoever made them."""
        same: _T = self._ids.setdefault(some_id, some_id)
        return same

    def _shared(self, made: tuple[_T, ...]) -> tuple[_T, ...]:
        """A tuple of objects that are one if they are alike, itself one if it is like another."""
        return self._together.setdefault(tuple(map(id, made)), made) if made else ()

    def label(self, document: Document) -> Label:
        """The label a document tells of."""
        key = (document["id"], document.get("title"), document.get("bg_color"))
        known = self._labels.get(key)
        if known is None:
            color = str(document.get("bg_color"))
            known = Label(
                int(document["id"]),
                _clean_line(document.get("title")),
                color if is_color(color) else _DEFAULT_COLOR,
            )
            self._labels[key] = known
        return known

    def person(self, document: Document) -> Person:
        """The person a document tells of."""
        person_id = document.get("ID", document.get("id"))
        key = (person_id, document.get("display_name"), document.get("user_login"))
        known = self._people.get(key)
        if known is None:
            login = _clean_line(document.get("user_login"))
            name = _clean_line(document.get("display_name")) or login
            known = Person(int(str(person_id)), name, login)
            self._people[key] = known
        return known

    def board(self, document: Document) -> Board | None:
        """The board a document tells of; None if it has no usable id."""
        settings = document.get("settings")
        tasks_count = settings.get("tasks_count") if isinstance(settings, dict) else 0
        is_roadmap = document.get("type") == BoardType.ROADMAP.value
        try:
            return Board(
                id=int(document["id"]),
                title=_clean_line(document.get("title")),
                type=BoardType.ROADMAP if is_roadmap else BoardType.TO_DO,
                description=text(str(document.get("description") or "")),
                archived_at=wall_clock(document.get("archived_at")),
                created_at=instant(document.get("created_at")),
                tasks_count=_count(tasks_count),
                completed_count=_count(document.get("completed_tasks_count")),
                people=self._many(document.get("users"), self.person),
                is_view_only=document.get("isUserOnlyViewer") is True,
                viewers=frozenset(self._many(document.get("users"), _viewer)) - {0},
            )
        except (KeyError, TypeError, ValueError, OverflowError):
            return None

    def stages(self, document: Document) -> tuple[Stage, ...]:
        """The active stages of a board's document, in order."""
        stages = self._many(document.get("stages"), lambda stage: _stage(stage, document["id"]))
        return tuple(
            sorted(
                (stage for stage in stages if stage is not None),
                key=lambda stage: (stage.position, stage.id),
            )
        )

    def empty_view(self, document: Document) -> BoardView | None:
        """A board with its stages and no tasks yet; None if the document tells of no board."""
        board = self.board(document)
        if board is None:
            return None
        stages = self.stages(document)
        return BoardView(
            board=board,
            stages=stages,
            tasks={stage.id: () for stage in stages},
            labels=self._many(document.get("labels"), self.label),
            people=board.people,
            fields=self._fields(document),
        )

    def _fields(self, document: Document) -> tuple[CustomField, ...]:
        """The custom fields of a board's document, in order."""
        board_id = document["id"]
        fields = self._many(document.get("custom_fields"), lambda field: _field(field, board_id))
        return tuple(sorted(fields, key=lambda field: (field.position, field.id)))

    @staticmethod
    def _many(documents: object, make: Callable[[Document], _T]) -> tuple[_T, ...]:
        """What can be made of a list; what cannot be is left out."""
        if not documents or not isinstance(documents, list):
            return ()
        made = []
        for document in documents:
            try:
                made.append(make(document))
            except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
                continue
        return tuple(made)


def lanes(tasks: Iterable[Task]) -> dict[int, tuple[Task, ...]]:
    """Tasks by stage, each stage ordered by position and id."""
    by_stage: dict[int, list[Task]] = {}
    for task in tasks:
        if task.stage_id is not None:
            by_stage.setdefault(task.stage_id, []).append(task)
    return {
        stage_id: tuple(sorted(lane, key=lambda task: (task.position, task.id)))
        for stage_id, lane in by_stage.items()
    }


def wall_clock(value: object) -> datetime | None:
    """A `YYYY-MM-DD HH:MM:SS` without a zone; None for none, a zero date or nonsense."""
    return _wall_clock(value) if value and isinstance(value, str) else None


@lru_cache(_MOMENTS)
def _wall_clock(value: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo is None else moment.replace(tzinfo=None)


def instant(value: object) -> datetime | None:
    """An ISO 8601 time stamp as an aware time in UTC; None for none or nonsense."""
    return _instant(value) if value and isinstance(value, str) else None


@lru_cache(_MOMENTS)
def _instant(value: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is UTC:
            return moment
        if moment.tzinfo is None:
            return moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _viewer(document: Document) -> int:
    """The id of a member who may only read; 0 for any other."""
    is_viewer = str(document.get("role")).lower() == "viewer"
    return int(str(document.get("ID", document.get("id")))) if is_viewer else 0


def _stage(document: Document, board_id: Any) -> Stage | None:
    if document.get("archived_at"):
        return None
    settings = document.get("settings")
    status = settings.get("default_task_status") if isinstance(settings, dict) else None
    return Stage(
        id=int(document["id"]),
        board_id=int(board_id),
        title=_clean_line(document.get("title")),
        position=_number(document.get("position")),
        default_status=_STATUSES.get(str(status), Status.OPEN),
    )


def _field(document: Document, board_id: Any) -> CustomField:
    settings = document.get("settings")
    settings = settings if isinstance(settings, dict) else _NO_SETTINGS
    options = settings.get("select_options") or settings.get("options")
    return CustomField(
        id=int(document["id"]),
        board_id=int(board_id),
        title=_clean_line(document.get("title")),
        type=_FIELD_TYPES.get(str(settings.get("custom_field_type")).lower(), FieldType.TEXT),
        options=tuple(map(_clean_line, options)) if isinstance(options, list) else (),
        position=_number(document.get("position")),
    )


def _clean_line(value: Any) -> str:
    """A line of text; plain ASCII, which most titles are, has nothing to be cleaned of."""
    if not value:
        return ""
    raw = str(value)
    return raw if raw.isascii() and raw.isprintable() else line(raw)


def _whole_or_none(value: Any) -> int | None:
    try:
        return None if value is None else int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _number(value: Any) -> float:
    """A position; what is no number, or has no place in an order, comes first."""
    try:
        number = float(value or 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return number if isfinite(number) else 0.0


def _count(value: Any) -> int:
    return _whole_or_none(value) or 0
