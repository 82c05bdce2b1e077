"""Initials of the people on a board, so that two people never share them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from types import MappingProxyType

from tui.model.task import Person

Initials = Mapping[int, str]
"""Initials by user id."""
NONE: Initials = MappingProxyType({})


@lru_cache(maxsize=32)
def initials_of(people: tuple[Person, ...]) -> Initials:
    """The initials of the people on a board; whoever has the lower user id chooses first.

    Ann Adams is AA, and Ann Arbor beside her AR. Somebody who joins later, with a higher id, never
    changes those of the others.
    """
    found: dict[int, str] = {}
    taken: set[str] = set()
    for person in sorted(people, key=lambda one: one.id):
        if person.id not in found and person.initials:
            spelling = next(one for one in _spellings(person) if one not in taken)
            found[person.id] = spelling
            taken.add(spelling)
    return MappingProxyType(found)


def in_initials(people: Iterable[Person], initials: Initials) -> list[str]:
    """Some people by their initials; those who are not on the board by their plain ones."""
    return [initials.get(person.id, person.initials) for person in people]


def _spellings(person: Person) -> Iterator[str]:
    """What may stand for a person, the best first; it never ends."""
    yield person.initials
    words = person.name.split() or [person.login]
    letters = [one for one in (words[0][1:] if len(words) == 1 else words[-1]) if one.isalnum()]
    head = words[0][:1].upper()
    for letter in letters:
        yield head + letter.upper()
    for letter in letters[1:]:
        yield person.initials + letter.upper()
    for number in count(2):
        yield f"{head}{number}"
