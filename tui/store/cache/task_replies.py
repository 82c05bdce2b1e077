"""What the service said in passing about things around tasks, for the cache.

The rule it keeps: news of a thing whose task is not known is of no use to the cache: it is asked
for when the task is opened.
"""

from collections.abc import Iterable
from typing import Literal

from tui.store.cache.task_sections import Write
from tui.store.detail_documents import flat, ungrouped
from tui.store.documents.shapes import Document
from tui.store.operations.base import News


def written(news: Iterable[News]) -> list[Write]:
    """What is to be written to the cache because of news."""
    return [write for one in news for write in writes_of(one)]


def writes_of(news: News) -> list[Write]:
    """What is to be written because of one piece of news.

    Documents that say a part only, such as a subtask's labels, are merged in memory and are not
    written: the next question brings them whole.
    """
    if news.kind == "task":
        return _of_subtask(news)
    if news.task_id is None:
        return []
    if news.kind not in ("subtask_group", "comment", "field_value", "image"):
        return []
    if news.document is None:
        return [Write(news.task_id, news.kind, news.id, None)]
    return _of_document(news.kind, news.id, news.document, news.task_id)


def _of_document(
    kind: Literal["subtask_group", "comment", "field_value", "image"],
    own_id: int,
    document: Document,
    task_id: int,
) -> list[Write]:
    if kind in ("field_value", "image"):
        return [Write(task_id, kind, own_id, {**document, "id": own_id})]
    if kind == "comment":
        return [Write(task_id, kind, one["id"], one) for one in flat([document], task_id)]
    groups, subtasks = ungrouped([document], task_id)
    return [
        *(Write(task_id, kind, own_id, group) for group in groups),
        *(Write(task_id, "subtask", one["id"], one) for one in subtasks),
    ]


def _of_subtask(news: News) -> list[Write]:
    document = news.document
    parent_id = news.task_id if document is None else document.get("parent_id")
    if not parent_id or (document is not None and "title" not in document):
        return []
    return [Write(int(parent_id), "subtask", news.id, document)]
