"""The labels a board offers.

The rule it keeps: a label that is changed is so on every card that has it.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, LabelId
from tui.model.task import Label
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadySo,
    Clear,
    Difference,
    Differs,
    Finding,
    Footing,
    News,
    Nothing,
    Operation,
    Reply,
    Verdict,
)
from tui.store.operations.comparing import found_new, made, said, same_words, settled
from tui.store.operations.ids import About, Creates, Former, new_local_id
from tui.store.operations.label_deletion import TEXT_COLOR, DeleteLabel
from tui.store.operations.labels import label_in_words
from tui.store.operations.looking import label_as_it_is
from tui.store.remote import Remote
from tui.text.clean import line


@dataclass(frozen=True, slots=True)
class CreateLabel(Operation):
    """Offer a new label on a board; colours are hex, `label_id` is a local id."""

    board_id: BoardId
    label_id: Creates[LabelId]
    title: str
    color: str
    text_color: str = TEXT_COLOR

    @classmethod
    def new(cls, board_id: int, title: str, color: str, text_color: str = TEXT_COLOR) -> Self:
        """A label that does not exist yet, under a local id of its own."""
        return cls(board_id, new_local_id(), title, color, text_color)

    @property
    def label(self) -> Label:
        """The label as it will look, to be put on tasks."""
        return Label(self.label_id, line(self.title), self.color)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the label."""
        return view if view.label(self.label_id) is not None else view.with_label(self.label)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        label = await remote.create_label(self.board_id, self.title, self.color, self.text_color)
        return made("label", {**label, "board_id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the board for exactly one new label with our title and colour."""
        return found_new(
            "label", await remote.labels(self.board_id), self._looks_like_ours, footing.newest_id
        )

    def _looks_like_ours(self, label: Document) -> bool:
        return same_words(label.get("title"), self.title) and _same_color(
            label.get("bg_color"), self.color
        )

    def merged_with(self, later: Operation) -> Operation | None:
        """A label that was never sent is made as it is in the end, or not at all."""
        if isinstance(later, EditLabel):
            return replace(self, title=later.title, color=later.color, text_color=later.text_color)
        return Nothing(self.board_id) if isinstance(later, DeleteLabel) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete it."""
        del before, detail
        return (DeleteLabel(self.board_id, self.label, (), self.text_color),)

    def describe(self) -> str:
        """The new label."""
        return f"Add the label {label_in_words(self.label)}"


@dataclass(frozen=True, slots=True)
class EditLabel(Operation):
    """Rename or recolour a label; `old` is what it was, None if that is not known."""

    board_id: BoardId
    label_id: About[LabelId]
    title: str
    color: str
    text_color: str = TEXT_COLOR
    old: Former[Label | None] = None

    @classmethod
    def on(
        cls,
        board_id: int,
        label: Label,
        *,
        title: str | None = None,
        color: str | None = None,
        text_color: str = TEXT_COLOR,
    ) -> Self:
        """Give `label` another title or colour; None leaves either."""
        words = label.title if title is None else title
        return cls(board_id, label.id, words, color or label.color, text_color, label)

    @property
    def keeps_base(self) -> bool:
        """Whether it is known what it was."""
        return self.old is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether it is so already."""
        return self.old is not None and (self.title, self.color) == (
            self.old.title,
            self.old.color,
        )

    @property
    def _label(self) -> Label:
        return Label(self.label_id, line(self.title), self.color)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the label as it is now, on its cards too."""
        return view if view.label(self.label_id) is None else view.with_label(self._label)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send title and colours."""
        del truth
        label = await remote.update_label(
            self.board_id, self.label_id, self.title, self.color, self.text_color
        )
        return said("label", {**label, "board_id": self.board_id})

    async def look(self, remote: Remote) -> Document | None:
        """The label as it is now."""
        return await label_as_it_is(remote, self.board_id, self.label_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare what is read back with ours and with what was known before."""
        now = await self.look(remote)
        before = footing.before
        known = self.old if before is None else None
        was_known = now is not None and (
            (before is not None and _is_label(now, before.get("title"), before.get("bg_color")))
            or (known is not None and _is_label(now, known.title, known.color))
        )
        return settled(
            now,
            News("label", self.label_id, now),
            is_ours=now is not None and _is_label(now, self.title, self.color),
            was_known=was_known,
        )

    def check(self, now: Document) -> Verdict:
        """Title and colour, each three ways."""
        if _is_label(now, self.title, self.color):
            return AlreadySo(said("label", now))
        if self.old is None:
            return Clear()
        values = {
            "title": (self.title, str(now.get("title") or ""), self.old.title),
            "colour": (self.color, str(now.get("bg_color") or ""), self.old.color),
        }
        differing = tuple(
            Difference(name, line(mine), line(theirs), line(base))
            for name, (mine, theirs, base) in values.items()
            if len({mine.casefold(), theirs.casefold(), base.casefold()}) == len(values) + 1
        )
        return Differs(differing) if differing else Clear()

    def on_top_of(self, now: Document) -> Self:
        """The same, whatever it is now."""
        old = Label(self.label_id, str(now.get("title") or ""), str(now.get("bg_color") or ""))
        return replace(self, old=old)

    def merged_with(self, later: Operation) -> Operation | None:
        """Only the last words and colours count, and none for a label that goes."""
        if isinstance(later, EditLabel):
            return replace(later, old=self.old)
        return later if isinstance(later, DeleteLabel) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """What it was."""
        del detail
        label = before.label(self.label_id)
        if label is None:
            return ()
        return (replace(self, title=label.title, color=label.color, old=self._label),)

    def describe(self) -> str:
        """The label and what it becomes."""
        new = label_in_words(self._label)
        if self.old is None:
            return f"Change a label to {new}"
        if self.old.title == self._label.title:
            return f"Recolour the label {label_in_words(self.old)} to {self.color}"
        return f"Rename the label {label_in_words(self.old)} to {new}"


def _is_label(now: Document, title: object, color: object) -> bool:
    return same_words(now.get("title"), title) and _same_color(now.get("bg_color"), color)


def _same_color(one: object, other: object) -> bool:
    return str(one or "").casefold() == str(other or "").casefold()
