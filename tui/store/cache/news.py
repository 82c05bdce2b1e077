"""What a reply said, as sections of the cache.

A reply tells of single things. Stages and labels are kept in the document of their board, so news
of these is put into its place there; what stands around a task is laid flat. News of a thing whose
task is not known is of no use here: it is asked for when the task is opened.
"""

from collections.abc import Iterable

from tui.store.cache.sections import Kind, Section
from tui.store.documents.flat import flat, ungrouped
from tui.store.documents.shapes import Document
from tui.store.operations.base import News

_AROUND_TASKS: dict[str, Kind] = {
    "subtask_group": "subtask_group",
    "comment": "comment",
    "field_value": "field_value",
    "image": "image",
}
_LISTED = {"stage": "stages", "label": "labels"}
_TOLD_OF_BOARDS = ("id", "title", "description", "archived_at", "type", "settings", "created_at")


def listed_as(news: News) -> str | None:
    """Under which name the document of a board lists what news are about; None if it does not."""
    return _LISTED.get(news.kind)


def with_listed(board: Document, news: News) -> Document:
    """A board with a stage or a label as it is now, or without it."""
    name = _LISTED[news.kind]
    listed: list[Document] = board.get(name) or []
    others = [one for one in listed if one.get("id") != news.id]
    if news.document is not None:
        known = next((one for one in listed if one.get("id") == news.id), {})
        others.append({**known, **news.document, "id": news.id})
    return {**board, name: others}


def summary_of(board_id: int, document: Document) -> Document:
    """What the list of boards takes from a reply, which may lack what the list has."""
    told = {name: document[name] for name in _TOLD_OF_BOARDS if name in document}
    return {**told, "id": board_id}


def sections_of(news: Iterable[News]) -> list[Section]:
    """What is to be kept around tasks because of news.

    Documents that say a part only, such as a subtask's labels, are merged in memory and are not
    written: the next question brings them whole.
    """
    return [section for one in news for section in _sections_of(one)]


def _sections_of(news: News) -> list[Section]:
    if news.kind == "task":
        return _of_subtask(news)
    kind, task_id, document = _AROUND_TASKS.get(news.kind), news.task_id, news.document
    if kind is None or task_id is None:
        return []
    if document is None:
        return [Section(task_id, kind, news.id, None)]
    if kind == "comment":
        return [Section(task_id, kind, one["id"], one) for one in flat([document], task_id)]
    if kind == "subtask_group":
        groups, subtasks = ungrouped([document], task_id)
        return [
            *(Section(task_id, kind, news.id, group) for group in groups),
            *(Section(task_id, "subtask", one["id"], one) for one in subtasks),
        ]
    return [Section(task_id, kind, news.id, {**document, "id": news.id})]


def _of_subtask(news: News) -> list[Section]:
    document = news.document
    parent_id = news.task_id if document is None else document.get("parent_id")
    if not parent_id or (document is not None and "title" not in document):
        return []
    return [Section(int(parent_id), "subtask", news.id, document)]
