"""Text is measured, cut and padded in cells, whatever it is made of."""

import pytest
from hypothesis import given, strategies as st

from tui.text import cells

FAMILY = "👨‍👩‍👧"
ODD_TEXT = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("a b…\u200d\ufe0f\u0301👨👩❤☎1#漢字🇩🇪"))
)


@given(ODD_TEXT, st.integers(-2, 40))
def test_fitted_text_has_exactly_the_cells_asked_for(text: str, room: int) -> None:
    assert cells.width(cells.fit(text, room)) == max(0, room)


@given(ODD_TEXT, st.integers(-2, 40))
def test_cut_text_has_at_most_the_cells_asked_for(text: str, room: int) -> None:
    assert cells.width(cells.cut(text, room)) <= max(0, room)


@given(ODD_TEXT, st.integers(0, 40))
def test_a_split_loses_nothing_but_joiners(text: str, room: int) -> None:
    head, rest = cells.split(text, room)
    assert cells.width(head) <= room
    assert (head + rest).replace("\u200d", "") == text.replace("\u200d", "")


@given(ODD_TEXT.filter(lambda text: cells.width(text) > 0))
def test_a_split_gets_on_where_there_are_two_cells(text: str) -> None:
    head, rest = cells.split(text, 2)
    assert len(rest) < len(text)
    assert head or rest != text


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("Fix login", 9, "Fix login"),
        ("Fix login", 8, "Fix log…"),
        ("Fix login", 1, "…"),
        ("Fix login", 0, ""),
        ("漢字漢字", 5, "漢字…"),
        ("漢字漢字", 6, "漢字…"),
        (f"{FAMILY}{FAMILY}", 3, f"{FAMILY}…"),
        ("cafe\u0301s are open", 5, "cafe\u0301…"),
    ],
)
def test_what_is_cut_ends_in_an_ellipsis(text: str, room: int, expected: str) -> None:
    assert cells.cut(text, room) == expected


def test_another_ellipsis_can_be_asked_for() -> None:
    assert cells.fit("Fix login", 6, ellipsis="~") == "Fix l~"


def test_padding_leaves_wider_text_alone() -> None:
    assert cells.pad("漢字", 6) == "漢字  "
    assert cells.pad("Fix login", 3) == "Fix login"


def test_one_endless_character_is_split_all_the_same() -> None:
    head, rest = cells.split("e" + "\u0301" * 10_000, 2)
    assert head.startswith("e")
    assert len(rest) < 10_001


class Counted(str):
    """Text that remembers how far it has been sliced."""

    __slots__ = ("furthest",)

    def __getitem__(self, key: object) -> str:
        assert isinstance(key, slice)
        self.furthest = max(getattr(self, "furthest", 0), key.stop or 0)
        return str.__getitem__(self, key)


def test_a_long_title_is_only_looked_at_where_it_can_be_seen() -> None:
    title = Counted("x" * 10_000)
    assert cells.cut(title, 30) == "x" * 29 + "…"
    assert title.furthest < 300
