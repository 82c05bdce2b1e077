"""Calls to one service: what their answers must hold, and what they teach about the service.

Whatever a call meets is learnt: a feature that is missing is never asked for again, and the person
reads which one it is. What must be in an answer is there or the answer is `Nonsense`: a success
without the thing that was written is never shown as one.
"""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import ValidationError

from tui.client.capabilities import Capabilities, Feature, Memory, why_missing
from tui.client.endpoints import Endpoint, Route
from tui.client.errors import ApiError, Nonsense, NotOffered, Refused, WrongCredentials
from tui.client.http.bodies import Body, ProgressListener
from tui.client.http.session import Query, Session
from tui.client.records import Part

P = TypeVar("P", bound=Part)
T = TypeVar("T")
W = TypeVar("W")
Question = Callable[[int], Awaitable[object]]
"""A safe call that needs a feature, about a board."""
_ANY_BOARD = 1

TAUGHT_BY: Mapping[Endpoint, Feature] = {
    Endpoint.UPLOAD_COMMENT_IMAGE: Feature.PICTURES,
    Endpoint.LIST_SUBTASKS: Feature.SUBTASKS,
    Endpoint.CREATE_SUBTASK: Feature.SUBTASKS,
    Endpoint.CLONE_SUBTASK: Feature.SUBTASK_COPIES,
    Endpoint.CREATE_SUBTASK_GROUP: Feature.SUBTASK_GROUPS,
    Endpoint.UPDATE_SUBTASK_GROUP: Feature.SUBTASK_GROUPS,
    Endpoint.DELETE_SUBTASK_GROUP: Feature.SUBTASK_GROUPS,
    Endpoint.LIST_FIELDS: Feature.CUSTOM_FIELDS,
    Endpoint.CREATE_FIELD: Feature.CUSTOM_FIELDS,
    Endpoint.LIST_FIELD_VALUES: Feature.CUSTOM_FIELDS,
    Endpoint.REPOSITION_FIELD: Feature.CUSTOM_FIELD_ORDER,
    Endpoint.LIST_FOLDERS: Feature.FOLDERS,
    Endpoint.CREATE_FOLDER: Feature.FOLDERS,
    Endpoint.MAKE_MANAGER: Feature.ROLES,
    Endpoint.REMOVE_MANAGER: Feature.ROLES,
    Endpoint.MAKE_MEMBER: Feature.VIEWER_ROLES,
    Endpoint.MAKE_VIEWER: Feature.VIEWER_ROLES,
    Endpoint.SYNC_ROLES: Feature.ROLES,
    Endpoint.SEARCH_USERS: Feature.USER_SEARCH,
    Endpoint.LIST_USERS: Feature.SERVICE_USERS,
    Endpoint.REMOVE_USER_FROM_BOARD: Feature.REMOVAL_FROM_BOARD,
    Endpoint.HAS_DATA_CHANGED: Feature.CHANGE_NEWS,
}
"""The endpoints without which a feature is not there; of two that look alike the longer first."""

_PATTERNS = tuple(
    (endpoint.method, re.compile(re.sub(r"{\w+}", "[^/]+", endpoint.path)), feature)
    for endpoint, feature in TAUGHT_BY.items()
)


class Service:
    """A service, asked through `session`; what is known of it is in `memory`."""

    def __init__(self, session: Session, memory: Memory) -> None:
        self._session = session
        self._memory = memory

    @property
    def capabilities(self) -> Capabilities:
        """What is known of the service now."""
        return self._memory.capabilities

    @property
    def is_trusted(self) -> bool:
        """Whether the service's word is enough, so that nothing is read back."""
        return self._memory.capabilities.is_trusted

    def learn(self, **known: Any) -> None:
        """Take over what is known now, by the names of the fields of `Capabilities`."""
        self._memory.learn(replace(self._memory.capabilities, **known))

    def learn_features(self, answers: Mapping[Feature, bool]) -> None:
        """Note which features the service has and which it does not have."""
        self._memory.learn_features(answers)

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service has a feature; None if that is not known yet."""
        return self._memory.capabilities.offers(feature)

    def require(self, feature: Feature) -> None:
        """Raise `NotOffered`, with the reason in words, for what is known to be missing."""
        if self.offers(feature) is False:
            raise not_offered(feature)

    async def ask(
        self,
        route: Route,
        *,
        query: Query | None = None,
        body: Body | None = None,
        progress: ProgressListener | None = None,
    ) -> dict[str, Any]:
        """Make a call whose answer is an object; a write without content answers an empty one.

        Raises `NotOffered` without asking for what is known to be missing, `Nonsense`, and all
        that `Session.call` raises.
        """
        value = await self._call(route, query=query, body=body, progress=progress)
        if value is None and not route.is_safe:
            return {}
        if not isinstance(value, dict):
            raise _without(route, "an object")
        return value

    async def ask_rows(self, route: Route, *, body: Body) -> object:
        """Make a call whose answer is an array, or the object an array may come as."""
        value = await self._call(route, body=body)
        has_gaps = isinstance(value, dict) and all(name.isdigit() for name in value)
        if not (isinstance(value, list) or has_gaps):
            raise _without(route, "an array")
        return value

    def stream(
        self, route: Route, name: str, *, progress: ProgressListener | None = None
    ) -> AsyncGenerator[list[Any], None]:
        """The elements of the array `name` of an answer; what is streamed is offered everywhere."""
        return self._session.stream(route, name, progress=progress)

    async def first_accepted(
        self,
        ways: Mapping[W, Callable[[], Awaitable[T]]],
        known: W | None,
        remember: Callable[[W], None],
        *,
        is_final: Callable[[ApiError], bool],
    ) -> T:
        """Do something the way that is known to work, or the first one that is accepted.

        Another way is tried only after `Refused` or `NotOffered`, and not after one that `is_final`
        holds for. The way that worked is given to `remember`. Raises the first refusal if all
        ways are refused.
        """
        refusal: ApiError | None = None
        for way in sorted(ways, key=lambda way: way != known):
            try:
                answer = await ways[way]()
            except (Refused, NotOffered) as error:
                if is_final(error):
                    raise
                refusal = refusal or error
                continue
            remember(way)
            return answer
        raise refusal or NotOffered("This service's edition does not offer this.")

    async def _call(
        self,
        route: Route,
        *,
        query: Query | None = None,
        body: Body | None = None,
        progress: ProgressListener | None = None,
    ) -> Any:
        feature = feature_of(route)
        if feature is not None:
            self.require(feature)
        try:
            answer = await self._session.call(route, query=query, body=body, progress=progress)
        except NotOffered as error:
            if feature is None:
                raise
            self.learn_features({feature: False})
            raise not_offered(feature, error) from error
        if feature is Feature.SUBTASKS and route.is_safe and isinstance(answer, dict):
            has_groups = "subtaskGroups" in answer
            self.learn_features({Feature.SUBTASKS: True, Feature.SUBTASK_GROUPS: has_groups})
        return answer


def not_offered(feature: Feature, error: NotOffered | None = None) -> NotOffered:
    """Why a feature cannot be had, in words; `error` is what the service said, if it was asked."""
    return NotOffered(
        why_missing(feature),
        hint="If that has changed, check the service again.",
        details=error.details if error else "",
        status=error.status if error else None,
    )


def feature_of(route: Route) -> Feature | None:
    """The feature that is not there if a route is not; None if a route tells nothing."""
    for method, pattern, feature in _PATTERNS:
        if method == route.method and pattern.fullmatch(route.path):
            return feature
    return None


def record(route: Route, answer: dict[str, Any], kind: type[P], *names: str) -> P:
    """The record in an answer, under the first of `names` that holds one.

    Raises `Nonsense` if none does.
    """
    for name in names:
        try:
            return kind.model_validate(answer.get(name))
        except ValidationError:
            continue
    raise _without(route, names[0])


def member(route: Route, answer: dict[str, Any], name: str) -> object:
    """A member that an answer must have, an array or the object an array may come as.

    Raises `Nonsense` if it is not there: an empty list would look like a deletion.
    """
    value = answer.get(name)
    if not isinstance(value, (list, dict)):
        raise _without(route, name)
    return value


def _without(route: Route, name: str) -> Nonsense:
    return Nonsense(
        "The service sent an answer that is not understood.",
        details=f"{route}: no {name} in the answer",
        may_have_happened=not route.is_safe,
    )


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
