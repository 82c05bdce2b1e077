"""One opened task in memory: its documents, and the model values made of them.

What a reply changed while a request was in flight is newer than the response. A part that was never
fetched, or is not offered, is unknown, which is not the same as empty.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf

from tui.model.detail import DetailPart, SubtaskGroup, TaskDetail
from tui.model.task import Task
from tui.store.cache.board_writer import sections_of
from tui.store.cache.sections import CachedSection, Kind
from tui.store.documents.assemble import Assembler, field_values
from tui.store.documents.assemble_detail import AssembledComments, DetailAssembler
from tui.store.documents.flat import as_known, group_of, thread_of
from tui.store.documents.shapes import Document, object_in
from tui.store.operations.base import ReplyPart

_STATE = 0
_EXPLAINED = frozenset({DetailPart.SUBTASKS, DetailPart.COMMENTS})
"""The parts of which a page says why they could not be read."""
_PAGED: dict[Kind, DetailPart] = {"comment": DetailPart.COMMENTS, "activity": DetailPart.ACTIVITIES}


@dataclass(slots=True, repr=False, eq=False)
class TaskState:
    """The documents of one task by section and id; `known` are the parts that were fetched.

    `whole` are the paged parts (comments, activities) with no older pages left; `missing_reasons`
    says why a part is not available, `problem` why the last fetch failed; `page_sizes` is the
    length of pages, `reached` the newest thread that a page brought: own replies add some above it,
    with a gap below if others did so too; `card_when_fetched` is what the card showed when
    everything was last fetched; `unsaved` are
    the documents that differ from what was last written to the cache file of number `saved_in`;
    `drawn` is the projection of `drawn_from` (card, truth and the outbox's revision), `announced`
    the last one that listeners were notified of.
    """

    board_id: int
    task_id: int
    assembler: Assembler
    document: Document | None = None
    sections: dict[Kind, dict[int, Document]] = field(default_factory=dict)
    known: set[DetailPart] = field(default_factory=set)
    whole: set[DetailPart] = field(default_factory=set)
    missing_reasons: dict[DetailPart, str] = field(default_factory=dict)
    problem: str = ""
    page_sizes: dict[Kind, int] = field(default_factory=dict)
    reached: dict[Kind, int] = field(default_factory=dict)
    touched: set[tuple[Kind, int]] = field(default_factory=set)
    is_task_touched: bool = False
    card_when_fetched: tuple[datetime | None, int] | None = None
    unsaved: set[tuple[Kind, int]] = field(default_factory=set)
    saved_in: int = 0
    comments: AssembledComments = field(default_factory=dict)
    assembled: TaskDetail | None = None
    drawn_from: tuple[Task | None, TaskDetail | None, int] | None = None
    drawn: TaskDetail | None = None
    announced: TaskDetail | None = None

    def of(self, kind: Kind) -> dict[int, Document]:
        """The documents of a section by id."""
        return self.sections.setdefault(kind, {})

    def load(self, document: Document | None, sections: dict[str, list[Document]]) -> None:
        """Load cached documents, where memory has none."""
        self.document = self.document or document
        for kind in ("subtask_group", "subtask", "comment", "field_value", "activity"):
            documents = {int(doc["id"]): doc for doc in sections.get(kind, ())}
            self.sections.setdefault(kind, documents)
        for state in sections.get("state", ()):
            self.known |= {part for part in DetailPart if part in state.get("known", ())}
            self.whole |= {part for part in DetailPart if part in state.get("whole", ())}
            reasons = state.get("why") or {}
            self.missing_reasons |= {part: reasons[part] for part in DetailPart if part in reasons}
            sizes = state.get("page_sizes") or {}
            self.page_sizes = {name: sizes[name] for name in _PAGED if name in sizes}
            reached = state.get("reached") or {}
            self.reached = {name: reached[name] for name in _PAGED if name in reached}
        self.assembled = None

    def known_section(self) -> CachedSection:
        """The state section: what is known about the other sections."""
        state: Document = {
            "id": _STATE,
            "known": sorted(self.known),
            "whole": sorted(self.whole),
            "why": {str(part): reason for part, reason in self.missing_reasons.items()},
            "page_sizes": dict(self.page_sizes),
            "reached": dict(self.reached),
        }
        return CachedSection(self.task_id, "state", _STATE, state)

    def unsaved_writes(self, cache_number: int) -> list[CachedSection]:
        """The documents not in the cache yet; all of them if the cache file was replaced."""
        if self.saved_in != cache_number:
            self.saved_in = cache_number
            self.save_all()
        return [
            CachedSection(self.task_id, kind, id_, self.of(kind).get(id_))
            for kind, id_ in sorted(self.unsaved)
        ]

    def save_all(self) -> None:
        """Mark everything as unsaved: the cache has nothing under this id."""
        for kind, documents in self.sections.items():
            self.unsaved |= {(kind, id_) for id_ in documents}

    def put(self, kind: Kind, document_id: int, document: Document | None) -> CachedSection:
        """Merge a document, or remove it if None; returns the write for the cache."""
        self.touched.add((kind, document_id))
        self.unsaved.add((kind, document_id))
        self.assembled = None
        if document is None:
            self.of(kind).pop(document_id, None)
        else:
            old = self.of(kind).get(document_id, {})
            if kind == "subtask":
                # A short reply may lack the group of a subtask, which is in its `meta`.
                meta = object_in(old.get("meta")) | object_in(document.get("meta"))
                document = {**document, "meta": meta}
            document = self.of(kind)[document_id] = {**old, **document}
        return CachedSection(self.task_id, kind, document_id, document)

    def take(
        self,
        kind: Kind,
        documents: Iterable[Document],
        stays: Callable[[Document], bool] = lambda _: False,
    ) -> None:
        """Replace a section by a complete response, except for documents that `stays` accepts."""
        old = self.of(kind)
        new = {int(doc["id"]): as_known(doc, old.get(int(doc["id"]))) for doc in documents}
        # What a reply changed or created while the request was in flight is newer than the
        # response.
        remaining = {
            id_: document
            for id_, document in old.items()
            if (kind, id_) in self.touched or (id_ not in new and stays(document))
        }
        # What a reply deleted meanwhile may still be in the response.
        deleted = {id_ for where, id_ in self.touched if where == kind and id_ not in old}
        now = {id_: document for id_, document in (new | remaining).items() if id_ not in deleted}
        changed = {id_ for id_, document in now.items() if document is not old.get(id_)}
        changed |= old.keys() - now.keys()
        if changed:
            self.sections[kind] = now
            self.unsaved |= {(kind, id_) for id_ in changed}
            self.assembled = None

    def take_page(
        self, kind: Kind, page: Sequence[Document], *, is_last: bool, below: float
    ) -> int:
        """Merge a page of comments or activities; the newest one if it is `below` nothing.

        It replaces what is below that thread, down to the last one on it, which is returned; 0 if
        nothing is left further down. If the newest page does not reach what pages brought before,
        all that is known is dropped, as there may be a gap in between.
        """
        part, roots = _PAGED[kind], set(map(thread_of, page))
        # The newest page joins what is known if it reaches down to it; otherwise there may be
        # comments in between that were never read.
        is_joined = below < inf or min(roots, default=0) <= self.reached.get(kind, 0)
        end = 0 if is_last or not is_joined else min(roots, default=0)
        self.take(kind, page, lambda doc: not end <= thread_of(doc) < below)
        is_whole = is_last or (is_joined and part in self.whole)
        if is_whole != (part in self.whole):
            self.whole ^= {part}
            self.assembled = None
        self.page_sizes[kind] = max(len(roots), self.page_sizes.get(kind, 0) if is_joined else 0)
        if below == inf:
            self.reached[kind] = max(roots, default=0)
        return end

    def oldest(self, kind: Kind) -> int:
        """The oldest known thread, or activity; 0 for none."""
        return min(map(thread_of, self.of(kind).values()), default=0)

    def next_page(self, kind: Kind) -> int:
        """The number of the page that holds, or follows, the oldest known document."""
        threads = set(map(thread_of, self.of(kind).values()))
        return len(threads) // max(1, self.page_sizes.get(kind, 0)) + 1

    def take_task(self, document: Document) -> None:
        """Replace the document of the task itself."""
        previous, self.document = self.document, {**(self.document or {}), **document}
        if self.document != previous:
            self.assembled = None
        task = self.assembler.task(self.document)
        if task is not None:
            self.card_when_fetched = (task.updated_at, task.comments_count)

    def apply_part(self, part: ReplyPart) -> bool:
        """Merge a part of a reply; returns whether it is about this task."""
        if part.kind == "task":
            return self._apply_task_part(part)
        if part.kind == "label":
            return self._apply_label_part(part)
        if part.task_id != self.task_id:
            return False
        if part.document is None:
            self._drop_children(part)
        for section in sections_of(part):
            self.put(section.kind, section.id, section.document)
        return True

    def _apply_task_part(self, part: ReplyPart) -> bool:
        document, is_subtask = part.document, part.id in self.of("subtask")
        if part.id == self.task_id:
            self.is_task_touched = True
            if document is not None:
                self.take_task(document)
            return True
        parent_id = None if document is None else document.get("parent_id", self.task_id)
        if parent_id == self.task_id and document is not None:
            if is_subtask or "parent_id" in document:
                self.put("subtask", part.id, document)
                return True
        # It is a task of its own now, below another one, or deleted.
        elif is_subtask:
            self.put("subtask", part.id, None)
        return is_subtask

    def _apply_label_part(self, part: ReplyPart) -> bool:
        previous = dict(self.of("subtask"))
        for subtask_id, subtask in previous.items():
            labels = subtask.get("labels") or []
            if any(label.get("id") == part.id for label in labels):
                remaining = [label for label in labels if label.get("id") != part.id]
                new = [] if part.document is None else [part.document]
                self.put("subtask", subtask_id, {"labels": [*remaining, *new]})
        return self.of("subtask") != previous

    def _drop_children(self, gone: ReplyPart) -> None:
        if gone.kind == "subtask_group":
            for subtask_id, subtask in tuple(self.of("subtask").items()):
                if group_of(subtask) == gone.id:
                    self.put("subtask", subtask_id, None)
        if gone.kind == "comment":
            for comment_id, comment in tuple(self.of("comment").items()):
                if comment.get("parent_id") == gone.id:
                    self.put("comment", comment_id, None)

    def mark_missing(self, part: DetailPart, reason: str, *, for_good: bool) -> None:
        """A part is not available; `for_good` if the service's edition does not have it."""
        self.missing_reasons[part] = reason
        if for_good:
            self.known.discard(part)
        self.assembled = None

    def mark_fetched(self, problem: str = "") -> None:
        """A fetch has ended, with a problem or without."""
        if problem != self.problem:
            self.problem, self.assembled = problem, None

    def mark_available(self, part: DetailPart) -> None:
        """A part was fetched."""
        if part not in self.known or part in self.missing_reasons:
            self.assembled = None
        self.missing_reasons.pop(part, None)
        self.known.add(part)

    def detail(self, task: Task | None) -> TaskDetail | None:
        """The detail without pending changes; `task` is the card, if the board has it."""
        if self.assembled is None:
            self.assembled = self._assemble(task)
        if self.assembled is None or task is None:
            return self.assembled
        return replace(self.assembled, task=task)

    def _assemble(self, task: Task | None) -> TaskDetail | None:
        around = DetailAssembler(self.assembler)
        task = (None if self.document is None else self.assembler.task(self.document)) or task
        if task is None:
            return None
        # A task that was not created yet has nothing that is not known here.
        parts = self.known if task.id > 0 else set(DetailPart)
        unread = frozenset[DetailPart]()
        if self.problem:
            unread = _EXPLAINED.difference(parts, self.missing_reasons)
        detail = around.around(task, self.document or {})
        return replace(
            detail,
            groups=self._groups(around) if DetailPart.SUBTASKS in parts else None,
            comments=around.thread(self.of("comment"), self.comments)
            if DetailPart.COMMENTS in parts
            else None,
            values=field_values(self.of("field_value").values())
            if DetailPart.VALUES in parts
            else None,
            activities=around.activities(self.of("activity").values())
            if DetailPart.ACTIVITIES in parts
            else None,
            all_comments=DetailPart.COMMENTS in self.whole or task.id < 0,
            all_activities=DetailPart.ACTIVITIES in self.whole or task.id < 0,
            why=dict.fromkeys(unread, f"not loaded: {self.problem}") | self.missing_reasons,
            unread=unread,
        )

    def _groups(self, around: DetailAssembler) -> tuple[SubtaskGroup, ...]:
        by_group: dict[int, list[Document]] = {group: [] for group in self.of("subtask_group")}
        for subtask in self.of("subtask").values():
            by_group.setdefault(group_of(subtask), []).append(subtask)
        groups = (
            around.group(self.of("subtask_group").get(group_id, {"id": group_id}), subtasks)
            for group_id, subtasks in sorted(by_group.items())
        )
        return tuple(group for group in groups if group is not None)
