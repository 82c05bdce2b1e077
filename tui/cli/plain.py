"""`callboard --plain`: reads lines, carries out commands, and tells the news of others.

Each answer, question and event is a line of its own: no colour, no movement of the cursor.
"""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from tui.cli.output import MOST_CELLS
from tui.cli.scripts.changing import Target, assigning, closing, commenting, moving
from tui.cli.scripts.chosen import NotChosen, chosen, chosen_card, chosen_person
from tui.cli.scripts.opened import Opened, run_opened
from tui.cli.scripts.reading import comments_of, detail_of, text_of
from tui.cli.scripts.writing import How, Plan, carry_out as carry_out_plan
from tui.context import wall_clock
from tui.errors import CallboardError, CannotGoOn
from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.model.remote_changes import summarize
from tui.model.task import Status, Task
from tui.store.events import (
    ConflictFound,
    OperationRefused,
    OutcomeUncertain,
    StoreEvent,
    UnseenChanged,
)
from tui.text import cells, clean
from tui.text.clean import counted, quoted
from tui.text.dates import relative

QUIT = ("quit", "q", "exit")
_WIDTH = 100


class Session:
    """What the commands work on: the board and the card that were opened last."""

    def __init__(self, opened: Opened, lines: "asyncio.Queue[str]", how: How) -> None:
        self.opened = opened
        self.store = opened.store
        self.how = how
        self.view: BoardView | None = None
        self.task_id: int | None = None
        self.listed: Sequence[tuple[str, str]] = ()
        """What the numbers of the last list mean: the command and its words."""
        self._lines = lines

    def say(self, line: str) -> None:
        """Print one line, with its first letter as a capital."""
        self.how.say(f"{line[:1].upper()}{line[1:]}")

    def say_list(self, rows: Sequence[str], meant: Sequence[tuple[str, str]]) -> None:
        """Print numbered rows; a number alone then does what is `meant`."""
        for number, row in enumerate(rows, 1):
            self.say(f"{number}. {row}")
        self.listed = meant

    async def ask(self, question: str) -> str:
        """The line typed as the answer to a question; empty at the end of the input."""
        self.say(question)
        return (await self._lines.get()).strip()

    async def read_line(self) -> str | None:
        """The next command; None at the end of the input."""
        line = await self._lines.get()
        return line.strip() if line else None

    async def open_board(self, board: Board) -> BoardView:
        """Open a board with its latest news, which are told from now on. Raises `CannotGoOn`."""
        self.opened.problems.clear()
        (view,) = await self.opened.views([board])
        if self.view is None or self.view.board.id != view.board.id:
            await self.store.open_board(view.board.id)
            await self.store.mark_seen(view.board.id)
            self.task_id = None
        self.view = view
        if self.opened.problems:
            self.say(f"not connected: {self.opened.problems[0].message}")
        return view

    async def board(self) -> BoardView:
        """The open board as it is now. Raises `CallboardError` if there is none."""
        if self.view is None:
            raise CallboardError("no board is open.", hint="Type boards, then a number.")
        board_id = self.view.board.id
        self.view = await self.store.load_board(board_id) or self.view
        return self.view

    async def task(self) -> tuple[BoardView, Task]:
        """The open card as it is now, and its board. Raises `CallboardError` if there is none."""
        view = await self.board()
        task = None if self.task_id is None else view.task(self.task_id)
        if task is None:
            raise CallboardError("no card is open.", hint="Type cards, then a number.")
        return view, task

    def hear(self, event: StoreEvent) -> None:
        """Tell updates by others on the open board, and changes that were not accepted."""
        if isinstance(event, UnseenChanged):
            if event.changes and self.view is not None and event.board_id == self.view.board.id:
                self.say(f"news: {summarize(event.changes)}.")
        elif isinstance(event, OperationRefused):
            more = f", and {event.more} more that need it" if event.more else ""
            self.say(f"refused: {event.change.operation.describe()}{more}: {event.change.reason}")
        elif isinstance(event, ConflictFound):
            self.say(f"conflict: {event.change.operation.describe()}: somebody changed it too.")
        elif isinstance(event, OutcomeUncertain):
            change = event.change
            self.say(f"may have arrived: {change.operation.describe()}: {change.reason}")


class Command(NamedTuple):
    """A command with its letter, its words in the help, and what it does with what follows."""

    word: str
    letter: str
    help: str
    run: Callable[[Session, str], Awaitable[None]]


async def carry_out(session: Session, line: str) -> None:
    """Carry out a line: a command with words, or a number of the last list.

    Raises `CallboardError`.
    """
    if not line:
        return
    if line.isdecimal():
        if not 1 <= int(line) <= len(session.listed):
            raise NotChosen("there is no such number in the last list.")
        word, words = session.listed[int(line) - 1]
    else:
        word, _, words = clean.line(line).partition(" ")
    named = word.casefold()
    found = next((one for one in COMMANDS if named in (one.word, one.letter)), None)
    if found is None:
        raise NotChosen(f"{quoted(word)} is no command.", hint="Type help for the commands.")
    await found.run(session, words.strip())


async def _help(session: Session, _words: str) -> None:
    for one in COMMANDS:
        session.say(f"{one.word}, or {one.letter}: {one.help}.")
    session.say("quit, or q: end. A number alone chooses from the last list.")


async def _boards(session: Session, _words: str) -> None:
    boards = session.opened.boards()
    rows = [
        f"{_short(board.title)}: {counted(board.tasks_count - board.completed_count, 'open card')}."
        for board in boards
    ]
    session.say(f"{counted(len(boards), 'board')}.")
    session.say_list(rows, [("open", str(board.id)) for board in boards])


async def open_board(session: Session, words: str) -> None:
    """Open the board that is named, and list its stages. Raises `CallboardError`."""
    if not words:
        raise NotChosen("which board?", hint="Type open and its name, or boards.")
    view = await session.open_board(chosen(words, session.opened.boards(), "board"))
    session.say(f"board {quoted(view.board.title)}, {counted(len(view.stages), 'stage')}.")
    await _stages(session, "")


async def _stages(session: Session, _words: str) -> None:
    view = await session.board()
    rows = [
        f"{_short(stage.title)}: {counted(view.count(stage.id), 'card')}." for stage in view.stages
    ]
    session.say_list(rows, [("cards", str(stage.id)) for stage in view.stages])


async def _cards(session: Session, words: str) -> None:
    view = await session.board()
    if not words:
        tasks = list(view.all_tasks())
        session.say(f"{counted(len(tasks), 'card')} on {quoted(view.board.title)}.")
    else:
        stage = chosen(words, view.stages, "stage")
        tasks = list(view.in_stage(stage.id))
        session.say(f"{counted(len(tasks), 'card')} in {quoted(stage.title)}.")
    _say_cards(session, view, tasks, has_stage=not words)


async def _mine(session: Session, _words: str) -> None:
    view = await session.board()
    me = session.store.me.among(view.people)
    tasks = [one for one in view.all_tasks() if me in one.assignees and not one.is_closed]
    session.say(f"{counted(len(tasks), 'open card')} of yours on {quoted(view.board.title)}.")
    _say_cards(session, view, tasks, has_stage=True)


def _say_cards(
    session: Session, view: BoardView, tasks: Sequence[Task], *, has_stage: bool
) -> None:
    rows = [_card_line(view, task, has_stage=has_stage) for task in tasks]
    session.say_list(rows, [("card", str(task.id)) for task in tasks])


def _card_line(view: BoardView, task: Task, *, has_stage: bool) -> str:
    number = f"#{task.id}" if task.id > 0 else "not sent yet"
    stage = view.stage(task.stage_id) if has_stage else None
    due = f"due {relative(task.due_at, wall_clock())}" if task.due_at else ""
    people = ", ".join(one.in_words for one in task.assignees)
    parts = (
        f"{_short(task.title)}, {number}",
        f"in {_short(stage.title)}" if stage else "",
        "closed" if task.is_closed else f"priority {task.priority.value}",
        due if not task.is_closed else "",
        f"assigned to {people}" if people else "",
        counted(task.comments_count, "comment") if task.comments_count else "",
    )
    return f"{', '.join(filter(None, parts))}."


def _short(title: str) -> str:
    return cells.cut(title, MOST_CELLS)


async def _card(session: Session, words: str) -> None:
    detail, view = await _detail(session, words)
    for line in text_of(detail, view, _WIDTH):
        if line.strip():
            session.how.say(line)


async def _comments(session: Session, words: str) -> None:
    detail, _ = await _detail(session, words)
    session.say(f"{counted(detail.task.comments_count, 'comment')}.")
    for line in comments_of(detail, _WIDTH):
        if line.strip():
            session.how.say(line)


async def _detail(session: Session, words: str) -> tuple[TaskDetail, BoardView]:
    """The card that is named, or the open one, with everything around it."""
    if words:
        view = await session.board()
        named = f"#{words}" if words.isdecimal() else words
        session.task_id = chosen_card(named, [view]).id
    view, task = await session.task()
    session.opened.problems.clear()
    detail = await detail_of(session.opened, view, task.id)
    return detail or TaskDetail(task), view


async def _move(session: Session, words: str) -> None:
    view, task = await session.task()
    if not words:
        titles = [f"{number} {stage.title}" for number, stage in enumerate(view.stages, 1)]
        question = f"move to which stage? {', '.join(titles)}. An empty line cancels."
        words = await session.ask(question)
        if not words:
            session.say("nothing was moved.")
            return
        if words.isdecimal() and 1 <= int(words) <= len(view.stages):
            words = str(view.stages[int(words) - 1].id)
    await _change(session, await moving(session.opened, view, task, Target(words)))


async def _set_status(session: Session, _words: str, *, status: Status) -> None:
    await _change(session, closing([await session.task()], status))


async def _assign(session: Session, words: str, *, removes: bool) -> None:
    view, task = await session.task()
    person = chosen_person(words or "me", view, session.store.me)
    await _change(session, assigning(view, task, [person], removes=removes))


async def _comment(session: Session, words: str) -> None:
    view, task = await session.task()
    text = words or await session.ask("Your comment, in one line? An empty line cancels.")
    if not text:
        session.say("nothing was written.")
        return
    await _change(session, commenting(session.opened, view, task, text))


async def _change(session: Session, plan: Plan) -> None:
    if session.store.is_read_only:
        raise CallboardError("read-only mode: nothing was changed.")
    session.opened.problems.clear()
    how = session.how._replace(in_sentences=True)
    await carry_out_plan(how, session.opened, plan)


async def _refresh(session: Session, _words: str) -> None:
    view = await session.open_board((await session.board()).board)
    session.say(f"read {quoted(view.board.title)} again.")


COMMANDS = (
    Command("help", "h", "list the commands", _help),
    Command("boards", "b", "list the boards", _boards),
    Command("open", "o", "open a board by name", open_board),
    Command("stages", "s", "list the stages of the board", _stages),
    Command("cards", "l", "list the cards of a stage by name, or all", _cards),
    Command("mine", "i", "list your open cards on the board", _mine),
    Command("card", "c", "read a card by number or title, or the open one again", _card),
    Command("comments", "t", "read the comments of the card", _comments),
    Command("move", "m", "move the card to a stage", _move),
    Command("done", "x", "close the card", partial(_set_status, status=Status.CLOSED)),
    Command("reopen", "n", "reopen the card", partial(_set_status, status=Status.OPEN)),
    Command(
        "assign",
        "a",
        "assign the card to you, or to a member by name",
        partial(_assign, removes=False),
    ),
    Command(
        "unassign",
        "u",
        "take you off the card, or a member by name",
        partial(_assign, removes=True),
    ),
    Command("comment", "w", "write a comment, in one line", _comment),
    Command("refresh", "r", "read the board again", _refresh),
)


def converse(*, plain_board: str, profile: str, ascii_only: bool, is_read_only: bool) -> int:
    """Read and carry out commands until the input ends. Raises `CallboardError`."""

    async def conversed(opened: Opened) -> int:
        lines: asyncio.Queue[str] = asyncio.Queue()
        session = Session(opened, lines, How(ascii_only=ascii_only))
        await opened.connect()
        opened.say_problem(())
        end = session.store.subscribe(session.hear)
        if is_read_only:
            session.say("read-only mode: nothing can be changed.")
        if plain_board:
            await open_board(session, plain_board)
        else:
            await carry_out(session, "boards")
        session.say("Type help for the commands.")
        _read_lines(asyncio.get_running_loop(), lines.put_nowait)
        try:
            while (line := await session.read_line()) is not None and line.casefold() not in QUIT:
                try:
                    await carry_out(session, line)
                except CannotGoOn:
                    raise
                except CallboardError as error:
                    session.say(f"{error.message} {error.hint}".strip())
        finally:
            end()
        return 0

    return run_opened(profile, conversed, is_read_only=is_read_only)


def _read_lines(loop: asyncio.AbstractEventLoop, put: Callable[[str], None]) -> None:
    """Read standard input on a thread that does not hold up the end of the program.

    It is read without a buffer, whose lock would be held then.
    """
    unbuffered = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115

    def read() -> None:
        while True:
            raw = unbuffered.readline()
            try:
                loop.call_soon_threadsafe(put, raw.decode(errors="replace"))
            except RuntimeError:  # the program has ended
                return
            if not raw:
                return

    threading.Thread(target=read, daemon=True).start()
