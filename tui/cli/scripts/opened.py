"""A profile opened for one command, which goes on with what is known if there is no connection."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from tui.cli.output import say, say_beside
from tui.cli.scripts.agent_name import agent_given
from tui.cli.scripts.chosen import chosen_card, named_boards
from tui.config.paths import Places
from tui.config.preferences import Preferences
from tui.config.settings import Settings, chosen_name, load_settings
from tui.errors import CallboardError, CannotGoOn, WrongInput
from tui.model.board import Board, BoardView
from tui.model.find import number_of
from tui.model.folder import Folder
from tui.model.task import Task
from tui.store.clock import few_at_once
from tui.store.events import PendingChange
from tui.store.protocol import Store
from tui.text.agent_marks import origin_of
from tui.text.dates import customs, local
from tui.workspace import Workspace


class How(NamedTuple):
    """The options that several commands have.

    With `in_sentences` a change is reported as a sentence, as in plain mode. Updates are waited for
    `patience` seconds, if that is set. Changes are noted as those of an `agent` that is named.
    """

    profile: str = ""
    as_json: bool = False
    is_quiet: bool = False
    is_dry: bool = False
    in_sentences: bool = False
    patience: float | None = None
    agent: str = ""


class Opened:
    """A profile opened for a command; `problems` say why there are no updates, if there are none.

    `is_rejected` says that the service rejected the password; `card_url` is that of the profile.
    With `only`, the id of a board, there is no other board; `current` maps the words for a card to
    those with its present id.
    What is about boards raises `CannotGoOn` if none of them is known.
    """

    def __init__(
        self, workspace: Workspace, settings: Settings, how: How, card_url: str = ""
    ) -> None:
        self.store: Store = workspace.store
        self.preferences = Preferences(workspace.preferences)
        self.settings = settings
        self.how = how
        self.card_url = card_url
        self.problems: list[CallboardError] = []
        self.is_rejected = False
        self.only: int | None = None
        self.current: Callable[[str], str] = str
        self.is_stopped = False
        self._reading: asyncio.Task[object] | None = None
        self._changed = asyncio.Event()
        self.workspace = workspace

    def stop(self) -> None:
        """Stop waiting for changes to be sent: the program ends."""
        self.is_stopped = True
        self._changed.set()

    async def connect(self) -> int | None:
        """Connect, and read the list of boards; a problem is noted. Raises `CannotGoOn`.

        Returns the id of the tutorial board if this made it.
        """
        board_id = None
        with noted(self.problems):
            board_id = await self.workspace.connect()
            try:
                await self.in_time(refresh(self.store, None))
            finally:
                self.is_rejected = not self.workspace.store.is_connected
        return board_id

    def boards(self) -> list[Board]:
        """All boards that are not archived."""
        boards = [board for board in active_boards(self.store) if self.only in (None, board.id)]
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
        return named_boards(words, self.boards())

    async def views(self, boards: Sequence[Board]) -> list[BoardView]:
        """The contents of boards with the latest news; those not known are left out and named."""
        if not self.problems:
            await self.in_time(few_at_once(self.read, boards))
        views = [await self.store.load_board(board.id) for board in boards]
        cached = [view for view in views if view is not None]
        if not cached:
            raise self.nothing_known()
        if len(cached) < len(boards):
            missing = [board.title for board, view in zip(boards, views, strict=True) if not view]
            say_beside(f"callboard: not cached: {', '.join(missing)}.")
        return cached

    async def in_time(self, reading: Coroutine[None, None, object]) -> None:
        """Wait for a reading for at most `patience` seconds; after that it goes on by itself."""
        # `wait_for` would cancel the reading, whose results a later call uses. The task is kept, as
        # the event loop holds tasks only weakly.
        self._reading = asyncio.create_task(reading)
        done, _ = await asyncio.wait([self._reading], timeout=self.how.patience)
        if done:
            self._reading.result()
        else:
            self.problems.append(CallboardError("The service did not respond in time."))

    def nothing_known(self) -> CannotGoOn:
        """The error to raise if none of the boards is known."""
        if self.problems:
            return CannotGoOn(self.problems[0].message, hint="None of the boards are cached.")
        return CannotGoOn("there are no boards.")

    def board(self, words: str) -> Board:
        """The board that is named; without a name the one opened last, else the only one."""
        if words:
            return self.named([words])[0]
        every, last = self.boards(), self.workspace.store.last_board_id
        boards = [board for board in every if board.id == last] or every
        if len(boards) > 1:
            raise WrongInput("there is more than one board.", hint="Choose one with --board.")
        return boards[0]

    async def card(self, words: str, board: str = "") -> tuple[BoardView, Task]:
        """The card with this number, or with these words in its title, and its board.

        It is looked for on one board, if that is named, else on all.
        """
        return (await self.cards([words], board))[0]

    async def cards(self, names: Sequence[str], board: str = "") -> list[tuple[BoardView, Task]]:
        """The cards that are named, each once, with their boards."""
        among = self.named([board] if board else [])
        numbers, holders = {*map(number_of, names)}, list[Board]()
        # If all are numbers of cached cards, only their boards are asked for news.
        for board_read in among if 0 not in numbers else ():
            view = await self.store.load_board(board_read.id)
            held = {number for number in numbers if view and view.task(number)}
            holders += [board_read] if held else []
            numbers -= held
        views = await self.views(among if numbers else holders)
        by_id = {view.board.id: view for view in views}
        tasks = dict.fromkeys(chosen_card(self.current(words), views) for words in names)
        return [(by_id[task.board_id], task) for task in tasks]

    async def sent(
        self,
        seconds: float,
        after_event: Callable[[], None] = lambda: None,
        besides: Collection[int] = (),
    ) -> tuple[PendingChange, ...]:
        """Wait, with a timeout, until all changes are sent; returns those that were not accepted.

        Ends early if the service is not reached, or the program ends. `after_event` is called after
        each event; the changes `besides`, by their ids, are not waited for.
        """
        store, changed = self.store, self._changed
        end = store.subscribe(lambda _: changed.set())
        try:
            async with asyncio.timeout(seconds):
                while not self.is_stopped and any(
                    not (change.needs_attention or store.status(change.board_id).problem)
                    for change in store.pending()
                    if change.id not in besides
                ):
                    await changed.wait()
                    # Cleared before the changes are looked at again, so that no event in between is
                    # missed.
                    changed.clear()
                    after_event()
        except TimeoutError:
            pass
        finally:
            end()
        return tuple(change for change in store.pending() if change.id not in besides)

    def say(self, line: str) -> None:
        """Print a change, unless the output is JSON, or only failures are to be printed."""
        if not (self.how.as_json or self.how.is_quiet):
            if self.how.in_sentences:
                line = f"{line[:1].upper()}{line[1:]}."
            say(line)

    def say_problem(self, boards: Sequence[Board]) -> None:
        """Print to standard error why there are no updates of boards, and how old the cache is."""
        if not self.problems:
            return
        checked = [self.store.status(board.id).checked_at for board in boards]
        age = " Showing cached data." if boards else ""
        if times := [at for at in checked if at is not None]:
            age = f" As of {local(min(times)):%a %-d %b %H:%M}."
        say_beside(f"callboard: {self.problems[0].message}{age}")
        if self.is_rejected and self.problems[0].hint:
            say_beside(f"           {self.problems[0].hint}")

    async def read_back(self, boards: Sequence[Board]) -> None:
        """Read what this command has changed on boards, so that the cache is current for the next.

        Only from the embedded service: the next command would have to open it.
        """
        if self.workspace.is_embedded and not self.problems:
            with suppress(CallboardError):  # the next one will say so
                await few_at_once(self.read, boards)
                await refresh(self.store, None)

    async def read(self, board: Board) -> None:
        """Read the news of a board; a problem is noted."""
        # The service does not know a board with a local id.
        if board.id > 0:
            with noted(self.problems):
                await refresh(self.store, board.id)


def run_opened(
    how: How,
    work: Callable[[Opened], Awaitable[int]],
    *,
    is_read_only: bool = False,
    origin: str = "",
) -> int:
    """Open a profile, the default one without a name, for `work`; returns its exit code.

    `origin` is noted with all changes, else the agent that `how` names.

    It is 1 if the service rejected the password, even though what is known was printed.
    Raises `CallboardError`.
    """
    places = Places.find()
    settings = load_settings(places.settings)
    customs.set(settings.customs)
    named = settings.profile(chosen_name(how.profile, settings))
    workspace = Workspace.open(
        places,
        named,
        poll_seconds=settings.poll_seconds,
        is_read_only=is_read_only,
        origin=origin or origin_of(agent_given(how.agent)),
    )

    async def run() -> int:
        for message in workspace.messages:
            say_beside(f"callboard: {message}")
        try:
            opened = Opened(workspace, settings, how, named.card_url)
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
