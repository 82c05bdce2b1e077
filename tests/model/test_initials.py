"""Different people on a board have different initials."""

from hypothesis import given, strategies as st

from tui.model.people import in_initials, initials_of
from tui.model.task import Person, Task, distinct

_NAMES = st.sampled_from(
    ["Ann Adams", "Ann Arbor", "Ann", "A", "A B", "Å. Ö.", "李 明", "ßa ß", ""]
)


def named(*names: str) -> tuple[Person, ...]:
    return tuple(Person(number, name, "x") for number, name in enumerate(names, start=1))


def short(*names: str) -> list[str]:
    people = named(*names)
    return in_initials(people, initials_of(people))


def test_the_second_of_two_gets_another_letter_of_her_name() -> None:
    assert short("Ann Adams", "Ann Arbor", "Bob Cook") == ["AA", "AR", "BC"]
    assert short("Ann Adams", "Ann Adams", "Ann Adams") == ["AA", "AD", "AM"]
    assert short("Jo", "Jo", "Jon", "Jonas") == ["JO", "J2", "JN", "JA"]
    assert short("Ann Ao", "Ann Ao", "Ann Ao", "Ann Ao") == ["AA", "AO", "AAO", "A2"]


def test_who_joins_later_changes_nobody_else() -> None:
    people = named("Ann Adams", "Ann Arbor", "Ann Ames")
    before = initials_of(people[:2])
    after = initials_of(people[::-1])
    assert {id_: after[id_] for id_ in before} == before


def test_who_is_not_on_the_board_has_plain_ones() -> None:
    assert in_initials([Person(9, "Zoe Zimmer")], initials_of(named("Ann Adams"))) == ["ZZ"]


@given(st.lists(_NAMES, max_size=30))
def test_no_two_people_share_them(names: list[str]) -> None:
    found = initials_of(named(*names))
    assert len(set(found.values())) == len(found) == len(names)


def test_everybody_is_once_whatever_they_are_called_on_cards() -> None:
    on_card, member = Person(1, "Ann", ""), Person(1, "Ann Keller", "ann")
    assert distinct((on_card, Person(2, "Jon"), member)) == (on_card, Person(2, "Jon"))
    assert Task(1, 1, 1, "a", assignees=(on_card,)).is_assigned_to(member)
