"""Finds boards, cards, comments and people for what is typed, while all is still being read."""

from datetime import datetime
from typing import Any

from textual.content import Content

from tui.config.preferences import ALL_BOARDS, OPENED
from tui.context import Context
from tui.dialogs.pick.find import FindDialog, Row, marked
from tui.model.find import Findings, Found, Thing
from tui.model.people import mention_name
from tui.text.dates import age, local
from tui.text.fuzzy import fold
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.two_sided import TwoSided

_MOST = 40
"""How many rows are listed at most."""
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


class Finder:
    """Finds things in everything that is known, for the rows of a dialog."""

    def __init__(self, context: Context) -> None:
        self._store = context.store
        self._now = context.now
        self._findings = Findings(context.preferences.recent(ALL_BOARDS, OPENED), context.now())
        self._shown: dict[str, Found] = {}
        self._has_started = False
        self._taken: str | None = None
        self.is_reading = True

    def start(self, dialog: FindDialog[Any]) -> None:
        """Begin to read everything, unless that was begun; the dialog lists what comes."""
        if not self._has_started:
            self._has_started = True
            dialog.run_worker(self._read(dialog), group="reading")

    async def _read(self, dialog: FindDialog[Any]) -> None:
        """Read everything; list it again each time twice as much is known, and at the end."""
        listed = -_SOME
        async for things in self._store.everything():
            self._findings.add(things)
            if len(self._findings) >= 2 * listed + _SOME:
                listed = len(self._findings)
                dialog.list_more()
        self.is_reading = False
        dialog.list_more()
        if self._taken == dialog.words and not dialog.was_moved:
            dialog.take()

    def rows(self, words: str) -> list[Row]:
        self._shown = {one.key: one for one in self._findings.find(words, _MOST)}
        words = words.partition(" ")[2] if words.startswith("@") else words
        return [Row(key, _row(one, words, self._now())) for key, one in self._shown.items()]

    def keys_line(self, key: str) -> str:
        found = self._shown.get(key)
        closes = keyed("{dialog.cancel:esc} closes")
        return closes if found is None else f"↵ {_VERBS[found.thing]}   {closes}"

    def taken(self, dialog: FindDialog[Any]) -> Found | None:
        """What is at the cursor of the dialog; of a person the cards are listed instead.

        The best match is known once everything was read; the dialog is then asked again.
        """
        found = self._shown.get(dialog.at)
        if self.is_reading and not dialog.was_moved:
            self._taken = dialog.words
            return None
        if found is None:
            return None
        if found.thing is not Thing.PERSON:
            return found
        dialog.say(f"@{mention_name(found.people[0])} ")
        return None


class FindAnywhereDialog(FindDialog[Found]):
    """Answers with what to open."""

    frame_class = "-tall"

    def __init__(self, finder: Finder) -> None:
        super().__init__("Find anywhere", "words  #12  @name")
        self._finder = finder

    def on_mount(self) -> None:
        self._finder.start(self)

    def rows(self, words: str) -> list[Row]:
        """What matches, best first; without words what was opened lately."""
        rows = self._finder.rows(words)
        if rows:
            return rows
        if self._finder.is_reading:
            return [Row("", Content(" reading …"))]
        return [Row("", Content(f" nothing fits “{words}”" if words else " nothing is known yet"))]

    def keys_line(self) -> str:
        return self._finder.keys_line(self.at)

    def take(self) -> None:
        """Answer with what is at the cursor, unless that lists something else."""
        found = self._finder.taken(self)
        if found is not None:
            self.dismiss(found)


def _row(one: Found, words: str, now: datetime) -> TwoSided:
    is_long = one.thing is Thing.COMMENT or len(one.title) > _EXCERPT
    title = _excerpt(one.title, words) if is_long else one.title
    sign = glyphs.DONE if one.is_closed and one.thing is Thing.CARD else _SIGNS[one.thing]
    left = Content(f" {sign} ") + marked(title or "(no title)", words)
    right = Content.styled(f" {_where(one, now)} ", "$quiet")
    return TwoSided(left.stylize("$quiet") if one.is_archived else left, right)


def _where(one: Found, now: datetime) -> str:
    """The kind of a thing and where it is, the most important first."""
    words = f"archived {one.thing}" if one.is_archived else str(one.thing)
    if one.thing is Thing.COMMENT:
        by = [f"by {author.in_words}" for author in one.people]
        when = []
        if one.at is not None:
            count, unit = age(min(local(one.at), now), now)
            when = [f"{count}{unit[0]}"]
        return " · ".join((" ".join((words, *by)), *when, one.place))
    if one.thing is Thing.PERSON:
        return " · ".join(filter(None, (words, one.place)))
    if one.thing is Thing.BOARD:
        return words
    number = f" #{one.id}" if one.id > 0 else ""
    return f"{words}{number} · {' › '.join(filter(None, (one.board, one.place)))}"


def _excerpt(text: str, words: str) -> str:
    """A part of a long text, with the first word that was typed."""
    first = next(iter(fold(words).split()), "")
    found = fold(text).find(first)
    start = found - _BEFORE if found > _NEAR else 0
    return f"{'…' if start else ''}{text[start : start + _EXCERPT]}"
