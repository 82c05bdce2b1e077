"""Idempotent deletion, checked by reading back."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from tui.client.errors import (
    ApiError,
    NotAllowed,
    NotFound,
    NotOffered,
    Refused,
    ServerFault,
    UnexpectedAnswer,
    WrongCredentials,
)
from tui.client.records.base import Record

_MAY_MEAN_GONE = (NotAllowed, Refused, ServerFault, UnexpectedAnswer)
"""Errors with which services refuse to show what no longer exists."""
_NOT_ABOUT_THE_THING = (NotOffered, WrongCredentials)


async def delete_once(
    deleting: Awaitable[object],
    is_gone: Callable[[], Awaitable[bool]],
    *,
    is_trusted: bool,
    hint: str = "Nothing else was changed.",
) -> None:
    """Delete, and decide by what is read afterwards rather than by the response.

    It succeeds if the thing no longer exists, whatever the response, and fails if it still exists.
    A success of a service that `is_trusted` is not checked.
    """
    try:
        await deleting
    except ApiError as error:
        if error.status is None or isinstance(error, _NOT_ABOUT_THE_THING):
            raise
        with suppress(ApiError):
            if await is_gone():
                return
        raise
    if not is_trusted and not await is_gone():
        raise ServerFault(
            "The service reported the deletion, but the item still exists.",
            hint=hint,
            details="read back after a deletion that was called a success",
        )


async def is_not_found(
    reading: Awaitable[object], is_unlisted: Callable[[], Awaitable[bool]] | None = None
) -> bool:
    """Whether a thing does not exist; if the service refuses to show it, `is_unlisted` decides."""
    try:
        await reading
    except NotFound:
        return True
    except _MAY_MEAN_GONE as error:
        if is_unlisted is None or error.is_passing:
            raise
        return await is_unlisted()
    return False


async def is_unlisted(listing: Awaitable[Iterable[Record]], record_id: int) -> bool:
    """Whether a record is not in a list."""
    return all(record.id != record_id for record in await listing)
