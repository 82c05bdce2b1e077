"""The query language: its terms, reading what is typed, and completing it.

A term that is printed and parsed again is the same term. Values are kept as typed; case and accents
count for nothing when they are matched. Reading never fails, so that the cards follow every key:
what is not understood is left out and reported with its place.
"""

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import field as attribute, replace
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from tui.errors import WrongInput
from tui.model.board import BoardView, Stage
from tui.model.colors import color_name
from tui.model.custom_field import CustomField, FieldValue
from tui.model.people import Account, initials_of, mention_name
from tui.model.query.terms import (
    KEYS,
    TERMS,
    Special,
    StatusValue,
    TermKind,
    quote,
    quoted_if_needed,
)
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.task import Label, Person, Task
from tui.record import record
from tui.text.cells import width
from tui.text.clean import line, quoted
from tui.text.fuzzy import comparable, fold, rank

MOST = 12
"""How many completions are given."""
SIMILAR = 3
_LEAST_SIMILAR = 0.4
TERM = re.compile(r'(?:[^\s"]|"(?:\\.|[^"\\])*"?)+', re.DOTALL)
"""A term: everything up to a blank that is not in quotes."""
_PIECE = re.compile(r'"((?:\\.|[^"\\])*)("?)|([^"]+)', re.DOTALL)
_ESCAPE = re.compile(r'\\([\\"])')
_LONGEST_ID, _LONGEST_TYPED = 19, 4_000
_OF_CARDS = (TermKind.BLOCKED, TermKind.BLOCKS)


@record
class Term:
    """What a task must have, or with `is_not` must not have; `field` is a custom field's title."""

    kind: TermKind
    value: str | Special
    is_not: bool = False
    field: str = ""

    @property
    def is_alone(self) -> bool:
        """Whether it has to hold whatever others of its kind say."""
        is_blocked = self.kind is TermKind.STATUS and self.value == StatusValue.BLOCKED
        return self.is_not or TERMS[self.kind].has_several or is_blocked

    @property
    def name(self) -> str:
        """The value as a word."""
        return self.value.value if isinstance(self.value, Special) else self.value

    def print(self) -> str:
        """The term as it is typed."""
        kind, value, form = self.kind, self.value, TERMS[self.kind]
        key = printed_name(self.field) if kind is TermKind.FIELD else "".join(form.keys[:1])
        if isinstance(value, Special):
            typed = value.value
        else:
            # As a word it would be read as another kind of term; as a value, as an address.
            is_other = kind is TermKind.WORD and (value[0] in "-#@" or ":" in value)
            is_address = kind is TermKind.FIELD and value.startswith("//")
            typed = quote(value) if is_other or is_address else form.typed(value)
        return f"{'-' * self.is_not}{f'{key}:' if key else form.sign}{typed}"


@record
class Query:
    """Terms that must all hold.

    Of several values of a field that has only one, such as a stage, one is enough.
    """

    terms: tuple[Term, ...] = ()

    def print(self) -> str:
        """The query as it is typed."""
        return " ".join(term.print() for term in self.terms)

    def of(self, kind: TermKind, field: str = "") -> tuple[Term, ...]:
        """The terms of a kind that are not negated, of one custom field."""
        return tuple(
            term
            for term in self.terms
            if term.kind is kind and not term.is_not and fold(term.field) == fold(field)
        )

    def having(self, old: tuple[Term, ...], new: tuple[Term, ...]) -> "Query":
        """The query with some terms replaced by new ones at its end, which end their negations."""
        ended = {*old, *(replace(term, is_not=not term.is_not) for term in new)} - {*new}
        staying = tuple(term for term in self.terms if term not in ended)
        return Query((*staying, *(term for term in new if term not in staying)))


def printed_name(field: str) -> str:
    """The title of a custom field as it is typed before a colon."""
    is_plain = field[:1].isalpha() and ":" not in field and fold(field) not in KEYS
    return quoted_if_needed(field) if is_plain else quote(field)


ValuesOf: TypeAlias = Callable[[Task], Iterable[FieldValue]]


@record
class QueryContext:
    """What the names in a query refer to: the contents of boards, the user and the time.

    `me` is the user's id, if known, `changed` are the ids of tasks that others changed since the
    user last looked, `values` returns a task's values of custom fields, and `relations` tell which
    cards block which.
    """

    now: datetime
    me: int | None = None
    people: tuple[Person, ...] = ()
    labels: tuple[Label, ...] = ()
    stages: tuple[Stage, ...] = ()
    fields: tuple[CustomField, ...] = ()
    changed: Container[int] = attribute(default_factory=frozenset)
    values: ValuesOf = attrgetter("values")
    relations: Relations = NO_RELATIONS

    @classmethod
    def of(
        cls,
        views: Iterable[BoardView],
        me: Account,
        now: datetime,
        changed: Container[int] = (),
        *,
        values: ValuesOf = attrgetter("values"),
        relations: Relations = NO_RELATIONS,
    ) -> "QueryContext":
        """What queries on these boards are about."""
        views = tuple(views)
        people = tuple(dict.fromkeys(person for view in views for person in view.people))
        labels = tuple(dict.fromkeys(label for view in views for label in view.labels))
        stages = tuple(stage for view in views for stage in view.stages)
        fields = tuple(field for view in views for field in view.fields)
        own = me.among(people)
        my_id = None if own is None else own.id
        return cls(now, my_id, people, labels, stages, fields, changed, values, relations)

    def fields_called(self, title: str) -> tuple[CustomField, ...]:
        """The custom fields that a title means."""
        is_meant = meaning(title, ((field.title,) for field in self.fields))
        return tuple(field for field in self.fields if is_meant((field.title,)))


def meaning(typed: str, things: Iterable[tuple[str, ...]]) -> Callable[[tuple[str, ...]], bool]:
    """A function that tells whether a thing with these names is meant by what was typed.

    A name that equals it decides. If none of the `things` has one, a name counts of which a word
    begins with it. Case, accents, and `-` or `_` for a blank make no difference.
    """
    part = comparable(typed)
    if any(comparable(name) == part for names in things for name in names):
        return lambda names: any(comparable(name) == part for name in names)
    return lambda names: any(f" {part}" in f" {comparable(name)}" for name in names)


def names_of_person(person: Person) -> tuple[str, ...]:
    """What a person is called."""
    return tuple(filter(None, (person.login, person.name)))


def name_of_label(label: Label) -> str:
    """The title of a label, or its colour."""
    return label.title or color_name(label.color) or label.color


class QueryProblem(NamedTuple):
    """What is wrong from `start` to `end` of a query; `is_begun` if it is only unfinished."""

    start: int
    end: int
    why: str
    is_begun: bool = False


class ParsedQuery(NamedTuple):
    """What was understood of a query, and what was not."""

    query: Query
    problems: tuple[QueryProblem, ...]


class NotAQuery(WrongInput):
    """A query that is not understood; the message marks the place."""


def parse(typed: str) -> Query:
    """The query, without what is not understood. Only the first 4,000 characters count."""
    return read(typed).query


def read(typed: str, about: QueryContext | None = None) -> ParsedQuery:
    """The query and its problems; names that mean nothing in `about` are problems too."""
    terms, problems = [], []
    for match in TERM.finditer(typed[:_LONGEST_TYPED]):
        place, raw = match.span(), match[0]
        token = token_of(raw.removeprefix("-"))
        term = _term(token, is_not=raw.startswith("-"))
        if isinstance(term, QueryProblem):
            problems.append(term._replace(start=place[0], end=place[1]))
        elif about is not None and (why := _why_unknown(term, about)):
            problems.append(QueryProblem(*place, why))
        else:
            terms.append(term)
            if token.is_open:
                problems.append(QueryProblem(*place, "unmatched quote", is_begun=True))
    return ParsedQuery(Query(tuple(terms)), tuple(problems))


def check(typed: str, about: QueryContext | None = None) -> Query:
    """The query, which is complete. Raises `NotAQuery` for the first problem, with its place."""
    query, problems = read(typed, about)
    if problems:
        raise NotAQuery(f"{problems[0].why}\n{marked(typed, problems[0])}")
    return query


def marked(typed: str, problem: QueryProblem) -> str:
    """The query, and below it carets where the problem is."""
    prefix, wrong = line(typed[: problem.start]), line(typed[problem.start : problem.end])
    return f"{line(typed)}\n{' ' * width(prefix)}{'^' * max(1, width(wrong))}"


class Token(NamedTuple):
    """A term without its `-`: its key and value, around the first colon outside of quotes.

    `key` is None without a colon. `is_name` and `is_literal` tell whether the two were quoted,
    `is_quoted` whether the term begins with a quote, and `is_open` whether the last quote has no
    end.
    """

    key: str | None
    value: str
    is_name: bool
    is_literal: bool
    is_quoted: bool
    is_open: bool


def token_of(raw: str) -> Token:
    """What is typed for one term, without a `-` before it."""
    key, after = None, ""
    is_name = is_literal = is_open = False
    for piece in _PIECE.finditer(raw):
        inside, end, bare = piece.groups()
        if bare is None:
            after += _ESCAPE.sub(r"\1", inside)
            is_literal, is_open = True, not end
        # In `#a:b` and `@a:b` the colon is part of the name.
        elif key is None and ":" in bare and not raw.startswith(("#", "@")):
            name, _, tail = bare.partition(":")
            key, after, is_name, is_literal = after + name, tail, is_literal, False
        else:
            after += bare
    return Token(key, after, is_name, is_literal, raw.startswith('"'), is_open)


def _term(token: Token, *, is_not: bool) -> Term | QueryProblem:
    """The term of a token, or why there is none."""
    prefix, value, field = token.key, token.value, ""
    if prefix is None:
        sign, name = value[:1], value[1:]
        if token.is_quoted or sign not in ("#", "@"):
            missing = "nothing in the quotes" if token.is_quoted else "- needs a term"
            return Term(TermKind.WORD, value, is_not) if value else _begun(missing)
        if sign == "#" and name.isdecimal() and len(name) <= _LONGEST_ID and not token.is_literal:
            return Term(TermKind.NUMBER, str(int(name)), is_not)
        kind, value = TermKind.LABEL if sign == "#" else TermKind.PERSON, name
    elif not token.is_name and (key := KEYS.get(fold(prefix))) is not None:
        kind = key
        if TERMS[kind].choices:
            return _chosen(kind, value, is_not=is_not)
    else:
        # `https://…` is a word, not a value of a field `https`.
        is_address = value.startswith("//") and not token.is_literal
        if is_address or not (prefix and (token.is_name or prefix[0].isalpha())):
            return Term(TermKind.WORD, f"{prefix}:{value}", is_not)
        kind, field = TermKind.FIELD, prefix
    return _valued(Term(kind, value, is_not, field), is_literal=token.is_literal)


def _valued(term: Term, *, is_literal: bool) -> Term | QueryProblem:
    """A term with its value as it is meant: one that is not a name, or the number of a card."""
    kind, value = term.kind, term.name
    if not value:
        return _begun(f"{term.field or kind}: needs a value")
    specials = () if is_literal else TERMS[kind].specials
    special = next((special for special in specials if special.value == fold(value)), None)
    if kind in _OF_CARDS and special is None:
        return _of_card(kind, value, is_not=term.is_not)
    return replace(term, value=special or value)


def _chosen(kind: TermKind, value: str, *, is_not: bool) -> Term | QueryProblem:
    """A term with one of the few values of its kind, which may be cut short."""
    form = TERMS[kind]
    word = fold(value) or ("yes" if form.is_switch else "")
    for name, choice in form.choices.items():
        if word and name.startswith(word):
            return Term(kind, choice, is_not)
    why = f"{form.keys[0]}: must be one of {', '.join(form.values)}"
    return QueryProblem(0, 0, why, is_begun=not word)


def _of_card(kind: TermKind, value: str, *, is_not: bool) -> Term | QueryProblem:
    """A term about another card, by its number."""
    number = value.removeprefix("#")
    if number.isdecimal() and number.isascii() and len(number) <= _LONGEST_ID:
        return Term(kind, f"#{int(number)}", is_not)
    why = f"{kind}: must be the number of a card such as #12, any or none"
    return QueryProblem(0, 0, why, is_begun=not number)


def _begun(why: str) -> QueryProblem:
    return QueryProblem(0, 0, line(why), is_begun=True)


def _why_unknown(term: Term, about: QueryContext) -> str:
    """Why a name means nothing; empty if it means something, or nothing is known yet."""
    kind, value, names = term.kind, term.value, list[tuple[str, ...]]()
    if not about.stages:
        return ""
    if kind is TermKind.FIELD and not about.fields_called(term.field):
        return f"no custom field {quoted(line(term.field))}: quote it to search text"
    if value is Special.ME and about.me is None:
        return "you are not a member of this board"
    if kind not in (TermKind.LABEL, TermKind.STAGE, TermKind.PERSON) or isinstance(value, Special):
        return ""
    if kind is TermKind.LABEL:
        names = [(name_of_label(label),) for label in about.labels]
    elif kind is TermKind.STAGE:
        names = [(stage.title,) for stage in about.stages]
    else:
        initials = ((letters,) for letters in initials_of(about.people).values())
        names = [*map(names_of_person, about.people), *initials]
    noun = "member" if kind is TermKind.PERSON else kind
    return "" if any(map(meaning(value, names), names)) else f"no {noun} {quoted(line(value))}"


def completions(word: str, about: QueryContext) -> tuple[str, ...]:
    """What a term may become, the best first: terms, or keys with a colon; none for an empty one.

    A word is completed to a key that begins with it.
    """
    sign, token = word[: word.startswith("-")], token_of(word.removeprefix("-"))
    typed = token.value
    if token.key is None and (token.is_quoted or not typed):
        return ()
    if token.key is None and typed[0] not in "#@":
        titles = (printed_name(field.title) for field in about.fields if field.title)
        keys = (*(key for key in KEYS if len(key) > 1), *titles)
        fitting = (key for key in keys if fold(key).lstrip('"').startswith(fold(typed)))
        return tuple(f"{sign}{key}:" for key in fitting)
    typed, terms = _candidates(token, about)
    best = rank(typed, [term.name for term in terms])
    return tuple(f"{sign}{terms[index].print()}" for index in best[:MOST])


def similar(word: str, about: QueryContext) -> tuple[str, ...]:
    """The terms that a wrong one may have been meant as, the most similar first."""
    from difflib import get_close_matches

    sign, token = word[: word.startswith("-")], token_of(word.removeprefix("-"))
    if token.key is None and token.value[:1] not in ("#", "@"):
        return ()
    typed, terms = _candidates(token, about)
    names = {fold(term.name): f"{sign}{term.print()}" for term in terms}
    if token.key is not None and not names:  # no such custom field: perhaps a key
        names = {key: f"{sign}{key}:{token.value}" for key in KEYS if len(key) > 1}
        typed = token.key
    best = get_close_matches(fold(typed), names, SIMILAR, _LEAST_SIMILAR)
    return tuple(names[name] for name in best)


def _candidates(token: Token, about: QueryContext) -> tuple[str, list[Term]]:
    """What was typed of a name, and the terms of its kind."""
    if token.key is None:
        sign, typed = token.value[0], token.value[1:]
        terms = offered(TermKind.LABEL if sign == "#" else TermKind.PERSON, about)
    else:
        typed = token.value
        kind = TermKind.FIELD if token.is_name else KEYS.get(fold(token.key), TermKind.FIELD)
        terms = offered(kind, about, token.key)
    return typed, list(dict.fromkeys(terms))


def offered(kind: TermKind, about: QueryContext, field: str = "") -> Iterable[Term]:
    """The terms of a kind that a person can choose from."""
    values: Iterable[str | Special] = TERMS[kind].values
    if kind is TermKind.PERSON:
        special = (Special.ME, Special.NONE) if about.me else (Special.NONE,)
        values = (*special, *filter(None, map(mention_name, about.people)))
    elif kind is TermKind.LABEL:
        values = (*map(name_of_label, about.labels), Special.NONE)
    elif kind is TermKind.STAGE:
        values = (stage.title for stage in about.stages if stage.title)
    elif kind is TermKind.FIELD:
        for custom_field in about.fields_called(field):
            options: tuple[str | Special, ...] = ("yes", "no")
            if not custom_field.is_checkbox:
                options = (*filter(None, custom_field.options), *TERMS[kind].specials)
            yield from (Term(kind, value, field=custom_field.title) for value in options)
    elif kind in _OF_CARDS:
        values = TERMS[kind].specials
    yield from (Term(kind, value) for value in values)
