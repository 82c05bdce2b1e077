"""Converts documents of tasks, stages and boards into model values.

Every text is cleaned with `tui.text.clean` here. The types of a document's fields are guaranteed by
`tui.client.decoding`, except within `settings`. Equal values are shared between tasks, since a
board may have a hundred thousand of them.
"""

import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timezone
from functools import lru_cache
from typing import Any, TypeVar

from tui.model.blocked_by import described
from tui.model.board import Board, BoardType, BoardView, Stage
from tui.model.colors import is_color
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.fields.plain import STAGE_SETTINGS
from tui.model.lane import Lane
from tui.model.people import Role
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.documents.shapes import Document
from tui.text.clean import line, text

_T = TypeVar("_T")
_Placed = TypeVar("_Placed", Stage, CustomField)
_STATUSES: dict[str | None, Status] = {status.value: status for status in Status}
_PRIORITIES: dict[str | None, Priority] = {priority.value: priority for priority in Priority}
_FIELD_TYPES: dict[str, FieldType] = {kind.value: kind for kind in FieldType}
_NO_SETTINGS: Document = {}
_NO_CARDS = Lane()
_MOMENTS = 8_192
"""Size of the cache of parsed times; many tasks share one."""
_DEFAULT_COLOR = "#8590a2"


class Assembler:
    """Converts documents; equal labels, people and tuples of them are one object."""

    def __init__(self) -> None:
        self._ids: dict[Any, Any] = {}
        self._together: dict[tuple[int, ...], tuple[Any, ...]] = {}
        self._labels: dict[tuple[object, ...], Label] = {}
        self._people: dict[tuple[object, ...], Person] = {}

    def task(self, document: Document) -> Task | None:
        """The task; None if it is on no board."""
        get = document.get
        settings, board_id = get("settings") or _NO_SETTINGS, get("board_id")
        if board_id is None:
            return None
        description, blockers = described(text(get("description") or ""))
        return Task(
            document["id"],
            self._shared_id(board_id),
            self._shared_id(get("stage_id")),
            clean_line(get("title")),
            _STATUSES.get(get("status"), Status.OPEN),
            _PRIORITIES.get(get("priority"), Priority.LOW),
            get("position") or 0.0,
            description,
            wall_clock(get("due_at")),
            wall_clock(get("started_at")),
            wall_clock(get("archived_at")),
            instant(get("created_at")),
            instant(get("updated_at")),
            get("parent_id"),
            self._shared(tuple(map(self.label, get("labels") or ()))),
            self._shared(tuple(map(self.person, get("assignees") or ()))),
            get("comments_count") or 0,
            _count(settings.get("subtask_completed_count")),
            _count(settings.get("subtask_count")),
            _count(settings.get("attachment_count")),
            sys.intern(clean_line(get("source"))),
            self._shared_id(get("created_by")),
            field_values(get("task_custom_fields")),
            sys.intern(cover_in(settings)),
            (get("meta") or _NO_SETTINGS).get("is_template") == "yes",
            blockers,
        )

    def _shared_id(self, some_id: _T) -> _T:
        """An id that many tasks have: of a board, a stage, or their creator."""
        same: _T = self._ids.setdefault(some_id, some_id)
        return same

    def _shared(self, items: tuple[_T, ...]) -> tuple[_T, ...]:
        """A tuple with its equal elements, and itself, shared."""
        # Ids of objects are valid keys, as the stored tuple keeps its elements alive. They are
        # compared faster than the elements.
        return self._together.setdefault(tuple(map(id, items)), items) if items else ()

    def label(self, document: Document) -> Label:
        """The label; one object for equal ones."""
        key = (document["id"], document.get("title"), document.get("bg_color"))
        label = self._labels.get(key)
        if label is None:
            color = str(document.get("bg_color"))
            label = Label(
                document["id"],
                clean_line(document.get("title")),
                color if is_color(color) else _DEFAULT_COLOR,
            )
            self._labels[key] = label
        return label

    def person(self, document: Document) -> Person:
        """The person; one object for equal ones."""
        person_id = document["ID"]
        key = (person_id, document.get("display_name"), document.get("user_login"))
        person = self._people.get(key)
        if person is None:
            login = clean_line(document.get("user_login"))
            name = clean_line(document.get("display_name")) or login
            person = Person(person_id, name, login)
            self._people[key] = person
        return person

    def board(self, document: Document) -> Board:
        """The board without its contents."""
        settings = document.get("settings") or _NO_SETTINGS
        is_roadmap = document.get("type") == BoardType.ROADMAP.value
        users: Sequence[Document] = document.get("users") or ()
        return Board(
            id=document["id"],
            title=clean_line(document.get("title")),
            type=BoardType.ROADMAP if is_roadmap else BoardType.TO_DO,
            description=text(document.get("description") or ""),
            archived_at=wall_clock(document.get("archived_at")),
            created_at=instant(document.get("created_at")),
            tasks_count=_count(settings.get("tasks_count")),
            completed_count=document.get("completed_tasks_count") or 0,
            people=tuple(map(self.person, users)),
            is_view_only=document.get("isUserOnlyViewer") is True,
            viewers=_with_role(users, "viewer"),
            members=_with_role(users, "member"),
            managers=_with_role(users, "admin", "manager"),  # two words for one role
            own_role=Role.of(document.get("role")),
            administrators=frozenset(
                user["ID"] for user in users if user.get("is_super") or user.get("is_wpadmin")
            ),
        )

    def empty_view(self, document: Document) -> BoardView:
        """A board with its active stages, in order, without tasks."""
        board = self.board(document)
        active = (stage for stage in document.get("stages") or () if not stage.get("archived_at"))
        stages = _in_order(stage_of(stage, board.id) for stage in active)
        fields = document.get("custom_fields") or ()
        return BoardView(
            board=board,
            stages=stages,
            tasks=dict.fromkeys((stage.id for stage in stages), _NO_CARDS),
            labels=tuple(map(self.label, document.get("labels") or ())),
            people=board.people,
            fields=_in_order(custom_field_of(field, board.id) for field in fields),
        )


def _in_order(things: Iterable[_Placed]) -> tuple[_Placed, ...]:
    return tuple(sorted(things, key=lambda thing: (thing.position, thing.id)))


def wall_clock(value: object) -> datetime | None:
    """Parse a `YYYY-MM-DD HH:MM:SS` without a zone; None for a zero date or nonsense."""
    return _moment(value, None) if value and isinstance(value, str) else None


def instant(value: object) -> datetime | None:
    """Parse an ISO 8601 time stamp, in UTC; None for nonsense."""
    return _moment(value, UTC) if value and isinstance(value, str) else None


@lru_cache(_MOMENTS)
def _moment(value: str, zone: timezone | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value)
        # A wall-clock time drops its zone without conversion, as services do when they store one.
        if zone is None or moment.tzinfo is None:
            return moment.replace(tzinfo=zone)
        return moment.astimezone(zone)
    except (ValueError, OverflowError):
        return None


def _with_role(users: Sequence[Document], *roles: str) -> frozenset[int]:
    """The ids of the members of a board with one of these roles."""
    return frozenset(user["ID"] for user in users if str(user.get("role")).lower() in roles)


def stage_of(document: Document, board_id: int) -> Stage:
    """The stage, also an archived one."""
    color = str(document.get("bg_color"))
    return Stage(
        id=document["id"],
        board_id=board_id,
        title=clean_line(document.get("title")),
        position=document.get("position") or 0.0,
        color=color if is_color(color) else "",
        **{setting.attribute: setting.read(document) for setting in STAGE_SETTINGS.values()},
    )


def field_type(name: object) -> FieldType:
    """The type of custom fields with this name; text for one that is not known."""
    return _FIELD_TYPES.get(str(name).lower(), FieldType.TEXT)


def custom_field_of(document: Document, board_id: int) -> CustomField:
    """The custom field; of an unknown type it is one of text."""
    settings = document.get("settings") or _NO_SETTINGS
    options = settings.get("select_options") or settings.get("options")
    return CustomField(
        id=document["id"],
        board_id=board_id,
        title=clean_line(document.get("title")),
        type=field_type(settings.get("custom_field_type")),
        options=tuple(map(clean_line, options)) if isinstance(options, list) else (),
        position=document.get("position") or 0.0,
    )


def field_values(documents: Iterable[Document] | None) -> tuple[FieldValue, ...]:
    """Custom field values by id; malformed ones are left out."""
    values = filter(None, map(_field_value, documents)) if documents else ()
    return tuple(sorted(values, key=lambda value: value.field_id))


def _field_value(document: Document) -> FieldValue | None:
    field_id, settings = document.get("foreign_id"), document.get("settings")
    value = settings.get("value") if isinstance(settings, dict) else None
    if field_id is None or value is None:
        return None
    return FieldValue(int(field_id), value if isinstance(value, bool) else text(str(value)))


def clean_line(value: object) -> str:
    """A clean line, empty for None; plain ASCII, as most titles are, needs no cleaning."""
    raw = "" if value is None else str(value)
    return raw if raw.isascii() and raw.isprintable() else line(raw)


def _count(value: Any) -> int:
    """A number within `settings`, which may be of any type."""
    try:
        return int(value or 0)
    except (TypeError, ValueError, OverflowError):
        return 0


def cover_in(settings: Document) -> str:
    """The colour of the cover within the settings of a task; empty for none and nonsense."""
    cover = settings.get("cover")
    color = cover.get("backgroundColor") if isinstance(cover, dict) else None
    return color if isinstance(color, str) and is_color(color) else ""
