"""The actions of the standup itself: lens, window, speakers, parking lot, boards, copying."""

from collections.abc import Sequence
from typing import Protocol

from tui.actions.host import Host
from tui.actions.offered import OfferedActions
from tui.actions.old import Action
from tui.config.preferences import ALL_BOARDS, STANDUP_BOARDS
from tui.context import Context
from tui.errors import CallboardError
from tui.model.standup.window import midnight
from tui.model.standup.writing import Lens
from tui.screens.boards.listing import read_folders
from tui.screens.standup.content import StandupContent
from tui.screens.standup.rows import EVERYTHING
from tui.screens.standup.speakers import MINUTES
from tui.text import clean
from tui.text.clean import counted, quoted
from tui.text.dates import parse_past_day
from tui.widgets.row_list import RowList

_FOLDER = "folder "


class StandupHost(Host, Protocol):
    """The screen of a standup."""

    actions: OfferedActions
    content: StandupContent
    row_list: RowList

    def show_rows(self) -> None:
        """Show what the content has now."""

    def load(self) -> None:
        """Read what the content needs, and show it."""

    def draw_bar(self) -> None:
        """Draw the bar."""

    def count_seconds(self, *, is_timed: bool) -> None:
        """Update the timer in the bar every second, or stop that."""


class SwitchLens(Action[StandupHost]):
    """Shows the other lens, with the cursor on the same card, or still at the top."""

    id, keys, label, hint = "standup.lens", "tab", "Show by board or by person", "lens"

    async def run(self, on: StandupHost) -> None:
        by_person = on.content.lens is Lens.WALK
        on.content.speakers.present = EVERYTHING
        on.content.lens = Lens.BY_PERSON if by_person else Lens.WALK
        is_at_top = on.row_list.cursor == 0
        on.show_rows()
        if is_at_top:
            on.row_list.go_to(0)
        on.say(
            "by person" if by_person else "board by board",
            hint="{standup.next-speaker:>} the first speaker" if by_person else "",
        )


class ChangeSpeaker(Action[StandupHost]):
    """Shows only what the next or the previous speaker has; after the last one, everything."""

    def __init__(self, name: str, keys: str, by: int) -> None:
        self.id, self.keys, self.label = f"standup.{name}-speaker", keys, f"{name.title()} speaker"
        self.hint = "speaker" if by > 0 else ""
        self._by = by

    async def run(self, on: StandupHost) -> None:
        speakers, turns = on.content.speakers, on.content.turns()
        if not turns:
            on.say("nobody has cards here")
            return
        had_turn = speakers.present != EVERYTHING
        on.content.lens = Lens.BY_PERSON
        speakers.begin(speakers.after(turns, self._by))
        on.show_rows()
        on.row_list.go_to(0)
        if had_turn and speakers.present == EVERYTHING:
            on.say("that was the last speaker" if self._by > 0 else "that was the first speaker")


class Shuffle(Action[StandupHost]):
    """Puts the speakers into a random order."""

    id, keys, label = "standup.shuffle", "!", "Shuffle speakers"

    async def run(self, on: StandupHost) -> None:
        content = on.content
        content.lens = Lens.BY_PERSON
        content.speakers.shuffle(content.standup.people)
        on.show_rows()
        names = [turn.name for turn in content.turns() if turn.person_id > 0]
        on.say(f"order of speakers: {', '.join(names)}" if names else "nobody has cards here")


class SwitchTimer(Action[StandupHost]):
    """Starts the timer of the present speaker, or stops it."""

    id, keys, label = "standup.timer", ";", "Start or stop timer"

    async def run(self, on: StandupHost) -> None:
        speakers = on.content.speakers
        speakers.switch_timer()
        on.count_seconds(is_timed=speakers.is_timed)
        minutes = counted(on.content.minutes, "minute")
        on.say(f"{minutes} for each speaker" if speakers.is_timed else "timer stopped")


class SetMinutes(Action[StandupHost]):
    """Asks for the minutes of each speaker."""

    id, label, asks = "standup.minutes", "Set minutes of a speaker", True

    async def run(self, on: StandupHost) -> None:
        from tui.dialogs.ask import AskDialog

        typed = await on.ask(
            AskDialog(
                "Minutes for each speaker",
                str(on.content.minutes),
                reading=lambda words: counted(_minutes(words), "minute"),
                replaces=True,
            )
        )
        if typed is not None:
            on.content.minutes = _minutes(typed)
            on.draw_bar()
            on.say(
                f"{counted(on.content.minutes, 'minute')} for each speaker",
                hint="{standup.timer:;} the timer",
            )


def _minutes(words: str) -> int:
    if not words.strip().isdecimal() or int(words.strip()[:4]) not in MINUTES:
        raise CallboardError(f"A whole number from {MINUTES[0]} to {MINUTES[-1]} is needed.")
    return int(words)


class AddTopic(Action[StandupHost]):
    """Asks for a topic, which stays in the parking lot until it is deleted."""

    id, keys, label, asks = "standup.topic", "P", "Add topic to parking lot", True

    async def run(self, on: StandupHost) -> None:
        from tui.dialogs.ask import AskDialog

        typed = await on.ask(AskDialog("A topic for later", placeholder="one line"))
        topic = " ".join(clean.line(typed or "").split())
        if topic:
            on.content.topics = [*on.content.topics, topic]
            on.show_rows()
            on.say(f"parked {quoted(topic)}", hint="{standup.delete:D} on its row deletes it")
        elif typed is not None:
            on.say("nothing was typed: nothing was parked")


class DeleteRows(Action[StandupHost]):
    """Deletes the topics or the cards that are marked, or that at the cursor; asks first."""

    id, keys, label, asks = "standup.delete", "D", "Delete card or topic", True

    async def run(self, on: StandupHost) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        topics = [row.text for row in on.row_list.chosen if row.is_topic]
        if not topics:
            await on.actions.perform("task.delete")
        elif len(topics) < len(on.row_list.chosen):
            on.say("cards and topics are marked", hint="mark only one kind")
        else:
            what = quoted(topics[0]) if len(topics) == 1 else counted(len(topics), "topic")
            if await on.ask(ConfirmDialog(f"Delete {what}?", "Undo does not bring it back.")):
                on.content.topics = [one for one in on.content.topics if one not in topics]
                on.row_list.clear_marks()
                on.show_rows()
                on.say(f"deleted {what} from the parking lot")


class StepWindow(Action[StandupHost]):
    """Begins the window a working day earlier or later."""

    def __init__(self, name: str, keys: str, by: int) -> None:
        self.id, self.keys, self.label = f"standup.{name}", keys, f"Start a working day {name}"
        self._by = by

    async def run(self, on: StandupHost) -> None:
        if on.content.step(self._by):
            on.load()
            on.say(f"since {on.content.since:%A} {on.content.since.day} {on.content.since:%B}")
        else:
            on.say(
                "this starts today already", hint="{standup.earlier:-} starts a working day earlier"
            )


class ChooseStart(Action[StandupHost]):
    """Asks for the day on which the window begins."""

    id, keys, label, asks = "standup.since", "=", "Choose first day", True

    async def run(self, on: StandupHost) -> None:
        from tui.dialogs.ask import AskDialog

        today = on.content.now.date()
        typed = await on.ask(
            AskDialog(
                "Since which day",
                f"{on.content.since:%Y-%m-%d}",
                placeholder="fri · yesterday · 2026-11-02",
                reading=lambda words: (
                    f"{(day := parse_past_day(words, today)):%A} {day.day} {day:%B %Y}"
                ),
                replaces=True,
            )
        )
        if typed is not None:
            on.content.since = midnight(parse_past_day(typed, today), on.content.now)
            on.load()


class ChooseBoards(Action[StandupHost]):
    """Asks for the boards, which are shown the next time too."""

    id, keys, label, hint, asks = "standup.boards", "B", "Choose boards", "boards", True

    async def run(self, on: StandupHost) -> None:
        chosen = await _ask_boards(on, on.content.board_ids)
        if chosen:
            kept = frozenset(chosen)
            on.context.preferences.keep(ALL_BOARDS, **{STANDUP_BOARDS: kept})
            on.content.choose(chosen)
            on.load()
        elif chosen is not None:
            on.say("no board was chosen: nothing was changed")


def boards_for(context: Context, board_id: int | None) -> list[int]:
    """The boards of a standup that is opened from a board, or from elsewhere.

    Those chosen last, if the board is one of them; otherwise that board alone. From elsewhere, if
    none were chosen, the board opened last, or all of them.
    """
    active = [board.id for board in context.store.boards() if board.archived_at is None]
    if board_id is None:
        return context.preferences.standup_boards(active)
    chosen = context.preferences.numbers(ALL_BOARDS, STANDUP_BOARDS)
    return [one for one in active if one in chosen] if board_id in chosen else [board_id]


async def _ask_boards(host: Host, chosen: Sequence[int]) -> list[int] | None:
    """Ask for boards; a folder stands for its boards. None if cancelled."""
    from tui.dialogs.pick.many import PickChoice, PickMany

    active = [board for board in host.context.store.boards() if board.archived_at is None]
    folders = read_folders(host.context.preferences)
    titles = {one: folder.title for folder in folders for one in folder.board_ids}
    choices = [PickChoice(str(one.id), one.title, titles.get(one.id, "")) for one in active]
    choices += [
        PickChoice(
            f"{_FOLDER}{one.id}",
            one.title,
            f"folder of {counted(sum(board.id in one.board_ids for board in active), 'board')}",
        )
        for one in folders
    ]
    picked = await host.ask(
        PickMany("Standup of which boards?", choices, frozenset(map(str, chosen)))
    )
    if picked is None:
        return None
    filled = {
        one
        for folder in folders
        if f"{_FOLDER}{folder.id}" in picked.chosen
        for one in folder.board_ids
    }
    return [one.id for one in active if str(one.id) in picked.chosen or one.id in filled]


class CopyText(Action[StandupHost]):
    """Copies the lens as text to the clipboard of the terminal."""

    def __init__(self, name: str, keys: str, label: str, *, is_plain: bool) -> None:
        self.id, self.keys, self.label = f"standup.{name}", keys, label
        self.hint = "" if is_plain else "copy"
        self._is_plain = is_plain

    async def run(self, on: StandupHost) -> None:
        if not on.content.standup.boards:
            on.say(
                "nothing was copied: no board has been read yet", hint="{list.refresh:R} reads them"
            )
            return
        on.app.copy_to_clipboard(on.content.text(is_plain=self._is_plain))
        cards = counted(on.content.count, "card")
        hint = "the activity is still being read" if on.content.progress else ""
        on.say(f"copied as {'plain text' if self._is_plain else 'Markdown'}: {cards}", hint=hint)


STANDUP_ACTIONS: tuple[Action[StandupHost], ...] = (
    CopyText("copy", "y", "Copy as Markdown", is_plain=False),
    SwitchLens(),
    ChangeSpeaker("next", ">", 1),
    ChangeSpeaker("previous", "<", -1),
    CopyText("copy-plain", "Y", "Copy as plain text", is_plain=True),
    Shuffle(),
    SwitchTimer(),
    SetMinutes(),
    AddTopic(),
    DeleteRows(),
    StepWindow("earlier", "-", -1),
    StepWindow("later", "+", 1),
    ChooseStart(),
    ChooseBoards(),
)
