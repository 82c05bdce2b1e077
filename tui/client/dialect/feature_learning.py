"""Features that a service turns out not to have: noticed wherever it happens, and told in words.

A resource knows nothing of this. The session it is given listens, so that a missing feature is
learnt from any call that meets it, is never asked for again, and the person reads which one it is.
"""

import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from tui.client.capabilities import Feature, why_missing
from tui.client.dialect.memory import Memory
from tui.client.endpoints import Endpoint, Route
from tui.client.errors import NotOffered
from tui.client.http.bodies import Body
from tui.client.progress import ProgressListener
from tui.client.resources.caller import Caller

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


class Attentive:
    """A session whose calls teach what the service does not offer."""

    def __init__(self, session: Caller, memory: Memory) -> None:
        self._session = session
        self._memory = memory

    async def call(
        self,
        route: Route,
        *,
        query: Mapping[str, str] | None = None,
        body: Body | None = None,
        progress: ProgressListener | None = None,
    ) -> Any:
        """Send one call; what it does not find is learnt, and is an error that names it.

        What is known to be missing is not asked for again. Raises `NotOffered`.
        """
        feature = feature_of(route)
        if feature is not None and self._memory.capabilities.offers(feature) is False:
            raise not_offered(feature)
        try:
            answer = await self._session.call(route, query=query, body=body, progress=progress)
        except NotOffered as error:
            if feature is None:
                raise
            self._memory.learn_features({feature: False})
            raise not_offered(feature, error) from error
        if feature is Feature.SUBTASKS and route.is_safe and isinstance(answer, dict):
            has_groups = "subtaskGroups" in answer
            self._memory.learn_features(
                {Feature.SUBTASKS: True, Feature.SUBTASK_GROUPS: has_groups}
            )
        return answer

    def stream(
        self,
        route: Route,
        member: str,
        *,
        query: Mapping[str, str] | None = None,
        progress: ProgressListener | None = None,
    ) -> AsyncGenerator[list[Any], None]:
        """The elements of an array of an answer; what is streamed is offered everywhere."""
        return self._session.stream(route, member, query=query, progress=progress)
