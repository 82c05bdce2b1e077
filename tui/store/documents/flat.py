"""Documents around a task, brought into the shape in which they are kept.

Replies lie beside comments and subtasks beside groups, each knowing where it belongs.
"""

from collections.abc import Sequence

from tui.store.documents.shapes import Document


def group_of(subtask: Document) -> int:
    """The group a subtask stands in; 0 where the service knows none."""
    meta = subtask.get("meta")
    found = meta.get("subtask_group_id") if isinstance(meta, dict) else None
    return int(str(found)) if str(found).isdecimal() else 0


def flat(comments: Sequence[Document], task_id: int) -> list[Document]:
    """Comments and the replies folded into them, one beside the other."""
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
    """Groups without the subtasks in them, and the subtasks, each knowing its group."""
    bare = [
        {name: value for name, value in group.items() if name != "subtasks"} for group in groups
    ]
    subtasks = [
        {
            **subtask,
            "parent_id": task_id,
            "meta": {**_object(subtask.get("meta")), "subtask_group_id": group["id"]},
        }
        for group in groups
        for subtask in group.get("subtasks") or ()
    ]
    return bare, subtasks


def _object(value: object) -> Document:
    return value if isinstance(value, dict) else {}


def by_field(values: Sequence[Document]) -> list[Document]:
    """Values of custom fields by the id of the field, which there is one of at most."""
    return [{**value, "id": value["foreign_id"]} for value in values if value.get("foreign_id")]


def thread_of(document: Document) -> int:
    """The comment a thread began with; anything else by itself."""
    return int(document.get("parent_id") or document["id"])


def meta_of(document: Document) -> Document:
    """What a document says beside its fields."""
    meta = document.get("meta")
    return meta if isinstance(meta, dict) else {}


def as_known(document: Document, known: Document | None) -> Document:
    """The document, or the very one that was known if it says nothing new."""
    return known if known == document and known is not None else document
