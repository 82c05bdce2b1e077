"""Who of the people on a board is the person at the keyboard."""

import pytest

from tui.model.people import Account
from tui.model.task import Person

ANN, BOB = Person(2, "Ann Adams", "ann"), Person(3, "Bob", "bob")
NAMELESS = Person(2, "Ann Adams")


@pytest.mark.parametrize(
    ("account", "person", "is_hers", "may_be_hers"),
    [
        (Account("ann"), ANN, True, True),
        (Account("ANN"), ANN, True, True),
        (Account("ann"), BOB, False, False),
        (Account("ann"), NAMELESS, False, True),
        (Account("ann@people.example", 2), NAMELESS, True, True),
        (Account("ann@people.example", 2), BOB, False, False),
        (Account("ann", 9), ANN, True, True),
        (Account(), ANN, False, True),
        (Account(), NAMELESS, False, True),
    ],
)
def test_the_id_tells_where_the_login_name_does_not(
    account: Account, person: Person, is_hers: bool, may_be_hers: bool
) -> None:
    assert account.is_of(person) is is_hers
    assert account.may_be_of(person) is may_be_hers
    assert account.among([Person(7, "Eve", "eve"), person]) == (person if is_hers else None)
    assert not account.is_of(None)
