"""The line between one person's program and the service, on which anything may be lost."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple, cast

from tests.store.faults import AFTER, BEFORE, READS, Fault, fail
from tests.store.in_loop import REPLAYED
from tui.client.capabilities import Feature
from tui.client.documents import Document
from tui.client.errors import NotFound
from tui.client.writes import next_key
from tui.store.remote import Remote

_LOOKS, _LOOK_SECONDS = 10, 2.5


class Write(NamedTuple):
    """Something the service did because `who` asked for it; `made` is the id of what it made."""

    who: int
    name: str
    arguments: tuple[object, ...]
    made: int | None


class Recorder:
    """A `Remote` in front of another one, which notes in `writes` what the service did.

    What it answers with a reply that it kept was done before, and noted unless whoever asked was
    killed meanwhile.
    """

    def __init__(self, far_end: Any, who: int, writes: list[Write]) -> None:
        self._far_end = far_end
        self._who = who
        self._writes = writes

    async def list_version(self) -> str:
        """Not told."""
        return ""

    def offers(self, _feature: Feature) -> bool | None:
        """Nothing is known."""
        return None

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            replayed: list[str] = []
            REPLAYED.set(replayed)
            answer = await getattr(self._far_end, name)(*args, **kwargs)
            if name not in READS:
                write = Write(self._who, name, (*args, *kwargs.values()), _made(name, answer))
                if not replayed or write not in self._writes:
                    self._writes.append(write)
            return answer

        return call


class Keyed:
    """A `Remote` in front of another one, which keeps `replies` to writes under their keys."""

    def __init__(self, far_end: Any, replies: dict[str, Any]) -> None:
        self._far_end = far_end
        self._replies = replies

    async def keeps_replies(self) -> bool:
        """It does."""
        return True

    async def list_version(self) -> str:
        """Not told."""
        return ""

    def offers(self, _feature: Feature) -> bool | None:
        """Nothing is known."""
        return None

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            key = "" if name in READS else next_key(f"{name} {args} {kwargs}".encode())
            if not key:
                return await getattr(self._far_end, name)(*args, **kwargs)
            if key not in self._replies:
                self._replies[key] = await getattr(self._far_end, name)(*args, **kwargs)
            return deepcopy(self._replies[key])

        return call


class Wire:
    """A `Remote` in front of another one.

    `faults` are what happens to the next calls that write; where a `storm` rages, chance has it.
    Every call takes some turns of the event loop, as many as
    `chance` says, so that two of them overtake each other, and one of the `latencies`, if there are
    any, by the clock of `sleep`. If it `waits`, a change is waited for by that, too.
    """

    def __init__(self, far_end: Any, chance: Random) -> None:
        self.faults: deque[Fault] = deque()
        self.storm: Random | None = None
        self.is_cut = False
        self.is_dead: Callable[[], bool] = lambda: False
        self.in_flight = 0
        self.waits = False
        self.latencies: Sequence[float] = ()
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._far_end = far_end
        self._chance = chance

    def as_remote(self) -> Remote:
        """The same, by the name the store knows it."""
        return cast("Remote", self)

    async def list_version(self) -> str:
        """Not told."""
        return ""

    def offers(self, feature: Feature) -> bool | None:
        """Nothing is known, or that it waits."""
        return (feature is Feature.WAITING_FOR_CHANGES and self.waits) or None

    async def wait_for_change(self, board_id: int, since: str) -> bool:
        """Look every few seconds."""
        for _ in range(_LOOKS):
            if (await self.changes_since(board_id, since)).has_changes:
                return True
            await self.sleep(_LOOK_SECONDS)
        return False

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            self.in_flight += 1
            try:
                return await self._call(name, args, kwargs)
            finally:
                self.in_flight -= 1

        if name.startswith("_"):
            raise AttributeError(name)
        return call

    async def _call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        await self._turns()
        fault = self._fault(name)
        fail(BEFORE, fault)
        try:
            # The reply is as it was then, whatever the service changes before it arrives.
            answer = deepcopy(await getattr(self._far_end, name)(*args, **kwargs))
        except (LookupError, RuntimeError) as error:  # how a fake says that something is not there
            raise NotFound("There is no such thing.", status=404) from error
        await self._turns()
        fail(AFTER, fault)
        return answer

    async def _turns(self) -> None:
        for _ in range(self._chance.randrange(3)):
            await asyncio.sleep(0)
        if self.latencies:
            self.in_flight -= 1  # nobody but the clock is waited for
            try:
                await self.sleep(self._chance.choice(self.latencies) / 2)
            finally:
                self.in_flight += 1
        if self.is_dead():
            await asyncio.get_running_loop().create_future()

    def _fault(self, name: str) -> Fault | None:
        if self.is_cut:
            return Fault.UNREACHABLE
        if name not in READS and self.faults:
            return self.faults.popleft()
        if self.storm is None or self.storm.random() > (0.15 if name in READS else 0.4):
            return None
        fault = self.storm.choice(tuple(Fault))
        return None if fault is Fault.REFUSED and name in READS else fault


def _made(name: str, answer: Any) -> int | None:
    if not name.startswith(("create_", "clone_", "duplicate_", "upload_")):
        return None
    made: Document = answer[-1] if isinstance(answer, list) else answer
    return int(made["id"])
