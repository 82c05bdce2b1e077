"""The rows of the list of boards: their order, which of them are shown, and how they look."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from tui.actions.tasks.basics import trouble_hint
from tui.client.capabilities import Feature
from tui.client.errors import NotAllowed
from tui.config.preferences import ALL_BOARDS, RECENT_BOARDS, Preferences
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board, BoardType
from tui.model.folder import Folder
from tui.model.people import in_initials, initials_of
from tui.screens.lists.content import TABLE_WIDTH, ListContext
from tui.store.online.administration import folders
from tui.text.cells import cut, fit
from tui.text.clean import counted, quoted
from tui.text.dates import local
from tui.widgets import glyphs
from tui.widgets.painted import Line, line_width

ALL_FOLDERS, NO_FOLDER = 0, -1
"""Stand for the id of a folder, where boards of all folders, or of none, are shown."""

_BAR, _COUNT, _PEOPLE, _AGE, _TYPE, _FOLDER = 10, 10, 13, 7, 8, 16
_WITH_BAR, _WITH_PEOPLE, _WITH_FOLDER = 44, 70, 105
"""The widths from which on a row shows its bar, its type, members and age, and its folder."""

AGAIN = "{boards.refresh:R} tries again"


class Sort(NamedTuple):
    """An order of boards that are equally recent or pinned."""

    letter: str
    label: str
    key: Callable[[Board], object] | None


SORTS = {
    "": Sort("r", "opened lately", None),
    "title": Sort("t", "title", lambda board: board.title.casefold()),
    "created": Sort("c", "created, newest first", lambda _: 0),
    "open": Sort("o", "open cards", lambda board: board.completed_count - board.tasks_count),
    "progress": Sort("p", "progress", lambda board: -_share(board)),
}
"""The orders by their names in the preferences."""
TYPES = ("", BoardType.TO_DO.value, BoardType.ROADMAP.value)
"""The types of boards that are shown; the empty one stands for all."""


class Boards:
    """The boards that are shown, pinned ones first, archived ones last.

    `folders` are those known of the service, which are kept for the next start.
    """

    row, opens = "board", "boards.open"
    move = None

    def __init__(self, context: Context) -> None:
        self.preferences = context.preferences
        self._store = context.store
        self._now = context.now
        self.with_archived = False
        self.folders = read_folders(self.preferences)
        self._waiting: Counter[int] = Counter()

    @property
    def title(self) -> str:
        """The heading, with the folder, type and order if they were chosen."""
        folder = "no folder" if self.folder_id == NO_FOLDER else ""
        folder = self.folder.title if self.folder else folder
        order = f"by {SORTS[self.sort].label}" if self.sort else ""
        return " · ".join(filter(None, ("Boards", folder, self.type, order)))

    @property
    def sort(self) -> str:
        """The name of the chosen order."""
        chosen = self.preferences.text(ALL_BOARDS, "sort")
        return chosen if chosen in SORTS else ""

    @property
    def type(self) -> str:
        """The type of the boards that are shown; empty for all."""
        chosen = self.preferences.text(ALL_BOARDS, "type")
        return chosen if chosen in TYPES else ""

    @property
    def folder_id(self) -> int:
        """The id of the folder that is shown, or what stands for all or none."""
        chosen = self.preferences.number(ALL_BOARDS, "folder", ALL_FOLDERS)
        return chosen if chosen in (NO_FOLDER, *(one.id for one in self.folders)) else ALL_FOLDERS

    @property
    def folder(self) -> Folder | None:
        """The folder that is shown; None if it is not one."""
        return next((one for one in self.folders if one.id == self.folder_id), None)

    @property
    def pinned(self) -> frozenset[int]:
        return self.preferences.numbers(ALL_BOARDS, "pinned")

    def show(self, **chosen: str | int) -> None:
        """Keep another `sort`, `type` or `folder`."""
        self.preferences.keep(ALL_BOARDS, **chosen)

    def pin(self, board_ids: frozenset[int]) -> None:
        self.preferences.keep(ALL_BOARDS, pinned=board_ids)

    async def load(self) -> None:
        """Fetch the folders, if the service has any; if that fails, those known stay."""
        if self._store.offers(Feature.FOLDERS) is False:
            self.keep_folders(())
            return
        with suppress(CallboardError):
            try:
                self.keep_folders(await folders(await self._store.service()))
            except NotAllowed:
                self.keep_folders(())

    def keep_folders(self, known: Sequence[Folder]) -> None:
        """Keep the folders, for the next start too."""
        if tuple(known) != self.folders:
            self.folders = tuple(known)
            rows = [[one.id, one.title, sorted(one.board_ids)] for one in known]
            self.preferences.keep(ALL_BOARDS, folders=json.dumps(rows))

    def put_into(self, folder_id: int, board_id: int) -> None:
        """Show a board in a folder before the service says that it is there."""
        self.keep_folders(
            [
                replace(one, board_ids=one.board_ids | {board_id}) if one.id == folder_id else one
                for one in self.folders
            ]
        )

    def rename(self, ids: Mapping[int, int]) -> None:
        """Follow boards that were made here to their assigned ids."""
        if not ids:
            return
        self.keep_folders(
            [
                replace(one, board_ids=frozenset(ids.get(each, each) for each in one.board_ids))
                for one in self.folders
            ]
        )

    def folder_of(self, board_id: int) -> Folder | None:
        return next((one for one in self.folders if board_id in one.board_ids), None)

    def in_folder(self, folder_id: int) -> list[Board]:
        """The boards in a folder, or in none, or all; archived ones only if they are shown."""
        holds = self._membership(folder_id)
        return [
            board
            for board in self._store.boards()
            if (self.with_archived or board.archived_at is None) and holds(board.id)
        ]

    def _membership(self, folder_id: int) -> Callable[[int], bool]:
        """A test, by its id, whether a board is in a folder, or in none."""
        if folder_id == ALL_FOLDERS:
            return lambda _: True
        folders = {one.id: one.board_ids for one in self.folders}
        if folder_id == NO_FOLDER:
            filed = frozenset[int]().union(*folders.values())
            return lambda board_id: board_id not in filed
        return folders.get(folder_id, frozenset()).__contains__

    def reveal(self, board: Board) -> None:
        """Show all types and folders if a new board would not be shown otherwise."""
        if self.type not in ("", board.type.value):
            self.show(type="")
        if not self._membership(self.folder_id)(board.id):
            self.show(folder=ALL_FOLDERS)

    def rows(self) -> Sequence[Board]:
        self._waiting = Counter(each.board_id for each in self._store.pending())
        boards = self.in_folder(self.folder_id)
        boards = [board for board in boards if self.type in ("", board.type.value)]
        key = SORTS[self.sort].key or self._by_opening()
        boards.sort(key=key)  # type: ignore[arg-type]
        pinned = self.pinned
        boards.sort(key=lambda board: (board.archived_at is not None, board.id not in pinned))
        return boards

    def _by_opening(self) -> Callable[[Board], int]:
        """The key of the order in which boards were opened, the last one first."""
        recent = self.preferences.recent(ALL_BOARDS, RECENT_BOARDS)
        places = {board_id: place for place, board_id in enumerate(recent)}
        return lambda board: places.get(str(board.id), len(recent))

    def key(self, row: Board) -> int:
        return row.id

    def words(self, row: Board) -> str:
        return row.title

    def line(self, row: Board, width: int) -> Line:
        width = min(width, TABLE_WIDTH)
        pin = glyphs.PIN if row.id in self.pinned else " "
        title = f"{'' if row.archived_at is None else '[archived] '}{row.title or '(no title)'}"
        count = self._waiting[row.id]
        waiting = f" {glyphs.ON_THE_WAY}{count}" if count else ""
        beside = list(self._beside(row, width))
        room = width - line_width(beside) - len(waiting) - 2
        return ((f"{pin} ", "pending"), (fit(title, room), "title"), (waiting, "pending"), *beside)

    def _beside(self, row: Board, width: int) -> Line:
        """What a row shows beside its title: progress, and with enough room the other columns."""
        done = int(_share(row) * _BAR)
        bar: Line = (
            (f" {glyphs.FULL * done}", "bar"),
            (glyphs.EMPTY * (_BAR - done), "empty"),
        )
        line = (*(bar if width >= _WITH_BAR else ()), (_fraction(row), "title"))
        if width >= _WITH_PEOPLE:
            people = " ".join(in_initials(row.people[:4], initials_of(row.people)))
            line = (
                *line,
                (f" {row.type.value:<{_TYPE - 1}}", "meta"),
                (fit(f" {people}", _PEOPLE), "people"),
                (f"{_age(row, self._now()):>{_AGE}}", "meta"),
            )
        if width >= _WITH_FOLDER and self.folders and self.folder is None:
            folder = self.folder_of(row.id)
            line = (*line, (fit(f"  {cut(folder.title if folder else '', 14)}", _FOLDER), "meta"))
        return line

    def empty(self) -> tuple[str, str]:
        known = self._store.boards()
        if self.folder_id != ALL_FOLDERS or self.type:
            kind = f"{self.type} boards" if self.type else "boards"
            where = "in this folder" if self.folder else "outside folders"
            where = f" {where}" if self.folder_id != ALL_FOLDERS else ""
            hint = (
                "{boards.type:T} shows all types"
                if self.type
                else "{folders.choose:F f} chooses another folder"
            )
            return f"no {kind}{where}", hint
        archived = sum(board.archived_at is not None for board in known)
        if archived:
            return (
                "no active boards",
                f"{{boards.archived:t}} shows {archived} archived · {{boards.new:n}} makes one",
            )
        status = self._store.status()
        if status.problem:
            return f"no boards are cached yet: {status.problem}", trouble_hint(status, AGAIN)
        if status.checked_at is None:
            return "loading boards …", "{boards.new:n} makes one"
        return "no boards yet", "{boards.new:n} makes one"


class BoardsContext(ListContext[Board]):
    """The boards of the list that its actions run on."""

    content: Boards


def named(boards: Sequence[Board]) -> str:
    """One board by its title, several by their number."""
    return quoted(boards[0].title) if len(boards) == 1 else counted(len(boards), "board")


def read_folders(preferences: Preferences) -> tuple[Folder, ...]:
    """The folders kept in the preferences; none if they cannot be read."""
    text = preferences.text(ALL_BOARDS, "folders")
    with suppress(ValueError, TypeError):
        return tuple(
            Folder(int(one), str(title), frozenset(map(int, ids)))
            for one, title, ids in json.loads(text or "[]")
        )
    return ()


def _share(board: Board) -> float:
    """How much of a board is done, from 0 to 1."""
    return min(1.0, board.completed_count / board.tasks_count) if board.tasks_count else 0.0


def _fraction(board: Board) -> str:
    return f" {f'{board.completed_count}/{board.tasks_count}':>{_COUNT - 1}}"


def _age(board: Board, now: datetime) -> str:
    if board.created_at is None:
        return ""
    days = (now - local(board.created_at)).days
    return "today" if days <= 0 else f"{days}d"
