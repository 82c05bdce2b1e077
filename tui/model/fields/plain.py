"""The plain fields of an opened task and the settings of a stage, as tables: one value each.

Reading documents, changing the field, its row and question on the screen, and the command line
derive from them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tui.model.board import Stage
from tui.model.colors import color_words, read_color
from tui.model.detail import TaskDetail, TaskField
from tui.model.fields.values import contact_words, typed_contact
from tui.model.task import Status
from tui.text.clean import line, quoted


class ValueKind(NamedTuple):
    """How values are read from documents and written as text.

    `read` makes a value of what a document has, which may be anything. `spell` writes it as text,
    empty for none; `parse` is the opposite, and raises `ValueError`. `send` makes of the text what
    is sent.
    """

    read: Callable[[object], Any]
    spell: Callable[[Any], str]
    parse: Callable[[str], Any]
    send: Callable[[str], object]


_LONGEST = 19
"""The digits of the largest number that services store."""


def number_in(value: object) -> int | None:
    """A number above 0, also in digits; None for none, zero and nonsense."""
    digits = str(value)
    return int(digits) or None if digits.isdecimal() and len(digits) <= _LONGEST else None


def ids_in(value: object) -> tuple[int, ...]:
    """The ids in a list that may hold numbers, digits, or anything else."""
    rows = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(int(row) for row in rows if str(row).isdecimal()))


def _flag(yes: str, no: str, *, is_word: bool, words: tuple[str, ...]) -> ValueKind:
    """A flag that is written as one of two words, and sent as a boolean unless it `is_word`."""

    def parse(text: str) -> bool:
        if text not in (yes, no):
            raise ValueError(text)
        return text == yes

    return ValueKind(
        lambda value: str(value).lower() in words,
        lambda value: yes if value else no,
        parse,
        str if is_word else parse,
    )


def _parsed_ids(text: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in text.split(",")) if text else ()


def _parsed(digits: str) -> int | None:
    return int(digits) if digits else None


NUMBER = ValueKind(number_in, lambda value: str(value or ""), _parsed, _parsed)
IDS = ValueKind(
    ids_in,
    lambda ids: ",".join(map(str, sorted(ids))),
    _parsed_ids,
    lambda text: list(_parsed_ids(text)),
)
STATUS = ValueKind(
    lambda value: Status.CLOSED if value == Status.CLOSED.value else Status.OPEN, str, Status, str
)
WORD = _flag("yes", "no", is_word=True, words=("yes",))
SWITCH = _flag("true", "false", is_word=False, words=("true", "yes", "1"))
"""What services write as a boolean, a word or a number."""


TEXT = ValueKind(lambda value: line("" if value is None else str(value)), str, str, str)


class Question(NamedTuple):
    """How a value is asked for, and understood there and on the command line.

    `typed` gets an empty text for none, and raises `WrongInput`.
    """

    placeholder: str
    typed: Callable[[str], Any]


class PlainField(NamedTuple):
    """A plain field: `attribute` of `TaskDetail`, and at `path` in a task's document.

    The last name of the path is the property to set. `words` says a value, `shown` is it in its
    row, empty for none, which `blank` says; beside a chip if it `is_color`. `change` says a change
    of a task by its name.
    """

    name: str
    row: TaskField
    attribute: str
    path: tuple[str, ...]
    kind: ValueKind
    shown: Callable[[Any], str]
    words: Callable[[Any], str]
    change: Callable[[str, Any], str]
    blank: str = "none"
    is_color: bool = False
    question: Question | None = None

    def read(self, document: Mapping[str, Any]) -> Any:
        """The value in a task's document."""
        value: Any = document
        for name in self.path:
            value = value.get(name) if isinstance(value, dict) else None
        return self.kind.read(value)

    def of(self, detail: TaskDetail) -> Any:
        """The value of an opened task."""
        return getattr(detail, self.attribute)


PLAIN_FIELDS: Mapping[str, PlainField] = {
    field.name: field
    for field in (
        PlainField(
            "template",
            TaskField.TEMPLATE,
            "is_template",
            ("meta", "is_template"),
            WORD,
            shown=lambda value: "yes" if value else "",
            words=lambda value: "a template" if value else "an ordinary card",
            change=lambda name, value: (
                f"Make {quoted(name)} {'a template' if value else 'an ordinary card again'}"
            ),
            blank="no",
        ),
        PlainField(
            "cover",
            TaskField.COVER,
            "cover",
            ("settings", "cover", "backgroundColor"),
            TEXT,
            shown=lambda color: color_words(color) if color else "",
            words=lambda color: f"cover {color_words(color)}" if color else "no cover",
            change=lambda name, color: (
                f"{'Change' if color else 'Remove'} the cover of {quoted(name)}"
            ),
            is_color=True,
            question=Question("", lambda typed: read_color(typed) if typed else ""),
        ),
        PlainField(
            "contact",
            TaskField.CONTACT,
            "contact_id",
            ("crm_contact_id",),
            NUMBER,
            shown=lambda value: f"#{value} in the CRM" if value else "",
            words=contact_words,
            change=lambda name, value: f"Link {quoted(name)} to {contact_words(value)}",
            question=Question(
                "number of a contact in the CRM · leave empty for none", typed_contact
            ),
        ),
    )
}
"""The plain fields by the names of their changes, in the order of their rows."""
ASKED_FIELDS = {name: field.question for name, field in PLAIN_FIELDS.items() if field.question}
"""The questions of those that are asked for."""


class StageSetting(NamedTuple):
    """A setting of a stage: an `attribute` of `Stage`, a `member` of the document's settings.

    `change` says a change by the title of the stage.
    """

    name: str
    label: str
    attribute: str
    member: str
    kind: ValueKind
    change: Callable[[str, Any], str]

    def read(self, document: Mapping[str, Any]) -> Any:
        """The value in a stage's document; that of none if the service does not say."""
        settings = document.get("settings")
        return self.kind.read(settings.get(self.member) if isinstance(settings, dict) else None)

    def of(self, stage: Stage) -> Any:
        """The value of a stage."""
        return getattr(stage, self.attribute)


STAGE_SETTINGS: Mapping[str, StageSetting] = {
    setting.name: setting
    for setting in (
        StageSetting(
            "status",
            "status",
            "default_status",
            "default_task_status",
            STATUS,
            lambda title, status: (
                f"Set the stage {quoted(title)} to"
                f" {'close' if status is Status.CLOSED else 'keep open'} cards that arrive"
            ),
        ),
        StageSetting(
            "assignees",
            "default assignees",
            "default_assignees",
            "default_task_assignees",
            IDS,
            lambda title, ids: (
                f"{'Set' if ids else 'Remove'} the default assignees of the stage {quoted(title)}"
            ),
        ),
        StageSetting(
            "template",
            "template",
            "is_template",
            "is_template",
            SWITCH,
            lambda title, value: (
                f"Make the stage {quoted(title)}"
                f" {'a template' if value else 'an ordinary stage again'}"
            ),
        ),
    )
}
"""The settings of a stage by the names of their changes."""
