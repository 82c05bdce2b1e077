"""The notation of mentions in comments (section 4.4).

A mention is `@`, U+200B, the login, U+200C in the text, and the person's id beside it. A plain
`@name` stays plain text; where a service does not show logins, only the id can be sent with it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Protocol

_OPEN, _CLOSE = "\u200b", "\u200c"


class Mentionable(Protocol):
    """Somebody who can be mentioned; `login` is empty if the service does not show logins."""

    @property
    def id(self) -> int:
        """The user id."""

    @property
    def login(self) -> str:
        """The login name."""

    @property
    def name(self) -> str:
        """The display name."""


def mention(login: str) -> str:
    """The notation for a person in a comment."""
    return f"@{_OPEN}{login}{_CLOSE}"


def mark_mentions(typed: str, people: Iterable[Mentionable]) -> tuple[str, tuple[int, ...]]:
    """Mark each `@login` of a text that names a person; returns the ids of those mentioned, too.

    People without a known login are mentioned by `@name`, which stays unchanged; if several have
    the same name, none is. The longest matching name counts, ignoring case. A mention that is
    already marked counts as well, an address like `ann@example.org` does not.
    """
    everybody = {person.id: person for person in people}.values()
    logins = {person.login.casefold(): person for person in everybody if person.login}
    unknown = {person.id: person.name for person in everybody if not person.login and person.name}
    shared = Counter([*logins, *(name.casefold() for name in unknown.values())])
    names = {
        name.casefold(): user_id
        for user_id, name in unknown.items()
        if shared[name.casefold()] == 1
    }
    if not logins and not names:
        return typed, ()
    ids: dict[int, None] = {}

    def mark(match: re.Match[str]) -> str:
        name = match["name"].casefold()
        if name in logins:
            ids[logins[name].id] = None
            return mention(logins[name].login)
        if name in names:
            ids[names[name]] = None
        return match[0]

    spelt = [person.login for person in logins.values()] + [unknown[id_] for id_ in names.values()]
    longest_first = sorted(spelt, key=lambda name: (-len(name), name))
    any_name = "|".join(re.escape(name) for name in longest_first)
    ending = rf"(?:{_CLOSE}|(?![\w@]|[-.]\w))"
    pattern = rf"(?<![\w@.])@{_OPEN}?(?P<name>{any_name}){ending}"
    return re.sub(pattern, mark, typed, flags=re.IGNORECASE), tuple(ids)
