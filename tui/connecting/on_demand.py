"""The embedded service, opened by the first request that cannot be answered from its file alone.

A start on unchanged boards then imports neither the service nor the client.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from tui.client.capabilities import Capabilities, Feature
from tui.client.documents import BoardChanges
from tui.client.errors import ApiError
from tui.errors import CallboardError
from tui.runtime.input_priority import INPUT_PRIORITY, until_beat
from tui.service.database.change_counts import ChangeCounts, count_of
from tui.store.files.database import written_at
from tui.store.remote import Remote

if TYPE_CHECKING:
    from tui.connecting.connections import ServiceConnection

_CAPABILITIES = Capabilities.embedded()
_MODULES = ("pydantic", "httpx", "tui.connecting.connections", "tui.service.embedded")
"""What opening the service imports, in parts that take about as long."""
_LOOKS_A_SECOND = 4
_LOOKS = 100


class OnDemandConnection:
    """A connection to the embedded service, which `open_service` opens on a thread when needed.

    If that fails, the request fails, and the next one tries again.
    """

    def __init__(
        self,
        counts: ChangeCounts,
        open_service: Callable[[], "ServiceConnection"],
        opened: "ServiceConnection | None" = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._counts = counts
        self._open_service = open_service
        self._opened = opened
        self._opening: asyncio.Task[ServiceConnection] | None = None
        self.remote = cast("Remote", _OnDemandRemote(counts, self._service, sleep))

    async def _service(self) -> Remote:
        if self._opened is not None:
            return self._opened.remote
        if self._opening is None or self._opening.done():
            self._opening = asyncio.create_task(self._open())
        try:
            # Shielded: a cancelled caller must not leave a service that is never closed.
            return (await asyncio.shield(self._opening)).remote
        except CallboardError as error:
            raise ApiError(error.message, hint=error.hint, is_passing=True) from error

    async def _open(self) -> "ServiceConnection":
        # Even on a thread, the imports hold the interpreter, and a key would wait for them.
        await INPUT_PRIORITY.pause_after_input()
        self._opened = await asyncio.to_thread(self._open_service)
        return self._opened

    async def prepare(self) -> None:
        """Open the service while nobody types, so that the first change is sent like others."""
        await INPUT_PRIORITY.run_in_pauses(partial(import_module, module) for module in _MODULES)
        with suppress(ApiError):  # the first request tells
            await self._service()

    async def find_out(self) -> None:
        """Not needed: user and features are known."""

    async def aclose(self) -> None:
        """Wait for running requests, then close the service and its file."""
        # `wait` does not raise: a failed opening must not keep the file from being closed.
        if self._opening is not None:
            await asyncio.wait([self._opening])
        if self._opened is not None:
            await self._opened.aclose()
        self._counts.close()


class _OnDemandRemote:
    # A `Remote` that reports unchanged boards from the file, and forwards everything else.

    def __init__(
        self,
        counts: ChangeCounts,
        service: Callable[[], Awaitable[Remote]],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._counts = counts
        self._service = service
        self._sleep = sleep

    def offers(self, feature: Feature) -> bool | None:
        return _CAPABILITIES.offers(feature)

    async def list_version(self) -> str:
        return await asyncio.to_thread(self._counts.of_all)

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        count = count_of(since)
        if count is not None and count == await asyncio.to_thread(self._counts.of_board, board_id):
            return BoardChanges(synced_at=since, has_changes=False, is_complete=True)
        return await (await self._service()).changes_since(board_id, since)

    async def wait_for_change(self, board_id: int, since: str) -> bool:
        """Look several times a second whether any program has written to the file.

        The counter is read when the file's time or size changed, and once a second anyway.
        """
        count, previous = count_of(since), None
        for look in range(_LOOKS):
            current = written_at(self._counts.path)
            # On disks with coarse times a write may not change what `written_at` returns.
            is_read = current != previous or not look % _LOOKS_A_SECOND
            if is_read and count != await asyncio.to_thread(self._counts.of_board, board_id):
                return True
            previous = current
            await self._sleep(until_beat(1 / _LOOKS_A_SECOND, monotonic()))
        return False

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def ask(*args: Any, **kwargs: Any) -> Any:
            return await getattr(await self._service(), name)(*args, **kwargs)

        return ask
