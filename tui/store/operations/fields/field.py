"""What a field that an `Edit` sets consists of.

A value is stored as texts in the form that is sent: "" for none, a date as `YYYY-MM-DD HH:MM:SS`,
yes and no as the service has them. Nearly every field has one text; a label and a custom field have
three.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from tui.client.errors import NotFound
from tui.model.board import BoardView
from tui.model.detail import TaskField
from tui.model.ids import BoardId, FieldId, GroupId, Kind, LabelId, StageId, TaskId
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.reading import fetch_task, folded, is_no_date
from tui.store.remote import Remote
from tui.text import dates
from tui.text.clean import line

Value: TypeAlias = tuple[str | None, ...]
"""The texts of a field; None leaves one unchanged."""

TRUE, FALSE = "true", "false"
_LONGEST_DATE = len("YYYY-MM-DD HH:MM:SS")


@record
class EditTarget:
    """What is edited: the board, or a stage, label, custom field, group or task on it.

    The group of a task is given beside the task. `name` is its title in descriptions.
    """

    board_id: BoardId
    name: str = ""
    task_id: TaskId | None = None
    group_id: GroupId | None = None
    stage_id: StageId | None = None
    label_id: LabelId | None = None
    field_id: FieldId | None = None

    @property
    def kind(self) -> Kind:
        """Its kind; called for every pending change whenever one is added."""
        if self.group_id is not None:
            return "subtask_group"
        if self.stage_id is not None:
            return "stage"
        if self.label_id is not None:
            return "label"
        if self.field_id is not None:
            return "field"
        return "board" if self.task_id is None else "task"

    @property
    def id(self) -> int:
        """Its id."""
        things = (self.group_id, self.stage_id, self.label_id, self.field_id)
        named = (*things, self.task_id, self.board_id)
        return next(some_id for some_id in named if some_id is not None)


class FieldDelivery(NamedTuple):
    """Where a value is sent; `truth` is the board without pending changes."""

    remote: Remote
    target: EditTarget
    truth: BoardView
    base: Value | None

    @property
    def ids(self) -> tuple[int, int]:
        """The ids of the board and of the target."""
        return self.target.board_id, self.target.id

    async def task(self) -> Document:
        """The task to change as it is now. Raises `NotFound`."""
        current = await fetch_task(self.remote, *self.ids)
        if current is None:
            raise NotFound("The card was deleted.", status=404)
        return current


class FieldPart(NamedTuple):
    """One text of a field.

    `label` is its name for the user. `read` reads it from a document, `spell` from a model value,
    where None means not known. `comparable` ignores what services change, `in_words` is the text
    shown.
    """

    label: str
    read: Callable[[Document], str]
    spell: Callable[[Any], str | None]
    comparable: Callable[[str], str] = folded
    in_words: Callable[[str], str] = line


class Merge(NamedTuple):
    """How two versions of a text are merged.

    `merge` returns None on conflict; `draft` is the user's starting text then, `typed` converts
    what they typed. Each gets the base, ours and theirs. Two versions of a set always merge, so
    that it has no `draft`.
    """

    merge: Callable[[str, str, str], str | None]
    draft: Callable[[str, str, str], str] | None = None
    typed: Callable[[str, str], str] = lambda typed, _: typed


@record
class Field:
    """A field that can be set.

    `draw` gets a model value and the texts, `send` a delivery and the texts, `words` the target's
    name, the base and the texts. `check` raises `ValueError` for an invalid text. A field that is
    not `is_on_board` is drawn in the opened task only; one that `is_on_card` on its card as well.
    One that is not `is_compared` never conflicts; one that `is_whole` conflicts with a change of
    any text, and takes a request for each. `names_it` says that its value is its target's name,
    `row` is its row in an opened task. `noun` is its name where the value need not be said; empty
    if `words` say it better.
    """

    parts: tuple[FieldPart, ...]
    draw: Callable[..., Any]
    send: Callable[..., Awaitable[Document]]
    words: Callable[..., str]
    is_on_board: bool = True
    is_on_card: bool = False
    is_compared: bool = True
    is_whole: bool = False
    names_it: bool = False
    noun: str = ""
    merging: Merge | None = None
    row: TaskField | None = None
    check: Callable[[str], object] = str

    @property
    def is_set(self) -> bool:
        """Whether it is a set, or whether something is in one; sets never conflict."""
        return self.merging is not None and self.merging.draft is None

    def read(self, document: Document) -> Value:
        """The value in a document."""
        return tuple(part.read(document) for part in self.parts)

    def spell(self, thing: Any) -> Value | None:
        """The value in a model value, if known."""
        texts = tuple(part.spell(thing) for part in self.parts)
        return None if texts[0] is None else texts

    def same(self, value: Value, other: Value) -> bool:
        """Whether two values are equal but for what services change."""
        return not any(self.differing(value, other))

    def differing(self, value: Value, other: Value) -> tuple[bool, ...]:
        """Which of the texts differ; None never does."""
        return tuple(
            a is not None and b is not None and part.comparable(a) != part.comparable(b)
            for part, a, b in zip(self.parts, value, other, strict=False)
        )


def plain_field(
    label: str,
    attribute: str,
    words: Callable[[str, str], str],
    send: Callable[..., Awaitable[Document]],
    *,
    read: Callable[[Document], str],
    spell: Callable[[Any], str] = str,
    parse: Callable[[str], object] = str,
    comparable: Callable[[str], str] = folded,
    in_words: Callable[[str], str] = lambda value: line(value) or "none",
    **others: Any,
) -> Field:
    """A field of one text, kept in one attribute of the model value.

    `spell` converts the attribute to text and `parse` back; `words` get the target's name and the
    text.
    """

    def spelled(shown: Any) -> str:
        return spell(getattr(shown, attribute))

    return Field(
        (FieldPart(label, read, spelled, comparable, in_words),),
        draw=lambda shown, value: replace(shown, **{attribute: parse(value)}),
        send=send,
        words=lambda name, _, value: words(name, value),
        check=parse,
        **others,
    )


def text_of(name: str) -> Callable[[Document], str]:
    """A function that reads a text of a document, by its name."""
    return lambda document: "" if document.get(name) is None else str(document[name])


def spelt(value: str | bool | None) -> str:
    """A value as text: `true` or `false`, empty for none."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return value or ""


def is_true(value: str) -> bool:
    """Whether a text is `true`. Raises `ValueError` if it is neither that nor `false`."""
    if value not in (TRUE, FALSE):
        raise ValueError(value)
    return value == TRUE


def within(document: Document, name: str) -> Document:
    """The object of this name in a document; empty if it has none."""
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def moment(value: str) -> datetime | None:
    """The wall-clock time in a text; None for an empty one. Raises `ValueError`."""
    return datetime.fromisoformat(value) if value else None


def stamp(moment: datetime | None) -> str:
    """A wall-clock time as it is sent: `YYYY-MM-DD HH:MM:SS`; empty for none."""
    return "" if moment is None else moment.isoformat(sep=" ", timespec="seconds")[:_LONGEST_DATE]


def date_in_words(value: object, *, has_clock: bool = True) -> str:
    """A time stamp for the user; “none” for no date."""
    shown = comparable_stamp(value)
    try:
        when = moment(shown)
    except ValueError:
        return line(shown)
    return "none" if when is None else dates.in_words(when, has_clock=has_clock)


def comparable_stamp(value: object) -> str:
    """A time stamp of a service in a comparable form; "" for no date."""
    return "" if is_no_date(value) else str(value).replace("T", " ")[:_LONGEST_DATE]
