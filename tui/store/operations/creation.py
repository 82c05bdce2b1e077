"""The base of operations that create something, which has a local id until they are accepted."""

from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import ClassVar, TypeAlias

from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import Baseline, Finding, Nothing, Operation, Reply, ReplyPart
from tui.store.operations.edit import Edit
from tui.store.reading import fetch_all
from tui.store.remote import Remote

Absorbed: TypeAlias = Mapping[str, Mapping[str, Callable[[str], object]]]
"""Fields of an `Edit` by name: for each of its texts, the attribute it becomes, and a parser."""


@record
class Creation(Operation, ABC):
    """Creates its subject. Edits that wait behind it become part of it, if it `absorbs` them."""

    absorbs: ClassVar[Absorbed] = {}

    @property
    def creates(self) -> int | None:
        return self.subject.id

    def reply_created(self, document: Document, *more: ReplyPart) -> Reply:
        """A reply with the document of what was created."""
        kind, new = self.subject.kind, int(document["id"])
        return Reply(new, (ReplyPart(kind, new, self._placed(document), self._parent_id), *more))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # It is newer than everything known before, and equals what was sent.
        present = fetch_all(remote, self.subject.kind, self.board_id, self._parent_id)
        return self.find_created([doc async for doc in present], baseline)

    def find_created(self, present: Iterable[Document], baseline: Baseline) -> Finding:
        """Whether it is among these documents; two matches leave it unclear."""
        new = [doc for doc in present if int(doc["id"]) > baseline.newest_id and self.is_mine(doc)]
        if len(new) != 1:
            return Finding(done=None if new else False)
        return Finding(True, self.reply_created(new[0]))

    def is_mine(self, document: Document) -> bool:
        """Whether a new document equals what this creates."""
        raise NotImplementedError

    def may_be_taken_for(self, other: Operation) -> bool:
        return (
            isinstance(other, Creation)
            and other.subject.kind == self.subject.kind
            and other._parent_id == self._parent_id  # noqa: SLF001  of the same class
        )

    def merged_with(self, later: Operation) -> Operation | None:
        # What was never sent need not be deleted either.
        if later.removes_subject:
            return Nothing(self.board_id)
        if not isinstance(later, Edit) or not isinstance(later.field, str):
            return None
        attributes = self.absorbs.get(later.field)
        if attributes is None:
            return None
        texts = zip(attributes.items(), later.value, strict=False)
        new = {name: parse(text) for (name, parse), text in texts if text is not None}
        return replace(self, **new)
