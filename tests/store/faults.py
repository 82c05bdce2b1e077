"""What goes wrong between a store and a service, and a `Remote` with which it does."""

import asyncio
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from tui.client.capabilities import Feature
from tui.client.errors import (
    ApiError,
    Refused,
    ServerFault,
    TimedOut,
    UnexpectedAnswer,
    Unreachable,
    WrongCredentials,
)
from tui.client.writes import request_of_change
from tui.store.remote import Remote

READS = frozenset(
    {
        "activities",
        "assignees",
        "archived_stages",
        "archived_tasks",
        "board",
        "board_activities",
        "boards",
        "comments",
        "field_values",
        "fields",
        "folders",
        "newest_activity",
        "changes_since",
        "everybody",
        "keeps_replies",
        "labels",
        "members",
        "picture",
        "search_users",
        "subtask_groups",
        "task",
        "tasks",
        "used_labels",
    }
)


class Fault(StrEnum):
    """What goes wrong with a call."""

    REQUEST_LOST = "request lost"
    REPLY_LOST = "reply lost"
    FAULT_BEFORE = "500 before it was done"
    FAULT_AFTER = "500 after it was done"
    REFUSED_500 = "refused with 500, in the form of the service"
    BUSY = "503 before it was done"
    PAGE = "a page of the network instead of the service"
    PAGE_AFTER = "a page of a proxy after it was done"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    LOCKED_OUT = "password not accepted"


def _no_answer() -> ApiError:
    return TimedOut("The service did not answer in time.", may_have_happened=True)


def _failed() -> ApiError:
    return ServerFault("The service failed.", status=500, may_have_happened=True)


def _page() -> ApiError:
    return UnexpectedAnswer("This network shows a page.", status=200, may_have_happened=True)


Errors = Mapping[Fault, Callable[[], ApiError]]

BEFORE: Errors = {
    Fault.UNREACHABLE: lambda: Unreachable("The service cannot be reached."),
    Fault.REQUEST_LOST: _no_answer,
    Fault.FAULT_BEFORE: _failed,
    Fault.REFUSED_500: lambda: Refused("The service says no.", status=500, may_have_happened=True),
    Fault.BUSY: lambda: ServerFault(
        "The service is too busy.", status=503, may_have_happened=True, is_passing=True
    ),
    Fault.REFUSED: lambda: Refused("The service says no.", status=422),
    Fault.LOCKED_OUT: lambda: WrongCredentials("The password is not accepted.", status=401),
    Fault.PAGE: _page,
}
"""The errors of calls that were not carried out."""
AFTER: Errors = {
    Fault.REPLY_LOST: _no_answer,
    Fault.FAULT_AFTER: _failed,
    Fault.PAGE_AFTER: _page,
}
"""The errors of calls that were carried out."""


def fail(errors: Errors, fault: Fault | None) -> None:
    """Raise the error of a fault, if it is one of these."""
    make = None if fault is None else errors.get(fault)
    if make is not None:
        raise make()


class FaultyRemote:
    """A `Remote` in front of another one.

    `trouble` is asked before every call with its name and says what goes wrong with it; `calls`
    are the names of all calls. `retold` holds by their names what becomes of the answers. The next
    answer of a call in `held` comes when its event does. Only with `waits` it offers to wait for
    changes.
    """

    def __init__(self, far_end: Remote) -> None:
        self.retold: dict[str, Callable[[Any], Any]] = {}
        self.far_end = far_end
        self.calls: list[str] = []
        self.trouble: Callable[[str], Fault | None] = lambda _: None
        self.waits = False
        self.held: dict[str, asyncio.Event] = {}

    def fail_next(self, name: str, *faults: Fault) -> None:
        """Let the next calls of this name fail, one fault each."""
        left = list(faults)
        self.trouble = lambda call: left.pop(0) if call == name and left else None

    async def list_version(self) -> str:
        return ""

    def offers(self, feature: Feature) -> bool | None:
        if feature is Feature.WAITING_FOR_CHANGES:
            return self.waits
        return self.far_end.offers(feature)

    async def keeps_replies(self) -> bool:
        return await self.far_end.keeps_replies()

    def __getattr__(self, name: str) -> Any:
        async def call(*args: Any, **kwargs: Any) -> Any:
            return await self.call(name, *args, **kwargs)

        return call

    async def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Make the call of this name, which may fail."""
        self.calls.append(name)
        fault = self.trouble(name)
        is_read = name in READS
        with request_of_change(is_read=is_read):
            try:
                fail(BEFORE, fault)
                answer = await getattr(self.far_end, name)(*args, **kwargs)
                fail(AFTER, fault)
            except ApiError as error:
                # As in a session: a read changes nothing.
                error.may_have_happened = error.may_have_happened and not is_read
                raise
        if name in self.held:
            await self.held.pop(name).wait()
        return self.retold[name](answer) if name in self.retold else answer
