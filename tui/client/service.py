"""Makes requests to a service, and learns its capabilities from the responses.

A feature found missing is not requested again; the error names it.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final, TypeVar

from tui.client.answers import Answer, incomplete
from tui.client.capabilities import Capabilities, Feature, Learned, why_missing
from tui.client.endpoints import Endpoint
from tui.client.errors import (
    ApiError,
    NotOffered,
    NotStored,
    ServerFault,
    UnexpectedAnswer,
    WrongCredentials,
)
from tui.client.http.bodies import Body
from tui.client.http.session import Query, Session
from tui.client.records.base import Record
from tui.client.site_time import OWN_CLOCK, SiteTime

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Form = Mapping[str, Any]
"""Fields of `Capabilities`, with values that say in which form a request is sent."""
Question = Callable[[int], Awaitable[object]]
"""A safe request about a board that needs a feature."""
_ANY_BOARD = 1
_FORM_REFUSED = frozenset({400, 404, 405, 422, 500})
_NOTHING_WRITTEN = frozenset({405, 422})
"""A refused creation may have written after any other status."""


class Service:
    """A service, reached by `session`, whose clock is `site`.

    `learned` is called when `capabilities` change; `clock` returns the time (aware).
    """

    def __init__(
        self,
        session: Session,
        capabilities: Capabilities,
        learned: Learned,
        site: SiteTime = OWN_CLOCK,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.session = session
        self.capabilities = capabilities
        self.is_trusted: Final = capabilities.is_trusted
        """Whether responses need no reading back."""
        self._learned = learned
        self.site = site
        self._clock = clock
        self._broken: list[Form] = []
        """Forms at which the service broke down."""

    def learn(self, **known: Any) -> None:
        """Update fields of `Capabilities` by name."""
        now = replace(self.capabilities, **known)
        if now != self.capabilities:
            self.capabilities = replace(now, learnt_at=self._clock().replace(microsecond=0))
            self._learned(self.capabilities)

    def learn_features(self, answers: Mapping[Feature, bool]) -> None:
        """Record which features the service has or lacks."""
        there = {feature for feature, is_there in answers.items() if is_there}
        absent = answers.keys() - there
        known = self.capabilities
        self.learn(offered=known.offered - absent | there, missing=known.missing - there | absent)

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
        known to be missing, `UnexpectedAnswer`, and all that `Session.call` raises.
        """
        route = endpoint.at(*ids)
        feature = route.feature
        if feature is not None:
            self.require(feature)
        try:
            value = await self.session.call(route, query=query, body=body, seconds=seconds)
        except NotOffered as error:
            if feature is None:
                raise
            self.learn_features({feature: False})
            raise not_offered(feature, error) from error
        if value is None and not route.is_safe:
            value = {}
        has_gaps = isinstance(value, dict) and all(name.isdigit() for name in value)
        if array and (has_gaps or isinstance(value, list)):
            value = {array: value}
        if not isinstance(value, dict):
            raise incomplete(route, "an object")
        return Answer(route, value, self.site)

    async def in_accepted_form(
        self,
        forms: Sequence[Form],
        send: Callable[[Form], Awaitable[T]],
        look: Callable[[], Awaitable[T | None]] | None = None,
        *,
        is_repeatable: bool = True,
    ) -> T:
        """Make a request in the form that the service is known to accept, else in each of `forms`.

        The next one is tried after a definite answer, 400, 404, 405, 422 or 500, and after
        `NotStored`; after a 500 not if `look` returns what the request was to bring about. A
        request that is not `is_repeatable` is sent again only after 405 and 422; after a 500, which
        its caller has to look into, another form comes first the next time. The accepted form is
        remembered. Raises the error of the known form, or else the most telling one.
        """
        fields = self.capabilities
        match = [sum(getattr(fields, name) == form[name] for name in form) for form in forms]
        order = sorted(range(len(forms)), key=lambda at: (forms[at] in self._broken, -match[at]))
        accepted = next((forms[at] for at in order if match[at] == len(forms[at]) > 0), None)
        refusals: list[ApiError] = []
        for form in (forms[at] for at in order):
            try:
                result = await send(form)
            except ApiError as error:
                if self.is_trusted:
                    raise
                is_fault = error.status == HTTPStatus.INTERNAL_SERVER_ERROR
                if is_fault and not is_repeatable and accepted is None:
                    self._broken.append(form)
                if not _is_about_form(error, is_repeatable=is_repeatable):
                    raise
                if error.may_have_happened and look is not None:
                    try:
                        present = await look()
                    except ApiError:
                        raise error from None
                    if present is not None:
                        return present
                refusals.append(error)
            else:
                self.learn(**form)
                self._broken = [broken for broken in self._broken if broken != form]
                return result
        raise refusals[0] if accepted is not None else max(refusals, key=_telling)


def _is_about_form(error: ApiError, *, is_repeatable: bool) -> bool:
    """Whether another form of a request may be accepted, and can do no harm."""
    if isinstance(error, NotStored | NotOffered):
        return True
    statuses = _FORM_REFUSED if is_repeatable else _NOTHING_WRITTEN
    return error.status in statuses and not isinstance(error, UnexpectedAnswer)


def _telling(error: ApiError) -> int:
    return 0 if isinstance(error, NotOffered) else 1 if isinstance(error, ServerFault) else 2


def not_offered(feature: Feature, error: NotOffered | None = None) -> NotOffered:
    """The error for a missing feature; `error` is the service's, if it was asked."""
    return NotOffered(
        why_missing(feature),
        hint="If that has changed, check the service again.",
        details=error.details if error else "",
        status=error.status if error else None,
    )


class Features:
    """Finds out which features a service has, with one of the `questions` for each."""

    def __init__(self, service: Service, questions: Mapping[Feature, Question]) -> None:
        self._service = service
        self._questions = questions

    async def probe(self, board_id: int = _ANY_BOARD, *, again: bool = False) -> None:
        """Test unknown features, or with `again` all of them, with one safe request each.

        `board_id` is used in the requests; it need not exist. Raises `ApiError` if the service
        cannot be reached or rejects the credentials; results before that are kept.
        """
        if again:
            self._service.learn(missing=frozenset())
        for feature, question in self._questions.items():
            if again or self._service.offers(feature) is None:
                is_there = await _is_there(question(board_id))
                if is_there is not None:
                    self._service.learn_features({feature: is_there})

    async def ensure(self, feature: Feature) -> None:
        """Raise `NotOffered` unless a feature is available, testing it if not known."""
        if self._service.offers(feature) is None:
            await self.probe()
        if not self._service.offers(feature):
            raise not_offered(feature)


async def _is_there(question: Awaitable[object]) -> bool | None:
    """Whether the service knows the route of a safe request.

    None if the response does not show it.
    """
    try:
        await question
    except NotOffered:
        return False
    except UnexpectedAnswer:
        return None
    except ApiError as error:
        if error.status is None or error.is_passing or isinstance(error, WrongCredentials):
            raise
    return True
