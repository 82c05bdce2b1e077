"""Dialogs with a searchable list, for one of its rows.

The input above the list keeps the focus, and the arrow keys move the cursor of the list. The best
match comes first, with the cursor on it. A list of choices is a `Pick`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content, Span
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option
from textual.worker import WorkType

from tui.dialogs.base import Answer, Dialog
from tui.dialogs.one_line import OneLine, TwoSided
from tui.dialogs.pick.cursor_list import CursorList
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.model.colors import drawable
from tui.model.task import Person
from tui.runtime.key_queue import Opening, await_opening, drop_keys
from tui.text.fuzzy import Index, fold, places, rank
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

MOST = 60
"""The most places or people in a list; typing finds the others."""
_NUMBERED = 9
_NEW = "new"

T = TypeVar("T")
V_co = TypeVar("V_co", covariant=True)


class PickRow(NamedTuple):
    """A row of the list; rows without a key cannot be chosen."""

    key: str
    shown: Content | OneLine


class FindDialog(Dialog[Answer], Generic[Answer]):
    """Asks for an item of a list; subclasses supply the rows and the answer."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "find",
        ("down", "down,ctrl+n", "cursor(1)", "Next entry"),
        ("up", "up,ctrl+p", "cursor(-1)", "Previous entry"),
        ("page-down", "pagedown", "page(1)", "Page down"),
        ("page-up", "pageup", "page(-1)", "Page up"),
    )

    def __init__(self, title: str, prompt: str, *, line: Input | None = None) -> None:
        super().__init__(title)
        self.line = line or TextInput(placeholder=prompt, compact=True)
        self.starts_at = ""
        self._list = CursorList(classes="picks")
        self._list.can_focus = False
        self._keys: list[str] = []
        self._is_taking = False

    def rows(self, words: str) -> Sequence[PickRow]:
        """The rows that match the words, best first."""
        raise NotImplementedError

    def keys_line(self) -> str | Content | TwoSided:
        """The text below the list: what the keys do now, see `key_hints`."""
        return "↵ select   {find.up:↑}{find.down:↓} choose    {dialog.cancel:esc} cancel"

    def take(self) -> None:
        """Answer with the row at the cursor."""
        raise NotImplementedError

    def typed(self, words: str) -> None:
        """Update the list after typing; subclasses may keep the cursor where it is."""
        del words
        self.list_again()

    def clicked(self) -> None:
        """Handle a click on the row at the cursor; by default, answer with it."""
        self.take()

    def body(self) -> Iterable[Widget]:
        return self.line, self._list

    def on_mount(self) -> None:
        self.list_again(at=self.starts_at)
        # A watcher, not `Changed`, which comes later: one frame shows both the input and the list.
        self.watch(self.line, "value", self.typed, init=False)

    @property
    def at(self) -> str:
        """The key of the row at the cursor; empty if there is none."""
        index = self._list.highlighted
        return self._keys[index] if index is not None else ""

    def list_again(self, *, at: str = "") -> None:
        """Update the list, with the cursor on the row with the key `at`, else on the first."""
        rows = self.rows(self.line.value)
        self._list.set_options(Option(row.shown, disabled=not row.key) for row in rows)
        self._keys = [row.key for row in rows]
        first = next((index for index, key in enumerate(self._keys) if key), None)
        self._list.highlighted = self._keys.index(at) if at and at in self._keys else first
        self.show_keys()

    def show_keys(self) -> None:
        self.say_keys(self.keys_line())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.lacks_matches:
            # The best match is not known yet: it is taken when the search has ended.
            self._is_taking = True
            await_opening(self.app, Opening(lambda: self._is_taking, cancel=self._stop_taking))
        else:
            self.take()

    @property
    def lacks_matches(self) -> bool:
        """True while the match that Enter would take is still searched for; for subclasses."""
        return False

    def matches_found(self) -> None:
        """Take what Enter was pressed for, if it was; for subclasses to call."""
        if self._is_taking and not self.lacks_matches:
            self._is_taking = False
            self.take()

    def _stop_taking(self) -> bool:
        self._is_taking = False
        return True

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.show_keys()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.clicked()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        # The list cannot have the focus: keys go on to the input after a click, too.
        self.line.focus()

    def action_cursor(self, direction: int) -> None:
        if direction > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_page(self, pages: int) -> None:
        page = max(1, self._list.size.height - 1)
        to = (self._list.highlighted or 0) + pages * page
        rows = (row for row, key in enumerate(self._keys) if key)
        self._list.highlighted = min(rows, key=lambda row: abs(row - to), default=None)


class Choice(NamedTuple, Generic[V_co]):
    """A row or an option of a field that stands for a value, found by its label.

    The `sign` or a chip in a `color` from the service is before the label, the `hint` beside it.
    """

    value: V_co
    label: str
    hint: str = ""
    color: str = ""
    sign: str = ""


class Pick(FindDialog[Answer]):
    """Asks for one of `choices`, of which at most so many are listed."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[Answer]],
        prompt: str = "type to find",
        *,
        most: int | None = None,
        nothing: str = "nothing",
    ) -> None:
        super().__init__(title, prompt)
        self.choices = tuple(choices)
        self._index = Index([choice.label for choice in choices])
        self._most = most
        self._nothing = nothing

    @property
    def choice(self) -> Choice[Answer] | None:
        return self.choices[int(self.at)] if self.at.isdecimal() else None

    def rows(self, words: str) -> list[PickRow]:
        ranked = self._index.rank(words)
        rows = [
            PickRow(str(at), self.shown(self.choices[at], words)) for at in ranked[: self._most]
        ]
        if more := len(ranked) - len(rows):
            rows.append(PickRow("", Content(f" … {more} more: type to find them")))
        rows += self.below(words)
        return rows or [PickRow("", Content(f" {self._nothing} matches “{words}”"))]

    def below(self, words: str) -> list[PickRow]:
        del words
        return []

    def shown(self, choice: Choice[Answer], words: str) -> Content | TwoSided:
        return labelled(f" {choice.sign} " if choice.sign else " ", choice, words)

    def take(self) -> None:
        if self.choice is not None:
            self.dismiss(self.choice.value)


def labelled(sign: str, choice: Choice[T], words: str) -> Content:
    """The label of a choice with its matches marked, between its sign or chip and its hint."""
    line = Content(sign)
    if choice.color:
        line += chip(choice.color) + Content(" ")
    line += marked(choice.label or "(no title)", words)
    return line + Content.styled(f"  {choice.hint}", "$quiet") if choice.hint else line


def marked(text: str, words: str) -> Content:
    """A text with the letters highlighted that match the input."""
    matching = set(places(words, text))
    starts = sorted(place for place in matching if place - 1 not in matching)
    ends = sorted(place + 1 for place in matching if place + 1 not in matching)
    runs = zip(starts, ends, strict=True)
    return Content(text, [Span(start, end, "bold underline") for start, end in runs])


def chip(color: str) -> Content:
    """A sign in a colour from the service."""
    return Content.styled(glyphs.CHIP, drawable(color))


def recent_choices(
    choices: Iterable[Choice[T]], recent: Sequence[str], key: Callable[[T], str]
) -> list[Choice[T]]:
    """The choices with the recent ones first, most recent on top, where a hint says so."""
    order = {name: place for place, name in enumerate(recent)}
    return [
        choice._replace(hint=" · ".join(filter(None, (choice.hint, "recent"))))
        if key(choice.value) in recent
        else choice
        for choice in sorted(choices, key=lambda choice: order.get(key(choice.value), len(order)))
    ]


PlaceChoice = Choice[int]


class PickedPlace(NamedTuple):
    """The id of the place, or the title of one to create."""

    key: int
    created: str = ""


class PickParent(Pick[PickedPlace]):
    """Asks for the place of something: a parent task, a group, a stage or a board.

    With `create` (“a new group”) the typed text is offered as the title of a new one.
    """

    def __init__(self, title: str, places: Sequence[PlaceChoice], *, create: str = "") -> None:
        choices = [Choice(PickedPlace(key), label, hint) for key, label, hint, *_ in places]
        super().__init__(title, choices, most=MOST)
        self._create = create

    def below(self, words: str) -> list[PickRow]:
        title = " ".join(words.split())
        if not self._create or any(choice.label == title for choice in self.choices if title):
            return []
        if not title:
            return [PickRow("", Content(f" + {self._create}: type its title"))]
        return [PickRow(_NEW, Content(f" + {self._create} “{title}”"))]

    def take(self) -> None:
        if self.at == _NEW:
            self.dismiss(PickedPlace(0, " ".join(self.line.value.split())))
        else:
            super().take()


class Destination(NamedTuple):
    """Where tasks are moved: an end of a stage, or another board."""

    stage_id: int | None = None
    is_top: bool = False
    board_id: int | None = None

    @property
    def key(self) -> str:
        """The key of the stage or board among recent destinations."""
        return f"board {self.board_id}" if self.stage_id is None else f"stage {self.stage_id}"


class MoveToDialog(Pick[Destination]):
    """Asks for a stage of `view` or one of other boards; `current_stages` are those of the tasks.

    The stages are in board order, then the boards. `recent` destinations come first, except the
    stages of the tasks. `note` is shown below the list and explains what is missing in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "move-to", ("turn", "tab,shift+tab", "turn", "Top or bottom of stage"), priority=True
    )

    def __init__(
        self,
        title: str,
        view: BoardView,
        *,
        current_stages: Collection[int] = (),
        boards: Sequence[Board] = (),
        both_ends: bool = True,
        note: str = "",
        recent: Sequence[str] = (),
    ) -> None:
        choices = []
        for number, stage in enumerate(view.stages, 1):
            hint = f"{view.count(stage.id)}{' · here' if stage.id in current_stages else ''}"
            sign = str(number) if number <= _NUMBERED else " "
            choices.append(Choice(Destination(stage.id), stage.title, hint, sign=sign))
        for board in boards:
            to, sign = Destination(board_id=board.id), glyphs.ARROW
            choices.append(Choice(to, board.title, "another board", sign=sign))
        current = {Destination(stage_id).key for stage_id in current_stages}
        recent = [key for key in recent if key not in current]
        super().__init__(
            title,
            recent_choices(choices, recent, lambda destination: destination.key),
            "type to find a stage or a board" if boards else "type to find",
            nothing="no stage or board",
        )
        self._note = note
        self._has_both_ends = both_ends
        self._is_top = False

    def below(self, words: str) -> list[PickRow]:
        del words
        return [PickRow("", Content.styled(f" {self._note}", "$quiet"))] if self._note else []

    def keys_line(self) -> str:
        if self.choice is None:
            return "{dialog.cancel:esc} cancel"
        if not self._has_both_ends or self.choice.value.stage_id is None:
            return "↵ select   {dialog.cancel:esc} cancel"
        now, opposite = ("top", "bottom") if self._is_top else ("bottom", "top")
        turn = f"{{move-to.turn:tab}} {opposite} instead"
        return f"↵ select {now}   {turn}   {{dialog.cancel:esc}} cancel"

    def action_turn(self) -> None:
        if self._has_both_ends:
            self._is_top = not self._is_top
            self.show_keys()

    def take(self) -> None:
        if self.choice is not None:
            self.dismiss(self.choice.value._replace(is_top=self._is_top))


class FilterRow(NamedTuple):
    """A row: what it is, and its value at the right; only a saved filter can be deleted."""

    key: str
    label: str
    value: str
    is_saved: bool = False


class FilterAnswer(NamedTuple):
    """The key of the chosen row, and whether it is to be deleted."""

    key: str
    is_deleted: bool = False


class FilterDialog(Pick[FilterAnswer]):
    """Asks for a row; the cursor starts on the row with the key `at`."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "filter", ("delete", "ctrl+x", "delete", "Delete saved filter"), priority=True
    )

    def __init__(self, title: str, rows: Sequence[FilterRow], *, at: str = "") -> None:
        choices = [Choice(FilterAnswer(row.key), row.label, row.value) for row in rows]
        super().__init__(title, choices)
        self._saved = {row.key for row in rows if row.is_saved}
        self.starts_at = next((str(n) for n, row in enumerate(rows) if row.key == at), "")

    def shown(self, choice: Choice[FilterAnswer], words: str) -> TwoSided:
        style = "$primary" if choice.value.key in self._saved else "$foreground"
        value = Content.styled(f" {choice.hint} ", style)
        return TwoSided(marked(f" {choice.label}", words), value)

    def keys_line(self) -> str:
        is_saved = self.choice is not None and self.choice.value.key in self._saved
        delete = "   {filter.delete:ctrl+x} delete" if is_saved else ""
        return f"↵ select   {{dialog.cancel:esc}} close{delete}"

    def action_delete(self) -> None:
        if self.choice is not None and self.choice.value.key in self._saved:
            self.dismiss(self.choice.value._replace(is_deleted=True))


def no_one(words: str, nothing: str, invite: str) -> list[PickRow]:
    """The rows of an empty list of people: no one matches `words`, or there is no one at all."""
    reason = f"no one matches “{words}”" if words.strip() else nothing
    return [PickRow("", Content(f" {reason}")), PickRow("", Content.styled(f" {invite}", "$quiet"))]


FindPeople = Callable[[str], Awaitable[Iterable[Person]]]
"""The people whose name contains a text; everybody for an empty one. Raises `CallboardError`."""


class PickPerson(FindDialog[Person]):
    """Asks for a person; those with ids in `without` are left out.

    The service is asked for others once typing a name pauses for `pause_seconds`, or at Enter. If
    there is no one, the list says how to `invite` people.
    """

    def __init__(
        self,
        title: str,
        people: Iterable[Person],
        without: frozenset[int],
        find: FindPeople,
        *,
        invite: str,
        pause_seconds: float,
    ) -> None:
        super().__init__(title, "part of a name or login")
        self._people = {person.id: person for person in people if person.id not in without}
        self._without = without
        self._find = find
        self._invite = invite
        self._asking: str | None = None
        self._problem = ""
        self._pause_seconds = pause_seconds
        self._is_typed = asyncio.Event()

    def on_mount(self) -> None:
        # Textual also runs `on_mount` of the base classes, after this one.
        self._start_asking("")

    @on(Input.Submitted)
    def end_pause(self) -> None:
        self._is_typed.set()

    def typed(self, words: str) -> None:
        if words.strip():
            self._start_asking(words.strip())
        super().typed(words)

    def rows(self, words: str) -> list[PickRow]:
        people = sorted(self._people.values(), key=lambda person: (fold(person.name), person.id))
        ranked = rank(words, [f"{person.name} {person.login}" for person in people])
        rows = []
        for person in (people[at] for at in ranked[:MOST]):
            login = person.login if person.login != person.name else ""
            choice = Choice(person, person.name or f"person {person.id}", login)
            rows.append(PickRow(str(person.id), labelled(" ", choice, words)))
        if self._problem:
            rows.append(PickRow("", Content(f" {self._problem}")))
        elif self._asking is not None:
            rows.append(PickRow("", Content(" searching …")))
        elif len(ranked) > MOST:
            rows.append(PickRow("", Content(f" … {len(ranked) - MOST} more: type to find them")))
        elif not ranked:
            rows += no_one(words, "no one else", self._invite)
        return rows

    def take(self) -> None:
        if self.at:
            self.dismiss(self._people[int(self.at)])

    @property
    def lacks_matches(self) -> bool:
        return self._asking is not None and not self.at

    def _start_asking(self, words: str) -> None:
        self._asking = words
        self._is_typed.clear()
        asking: WorkType[None] = partial(self._ask, words)
        self.run_worker(asking, group="search" if words else "everybody", exclusive=True)

    async def _ask(self, words: str) -> None:
        # Another letter cancels this worker, so that one request is made for several letters.
        if words:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause_seconds):
                    await self._is_typed.wait()
        try:
            people = await self._find(words)
            self._people |= {
                person.id: person for person in people if person.id not in self._without
            }
            self._problem = ""
        except CallboardError as error:
            self._problem = error.message
            # What was typed after Enter was meant for what follows the choice.
            if self._is_taking:
                drop_keys(self.app)
        # The list of everybody and a search may be under way at once: only the last one counts.
        if self._asking == words:
            self._asking = None
        if self.is_mounted:
            self.list_again(at=self.at)
            self.matches_found()
