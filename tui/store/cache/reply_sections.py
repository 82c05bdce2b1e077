"""Reply parts as sections of the cache.

Stages, labels and custom fields are part of their board's document; what belongs to a task is
stored flat. A part about a task that is not cached is dropped: it is fetched when the task is
opened.
"""

from tui.model.ids import Kind as Subject
from tui.store.cache.sections import Kind, Section
from tui.store.documents.flat import flat, ungrouped
from tui.store.documents.shapes import Document
from tui.store.operations.base import ReplyPart

AROUND_TASKS: dict[Subject, Kind] = {
    "subtask_group": "subtask_group",
    "comment": "comment",
    "field_value": "field_value",
    "image": "image",
}
"""What is stored in sections of tasks, with the kinds of these."""
LISTED: dict[Subject, str] = {"stage": "stages", "label": "labels", "field": "custom_fields"}
"""What is stored in a list in the document of a board, with the names of these."""
_TOLD_OF_BOARDS = (
    "id", "title", "description", "archived_at", "type", "settings", "created_at", "users",
)  # fmt: skip


def with_listed(board: Document, part: ReplyPart) -> Document:
    """A board's document with a stage, label or custom field replaced or removed."""
    name = LISTED[part.kind]
    listed: list[Document] = board.get(name) or []
    others = [one for one in listed if one.get("id") != part.id]
    if part.document is not None:
        known = next((one for one in listed if one.get("id") == part.id), {})
        others.append({**known, **part.document, "id": part.id})
    return {**board, name: others}


def summary_of(board_id: int, document: Document) -> Document:
    """The fields of a document that the list of boards keeps."""
    told = {name: document[name] for name in _TOLD_OF_BOARDS if name in document}
    return {**told, "id": board_id}


def sections_of(part: ReplyPart) -> list[Section]:
    """The sections around tasks to write.

    Partial documents, such as a subtask's labels, are merged in memory only: the next fetch brings
    them complete.
    """
    if part.kind == "task":
        return _of_subtask(part)
    task_id, document = part.task_id, part.document
    kind = AROUND_TASKS.get(part.kind)
    if kind is None or task_id is None:
        return []
    if document is None:
        return [Section(task_id, kind, part.id, None)]
    if kind == "comment":
        return [Section(task_id, kind, one["id"], one) for one in flat([document], task_id)]
    if kind == "subtask_group":
        groups, subtasks = ungrouped([document], task_id)
        return [
            *(Section(task_id, kind, part.id, group) for group in groups),
            *(Section(task_id, "subtask", one["id"], one) for one in subtasks),
        ]
    return [Section(task_id, kind, part.id, {**document, "id": part.id})]


def _of_subtask(part: ReplyPart) -> list[Section]:
    document = part.document
    parent_id = part.task_id if document is None else document.get("parent_id")
    if not parent_id or (document is not None and "title" not in document):
        return []
    return [Section(int(parent_id), "subtask", part.id, document)]
