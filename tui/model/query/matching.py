"""Which tasks a query matches.

Cheap checks come first, and each label, person and description is read once.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias, TypeVar

from tui.model.board import BoardView
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.fields.values import is_checked
from tui.model.people import initials_of
from tui.model.query.language import (
    Query,
    QueryContext,
    Term,
    meaning,
    name_of_label,
    names_of_person,
)
from tui.model.query.terms import Due, Special, StatusValue, TermKind
from tui.model.task import Label, Person, Task
from tui.model.urgency import is_overdue
from tui.text.dates import end_of_week
from tui.text.fuzzy import fold, folded_words

_DESCRIPTIONS = 20_000
"""How many descriptions are kept without their tags, for the next key."""

Check: TypeAlias = Callable[[Task], bool]
_Thing = TypeVar("_Thing")


def filtered(whole: BoardView, query: Query, about: QueryContext) -> BoardView:
    """The board with the tasks that match; `whole` itself if all do."""
    if not query.terms:
        return whole
    matches = matcher(query, about)
    # Of a board with very many cards those of the user are read, and no others.
    own = Term(TermKind.PERSON, Special.ME) in query.terms
    own_id = about.me if own else None
    tasks = {
        stage.id: tuple(
            task
            for chunk in whole.in_stage(stage.id).chunks
            if own_id is None or chunk.may_have(own_id)
            for task in chunk.tasks
            if matches(task)
        )
        for stage in whole.stages
    }
    return replace(whole, tasks=tasks)


def term_to_drop(whole: BoardView, query: Query, about: QueryContext) -> tuple[Term, int] | None:
    """The term without which the most tasks match, and their number; None if it is of no use."""
    counts = []
    for term in query.terms:
        matches = matcher(Query(tuple(other for other in query.terms if other != term)), about)
        counts.append((term, sum(map(matches, whole.all_tasks()))))
    best = max(counts, key=lambda pair: pair[1], default=None)
    return best if best is not None and best[1] else None


def matcher(query: Query, about: QueryContext) -> Check:
    """A function that tells which tasks match."""
    alternatives: defaultdict[tuple[TermKind, object], list[Check]] = defaultdict(list)
    order = list(TermKind)
    # `TermKind` is in the order of cost: cheap checks rule out most tasks first.
    for term in sorted(query.terms, key=lambda term: order.index(term.kind)):
        check = _CHECKS[term.kind](term, about)
        # Terms of a kind that has one value per task, such as the stage, are alternatives.
        alternatives[term.kind, term if term.is_alone else fold(term.field)].append(
            _negated(check) if term.is_not else check
        )
    checks = [_any_of(group) for group in alternatives.values()]

    def passes(task: Task) -> bool:
        for check in checks:  # noqa: SIM110 - a generator takes three times as long
            if not check(task):
                return False
        return True

    return passes


def _negated(check: Check) -> Check:
    return lambda task: not check(task)


def _any_of(checks: Sequence[Check]) -> Check:
    return checks[0] if len(checks) == 1 else lambda task: any(check(task) for check in checks)


def _word_check(term: Term, _: QueryContext) -> Check:
    word = fold(str(term.value))

    def has_word(task: Task) -> bool:
        title, description = task.title, task.description
        if word in title.lower() or (not title.isascii() and word in fold(title)):
            return True
        return (description != "" and _is_described(word, description)) or word == str(task.id)

    return has_word


def _is_described(word: str, description: str) -> bool:
    """Whether a description has a word; most are ruled out without leaving out their tags."""
    is_plain = description.isascii() and "&" not in description and " " not in word
    if is_plain and word not in description.lower():
        return False
    return word in _words_of(description)


_words_of = lru_cache(_DESCRIPTIONS)(folded_words)


def _due_check(term: Term, about: QueryContext) -> Check:
    if term.value == Due.NONE:
        return lambda task: task.due_at is None
    if term.value == Due.OVERDUE:
        return lambda task: is_overdue(task, about.now)
    if term.value == Due.WEEK:  # as the bar of the board counts it
        begin, end = about.now.replace(second=0, microsecond=0), end_of_week(about.now)
        return lambda task: task.due_at is not None and begin <= task.due_at < end
    today = about.now.toordinal()
    return lambda task: task.due_at is not None and task.due_at.toordinal() == today


class _Answers(dict[_Thing, bool]):
    """A cache of whether things are wanted, which is computed once for each."""

    def __init__(self, is_wanted: Callable[[_Thing], bool]) -> None:
        super().__init__()
        self._is_wanted = is_wanted

    def __missing__(self, thing: _Thing) -> bool:
        answer = self[thing] = self._is_wanted(thing)
        return answer


def _status_check(term: Term, about: QueryContext) -> Check:
    if term.value == StatusValue.BLOCKED:
        return about.relations.is_blocked
    return _STATUS_CHECKS[StatusValue(term.name)]


def _blocked_check(term: Term, about: QueryContext) -> Check:
    blocking = about.relations.blocking
    if isinstance(term.value, Special):
        return lambda task: bool(blocking(task)) == (term.value is Special.ANY)
    card_id = int(term.value.removeprefix("#"))
    return lambda task: any(card.id == card_id for card in blocking(task))


def _blocks_check(term: Term, about: QueryContext) -> Check:
    relations = about.relations
    if isinstance(term.value, Special):
        return lambda task: bool(relations.held_up(task)) == (term.value is Special.ANY)
    card = relations.cards.get(int(term.value.removeprefix("#")))
    ids = set() if card is None else {blocked.id for blocked in relations.blocking(card)}
    return lambda task: task.id in ids


def _stage_check(term: Term, about: QueryContext) -> Check:
    is_meant = meaning(str(term.value), ((stage.title,) for stage in about.stages))
    stages = {stage.id for stage in about.stages if is_meant((stage.title,))}
    return lambda task: task.stage_id in stages


def _label_check(term: Term, about: QueryContext) -> Check:
    if isinstance(term.value, Special):
        return lambda task: not task.labels
    is_meant = meaning(term.value, ((name_of_label(label),) for label in about.labels))
    is_label = _Answers[Label](lambda label: is_meant((name_of_label(label),))).__getitem__
    return lambda task: any(map(is_label, task.labels))


def _person_check(term: Term, about: QueryContext) -> Check:
    if term.value is Special.NONE:
        return lambda task: not task.assignees
    if term.value is Special.ME:
        return lambda task: any(person.id == about.me for person in task.assignees)
    part, initials = fold(term.name), initials_of(about.people)
    is_meant = meaning(term.name, map(names_of_person, about.people))

    def is_person(person: Person) -> bool:
        own = initials.get(person.id, person.initials)
        return is_meant(names_of_person(person)) or fold(own) == part

    is_wanted = _Answers[Person](is_person).__getitem__
    return lambda task: any(map(is_wanted, task.assignees))


def _field_check(term: Term, about: QueryContext) -> Check:
    """Whether a task has a value of a custom field, or none; an unchecked checkbox has none."""
    fields, wanted = about.fields_called(term.field), term.value
    if isinstance(wanted, str) and all(field.is_checkbox for field in fields):
        wanted = Special.ANY if is_checked(fold(wanted)) else Special.NONE
    fits = {field.id: _value_check(field, wanted) for field in fields}

    def check(task: Task) -> bool:
        values = (value for value in about.values(task) if value.field_id in fits)
        return any(fits[value.field_id](value) for value in values) != (wanted is Special.NONE)

    return check


def _value_check(field: CustomField, wanted: str | Special) -> Callable[[FieldValue], bool]:
    """Whether a value of a field is the wanted one: a number the same, other text a part of it."""
    if field.is_checkbox and isinstance(wanted, Special):
        return lambda value: is_checked(value.value)
    if isinstance(wanted, Special):
        return lambda value: value.value != ""
    part = fold(wanted)
    if field.type is FieldType.NUMBER and (number := _number(part)) is not None:
        return lambda value: _number(value.in_words) == number
    if part in map(fold, field.options):
        return lambda value: fold(value.in_words) == part
    return lambda value: part in fold(value.in_words)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


_STATUS_CHECKS: dict[StatusValue, Check] = {
    StatusValue.OPEN: lambda task: task.is_open,
    StatusValue.CLOSED: lambda task: task.is_closed,
    StatusValue.TEMPLATE: lambda task: task.is_template,
}
_CHECKS: dict[TermKind, Callable[[Term, QueryContext], Check]] = {
    TermKind.STATUS: _status_check,
    TermKind.BLOCKED: _blocked_check,
    TermKind.BLOCKS: _blocks_check,
    TermKind.PRIORITY: lambda term, _: lambda task: task.priority == term.value,
    TermKind.NUMBER: lambda term, _: lambda task: str(task.id) == term.value,
    TermKind.CHANGED: lambda term, about: (
        lambda task: (task.id in about.changed) == (term.value == "yes")
    ),
    TermKind.DUE: _due_check,
    TermKind.STAGE: _stage_check,
    TermKind.LABEL: _label_check,
    TermKind.PERSON: _person_check,
    TermKind.FIELD: _field_check,
    TermKind.WORD: _word_check,
}
"""What tells whether a task has what a term says, without its negation."""
