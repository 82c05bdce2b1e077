"""What people are called behind an `@` in a comment."""

from collections import Counter
from collections.abc import Iterable

from tui.model.task import Person


def mention_name(person: Person) -> str:
    """The login, or the display name where the service does not tell logins."""
    return person.login or person.name


def by_mention(people: Iterable[Person]) -> dict[str, Person]:
    """The people who can be mentioned, by their mention names.

    Of several without a login who have the same name, nobody can be mentioned.
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
