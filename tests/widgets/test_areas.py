"""The area of the cards in each stage: layers on each other, spread over cells."""

from hypothesis import given, strategies as st

from tui.screens.lists.insight_rows import layer_at, spread

_COUNTS = st.none() | st.integers(0, 50)


@given(
    days=st.lists(st.tuples(_COUNTS, _COUNTS), min_size=1, max_size=200), width=st.integers(1, 200)
)
def test_days_are_spread_over_the_cells_in_order_up_to_the_last(
    days: list[tuple[int | None, int | None]], width: int
) -> None:
    cells = spread(list(zip(*days, strict=True)), width)
    told: list[tuple[int, ...]] = [(first or 0, second or 0) for first, second in days]
    assert len(cells) == width
    assert cells[-1] == told[-1]
    left = iter(told)
    runs = [cell for cell, before in zip(cells, [None, *cells], strict=False) if cell != before]
    assert all(cell in left for cell in runs)
    if width >= len(days):
        assert set(cells) == set(told)


@given(
    columns=st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=30),
    height=st.integers(1, 12),
)
def test_layers_stand_on_each_other_and_are_as_high_as_their_share(
    columns: list[tuple[int, int, int]], height: int
) -> None:
    largest = max(map(sum, columns))
    for column in columns:
        levels = [(height - line - 0.5) * largest / height for line in range(height)]
        cells = [layer_at(column, level) for level in levels]
        assert cells == sorted(cells)
        for index, value in enumerate(column):
            share = value * height / largest if largest else 0
            assert abs(cells.count(index) - share) <= 1
