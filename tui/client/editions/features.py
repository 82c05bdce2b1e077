"""Finds out which features a service has."""

from collections.abc import Awaitable, Callable, Mapping

from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.errors import ApiError, NotOffered, UnexpectedAnswer, WrongCredentials
from tui.client.service import not_offered

_ANY_BOARD = _ANY_TASK = 1
_LONG_AGO = "2000-01-01 00:00:00"
_QUESTIONS: Mapping[Feature, Callable[[Client, int], Awaitable[object]]] = {
    Feature.SUBTASKS: lambda client, board_id: client.subtask_groups(board_id, _ANY_TASK),
    Feature.CUSTOM_FIELDS: lambda client, board_id: client.fields(board_id),
    Feature.FOLDERS: lambda client, _: client.folders(),
    Feature.SERVICE_USERS: lambda client, _: client.users(),
    Feature.USER_SEARCH: lambda client, _: client.search_users(""),
    Feature.CHANGE_NEWS: lambda client, board_id: client.ask_changes(board_id, _LONG_AGO),
}
"""A safe request about a board for each feature that one can show."""


async def probe(client: Client, board_id: int = _ANY_BOARD, *, again: bool = False) -> None:
    """Test unknown features, or with `again` all of them, with one safe request each.

    `board_id` is used in the requests; it need not exist. Raises `ApiError` if the service
    cannot be reached or rejects the credentials; results before that are kept.
    """
    service = client.service
    if again:
        service.learn(missing=frozenset())
    for feature, question in _QUESTIONS.items():
        if not again and service.offers(feature) is not None:
            continue
        is_there = True
        try:
            await question(client, board_id)
        except NotOffered:
            is_there = False
        except UnexpectedAnswer:
            continue
        except ApiError as error:
            if error.status is None or error.is_passing or isinstance(error, WrongCredentials):
                raise
        service.learn_features({feature: is_there})


async def ensure(client: Client, feature: Feature) -> None:
    """Raise `NotOffered` unless a feature is available, testing it if not known."""
    if client.offers(feature) is None:
        await probe(client)
    if not client.offers(feature):
        raise not_offered(feature)
