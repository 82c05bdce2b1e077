"""Deleting for good, whatever services answer to a second deletion, or to a failed one."""

from collections.abc import Awaitable, Callable, Iterable

from tui.client.errors import (
    ApiError,
    Nonsense,
    NotAllowed,
    NotOffered,
    NotThere,
    Refused,
    ServerFault,
    WrongCredentials,
)
from tui.client.records import Record

_MAY_MEAN_GONE = (NotAllowed, Refused, ServerFault, Nonsense)
"""How services may refuse to show what is gone."""
_NOT_ABOUT_THE_THING = (NotOffered, WrongCredentials)


async def delete_once(
    deleting: Awaitable[object],
    is_gone: Callable[[], Awaitable[bool]],
    *,
    is_trusted: bool,
    hint: str = "Nothing else was changed.",
) -> None:
    """Delete, and believe what is read afterwards more than the answer.

    What is gone is a success, whatever the service called it, and what is still there is an error.
    Where the service `is_trusted`, its success is not checked.
    """
    try:
        await deleting
    except ApiError as error:
        if error.status is None or isinstance(error, _NOT_ABOUT_THE_THING):
            raise
        if not await _or_unknown(is_gone):
            raise
        return
    if not is_trusted and not await is_gone():
        raise ServerFault(
            "The service said it was deleted, but it is still there.",
            hint=hint,
            details="read back after a deletion that was called a success",
        )


async def is_not_found(
    reading: Awaitable[object], is_unlisted: Callable[[], Awaitable[bool]] | None = None
) -> bool:
    """Whether there is no such thing; where a service refuses to show it, a list may tell.

    `is_unlisted` looks into that.
    """
    try:
        await reading
    except NotThere:
        return True
    except _MAY_MEAN_GONE as error:
        if is_unlisted is None or error.is_passing:
            raise
        return await is_unlisted()
    return False


def lacks(records: Iterable[Record], record_id: int) -> bool:
    """Whether a record is not among others."""
    return all(record.id != record_id for record in records)


async def _or_unknown(is_gone: Callable[[], Awaitable[bool]]) -> bool:
    """Whether a thing is gone; no, if that cannot be read."""
    try:
        return await is_gone()
    except ApiError:
        return False
