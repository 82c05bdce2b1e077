"""Asking what has changed on a board, where services can tell."""

from datetime import UTC, datetime, timedelta

from tui.client.capabilities import Feature
from tui.client.dialect.memory import Memory
from tui.client.errors import NotOffered
from tui.client.resources.boards import Boards, Changes

_STAMP = "%Y-%m-%d %H:%M:%S"
_SOME_TIME_AGO = timedelta(hours=12)
"""Lies within the day that services look back, whatever zone they are in."""


class ChangeNews:
    """Asks `has-data-changed`, which is not in the specification."""

    def __init__(self, boards: Boards, memory: Memory) -> None:
        self._boards = boards
        self._memory = memory

    async def ask(self, board_id: int, since: str) -> Changes | None:
        """What has changed since a `synced_at`; None if the service cannot tell.

        Without `since` the answer tells how the service answers, and the `synced_at` to begin with
        where it has one. Raises `ServerFault` where `since` is older than a day.
        """
        if self._memory.capabilities.offers(Feature.CHANGE_NEWS) is False:
            return None
        asked = _asked_since(since) if since else f"{datetime.now(UTC) - _SOME_TIME_AGO:{_STAMP}}"
        try:
            changes = await self._boards.has_data_changed(board_id, asked)
        except NotOffered:
            return None
        self._memory.learn_features({Feature.CHANGE_NEWS: True})
        return changes


def _asked_since(since: str) -> str:
    """A second before a time that is told in whole seconds: more may have changed in that second.

    What is more than such a time is the service's own and given back as it is.
    """
    try:
        moment = datetime.strptime(since, _STAMP)  # noqa: DTZ007 - the site's own time
    except ValueError:
        return since
    return (moment - timedelta(seconds=1)).strftime(_STAMP)
