"""The account of the person at the keyboard, and which people on a board it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from tui.model.task import Person


@dataclass(frozen=True, slots=True)
class Account:
    """Whom the person calls as: the login name of the profile, and the user id if that is known.

    The login may be an e-mail, and members of a board may come without their login names; the id
    tells who they are all the same.
    """

    login: str = ""
    user_id: int | None = None

    def owns(self, user_id: int | None, names: Iterable[str] = ()) -> bool:
        """Whether a user of that id, or called by one of these names, is the person."""
        if self.user_id is not None and user_id == self.user_id:
            return True
        login = self.login.casefold()
        return bool(login) and login in (name.casefold() for name in names)

    def is_of(self, person: Person | None) -> bool:
        """Whether somebody on a board is the person."""
        return person is not None and self.owns(person.id, (person.login,))

    def may_be_of(self, person: Person) -> bool:
        """Whether somebody is the person, or may be as far as is known."""
        is_unknown = self.user_id is None and not (self.login and person.login)
        return is_unknown or self.is_of(person)

    def among(self, people: Iterable[Person]) -> Person | None:
        """The person among the people of a board."""
        return next((one for one in people if self.is_of(one)), None)
