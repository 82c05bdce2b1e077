"""Reads a typed query.

Reading never fails, so that the cards follow every key: what is not understood is left out and
reported with its place. `check` is for queries that are complete, and raises for the first problem.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from tui.errors import WrongInput
from tui.model.people import initials_of
from tui.model.query.about import About, meaning, name_of_label, names_of_person
from tui.model.query.terms import CHOICES, KEYS, SPECIALS, Kind, Query, Special, Term
from tui.record import record
from tui.text.cells import width
from tui.text.clean import line, quoted
from tui.text.fuzzy import fold

TERM = re.compile(r'(?:[^\s"]|"(?:\\.|[^"\\])*"?)+', re.DOTALL)
"""A term: everything up to a blank that is not in quotes."""
_PIECE = re.compile(r'"((?:\\.|[^"\\])*)("?)|([^"]+)', re.DOTALL)
_ESCAPE = re.compile(r'\\([\\"])')
_LONGEST_ID = 19
_LONGEST_TYPED = 4_000


class Problem(NamedTuple):
    """What is wrong from `start` to `end` of a query; `is_begun` if it only lacks its end."""

    start: int
    end: int
    why: str
    is_begun: bool = False


class Reading(NamedTuple):
    """What was understood of a query, and what was not."""

    query: Query
    problems: tuple[Problem, ...]


class NotAQuery(WrongInput):
    """A query that is not understood; the message marks the place."""


@record
class Token:
    """A term without its `-`: its text before and after the first colon outside of quotes.

    `before` is None without a colon. `is_name` and `is_literal` tell whether the two were quoted,
    `is_quoted` whether the term begins with a quote, and `is_open` whether the last quote has no
    end.
    """

    before: str | None
    after: str
    is_name: bool = False
    is_literal: bool = False
    is_quoted: bool = False
    is_open: bool = False


def parse(typed: str) -> Query:
    """The query, without what is not understood. Only the first 4,000 characters count."""
    return read(typed).query


def read(typed: str, about: About | None = None) -> Reading:
    """The query and its problems; names that mean nothing in `about` are problems too."""
    terms, problems = [], []
    for found in TERM.finditer(typed[:_LONGEST_TYPED]):
        raw = found[0]
        is_not = raw.startswith("-")
        token = token_of(raw[is_not:])
        term = _understood(token, is_not=is_not)
        why = _why_unknown(term, about) if isinstance(term, Term) and about is not None else ""
        if isinstance(term, Problem):
            problems.append(term._replace(start=found.start(), end=found.end()))
        elif why:
            problems.append(Problem(found.start(), found.end(), why))
        else:
            terms.append(term)
            if token.is_open:
                why = "the quote is not closed"
                problems.append(Problem(found.start(), found.end(), why, is_begun=True))
    return Reading(Query(tuple(terms)), tuple(problems))


def check(typed: str, about: About | None = None) -> Query:
    """The query. Raises `NotAQuery` for the first problem, with its place marked."""
    query, problems = read(typed, about)
    if problems:
        raise NotAQuery(f"{problems[0].why}\n{marked(typed, problems[0])}")
    return query


def marked(typed: str, problem: Problem) -> str:
    """The query, and below it carets where the problem is."""
    before, wrong = line(typed[: problem.start]), line(typed[problem.start : problem.end])
    return f"{line(typed)}\n{' ' * width(before)}{'^' * max(1, width(wrong))}"


def token_of(raw: str) -> Token:
    """What is typed for one term, without a `-` before it."""
    before, after = None, ""
    is_name = is_literal = is_open = False
    for piece in _PIECE.finditer(raw):
        inside, end, bare = piece.groups()
        if bare is None:
            after += _ESCAPE.sub(r"\1", inside)
            is_literal, is_open = True, not end
        elif before is None and ":" in bare and not raw.startswith(("#", "@")):
            name, _, rest = bare.partition(":")
            before, after, is_name, is_literal = after + name, rest, is_literal, False
        else:
            after += bare
    return Token(before, after, is_name, is_literal, raw.startswith('"'), is_open)


def _understood(token: Token, *, is_not: bool) -> Term | Problem:
    """The term of a token, or why there is none."""
    before, after = token.before, token.after
    if before is None and token.is_quoted:
        return Term(Kind.WORD, after, is_not) if after else _begun("there is nothing in the quotes")
    if before is None:
        return _bare(token, is_not=is_not)
    kind = None if token.is_name else KEYS.get(fold(before))
    if kind is not None:
        return _with_key(kind, token, is_not=is_not)
    is_address = after.startswith("//") and not token.is_literal
    if before and (token.is_name or before[:1].isalpha()) and not is_address:
        return _valued(Kind.FIELD, token, is_not=is_not, field=before)
    return Term(Kind.WORD, f"{before}:{after}", is_not)


def _bare(token: Token, *, is_not: bool) -> Term | Problem:
    """A term without a key: `#12`, `#bug`, `@ann` or a word."""
    sign, rest = token.after[:1], token.after[1:]
    if not sign:
        return _begun("- needs a term")
    named = replace(token, after=rest)
    if sign == "@":
        return _valued(Kind.PERSON, named, is_not=is_not)
    if sign == "#" and rest.isdecimal() and len(rest) <= _LONGEST_ID and not token.is_literal:
        return Term(Kind.NUMBER, str(int(rest)), is_not)
    if sign == "#":
        return _valued(Kind.LABEL, named, is_not=is_not)
    return Term(Kind.WORD, token.after, is_not)


def _with_key(kind: Kind, token: Token, *, is_not: bool) -> Term | Problem:
    choices = CHOICES.get(kind)
    if choices is None:
        return _valued(kind, token, is_not=is_not)
    said = fold(token.after) or ("yes" if kind is Kind.CHANGED else "")
    words = ", ".join(dict.fromkeys(choices.values()))
    if not said:
        return _begun(f"{kind}: is one of {words}")
    found = next((choices[word] for word in choices if word.startswith(said)), None)
    if found is None:
        return Problem(0, 0, f"{kind}: is one of {words}")
    return Term(kind, found, is_not)


def _valued(kind: Kind, token: Token, *, is_not: bool, field: str = "") -> Term | Problem:
    """A term with a name or a special value."""
    if not token.after:
        return _begun(f"{field or kind}: needs a value")
    specials = () if token.is_literal else SPECIALS.get(kind, ())
    special = next((one for one in specials if one.value == fold(token.after)), None)
    return Term(kind, special or token.after, is_not, field)


def _begun(why: str) -> Problem:
    return Problem(0, 0, line(why), is_begun=True)


def _why_unknown(term: Term, about: About) -> str:
    """Why a name means nothing; empty if it means something, or nothing is known yet."""
    value = term.value
    if not about.stages:
        return ""
    if term.kind is Kind.FIELD and not about.fields_called(term.field):
        return f"no custom field {quoted(line(term.field))}: quotes make words of it"
    if value is Special.ME and about.me is None:
        return "you are not a member here"
    if isinstance(value, str) and term.kind in _NAMED:
        what, known = _NAMED[term.kind]
        names = known(about)
        if not any(map(meaning(value, names), names)):
            return f"no {what} {quoted(line(value))}"
    return ""


def _people(about: About) -> list[tuple[str, ...]]:
    initials = ((one,) for one in initials_of(about.people).values())
    return [*map(names_of_person, about.people), *initials]


_Names: TypeAlias = Callable[[About], list[tuple[str, ...]]]
_NAMED: dict[Kind, tuple[str, _Names]] = {
    Kind.LABEL: ("label", lambda about: [(name_of_label(one),) for one in about.labels]),
    Kind.STAGE: ("stage", lambda about: [(one.title,) for one in about.stages]),
    Kind.PERSON: ("member", _people),
}
"""What has a name, and how it is called."""
