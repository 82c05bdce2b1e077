"""Puts the program together: folders, profile, store and service.

Opening a workspace is light, so that the cache is on screen at once; `connect` adds the service
later, with everything heavy imported on a thread. Each profile has files of its own, and what is
cached from one service is never shown by another or sent to it.
"""

import asyncio
import fcntl
import os
import shutil
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TextIO

from tui.config.capabilities_file import CapabilitiesFile
from tui.config.paths import Places, make_folder
from tui.config.profiles import EMBEDDED, Profile
from tui.errors import CallboardError, CannotGoOn
from tui.model.people import Account
from tui.store import operations
from tui.store.events import StatusChanged, StoreEvent
from tui.store.files.waiting_changes import waiting_changes
from tui.store.remote import Remote
from tui.store.store import LocalStore
from tui.text.clean import counted

BEGUN, MADE = "begun", "made"


class ServiceMoved(CallboardError):
    """The profile is about another service now, and changes wait for the earlier one."""


class Connection(Protocol):
    """A service that answers."""

    @property
    def remote(self) -> Remote:
        """What the store asks."""
        ...

    def find_out(self) -> Awaitable[int | None]:
        """Find out once who the person is there, and what the service offers.

        Returns the user id; None where it is not told, or not needed.
        """
        ...

    def aclose(self) -> Awaitable[None]:
        """Let it go."""
        ...


class Workspace:
    """A person's boards: kept locally, with the service behind them.

    `messages` are what the person should be told about the opening.
    """

    def __init__(
        self,
        places: Places,
        profile: Profile,
        memory: CapabilitiesFile,
        store: LocalStore,
        messages: tuple[str, ...] = (),
    ) -> None:
        self.store = store
        self.messages = store.messages + messages
        self._places = places
        self._profile = profile
        self._memory = memory
        self._connection: Connection | None = None
        self._finding_out: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    def open(
        cls, places: Places, profile: Profile | None = None, *, poll_seconds: int = 10
    ) -> "Workspace":
        """Open what is kept locally of a profile, of the embedded service unless one is given.

        Raises `CallboardError` if the disk does not allow it, `ServiceMoved` if what is kept is
        about another service and must not be lost.
        """
        profile = profile or Profile(EMBEDDED)
        places.make()
        memory = memory_of(places, profile)
        messages: tuple[str, ...] = ()
        if not profile.is_embedded:
            if not memory.is_about(profile):
                messages = (_begin_anew(places, profile, memory),)
                memory = memory_of(places, profile)
            make_folder(places.data / profile.name)
            memory.begin(profile)
        store = LocalStore.open(places.cache, places.data, profile.name, poll_seconds=poll_seconds)
        store.set_account(Account(_login(profile), memory.user_id(profile)))
        return cls(places, profile, memory, store, messages)

    @property
    def database(self) -> Path:
        """The file of the embedded service."""
        return self._places.boards

    @property
    def preferences(self) -> Path:
        """The file of what the person has set while using the program, board by board."""
        return self._own / "preferences.json"

    @property
    def drafts(self) -> Path:
        """The folder of the texts that the person is still writing."""
        return self._own / "drafts"

    @property
    def _own(self) -> Path:
        """The folder of what belongs to the profile."""
        folder = self._places.data
        return folder if self._profile.is_embedded else folder / self._profile.name

    async def connect(self) -> int | None:
        """Bring the service in; on the embedded one's first run make the tour, return its board.

        Raises `CannotGoOn` if the embedded service's file cannot be used or is lost, and
        `CallboardError` if the service cannot be asked: the store then tries again whenever
        somebody refreshes.
        """
        if not self._profile.is_embedded:
            self.store.subscribe(self._heard)
            await self._reach()
            return None
        known = sum(board.id > 0 for board in self.store.boards())
        self._connection = await asyncio.to_thread(self._open_embedded, known)
        remote = self._connection.remote
        board_id = await self._first_run(remote)
        self.store.connect(remote)
        return board_id

    async def aclose(self) -> None:
        """Stop sending, write everything down, and let the service go."""
        if self._finding_out is not None:
            self._finding_out.cancel()
            await asyncio.gather(self._finding_out, return_exceptions=True)
        await self.store.aclose()
        if self._connection is not None:
            await self._connection.aclose()

    async def _reach(self) -> None:
        """Bring a service elsewhere in, unless it is there already. Raises `CallboardError`.

        It begins anew with the password, which may have been put right.
        """
        async with self._one_at_a_time:
            if self.store.is_connected:
                return
            if self._connection is not None:
                await self._connection.aclose()
                self._connection = None
            try:
                self._connection = await asyncio.to_thread(self._open_connection)
            except CannotGoOn:
                raise
            except CallboardError as error:
                self.store.cannot_connect(error, reconnect=self._reach)
                raise
            self.store.connect(self._connection.remote, reconnect=self._reach)

    def _heard(self, event: StoreEvent) -> None:
        """Find out who the person is, once the service has shown that it believes them."""
        is_of_list = isinstance(event, StatusChanged) and event.board_id is None
        is_known = self.store.me.user_id is not None or self._finding_out is not None
        if is_of_list and not is_known and self.store.status().checked_at is not None:
            self._finding_out = asyncio.create_task(self._find_out_who())

    async def _find_out_who(self) -> None:
        """Ask who the person is and what there is; if nobody answers, at the next start."""
        with suppress(CallboardError):
            if self._connection is not None:
                user_id = await self._connection.find_out()
                self.store.set_account(Account(_login(self._profile), user_id))

    def _open_connection(self) -> Connection:
        """Import what is heavy and open the service elsewhere; on a thread."""
        operations.load()
        from tui.connecting.connections import RemoteConnection

        return RemoteConnection.open(self._profile, self._memory)

    def _open_embedded(self, known: int) -> Connection:
        """Open the embedded service, or put that off while its file says enough; on a thread.

        `known` is how many of its boards the cache has.
        """
        from tui.connecting.on_demand import OnDemandConnection
        from tui.service.database.change_counts import ChangeCounts

        login = _login(self._profile)

        def open_service() -> Connection:
            if lost := lost_board_file(self._places, known):
                raise lost
            operations.load()
            from tui.connecting.connections import EmbeddedConnection

            return EmbeddedConnection.open(self.database, login)

        if counts := ChangeCounts.open(self.database, login):
            return OnDemandConnection(counts, open_service)
        service = open_service()
        counts = ChangeCounts.open(self.database, login)
        return service if counts is None else OnDemandConnection(counts, open_service, service)

    async def _first_run(self, remote: Remote) -> int | None:
        """Make the tour if it has never been made; one that was cut short is made anew.

        Of programs that run for the first time at once, one makes it and the others wait.
        """
        with (self._places.data / "tour").open("a+", encoding="utf-8") as mark:
            await asyncio.to_thread(fcntl.flock, mark, fcntl.LOCK_EX)
            mark.seek(0)
            state = mark.read()
            if state == MADE:
                return None
            return await self._make_tour(remote, mark, state)

    async def _make_tour(self, remote: Remote, mark: TextIO, state: str) -> int | None:
        """Make the tour, unless there are boards already; `mark` remembers how far it came."""
        from tui import tour

        known = await remote.boards()
        if known and not state:
            _write(mark, MADE)
            return None
        for board in known:
            if board["title"] == tour.TITLE:
                await remote.delete_board(board["id"])
        _write(mark, BEGUN)
        board_id = await tour.make_tour(remote)
        _write(mark, MADE)
        return board_id


def lost_board_file(places: Places, known: int) -> CannotGoOn | None:
    """What to say if the embedded service's file is missing or empty, though boards were in it.

    `known` is how many of its boards the cache has. A new file would have other boards, to which
    neither the cache nor pending changes belong.
    """
    path = places.boards
    is_there = path.exists()
    if not known or (is_there and path.stat().st_size):
        return None
    boards = counted(known, "board")
    return CannotGoOn(
        f"The board file {path} is {'empty' if is_there else 'missing'}; {boards} of it"
        f" {'is' if known == 1 else 'are'} in the cache. Nothing was changed.",
        hint=f"Put a copy of it back. To begin anew instead, move {places.data / EMBEDDED} and"
        f" {places.cache / EMBEDDED} away.",
    )


def check_move(places: Places, profile: Profile, memory: CapabilitiesFile) -> None:
    """Raise `ServiceMoved` if changes wait for another service under the name of this profile."""
    waiting = 0 if memory.is_about(profile) else waiting_changes(places.data, profile.name)
    if waiting:
        raise ServiceMoved(
            f"the profile {profile.name} names another service or login than before, and changes"
            f" wait for the earlier one: {waiting}. Nothing was sent.",
            hint=f"Set {memory.address} and the login back to send them, or name a new profile.",
        )


def _login(profile: Profile) -> str:
    """The name of the person: that of the profile, else of the account on this machine."""
    return profile.login or os.environ.get("LOGNAME") or os.environ.get("USER") or "me"


def memory_of(places: Places, profile: Profile) -> CapabilitiesFile:
    """What is remembered about the service of a profile."""
    return CapabilitiesFile(places.data / profile.name / "service.json")


def _begin_anew(places: Places, profile: Profile, memory: CapabilitiesFile) -> str:
    """Set aside what is kept of another service under the name of this profile; says where.

    Raises `ServiceMoved` if changes wait there that were never sent.
    """
    check_move(places, profile, memory)
    kept = places.data / profile.name
    aside = kept.with_name(f"{profile.name}.earlier")
    try:
        shutil.rmtree(aside, ignore_errors=True)
        kept.rename(aside)
        shutil.rmtree(places.cache / profile.name, ignore_errors=True)
    except OSError as problem:
        reason = (problem.strerror or "no reason").lower()
        raise CallboardError(f"The folder {kept} cannot be set aside: {reason}.") from problem
    return f"{profile.name} is another service now; what was kept of the earlier one is in {aside}"


def _write(mark: TextIO, state: str) -> None:
    """Remember how far the tour came."""
    mark.seek(0)
    mark.truncate()
    mark.write(state)
    mark.flush()
