"""Which tasks a query matches.

Cheap checks come first, and each label, person and description is read once.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeAlias, TypeVar

from tui.model.board import BoardView
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.fields.values import is_checked
from tui.model.people import initials_of
from tui.model.query.about import About, meaning, name_of_label, names_of_person
from tui.model.query.terms import Due, Kind, Query, Special, Term
from tui.model.task import Label, Person, Task
from tui.model.urgency import is_overdue
from tui.text.clean import unescaped
from tui.text.fuzzy import fold

DAYS_OF_A_WEEK = 7
_TAG = re.compile(r"<[^<>]*>")
_DESCRIPTIONS = 20_000
"""How many descriptions are kept without their tags, for the next key."""

Check: TypeAlias = Callable[[Task], bool]
_Thing = TypeVar("_Thing", Label, Person)

_ONE_IS_ENOUGH = {
    *(Kind.NUMBER, Kind.STATUS, Kind.PRIORITY, Kind.STAGE, Kind.DUE, Kind.CHANGED, Kind.FIELD)
}
_BY_COST = (Kind.STATUS, Kind.PRIORITY, Kind.STAGE, Kind.NUMBER, Kind.CHANGED, Kind.DUE,
            Kind.LABEL, Kind.PERSON, Kind.FIELD, Kind.WORD)  # fmt: skip


def matcher(query: Query, about: About) -> Check:
    """A function that tells which tasks match."""
    alternatives: defaultdict[tuple[Kind, object], list[Check]] = defaultdict(list)
    for term in sorted(query.terms, key=lambda one: _BY_COST.index(one.kind)):
        check = _check(term, about)
        if term.is_not:
            alternatives[term.kind, term].append(partial(_fails, check))
        elif term.kind in _ONE_IS_ENOUGH:
            alternatives[term.kind, fold(term.field)].append(check)
        else:
            alternatives[term.kind, term].append(check)
    return partial(_passes, [_any_of(checks) for checks in alternatives.values()])


def filtered(whole: BoardView, query: Query, about: About) -> BoardView:
    """The board with the tasks that match; `whole` itself if all do."""
    if not query.terms:
        return whole
    matches = matcher(query, about)
    tasks = {
        stage.id: tuple(task for task in whole.in_stage(stage.id) if matches(task))
        for stage in whole.stages
    }
    return replace(whole, tasks=tasks)


def term_to_drop(whole: BoardView, query: Query, about: About) -> tuple[Term, int] | None:
    """The term without which the most tasks match, and their number; None if it is of no use."""
    counts = []
    for term in query.terms:
        matches = matcher(Query(tuple(each for each in query.terms if each != term)), about)
        counts.append((term, sum(map(matches, whole.all_tasks()))))
    best = max(counts, key=lambda each: each[1], default=None)
    return best if best is not None and best[1] else None


def _passes(checks: Sequence[Check], task: Task) -> bool:
    for check in checks:  # noqa: SIM110 - a generator takes three times as long
        if not check(task):
            return False
    return True


def _any_of(checks: Sequence[Check]) -> Check:
    return checks[0] if len(checks) == 1 else lambda task: any(check(task) for check in checks)


def _fails(check: Check, task: Task) -> bool:
    return not check(task)


def _check(term: Term, about: About) -> Check:
    """A function that tells whether a task has what a term says, without its negation."""
    value = term.value
    checks: dict[Kind, Callable[[], Check]] = {
        Kind.STATUS: lambda: lambda task: task.status == value,
        Kind.PRIORITY: lambda: lambda task: task.priority == value,
        Kind.NUMBER: lambda: lambda task: str(task.id) == value,
        Kind.CHANGED: lambda: lambda task: (task.id in about.changed) == (value == "yes"),
        Kind.DUE: lambda: partial(_is_due, Due(str(value)), about),
        Kind.STAGE: lambda: _stage_check(str(value), about),
        Kind.LABEL: lambda: _label_check(value, about),
        Kind.PERSON: lambda: _person_check(value, about),
        Kind.FIELD: lambda: _field_check(term, about),
        Kind.WORD: lambda: partial(_has_word, fold(str(value))),
    }
    return checks[term.kind]()


def _has_word(word: str, task: Task) -> bool:
    title, description = task.title, task.description
    if word in title.lower() or (not title.isascii() and word in fold(title)):
        return True
    return (description != "" and _is_described(word, description)) or word == str(task.id)


def _is_described(word: str, description: str) -> bool:
    """Whether a description has a word; most are ruled out without leaving out their tags."""
    is_plain = description.isascii() and "&" not in description and " " not in word
    if is_plain and word not in description.lower():
        return False
    return word in words_of(description)


@lru_cache(_DESCRIPTIONS)
def words_of(description: str) -> str:
    """The folded words of a description in HTML, each followed by one blank."""
    return fold(" ".join(unescaped(_TAG.sub(" ", description)).split()))


def _is_due(due: Due, about: About, task: Task) -> bool:
    due_at = task.due_at
    if due_at is None or due is Due.NONE:
        return due_at is None and due is Due.NONE
    if due is Due.OVERDUE:
        return is_overdue(task, about.now)
    days = due_at.date().toordinal() - about.now.toordinal()
    return 0 <= days < (DAYS_OF_A_WEEK if due is Due.WEEK else 1)


def _stage_check(value: str, about: About) -> Check:
    is_meant = meaning(value, ((one.title,) for one in about.stages))
    stages = {one.id for one in about.stages if is_meant((one.title,))}
    return lambda task: task.stage_id in stages


def _label_check(value: str | Special, about: About) -> Check:
    if isinstance(value, Special):
        return lambda task: not task.labels
    is_meant = meaning(value, ((name_of_label(one),) for one in about.labels))
    return _has_one(lambda task: task.labels, lambda label: is_meant((name_of_label(label),)))


def _person_check(value: str | Special, about: About) -> Check:
    if value is Special.NONE:
        return lambda task: not task.assignees
    if value is Special.ME:
        return lambda task: any(person.id == about.me for person in task.assignees)
    part, initials = fold(str(value)), initials_of(about.people)
    is_meant = meaning(str(value), map(names_of_person, about.people))

    def is_it(person: Person) -> bool:
        own = initials.get(person.id, person.initials)
        return is_meant(names_of_person(person)) or fold(own) == part

    return _has_one(lambda task: task.assignees, is_it)


def _has_one(things: Callable[[Task], Sequence[_Thing]], is_it: Callable[[_Thing], bool]) -> Check:
    """Whether one of a task's things is it; each is asked about once."""
    answers: dict[_Thing, bool] = {}

    def check(task: Task) -> bool:
        for thing in things(task):
            answer = answers.get(thing)
            if answer is None:
                answer = answers[thing] = is_it(thing)
            if answer:
                return True
        return False

    return check


def _field_check(term: Term, about: About) -> Check:
    """Whether a task has a value of a custom field, or none; an unchecked checkbox has none."""
    fields, wanted = about.fields_called(term.field), term.value
    if isinstance(wanted, str) and all(field.is_checkbox for field in fields):
        wanted = Special.ANY if is_checked(fold(wanted)) else Special.NONE
    fits = {field.id: _value_check(field, wanted) for field in fields}

    def check(task: Task) -> bool:
        found = any(fits[one.field_id](one) for one in about.values(task) if one.field_id in fits)
        return found != (wanted is Special.NONE)

    return check


def _value_check(field: CustomField, wanted: str | Special) -> Callable[[FieldValue], bool]:
    """Whether a value of a field is the wanted one: a number the same, other text a part of it."""
    if field.is_checkbox and isinstance(wanted, Special):
        return lambda one: is_checked(one.value)
    if isinstance(wanted, Special):
        return lambda one: one.value != ""
    part = fold(wanted)
    if field.type is FieldType.NUMBER and (number := _number(part)) is not None:
        return lambda one: _number(one.in_words) == number
    if part in map(fold, field.options):
        return lambda one: fold(one.in_words) == part
    return lambda one: part in fold(one.in_words)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
