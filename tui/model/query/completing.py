"""The completions of a term while a query is typed."""

from collections.abc import Iterable

from tui.model.people import mention_name
from tui.model.query.about import About, name_of_label
from tui.model.query.reading import Token, token_of
from tui.model.query.terms import CHOICES, KEYS, SPECIALS, Kind, Special, Term, printed_name
from tui.text.fuzzy import fold, rank

MOST = 12
"""How many completions are given."""
SIMILAR = 3
_LEAST_SIMILAR = 0.4


def completions(word: str, about: About) -> tuple[str, ...]:
    """What a term may become, the best first: terms, or keys with a colon; none for an empty one.

    A word is completed to a key that begins with it.
    """
    sign, bare = ("-", word[1:]) if word.startswith("-") else ("", word)
    token = token_of(bare)
    begun = token.after
    if token.before is None and (token.is_quoted or not begun):
        return ()
    if token.before is None and begun[0] not in "#@":
        keys = (key for key in _keys(about) if fold(key).lstrip('"').startswith(fold(begun)))
        return tuple(f"{sign}{key}" for key in keys)
    begun, terms = _meant(token, about)
    best = rank(begun, [_name(term) for term in terms])
    return tuple(f"{sign}{terms[index].print()}" for index in best[:MOST])


def similar(word: str, about: About) -> tuple[str, ...]:
    """The terms that a wrong one may have been meant as, the most similar first."""
    from difflib import get_close_matches

    sign, bare = ("-", word[1:]) if word.startswith("-") else ("", word)
    token = token_of(bare)
    if token.before is None and token.after[:1] not in ("#", "@"):
        return ()
    begun, terms = _meant(token, about)
    names = {fold(_name(term)): f"{sign}{term.print()}" for term in terms}
    if token.before is not None and not names:  # no such custom field: perhaps a key
        names = {key: f"{sign}{key}:{token.after}" for key in KEYS if len(key) > 1}
        begun = token.before
    best = get_close_matches(fold(begun), names, SIMILAR, _LEAST_SIMILAR)
    return tuple(names[name] for name in best)


def _meant(token: Token, about: About) -> tuple[str, list[Term]]:
    # What was typed of a name, and the terms of its kind.
    begun = token.after
    if token.before is not None:
        kind = Kind.FIELD if token.is_name else KEYS.get(fold(token.before), Kind.FIELD)
        terms = offered(kind, about, token.before)
    else:
        kind, begun = (Kind.LABEL if begun[0] == "#" else Kind.PERSON), begun[1:]
        terms = offered(kind, about)
    return begun, list(dict.fromkeys(terms))


def offered(kind: Kind, about: About, field: str = "") -> Iterable[Term]:
    """The terms of a kind that a person can choose from."""
    for value in dict.fromkeys(CHOICES.get(kind, {}).values()):
        yield Term(kind, value)
    special = SPECIALS.get(kind, ())
    if kind is Kind.PERSON:
        yield from (Term(kind, one) for one in special if one is not Special.ME or about.me)
        yield from (Term(kind, mention_name(one)) for one in about.people if mention_name(one))
    elif kind is Kind.LABEL:
        yield from (Term(kind, name_of_label(one)) for one in about.labels)
        yield Term(kind, Special.NONE)
    elif kind is Kind.STAGE:
        yield from (Term(kind, one.title) for one in about.stages if one.title)
    elif kind is Kind.FIELD:
        for one in about.fields_called(field):
            values = ("yes", "no") if one.is_checkbox else filter(None, one.options)
            yield from (Term(kind, value, field=one.title) for value in values)
            if not one.is_checkbox:
                yield from (Term(kind, each, field=one.title) for each in special)


def _keys(about: About) -> Iterable[str]:
    yield from (f"{key}:" for key in KEYS if len(key) > 1)
    yield from (f"{printed_name(one.title)}:" for one in about.fields if one.title)


def _name(term: Term) -> str:
    value = term.value
    return value.value if isinstance(value, Special) else value
