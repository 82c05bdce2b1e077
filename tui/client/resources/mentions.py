"""Mentions, as services want them written (section 4.4).

A mention is `@`, U+200B, the login, U+200C in the text, and the person's id beside it. A plain
`@name` stays plain text; where a service does not tell logins, only the id can be sent with it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

_OPEN, _CLOSE = "\u200b", "\u200c"
_BEGINS = r"(?<![\w@.])@"


class Mentionable(Protocol):
    """Somebody who can be mentioned; `login` is empty where the service does not tell logins."""

    @property
    def id(self) -> int:
        """The user id."""
        ...

    @property
    def login(self) -> str:
        """The login name."""
        ...

    @property
    def name(self) -> str:
        """The display name."""
        ...


@dataclass(frozen=True, slots=True)
class Mentioning:
    """A text with its mentions marked, and the ids of those it mentions, each once."""

    text: str
    ids: tuple[int, ...]


def mention(login: str) -> str:
    """The sign for a person, to be put into a comment."""
    return f"@{_OPEN}{login}{_CLOSE}"


def mark_mentions(typed: str, people: Iterable[Mentionable]) -> Mentioning:
    """Mark the mentions of people in a typed text, as `with_mentions` does.

    Of several without a login who have the same name, nobody is mentioned.
    """
    known = {person.id: person for person in people}.values()
    logins = {person.login: person.id for person in known if person.login}
    named = {person.id: person.name for person in known if not person.login}
    shared = Counter(name.casefold() for name in (*logins, *named.values()))
    names = {name: one for one, name in named.items() if shared[name.casefold()] == 1}
    return with_mentions(typed, logins, names)


def with_mentions(
    typed: str, people: Mapping[str, int], unmarked: Mapping[str, int] | None = None
) -> Mentioning:
    """Mark each `@login` of a typed text that names one of `people`, ids by login.

    `unmarked` are ids by display name, of people whose logins are not known: they count as
    mentioned, and the text stays as it is. Of names that begin alike the longest counts; letter
    case does not. A mention that is marked already counts as well, and an address like
    `ann@example.org` does not.
    """
    by_login = {login.casefold(): (login, user_id) for login, user_id in people.items() if login}
    by_name = {name.casefold(): user_id for name, user_id in (unmarked or {}).items() if name}
    if not by_login and not by_name:
        return Mentioning(typed, ())
    ids: dict[int, None] = {}

    def mark(found: re.Match[str]) -> str:
        name = found["name"].casefold()
        if name in by_login:
            login, user_id = by_login[name]
            ids[user_id] = None
            return mention(login)
        if name in by_name:
            ids[by_name[name]] = None
        return found[0]

    return Mentioning(_pattern([*people, *(unmarked or ())]).sub(mark, typed), tuple(ids))


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(filter(None, names), key=lambda name: (-len(name), name))
    any_name = "|".join(re.escape(name) for name in longest_first)
    one = rf"{_OPEN}?(?P<name>{any_name})(?:{_CLOSE}|(?![\w@]|[-.]\w))"
    return re.compile(_BEGINS + one, re.IGNORECASE)
