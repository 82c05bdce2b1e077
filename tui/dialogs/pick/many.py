"""A multiple-choice dialog with search: Space toggles a choice, Enter submits all of them.

Toggled choices are kept while the user searches for others. If something was searched for, Enter
also selects the match, but never deselects it. Where new items can be created by title, Space is
part of the title and ctrl+space toggles the match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input

from tui.dialogs.pick.find import FindDialog, Row, chip, marked, recent_first, with_recent
from tui.text.cells import cut
from tui.text.fuzzy import Index, fold
from tui.text.keyed import keyed
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_CREATE = "+"
_MADE = "+:"
_MOST_CELLS = 16
"""The most cells of a label in the text of the keys."""


@dataclass(frozen=True, slots=True)
class PickChoice:
    """A choice, identified by `key` in the answer; `color` is as the service sends it."""

    key: str
    label: str
    hint: str = ""
    color: str = ""


class Picked(NamedTuple):
    """The answer: keys of selected choices, and titles of items to create.

    With a `verb` the user asked for another operation on the choice `at`; subclasses define these.
    """

    chosen: frozenset[str]
    created: tuple[str, ...] = ()
    verb: str = ""
    at: str = ""


class PickLine(TextInput):
    """The search input; the dialog handles Space unless it is part of a title."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "pick",
        ("toggle", "space", "screen.pick_or_type", "Select or deselect"),
        ("toggle-found", "ctrl+@,ctrl+space", "screen.pick", "Select or deselect"),
        priority=True,
    )


class PickMany(FindDialog[Picked]):
    """Asks for any number of choices; with `create` (“label”) new ones can be created by title.

    Choices with `recent` keys come first.
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[PickChoice],
        chosen: frozenset[str],
        *,
        create: str = "",
        created: tuple[str, ...] = (),
        recent: Sequence[str] = (),
    ) -> None:
        super().__init__(title, f"type to find, or a new {create}" if create else "type to find")
        choices = [
            replace(one, hint=with_recent(one.hint, is_recent=one.key in recent))
            for one in recent_first(choices, recent, lambda one: one.key)
        ]
        self.choices = {choice.key: choice for choice in choices}
        self._index = Index([f"{choice.label} {choice.hint}" for choice in choices])
        self._chosen = set(chosen)
        self._created = list(created)
        self._create = create
        self._typed = ""

    def line(self) -> Input:
        return PickLine(placeholder=self.placeholder, compact=True)

    def rows(self, words: str) -> list[Row]:
        """The matching choices, the items to create, and the offer to create what was typed."""
        choices = tuple(self.choices.values())
        rows = [
            Row(choices[index].key, self._line(choices[index], words))
            for index in self._index.rank(words)
        ]
        rows += [Row(_MADE + title, _checked(title, "new")) for title in self._created]
        title = " ".join(words.split())
        if self._create and title and not self._exists(title):
            rows.append(Row(_CREATE, Content(f" +  create the {self._create} “{title}”")))
        return rows or [Row("", Content(self._why_none(words)))]

    def keys_line(self) -> str:
        if self.at == _CREATE:
            return keyed("↵ make it and take it   {dialog.cancel:esc} cancel")
        found = self._found()
        more = "" if found is None else f" with {cut(found.label, _MOST_CELLS)}"
        toggle = "{pick.toggle-found:ctrl+space}" if self._is_typing else "{pick.toggle:space}"
        return f"{keyed(toggle)} toggle   ↵ take{more}   {keyed('{dialog.cancel:esc}')} cancel"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Space to the input where it is part of a title."""
        if action in ("pick", "pick_or_type") and self.at in ("", _CREATE):
            return False
        if action == "pick_or_type" and self._is_typing:
            return False
        return super().check_action(action, parameters)

    def clicked(self) -> None:
        """Toggle the choice, or accept the offer to create an item."""
        if self.at == _CREATE:
            self.take()
        elif self.at:
            self.action_pick()

    @property
    def _is_typing(self) -> bool:
        """Whether the input may be the title of a new item."""
        return bool(self._create and self.words)

    def action_pick_or_type(self) -> None:
        """Toggle the choice at the cursor; disabled while a title is typed."""
        self.action_pick()

    def action_pick(self) -> None:
        """Toggle the choice at the cursor, and clear the search."""
        at = self.at
        if at.startswith(_MADE):
            self._created.remove(at.removeprefix(_MADE))
        else:
            self._chosen ^= {at}
        self.query_one(Input).clear()
        self.list_again(at=at)

    def typed(self, words: str) -> None:
        """Update the list; stay on the offer to create an item while its title grows."""
        stays = self.at == _CREATE and words.startswith(self._typed)
        self._typed = words
        self.list_again(at=_CREATE if stays else "")

    def take(self) -> None:
        """Add the match or the new item, and answer."""
        if self.at == _CREATE:
            self._created.append(" ".join(self.words.split()))
        elif (found := self._found()) is not None:
            self._chosen.add(found.key)
        self.dismiss(self.picked())

    def picked(self, verb: str = "", at: str = "") -> Picked:
        """The answer with what is selected so far."""
        return Picked(frozenset(self._chosen), tuple(self._created), verb, at)

    def _why_none(self, words: str) -> str:
        if words.strip():
            return f" nothing fits “{words}”"
        return f" no {self._create} yet: type a title" if self._create else " there is nobody"

    def _found(self) -> PickChoice | None:
        """The match at the cursor, if something was searched for and it is not selected yet."""
        found = self.choices.get(self.at) if self.words.strip() else None
        return None if found is None or found.key in self._chosen else found

    def _exists(self, title: str) -> bool:
        """Whether a choice or a new item has this title already."""
        titles = (*(choice.label for choice in self.choices.values()), *self._created)
        return fold(title) in {fold(one) for one in titles}

    def _line(self, choice: PickChoice, words: str) -> Content:
        line = Content("[x] " if choice.key in self._chosen else "[ ] ")
        if choice.color:
            line += chip(choice.color) + Content(" ")
        line += marked(choice.label, words)
        return line + Content.styled(f"  {choice.hint}", "$quiet") if choice.hint else line


def _checked(title: str, hint: str) -> Content:
    return Content(f"[x] {title}") + Content.styled(f"  {hint}", "$quiet")
