"""What is known of a service: its features, and which variants of requests it accepts.

Everything is unknown until a response shows it. It is stored with the profile; an unreadable file
counts as empty.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from enum import StrEnum, unique
from typing import Any, Self, TypeVar

from tui.record import record

_LARGEST_ID = 2**63


@unique
class Feature(StrEnum):
    """A feature that some editions of the service lack; `words` describe it."""

    words: str

    def __new__(cls, name: str, words: str = "") -> Self:
        """Create a feature by its name in profiles."""
        feature = str.__new__(cls, name)
        feature._value_ = name
        feature.words = words or name
        return feature

    SUBTASKS = "subtasks"
    SUBTASK_COPIES = "subtask copies", "copying a subtask"
    SUBTASK_GROUPS = "subtask groups", "groups of subtasks"
    CUSTOM_FIELDS = "custom fields"
    CUSTOM_FIELD_ORDER = "custom field order", "putting custom fields in order"
    FOLDERS = "folders"
    ROLES = "roles", "changing roles"
    VIEWER_ROLES = "viewer roles", "changing who is a viewer"
    PICTURES = "pictures", "pictures in comments"
    TASK_DELETION = "deleting tasks", "deleting cards"
    UNWATCHING_OWN = "not watching what one works on", "unwatching a card that you work on"
    SERVICE_USERS = "service users", "a list of all people"
    USER_SEARCH = "user search", "a search for people"
    SITE_USERS = "site users", "finding people who are on no board"
    REMOVAL_FROM_BOARD = "removal from board", "removing a person from a board"
    CHANGE_NEWS = "has-data-changed", "telling whether a board has changed"
    WAITING_FOR_CHANGES = "waiting for changes", "telling at once that a board has changed"
    BOARD_MOVES = "moves to another board", "moving a card to another board"
    ARCHIVED_TASKS = "archived tasks", "a list of archived cards"
    ARCHIVE_PAGES = "archive pages", "a list of archived cards"
    CLAIMS = "claims", "claiming a card in one request"
    TASK_COPIES = "task copies", "duplicating cards"
    BOARD_ARCHIVE = "board archive", "archiving boards"
    BOARD_COPIES = "board copies", "duplicating boards"
    WEBHOOKS = "webhooks"
    BOARD_CREATION = "board creation", "create boards"
    BOARD_DELETION = "board deletion", "delete boards"


_PARTS = {
    Feature.SUBTASK_COPIES: Feature.SUBTASK_GROUPS,
    Feature.SUBTASK_GROUPS: Feature.SUBTASKS,
    Feature.CUSTOM_FIELD_ORDER: Feature.CUSTOM_FIELDS,
    Feature.VIEWER_ROLES: Feature.ROLES,
    Feature.WAITING_FOR_CHANGES: Feature.CHANGE_NEWS,
}
"""Features that require another."""
_EXTENDED = (Feature.SUBTASKS, Feature.CUSTOM_FIELDS)
"""Features of every extended edition and no other."""
_WITH_EXTENDED = (Feature.ROLES, Feature.BOARD_MOVES)
"""Features that no safe request can test; extended editions have them."""
_CAME_WITH = {Feature.VIEWER_ROLES: Feature.SUBTASK_GROUPS}
"""Features that no safe request can test, and one that came into the editions with them."""

FOR_ADMINISTRATORS = frozenset({Feature.BOARD_CREATION, Feature.BOARD_DELETION})
"""Features that some editions reserve for administrators; missing once the user was refused."""


def why_missing(feature: Feature) -> str:
    """Why a feature is not available, as a sentence."""
    if feature in FOR_ADMINISTRATORS:
        return f"Only administrators of this service may {feature.words}."
    return f"This service’s edition does not offer {feature.words}."


@unique
class StageBody(StrEnum):
    """The body with which a stage is updated."""

    FLAT = "flat"
    """`{"title", "settings"}`, as specified."""
    NESTED = "nested"
    """The same inside `{"stage": …}`."""
    PROPERTY = "property"
    """One property in each request, at another path."""


@unique
class StageStatus(StrEnum):
    """How the status is set that tasks get when they are moved into a stage."""

    PROPERTY = "property"
    """As the property `status`, at another path."""
    SETTING = "setting"
    """In the stage's settings, as specified."""


@unique
class FieldDates(StrEnum):
    """How a date is spelt that is set in a custom field."""

    NUMBERS = "numbers"
    """`YYYY-MM-DD HH:MM:SS`, like other dates."""
    WORDS = "words"
    """As browsers write it, `Thu Dec 24 2026 00:00:00 GMT+0100`."""


@unique
class CommentPath(StrEnum):
    """The path at which a comment is updated and deleted."""

    LONG = "long"
    """Below its task, as specified."""
    SHORT = "short"
    """Below its board."""
    OWN = "own"
    """Below no board, with the id first; replies have another path, and the body another name."""


@unique
class NoParent(StrEnum):
    """The `parent_id` of a comment that is no reply."""

    EMPTY = "empty"
    """An empty text."""
    NULL = "null"
    """Null."""


@unique
class Assigning(StrEnum):
    """The meaning of the list of people sent for a task."""

    SETS = "sets"
    """The new assignees, as specified."""
    TOGGLES = "toggles"
    """People to assign if they are not assigned, and to remove otherwise."""


@unique
class Watching(StrEnum):
    """The values that start and stop watching a task."""

    BOOLEAN = "boolean"
    """`true` and `false`, as specified."""
    WORDS = "words"
    """`start` and `stop`."""


W = TypeVar("W", bound=StrEnum)


@record
class Capabilities:
    """What is known of a service; None and absence mean unknown.

    `user_id` and `user_login` are the user's, `user_login` as it was entered; `learnt_at` is the
    time of the last change, `is_administrator` whether they administer the whole service, which
    may be unknown even if the service `was_asked_rights`. If `names_author`, comments have to name
    their author. A service that `is_trusted` follows the specification exactly, so nothing is read
    back.
    """

    offered: frozenset[Feature] = frozenset()
    missing: frozenset[Feature] = frozenset()
    stage_body: StageBody | None = None
    stage_status: StageStatus | None = None
    field_dates: FieldDates | None = None
    comment_path: CommentPath | None = None
    no_parent: NoParent | None = None
    names_author: bool | None = None
    assigning: Assigning | None = None
    watching: Watching | None = None
    user_id: int | None = None
    user_login: str | None = None
    is_administrator: bool | None = None
    was_asked_rights: bool = False
    learnt_at: datetime | None = None
    is_trusted: bool = False

    @classmethod
    def embedded(cls) -> Self:
        """Those of the embedded service, where everything is known."""
        return cls(
            offered=frozenset(Feature),
            stage_body=StageBody.FLAT,
            stage_status=StageStatus.SETTING,
            field_dates=FieldDates.NUMBERS,
            comment_path=CommentPath.LONG,
            no_parent=NoParent.NULL,
            names_author=False,
            assigning=Assigning.SETS,
            watching=Watching.BOOLEAN,
            is_trusted=True,
        )

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service has a feature; None if not known."""
        whole = _PARTS.get(feature)
        if feature in self.missing or (whole is not None and self.offers(whole) is False):
            return False
        if feature in self.offered:
            return True
        if feature in _CAME_WITH and self.offers(_CAME_WITH[feature]) is False:
            return False
        # Testing these would change something, so the rest of the extended edition speaks for them.
        if feature not in _WITH_EXTENDED:
            return None
        answers = {self.offers(extended) for extended in _EXTENDED}
        return True if True in answers else None if None in answers else False

    def document(self) -> dict[str, Any]:
        """A JSON object to store, without `is_trusted`."""
        document = {field.name: getattr(self, field.name) for field in fields(self)}
        del document["is_trusted"]
        learnt_at = None if self.learnt_at is None else self.learnt_at.isoformat()
        lists = {"offered": sorted(self.offered), "missing": sorted(self.missing)}
        return {**document, **lists, "learnt_at": learnt_at}

    @classmethod
    def from_document(cls, value: object) -> Self:
        """Read a stored object; what cannot be read is unknown."""
        stored: Mapping[object, object] = value if isinstance(value, dict) else {}
        offered = frozenset(_words(Feature, stored.get("offered")))
        user_login = stored.get("user_login")
        # `is_trusted` is not read: a file must not stop a service from being checked.
        return cls(
            offered=offered,
            missing=frozenset(_words(Feature, stored.get("missing"))) - offered,
            stage_body=_word(StageBody, stored.get("stage_body")),
            stage_status=_word(StageStatus, stored.get("stage_status")),
            field_dates=_word(FieldDates, stored.get("field_dates")),
            comment_path=_word(CommentPath, stored.get("comment_path")),
            no_parent=_word(NoParent, stored.get("no_parent")),
            names_author=_flag(stored.get("names_author")),
            assigning=_word(Assigning, stored.get("assigning")),
            watching=_word(Watching, stored.get("watching")),
            user_id=_id(stored.get("user_id")),
            user_login=user_login if isinstance(user_login, str) else None,
            is_administrator=_flag(stored.get("is_administrator")),
            was_asked_rights=stored.get("was_asked_rights") is True,
            learnt_at=_moment(stored.get("learnt_at")),
        )


def _word(kind: type[W], value: object) -> W | None:
    return next((word for word in kind if isinstance(value, str) and word.value == value), None)


def _words(kind: type[W], values: object) -> Iterable[W]:
    rows = values if isinstance(values, list) else []
    return (word for word in (_word(kind, row) for row in rows) if word is not None)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _id(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value < _LARGEST_ID else None


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return None if moment is None or moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


UNKNOWN = Capabilities()
"""A service about which nothing is known."""

Learned = Callable[[Capabilities], None]
"""Called with all capabilities whenever they change."""
