"""What is known of one service: which features it offers and which ways of writing it understands.

Everything is unknown until the service has shown it. What was learnt is plain data that a profile
can remember; a memory that cannot be read is an empty one, never an error.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum, unique
from typing import Any, Self, TypeVar

_LARGEST_ID = 2**63


@unique
class Feature(StrEnum):
    """Something that not every edition of the service offers; `words` say it in a sentence."""

    words: str

    def __new__(cls, name: str, words: str = "") -> Self:
        """A feature by its name in a profile."""
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
    TASK_DELETION = "deleting tasks"
    UNWATCHING_OWN = "not watching what one works on", "to stop watching a task that you work on"
    SERVICE_USERS = "service users", "a list of all its people"
    USER_SEARCH = "user search", "a search for people"
    REMOVAL_FROM_BOARD = "removal from board", "removing a person from a board this way"
    CHANGE_NEWS = "has-data-changed", "telling whether a board has changed"
    BOARD_MOVES = "moves to another board", "moving a task to another board"


_PARTS = {
    Feature.SUBTASK_COPIES: Feature.SUBTASK_GROUPS,
    Feature.SUBTASK_GROUPS: Feature.SUBTASKS,
    Feature.CUSTOM_FIELD_ORDER: Feature.CUSTOM_FIELDS,
    Feature.VIEWER_ROLES: Feature.ROLES,
}
"""Features that are not there without another."""
_EXTENDED = (Feature.SUBTASKS, Feature.CUSTOM_FIELDS)
"""What every extended edition has, and no other."""
_WITH_EXTENDED = (Feature.ROLES, Feature.BOARD_MOVES)
"""What cannot be asked for safely: it is there where an extended edition is."""


def why_missing(feature: Feature) -> str:
    """Why a feature cannot be had where it is missing, as a sentence."""
    return f"This service's edition does not offer {feature.words}."


@unique
class StageBody(StrEnum):
    """How a stage is changed."""

    FLAT = "flat"
    """`{"title", "settings"}`, as the specification says."""
    NESTED = "nested"
    """The same inside `{"stage": …}`."""
    PROPERTY = "property"
    """One property a call, at a path of its own."""


@unique
class CommentPath(StrEnum):
    """Where a comment is changed."""

    LONG = "long"
    """Below its task, as the specification says."""
    SHORT = "short"
    """Below its board alone."""
    OWN = "own"
    """Below its board, its id before the word; replies are deleted at a path of their own."""


@unique
class NoParent(StrEnum):
    """What a comment that answers nothing says for its `parent_id`."""

    EMPTY = "empty"
    """An empty text."""
    NULL = "null"
    """Null."""


@unique
class Assigning(StrEnum):
    """What the list of people means that is sent for a task."""

    SETS = "sets"
    """They and nobody else are assigned, as the specification says."""
    TOGGLES = "toggles"
    """Each of them is assigned if not assigned, and the other way round."""


@unique
class Watching(StrEnum):
    """How it is said that the person watches a task."""

    BOOLEAN = "boolean"
    """`true` and `false`, as the specification says."""
    WORDS = "words"
    """`start` and `stop`."""


W = TypeVar("W", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What is known of a service; None and absence mean that it is not known.

    `user_id` and `user_login` are the person's, `user_login` as it was asked for; `learnt_at` is
    when something was last learnt. Where `names_author`, a comment has to say who writes it. A
    service that `is_trusted` follows the specification to the
    letter: nothing is read back there.
    """

    offered: frozenset[Feature] = frozenset()
    missing: frozenset[Feature] = frozenset()
    stage_body: StageBody | None = None
    comment_path: CommentPath | None = None
    no_parent: NoParent | None = None
    names_author: bool = False
    assigning: Assigning | None = None
    watching: Watching | None = None
    user_id: int | None = None
    user_login: str | None = None
    learnt_at: datetime | None = None
    is_trusted: bool = False

    @classmethod
    def embedded(cls) -> Self:
        """The program's own service: everything is known, nothing needs to be tried out."""
        return cls(
            offered=frozenset(Feature),
            stage_body=StageBody.FLAT,
            comment_path=CommentPath.LONG,
            no_parent=NoParent.NULL,
            assigning=Assigning.SETS,
            watching=Watching.BOOLEAN,
            is_trusted=True,
        )

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service has a feature; None if that is not known."""
        whole = _PARTS.get(feature)
        if feature in self.missing or (whole is not None and self.offers(whole) is False):
            return False
        if feature in self.offered:
            return True
        if feature not in _WITH_EXTENDED:
            return None
        known = {self.offers(one) for one in _EXTENDED}
        return True if True in known else None if None in known else False

    def document(self) -> dict[str, Any]:
        """All of it as a JSON object; whether the service is trusted is not for a file to say."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        del told["is_trusted"]
        learnt_at = None if self.learnt_at is None else self.learnt_at.isoformat()
        lists = {"offered": sorted(self.offered), "missing": sorted(self.missing)}
        return {**told, **lists, "learnt_at": learnt_at}

    @classmethod
    def from_document(cls, value: object) -> Self:
        """What an object made by `document` says; whatever cannot be read there is unknown."""
        said: Mapping[object, object] = value if isinstance(value, dict) else {}
        offered = frozenset(_words(Feature, said.get("offered")))
        user_login = said.get("user_login")
        return cls(
            offered=offered,
            missing=frozenset(_words(Feature, said.get("missing"))) - offered,
            stage_body=_word(StageBody, said.get("stage_body")),
            comment_path=_word(CommentPath, said.get("comment_path")),
            no_parent=_word(NoParent, said.get("no_parent")),
            names_author=said.get("names_author") is True,
            assigning=_word(Assigning, said.get("assigning")),
            watching=_word(Watching, said.get("watching")),
            user_id=_id(said.get("user_id")),
            user_login=user_login if isinstance(user_login, str) else None,
            learnt_at=_moment(said.get("learnt_at")),
        )


def _word(kind: type[W], value: object) -> W | None:
    return next((word for word in kind if isinstance(value, str) and word.value == value), None)


def _words(kind: type[W], values: object) -> Iterable[W]:
    rows = values if isinstance(values, list) else []
    return (word for word in (_word(kind, row) for row in rows) if word is not None)


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


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What a person says of a service in the profile.

    `path_word` is the word for the service in its own paths; `timezone` the site's zone, a name
    such as `Asia/Dhaka` or an offset such as `+06:00`, None for the person's own.
    """

    path_word: str = "service"
    timezone: str | None = None


UNKNOWN = Capabilities()
"""A service nothing is known of."""
DEFAULTS = ServiceSettings()
"""A service nothing was said of."""

Learned = Callable[[Capabilities], None]
"""Hears of everything that is known, whenever it has become more or other."""


def ignore(_: Capabilities) -> None:
    """Remember nothing."""
