"""The terms of the query language, each declared once.

The parser, completion in the program and in shells, the lists to pick from, the help and the tests
derive from this table; only what a term checks is in `matching`. Completion in shells must answer
at once, so this imports next to nothing.
"""

import re
from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import NamedTuple

from tui.text.fuzzy import fold

_NEEDS_QUOTES = re.compile(r'[\s"]|\A\Z')


class TermKind(StrEnum):
    """What a term is about, the cheapest to match first."""

    STATUS = "is"
    PRIORITY = "priority"
    STAGE = "stage"
    NUMBER = "number"
    CHANGED = "changed"
    DUE = "due"
    BLOCKED = "blocked"
    BLOCKS = "blocks"
    LABEL = "label"
    PERSON = "person"
    FIELD = "field"
    WORD = "word"


class Special(Enum):
    """Values that are not names: `@me`, `@none` for unassigned, `Points:any` for any value."""

    ME = "me"
    NONE = "none"
    ANY = "any"


class Due(StrEnum):
    """Values of `due:`; of a week only what is still to come."""

    OVERDUE = "overdue"
    TODAY = "today"
    WEEK = "week"
    NONE = "none"


class StatusValue(StrEnum):
    """Values of `is:`."""

    OPEN = "open"
    CLOSED = "closed"
    TEMPLATE = "template"
    BLOCKED = "blocked"
    """By a card or a label."""


_SWITCH = {"yes": "yes", "no": "no"}


class TermForm(NamedTuple):
    """How a kind of term is typed, picked and explained.

    - `about`: which cards it finds, for the help.
    - `examples`: how it is typed, for the help; without any, the help lists the choices.
    - `keys`: what may precede a colon; the first one is printed.
    - `sign`: what precedes the value of a kind without keys.
    - `choices`: all values by what may be typed for them, if there are only a few.
    - `specials`: values that are not names; the same words in quotes are names.
    - `title`: the heading of the values in the list to pick from; it leaves out a kind without.
    - `words`: values as they are worded in that list, if not as they are typed.
    - `has_several`: whether a task may have several values, so that every term has to hold.
    """

    about: str
    examples: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    sign: str = ""
    choices: Mapping[str, str] = MappingProxyType({})
    specials: tuple[Special, ...] = ()
    title: str = ""
    words: Mapping[str | Special, str] = MappingProxyType({})
    has_several: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether the values are yes, which need not be typed, and no."""
        return self.choices == _SWITCH

    @property
    def values(self) -> tuple[str, ...]:
        """The choices, each once."""
        return tuple(dict.fromkeys(self.choices.values()))

    def typed(self, value: str) -> str:
        """A value as it must be typed, so that all of it is read, and as a name."""
        is_special = fold(value) in {special.value for special in self.specials}
        return quote(value) if is_special else quoted_if_needed(value)


def quoted_if_needed(value: str) -> str:
    """A value in quotes if it would not be read as one without."""
    return quote(value) if _NEEDS_QUOTES.search(value) else value


def quote(value: str) -> str:
    """A value in quotes."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


TERMS: Mapping[TermKind, TermForm] = {
    TermKind.WORD: TermForm(
        "with these words in the title or description",
        examples=("login", '"the login"'),
        has_several=True,
    ),
    TermKind.NUMBER: TermForm("with this number", examples=("#12",), sign="#"),
    TermKind.LABEL: TermForm(
        "with this label, or without labels",
        examples=("label:bug", "#bug", "label:none"),
        keys=("label",),
        specials=(Special.NONE,),
        title="Label",
        words={Special.NONE: "no label"},
        has_several=True,
    ),
    TermKind.PERSON: TermForm(
        "assigned to Ann (name, login or initials), to me, or unassigned",
        examples=("@ann", "@me", "@none"),
        sign="@",
        specials=(Special.ME, Special.NONE),
        title="Person",
        words={Special.NONE: "unassigned"},
        has_several=True,
    ),
    TermKind.PRIORITY: TermForm(
        "with this priority",
        examples=("priority:high", "p:h"),
        keys=("priority", "p"),
        choices={"high": "high", "medium": "medium", "low": "low"},
        title="Priority",
    ),
    TermKind.DUE: TermForm(
        "by due date; `week` is the rest of this week",
        keys=("due",),
        choices={**{due.value: due.value for due in Due}, "late": "overdue"},
        title="Due date",
        words={"week": "rest of this week", "none": "no due date"},
    ),
    TermKind.STATUS: TermForm(
        "that are open, closed, templates or blocked; a template is not open",
        keys=("is",),
        choices={being.value: being.value for being in StatusValue},
        title="Status",
    ),
    TermKind.BLOCKED: TermForm(
        "blocked by this card, by any card, or by none",
        examples=("blocked:#12", "blocked:any", "blocked:none"),
        keys=("blocked",),
        specials=(Special.ANY, Special.NONE),
        has_several=True,
    ),
    TermKind.BLOCKS: TermForm(
        "that block this card, any card, or none",
        examples=("blocks:#12", "blocks:any"),
        keys=("blocks",),
        specials=(Special.ANY, Special.NONE),
        has_several=True,
    ),
    TermKind.STAGE: TermForm(
        "in this stage; several values match any of them",
        examples=("stage:review",),
        keys=("stage",),
        title="Stage",
    ),
    TermKind.FIELD: TermForm(
        "by the value of a custom field",
        examples=('"Story points":5', "Area:any", "Area:none"),
        specials=(Special.ANY, Special.NONE),
        words={Special.NONE: "no value", Special.ANY: "any value"},
    ),
    TermKind.CHANGED: TermForm(
        "that others changed since you last looked",
        examples=("changed:yes",),
        keys=("changed",),
        choices=_SWITCH,
        title="Changed by others",
    ),
}
"""How each kind is typed, in the order in which people read them."""
KEYS = {key: kind for kind, form in TERMS.items() for key in form.keys}
"""The keys before a colon; any other is the title of a custom field."""
