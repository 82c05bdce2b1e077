"""Records: compared by their values, changed by copying."""

from dataclasses import KW_ONLY, field, replace

import pytest

from tui.record import record


@record
class Point:
    """A point with a name."""

    x: int
    y: int = 0
    _: KW_ONLY
    name: str = ""


@record
class Line(Point):
    """A line from a point."""

    ends: tuple[int, ...] = field(default_factory=tuple)


def test_records_are_equal_if_their_values_are() -> None:
    assert Point(1, name="a") == Point(1, 0, name="a")
    assert Point(1, name="a") != Point(1, name="b")
    assert Point(1) != Line(1)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_a_record_is_changed_by_copying() -> None:
    line = Line(1, 2, name="a", ends=(3,))
    assert replace(line, y=5) == Line(1, 5, name="a", ends=(3,))


def test_a_record_says_its_values() -> None:
    assert repr(Line(1, ends=(2,))) == "Line(x=1, y=0, name='', ends=(2,))"


def test_a_record_has_no_other_values() -> None:
    with pytest.raises(AttributeError):
        setattr(Point(1), "z", 1)  # noqa: B010  mypy forbids it


@record
class Shape:
    """A base without values."""

    @property
    def area(self) -> int:
        """How large it is."""
        return 0


@record
class Square(Shape):
    """A shape with a value."""

    side: int

    @property
    def area(self) -> int:
        return self.side**2


def test_a_record_may_have_a_base_without_values() -> None:
    assert Square(3) == replace(Square(2), side=3)
    assert (Square(3).area, Shape().area) == (9, 0)
