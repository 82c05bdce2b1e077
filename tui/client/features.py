"""Which features a service offers: probed once, remembered, asked again on demand.

Only safe calls are made to find out. A route that the service does not know is a feature it does
not have; any answer of the service's own, even a refusal, means that the route is there; an answer
of anybody else, or none, teaches nothing.
"""

from collections.abc import Awaitable, Callable, Mapping

from tui.client.capabilities import Feature
from tui.client.errors import ApiError, Nonsense, NotOffered, WrongCredentials
from tui.client.service import Service, not_offered

Question = Callable[[int], Awaitable[object]]
"""A safe call that needs a feature, about a board."""

_ANY_BOARD = 1


class Features:
    """Finds out what a service offers, by one of the `questions` for each feature."""

    def __init__(self, service: Service, questions: Mapping[Feature, Question]) -> None:
        self._service = service
        self._questions = questions

    async def probe(self, board_id: int = _ANY_BOARD, *, again: bool = False) -> None:
        """Find out what is not known yet, or with `again` everything, with one safe call for each.

        `board_id` is a board to ask about; it need not be there. Raises `ApiError` if the service
        cannot be reached or does not accept the credentials; what was learnt until then stays.
        """
        if again:
            self._service.learn(missing=frozenset())
        for feature, question in self._questions.items():
            if again or self._service.offers(feature) is None:
                is_there = await _is_there(question(board_id))
                if is_there is not None:
                    self._service.learn_features({feature: is_there})

    async def ensure(self, feature: Feature) -> None:
        """Raise `NotOffered` unless a feature is known to be there; probe if it is not known."""
        if self._service.offers(feature) is None:
            await self.probe()
        if not self._service.offers(feature):
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
