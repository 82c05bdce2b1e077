"""What a query asks of cards, as far as a statement can tell without reading them whole.

A sieve lets through every card that the query matches, and often others: what it lets through is
matched by `model.query.matching` afterwards.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, time, timedelta
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.query.language import Query, QueryContext, Term, meaning, name_of_label
from tui.model.query.terms import Due, Special, StatusValue, TermKind
from tui.text.dates import end_of_week
from tui.text.fuzzy import fold

_PLAIN = re.compile(r"[a-z0-9]+")
"""A word that no tag or escape in a body can hide, and no wildcard of SQL."""
_MOST_LABELS = 20


Meanings = dict[Term, Callable[[tuple[str, ...]], bool]]
"""What terms mean on all boards, which is worked out once for each."""


class Sieve(NamedTuple):
    """A condition on rows of the table `card`, with the values of its question marks.

    What an exact one lets through need not be matched.
    """

    condition: str
    values: tuple[object, ...] = ()
    is_exact: bool = False

    @classmethod
    def of(cls, query: Query, about: QueryContext, frame: BoardView, meanings: Meanings) -> "Sieve":
        """The sieve of a query for the cards of one board, of which the frame is enough.

        The same `meanings`, empty at first, are handed over for all boards.
        """
        alternatives: dict[object, list[Sieve | None]] = {}
        for term in query.terms:
            key: object = term.kind
            if term.is_alone or term.kind is TermKind.FIELD:
                key = term
            alternatives.setdefault(key, []).append(_of_term(term, about, frame, meanings))
        # Several values of a kind are alternatives: one of which nothing can be told lets all pass.
        parts = [_any_of(filter(None, group)) for group in alternatives.values() if all(group)]
        is_exact = len(parts) == len(alternatives) and all(part.is_exact for part in parts)
        if not parts:
            return cls("1", is_exact=is_exact)
        return cls(
            " and ".join(part.condition for part in parts),
            tuple(value for part in parts for value in part.values),
            is_exact,
        )


def _any_of(sieves: Iterable[Sieve]) -> Sieve:
    several = list(sieves)
    return Sieve(
        f"({' or '.join(sieve.condition for sieve in several)})",
        tuple(value for sieve in several for value in sieve.values),
        all(sieve.is_exact for sieve in several),
    )


def _of_term(term: Term, about: QueryContext, frame: BoardView, meanings: Meanings) -> Sieve | None:
    if term.is_not:
        # A template is neither open nor closed.
        is_open = term.kind is TermKind.STATUS and term.value == StatusValue.OPEN
        return Sieve("not is_open", is_exact=True) if is_open else None
    if term.kind is TermKind.STAGE:
        return _of_stage(term, about, frame, meanings)
    if term.kind is TermKind.LABEL:
        return _of_label(term, about, frame, meanings)
    read = _BY_KIND.get(term.kind)
    return None if read is None else read(term, about)


def _of_status(term: Term, _about: QueryContext) -> Sieve:
    if term.value == StatusValue.TEMPLATE:
        return _holding("true")  # the body of one has it
    if term.value == StatusValue.BLOCKED:
        return Sieve("is_open and (is_blocked or blockers is not null)")
    if term.value == StatusValue.OPEN:
        return Sieve("is_open", is_exact=True)
    return Sieve("not is_open")  # templates too


def _of_due(term: Term, about: QueryContext) -> Sieve:
    now = about.now
    if term.value == Due.NONE:
        return Sieve("due_at is null", is_exact=True)
    if term.value == Due.OVERDUE:
        return Sieve("is_open and due_at < ?", (now.isoformat(),), is_exact=True)
    begin, end = now.replace(second=0, microsecond=0), end_of_week(now)
    if term.value == Due.TODAY:
        begin = datetime.combine(now.date(), time())
        end = begin + timedelta(days=1)
    return Sieve("due_at >= ? and due_at < ?", (begin.isoformat(), end.isoformat()), is_exact=True)


def _of_priority(term: Term, _about: QueryContext) -> Sieve:
    return _holding(f'"{term.value}"')


def _of_blocked(term: Term, _about: QueryContext) -> Sieve | None:
    return None if term.value is Special.NONE else Sieve("is_open and blockers is not null")


def _of_number(term: Term, _about: QueryContext) -> Sieve:
    return Sieve("id = ?", (int(term.name),)) if len(term.name) < 19 else Sieve("1")  # noqa: PLR2004


def _of_stage(term: Term, about: QueryContext, frame: BoardView, meanings: Meanings) -> Sieve:
    if term not in meanings:
        meanings[term] = meaning(term.name, [(stage.title,) for stage in about.stages])
    is_meant = meanings[term]
    ids = [stage.id for stage in frame.stages if is_meant((stage.title,))]
    return Sieve(f"stage_id in ({', '.join('?' * len(ids))})", tuple(ids), is_exact=True)


def _of_label(
    term: Term, about: QueryContext, frame: BoardView, meanings: Meanings
) -> Sieve | None:
    if isinstance(term.value, Special):
        return _holding('"[]"')
    if term not in meanings:
        meanings[term] = meaning(term.value, [(name_of_label(label),) for label in about.labels])
    is_meant = meanings[term]
    ids = [label.id for label in frame.labels if is_meant((name_of_label(label),))]
    if len(ids) > _MOST_LABELS:
        return None
    return _any_of([_holding(f'[{own_id},\\"') for own_id in ids]) if ids else Sieve("0")


def _of_person(term: Term, about: QueryContext) -> Sieve | None:
    if term.value is Special.NONE:
        return _holding('"[]"')
    if term.value is Special.ME:
        return Sieve("0") if about.me is None else _holding(f'[{about.me},\\"')
    return None  # somebody who has left the board may be meant, and is still on its cards


def _of_word(term: Term, _about: QueryContext) -> Sieve | None:
    word = fold(str(term.value))
    if not _PLAIN.fullmatch(word):
        return None
    return Sieve("ifnull(words, cast(body as text)) like ?", (f"%{word}%",))


def _holding(text: str) -> Sieve:
    # Bytes in bytes: SQLite then compares without decoding either.
    return Sieve("instr(body, ?)", (text.encode(),))


_BY_KIND: Mapping[TermKind, Callable[[Term, QueryContext], Sieve | None]] = {
    TermKind.STATUS: _of_status,
    TermKind.DUE: _of_due,
    TermKind.BLOCKED: _of_blocked,
    TermKind.PRIORITY: _of_priority,
    TermKind.NUMBER: _of_number,
    TermKind.PERSON: _of_person,
    TermKind.WORD: _of_word,
}
