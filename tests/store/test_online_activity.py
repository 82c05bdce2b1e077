"""The activity of boards, of which some may not answer."""

from typing import cast

import pytest

from tui.client.documents import DocumentPage
from tui.client.errors import NotAllowed
from tui.store.online import activity as online
from tui.store.remote import Remote


class Telling:
    """A service with one activity on each board, and boards that are not for everybody."""

    def __init__(self, *closed: int) -> None:
        self._closed = closed

    async def activity_page(self, board_id: int, page: int) -> DocumentPage:
        if board_id in self._closed:
            raise NotAllowed(f"Not board {board_id}.")
        return DocumentPage([{"id": board_id * 10 + page, "action": "cr\x1beated"}], is_last=True)


def remote(*closed: int) -> Remote:
    return cast("Remote", Telling(*closed))


async def test_a_board_that_does_not_answer_is_left_out() -> None:
    pages = await online.newest(remote(2), [3, 2, 1])
    assert {board_id: [one.id for one in page.activities] for board_id, page in pages.items()} == {
        3: [31], 1: [11],
    }  # fmt: skip
    assert "\x1b" not in pages[1].activities[0].action


async def test_the_error_is_shown_if_none_answers() -> None:
    with pytest.raises(NotAllowed, match="board 3"):
        await online.newest(remote(3, 2), [3, 2])
    assert await online.newest(remote(), []) == {}
