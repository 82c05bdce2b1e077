"""Looks fall on the same moments, whenever they began."""

import pytest

from tui.runtime.beat import until_beat


@pytest.mark.parametrize(("now", "expected"), [(8.0, 0.25), (8.1, 0.15), (8.2499, 0.0001)])
def test_the_next_beat_is_never_now(now: float, expected: float) -> None:
    assert until_beat(0.25, now) == pytest.approx(expected)


def test_long_and_short_pauses_end_together() -> None:
    ends = [3.3 + until_beat(pause, 3.3) for pause in (0.25, 1.0, 2.0)]
    assert ends == pytest.approx([3.5, 4.0, 4.0])
