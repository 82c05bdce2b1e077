"""The command palette, and finding boards, cards, comments and people.

What is found is listed while all is still being read.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, NamedTuple

from textual.content import Content

from tui.config.preferences import ALL_BOARDS, OPENED
from tui.context import Context
from tui.dialogs.pick.find import FindDialog, Row, TwoSided, marked, recent_first
from tui.model.find import Findings, Found, Thing
from tui.model.people import mention_name
from tui.text.dates import age, local
from tui.text.fuzzy import Index, fold
from tui.text.keyed import keyed
from tui.widgets import glyphs

_MOST = 40
"""How many things are listed at most."""
_SOME = 100
_SIGNS = {
    Thing.BOARD: glyphs.CHIP,
    Thing.CARD: glyphs.OPEN,
    Thing.SUBTASK: glyphs.SUBTASKS,
    Thing.COMMENT: glyphs.COMMENTS,
    Thing.PERSON: "@",
}
_VERBS = {
    Thing.BOARD: "opens the board",
    Thing.CARD: "opens the card",
    Thing.SUBTASK: "opens the subtask",
    Thing.COMMENT: "opens the comment",
    Thing.PERSON: "lists their cards",
}
_BEFORE, _NEAR, _EXCERPT = 16, 40, 160
"""A match after so many letters is shown with those just before it; the most that is shown."""


class FindAnywhereDialog(FindDialog[str | Found]):
    """Answers with what to open; of a person the cards are listed instead."""

    frame_class = "-tall"
    least_letters: ClassVar[int] = 0
    """From how many letters on anything is looked for."""

    def __init__(
        self, context: Context, title: str = "Find anywhere", prompt: str = "words  #12  @name"
    ) -> None:
        super().__init__(title, prompt)
        self._store = context.store
        self._now = context.now
        self._findings = Findings(context.preferences.recent(ALL_BOARDS, OPENED), context.now())
        self._matches: dict[str, Found] = {}
        self._has_started = False
        self._is_reading = True
        self._taken: str | None = None

    def on_mount(self) -> None:
        self._start("")

    def typed(self, words: str) -> None:
        self._start(words)
        super().typed(words)

    def _start(self, words: str) -> None:
        if not self._has_started and len(words.strip()) >= self.least_letters:
            self._has_started = True
            self.run_worker(self._read(), group="reading")

    async def _read(self) -> None:
        listed = -_SOME
        async for things in self._store.everything():
            self._findings.add(things)
            if len(self._findings) >= 2 * listed + _SOME:
                listed = len(self._findings)
                self._list_more()
        self._is_reading = False
        self._list_more()
        if self._taken == self.line.value and not self._was_moved:
            self.take()

    @property
    def _was_moved(self) -> bool:
        return self.at != next(filter(None, self._keys), "")

    def _list_more(self) -> None:
        self.list_again(at=self.at if self._was_moved else "")

    def matches(self, words: str) -> list[Row]:
        """What matches, best first; without words what was opened lately."""
        if len(words.strip()) < self.least_letters:
            return []
        self._matches = {item.key: item for item in self._findings.find(words, _MOST)}
        words = words.partition(" ")[2] if words.startswith("@") else words
        return [Row(key, _row(item, words, self._now())) for key, item in self._matches.items()]

    def rows(self, words: str) -> list[Row]:
        none = f"nothing fits “{words}”" if words else "nothing is known yet"
        nothing = Row("", Content(" reading …" if self._is_reading else f" {none}"))
        return self.matches(words) or [nothing]

    def keys_line(self) -> str:
        item = self._matches.get(self.at)
        verb = f"↵ {_VERBS[item.thing]}   " if item is not None else ""
        return f"{verb}{keyed('{dialog.cancel:esc} closes')}"

    def take(self) -> None:
        item = self._matches.get(self.at)
        if self._is_reading and not self._was_moved:
            self._taken = self.line.value  # the best match is known once everything was read
        elif item is not None and item.thing is Thing.PERSON:
            self.line.value = f"@{mention_name(item.people[0])} "
            self.line.cursor_position = len(self.line.value)
        elif item is not None:
            self.dismiss(item)


class Command(NamedTuple):
    """An action in the palette; `reason` is why it is unavailable now, empty if it is available."""

    id: str
    label: str
    key: str = ""
    reason: str = ""


class PaletteDialog(FindAnywhereDialog):
    """Answers with the id of an action, even of one that is unavailable, or with what was found.

    Actions have their keys beside them, or why they are unavailable. Below them is what is found
    elsewhere for the same words.
    """

    least_letters = 2

    def __init__(
        self, commands: Sequence[Command], recent: Sequence[str], context: Context
    ) -> None:
        super().__init__(context, "Actions", "type to find an action, or anything else")
        commands = recent_first(commands, recent, lambda command: command.id)
        self._commands = {command.id: command for command in commands}
        self._index = Index([f"{command.label} {command.id}" for command in commands])

    def rows(self, words: str) -> list[Row]:
        commands = tuple(self._commands.values())
        rows = []
        for command in (commands[index] for index in self._index.rank(words)):
            label, style = marked(f" {command.label}", words), "bold"
            if command.reason:
                label, style = label + Content(f" · {command.reason}"), "$quiet"
                label = label.stylize(style)
            key = Content.styled(f" {command.key} ", style)
            rows.append(Row(command.id, TwoSided(label, key)))
        if matches := self.matches(words):
            rows += [Row("", Content.styled(" Found elsewhere", "bold $quiet")), *matches]
        return rows or [Row("", Content(f" nothing fits “{words}”"))]

    def keys_line(self) -> str:
        command = self._commands.get(self.at)
        if command is None:
            return super().keys_line()
        if command.reason:
            return f"Not available: {command.reason}"
        return f"{keyed('↵ runs it   {dialog.cancel:esc} closes')}   {command.id}"

    def take(self) -> None:
        if self.at in self._commands:
            self.dismiss(self.at)
        else:
            super().take()


def _row(item: Found, words: str, now: datetime) -> TwoSided:
    title = item.title
    if item.thing is Thing.COMMENT or len(title) > _EXCERPT:
        first = next(iter(fold(words).split()), "")
        at = fold(title).find(first)
        start = at - _BEFORE if at > _NEAR else 0
        title = f"{'…' if start else ''}{title[start : start + _EXCERPT]}"
    is_done = item.is_closed and item.thing is Thing.CARD
    sign = glyphs.DONE if is_done else _SIGNS[item.thing]
    left = Content(f" {sign} ") + marked(title or "(no title)", words)
    right = Content.styled(f" {_where(item, now)} ", "$quiet")
    return TwoSided(left.stylize("$quiet") if item.is_archived else left, right)


def _where(item: Found, now: datetime) -> str:
    words = f"archived {item.thing}" if item.is_archived else str(item.thing)
    if item.thing is Thing.COMMENT:
        by = [f"by {author.in_words}" for author in item.people]
        when = []
        if item.at is not None:
            count, unit = age(min(local(item.at), now), now)
            when = [f"{count}{unit[0]}"]
        return " · ".join((" ".join((words, *by)), *when, item.place))
    if item.thing is Thing.PERSON:
        return " · ".join(filter(None, (words, item.place)))
    if item.thing is Thing.BOARD:
        return words
    number = f" #{item.id}" if item.id > 0 else ""
    return f"{words}{number} · {' › '.join(filter(None, (item.board, item.place)))}"
