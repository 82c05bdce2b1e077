"""Small charts of one line."""

from hypothesis import given, strategies as st

from tui.screens.lists.insight_rows import bar, spark, stacked
from tui.widgets import glyphs

_VALUES = st.lists(st.none() | st.integers(0, 1000), min_size=1, max_size=200)


@given(values=_VALUES, width=st.integers(1, 200))
def test_a_chart_fits_and_higher_numbers_are_higher(values: list[int | None], width: int) -> None:
    chart = spark(values, width)
    assert len(chart) == min(width, len(values))
    if width < len(values):
        assert spark(values[-1:], 1)[-1].isspace() == chart[-1].isspace()
        return
    told = [(one, sign) for one, sign in zip(values, chart, strict=True) if one is not None]
    assert {sign for one, sign in zip(values, chart, strict=True) if one is None} <= {" "}
    heights = [glyphs.BLOCKS.index(sign) for _, sign in sorted(told)]
    assert heights == sorted(heights)
    assert all((one == 0) == (sign == glyphs.BLOCKS[0]) for one, sign in told)
    largest = max((one for one, _ in told), default=0)
    assert all(sign == glyphs.BLOCKS[-1] for one, sign in told if one == largest > 0)


def test_the_last_value_is_always_shown() -> None:
    assert spark([1, 1, 1, 1, 0, 0, 8], 3) == "▂▂█"


@given(value=st.integers(0, 99), width=st.integers(1, 50))
def test_a_bar_is_as_long_as_its_share(value: int, width: int) -> None:
    assert 0 <= len(bar(value, 99, width)) - value * width / 99 < 1
    assert bar(0, 0, width) == ""


@given(
    columns=st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=30),
    height=st.integers(1, 12),
)
def test_layers_stand_on_each_other_and_are_as_high_as_their_share(
    columns: list[tuple[int, int, int]], height: int
) -> None:
    layers = list(zip(*columns, strict=True))
    lines = [stacked(layers, 40, line=line, height=height) for line in range(height)]
    largest = max(map(sum, columns))
    for at, column in enumerate(columns):
        cells = [line[at] for line in lines]
        assert cells == sorted(cells)
        for index, value in enumerate(column):
            share = value * height / largest if largest else 0
            assert abs(cells.count(index) - share) <= 1
