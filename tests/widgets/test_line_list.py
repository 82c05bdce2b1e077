"""A list of rows: its cursor stays in sight, and only what differs is drawn."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, Self

import pytest
from hypothesis import given, settings, strategies as st
from textual.app import App, ComposeResult
from textual.geometry import Region, Size
from textual.pilot import Pilot

from tests.screens.driving import screen_text, turn_wheel
from tui.theme import DARK
from tui.widgets.keys import list_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line

WIDTH = 12
Named = tuple[str, int]
"""The name of a row, and how many lines it has."""


class NameFace(NamedTuple):
    """A row says its name in each line."""

    name: str
    height: int
    is_current: bool

    def lines(self) -> list[Line]:
        sign = ">" if self.is_current else " "
        return [((f"{sign}{self.name}.{n}".ljust(WIDTH), "text"),) for n in range(self.height)]


class Names(LineList[Named], can_focus=True):
    """Rows with a line above and one below; it remembers which parts are drawn again."""

    BINDINGS = list_keys("name", "name")

    def __init__(self, rows: Sequence[Named]) -> None:
        super().__init__()
        self.above = self.below = 1
        self.rows = rows
        self.refreshed: list[Region] = []

    def face_of(self, row: int) -> NameFace:
        return NameFace(*self.rows[row], self.is_current(row))

    def lines_now(self, size: Size) -> list[Line]:
        edge: Line = (("=" * size.width, "text"),)
        blank: Line = ((" " * size.width, "text"),)
        body = self.row_lines()
        return [edge, *body, *[blank] * (self.room - len(body)), edge]

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        self.refreshed += regions
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)


class NamesByRows(Names):
    """The same, scrolling by whole rows."""

    by_rows = True


class Alone(App[None]):
    """A list by itself."""

    CSS = "Names { height: 1fr; }"

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK.variables

    def compose(self) -> ComposeResult:
        yield self.names


@asynccontextmanager
async def shown(names: Names, height: int = 8) -> AsyncIterator[Pilot[None]]:
    """The list on a screen of so many lines, with the keys."""
    async with Alone(names).run_test(size=(WIDTH, height)) as pilot:
        names.focus()
        await pilot.pause()
        yield pilot


def many(count: int, height: int = 1) -> list[Named]:
    """So many rows of the same height."""
    return [(f"r{n}", height) for n in range(count)]


def seen(names: Names) -> list[str]:
    """What stands between the edges."""
    return [line.strip() for line in screen_text(names.app).splitlines()[1:-1]]


KEYS = ["j", "k", "G", "home", "pagedown", "pageup"]
STEPS = st.one_of(
    st.sampled_from(KEYS),
    st.integers(3, 14),
    st.lists(st.integers(1, 6), max_size=25),
)
"""A key, so many lines of screen from now on, or rows of these heights from now on."""


@pytest.mark.long
@pytest.mark.parametrize("kind", [Names, NamesByRows])
@settings(deadline=None, max_examples=5)  # each plays a program
@given(steps=st.lists(STEPS, min_size=1, max_size=12))
async def test_after_whatever_happened_the_cursor_is_in_sight_and_no_room_is_lost(
    kind: type[Names], steps: list[str | int | list[int]]
) -> None:
    names = kind(many(9, 2))
    async with shown(names) as pilot:
        for step in steps:
            if isinstance(step, list):
                names.rows = [(f"r{n}", height) for n, height in enumerate(step)]
                names.go_to(names.cursor)
            elif isinstance(step, int):
                await pilot.resize_terminal(WIDTH, step)
            else:
                await pilot.press(step)
            await pilot.pause()
            drawn = seen(names)
            every = [f"{name}.{n}" for name, height in names.rows for n in range(height)]
            first = sum(height for _, height in names.rows[: names.top.row]) + names.top.line
            expected = every[first : first + len(drawn)]
            assert [line.lstrip(">") for line in drawn] == [
                *expected,
                *[""] * (len(drawn) - len(expected)),
            ]
            if first:
                spare = 0 if kind is Names else names.rows[names.top.row - 1][1] - 1
                assert drawn.count("") <= spare
            if names.row is not None:
                own = [line for line in drawn if line.startswith(">")]
                assert len(own) == min(names.row[1], names.room)


async def test_a_step_draws_two_lines_and_other_rows_only_those_that_differ() -> None:
    names = Names(many(30))
    async with shown(names) as pilot:
        await pilot.press("j")
        names.refreshed.clear()
        await pilot.press("j")
        assert names.refreshed == [Region(0, 2, WIDTH, 1), Region(0, 3, WIDTH, 1)]
        names.refreshed.clear()
        names.rows = [(name, height) for name, height in many(30) if name != "r4"]
        names.go_to(names.cursor)
        assert names.refreshed == [Region(0, 5, WIDTH, 1), Region(0, 6, WIDTH, 1)]
        names.refreshed.clear()
        names.go_to(names.cursor)
        assert names.refreshed == []
        names.rows = names.rows[:5]
        names.go_to(names.cursor)
        assert all(region.y >= 5 for region in names.refreshed)


async def test_the_keys_go_by_rows_by_half_the_room_and_to_the_ends() -> None:
    names = Names(many(30))
    async with shown(names) as pilot:
        for key, row in (("pagedown", 3), ("ctrl+d", 6), ("pageup", 3), ("k", 2), ("end", 29)):
            await pilot.press(key)
            assert names.cursor == row
        assert seen(names) == ["r24.0", "r25.0", "r26.0", "r27.0", "r28.0", ">r29.0"]
        await pilot.press("j", "home", "k")
        assert names.cursor == 0


async def test_at_an_edge_a_list_by_rows_jumps_by_half_the_room() -> None:
    for names, first in ((Names(many(30)), "r1.0"), (NamesByRows(many(30)), "r3.0")):
        async with shown(names) as pilot:
            await pilot.press(*"jjjjjj")
            assert seen(names)[0] == first
            assert ">r6.0" in seen(names)


async def test_the_wheel_scrolls_what_can_be_scrolled_and_leaves_the_cursor() -> None:
    for names in (Names(many(12, 2)), NamesByRows(many(12, 2))):
        async with shown(names) as pilot:
            await turn_wheel(pilot, names, 1)
            assert seen(names)[0] == ("r1.1" if type(names) is Names else "r3.0")
            assert (names.cursor, names.row_at(0)) == (0, None)
            assert (names.row_at(1), names.row_at(6), names.row_at(7)) == (
                (1, 4, None) if type(names) is Names else (3, 5, None)
            )
            await turn_wheel(pilot, names, 9)
            assert seen(names)[-1] == "r11.1"
            await turn_wheel(pilot, names, -9)
            assert seen(names)[0] == ">r0.0"


async def test_a_row_taller_than_the_room_is_read_through_first() -> None:
    names = Names([("a", 1), ("b", 14), ("c", 1)])
    async with shown(names) as pilot:
        tops = []
        for key in "jjjjjkkkkkk":
            await pilot.press(key)
            tops.append((names.cursor, seen(names)[0].lstrip(">")))
        assert tops == [
            (1, "b.0"), (1, "b.3"), (1, "b.6"), (1, "b.8"), (2, "b.9"),
            (1, "b.0"), (0, "a.0"), (0, "a.0"), (0, "a.0"), (0, "a.0"), (0, "a.0"),
        ]  # fmt: skip
