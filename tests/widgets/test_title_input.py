"""A title is wrapped while it is typed, and the cursor is where its letter is drawn."""

import pytest
from hypothesis import given, strategies as st
from textual.app import App, ComposeResult
from textual.geometry import Region

from tui.widgets.title_input import TitleInput, line_starts


class OneInput(App[None]):
    """An input of ten cells in the middle of a screen."""

    CSS = "TitleInput { position: absolute; border: none; padding: 0; }"

    def compose(self) -> ComposeResult:
        """Only the input."""
        yield TitleInput("title")

    @property
    def typed(self) -> TitleInput:
        """The input."""
        return self.query_one(TitleInput)


def lines(typed: TitleInput) -> list[str]:
    """What the input draws."""
    return [typed.render_line(y).text.rstrip() for y in range(typed.size.height)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("one two", ["one two"]),
        ("one two three four", ["one two ", "three ", "four"]),
        ("a123456789b12", ["a12345678", "9b12"]),
        ("one a123456789b12", ["one ", "a12345678", "9b12"]),
        ("漢字漢字漢字", ["漢字漢字", "漢字"]),
        ("one two  three", ["one two  ", "three"]),
        ("one\x1btwo\u202ethree", ["one\x1btwo\u202e", "three"]),
    ],
)
def test_lines_are_broken_at_blanks(text: str, expected: list[str]) -> None:
    starts = line_starts(text, 9)
    ends = (*starts[1:], len(text))
    assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == expected


@given(st.text(max_size=60), st.integers(-1, 12))
def test_every_text_has_its_lines_in_order(text: str, width: int) -> None:
    starts = line_starts(text, width)
    assert starts[0] == 0
    assert list(starts) == sorted(set(starts))
    assert starts[-1] <= len(text)


async def test_the_cursor_moves_by_lines_and_is_where_a_click_is() -> None:
    app = OneInput()
    async with app.run_test(size=(30, 8)) as pilot:
        app.typed.focus()
        app.typed.value = "one two three four"
        app.typed.put(Region(5, 2, 10, app.typed.lines_in(10)))
        await pilot.pause()
        assert lines(app.typed) == ["one two", "three", "four"]
        assert app.typed.cursor_screen_offset == (9, 4)
        await pilot.press("up")
        assert app.typed.cursor_position == len("one two thre")
        await pilot.press("up", "up")
        assert app.typed.cursor_screen_offset == (9, 2)
        await pilot.press("down", "down", "down", "x")
        assert app.typed.value == "one two three fourx"
        await pilot.click(offset=(6, 3))
        assert app.typed.cursor_position == len("one two t")
        await pilot.click(offset=(8, 2))
        assert app.typed.cursor_position == len("one")


async def test_with_less_room_than_lines_those_at_the_cursor_are_drawn() -> None:
    app = OneInput()
    async with app.run_test(size=(30, 8)) as pilot:
        app.typed.focus()
        app.typed.value = "one two three four"
        app.typed.put(Region(5, 2, 10, 2))
        await pilot.pause()
        assert lines(app.typed) == ["three", "four"]
        await pilot.press("home")
        assert lines(app.typed) == ["one two", "three"]


async def test_an_input_takes_its_height_itself_up_to_a_limit() -> None:
    app = OneInput()
    async with app.run_test(size=(10, 8)) as pilot:
        app.typed.most_lines = 2
        app.typed.value = "one"
        await pilot.pause()
        assert app.typed.size.height == 1
        for text in ("one two three", "one two three four five"):
            app.typed.value = text
            await pilot.pause()
            assert app.typed.size.height == 2
