"""Comments at services that answer in other forms than the specification's, by keys."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.day.world import BOARD, OTHER_BOARD, Day, Edition, opened_day
from tests.quirky.quirks import Quirks
from tui.client.client import Client

pytestmark = pytest.mark.long
_CARD = "Roof"


async def _furnish(client: Client) -> int:
    """A board with one card, which has a due date and a comment of one's own."""
    await client.create_board(OTHER_BOARD, "", "to-do")
    board = await client.create_board(BOARD, "", "to-do")
    stages = (await client.board(board["id"]))["stages"]
    task = await client.create_task(board["id"], stages[0]["id"], _CARD)
    await client.set_task(board["id"], task["id"], "due_at", "2031-12-05 17:00:00")
    await client.create_comment(board["id"], task["id"], "Question")
    return int(board["id"])


def _comments(day: Day) -> list[tuple[str, str]]:
    """Each as (its text, the text of what it answers)."""
    return [
        (text.removeprefix("<p>").removesuffix("</p>"), answers and "…")
        for text, answers in day.held().cards[_CARD].comments
    ]


@pytest.mark.parametrize("edition", ["none", "recent_free", "older_free", "old_paid"])
@pytest.mark.parametrize("every", [False, True], ids=["seen", "every-id"])
async def test_comments_are_answered_and_edited_where_ids_come_as_text(
    edition: str, every: bool, tmp_path: Path
) -> None:
    quirks = replace(getattr(Quirks, edition)(), ids_as_text=True, every_id_as_text=every)
    async with opened_day(Edition(edition, quirks), tmp_path, _furnish) as day:
        await day.go_to_card(_CARD)
        await day.press("T")
        await day.until(lambda: "Question" in day.person.text, "the comments")
        for keys in ("r ~Answer ctrl+s", "c ~Third ctrl+s", "e ctrl+end ~! ctrl+s"):
            await day.press(keys)
            await day.settled()
        assert day.store.pending() == ()
        comments = _comments(day)
    assert ("Answer", "…") in comments or ("Answer!", "…") in comments
    assert {text.rstrip("!") for text, _ in comments} == {"Question", "Answer", "Third"}
    assert [text for text, _ in comments if text.endswith("!")] != []


async def test_a_card_is_blocked_with_its_reason_where_the_author_is_wanted(
    tmp_path: Path,
) -> None:
    async with opened_day(Edition("old", Quirks.old_paid()), tmp_path, _furnish) as day:
        await day.go_to_card(_CARD)
        await day.press("b ~no_slates enter")
        await day.settled()
        assert day.store.pending() == ()
        assert day.held().cards[_CARD].labels == ("Blocked",)
        assert _comments(day)[1:] == [("Blocked: no slates", "")]


@pytest.fixture
def machine_in_berlin() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("machine_in_berlin")
@pytest.mark.parametrize("edition", ["none", "recent_free", "older_free", "old_paid"])
async def test_a_comment_of_ones_own_is_no_update_by_others(edition: str, tmp_path: Path) -> None:
    quirks: Quirks = getattr(Quirks, edition)()
    site = Edition(edition, quirks, timezone="Asia/Dhaka")
    async with opened_day(site, tmp_path, _furnish) as day:
        (before,) = day.board.all_tasks()
        await day.go_to_card(_CARD)
        await day.press("c ~First ctrl+s")
        await day.settled()
        assert _comments(day)[1:] == [("First", "")]
        (after,) = day.board.all_tasks()
        assert after.due_at == before.due_at
        await day.store.refresh(day.board_id)
        assert day.store.changed_by_others(day.board_id) == {}
