"""The filter of a board: the text typed after `/`, and the tasks it matches.

It can contain words, which must all occur in the title; `#12` for a task's id; `label:bug` or
`#bug`; `@ann` for an assignee by login, initials or a part of the name, `@me` for the user;
`priority:high` or `p:high`; `due:today|week|late|none`; `is:open|closed`. Values may be quoted, and
prefixes match, so that the board updates while typing. Several labels or people must all be on the
task; of several priorities, dates or states one is enough. Anything else is a plain word.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TypeVar

from tui.model.people import NO_INITIALS, Initials
from tui.model.task import Person, Priority, Status, Task
from tui.model.urgency import is_overdue
from tui.text.fuzzy import fold

DAYS_OF_A_WEEK = 7

Check = Callable[[Task], bool]

Choice = TypeVar("Choice", bound=StrEnum)


class Due(StrEnum):
    """Values of `due:`; a week is today and the following six days."""

    TODAY = "today"
    WEEK = "week"
    LATE = "late"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Filter:
    """The tasks to show. Words, labels and people are folded; empty parts match everything.

    `mine` matches tasks of the user `me`; none if the user's id is not known.
    """

    words: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    mine: bool = False
    me: int | None = None
    priorities: tuple[Priority, ...] = ()
    dues: tuple[Due, ...] = ()
    statuses: tuple[Status, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether every task matches."""
        return self == Filter(me=self.me)


_TERM = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
_LONGEST_ID = 19
_LONGEST_TYPED = 1_000
_BEGUN = frozenset({"", "#", "@", "label:", "priority:", "p:", "due:", "is:"})


def parse(typed: str, me: int | None = None) -> Filter:
    """Parse a typed filter; `me` is the user's id, if known.

    It never fails: unknown terms are words, and incomplete ones, like `label:`, match everything.
    Only the first 1,000 characters count.
    """
    wanted = Filter(me=me)
    for raw in _TERM.findall(typed[:_LONGEST_TYPED]):
        term = fold(raw.replace('"', ""))
        if raw.startswith('"'):
            wanted = replace(wanted, words=(*wanted.words, term))
        elif term not in _BEGUN:
            wanted = _with_sign(wanted, term) or _with_key(wanted, term)
    return wanted


def _with_sign(wanted: Filter, term: str) -> Filter | None:
    """The filter with a term that starts with `@` or `#`; None for other terms."""
    sign, value = term[0], term[1:]
    if term == "@me":
        return replace(wanted, mine=True)
    if sign == "@":
        return replace(wanted, people=(*wanted.people, value))
    if sign == "#" and value.isdecimal() and len(value) <= _LONGEST_ID:
        return replace(wanted, ids=(*wanted.ids, int(value)))
    if sign == "#":
        return replace(wanted, labels=(*wanted.labels, value))
    return None


def _with_key(wanted: Filter, term: str) -> Filter:
    """The filter with a term like `key:value`, or with a plain word."""
    key, _, value = term.partition(":")
    match key:
        case "label" if value:
            return replace(wanted, labels=(*wanted.labels, value))
        case "priority" | "p" if priority := _begun(value, Priority):
            return replace(wanted, priorities=(*wanted.priorities, priority))
        case "due" if due := _begun(value, Due):
            return replace(wanted, dues=(*wanted.dues, due))
        case "is" if status := _begun(value, Status):
            return replace(wanted, statuses=(*wanted.statuses, status))
    return replace(wanted, words=(*wanted.words, term))


def _begun(value: str, choices: type[Choice]) -> Choice | None:
    """The first of the choices that starts with `value`."""
    return next((choice for choice in choices if value and choice.startswith(value)), None)


def matches(task: Task, wanted: Filter, now: datetime) -> bool:
    """Whether the filter matches this task at the wall-clock time `now`; for many see `matcher`."""
    return matcher(wanted, now)(task)


def matcher(wanted: Filter, now: datetime, initials: Initials = NO_INITIALS) -> Check:
    """A function that matches many tasks at the wall-clock time `now`.

    `initials` are those of the people on the board.

    Cheap checks come first, and each label or person is checked once.
    """
    checks: list[Check] = []
    if wanted.statuses:
        checks.append(lambda task: task.status in wanted.statuses)
    if wanted.priorities:
        checks.append(lambda task: task.priority in wanted.priorities)
    if wanted.ids:
        checks.append(lambda task: task.id in wanted.ids)
    if wanted.mine:
        checks.append(lambda task: wanted.me in [person.id for person in task.assignees])
    checks += [partial(_is_due_in, wanted.dues, now)] if wanted.dues else []
    checks += [_label_check(part) for part in wanted.labels]
    checks += [_person_check(part, initials) for part in wanted.people]
    checks += [partial(_has_word, word) for word in wanted.words]
    return partial(_passes, checks)


def _passes(checks: list[Check], task: Task) -> bool:
    for check in checks:  # noqa: SIM110 - a generator takes three times as long
        if not check(task):
            return False
    return True


def _has_word(word: str, task: Task) -> bool:
    title = task.title
    return word in title.lower() or (not title.isascii() and word in fold(title))


def _label_check(part: str) -> Check:
    """Matches tasks with a label that has a word starting with `part`."""
    answers: dict[str, bool] = {}

    def check(task: Task) -> bool:
        for label in task.labels:
            answer = answers.get(label.title)
            if answer is None:
                answer = answers[label.title] = f" {part}" in f" {fold(label.title)}"
            if answer:
                return True
        return False

    return check


def _person_check(part: str, initials: Initials) -> Check:
    """Matches tasks with an assignee given by `part`."""
    answers: dict[int, bool] = {}

    def check(task: Task) -> bool:
        for person in task.assignees:
            answer = answers.get(person.id)
            if answer is None:
                answer = answers[person.id] = _is_person(person, part, initials)
            if answer:
                return True
        return False

    return check


def _is_person(person: Person, part: str, initials: Initials) -> bool:
    """Whether `part` begins the login or a name of the person, or is their initials."""
    return (
        f" {part}" in f" {fold(person.name)}"
        or fold(person.login).startswith(part)
        or fold(initials.get(person.id, person.initials)) == part
    )


def _is_due_in(dues: tuple[Due, ...], now: datetime, task: Task) -> bool:
    due_at = task.due_at
    if due_at is None:
        return Due.NONE in dues
    if Due.LATE in dues and is_overdue(task, now):
        return True
    days = due_at.date().toordinal() - now.toordinal()
    return (Due.TODAY in dues and days == 0) or (Due.WEEK in dues and 0 <= days < DAYS_OF_A_WEEK)


def describe(wanted: Filter, *, sign: str = "⌕") -> str:
    """The filter for the header line: `@me label:bug ⌕ login`; empty if it is."""
    terms = ["@me"] if wanted.mine else []
    terms += [f"@{part}" for part in wanted.people]
    terms += [f"#{task_id}" for task_id in wanted.ids]
    terms += [f"label:{part}" for part in wanted.labels]
    terms += [f"priority:{priority}" for priority in wanted.priorities]
    terms += [f"due:{due}" for due in wanted.dues]
    terms += [f"is:{status}" for status in wanted.statuses]
    if wanted.words:
        terms.append(f"{sign} {' '.join(wanted.words)}")
    return "  ".join(terms)
