"""A query as a value: its terms, and how each is written.

A term that is printed and parsed again is the same term. Values are kept as typed; case and accents
count for nothing when they are matched.
"""

import re
from dataclasses import replace
from enum import Enum, StrEnum

from tui.record import record
from tui.text.fuzzy import fold


class Kind(StrEnum):
    """What a term is about; those with a key are written with it, as `due:week`."""

    WORD = "word"
    NUMBER = "number"
    PERSON = "person"
    FIELD = "field"
    LABEL = "label"
    STAGE = "stage"
    PRIORITY = "priority"
    DUE = "due"
    STATUS = "is"
    CHANGED = "changed"


class Special(Enum):
    """Values that are not names: `@me`, `@none` for unassigned, `Points:any` for any value."""

    ME = "me"
    NONE = "none"
    ANY = "any"


class Due(StrEnum):
    """Values of `due:`; a week is today and the following six days."""

    OVERDUE = "overdue"
    TODAY = "today"
    WEEK = "week"
    NONE = "none"


KEYS = {
    **{kind.value: kind for kind in Kind if kind not in tuple(Kind)[:4]},
    "p": Kind.PRIORITY,
}
"""The keys before a colon; any other is the title of a custom field."""
CHOICES: dict[Kind, dict[str, str]] = {
    Kind.PRIORITY: {"high": "high", "medium": "medium", "low": "low"},
    Kind.DUE: {**{due.value: due.value for due in Due}, "late": "overdue"},
    Kind.STATUS: {"open": "open", "closed": "closed"},
    Kind.CHANGED: {"yes": "yes", "no": "no"},
}
"""The values of keys that have only a few, by the words for them."""
SPECIALS: dict[Kind, tuple[Special, ...]] = {
    Kind.PERSON: (Special.ME, Special.NONE),
    Kind.LABEL: (Special.NONE,),
    Kind.FIELD: (Special.ANY, Special.NONE),
}
"""The special values of a kind; the same words in quotes are names."""
_NEEDS_QUOTES = re.compile(r'[\s"]')


@record
class Term:
    """What a task must have, or with `is_not` must not have; `field` is a custom field's title."""

    kind: Kind
    value: str | Special
    is_not: bool = False
    field: str = ""

    def print(self) -> str:
        """The term as it is typed."""
        return f"{'-' * self.is_not}{self._sign()}{self._value()}"

    def _sign(self) -> str:
        match self.kind:
            case Kind.WORD:
                return ""
            case Kind.NUMBER:
                return "#"
            case Kind.PERSON:
                return "@"
            case Kind.FIELD:
                return f"{printed_name(self.field)}:"
        return f"{self.kind}:"

    def _value(self) -> str:
        value = self.value
        if isinstance(value, Special):
            return value.value
        if self.kind is Kind.WORD:
            return quote(value) if value[0] in "-#@" or ":" in value else _bare(value)
        names = {one.value for one in SPECIALS.get(self.kind, ())}
        is_other = fold(value) in names or (self.kind is Kind.FIELD and value.startswith("//"))
        return quote(value) if is_other else _bare(value)


@record
class Query:
    """Terms that must all hold.

    Of several values of a field that has only one, such as a stage, one is enough.
    """

    terms: tuple[Term, ...] = ()

    def print(self) -> str:
        """The query as it is typed."""
        return " ".join(term.print() for term in self.terms)

    def of(self, kind: Kind, field: str = "") -> tuple[Term, ...]:
        """The terms of a kind that are not negated, of one custom field."""
        return tuple(
            term
            for term in self.terms
            if term.kind is kind and not term.is_not and fold(term.field) == fold(field)
        )

    def having(self, old: tuple[Term, ...], new: tuple[Term, ...]) -> "Query":
        """The query with some terms replaced by new ones at its end, which end their negations."""
        ended = {*old, *(replace(term, is_not=not term.is_not) for term in new)} - {*new}
        kept = tuple(term for term in self.terms if term not in ended)
        return Query((*kept, *(term for term in new if term not in kept)))


def printed_name(field: str) -> str:
    """The title of a custom field as it is typed before a colon."""
    is_plain = field[:1].isalpha() and ":" not in field and fold(field) not in KEYS
    return _bare(field) if is_plain else quote(field)


def quote(value: str) -> str:
    """A value in quotes."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _bare(value: str) -> str:
    """A value, in quotes only if it needs them."""
    return quote(value) if _NEEDS_QUOTES.search(value) or not value else value
