"""A search dialog for the place of something: a parent task, a group or a stage.

Where a new place can be created, the typed text is offered as its title below the matches.
"""

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content

from tui.dialogs.pick.find import FindDialog, Row, marked
from tui.text.fuzzy import Index
from tui.text.keyed import keyed

MOST = 60
"""The most places in the list; typing finds the others."""
_NEW = "new"


class PlaceChoice(NamedTuple):
    """A place: its id, its name, and a hint on where it is."""

    key: int
    label: str
    hint: str = ""


class PickedPlace(NamedTuple):
    """The id of the place, or the title of one to create."""

    key: int
    created: str = ""


class PickParent(FindDialog[PickedPlace]):
    """Asks for a place; `create` is what a new one is called (“a new group”), if allowed."""

    def __init__(self, title: str, places: Sequence[PlaceChoice], *, create: str = "") -> None:
        super().__init__(title)
        self._places = tuple(places)
        self._index = Index([place.label for place in places])
        self._create = create

    def rows(self, words: str) -> Sequence[Row]:
        found = [self._places[index] for index in self._index.rank(words)]
        rows = [Row(str(place.key), _shown(place, words)) for place in found[:MOST]]
        if len(found) > MOST:
            more = f" … {len(found) - MOST} more: type to find them"
            rows.append(Row("", Content(more)))
        title = " ".join(words.split())
        if self._create and title and all(place.label != title for place in found):
            rows.append(Row(_NEW, Content(f" + {self._create} “{title}”")))
        elif self._create and not title:
            rows.append(Row("", Content(f" + {self._create}: type its title")))
        if not rows:
            rows.append(Row("", Content(f" nothing fits “{words}”")))
        return rows

    def keys_line(self) -> str:
        return keyed("↵ takes it   {dialog.cancel:esc} cancel")

    def take(self) -> None:
        if self.at == _NEW:
            self.dismiss(PickedPlace(0, " ".join(self.words.split())))
        elif self.at:
            self.dismiss(PickedPlace(int(self.at)))


def _shown(place: PlaceChoice, words: str) -> Content:
    hint = f"  {place.hint}" if place.hint else ""
    label = marked(f" {place.label or '(no title)'}", words)
    return label + Content.styled(hint, "$quiet")
