"""Flattens nested documents into the sections that the cache stores.

Replies are stored beside comments and subtasks beside groups, each with the id of its parent.
"""

from collections.abc import Sequence

from tui.store.documents.shapes import Document, object_in


def group_of(subtask: Document) -> int:
    """The group of a subtask; 0 if it has none."""
    group_id = object_in(subtask.get("meta")).get("subtask_group_id")
    return int(str(group_id)) if str(group_id).isdecimal() else 0


def flat(comments: Sequence[Document], task_id: int) -> list[Document]:
    """Comments and their replies in one list."""
    documents: list[Document] = []
    for comment in comments:
        replies = comment.get("replies") or ()
        bare = {name: value for name, value in comment.items() if name not in ("replies", "task")}
        documents.append({**bare, "task_id": task_id})
        documents += [
            {**reply, "parent_id": comment["id"], "task_id": task_id} for reply in replies
        ]
    return documents


def ungrouped(groups: Sequence[Document], task_id: int) -> tuple[list[Document], list[Document]]:
    """Groups without their subtasks, and the subtasks with the ids of their groups."""
    bare = [
        {name: value for name, value in group.items() if name != "subtasks"} for group in groups
    ]
    subtasks = [
        {
            **subtask,
            "parent_id": task_id,
            "meta": {**object_in(subtask.get("meta")), "subtask_group_id": group["id"]},
        }
        for group in groups
        for subtask in group.get("subtasks") or ()
    ]
    return bare, subtasks


def by_field(values: Sequence[Document]) -> list[Document]:
    """Custom field values under the id of their field."""
    return [{**value, "id": value["foreign_id"]} for value in values if value.get("foreign_id")]


def thread_of(document: Document) -> int:
    """The id of the first comment of a thread; otherwise the document's own."""
    return int(document.get("parent_id") or document["id"])


def as_known(document: Document, known: Document | None) -> Document:
    """The known document itself if the new one is equal, to share memory."""
    return known if known == document and known is not None else document
