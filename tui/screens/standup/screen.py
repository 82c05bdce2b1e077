"""The standup: what happened on boards since the last working day, and what needs attention.

All actions on cards work in place. What is cached is shown at once; news and the activity of the
boards are read in the background.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from html import escape

from textual.app import ComposeResult
from textual.timer import Timer
from textual.worker import WorkType

from tui.actions.action import action
from tui.config.preferences import ALL_BOARDS, STANDUP_BOARDS
from tui.context import Context
from tui.errors import CallboardError
from tui.model.standup.report import Standup
from tui.model.standup.window import midnight
from tui.model.standup.writing import Lens, markdown, plain, slack
from tui.model.task import Task
from tui.navigation import StandupRequested
from tui.runtime.key_queue import keys_held
from tui.screens.boards.listing import read_folders
from tui.screens.lists.cards import CardListScreen
from tui.screens.standup.hints import first_hints
from tui.screens.standup.rows import (
    COLUMNS,
    EVERYTHING,
    LENSES,
    PARKING_LOT,
    StandupRow,
    StandupTurn,
    below,
    cells,
    summary_line,
)
from tui.screens.standup.speaker import SpeakerFoot, SpeakerHead
from tui.screens.standup.standup_list import StandupList
from tui.screens.standup.state import StandupState
from tui.store.events import BoardChanged, StatusChanged, StoreEvent, SyncStatus
from tui.text import clean
from tui.text.clean import counted, quoted
from tui.text.dates import parse_past_day
from tui.text.markdown.signs import escaped, escaped_start
from tui.widgets import glyphs
from tui.widgets.bars import Bar
from tui.widgets.painted import Line, Span, line_width
from tui.widgets.row_list import NONE, Heading, ListColumn

_OLD = timedelta(minutes=10)
"""Activity that was read longer ago than this is shown with its time."""
_NEWS_SECONDS = 60.0
"""How often changes of others are looked for; only an opened board is polled by the store."""
_MINUTES = range(1, 61)
"""How many minutes a speaker may have."""


class StandupScreen(CardListScreen[StandupRow]):
    """A standup of one or several boards, in two lenses."""

    heading, row_name, opens = "Standup", "card", "card.open"
    keeps_order = True
    start = "standup"

    def __init__(self, context: Context, board_id: int | None, request: StandupRequested) -> None:
        boards = request.board_ids or boards_for(context, board_id)
        self.state = StandupState(context, boards, request.since)
        if request.by_person:
            self.state.lens = Lens.BY_PERSON
        if request.speaker is not None:
            self.state.speakers.begin(StandupTurn.of(request.speaker))
        self.summary_bar = Bar()
        self.summary_bar.ground = "ground"
        self.summary_bar.add_class("summary", update=False)
        self.head, self.foot = SpeakerHead(), SpeakerFoot()
        super().__init__(context)
        self.row_list = self.standup_list = StandupList(self, lambda: self.state.standup)
        self.state.changed = self.show_again
        self._seconds: Timer | None = None

    @property
    def columns(self) -> Sequence[ListColumn]:  # type: ignore[override]  # those of the lens
        return COLUMNS[self.state.lens]

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.summary_bar
        yield self.head
        yield self.row_list
        yield self.foot
        yield self.status
        yield self.status.footer

    def on_mount(self) -> None:
        # Paused: `draw_time` resumes it while the timer runs.
        self._seconds = self.set_interval(1.0, self.draw_time, pause=True)
        self.set_interval(_NEWS_SECONDS, self.look_for_news)

    def rows(self) -> list[StandupRow]:
        groups, present = self.state.groups_of_speaker(), self.state.speakers.present
        if groups:
            return [row for group in groups.values() for row in group]
        return [row for row in self.state.rows() if present in (EVERYTHING, row.turn)]

    def card(self, row: StandupRow) -> Task | None:
        return row.card.task if row.card else None

    def key(self, row: StandupRow) -> tuple[object, ...]:
        return row.key

    def words(self, row: StandupRow) -> str:
        return row.words

    def sections(self, row: StandupRow) -> tuple[Heading, ...]:
        return row.headings

    def cells(self, row: StandupRow) -> Sequence[str | Line]:
        return cells(row, self.state.standup, self.state.lens, self.store.me)

    def below(self, row: StandupRow, width: int) -> tuple[Line, ...]:
        return below(row, self.state.standup, self.state.lens, width)

    def empty(self) -> tuple[str, str]:
        present = self.state.speakers.present
        if present != EVERYTHING:
            hint = "{standup.next-speaker:>} for the next · {list.back:esc} to show all"
            return f"{present.name} has no cards here now", hint
        if self.state.board_ids:
            return "these boards are not loaded yet", "{list.refresh:R} to load them"
        return "no boards", "{standup.boards:B} to choose boards"

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        shown = self.row_list
        # A closed or moved card is in another section, with another key: the cursor and the marks
        # follow the card.
        if select is None:
            select = self._key_now(shown.row)
        if shown.marks:
            marked = [row for row in shown.rows if row.key in shown.marks]
            shown.marks = frozenset(self._key_now(row) or row.key for row in marked)
        self.standup_list.headings = tuple(self.state.groups_of_speaker())
        super().show_rows(select, renamed)

    def _key_now(self, row: StandupRow | None) -> tuple[object, ...] | None:
        if row is None or row.card is None:
            return None
        task_id = self.state.renamed.get(row.card.task.id, row.card.task.id)
        rows = [entry for entry in self.rows() if entry.card and entry.card.task.id == task_id]
        # A card may be in several places: prefer that of the same person and section.
        rows.sort(key=lambda entry: (entry.turn != row.turn, entry.kinds != row.kinds))
        return rows[0].key if rows else None

    def draw_bar(self) -> None:
        state, standup, present = self.state, self.state.standup, self.state.speakers.present
        since = f"{standup.since:%a} {standup.since.day} {standup.since:%b}"
        since = "today" if standup.since.date() == standup.now.date() else f"since {since}"
        about = ", ".join(board.title for board in standup.boards)
        if present != EVERYTHING:
            speakers = [turn for turn in state.turns() if turn.person_id > 0]
            place = f"{speakers.index(present) + 1} of " if present in speakers else ""
            about = f"{place}{counted(len(speakers), 'speaker')}"
        parked = f"{len(state.topics)} parked" if state.topics else ""
        coverage = state.progress or _limits(standup, self.store.status())
        message = " · ".join(filter(None, (coverage, parked)))
        self.bar.say(
            ((" Standup ", "place"), (f" {since}", "strong"), (f" · {about}", "quiet")),
            self.bar_end(f"{message}  " if message else ""),
        )
        self.summary_bar.display = present == EVERYTHING
        key = self.keys.hint("standup.lens").partition(":")[0]
        self.summary_bar.say(*summary_line(standup, state.lens, key, self.size.width))
        own_ids = {
            speaker.person.id for speaker in standup.people if self.store.me.is_of(speaker.person)
        }
        self.head.say(present.name, "you" if present.person_id in own_ids else "")
        self.draw_time()
        self.foot.say(state.topics, state.turns(), present)

    def draw_time(self) -> None:
        left = self.state.speakers.time_left(self.state.minutes)
        self.head.say_time(left, self.state.minutes)
        if self._seconds is not None:
            self._seconds.pause() if left is None else self._seconds.resume()

    def edge_line(self, width: int) -> tuple[Line, Line]:
        line: list[Span] = []
        for x, above, below_sight in self.standup_list.drawing.beyond:
            words = (
                f"{glyphs.UP} {above}" if above else "",
                f"{glyphs.DOWN} {below_sight} more" if below_sight else "",
            )
            line.append((" " * (x - line_width(line)) + "  ".join(filter(None, words)), "quiet"))
        return (tuple(line), ()) if line else super().edge_line(width)

    def hints(self) -> tuple[Line, Line]:
        state = self.state
        if self.row_list.marks:
            return super().hints()
        return self.keys.hints(self.role, first_hints(state.lens, state.speakers, state.turns()))

    def click_count(self, words: str) -> None:
        if words not in LENSES:
            super().click_count(words)
        elif LENSES[words] is not self.state.lens:
            self.switch_lens()

    def clear_search(self) -> bool:
        if super().clear_search():
            return True
        was_turn = self.state.speakers.present != EVERYTHING
        if was_turn:
            self.state.speakers.leave()
            self.show_rows()
        return was_turn

    def look_for_news(self) -> None:
        """Read the changes of others silently, if the standup is in front."""
        # A standup in the background, or in a terminal without focus, costs the service nothing.
        if self.app.screen is self and self.app.app_focus and not self._is_loading:
            self.state.is_quiet = True
            self.refresh_rows()

    def refresh_rows(self) -> None:
        self.state.is_due = True
        self.load()

    async def load_rows(self) -> None:
        await self._read_cached(*self.state.board_ids)
        await self.state.load()

    async def _read_cached(self, *board_ids: int) -> None:
        with keys_held(self.app):
            await self.state.read_cached(*board_ids)

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged) and self.state.hear(event):
            cached: WorkType[None] = partial(self._read_cached, event.board_id)
            self.run_worker(cached, group=f"cached {event.board_id}", exclusive=True)
        elif isinstance(event, StatusChanged):
            self.draw_bar()
            # The log has a change only once it was sent: it tells then what the user moved.
            if event.board_id is not None and self.state.is_sent(event.board_id):
                log: WorkType[None] = partial(self.state.read_log, event.board_id)
                self.run_worker(log, group=f"log {event.board_id}", exclusive=True)

    @action(
        "standup.copy",
        "y",
        "Copy as Markdown",
        hint="copy",
        words="export",
        arguments=("as Markdown",),
    )
    @action("standup.copy-plain", "Y", "Copy as plain text", arguments=("as plain text",))
    @action("standup.copy-slack", "", "Copy for Slack", arguments=("for Slack",))
    def copy(self, kind: str) -> None:
        state = self.state
        if not state.standup.boards:
            hint = "{list.refresh:R} to load them"
            self.say("nothing was copied: no board is loaded yet", hint=hint)
            return
        write: Callable[[Standup, Lens], str] = plain
        heading, lines = PARKING_LOT.name, [f"- {topic}" for topic in state.topics]
        if kind == "as Markdown":
            write, heading = markdown, f"## {heading}"
            lines = [f"- {escaped_start(escaped(topic))}" for topic in state.topics]
        elif kind == "for Slack":
            write, heading = partial(slack, card_url=self.context.card_url), f"*{heading}*"
            lines = [f"• {escape(topic, quote=False)}" for topic in state.topics]
        text = write(state.standup, state.lens)
        if lines:
            text = "\n".join((text, heading, "", *lines, ""))
        self.app.copy_to_clipboard(text)
        cards = counted(len({row.card.task.id for row in state.rows() if row.card}), "card")
        hint = "the activity is still loading" if state.progress else ""
        self.say(f"copied {kind}: {cards}", hint=hint)

    @action("standup.lens", "tab", "Show by board or by person", hint="lens")
    def switch_lens(self) -> None:
        was_by_person = self.state.lens is Lens.BY_PERSON
        self.state.speakers.leave()
        self.state.lens = Lens.WALK if was_by_person else Lens.BY_PERSON
        is_at_top = self.row_list.cursor == 0
        self.show_rows()
        if is_at_top:
            self.row_list.go_to(0)
        if was_by_person:
            self.say("by board")
        else:
            self.say("by person", hint="{standup.next-speaker:>} for the first speaker")

    @action("standup.next-speaker", ">", "Next speaker", hint="speaker", arguments=(1,))
    @action("standup.previous-speaker", "<", "Previous speaker", arguments=(-1,))
    def change_speaker(self, by: int) -> None:
        speakers, turns = self.state.speakers, self.state.turns()
        if not turns:
            self.say("no one has cards here")
            return
        had_turn = speakers.present != EVERYTHING
        self.state.lens = Lens.BY_PERSON
        speakers.begin(speakers.after(turns, by))
        self.show_rows()
        self.row_list.go_to(0)
        if had_turn and speakers.present == EVERYTHING:
            self.say(f"that was the {'last' if by > 0 else 'first'} speaker")

    @action("standup.shuffle", "!", "Shuffle speakers")
    def shuffle(self) -> None:
        self.state.lens = Lens.BY_PERSON
        self.state.speakers.shuffle(self.state.standup.people)
        self.show_rows()
        names = [turn.name for turn in self.state.turns() if turn.person_id > 0]
        self.say(f"order of speakers: {', '.join(names)}" if names else "no one has cards here")

    @action("standup.timer", ";", "Start or stop timer")
    def switch_timer(self) -> None:
        speakers = self.state.speakers
        speakers.switch_timer()
        self.draw_time()
        minutes = counted(self.state.minutes, "minute")
        self.say(f"{minutes} per speaker" if speakers.is_timed else "timer stopped")

    @action("standup.minutes", "", "Set minutes per speaker", asks=True)
    async def set_minutes(self) -> None:
        from tui.dialogs.questions import AskDialog

        def read(words: str) -> int:
            if not words.strip().isdecimal() or int(words.strip()[:4]) not in _MINUTES:
                wanted = f"A whole number from {_MINUTES[0]} to {_MINUTES[-1]}"
                raise CallboardError(f"{wanted} is required.")
            return int(words)

        typed = await self.ask(
            AskDialog(
                "Minutes per speaker",
                str(self.state.minutes),
                reading=lambda words: counted(read(words), "minute"),
                replaces=True,
            )
        )
        if typed is not None:
            self.state.minutes = read(typed)
            self.draw_time()
            minutes = counted(self.state.minutes, "minute")
            self.say(f"{minutes} per speaker", hint="{standup.timer:;} the timer")

    @action("standup.topic", "P", "Add topic to parking lot", asks=True)
    async def add_topic(self) -> None:
        from tui.dialogs.questions import AskDialog

        typed = await self.ask(AskDialog("A topic for later", placeholder="one line"))
        topic = " ".join(clean.line(typed or "").split())
        if topic:
            self.state.topics = [*self.state.topics, topic]
            self.show_rows()
            self.say(f"parked {quoted(topic)}", hint="{standup.delete:D} on its row to delete it")
        elif typed is not None:
            self.say("nothing was typed: nothing was parked")

    @action("standup.delete", "D", "Delete card or topic", asks=True)
    async def delete(self) -> None:
        rows = self.row_list.chosen
        topics = [row.text for row in rows if row.is_topic]
        if not topics:
            self.actions.perform("task.delete")
        elif len(topics) < len(rows):
            self.say("both cards and topics are marked", hint="mark only one kind")
        else:
            subject = quoted(topics[0]) if len(topics) == 1 else counted(len(topics), "topic")
            if await self.confirm(f"Delete {subject}?", "This cannot be undone."):
                self.state.topics = [topic for topic in self.state.topics if topic not in topics]
                self.row_list.clear_marks()
                self.show_rows()
                self.say(f"deleted {subject} from the parking lot")

    @action("standup.earlier", "-", "Start a working day earlier", arguments=(-1,))
    @action("standup.later", "+", "Start a working day later", arguments=(1,))
    def step_window(self, by: int) -> None:
        if self.state.step(by):
            self.load()
            since = self.state.since
            self.say(f"since {since:%A} {since.day} {since:%B}")
        else:
            hint = "{standup.earlier:-} to start a working day earlier"
            self.say("already starts today", hint=hint)

    @action("standup.since", "=", "Choose first day", asks=True)
    async def choose_start(self) -> None:
        from tui.dialogs.questions import AskDialog

        now, since = self.state.now, self.state.since

        def reading(words: str) -> str:
            day = parse_past_day(words, now.date())
            return f"{day:%A} {day.day} {day:%B %Y}"

        typed = await self.ask(
            AskDialog(
                "Since which day",
                f"{since:%Y-%m-%d}",
                placeholder="fri · yesterday · 2026-11-02",
                reading=reading,
                replaces=True,
            )
        )
        if typed is not None:
            self.state.since = midnight(parse_past_day(typed, now.date()), self.state.now)
            self.load()

    @action("standup.boards", "B", "Choose boards", hint="boards", asks=True)
    async def choose_boards(self) -> None:
        from tui.dialogs.pick.many import PickChoice, PickMany

        active = self.active_boards
        folders = {
            f"folder {folder.id}": folder for folder in read_folders(self.context.preferences)
        }
        titles = {
            board_id: folder.title for folder in folders.values() for board_id in folder.board_ids
        }
        choices = [
            PickChoice(str(board.id), board.title, titles.get(board.id, "")) for board in active
        ]
        for key, folder in folders.items():
            count = sum(board.id in folder.board_ids for board in active)
            choices.append(PickChoice(key, folder.title, f"folder of {counted(count, 'board')}"))
        present = frozenset(map(str, self.state.board_ids))
        picked = await self.ask(PickMany("Standup of which boards?", choices, present))
        if picked is None:
            return
        of_folders = [folder.board_ids for key, folder in folders.items() if key in picked.chosen]
        chosen = [
            board.id
            for board in active
            if str(board.id) in picked.chosen or any(board.id in ids for ids in of_folders)
        ]
        if chosen:
            preferences = self.context.preferences
            preferences.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset(chosen)})
            self.state.choose(chosen)
            self.load()
        else:
            self.say("no board selected: nothing was changed")


def boards_for(context: Context, board_id: int | None) -> Sequence[int]:
    """The boards of a standup that is opened from a board, or from elsewhere.

    Those chosen last, if the board is one of them; otherwise that board alone. From elsewhere, if
    none were chosen, the board opened last, or all of them.
    """
    active = [board.id for board in context.store.boards() if board.archived_at is None]
    if board_id is None:
        return context.preferences.standup_boards(active)
    chosen = context.preferences.numbers(ALL_BOARDS, STANDUP_BOARDS)
    return [listed for listed in active if listed in chosen] if board_id in chosen else [board_id]


def _limits(standup: Standup, status: SyncStatus) -> str:
    histories = standup.histories
    read = [history.read_at for history in histories if history.read_at is not None]
    back = [history.complete_since for history in histories if history.complete_since is not None]
    if len(read) < len(histories):
        return "some activity is not loaded"
    if read and (status.problem or min(read) < standup.now - _OLD):
        return f"as of {_moment(min(read), standup.now)}"
    if back and max(back) > standup.since:
        return f"activity since {_moment(max(back), standup.now)}"
    return ""


def _moment(at: datetime, now: datetime) -> str:
    at = at.astimezone(now.tzinfo)
    day = "" if at.date() == now.date() else f"{at:%a} {at.day} {at:%b} "
    return f"{day}{at:%H:%M}"
