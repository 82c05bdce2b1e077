"""Mentions, as services want them written (section 4.4).

The rule it keeps: a mention is `@`, U+200B, the login, U+200C in the text, and the person's id
beside it; a plain `@name` stays plain text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_OPEN, _CLOSE = "\u200b", "\u200c"
_BEGINS = r"(?<![\w@.])@"


@dataclass(frozen=True, slots=True)
class Mentioning:
    """A text with its mentions marked, and the ids of those it mentions, each once."""

    text: str
    ids: tuple[int, ...]


def mention(login: str) -> str:
    """The sign for a person, to be put into a comment."""
    return f"@{_OPEN}{login}{_CLOSE}"


def with_mentions(typed: str, people: Mapping[str, int]) -> Mentioning:
    """Mark each `@login` of a typed text that names one of `people`, ids by login.

    Of logins that begin alike the longest counts; letter case does not. A mention that is marked
    already counts as well, and an address like `ann@example.org` does not.
    """
    by_login = {login.casefold(): (login, user_id) for login, user_id in people.items() if login}
    if not by_login:
        return Mentioning(typed, ())
    ids: dict[int, None] = {}

    def mark(found: re.Match[str]) -> str:
        login, user_id = by_login[found["login"].casefold()]
        ids[user_id] = None
        return mention(login)

    return Mentioning(_pattern(by_login).sub(mark, typed), tuple(ids))


def _pattern(logins: Mapping[str, object]) -> re.Pattern[str]:
    longest_first = sorted(logins, key=lambda login: (-len(login), login))
    any_login = "|".join(re.escape(login) for login in longest_first)
    name = rf"{_OPEN}?(?P<login>{any_login})(?:{_CLOSE}|(?![\w@]|[-.]\w))"
    return re.compile(_BEGINS + name, re.IGNORECASE)
