"""One opened task in memory: its documents, and what they look like.

What the service spoke of since a question was asked is newer than the answer to it. What was never
asked for, or is not offered, is not known, which is not the same as empty.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from tui.model.detail import Part, SubtaskGroup, TaskDetail
from tui.model.task import Task
from tui.store.cache.news import sections_of
from tui.store.cache.sections import Kind, Section
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler, MadeComments
from tui.store.documents.flat import as_known, group_of, meta_of, thread_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import News

_STATE = 0
_PAGED: tuple[Kind, ...] = ("comment", "activity")


@dataclass(slots=True)
class TaskState:
    """The documents of one task by section and id; `known` are the parts that were ever read.

    `whole` are those of comments and activities of which no older ones are left at the service;
    `why` says the reason where a part is not there; `page_sizes` is how long pages are;
    `seen` is what the card showed when everything was last asked for;
    `unsaved` is what differs from what the cache was last told, which was number `saved_in`;
    `drawn` is what is drawn on the `ground` of a card, the truth, and the outbox's revision, `told`
    what everyone was told of last.
    """

    board_id: int
    task_id: int
    document: Document | None = None
    sections: dict[Kind, dict[int, Document]] = field(default_factory=dict)
    known: set[Part] = field(default_factory=set)
    whole: set[Part] = field(default_factory=set)
    why: dict[Part, str] = field(default_factory=dict)
    page_sizes: dict[Kind, int] = field(default_factory=dict)
    touched: set[tuple[Kind, int]] = field(default_factory=set)
    seen: tuple[datetime | None, int] | None = None
    unsaved: set[tuple[Kind, int]] = field(default_factory=set)
    saved_in: int = 0
    made: MadeComments = field(default_factory=dict)
    assembled: TaskDetail | None = None
    ground: tuple[Task | None, TaskDetail | None, int] | None = None
    drawn: TaskDetail | None = None
    told: TaskDetail | None = None

    def of(self, kind: Kind) -> dict[int, Document]:
        """The documents of a section by id."""
        return self.sections.setdefault(kind, {})

    def load(self, document: Document | None, sections: dict[str, list[Document]]) -> None:
        """Take what the cache knows, where nothing is known better."""
        self.document = self.document or document
        for kind in ("subtask_group", "subtask", "comment", "field_value", "activity"):
            known = {int(one["id"]): one for one in sections.get(kind, ())}
            self.sections.setdefault(kind, known)
        for state in sections.get("state", ()):
            self.known |= {part for part in Part if part in state.get("known", ())}
            self.whole |= {part for part in Part if part in state.get("whole", ())}
            reasons = state.get("why") or {}
            self.why |= {part: reasons[part] for part in Part if part in reasons}
            sizes = state.get("page_sizes") or {}
            self.page_sizes = {name: sizes[name] for name in _PAGED if name in sizes}
        self.assembled = None

    def known_section(self) -> Section:
        """What is known about the sections, for the cache."""
        state: Document = {
            "id": _STATE,
            "known": sorted(self.known),
            "whole": sorted(self.whole),
            "why": {str(part): reason for part, reason in self.why.items()},
            "page_sizes": dict(self.page_sizes),
        }
        return Section(self.task_id, "state", _STATE, state)

    def unsaved_writes(self, cache_number: int) -> list[Section]:
        """What the cache does not know yet; everything if it is another cache than before."""
        if self.saved_in != cache_number:
            self.saved_in = cache_number
            self.save_all()
        return [
            Section(self.task_id, kind, one, self.of(kind).get(one))
            for kind, one in sorted(self.unsaved)
        ]

    def save_all(self) -> None:
        """The cache knows nothing of this task under its present id."""
        for kind, documents in self.sections.items():
            self.unsaved |= {(kind, one) for one in documents}

    def put(self, kind: Kind, document_id: int, document: Document | None) -> Section:
        """Take news of one thing, merged into what is known of it; returns what to write."""
        self.touched.add((kind, document_id))
        self.unsaved.add((kind, document_id))
        self.assembled = None
        if document is None:
            self.of(kind).pop(document_id, None)
        else:
            old = self.of(kind).get(document_id, {})
            if kind == "subtask":
                document = {**document, "meta": {**meta_of(old), **meta_of(document)}}
            document = self.of(kind)[document_id] = {**old, **document}
        return Section(self.task_id, kind, document_id, document)

    def take(
        self,
        kind: Kind,
        documents: Iterable[Document],
        stays: Callable[[Document], bool] = lambda _: False,
    ) -> None:
        """Take an answer: all there are of a section, but for those that `stays` knows of."""
        old = self.of(kind)
        new = {int(one["id"]): as_known(one, old.get(int(one["id"]))) for one in documents}
        kept = {
            one: document
            for one, document in old.items()
            if (kind, one) in self.touched or (one not in new and stays(document))
        }
        deleted = {one for where, one in self.touched if where == kind and one not in old}
        now = {one: document for one, document in (new | kept).items() if one not in deleted}
        changed = {one for one, document in now.items() if document is not old.get(one)}
        changed |= old.keys() - now.keys()
        if changed:
            self.sections[kind] = now
            self.unsaved |= {(kind, one) for one in changed}
            self.assembled = None

    def take_newest(self, kind: Kind, page: Sequence[Document], *, is_last: bool) -> int:
        """Take the newest page of comments or activities; says how far down it goes.

        Older ones that are known stay, if the page reaches to them; were there a gap, they go.
        """
        part = Part.COMMENTS if kind == "comment" else Part.ACTIVITIES
        roots = {thread_of(document) for document in page}
        known = {thread_of(document) for document in self.of(kind).values()}
        oldest = min(roots, default=0)
        meets = bool(roots & known)
        self.take(kind, page, lambda one: meets and not is_last and thread_of(one) < oldest)
        if is_last or not meets:
            self._set_whole(part, is_whole=is_last)
        known_size = self.page_sizes.get(kind, 0) if meets else 0
        self.page_sizes[kind] = max(known_size, len(roots))
        self.offered(part)
        return oldest

    def oldest(self, kind: Kind) -> int:
        """The oldest thread, or activity, that is known; 0 for none."""
        return min(map(thread_of, self.of(kind).values()), default=0)

    def take_again(self, kind: Kind, page: Sequence[Document], *, below: int, is_last: bool) -> int:
        """Take a page again: all there is below the thread `below`, down to its own end.

        Says how far down it goes; 0 if nothing is left below it.
        """
        end = 0 if is_last else min(map(thread_of, page), default=0)
        self.take(kind, page, lambda one: not end <= thread_of(one) < below)
        if is_last:
            self._set_whole(Part.COMMENTS if kind == "comment" else Part.ACTIVITIES)
        return end

    def take_older(self, kind: Kind, page: Sequence[Document], *, is_last: bool) -> bool:
        """Take an older page; says whether it brought anything."""
        before = len(self.of(kind))
        self.take(kind, page, lambda _: True)
        if is_last:
            self._set_whole(Part.COMMENTS if kind == "comment" else Part.ACTIVITIES)
        return len(self.of(kind)) > before

    def _set_whole(self, part: Part, *, is_whole: bool = True) -> None:
        if is_whole != (part in self.whole):
            self.whole ^= {part}
            self.assembled = None

    def next_page(self, kind: Kind) -> int:
        """The page that the oldest known one is on, or would follow."""
        known = {thread_of(document) for document in self.of(kind).values()}
        return len(known) // max(1, self.page_sizes.get(kind, 0)) + 1

    def take_task(self, document: Document, assembler: Assembler) -> None:
        """Take the task itself as the service just said it."""
        known, self.document = self.document, {**(self.document or {}), **document}
        if self.document != known:
            self.assembled = None
        task = assembler.task(self.document)
        if task is not None:
            self.seen = (task.updated_at, task.comments_count)

    def take_news(self, news: News, assembler: Assembler) -> bool:
        """Take what the service said in passing; says whether it is about this task."""
        if news.kind == "task":
            return self._take_task_news(news, assembler)
        if news.kind == "label":
            return self._take_label_news(news)
        if news.task_id != self.task_id:
            return False
        if news.document is None:
            self._drop_what_is_below(news)
        for section in sections_of([news]):
            self.put(section.kind, section.id, section.document)
        return True

    def _take_task_news(self, news: News, assembler: Assembler) -> bool:
        document, is_subtask = news.document, news.id in self.of("subtask")
        if news.id == self.task_id:
            if document is not None:
                self.take_task(document, assembler)
            return True
        parent_id = None if document is None else document.get("parent_id", self.task_id)
        if parent_id == self.task_id and document is not None:
            if is_subtask or "parent_id" in document:
                self.put("subtask", news.id, document)
                return True
        elif is_subtask:
            self.put("subtask", news.id, None)
        return is_subtask

    def _take_label_news(self, news: News) -> bool:
        """A label is as it is now on every subtask, or on none."""
        before = dict(self.of("subtask"))
        for one, subtask in before.items():
            labels = subtask.get("labels") or []
            if any(label.get("id") == news.id for label in labels):
                others = [label for label in labels if label.get("id") != news.id]
                new = [] if news.document is None else [news.document]
                self.put("subtask", one, {"labels": [*others, *new]})
        return self.of("subtask") != before

    def _drop_what_is_below(self, gone: News) -> None:
        """A group goes with its subtasks, a comment with its replies."""
        if gone.kind == "subtask_group":
            for one, subtask in tuple(self.of("subtask").items()):
                if group_of(subtask) == gone.id:
                    self.put("subtask", one, None)
        if gone.kind == "comment":
            for one, comment in tuple(self.of("comment").items()):
                if comment.get("parent_id") == gone.id:
                    self.put("comment", one, None)

    def missing(self, part: Part, reason: str, *, for_good: bool) -> None:
        """A part cannot be had; `for_good` says that the service's edition does not have it."""
        self.why[part] = reason
        if for_good:
            self.known.discard(part)
        self.assembled = None

    def offered(self, part: Part) -> None:
        """A part was read."""
        if part not in self.known or part in self.why:
            self.assembled = None
        self.why.pop(part, None)
        self.known.add(part)

    def detail(self, task: Task | None, assembler: Assembler) -> TaskDetail | None:
        """The detail as the service last said it; `task` is the card, where the board has it."""
        if self.assembled is None:
            self.assembled = self._assemble(task, assembler)
        if self.assembled is None or task is None:
            return self.assembled
        return replace(self.assembled, task=task)

    def _assemble(self, task: Task | None, assembler: Assembler) -> TaskDetail | None:
        around = DetailAssembler(assembler)
        task = (None if self.document is None else assembler.task(self.document)) or task
        if task is None:
            return None
        known = self.known if task.id > 0 else set(Part)
        detail = around.around(task, self.document or {})
        return replace(
            detail,
            groups=self._groups(around) if Part.SUBTASKS in known else None,
            comments=around.thread(self.of("comment"), self.made)
            if Part.COMMENTS in known
            else None,
            values=around.values(self.of("field_value").values()) if Part.VALUES in known else None,
            activities=around.activities(self.of("activity").values())
            if Part.ACTIVITIES in known
            else None,
            all_comments=Part.COMMENTS in self.whole or task.id < 0,
            all_activities=Part.ACTIVITIES in self.whole or task.id < 0,
            why=dict(self.why),
        )

    def _groups(self, around: DetailAssembler) -> tuple[SubtaskGroup, ...]:
        by_group: dict[int, list[Document]] = {group: [] for group in self.of("subtask_group")}
        for subtask in self.of("subtask").values():
            by_group.setdefault(group_of(subtask), []).append(subtask)
        made = (
            around.group(self.of("subtask_group").get(group_id, {"id": group_id}), subtasks)
            for group_id, subtasks in sorted(by_group.items())
        )
        return tuple(group for group in made if group is not None)
