"""The list of a board's tasks put into the cache, noting what is different from before.

The rule it keeps: what is compared is what the cache had when the list came, so that a change of
the person's own, which the cache learnt from its reply, is never taken for somebody else's. It runs
on the disk's thread, because a whole board may have changed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tui.model.news import NewsKind
from tui.store.cache.file import Cache
from tui.store.cache.revisions import Asked
from tui.store.documents.assemble import wall_clock
from tui.store.documents.shapes import Document
from tui.store.polling import is_same

_COUNTED = {
    NewsKind.SUBTASKS: ("subtask_count", "subtask_completed_count"),
    NewsKind.FILES: ("attachment_count",),
}
COUNTS = frozenset({NewsKind.COMMENTED, NewsKind.SUBTASKS, NewsKind.FILES})
"""What changes of a card when something is done to what belongs to it."""


class Exchanged(NamedTuple):
    """A task as the service says it now, or said it before it was gone, and what differs.

    `kinds` are in the order of what matters most.
    """

    document: Document
    kinds: tuple[NewsKind, ...]

    @property
    def task_id(self) -> int:
        """The id of the task."""
        return int(self.document["id"])


def put_tasks(cache: Cache, tasks: Sequence[Document], asked: Asked) -> list[Exchanged]:
    """Keep these tasks as they are, and tell which differ in what a person would care about."""
    changed = cache.put_tasks(tasks, asked)
    before = cache.replaced
    exchanged = []
    for task in changed:
        body = before.get(task["id"])
        kinds = differences(None if body is None else json.loads(body), task)
        if kinds:
            exchanged.append(Exchanged(task, kinds))
    return exchanged


def put_frame(cache: Cache, frame: Document, *, with_tasks: bool) -> Document:
    """Keep a board; its tasks follow its labels unless they come with it. Returns what is kept.

    The list calls it as it is called itself from then on.
    """
    before = cache.board(int(frame["id"])) or {}
    kept = {name: value for name, value in frame.items() if name != "synced_at"}
    cache.put_board(kept)
    if not with_tasks:
        relabel(cache, int(frame["id"]), before.get("labels") or (), kept.get("labels") or ())
    if "title" in frame:
        cache.put_board_summary({"id": frame["id"], "title": frame["title"]})
    return kept


def relabel(
    cache: Cache, board_id: int, before: Iterable[Document], now: Iterable[Document]
) -> None:
    """Have the tasks of a board follow its labels."""
    present = {one["id"]: one for one in now}
    changed = {one["id"]: present.get(one["id"]) for one in before if present.get(one["id"]) != one}
    if changed:
        cache.relabel(board_id, changed)


def new_or_changed(cache: Cache, tasks: Iterable[Document]) -> list[Document]:
    """Those of the tasks that news tell of which are not kept as they are told.

    A subtask is no card, and is only told of if it was one.
    """
    found = []
    for task in tasks:
        known = cache.task(int(task["id"]))
        is_card = not task.get("parent_id") or known is not None
        if is_card and not is_same(known, task):
            found.append(task)
    return found


def merge_tasks(cache: Cache, tasks: Iterable[Document], asked: Asked) -> list[Exchanged]:
    """Keep what news tell of tasks, on top of what is known, and tell what differs."""
    merged = [{**(cache.task(int(task["id"])) or {}), **task} for task in tasks]
    return put_tasks(cache, merged, asked)


def forget_tasks(cache: Cache, task_ids: Iterable[int], asked: Asked) -> list[Exchanged]:
    """Forget tasks that are gone, and tell what they were."""
    return [Exchanged(task, (NewsKind.GONE,)) for task in cache.forget_tasks(task_ids, asked)]


def differences(before: Document | None, now: Document) -> tuple[NewsKind, ...]:
    """What differs between a task before and now, the most important first.

    Positions do not count: a service writes them anew for every card of a stage when one moves.
    """
    was_card = before is not None and _is_card(before)
    if not _is_card(now):
        return (NewsKind.GONE,) if was_card else ()
    if before is None or not was_card:
        return (NewsKind.NEW,)
    return (*_changes(before, now), *_counts_that_differ(before, now))


def _changes(before: Document, now: Document) -> Iterator[NewsKind]:
    if _differ(before, now, "stage_id"):
        yield NewsKind.MOVED
    if _differ(before, now, "status"):
        is_closed = now.get("status") == "closed"
        yield NewsKind.CLOSED if is_closed else NewsKind.REOPENED
    if _differ(before, now, "title"):
        yield NewsKind.RENAMED
    if _ids(before, "assignees") != _ids(now, "assignees"):
        yield NewsKind.PEOPLE
    if wall_clock(before.get("due_at")) != wall_clock(now.get("due_at")):
        yield NewsKind.DUE
    if _differ(before, now, "priority"):
        yield NewsKind.PRIORITY
    if _differ(before, now, "description"):
        yield NewsKind.DESCRIBED
    if _ids(before, "labels") != _ids(now, "labels"):
        yield NewsKind.LABELS


def _is_card(task: Document) -> bool:
    return not task.get("archived_at") and not task.get("parent_id")


def _counts_that_differ(before: Document, now: Document) -> Iterator[NewsKind]:
    if _differ(before, now, "comments_count"):
        yield NewsKind.COMMENTED
    old, new = _settings(before), _settings(now)
    for kind, names in _COUNTED.items():
        if any(_differ(old, new, name) for name in names):
            yield kind


def _differ(before: Document, now: Document, name: str) -> bool:
    """Whether a value differs; replies lack some, and numbers may come as text."""
    return name in before and str(before[name] or "0") != str(now.get(name) or "0")


def _ids(document: Document, name: str) -> frozenset[str]:
    listed = document.get(name)
    if not isinstance(listed, list):
        return frozenset()
    return frozenset(str(one.get("ID", one.get("id"))) for one in listed if isinstance(one, dict))


def _settings(document: Document) -> dict[str, Any]:
    settings = document.get("settings")
    return settings if isinstance(settings, dict) else {}
