"""A profile opened for one command, which goes on with what is known if there is no connection."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from tui.cli.output import say_beside
from tui.cli.scripts.chosen import NotChosen, chosen, chosen_card
from tui.config.paths import Places
from tui.config.preferences import Preferences
from tui.config.settings import Settings, chosen_name, load_settings
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import Board, BoardView
from tui.model.find import number_of
from tui.model.folder import Folder
from tui.model.task import Task
from tui.store.clock import few_at_once
from tui.store.events import PendingChange
from tui.store.protocol import Store
from tui.text.dates import customs, local
from tui.workspace import Workspace


class Opened:
    """What a command works with; `problems` are why there is no news, empty if there is.

    `is_rejected` says that the service rejected the password; `card_url` is that of the profile.
    """

    def __init__(self, workspace: Workspace, settings: Settings, card_url: str = "") -> None:
        self.store: Store = workspace.store
        self.preferences = Preferences(workspace.preferences)
        self.settings = settings
        self.card_url = card_url
        self.problems: list[CallboardError] = []
        self.is_rejected = False
        self.workspace = workspace

    async def connect(self) -> int | None:
        """Connect, and read the list of boards; a problem is noted. Raises `CannotGoOn`.

        Returns the id of the tutorial board if this made it.
        """
        board_id = None
        with noted(self.problems):
            board_id = await self.workspace.connect()
            try:
                await refresh(self.store, None)
            finally:
                self.is_rejected = not self.workspace.store.is_connected
        return board_id

    def boards(self) -> list[Board]:
        """All boards that are not archived. Raises `CannotGoOn` if nothing is known."""
        boards = active_boards(self.store)
        if not boards:
            raise self.nothing_known()
        return boards

    def standup_boards(self) -> list[Board]:
        """The boards of the last standup, else the board opened last, else all."""
        every = self.boards()
        ids = self.preferences.standup_boards([board.id for board in every])
        return [board for board in every if board.id in ids]

    async def folders(self) -> Sequence[Folder]:
        """The folders of boards, without a connection those that were read last."""
        from tui.store.online.administration import folders

        try:
            return await folders(await self.store.service())
        except CallboardError:
            from tui.screens.boards.listing import read_folders

            return read_folders(self.preferences)

    def named(self, words: Sequence[str]) -> list[Board]:
        """The boards that are named, all without names."""
        every = self.boards()
        return list(dict.fromkeys(chosen(each, every, "board") for each in words)) or every

    async def views(self, boards: Sequence[Board]) -> list[BoardView]:
        """The contents of boards with the latest news; those not known are left out and named.

        Raises `CannotGoOn` if none is known.
        """
        if not self.problems:
            await few_at_once(self.read, boards)
        views = [await self.store.load_board(board.id) for board in boards]
        cached = [view for view in views if view is not None]
        if not cached:
            raise self.nothing_known()
        ids = {view.board.id for view in cached}
        if missing := [board.title for board in boards if board.id not in ids]:
            say_beside(f"callboard: not cached: {', '.join(missing)}.")
        return cached

    def nothing_known(self) -> CannotGoOn:
        """The error to raise if none of the boards is known."""
        return CannotGoOn(
            self.problems[0].message if self.problems else "there are no boards.",
            hint="None of the boards is cached." if self.problems else "",
        )

    def board(self, words: str) -> Board:
        """The board that is named; without a name the one opened last, else the only one."""
        if words:
            return self.named([words])[0]
        every, last = self.boards(), self.workspace.store.last_board_id
        boards = [board for board in every if board.id == last] or every
        if len(boards) > 1:
            raise NotChosen("there is more than one board.", hint="Name one with --board.")
        return boards[0]

    async def card(self, words: str, board: str = "") -> tuple[BoardView, Task]:
        """The card with this number, or with these words in its title, and its board.

        It is looked for on one board, if that is named, else on all.
        """
        return (await self.cards([words], board))[0]

    async def cards(self, names: Sequence[str], board: str = "") -> list[tuple[BoardView, Task]]:
        """The cards that are named, each once, with their boards."""
        among = self.named([board] if board else [])
        views = await self.views(await self._with_numbers(names, among) or among)
        by_id = {view.board.id: view for view in views}
        tasks = dict.fromkeys(chosen_card(words, views) for words in names)
        return [(by_id[task.board_id], task) for task in tasks]

    async def _with_numbers(self, names: Sequence[str], among: Sequence[Board]) -> list[Board]:
        # The boards with the cards of these numbers, so that only they are asked for news; none if
        # one of the names is no number, or not cached.
        boards: list[Board] = []
        for number in map(number_of, names):
            for board in among if number else ():
                view = await self.store.load_board(board.id)
                if view is not None and number and view.task(number) is not None:
                    boards.append(board)
                    break
            else:
                return []
        return list(dict.fromkeys(boards))

    async def sent(
        self, seconds: float, each: Callable[[], None] = lambda: None
    ) -> tuple[PendingChange, ...]:
        """Wait until nothing is to be sent, at most so long; returns what was not accepted.

        Ends early if the service is not reached. `each` is called after each event.
        """
        store, changed = self.store, asyncio.Event()
        end = store.subscribe(lambda _: changed.set())
        try:
            async with asyncio.timeout(seconds):
                while any(
                    not change.needs_attention and not store.status(change.board_id).problem
                    for change in store.pending()
                ):
                    await changed.wait()
                    changed.clear()
                    each()
        except TimeoutError:
            pass
        finally:
            end()
        return store.pending()

    def say_problem(self, boards: Sequence[Board]) -> None:
        """Say beside the output why there is no news of boards, and how old what is known is."""
        if not self.problems:
            return
        checked = [self.store.status(board.id).checked_at for board in boards]
        times = [at for at in checked if at is not None]
        age = " What is known is shown." if boards else ""
        if times:
            age = f" Known as of {local(min(times)):%a %-d %b %H:%M}."
        say_beside(f"callboard: {self.problems[0].message}{age}")
        if self.is_rejected and self.problems[0].hint:
            say_beside(f"           {self.problems[0].hint}")

    async def read(self, board: Board) -> None:
        """Read the news of a board; a problem is noted."""
        if board.id > 0:
            with noted(self.problems):
                await refresh(self.store, board.id)


def run_opened(
    profile: str, work: Callable[[Opened], Awaitable[int]], *, is_read_only: bool = False
) -> int:
    """Open a profile, the default one without a name, for `work`; returns its exit code.

    It is 1 if the service rejected the password, even though what is known was printed.
    Raises `CallboardError`.
    """
    places = Places.find()
    settings = load_settings(places.settings)
    customs.set(settings.customs)
    named = settings.profile(chosen_name(profile, settings))
    workspace = Workspace.open(places, named, is_read_only=is_read_only)

    async def run() -> int:
        for message in workspace.messages:
            say_beside(f"callboard: {message}")
        try:
            opened = Opened(workspace, settings, named.card_url)
            return await work(opened) or int(opened.is_rejected)
        finally:
            await workspace.aclose()

    return asyncio.run(run())


def active_boards(store: Store) -> list[Board]:
    """All boards that are not archived."""
    return [board for board in store.boards() if board.archived_at is None]


@contextmanager
def noted(problems: list[CallboardError]) -> Iterator[None]:
    """Note a problem, and go on with what is known."""
    try:
        yield
    except CannotGoOn:
        raise
    except CallboardError as error:
        problems.append(error)


async def refresh(store: Store, board_id: int | None) -> None:
    """Fetch the news of a board, or the list of boards."""
    await store.refresh(board_id, only_changes=board_id is not None)
    status = store.status(board_id)
    if status.problem:
        raise CallboardError(status.problem, hint=status.remedy)
