"""The placeholder of an input fits, or ends in an ellipsis."""

import pytest

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import opened


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, " words  #12  label:bug  @name  p:high…"),
        (120, " words  #12  label:bug  @name  p:high  due:overdue  -is:open  "),
    ],
)
async def test_a_placeholder_is_cut_with_an_ellipsis(width: int, shown: str) -> None:
    async with opened(FakeStore(small()), size=(120, 15)) as person:
        await person.press("slash")
        await person.pilot.resize_terminal(width, 15)
        await person.press()
        assert shown in person.text
        await person.press("a")
        assert "words" not in person.text


async def test_a_placeholder_in_a_dialog_is_cut_with_an_ellipsis() -> None:
    async with opened(FakeStore(small()), size=(24, 15)) as person:
        await person.press("question_mark")
        assert "type to search ke…" in person.text
