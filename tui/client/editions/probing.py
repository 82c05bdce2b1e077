"""Finds out what a service offers, who its user is, and whether they administer it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from itertools import chain

from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.errors import (
    ApiError,
    NotAllowed,
    NotOffered,
    UnexpectedAnswer,
    WrongCredentials,
)
from tui.client.resources.people import NOT_FOR_US
from tui.client.service import not_offered

_ANY_BOARD = _ANY_TASK = 1
_LONG_AGO = "2000-01-01 00:00:00"
_QUESTIONS: Mapping[Feature, Callable[[Client, int], Awaitable[object]]] = {
    Feature.SUBTASKS: lambda client, board_id: client.subtask_groups(board_id, _ANY_TASK),
    Feature.CUSTOM_FIELDS: lambda client, board_id: client.fields(board_id),
    Feature.FOLDERS: lambda client, _: client.folders(),
    Feature.SERVICE_USERS: lambda client, _: client.users(),
    # Not `client.search_users`, which asks the site first.
    Feature.USER_SEARCH: lambda client, _: Client.search_users(client, ""),
    # Some services answer 500 for so old a time, which shows the endpoint as well.
    Feature.CHANGE_NEWS: lambda client, board_id: client.ask_changes(board_id, _LONG_AGO),
}
"""For each feature that can be tested safely, the request that shows it."""
_LATELY = 100
"""How many activities of a board are searched for a person."""


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
        # Any other refusal comes from an endpoint that exists.
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


async def who_am_i(client: Client, name: str, *, again: bool = False) -> int | None:
    """The user id of the caller, whose login name or e-mail is `name`; None if it is not known.

    Asks the site of the service. Without one, the name is searched among members of boards and
    then among the people of recent activities; that fails if members have no login names, and
    e-mails may be masked. The result is stored, also None.
    """
    capabilities = client.service.capabilities
    if not again and capabilities.user_login == name:
        return capabilities.user_id
    user_id = None
    # The only way on the old paid edition, whose members have no `user_login`.
    try:
        user_id = await client.me()
    except ApiError as error:
        has_no_site = isinstance(error, NotOffered | UnexpectedAnswer)
        if not has_no_site and (error.is_passing or not error.status):
            raise
    if user_id is None:
        wanted = name.strip().casefold()
        async for user in _everybody_seen(client):
            names = (user.get("user_login"), user.get("user_email"), user.get("email"))
            if wanted and wanted in [
                spelling.casefold() for spelling in names if spelling is not None
            ]:
                user_id = user["ID"]
                break
    # What was known of the rights may be about another user.
    client.service.learn(
        user_id=user_id, user_login=name, is_administrator=None, was_asked_rights=False
    )
    return user_id


async def is_administrator(client: Client, user_id: int) -> bool | None:
    """Whether the caller, who has this id, administers the whole service.

    None if the service does not report it. The result is stored, also None.
    """
    capabilities = client.service.capabilities
    if capabilities.is_administrator is not None or capabilities.was_asked_rights:
        return capabilities.is_administrator
    listings: list[list[Document]] = []
    flags: set[object] = set()
    try:
        listings = [await client.users()]
    except NotAllowed:  # the list of all users is for administrators
        flags = {False}
    except NotOffered:
        flags = {await _sees_users_of_site(client)}
        if flags == {None}:
            listings = [users async for users in client.members_of_boards()]
    for user in chain.from_iterable(listings):
        if user["ID"] == user_id:
            flags |= {user.get("is_super"), user.get("is_wpadmin")}
    answer = True if True in flags else False if False in flags else None
    client.service.learn(is_administrator=answer, was_asked_rights=True)
    return answer


async def _sees_users_of_site(client: Client) -> bool | None:
    # Whether the site shows its users, as it does to administrators alone; None without a site.
    try:
        await client.site_users()
    # Any definite refusal is `NotOffered`, with the status of the site.
    except NotOffered as error:
        return False if error.status == HTTPStatus.FORBIDDEN else None
    return True


async def _everybody_seen(client: Client) -> AsyncIterator[Document]:
    # Members and people of activities, board by board, the cheap requests first.
    boards = await client.list_boards()
    for board in boards:
        for user in board.get("users", []):
            yield user
    async for users in client.members_of_boards(boards):
        for user in users:
            yield user
    for board in boards:
        with suppress(*NOT_FOR_US):
            latest = await client.activity_page(board["id"], per_page=_LATELY)
            for activity in latest.documents:
                if activity.get("user"):
                    yield activity["user"]
