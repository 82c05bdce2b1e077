"""The keys of the query language and the values of those that have a few, for all that read it.

Completion in shells reads this alone, as it must answer at once.
"""

from enum import Enum, StrEnum


class Kind(StrEnum):
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


_WITH_KEY = (Kind.LABEL, Kind.STAGE, Kind.PRIORITY, Kind.DUE, Kind.STATUS, Kind.CHANGED)
KEYS = {**{kind.value: kind for kind in _WITH_KEY}, "p": Kind.PRIORITY}
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
