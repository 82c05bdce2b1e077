"""Which features a service offers: probed once, remembered, asked again on demand.

Only safe calls are made to find out. A route that the service does not know is a feature it does
not have; any answer of the service's own, even a refusal, means that the route is there; an answer
of anybody else, or none, teaches nothing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from tui.client.capabilities import Feature
from tui.client.dialect.feature_learning import not_offered
from tui.client.dialect.memory import Memory
from tui.client.dialect.resources import Resources
from tui.client.errors import ApiError, Nonsense, NotOffered, WrongCredentials

_ANY_ID = 1
_SOME_TIME = "2000-01-01 00:00:00"


class Features:
    """What the service offers, as far as it is known, and how to find out."""

    def __init__(self, api: Resources, memory: Memory) -> None:
        self._memory = memory
        self._questions: dict[Feature, Callable[[int], Awaitable[object]]] = {
            Feature.SUBTASKS: lambda board_id: api.subtasks.list(board_id, _ANY_ID),
            Feature.CUSTOM_FIELDS: api.fields.list,
            Feature.FOLDERS: lambda _: api.folders.list(),
            Feature.SERVICE_USERS: lambda _: api.people.list(),
            Feature.USER_SEARCH: lambda _: api.people.search(""),
            Feature.CHANGE_NEWS: lambda board_id: api.boards.has_data_changed(board_id, _SOME_TIME),
        }

    async def probe(self, board_id: int = _ANY_ID, *, again: bool = False) -> None:
        """Find out what is not known yet, or with `again` everything, with one safe call for each.

        `board_id` is a board to ask about; it need not be there. Raises `ApiError` if the service
        cannot be reached or does not accept the credentials; what was learnt until then stays.
        """
        if again:
            self._memory.learn(replace(self._memory.capabilities, missing=frozenset()))
        for feature, question in self._questions.items():
            if again or self._memory.capabilities.offers(feature) is None:
                is_there = await _is_there(question(board_id))
                if is_there is not None:
                    self._memory.learn_features({feature: is_there})

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service has a feature; None if that is not known yet."""
        return self._memory.capabilities.offers(feature)

    def require(self, feature: Feature) -> None:
        """Raise `NotOffered`, with the reason in words, for what is known to be missing."""
        if self.offers(feature) is False:
            raise not_offered(feature)

    async def ensure(self, feature: Feature) -> None:
        """Raise `NotOffered` unless a feature is known to be there; probe if it is not known."""
        if self.offers(feature) is None:
            await self.probe()
        if not self.offers(feature):
            raise not_offered(feature)


async def _is_there(question: Awaitable[object]) -> bool | None:
    """Whether the service knows the route of a safe call; None if its answer does not tell."""
    try:
        await question
    except NotOffered:
        return False
    except Nonsense:
        return None
    except ApiError as error:
        if error.status is None or error.is_passing or isinstance(error, WrongCredentials):
            raise
    return True
