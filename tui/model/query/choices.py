"""The keys of the query language and the values of those that have a few, for all that read it.

Completion in shells reads this alone, as it must answer at once.
"""

from enum import Enum, StrEnum


class TermKind(StrEnum):
    """What a term is about, the cheapest to match first."""

    STATUS = "is"
    PRIORITY = "priority"
    STAGE = "stage"
    NUMBER = "number"
    CHANGED = "changed"
    DUE = "due"
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


_WITH_KEY = (
    TermKind.LABEL,
    TermKind.STAGE,
    TermKind.PRIORITY,
    TermKind.DUE,
    TermKind.STATUS,
    TermKind.CHANGED,
)
KEYS = {**{kind.value: kind for kind in _WITH_KEY}, "p": TermKind.PRIORITY}
"""The keys before a colon; any other is the title of a custom field."""
CHOICES: dict[TermKind, dict[str, str]] = {
    TermKind.PRIORITY: {"high": "high", "medium": "medium", "low": "low"},
    TermKind.DUE: {**{due.value: due.value for due in Due}, "late": "overdue"},
    TermKind.STATUS: {"open": "open", "closed": "closed"},
    TermKind.CHANGED: {"yes": "yes", "no": "no"},
}
"""The values of keys that have only a few, by the words for them."""
SPECIALS: dict[TermKind, tuple[Special, ...]] = {
    TermKind.PERSON: (Special.ME, Special.NONE),
    TermKind.LABEL: (Special.NONE,),
    TermKind.FIELD: (Special.ANY, Special.NONE),
}
"""The special values of a kind; the same words in quotes are names."""
