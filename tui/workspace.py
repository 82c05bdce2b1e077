"""Sets up the folders, profile, store and service of one run.

Opening a workspace is cheap, so that the cached board is painted at once; `connect` adds the
service later and imports the heavy modules on a thread. Each profile has its own files: data cached
from one service is never shown with, or sent to, another.
"""

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tui.config.capabilities_file import CapabilitiesFile
from tui.config.paths import Places, make_folder, remove_folder, system_login
from tui.config.profiles import EMBEDDED, Profile
from tui.errors import CallboardError, CannotGoOn, WrongInput, reason_of
from tui.model.people import Account
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store import operations
from tui.store.clock import end_all, in_background
from tui.store.events import StatusChanged, StoreEvent
from tui.store.files.waiting_changes import waiting_changes
from tui.store.remote import Remote
from tui.store.store import LocalStore
from tui.text.clean import counted
from tui.tour import first_run, is_first_run

if TYPE_CHECKING:
    from tui.client.recording import Recording
    from tui.connecting.connections import ServiceConnection
    from tui.connecting.on_demand import OnDemandConnection


class ServiceMoved(WrongInput):
    """The profile names another service than before, and changes for that one are pending."""


class Workspace:
    """The local store of a profile and the connection to its service.

    `messages` are to be shown to the user after opening. `database` is the file of the embedded
    service, `preferences` that of what is set in the program by board, `inbox` that of the inbox,
    `drafts` a folder.
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
        folder = places.data if profile.is_embedded else places.data / profile.name
        self.database = places.boards
        self.preferences, self.drafts = folder / "preferences.json", folder / "drafts"
        self.inbox = folder / "inbox.json"
        self._connection: ServiceConnection | OnDemandConnection | None = None
        self._opening: asyncio.Task[ServiceConnection | OnDemandConnection] | None = None
        self._account_lookup: asyncio.Task[None] | None = None
        self._connect_lock = asyncio.Lock()

    @classmethod
    def open(
        cls,
        places: Places,
        profile: Profile | None = None,
        *,
        poll_seconds: int = 10,
        is_read_only: bool = False,
        origin: str = "",
    ) -> "Workspace":
        """Open the local files of a profile; without one, those of the embedded service.

        With `is_read_only` nothing can be changed, and nothing but reading requests is sent.
        `origin` is noted with all changes: what makes them in place of the user, such as “mcp”.

        Raises `CallboardError` if the files cannot be used, `ServiceMoved` if they hold pending
        changes for another service.
        """
        profile = profile or Profile(EMBEDDED)
        places.make()
        memory = memory_of(places, profile)
        messages: tuple[str, ...] = ()
        if not profile.is_embedded:
            if not memory.is_about(profile):
                # Read again below: the file was in the folder that is set aside.
                messages = (_set_aside_files(places, profile, memory),)
                memory = memory_of(places, profile)
            make_folder(places.data / profile.name)
            memory.begin(profile)
        store = LocalStore.open(
            places.cache,
            places.data,
            profile.name,
            poll_seconds=poll_seconds,
            is_read_only=is_read_only,
            origin=origin,
        )
        login = profile.login or system_login()
        account = Account(login, memory.user_id(profile), memory.is_administrator(profile))
        store.set_account(account)
        return cls(places, profile, memory, store, messages)

    @property
    def is_embedded(self) -> bool:
        """Whether the service is the embedded one."""
        return self._profile.is_embedded

    @property
    def is_first_run(self) -> bool:
        """Whether `connect` will make the tutorial board, unless there are others."""
        if not self._profile.is_embedded or self.store.is_read_only:
            return False
        return is_first_run(self._places.data)

    def deleted_folder(self) -> Path | None:
        """The folder of the pending changes, if it or their file was deleted since it was opened.

        The system lets a program go on using deleted files, so no error tells.
        """
        folder = self._places.data / self._profile.name
        return None if (folder / "outbox.sqlite3").exists() else folder

    async def connect(self) -> int | None:
        """Connect the store to the service.

        Returns the id of the tutorial board if the embedded service runs for the first time, else
        None. Raises `CannotGoOn` if the embedded service's file is unusable or lost, and
        `CallboardError` if the service is unreachable; a refresh then tries to connect again.
        """
        if not self._profile.is_embedded:
            # Before the first attempt: if that fails, a later one of a refresh may succeed.
            self.store.subscribe(self._on_store_event)
            await self._connect_remote()
            return None
        # Boards with local ids were never in the file, so that it cannot have lost them.
        boards = sum(board.id > 0 for board in self.store.boards())
        self._opening = asyncio.create_task(asyncio.to_thread(self._open_embedded, boards))
        # Shielded: a thread cannot be cancelled, and `aclose` has to close the service it opens.
        self._connection = await asyncio.shield(self._opening)
        remote, is_read_only = self._connection.remote, self.store.is_read_only
        board_id = None if is_read_only else await first_run(remote, self._places.data)
        # Polling starts here, so the first list of boards already has the tutorial.
        self.store.connect(remote)
        return board_id

    async def prepare(self) -> None:
        """Import what the first change needs, and open an embedded service, while nobody types."""
        await INPUT_PRIORITY.run_in_pauses([operations.load])
        if self._connection is not None:
            await self._connection.prepare()

    def _open_embedded(self, boards: int) -> "ServiceConnection | OnDemandConnection":
        # Runs on a thread; the service is opened when it is needed, if its file is there.
        # `boards` is the number of its boards in the cache.
        from tui.connecting.on_demand import OnDemandConnection
        from tui.service.database.change_counts import ChangeCounts

        database, login = self.database, self.store.me.login

        def open_service() -> "ServiceConnection":
            # The service would create a missing file, which cache and pending changes do not match.
            if lost := lost_board_file(self._places, boards):
                raise lost
            operations.load()
            from tui.connecting.connections import open_embedded

            return open_embedded(database, login, is_read_only=self.store.is_read_only)

        if counts := ChangeCounts.open(database, login):
            return OnDemandConnection(counts, open_service)
        # The service creates or migrates the file first; then its counters can be read.
        service = open_service()
        counts = ChangeCounts.open(database, login)
        return service if counts is None else OnDemandConnection(counts, open_service, service)

    async def _connect_remote(self) -> None:
        # Each attempt reads the password again, as the user may have corrected it.
        # Several refreshes may try to reconnect at once; the first one does it for all.
        async with self._connect_lock:
            if self.store.is_connected:
                return
            if self._connection is not None:
                await self._connection.aclose()
                self._connection = None
            try:
                self._connection = await asyncio.to_thread(self._open_remote)
            except CannotGoOn:
                raise
            except CallboardError as error:
                self.store.cannot_connect(error, reconnect=self._connect_remote)
                raise
            self.store.connect(self._connection.remote, reconnect=self._connect_remote)

    def _open_remote(self) -> "ServiceConnection":
        operations.load()
        from tui.connecting.connections import open_remote

        return open_remote(self._profile, self._memory, is_read_only=self.store.is_read_only)

    def _on_store_event(self, event: StoreEvent) -> None:
        # The account is looked up once the service has accepted the credentials.
        if not isinstance(event, StatusChanged) or event.board_id is not None:
            return
        is_known = self._memory.knows_account(self._profile) or self._account_lookup is not None
        if not is_known and self.store.status().checked_at is not None:
            self._account_lookup = in_background(self._look_up_account(), lambda: None)

    async def _look_up_account(self) -> None:
        with suppress(CallboardError):  # the next start tries again
            if self._connection is not None:
                user_id = await self._connection.find_out()
                is_administrator = self._memory.is_administrator(self._profile)
                self.store.set_account(Account(self.store.me.login, user_id, is_administrator))

    def recorded(self, recording: "Recording") -> Remote:
        """The service as it is known, with a client that records requests and sends none.

        Takes long: run it on a thread.
        """
        operations.load()
        from tui.connecting.connections import recorded

        return recorded(recording, self._profile, self._memory)

    async def aclose(self) -> None:
        """Stop sending, write everything to disk, and close the connection."""
        if self._account_lookup is not None:
            await end_all([self._account_lookup])
        # The store sends through the connection, which is therefore closed last.
        await self.store.aclose()
        if self._opening is not None:
            await asyncio.wait([self._opening])
            if self._opening.exception() is None:
                self._connection = self._opening.result()
        if self._connection is not None:
            await self._connection.aclose()


def lost_board_file(places: Places, boards: int) -> CannotGoOn | None:
    """The error to raise if the embedded service's file is missing or empty, but had boards.

    `boards` is the number of its boards in the cache. The cache and pending changes would not match
    the boards of a new file.
    """
    path = places.boards
    is_there = path.exists()
    if not boards or (is_there and path.stat().st_size):
        return None
    return CannotGoOn(
        f"The board file {path} is {'empty' if is_there else 'missing'};"
        f" {counted(boards, 'board')} of it {'is' if boards == 1 else 'are'} in the cache."
        " Nothing was changed.",
        hint=f"Restore a copy of it. To start over instead, move {places.data / EMBEDDED} and"
        f" {places.cache / EMBEDDED} away.",
    )


def check_move(places: Places, profile: Profile, memory: CapabilitiesFile) -> None:
    """Raise `ServiceMoved` if this profile has pending changes for another service."""
    waiting = 0 if memory.is_about(profile) else waiting_changes(places.data, profile.name)
    if waiting:
        raise ServiceMoved(
            f"the profile {profile.name} names another service or login than before, and changes"
            f" wait for the earlier one: {waiting}. Nothing was sent.",
            hint=f"Set {memory.address} and the login back to send them, or name a new profile.",
        )


def memory_of(places: Places, profile: Profile) -> CapabilitiesFile:
    """The file with the address and capabilities of a profile's service."""
    return CapabilitiesFile(places.data / profile.name / "service.json")


def _set_aside_files(places: Places, profile: Profile, memory: CapabilitiesFile) -> str:
    # The files that this profile has of another service; returns a message.
    check_move(places, profile, memory)
    folder = places.data / profile.name
    aside = folder.with_name(f"{profile.name}.earlier")
    try:
        # The rename comes last: until then `service.json` names the earlier service, so that the
        # next start tries again after an error.
        remove_folder(places.cache / profile.name)  # the other service's boards are never shown
        shutil.rmtree(aside, ignore_errors=True)
        folder.rename(aside)
    except OSError as error:
        raise CallboardError(
            f"The folder {folder} cannot be set aside: {reason_of(error)}."
        ) from error
    return f"{profile.name} is another service now; what was kept of the earlier one is in {aside}"
