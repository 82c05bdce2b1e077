"""Multiple-choice dialogs with search: Space toggles a choice, Enter submits all of them.

Toggled choices are kept while the user searches for others. If something was searched for, Enter
also selects the match, but never deselects it; with `enter_toggles` it toggles the match, and the
choice at the cursor if none was toggled before. Where new items can be created by title, Space is
part of the title and ctrl+space toggles the match.

A choice may be mixed: some of the cards have it. Toggling it selects it for all, then for none,
then as it was.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content

from tui.dialogs.base import key_hints
from tui.dialogs.pick.find import Choice, FindDialog, PickRow, labelled, no_one, recent_choices
from tui.model.board import BoardView
from tui.model.colors import color_name
from tui.model.task import Task
from tui.text.cells import cut
from tui.text.fuzzy import Index, fold
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_CREATE = "+"
_MADE = "+:"
_MOST_CELLS = 16
"""The most cells of a label in the text of the keys."""

PickChoice = Choice[str]


class Picked(NamedTuple):
    """The answer: keys of selected choices, and titles of items to create.

    With a `verb` the user asked for another operation on the choice `at`; subclasses define these.
    Choices that are still `mixed` are to stay as they are.
    """

    chosen: frozenset[str]
    created: tuple[str, ...] = ()
    verb: str = ""
    at: str = ""
    mixed: frozenset[str] = frozenset()


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

    Choices with `recent` keys come first. Where the choices are people, and none matches, the list
    says how to `invite` others.
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[PickChoice],
        chosen: frozenset[str],
        *,
        create: str = "",
        created: tuple[str, ...] = (),
        mixed: frozenset[str] = frozenset(),
        enter_toggles: bool = False,
        recent: Sequence[str] = (),
        invite: str = "",
    ) -> None:
        prompt = f"type to find, or a new {create}" if create else "type to find"
        super().__init__(title, prompt, line=PickLine(placeholder=prompt, compact=True))
        choices = recent_choices(choices, recent, str)
        self.choices = {choice.value: choice for choice in choices}
        self._index = Index([f"{choice.label} {choice.hint}" for choice in choices])
        self._chosen = set(chosen)
        self._mixed, self._were_mixed = set(mixed), mixed
        self._enter_toggles = enter_toggles
        self._has_toggled = False
        self._created = list(created)
        self._create, self._invite = create, invite
        self._typed = ""

    def rows(self, words: str) -> list[PickRow]:
        choices = tuple(self.choices.values())
        rows = []
        for choice in (choices[index] for index in self._index.rank(words)):
            box = "[x] " if choice.value in self._chosen else "[ ] "
            if choice.value in self._mixed:
                box = "[-] "
            rows.append(PickRow(choice.value, labelled(box, choice, words)))
        for title in self._created:
            shown = Content.assemble(f"[x] {title}", ("  new", "$quiet"))
            rows.append(PickRow(_MADE + title, shown))
        title = " ".join(words.split())
        titles = (*(choice.label for choice in choices), *self._created)
        if self._create and title and fold(title) not in map(fold, titles):
            rows.append(PickRow(_CREATE, Content(f" +  create {self._create} “{title}”")))
        if rows:
            return rows
        if self._invite:
            return no_one(words, "no one yet", self._invite)
        none = f"no {self._create} yet: type a title" if self._create else "nothing to select"
        return [PickRow("", Content(f" nothing matches “{words}”" if title else f" {none}"))]

    def keys_line(self) -> Content:
        if self.at == _CREATE:
            return key_hints("↵ add   {dialog.cancel:esc} cancel")
        done = key_hints("   ↵ save   {dialog.cancel:esc} cancel")
        if not self.at:
            return done
        choice = self.choices.get(self.at)
        name = cut(choice.label if choice else self.at.removeprefix(_MADE), _MOST_CELLS)
        if (toggled := self._toggled_by_enter) is not None:
            joins = "without" if toggled in self._chosen else "with"
            done = key_hints(
                f"   ↵ save {joins} ", name, key_hints("   {dialog.cancel:esc} cancel")
            )
        toggle = "{pick.toggle-found:ctrl+space}" if self._is_typing else "{pick.toggle:space}"
        verb = "remove" if choice is None or self.at in self._chosen else "select"
        if verb == "select" and self.at in self._were_mixed - self._mixed:
            verb = "reset"
        return key_hints(f"{toggle} {verb} ", name, done)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("pick", "pick_or_type") and self.at in ("", _CREATE):
            return False
        # The action is off, so that the input gets the key and types a blank.
        if action == "pick_or_type" and self._is_typing:
            return False
        return super().check_action(action, parameters)

    def clicked(self) -> None:
        if self.at == _CREATE:
            self.take()
        elif self.at:
            self.action_pick()

    def action_pick(self) -> None:
        at = self.at
        if at.startswith(_MADE):
            self._created.remove(at.removeprefix(_MADE))
        else:
            self._toggle(at)
        self._has_toggled = True
        # Clearing the input lists all choices, from the top; then the cursor returns to this one.
        self.line.clear()
        self.list_again(at=at)

    action_pick_or_type = action_pick

    def typed(self, words: str) -> None:
        # “Create” stays chosen while its title gets longer, even if choices begin to match.
        stays = self.at == _CREATE and words.startswith(self._typed)
        self._typed = words
        self.list_again(at=_CREATE if stays else "")

    def take(self) -> None:
        if self.at == _CREATE:
            self._created.append(" ".join(self.line.value.split()))
        elif (toggled := self._toggled_by_enter) is not None:
            self._toggle(toggled)
        self.dismiss(self.picked())

    def _toggle(self, key: str) -> None:
        if key in self._mixed:
            self._mixed.remove(key)
            self._chosen.add(key)
        elif key in self._chosen:
            self._chosen.remove(key)
        elif key in self._were_mixed:
            self._mixed.add(key)
        else:
            self._chosen.add(key)

    def picked(self, verb: str = "", at: str = "") -> Picked:
        """The answer with what is selected so far."""
        mixed = frozenset(self._mixed)
        return Picked(frozenset(self._chosen), tuple(self._created), verb, at, mixed)

    @property
    def _is_typing(self) -> bool:
        return bool(self._create and self.line.value)

    @property
    def _toggled_by_enter(self) -> str | None:
        """The key of the choice that Enter toggles before it submits; None if it submits only."""
        if self.at not in self.choices:
            return None
        is_searched = bool(self.line.value.strip())
        if self._enter_toggles:
            return self.at if is_searched or not self._has_toggled else None
        return self.at if is_searched and self.at not in self._chosen else None


class PickLabels(PickMany):
    """Asks for the labels of tasks; an answer with a `verb` asks to edit or delete label `at`.

    Each is shown with its colour, also by name, as it may have no title. Toggled labels are kept
    while a label is edited or deleted.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "labels",
        ("edit", "ctrl+r", "want('edit')", "Edit label"),
        ("delete", "ctrl+x", "want('delete')", "Delete label"),
        priority=True,
    )

    def __init__(
        self,
        title: str,
        view: BoardView,
        tasks: Sequence[Task],
        chosen: Iterable[int],
        *,
        created: tuple[str, ...] = (),
        mixed: Iterable[int] = (),
        at: str = "",
        recent: Sequence[str] = (),
    ) -> None:
        labels = {label.id: label for label in view.labels}
        labels |= {label.id: label for task in tasks for label in task.labels}
        choices = []
        for label in labels.values():
            count = sum(any(own.id == label.id for own in task.labels) for task in tasks)
            hint = color_name(label.color) or label.color
            if 0 < count < len(tasks):
                hint = " · ".join(filter(None, (hint, f"on {count} of {len(tasks)}")))
            name = label.title or "(no title)"
            choices.append(PickChoice(str(label.id), name, hint, label.color))
        super().__init__(
            title,
            choices,
            frozenset(map(str, chosen)),
            create="label",
            created=created,
            mixed=frozenset(map(str, mixed)),
            recent=recent,
        )
        self.starts_at = at

    def keys_line(self) -> Content:
        more = "\n{labels.edit:ctrl+r} edit   {labels.delete:ctrl+x} delete"
        return super().keys_line() + key_hints(more if self.at in self.choices else "")

    def action_want(self, verb: str) -> None:
        if self.at in self.choices:
            self.dismiss(self.picked(verb, self.at))
