"""What services call things, in words of people: columns, kinds of reminders, the first group.

What a service names for programs is never shown as it is. A name that is not known here loses its
underscores and what only programs need, such as “is” and “id”.
"""

import re
from functools import lru_cache

DEFAULT_GROUP = "Default Subtask Group"
"""The title that services give to a task's first group."""

_COLUMNS = {
    "archived at": "archive",
    "board id": "board",
    "created at": "creation date",
    "crm contact id": "contact",
    "due at": "due date",
    "last completed at": "completion",
    "lead value": "worth",
    "parent id": "parent card",
    "remind at": "reminder",
    "reminder type": "reminder",
    "stage id": "stage",
    "started at": "start date",
    "updated at": "last change",
}
_REMINDERS = {"none": "", "on due date": "on the due date"}
_KNOWN = re.compile(rf"\b(?:{'|'.join(_COLUMNS).replace(' ', '_')})\b")
_FOR_PROGRAMS = re.compile(r"^(is|has) | (id|at)$")


def group_in_words(title: str) -> str:
    """The title of a group of subtasks, for the user."""
    return "Subtasks" if title == DEFAULT_GROUP else title


@lru_cache
def column_in_words(column: str) -> str:
    """A column of a service, or what an activity is about: “due date” for `due_at`."""
    name = _spaced(column)
    return _COLUMNS.get(name) or _FOR_PROGRAMS.sub("", name)


def columns_in_words(text: str) -> str:
    """A message of a service, with its columns in words; other names in it may be people's own."""
    return _KNOWN.sub(lambda column: column_in_words(column[0]), text)


def reminder_in_words(kind: str) -> str:
    """The kind of a reminder: “on the due date” for `on_due_date`; empty for none."""
    name = _spaced(kind)
    return _REMINDERS.get(name, name)


def _spaced(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.strip().casefold())).strip()
