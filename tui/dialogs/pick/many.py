"""Asks for several of many: people, labels; found by typing, toggled by Space, taken by Enter.

Nothing is taken before Enter, and what was toggled stays so while something else is looked for.
Enter also takes what one has just looked for, but never takes anything away. Where titles of new
things are typed Space is a part of them, and ctrl+space toggles what was found.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input

from tui.dialogs.pick.find import FindDialog, Row, chip, marked, recent_first, with_recent
from tui.text.cells import cut
from tui.text.fuzzy import Index, fold

_CREATE = "+"
_MADE = "+:"
_BESIDE = 16
"""So many cells of a name are said beside a key."""


@dataclass(frozen=True, slots=True)
class PickChoice:
    """One thing to pick, answered by its key; `color` is its own, as the service says it."""

    key: str
    label: str
    hint: str = ""
    color: str = ""


class Picked(NamedTuple):
    """What is picked: the keys of choices, and the titles of what is to be made.

    `verb` names what else is wanted, of the choice `at`, by dialogs that offer more than picking.
    """

    chosen: frozenset[str]
    created: tuple[str, ...] = ()
    verb: str = ""
    at: str = ""


class PickLine(Input):
    """The line to find with; its Space is the dialog's, unless that has no use for it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "space", "screen.pick_or_type", "toggle", id="pick.toggle", priority=True,
            tooltip="Select or deselect",
        ),
        Binding(
            "ctrl+@,ctrl+space", "screen.pick", "toggle", id="pick.toggle-found", priority=True,
            show=False, tooltip="Select or deselect",
        ),
    ]  # fmt: skip


class PickMany(FindDialog[Picked]):
    """Asks for any number of choices; with `create` (“label”) new ones can be made by title.

    The `recent` ones come first.
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
        """The line to find with."""
        return PickLine(placeholder=self.placeholder, compact=True)

    def rows(self, words: str) -> list[Row]:
        """The choices that fit, what is to be made, and the offer to make what was typed."""
        choices = tuple(self.choices.values())
        rows = [
            Row(choices[index].key, self._line(choices[index], words))
            for index in self._index.rank(words)
        ]
        rows += [Row(_MADE + title, _checked(title, "new")) for title in self._created]
        title = " ".join(words.split())
        if self._create and title and not self._is_there(title):
            rows.append(Row(_CREATE, Content(f" +  create the {self._create} “{title}”")))
        return rows or [Row("", Content(self._why_none(words)))]

    def keys_line(self) -> str:
        """What Space and Enter do on the line of the cursor."""
        if self.at == _CREATE:
            return "↵ make it and take it   esc cancel"
        also = self._also()
        more = "" if also is None else f" with {cut(also.label, _BESIDE)}"
        toggle = "ctrl+space" if self._is_typing else "space"
        return f"{toggle} toggle   ↵ take{more}   esc cancel"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A blank in what is to be made is a blank, and toggles nothing."""
        if action in ("pick", "pick_or_type") and self.at in ("", _CREATE):
            return False
        if action == "pick_or_type" and self._is_typing:
            return False
        return super().check_action(action, parameters)

    def clicked(self) -> None:
        """A click toggles, or starts to make what is offered to be made."""
        if self.at == _CREATE:
            self.take()
        elif self.at:
            self.action_pick()

    @property
    def _is_typing(self) -> bool:
        """Whether what is typed may become the title of something new."""
        return bool(self._create and self.words)

    def action_pick_or_type(self) -> None:
        """Pick what the cursor is on; not done while a title is typed."""
        self.action_pick()

    def action_pick(self) -> None:
        """Pick what the cursor is on, or no longer; then all is listed again."""
        at = self.at
        if at.startswith(_MADE):
            self._created.remove(at.removeprefix(_MADE))
        else:
            self._chosen ^= {at}
        self._look_for_more(at)

    def typed(self, words: str) -> None:
        """List what fits so far; who types what is to be made goes on typing it."""
        goes_on = self.at == _CREATE and words.startswith(self._typed)
        self._typed = words
        self.list_again(at=_CREATE if goes_on else "")

    def take(self) -> None:
        """Answer with everything that is picked."""
        if self.at == _CREATE:
            self._created.append(" ".join(self.words.split()))
        elif (also := self._also()) is not None:
            self._chosen.add(also.key)
        self.dismiss(self.picked())

    def picked(self, verb: str = "", at: str = "") -> Picked:
        """What is picked so far."""
        return Picked(frozenset(self._chosen), tuple(self._created), verb, at)

    def _look_for_more(self, at: str) -> None:
        """Forget what was typed, and stay on the line that was toggled."""
        typed = self.query_one(Input)
        with typed.prevent(Input.Changed):
            typed.clear()
        self._typed = ""
        self.list_again(at=at)

    def _why_none(self, words: str) -> str:
        """Why nothing is listed."""
        if words.strip():
            return f" nothing fits “{words}”"
        return f" no {self._create} yet: type a title" if self._create else " there is nobody"

    def _also(self) -> PickChoice | None:
        """What was looked for and is not picked yet."""
        found = self.choices.get(self.at) if self.words.strip() else None
        return None if found is None or found.key in self._chosen else found

    def _is_there(self, title: str) -> bool:
        """Whether something has this title already."""
        titles = (*(choice.label for choice in self.choices.values()), *self._created)
        return fold(title) in {fold(one) for one in titles}

    def _line(self, choice: PickChoice, words: str) -> Content:
        """A line of the list."""
        line = Content("[x] " if choice.key in self._chosen else "[ ] ")
        if choice.color:
            line += chip(choice.color) + Content(" ")
        line += marked(choice.label, words)
        return line + Content.styled(f"  {choice.hint}", "dim") if choice.hint else line


def _checked(title: str, hint: str) -> Content:
    return Content(f"[x] {title}") + Content.styled(f"  {hint}", "dim")
