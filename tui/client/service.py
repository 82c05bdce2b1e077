"""Makes requests to a service, and learns its capabilities from the responses.

A feature found missing is not requested again; the error names it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tui.client.answers import Answer, incomplete
from tui.client.capabilities import Capabilities, Feature, Learned, why_missing
from tui.client.endpoints import Endpoint
from tui.client.errors import ApiError, NotFound, NotOffered
from tui.client.http.bodies import Body
from tui.client.http.session import HttpSession, Query
from tui.client.site_time import OWN_CLOCK, SiteTime


class RemoteService:
    """A service, reached by `session`, whose clock is `site`.

    `learned` is called when `capabilities` change; `clock` returns the time (aware).
    """

    def __init__(
        self,
        session: HttpSession,
        capabilities: Capabilities,
        learned: Learned,
        site: SiteTime = OWN_CLOCK,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.session = session
        self.capabilities = capabilities
        self._learned = learned
        self.site = site
        self._clock = clock

    def learn(self, **fields: Any) -> None:
        """Update fields of `Capabilities` by name."""
        updated = replace(self.capabilities, **fields)
        if updated != self.capabilities:
            self.capabilities = replace(updated, learnt_at=self._clock().replace(microsecond=0))
            self._learned(self.capabilities)

    def learn_features(self, answers: Mapping[Feature, bool]) -> None:
        """Record which features the service has or lacks."""
        present = {feature for feature, is_there in answers.items() if is_there}
        absent = answers.keys() - present
        offered, missing = self.capabilities.offered, self.capabilities.missing
        self.learn(offered=offered - absent | present, missing=missing - present | absent)

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service has a feature; None if not known yet."""
        return self.capabilities.offers(feature)

    async def announces(self, addition: str) -> bool:
        """Whether the service announces an addition to the specification.

        Makes a request if there was no response yet. Raises `ApiError`.
        """
        if self.session.announced is None:
            await self.session.call(Endpoint.LIST_BOARDS.at())
        return addition in (self.session.announced or ())

    def require(self, feature: Feature) -> None:
        """Raise `NotOffered`, with the reason in words, if a feature is known to be missing."""
        if self.offers(feature) is False:
            raise not_offered(feature)

    async def ask(
        self,
        endpoint: Endpoint,
        *ids: int | str,
        query: Query | None = None,
        body: Body | None = None,
        seconds: float | None = None,
        array: str = "",
    ) -> Answer:
        """Make a request whose response is an object; empty for a write without content.

        A response that is an array, or an object with numeric keys, is put under the name `array`.
        `seconds` is the total time-out. Raises `NotOffered` without a request if the feature is
        known to be missing, `UnexpectedAnswer`, and all that `HttpSession.call` raises.
        """
        route = endpoint.at(*ids)
        feature = route.feature
        if feature is not None:
            self.require(feature)
        try:
            value = await self.session.call(route, query=query, body=body, seconds=seconds)
        except NotOffered as error:
            # Most endpoints stand for no feature: a missing one says nothing about the others.
            if feature is None:
                raise
            self.learn_features({feature: False})
            raise not_offered(feature, error) from error
        if value is None and not route.is_safe:
            value = {}
        # PHP encodes an array with gaps in its keys as an object.
        has_gaps = isinstance(value, dict) and all(name.isdigit() for name in value)
        if array and (has_gaps or isinstance(value, list)):
            value = {array: value}
        if not isinstance(value, dict):
            raise incomplete(route, "an object")
        return Answer(route, value, self.site)

    async def delete(self, endpoint: Endpoint, *ids: int, body: Body | None = None) -> None:
        """Delete something, if it still exists. Raises all that `ask` raises but `NotFound`."""
        with suppress(NotFound):
            await self.ask(endpoint, *ids, body=body)


def not_offered(feature: Feature, error: ApiError | None = None) -> NotOffered:
    """The error for a missing feature; `error` is the service's, if it was asked."""
    return NotOffered(
        why_missing(feature),
        hint="If that has changed, check the service again.",
        details=error.details if error else "",
        status=error.status if error else None,
    )
