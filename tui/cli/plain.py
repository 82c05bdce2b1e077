"""`callboard --plain`: reads lines, carries out commands, and tells the news of others.

Each answer, question and event is a line of its own: no colour, no movement of the cursor.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime

from tui.cli.lines import read_lines
from tui.cli.output import MOST_CELLS, say
from tui.cli.scripts.adding import adding
from tui.cli.scripts.board_counts import without_templates
from tui.cli.scripts.changing import assigning, closing, commenting, moving
from tui.cli.scripts.chosen import NothingFound, chosen, chosen_card, chosen_person
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.reading import comments_of, detail_of, not_on_a_board, text_of
from tui.cli.scripts.writing import Plan, carry_out as carry_out_plan
from tui.config.preferences import ALL_BOARDS, OPENED
from tui.errors import CallboardError, CannotGoOn, WrongInput
from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.model.events.remote_changes import summarize
from tui.model.find import FindIndex, Found, Thing, number_of
from tui.model.people import mention_name
from tui.model.standup.words import SEPARATOR
from tui.model.standup.writing import OF_SPEAKER, TITLE, Lens, blocks, sentence
from tui.model.task import Status, Task
from tui.store import events
from tui.store.clock import few_at_once
from tui.store.operations import set_due
from tui.text import cells, clean
from tui.text.checklist import ChecklistLine
from tui.text.clean import counted, quoted
from tui.text.dates import LocalZone, parse_when, relative, spoken, wall_clock

Run = Callable[["PlainSession", str], Awaitable[None]]

COMMANDS: list[tuple[str, str, str, Run]] = []
"""The word of each command, its letter, its words in the help, and what it does."""
QUIT = ("quit", "q", "exit")
_WIDTH = 100
_MOST_HITS = 20
_BY_PERSON = ("people", "person", "by person")


def _command(letter: str, about: str) -> Callable[[Run], Run]:
    # The command is called like its method, and listed in the order of the methods.
    def register(run: Run) -> Run:
        COMMANDS.append((run.__name__.lstrip("_"), letter, about, run))
        return run

    return register


class PlainSession:
    """The board and the card that were opened last, and the commands about them."""

    def __init__(self, opened: Opened, lines: "asyncio.Queue[str]") -> None:
        self.opened = opened
        self.store = opened.store
        self.view: BoardView | None = None
        self._lines = lines
        self._task_id: int | None = None
        self._listed: list[tuple[str, str]] = []
        """The command and the words that each number of the last list stands for."""
        self._stage_id: int | None = None
        """Where new cards go: the stage that was listed last."""
        self._unread: list[list[tuple[str, int]]] = []
        """What `next` reads of the standup: lines, with the id of a card or 0."""
        self._read_cards: list[tuple[str, str]] = []

    def say(self, line: str) -> None:
        say(f"{line[:1].upper()}{line[1:]}")

    async def carry_out(self, line: str) -> None:
        """Carry out a line: a command with words, or a number of the last list."""
        if not line:
            return
        if line.isdecimal():
            if not 1 <= int(line) <= len(self._listed):
                raise WrongInput("no such number in the last list.")
            word, words = self._listed[int(line) - 1]
        else:
            word, _, words = clean.line(line).partition(" ")
        for name, letter, _, run in COMMANDS:
            if word.casefold() in (name, letter):
                await run(self, words.strip())
                return
        raise WrongInput(f"{quoted(word)} is not a command.", hint="Type help for the commands.")

    def hear(self, event: events.StoreEvent) -> None:
        """Announce updates by others on the open board, and changes that were not accepted."""
        match event:
            case events.UnseenChanged(board_id, changes):
                if changes and self.view is not None and board_id == self.view.board.id:
                    self.say(f"updates: {summarize(changes)}.")
            case events.OperationRefused(change, count):
                more = f", and {count} more that depend on it" if count else ""
                self.say(f"refused: {change.operation.describe()}{more}: {change.reason}")
            case events.ConflictFound(change):
                self.say(f"conflict: {change.operation.describe()}: someone else changed it too.")
            case events.OutcomeUncertain(change):
                self.say(f"may have arrived: {change.operation.describe()}: {change.reason}")

    @_command("h", "list the commands")
    async def _help(self, _words: str) -> None:
        for word, letter, about, _ in COMMANDS:
            self.say(f"{word}, or {letter}: {about}.")
        self.say("quit, or q: end. A number alone selects from the last list.")

    @_command("b", "list the boards")
    async def boards(self, _words: str) -> None:
        boards = await without_templates(self.store, self.opened.boards())
        self.say(f"{counted(len(boards), 'board')}.")
        rows = []
        for board in boards:
            count = counted(board.tasks_count - board.completed_count, "open card")
            rows.append(("open", board.id, f"{_short(board.title)}: {count}."))
        self._say_list(rows)

    @_command("o", "open a board by name")
    async def open(self, words: str) -> None:
        if not words:
            raise WrongInput("which board?", hint="Type open and its name, or boards.")
        view = await self._read_board(chosen(words, self.opened.boards(), "board"))
        self.say(f"board {quoted(view.board.title)}, {counted(len(view.stages), 'stage')}.")
        await self._stages("")

    @_command("s", "list the stages of the board")
    async def _stages(self, _words: str) -> None:
        view = await self._board()
        self._say_list(
            ("cards", stage.id, f"{_short(stage.title)}: {counted(view.count(stage.id), 'card')}.")
            for stage in view.stages
        )

    @_command("l", "list the cards of a stage by name, or all")
    async def _cards(self, words: str) -> None:
        view = await self._board()
        if not words:
            tasks, where = list(view.all_tasks()), f"on {quoted(view.board.title)}"
        else:
            stage = chosen(words, view.stages, "stage")
            self._stage_id = stage.id
            tasks, where = list(view.in_stage(stage.id)), f"in {quoted(stage.title)}"
        self.say(f"{counted(len(tasks), 'card')} {where}.")
        self._say_cards(view, tasks, has_stage=not words)

    @_command("i", "list your open cards on the board")
    async def _mine(self, _words: str) -> None:
        view = await self._board()
        me = self.store.me.among(view.people)
        tasks = [
            task
            for task in view.all_tasks()
            if me is not None and task.is_assigned_to(me) and task.is_open
        ]
        self.say(f"{counted(len(tasks), 'open card')} of yours on {quoted(view.board.title)}.")
        self._say_cards(view, tasks, has_stage=True)

    @_command("f", "find cards, comments and people on all boards by words, number or @name")
    async def _find(self, words: str) -> None:
        if not words:
            raise WrongInput("find what?", hint="Type find and words, a number or @name.")
        boards = self.opened.boards()
        # Boards that were never read are read now; the others are searched as they are cached.
        unread = [board for board in boards if await self.store.load_board(board.id) is None]
        self.opened.problems.clear()
        await few_at_once(self.opened.read, unread)
        self._say_problem()
        recent = self.opened.preferences.recent(ALL_BOARDS, OPENED)
        findings = FindIndex(recent, wall_clock())
        async for things in self.store.everything():
            findings.add(things)
        hits = findings.find(words, _MOST_HITS)
        if not hits:
            raise NothingFound(
                f"no results for {quoted(words)}.", hint="Type fewer or other words."
            )
        self.say(f"{counted(len(hits), 'hit')}{', the best' * (len(hits) == _MOST_HITS)}.")
        self._say_list(map(_hit, hits))

    @_command("c", "read a card by number or title, or the open one again")
    async def _card(self, words: str) -> None:
        detail, view = await self._detail(words)
        self._say_text(text_of(detail, view, _WIDTH, self.store))

    @_command("t", "read the comments of the card")
    async def _comments(self, words: str) -> None:
        detail, _ = await self._detail(words)
        self.say(f"{counted(detail.task.comments_count, 'comment')}.")
        self._say_text(comments_of(detail, _WIDTH))

    @_command("+", "add a card to the stage listed last: a title, #label @person !high ^fri")
    async def _add(self, words: str) -> None:
        view = await self._board()
        if not view.stages:
            raise CallboardError(f"{quoted(view.board.title)} has no stages yet.")
        words = words or await self._ask("The title of the card?", "added")
        if not words:
            return
        # The new card gets another id once it is sent, so it is found by its title among the new
        # ones.
        previous_ids = {task.id for task in view.all_tasks()}
        stage_id = self._stage_id or view.stages[0].id
        plan = adding(self.opened, view, stage_id, [ChecklistLine(words, is_done=False)])
        await self._change(plan)
        for task in (await self._board()).in_stage(stage_id):
            if task.id not in previous_ids and task.title == plan.tasks[0].title:
                self._task_id = task.id

    @_command("d", "set the due date of the card, such as fri, +3d or 1 dec 17:00, or none")
    async def _due(self, words: str) -> None:
        view, task = await self._task()
        question = "Due when? Such as fri, +3d or 1 dec 17:00; none removes it."
        words = words or await self._ask(question, "changed")
        if not words:
            return
        now = wall_clock()
        due_at = None if words.casefold() == "none" else parse_when(words, now)
        done = "set the due date of" if due_at else "removed the due date of"
        where = f"to {spoken(due_at, now)}" if due_at else ""
        await self._change(Plan([set_due(task, due_at)], done, [task], [view], where))

    @_command("m", "move the card to a stage")
    async def _move(self, words: str) -> None:
        view, task = await self._task()
        if not words:
            titles = [f"{number} {stage.title}" for number, stage in enumerate(view.stages, 1)]
            words = await self._ask(f"move to which stage? {', '.join(titles)}.", "moved")
            if not words:
                return
            if words.isdecimal() and 1 <= int(words) <= len(view.stages):
                # By id, as two stages may have the same title.
                words = str(view.stages[int(words) - 1].id)
        await self._change(moving(view, task, words))

    @_command("x", "close the card")
    async def _done(self, _words: str) -> None:
        await self._change(closing([await self._task()], Status.CLOSED))

    @_command("n", "reopen the card")
    async def _reopen(self, _words: str) -> None:
        await self._change(closing([await self._task()], Status.OPEN))

    @_command("a", "assign yourself, or a member by name")
    async def _assign(self, words: str) -> None:
        await self._set_assignee(words, removes=False)

    @_command("u", "unassign yourself, or a member by name")
    async def _unassign(self, words: str) -> None:
        await self._set_assignee(words, removes=True)

    async def _set_assignee(self, words: str, *, removes: bool) -> None:
        view, task = await self._task()
        person = chosen_person(words or "me", view, self.store.me)
        await self._change(assigning(view, task, [person], removes=removes))

    @_command("w", "write a comment, in one line")
    async def _comment(self, words: str) -> None:
        view, task = await self._task()
        text = words or await self._ask("Your comment, in one line?", "written")
        if text:
            await self._change(commenting(self.opened, view, task, text))

    @_command(
        "g",
        "read the standup card by card, of the board or else of the last boards;"
        " standup people: person by person",
    )
    async def _standup(self, words: str) -> None:
        from tui.cli.scripts.standup import read_standup

        if words and words.casefold() not in _BY_PERSON:
            raise WrongInput("no such standup.", hint="Type standup, or standup people.")
        boards = [self.view.board] if self.view else self.opened.standup_boards()
        now = datetime.now(LocalZone())
        since = self.opened.settings.calendar.since(now)
        self.opened.problems.clear()
        report = await read_standup(self.opened, boards, now, since)
        self._say_problem()
        self._unread, self._read_cards = [], []
        for block in blocks(report, Lens.BY_PERSON if words else Lens.WALK):
            heading = (f"{block.text.replace(SEPARATOR, ', ').rstrip('.')}.", 0)
            cards = [(sentence(card, now), card.row.task.id) for card in block.cards]
            if block.level == TITLE or not (block.level or self._unread):
                self.say(heading[0])
            elif block.level == OF_SPEAKER:
                self._unread[-1] += [heading, *cards]
            elif words:
                self._unread.append([heading, *cards])
            else:
                self._unread.append([heading, *cards[:1]])
                self._unread += [[card] for card in cards[1:]]
        if self._unread:
            self.say(f"type next for the first {'person' if words else 'card'}.")

    @_command("j", "continue the standup")
    async def _next(self, _words: str) -> None:
        if not self._unread:
            raise WrongInput("nothing to continue.", hint="Type standup to begin.")
        for line, task_id in self._unread.pop(0):
            if task_id:
                self._read_cards.append(("card", str(task_id)))
            self.say(f"{len(self._read_cards)}. {line}" if task_id else line)
        self._listed = self._read_cards
        if not self._unread:
            self.say("end of the standup.")

    @_command("r", "read the board again")
    async def _refresh(self, _words: str) -> None:
        view = await self._read_board((await self._board()).board)
        self.say(f"read {quoted(view.board.title)} again.")

    async def _ask(self, question: str, done: str) -> str:
        self.say(f"{question} An empty line cancels.")
        words = (await self._lines.get()).strip()
        if not words:
            self.say(f"nothing was {done}.")
        return words

    async def _read_board(self, board: Board) -> BoardView:
        # From now on updates of this board are announced.
        self.opened.problems.clear()
        (view,) = await self.opened.views([board])
        if self.view is None or self.view.board.id != view.board.id:
            await self.store.open_board(view.board.id)
            await self.store.mark_seen(view.board.id)
            self._task_id = self._stage_id = None
        self.view = view
        self._say_problem()
        return view

    def _say_problem(self) -> None:
        if self.opened.problems:
            self.say(f"not connected: {self.opened.problems[0].message}")

    async def _board(self) -> BoardView:
        if self.view is None:
            raise CallboardError("no board is open.", hint="Type boards, then a number.")
        self.view = await self.store.load_board(self.view.board.id) or self.view
        return self.view

    async def _task(self) -> tuple[BoardView, Task]:
        view = await self._board()
        task = None if self._task_id is None else view.task(self._task_id)
        if task is None:
            raise CallboardError("no card is open.", hint="Type cards, then a number.")
        return view, task

    async def _detail(self, words: str) -> tuple[TaskDetail, BoardView]:
        number = number_of(words)
        if words and not number:
            self._task_id = chosen_card(words, [await self._board()]).id
        elif number and (self.view is None or (await self._board()).task(number) is None):
            # It is on another board, which is opened, or archived, or a subtask.
            try:
                card_view, _ = await self.opened.card(f"#{number}")
            except NothingFound:
                elsewhere = await not_on_a_board(self.opened, number, "")
                if elsewhere is None:
                    raise
                # No card is open then: commands must change neither this one nor the previous one.
                self._task_id = None
                return elsewhere[1], elsewhere[0]
            view = await self._read_board(card_view.board)
            self.say(f"board {quoted(view.board.title)}.")
        self._task_id = number or self._task_id
        view, task = await self._task()
        self.opened.problems.clear()
        detail = await detail_of(self.opened, view, task.id)
        return detail or TaskDetail(task), view

    async def _change(self, plan: Plan) -> None:
        if self.store.is_read_only:
            raise CallboardError("read-only mode: nothing was changed.")
        self.opened.problems.clear()
        await carry_out_plan(self.opened, plan)

    def _say_text(self, lines: Iterable[str]) -> None:
        for line in lines:
            if line.strip():
                say(line)

    def _say_list(self, rows: Iterable[tuple[str, int | str, str]]) -> None:
        # Remembers what each number means: typing it carries out the command of its row.
        self._listed = []
        for number, (command, words, row) in enumerate(rows, 1):
            self.say(f"{number}. {row}")
            self._listed.append((command, str(words)))

    def _say_cards(self, view: BoardView, tasks: Sequence[Task], *, has_stage: bool) -> None:
        rows = []
        for task in tasks:
            number = f"#{task.id}" if task.id > 0 else "not sent yet"
            stage = view.stage(task.stage_id) if has_stage else None
            due = f"due {relative(task.due_at, wall_clock())}" if task.due_at else ""
            people = ", ".join(person.in_words for person in task.assignees)
            parts = (
                f"{_short(task.title)}, {number}",
                f"in {_short(stage.title)}" if stage else "",
                "closed" if task.is_closed else f"priority {task.priority.value}",
                due if not task.is_closed else "",
                f"assigned to {people}" if people else "",
                counted(task.comments_count, "comment") if task.comments_count else "",
            )
            rows.append(("card", task.id, f"{', '.join(filter(None, parts))}."))
        self._say_list(rows)


def _hit(hit: Found) -> tuple[str, int | str, str]:
    # The command that opens a hit, with its words; and what the hit is.
    title = _short(hit.title)
    states = f"{', closed' * hit.is_closed}{', archived' * hit.is_archived}"
    match hit.thing:
        case Thing.BOARD:
            return "open", hit.id, f"board {title}{states}."
        case Thing.PERSON:
            return "find", f"@{mention_name(hit.people[0])}", f"person {title}{states}."
        case Thing.COMMENT:
            of = f"{_short(hit.place)}, #{hit.task_id}"
            return "card", hit.task_id, f"comment on {of}: {title}{states}."
        case Thing.SUBTASK:
            of = _short(hit.place)
            return "card", hit.id, f"subtask {title}, #{hit.id}, of {of}{states}."
        case Thing.CARD:
            number = f"#{hit.id}" if hit.id > 0 else "not sent yet"
            at = f"in {_short(hit.place)} on {_short(hit.board)}"
            return "card", hit.id, f"{title}, {number}, {at}{states}."


def _short(title: str) -> str:
    return cells.cut(title, MOST_CELLS)


async def converse(opened: Opened, *, plain_board: str, is_read_only: bool) -> int:
    """Read and carry out commands until the input ends."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    opened.how = opened.how._replace(in_sentences=True)
    session = PlainSession(opened, lines)
    await opened.connect()
    opened.say_problem(())
    end = session.store.subscribe(session.hear)
    if is_read_only:
        session.say("read-only mode: nothing can be changed.")
    if plain_board:
        await session.open(plain_board)
    else:
        await session.boards("")
    session.say("Type help for the commands.")

    def put(line: bytes) -> None:
        lines.put_nowait(line.decode(errors="replace"))

    read_lines(asyncio.get_running_loop(), put)
    try:
        # An empty text, without even a line end, is the end of the input.
        while (line := await lines.get()) and line.strip().casefold() not in QUIT:
            try:
                await session.carry_out(line.strip())
            except CannotGoOn:
                raise
            except CallboardError as error:
                session.say(f"{error.message} {error.hint}".strip())
    finally:
        end()
    return 0
