"""Comments and their pictures, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint


@pytest.mark.long
@reaches(
    Endpoint.LIST_COMMENTS,
    Endpoint.CREATE_COMMENT,
    Endpoint.UPDATE_COMMENT,
    Endpoint.DELETE_COMMENT,
    Endpoint.UPLOAD_COMMENT_IMAGE,
)
async def test_comments_are_written_answered_changed_and_deleted(day: Day) -> None:
    await day.go_to_card("first")
    await day.press("c ctrl+o ~{folder}/dot.png enter ctrl+s ~Look ctrl+s")
    await day.settled()
    assert day.held().cards["first"].pictures == 1
    await day.press("T")
    await day.until(lambda: "Look" in day.person.text, "the comment")
    await day.press("r ~Nice ctrl+s")
    await day.settled()
    assert comments(day) == [("Look", ""), ("Nice", "Look")]
    await day.press("g g e ctrl+end ~! ctrl+s")
    await day.settled()
    assert comments(day) == [("Look!", ""), ("Nice", "Look!")]
    await day.press("j D y")
    await day.settled()
    assert comments(day) == [("Look!", "")]


def comments(day: Day) -> list[tuple[str, str]]:
    """The comments that the service holds, each with the text of what it answers."""
    return [(plain(text), plain(answers)) for text, answers in day.held().cards["first"].comments]


def plain(text: str) -> str:
    """A text without its paragraph."""
    return text.replace("<p>", "").replace("</p>", "").strip()
