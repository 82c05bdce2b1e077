"""The user's account, initials of people, and names in mentions."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import IntEnum
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import Literal, TypeAlias

from tui.model.task import Person
from tui.record import record

Initials = Mapping[int, str]
"""Initials by user id."""
NO_INITIALS: Initials = MappingProxyType({})
RoleWord: TypeAlias = Literal["admin", "member", "viewer", ""]
"""A role as the service calls it; empty for somebody who is not on the board."""
_WORDS: tuple[RoleWord, ...] = ("viewer", "member", "admin")


class Role(IntEnum):
    """What a member may do on a board (5.5): read it, change it, or manage it too."""

    VIEWER = 1
    MEMBER = 2
    MANAGER = 3

    @classmethod
    def of(cls, word: object) -> "Role | None":
        """The role of a word of a service, in any case; a manager is an `admin` there."""
        name = str(word).lower()
        return next((role for role in cls if name in (role.word, role.in_words)), None)

    @property
    def word(self) -> RoleWord:
        """Its name at the service."""
        return _WORDS[self - 1]

    @property
    def in_words(self) -> str:
        """Its name for people."""
        return self.name.lower()


def role_in_words(word: RoleWord) -> str:
    """The name of a role for people."""
    role = Role.of(word)
    return "not a member" if role is None else role.in_words


@record
class Account:
    """The user's account: the login of the profile, and the user id if known.

    `is_administrator` is whether they administer the whole service, None if not known.

    The login may be an e-mail, and members of a board may come without logins; then only the id
    identifies the user.
    """

    login: str = ""
    user_id: int | None = None
    is_administrator: bool | None = None

    def owns(self, user_id: int | None, names: Iterable[str] = ()) -> bool:
        """Whether a user with that id, or one of these names, is the account's."""
        if self.user_id is not None and user_id == self.user_id:
            return True
        login = self.login.casefold()
        return bool(login) and login in (name.casefold() for name in names)

    def is_of(self, person: Person | None) -> bool:
        """Whether a person is the account's."""
        return person is not None and self.owns(person.id, (person.login,))

    def may_be_of(self, person: Person) -> bool:
        """Whether a person is, or may be, the account's."""
        is_unknown = self.user_id is None and not (self.login and person.login)
        return is_unknown or self.is_of(person)

    def among(self, people: Iterable[Person]) -> Person | None:
        """The account's person among the people of a board."""
        return next((person for person in people if self.is_of(person)), None)


@record
class User:
    """A user of the service with their roles by board id."""

    person: Person
    roles: Mapping[int, Role]
    is_administrator: bool = False


@lru_cache(maxsize=32)
def initials_of(people: tuple[Person, ...]) -> Initials:
    """The initials of the people on a board; lower user ids take precedence.

    Ann Adams is AA, and Ann Arbor beside her AR. A person with a higher id who joins later never
    changes those of the others.
    """
    initials: dict[int, str] = {}
    taken: set[str] = set()
    for person in sorted(people, key=lambda member: member.id):
        if person.id not in initials and person.initials:
            spelling = next(candidate for candidate in _spellings(person) if candidate not in taken)
            initials[person.id] = spelling
            taken.add(spelling)
    return MappingProxyType(initials)


def first_names(people: Collection[Person]) -> dict[int, str]:
    """The first names of people by their ids; the whole name where two have the same first one."""
    whole = {person.id: person.in_words for person in people}
    first = {person.id: next(iter(person.name.split()), whole[person.id]) for person in people}
    often = Counter(first.values())
    return {number: whole[number] if often[name] > 1 else name for number, name in first.items()}


def in_initials(people: Iterable[Person], initials: Initials) -> list[str]:
    """People as initials; for those not on the board their default ones."""
    return [initials.get(person.id, person.initials) for person in people]


def _spellings(person: Person) -> Iterator[str]:
    """Candidates for initials, the best first, without end."""
    yield person.initials
    words = person.name.split() or [person.login]
    source = words[0][1:] if len(words) == 1 else words[-1]
    letters = [letter for letter in source if letter.isalnum()]
    head = words[0][:1].upper()
    for letter in letters:
        yield head + letter.upper()
    for letter in letters[1:]:
        yield person.initials + letter.upper()
    for number in count(2):
        yield f"{head}{number}"


def mention_name(person: Person) -> str:
    """The login, or the display name if the service does not show logins."""
    return person.login or person.name


def by_mention(people: Iterable[Person]) -> dict[str, Person]:
    """The people who can be mentioned, by mention name.

    People without a login who share a name cannot be mentioned.
    """
    everybody = tuple(dict.fromkeys(person for person in people if mention_name(person)))
    logins = {person.login.casefold() for person in everybody if person.login}
    names = Counter(person.name.casefold() for person in everybody if not person.login)
    return {
        mention_name(person): person
        for person in everybody
        if person.login
        or (names[person.name.casefold()] == 1 and person.name.casefold() not in logins)
    }
