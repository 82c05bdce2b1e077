"""Which boards are listed, and in which order: what the user chose, and the folders."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from tui.client.capabilities import Feature
from tui.client.errors import NotAllowed
from tui.config.preferences import ALL_BOARDS, RECENT_BOARDS, SEEN, Preferences
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board, BoardType
from tui.model.folder import Folder
from tui.store.online.administration import folders
from tui.text.clean import counted, quoted
from tui.widgets import glyphs

ALL_FOLDERS, NO_FOLDER = 0, -1
"""Stand for the id of a folder, where boards of all folders, or of none, are shown."""


class BoardSort(NamedTuple):
    """An order of boards that are equally recent or pinned."""

    letter: str
    label: str
    key: Callable[[Board], float | str] | None


def share(board: Board) -> float:
    """How much of a board is done, from 0 to 1."""
    return min(1.0, board.completed_count / board.tasks_count) if board.tasks_count else 0.0


SORTS = {
    "": BoardSort("r", "recently opened", None),
    "title": BoardSort("t", "title", lambda board: board.title.casefold()),
    # A constant keeps the order of the store, which is newest first.
    "created": BoardSort("c", "created, newest first", lambda _: 0),
    "open": BoardSort("o", "open cards", lambda board: board.completed_count - board.tasks_count),
    "progress": BoardSort("p", "progress", lambda board: -share(board)),
}
"""The orders by their names in the preferences."""
TYPES = ("", BoardType.TO_DO.value, BoardType.ROADMAP.value)
"""The types of boards that are shown; the empty one stands for all."""


class BoardListing:
    """The boards that are listed in their groups, pinned ones first, archived ones last.

    All but `with_archived` is kept in the preferences. `folders` are those known of the service,
    which are kept for the next start.
    """

    def __init__(self, context: Context) -> None:
        self.with_archived = False
        self.groups: Mapping[int, str] = {}
        """The headings above the boards that `boards` gave last, by board; none in a folder."""
        self.folders = read_folders(context.preferences)
        self._preferences = context.preferences
        self._store = context.store

    @property
    def sort(self) -> str:
        name = self._preferences.text(ALL_BOARDS, "sort")
        return name if name in SORTS else ""

    @property
    def type(self) -> str:
        """The type of the boards that are shown; empty for all."""
        name = self._preferences.text(ALL_BOARDS, "type")
        return name if name in TYPES else ""

    @property
    def folder_id(self) -> int:
        """The id of the folder that is shown, or what stands for all or none."""
        number = self._preferences.number(ALL_BOARDS, "folder", ALL_FOLDERS)
        ids = (NO_FOLDER, *(folder.id for folder in self.folders))
        return number if number in ids else ALL_FOLDERS

    @property
    def folder(self) -> Folder | None:
        """The folder that is shown; None if it is not one."""
        return next((folder for folder in self.folders if folder.id == self.folder_id), None)

    @property
    def seen(self) -> Mapping[int, datetime]:
        """When the user left each board last, on the wall clock, as far as that is known."""
        return {
            board_id: datetime.fromtimestamp(seconds)  # noqa: DTZ006  wall-clock time
            for board_id, seconds in self._preferences.numbers_by_id(ALL_BOARDS, SEEN).items()
        }

    @property
    def pinned(self) -> frozenset[int]:
        return self._preferences.numbers(ALL_BOARDS, "pinned")

    def choose(self, **choice: str | int | frozenset[int]) -> None:
        """Keep another `sort`, `type` or `folder`, or other boards that are `pinned`."""
        self._preferences.keep(ALL_BOARDS, **choice)

    def boards(self) -> list[Board]:
        boards = [
            board for board in self.in_folder(self.folder_id) if self.type in ("", board.type.value)
        ]
        recent = self._preferences.recent(ALL_BOARDS, RECENT_BOARDS)
        places = {board_id: place for place, board_id in enumerate(recent)}
        boards.sort(
            key=SORTS[self.sort].key or (lambda board: places.get(str(board.id), len(recent)))
        )
        pinned, folders = self.pinned, self.folders if self.folder_id == ALL_FOLDERS else ()
        default_group = (len(folders), "No folder" if folders else "Other boards")
        holders = {
            board_id: (place, folder.title)
            for place, folder in enumerate(folders)
            for board_id in folder.board_ids
        }

        def group(board: Board) -> tuple[int, str]:
            if board.archived_at is not None:
                return len(folders) + 1, "Archived"
            if board.id in pinned:
                return -1, f"{glyphs.PIN} Pinned"
            return holders.get(board.id, default_group)

        groups = {board.id: group(board) for board in boards}
        # Sorting is stable: within a group the chosen order stays.
        boards.sort(key=lambda board: groups[board.id][0])
        titles = {board.id: groups[board.id][1] for board in boards}
        is_divided = any(title != default_group[1] for title in titles.values())
        self.groups = titles if is_divided and self.folder_id == ALL_FOLDERS else {}
        return boards

    def in_folder(self, folder_id: int) -> list[Board]:
        """The boards in a folder, or in none, or all; archived ones only if they are shown."""
        return [
            board
            for board in self._of_folder(folder_id)
            if self.with_archived or board.archived_at is None
        ]

    @property
    def hidden(self) -> int:
        """How many archived boards of the folder are not shown."""
        if self.with_archived:
            return 0
        return sum(board.archived_at is not None for board in self._of_folder(self.folder_id))

    def _of_folder(self, folder_id: int) -> list[Board]:
        holders = {board_id: folder.id for folder in self.folders for board_id in folder.board_ids}
        return [
            board
            for board in self._store.boards()
            if folder_id in (ALL_FOLDERS, holders.get(board.id, NO_FOLDER))
        ]

    def folder_of(self, board_id: int) -> Folder | None:
        return next((folder for folder in self.folders if board_id in folder.board_ids), None)

    def reveal(self, board: Board) -> None:
        """Show all types and folders if a new board would not be shown otherwise."""
        folder = self.folder_of(board.id)
        if self.type not in ("", board.type.value):
            self.choose(type="")
        if self.folder_id not in (ALL_FOLDERS, folder.id if folder else NO_FOLDER):
            self.choose(folder=ALL_FOLDERS)

    async def fetch_folders(self) -> None:
        """Fetch the folders, if the service has any; if that fails, those known stay."""
        if self._store.offers(Feature.FOLDERS) is False:
            self._keep_folders(())
            return
        with suppress(CallboardError):
            try:
                self._keep_folders(await folders(await self._store.service()))
            except NotAllowed:
                # A refusal is an answer: unlike after other errors, the known folders go.
                self._keep_folders(())

    def put_into(self, folder_id: int, board_id: int) -> None:
        """Show a board in a folder before the service says that it is there."""
        self._keep_folders(
            replace(folder, board_ids=folder.board_ids | {board_id})
            if folder.id == folder_id
            else folder
            for folder in self.folders
        )

    def rename(self, ids: Mapping[int, int]) -> None:
        """Follow boards that were made here to their assigned ids."""
        if ids:
            self._keep_folders(
                replace(folder, board_ids=frozenset(ids.get(own, own) for own in folder.board_ids))
                for folder in self.folders
            )

    def _keep_folders(self, folders: Iterable[Folder]) -> None:
        previous, self.folders = self.folders, tuple(folders)
        if self.folders != previous:
            rows = [[folder.id, folder.title, sorted(folder.board_ids)] for folder in self.folders]
            self._preferences.keep(ALL_BOARDS, folders=json.dumps(rows))


def named(boards: Sequence[Board]) -> str:
    """One board by its title, several by their number."""
    return quoted(boards[0].title) if len(boards) == 1 else counted(len(boards), "board")


def read_folders(preferences: Preferences) -> tuple[Folder, ...]:
    """The folders kept in the preferences; none if they cannot be read."""
    text = preferences.text(ALL_BOARDS, "folders")
    with suppress(ValueError, TypeError):
        return tuple(
            Folder(int(folder_id), str(title), frozenset(map(int, ids)))
            for folder_id, title, ids in json.loads(text or "[]")
        )
    return ()
