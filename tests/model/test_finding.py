"""What can be found: by words, by number, by person; what was opened or changed lately first."""

from datetime import UTC, timedelta
from typing import Any

from hypothesis import given, strategies as st

from tests.fakes.boards import NOW
from tui.model.find import FindIndex, Found, Thing
from tui.model.task import Person

ANN, BOB = Person(1, "Ann Miller", "ann"), Person(2, "Bob Cook")
MOST = 50


def card(number: int, title: str, *people: Person, days: int = 90, **more: Any) -> Found:
    """A card that was changed so many days ago."""
    at = NOW.astimezone(UTC) - timedelta(days=days)
    return Found(Thing.CARD, number, title, 1, "Web", "Doing", people=people, at=at, **more)


def person(who: Person) -> Found:
    return Found(Thing.PERSON, who.id, who.name, people=(who,))


def findings(*things: Found, opened: tuple[str, ...] = ()) -> FindIndex:
    made = FindIndex(opened, NOW)
    made.add(things)
    return made


def ids(found: list[Found]) -> list[int]:
    return [one.id for one in found]


titles = st.text(min_size=1, max_size=60).filter(str.strip)


@given(st.lists(titles, min_size=1, max_size=12), st.data())
def test_everything_is_found_by_its_whole_title(made: list[str], data: st.DataObject) -> None:
    things = [card(number, title) for number, title in enumerate(made, start=1)]
    wanted = data.draw(st.sampled_from(things))
    if not wanted.title.startswith("@"):
        assert wanted in findings(*things).find(wanted.title, MOST)


@given(st.lists(titles, max_size=12), st.text(max_size=12), st.integers(0, 5))
def test_nothing_is_found_twice_or_made_up(made: list[str], words: str, most: int) -> None:
    things = [card(number, title) for number, title in enumerate(made, start=1)]
    found = findings(*things, opened=("card 2", "card 99")).find(words, most)
    assert len(found) <= most
    assert len({one.key for one in found}) == len(found)
    assert set(found) <= set(things)


@given(st.integers(1, 10**17))
def test_a_number_finds_its_card_first(number: int) -> None:
    named = card(7, f"Looks like {number}", days=1)
    made = findings(named, card(number, "Other"), Found(Thing.COMMENT, number, "no card"))
    for words in (f"#{number}", f" {number} "):
        assert ids(made.find(words, MOST))[0] == number
        assert made.find(words, MOST)[0].title == "Other" or number == named.id


def test_what_was_opened_or_changed_lately_comes_first() -> None:
    made = findings(
        card(1, "Login page"),
        card(2, "Login form", days=2),
        card(3, "Login mask"),
        card(4, "Login link", is_archived=True),
        card(5, "Login text", is_closed=True),
        opened=("card 3", "board 9"),
    )
    assert ids(made.find("login", MOST)) == [3, 2, 1, 5, 4]
    assert ids(made.find("", MOST)) == [3, 2, 5, 1], "archived ones are not listed unasked"
    assert ids(made.find(" ", 2)) == [3, 2]


def test_an_exact_word_is_better_than_letters_of_what_was_opened() -> None:
    made = findings(card(1, "Larger open grid"), card(2, "Log"), opened=("card 1",))
    assert ids(made.find("log", MOST)) == [2, 1]


def test_a_name_after_an_at_sign_lists_the_cards_of_a_person() -> None:
    made = findings(
        person(ANN),
        person(BOB),
        card(1, "Log in", ANN, is_closed=True),
        card(2, "Log out", ANN, days=3),
        card(3, "Log file", ANN, BOB, days=2),
        card(4, "Log rotation"),
        Found(Thing.COMMENT, 5, "Log of it", people=(ANN,)),
    )
    assert ids(made.find("@ANN", MOST)) == [3, 2, 1]
    assert ids(made.find("@ann log file", MOST)) == [3]
    assert ids(made.find("@ann nothing like it", MOST)) == []
    assert ids(made.find("@bob cook ", MOST)) == [3], "a name where there is no login"
    assert made.find("@bo", MOST) == [person(BOB)], "somebody not named in full yet"
    assert made.find("ann", MOST)[0] == person(ANN)


def test_hostile_questions_are_harmless() -> None:
    made = findings(card(1, "x"), person(ANN))
    for words in ("@" * 9_999, "@" + " a" * 9_999, "#" + "9" * 9_999, "\x00(.*", "#²", "#-1", "٣"):
        assert len(made.find(words, MOST)) <= 2


def test_scattered_letters_count_only_where_nothing_has_them_together() -> None:
    made = findings(
        person(ANN), card(1, "Larger open grid", ANN), card(2, "Log"), card(3, "Out", ANN)
    )
    assert ids(made.find("log", is_strict=True)) == [2]
    assert ids(made.find("lgr", is_strict=True)) == [1]
    assert ids(made.find("#1", is_strict=True)) == [1]
    assert set(ids(made.find("@ann", is_strict=True))) == {1, 3}
