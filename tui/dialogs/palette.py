"""Finding actions, cards, comments, boards and people by words: the palette, and find anywhere.

Results are listed while the store is still being read.
"""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import ClassVar

from textual.content import Content

from tui.config.preferences import ALL_BOARDS, OPENED
from tui.context import Context
from tui.dialogs.base import key_hints
from tui.dialogs.commands import ASKS, Command, by_concern, distance_of
from tui.dialogs.one_line import OneLine, TwoSided
from tui.dialogs.pick.find import FindDialog, PickRow, marked
from tui.model.find import FindIndex, Found, Thing
from tui.model.people import mention_name
from tui.text.clean import counted
from tui.text.dates import age, local, relative
from tui.text.fuzzy import Index, fold
from tui.text.keyed import keyed

_MOST, _MOST_BESIDE = 40, 8
"""How many things are listed at most: of all, and of one group beside others."""
_MOST_ACTIONS, _MOST_RECENT = 5, 5
"""How many actions are listed below what is found, and how many used ones below the matches."""
_SOME = 100
_GROUPS = {
    Thing.CARD: "Cards",
    Thing.SUBTASK: "Subtasks",
    Thing.COMMENT: "Comments",
    Thing.BOARD: "Boards and people",
    Thing.PERSON: "Boards and people",
}
_BEFORE, _NEAR, _EXCERPT = 16, 40, 160
"""A match further on than `_NEAR` letters is shown with `_BEFORE` letters before it; an excerpt
has at most `_EXCERPT`."""
_HIGH = 30
"""From so many rows of the terminal on there is a blank row between groups."""
_WIDE = 50
"""From this width of a row on it says where something is."""
_END, _PLACE = 9, 28
"""The cells of what is at the end of a row, and of the place before it at most."""
_BY_DISTANCE, _ASKING = (8, 4, 3, 2, 1, 0), 2
"""Bonuses to the score of an action by what it concerns, and of one that opens a dialog."""
_MORE = "more "
"""The prefix of the key of a row that lists the rest of a group."""
_NARROW = 60
"""Below this width of the terminal the last line names keys alone."""


class FoundLine(OneLine):
    """A row: its number if it can have one, title, place or reason, and what is at the end.

    The place stands at the left of its column, the reason of a row without a number at the right.
    """

    def __init__(
        self, title: Content, place: Content, end: Content, *, number: str | None = None
    ) -> None:
        self._title = title
        self._place = place.stylize_before("$quiet")
        self._end = end
        self._number = number

    def line(self, width: int) -> Content:
        if width < _WIDE:
            number = f" {self._number} " if self._number else " "
            return TwoSided(Content.styled(number, "$quiet") + self._title, self._end).line(width)
        number = " " if self._number is None else f"{self._number:>5}  "
        end = self._end.pad_left(max(0, _END - self._end.cell_length))
        room = min(_PLACE, width * 3 // 10) + _END - end.cell_length if self._place else 0
        place = self._place.truncate(room, ellipsis=True)
        padding = room - place.cell_length
        place = place.pad_left(padding) if self._number is None else place.pad_right(padding)
        left = Content.styled(number, "$quiet") + self._title
        left = left.truncate(width - room - end.cell_length - 2, ellipsis=True)
        return left.pad_right(width - room - end.cell_length - left.cell_length) + place + end


class FindAnywhereDialog(FindDialog[str | Found]):
    """Answers with what to open or the id of an action; choosing a person lists their cards.

    A group beside others shows its best matches, and lists the rest when asked.
    """

    frame_class = "-tall -wide"
    heading: ClassVar[str] = "Find anywhere"
    prompt: ClassVar[str] = "#12  @name  words"
    least_letters: ClassVar[int] = 0
    """How many letters must be typed before anything but actions is searched."""
    ways: ClassVar[str] = "{find.up:↑}{find.down:↓} choose   "
    """The hints between the first key and the last of the line at the bottom."""

    def __init__(
        self, commands: Sequence[Command], recent: Sequence[str], context: Context, about: str = ""
    ) -> None:
        super().__init__(self.heading, self.prompt)
        self.recent = recent
        self.commands = {command.id: command for command in commands}
        self.about = about
        self._store = context.store
        self._now = context.now
        self._findings = FindIndex(context.preferences.recent(ALL_BOARDS, OPENED), context.now())
        self._matches: dict[str, Found] = {}
        self._count = 0
        self._whole = ""
        names = [f"{command.label} {command.id}" for command in commands]
        self._index = Index(names, [command.words for command in commands])
        self._bonus = [
            _BY_DISTANCE[distance_of(command.id)] + _ASKING * command.label.endswith(ASKS)
            for command in commands
        ]
        self._has_started = False
        self._is_reading = True

    def on_mount(self) -> None:
        # This runs before `on_mount` of the base, so that the first list says that it is reading.
        self._start("")

    def typed(self, words: str) -> None:
        self._whole = ""
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
            # List again each time the number has doubled: every listing ranks all of them.
            if len(self._findings) >= 2 * listed + _SOME:
                listed = len(self._findings)
                self._list_more()
        self._is_reading = False
        self._list_more()
        self.matches_found()

    @property
    def lacks_matches(self) -> bool:
        return self._has_started and self._is_reading and not self.was_moved

    @property
    def was_moved(self) -> bool:
        """Whether the cursor is not on the best match."""
        return self.at != next(filter(None, self._keys), "")

    def _list_more(self) -> None:
        # The cursor stays with the best match unless the user has moved it.
        self.list_again(at=self.at if self.was_moved else "")

    def ranked(self, words: str) -> list[Command]:
        """The actions that match, best first; those that are unavailable come last."""
        commands = tuple(self.commands.values())
        ranked = self._index.together(words, self._index.rank(words, self._bonus))
        return sorted((commands[at] for at in ranked), key=lambda command: bool(command.reason))

    def found(self, words: str) -> dict[str, list[PickRow]]:
        """What matches, by group; without words what was opened or changed last."""
        self._matches = {}
        if len(words.strip()) < self.least_letters:
            return {}
        results = self._findings.find(words, None if words.strip() else _MOST, is_strict=True)
        self._count = len(results)
        items: dict[str, list[Found]] = {group: [] for group in _GROUPS.values()}
        for item in results:
            group = _GROUPS[item.thing]
            if not words.strip():
                group = "Recently opened" if self._findings.was_opened(item) else "Recently changed"
            items.setdefault(group, []).append(item)
        is_beside = bool(words.strip()) and sum(map(bool, items.values())) > 1
        searched = words.partition(" ")[2] if words.startswith("@") else words
        groups = {}
        for group, matches in items.items():
            is_cut = is_beside and len(matches) > _MOST_BESIDE and group != self._whole
            shown = matches[: _MOST_BESIDE if is_cut else _MOST]
            self._matches |= {item.key: item for item in shown}
            groups[group] = [PickRow(item.key, self._row(item, searched)) for item in shown]
            if is_cut:
                more = Content.styled(f"… {len(matches) - len(shown)} more", "$quiet")
                line = FoundLine(more, Content(), Content(), number="")
                groups[group].append(PickRow(f"{_MORE}{group}", line))
        return groups

    def groups(self, words: str) -> Mapping[str, Iterable[PickRow]]:
        """The rows by the headings of their groups."""
        groups = self.found(words)
        parts = fold(words).split()
        actions = [
            command
            for command in (self.ranked(words) if parts else ())
            if all(part in fold(f"{command.label} {command.words}") for part in parts)
        ]
        count = self._count + len(actions)
        context = f"{count} found" if words.strip() and count else ""
        self.say_context("reading …" if self._is_reading else context)
        shown = (
            PickRow(
                command.id,
                FoundLine(_label(command, words), Content(command.key), Content(), number=""),
            )
            for command in actions[:_MOST_ACTIONS]
        )
        return {**groups, "Actions": shown}

    def rows(self, words: str) -> list[PickRow]:
        rows: list[PickRow] = []
        for heading, group in self.groups(words).items():
            if shown := list(group):
                if rows and self.app.size.height >= _HIGH:
                    rows.append(PickRow("", Content()))
                if heading:
                    rows.append(PickRow("", Content.styled(heading, "$quiet")))
                rows += shown
        return rows or [PickRow("", line) for line in self._nothing(words)]

    def _nothing(self, words: str) -> list[Content]:
        if self._is_reading and self._has_started:
            return [Content("reading …")]
        if not words.strip():
            return [Content("nothing here yet")]
        counts = [counted(len(self.commands), "action")]
        counts += [
            f"{count} people" if thing is Thing.PERSON and count > 1 else counted(count, str(thing))
            for thing in _GROUPS
            if (count := self._findings.count[thing])
        ]
        explained = (
            f"Searched: {', '.join(counts)}.",
            "Type fewer letters to find more. Words match in any order.",
            "#12 finds a card by number, @name a person’s cards.",
            "Not searched: descriptions (use {board.filter:/} on a board).",
            "Not searched: help (use {app.help:?}).",
            "Not searched: boards never opened here ({go.boards:g b} to list them).",
        )
        width = max(20, min(self.app.size.width, 96) - 10)
        lines = [line for text in explained for line in wrap(keyed(text), width)]
        nothing = Content.styled(f"No results for “{words}”", "bold $foreground")
        return [nothing, Content(), *(Content.styled(line, "$quiet") for line in lines)]

    def keys_line(self) -> TwoSided:
        command, item = self.commands.get(self.at), self._matches.get(self.at)
        if command is not None and command.reason:
            return TwoSided(Content(f"Not available: {command.reason}"), Content())
        verb = "↵ run   " if command is not None else "↵ open   " if item is not None else ""
        if item is not None and item.thing is Thing.PERSON:
            verb = "↵ open cards   "
        elif self.at.startswith(_MORE):
            verb = "↵ open list   "
        ways = self.ways if self.at else ""
        keys = key_hints(f"{verb}{ways}{{dialog.cancel:esc}} close")
        if command is None and self.app.size.width >= _NARROW:
            keys += f"    {FindAnywhereDialog.prompt}"
        return TwoSided(keys, Content("" if command is None else command.id))

    def take(self) -> None:
        item = self._matches.get(self.at)
        if self.at.startswith(_MORE):
            self._whole, last = self.at.removeprefix(_MORE), self._keys.index(self.at) - 1
            self.list_again(at=self._keys[last])
        elif self.at in self.commands:
            self.dismiss(self.at)
        elif item is not None and item.thing is Thing.PERSON:
            self.line.value = f"@{mention_name(item.people[0])} "
            self.line.cursor_position = len(self.line.value)
        elif item is not None:
            self.dismiss(item)

    def _row(self, item: Found, words: str) -> FoundLine:
        title = item.title
        if item.thing is Thing.COMMENT or len(title) > _EXCERPT:
            first = next(iter(fold(words).split()), "")
            at = fold(title).find(first)
            start = at - _BEFORE if at > _NEAR else 0
            title = f"{'…' if start else ''}{title[start : start + _EXCERPT]}"
        shown = marked(title or "(no title)", words)
        number = item.task_id if item.thing is Thing.COMMENT else item.id
        place = Content(" › ".join(filter(None, (item.board, item.place))))
        if item.thing is Thing.COMMENT:
            by = ", ".join(mention_name(author) for author in item.people)
            shown = Content.styled(f"{by}: " if by else "", "$quiet") + shown
        elif item.thing is Thing.PERSON:
            number, login = 0, item.people[0].login
            if login not in ("", item.title):
                shown, place = marked(f"@{login}", words), shown
        elif item.thing is Thing.BOARD:
            number, place = 0, Content("board")
        if item.is_closed or item.is_archived:
            shown = shown.stylize("$quiet")
        named = f"#{number}" if number > 0 else ""
        return FoundLine(shown, place, self._end(item), number=named)

    def _end(self, item: Found) -> Content:
        now = self._now()
        if item.is_archived or item.is_closed:
            return Content.styled("archived" if item.is_archived else "closed", "$quiet")
        if item.thing in (Thing.BOARD, Thing.PERSON):
            count = 0 if self._is_reading else self._findings.count_open[item.key]
            return Content.styled(f"{count} open" if count else "", "$quiet")
        if item.thing is Thing.COMMENT:
            count, unit = (0, "") if item.at is None else age(min(local(item.at), now), now)
            return Content.styled(f"{count}{unit[0]} ago" if count else "", "$quiet")
        if item.due_at is None:
            return Content()
        is_late = item.due_at < now
        return Content.styled(relative(item.due_at, now), "bold $refused" if is_late else "$quiet")


class PaletteDialog(FindAnywhereDialog):
    """Answers with the id of an action, even of one that is unavailable, or with what was found.

    Actions have their keys beside them, and why they are unavailable. `about` are the cards that
    they are done to, in words.
    """

    frame_class = "-tall"
    heading = "Actions"
    prompt = "type to find an action, or anything else"
    ways = ""
    least_letters = 2

    def on_mount(self) -> None:
        if self.about:
            self.say_context(f"on {self.about}")

    def groups(self, words: str) -> Mapping[str, Iterable[PickRow]]:
        matches = self.ranked(words)
        used = [self.commands[name] for name in self.recent if name in self.commands]
        if not words.strip():
            recent = used[:_MOST_RECENT]
            concerns = by_concern(command for command in matches if command not in recent)
            return {
                heading: [_action(command, words) for command in commands]
                for heading, commands in {"Recently used": recent, **concerns}.items()
            }
        groups = {"": [_action(command, words) for command in matches], **self.found(words)}
        if any(groups.values()):
            further = [command for command in used if command not in matches and not command.reason]
            groups["Recently used"] = [_action(command, "") for command in further[:_MOST_RECENT]]
        return groups

    @property
    def lacks_matches(self) -> bool:
        # Actions come first and are all known, so that Enter takes one at once.
        return super().lacks_matches and self.at not in self.commands


def _label(command: Command, words: str) -> Content:
    label = marked(command.label, words)
    return label.stylize("$quiet") if command.reason else label


def _action(command: Command, words: str) -> PickRow:
    key = Content.styled(command.key, "$quiet" if command.reason else "bold $primary")
    return PickRow(command.id, FoundLine(_label(command, words), Content(command.short), key))
