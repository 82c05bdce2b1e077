"""What stands around tasks in the fake service."""

from abc import abstractmethod
from typing import Any

from tui.client.errors import NotAllowed, NotFound
from tui.store.documents.shapes import Document

ME, ANN, BEN = 1, 2, 3
PEOPLE = {
    ME: {"ID": ME, "display_name": "Me Myself", "user_login": "me"},
    ANN: {"ID": ANN, "display_name": "Ann Miller", "user_login": "ann"},
    BEN: {"ID": BEN, "display_name": "Ben Cook", "user_login": "ben"},
}
NOW = "2026-11-20T09:00:00+00:00"


class FakeDetailsService:
    """Groups, comments, labels, values and pictures of a service in memory."""

    by_id: dict[int, Document]
    boards: dict[int, Document]
    stages: dict[int, list[Document]]

    def __init__(self) -> None:
        self.groups: dict[int, list[Document]] = {}
        self.comments: dict[int, list[Document]] = {}
        self.labels: dict[int, list[Document]] = {}
        self.values: dict[tuple[int, int], Document] = {}
        self.images: dict[int, Document] = {}
        self.page_size = 3

    @abstractmethod
    def new_id(self) -> int: ...

    @abstractmethod
    def task(self, task_id: int) -> Document: ...

    @abstractmethod
    def lane(self, stage_id: int) -> list[Document]: ...

    @abstractmethod
    def add(
        self, title: str, stage_id: int = ..., board_id: int = ..., **more: Any
    ) -> Document: ...

    def add_group(self, task_id: int, title: str) -> Document:
        self.task(task_id)
        group = {"id": self.new_id(), "task_id": task_id, "key": "group_name", "value": title}
        self.groups.setdefault(task_id, []).append(group)
        return group

    def group(self, task_id: int, group_id: int) -> Document:
        for group in self.groups.get(task_id, []):
            if group["id"] == group_id:
                return group
        raise NotFound("There is no such group.", status=404)

    def line(self, group_id: int) -> list[Document]:
        """The subtasks of a group, in order."""
        subtasks = (
            task
            for task in self.by_id.values()
            if (task.get("meta") or {}).get("subtask_group_id") == group_id
            and not task["archived_at"]
        )
        return sorted(subtasks, key=lambda task: (task["position"], task["id"]))

    def add_subtask(
        self, task_id: int, group_id: int, title: str, *, on_top: bool = False
    ) -> Document:
        self.group(task_id, group_id)
        subtask: Document = {
            **self.add(title),
            "parent_id": task_id,
            "stage_id": None,
            "meta": {"subtask_group_id": group_id},
        }
        self.by_id[subtask["id"]] = subtask
        self.place(subtask["id"], group_id, 1 if on_top else len(self.line(group_id)))
        return subtask

    def place(self, subtask_id: int, group_id: int, index: int) -> list[Document]:
        subtask = self.task(subtask_id)
        self.group(int(subtask["parent_id"] or 0), group_id)
        line = [one for one in self.line(group_id) if one["id"] != subtask_id]
        line.insert(index - 1, subtask)
        subtask["meta"] = {"subtask_group_id": group_id}
        for position, one in enumerate(line, start=1):
            one["position"] = float(position)
        return line

    def add_comment(
        self, task_id: int, text: str, *, by: int = ME, parent_id: int | None = None, **more: Any
    ) -> Document:
        task = self.task(task_id)
        comment: Document = {
            "id": self.new_id(),
            "task_id": task_id,
            "parent_id": parent_id,
            "type": "reply" if parent_id else "comment",
            "privacy": "private",
            "description": text,
            "settings": {"raw_description": text, "mentioned_id": []},
            "created_by": by,
            "created_at": NOW,
            "updated_at": NOW,
            "user": PEOPLE[by],
            "images": [],
            **more,
        }
        self.comments.setdefault(task_id, []).append(comment)
        task["comments_count"] = task.get("comments_count", 0) + 1
        return comment

    def own_comment(self, task_id: int, comment_id: int) -> Document:
        for comment in self.comments.get(task_id, []):
            if comment["id"] == comment_id:
                if comment["created_by"] != ME:
                    raise NotAllowed("Only the author may do this.", status=403)
                return comment
        raise NotFound("There is no such comment.", status=404)

    def remove_comment(self, task_id: int, comment_id: int) -> None:
        self.own_comment(task_id, comment_id)
        left = [
            one for one in self.comments[task_id] if comment_id not in (one["id"], one["parent_id"])
        ]
        self.comments[task_id] = left
        self.task(task_id)["comments_count"] = len(left)

    def add_image(self, name: str, content: bytes) -> Document:
        image_id = self.new_id()
        url = f"https://pictures.example.org/{image_id}"
        self.images[image_id] = {
            "id": image_id,
            "title": name,
            "file_size": f"{len(content)} B",
            "secure_url": url,
        }
        return self.images[image_id]

    def thread(self, task_id: int) -> list[Document]:
        """The comments as they are listed: latest first, replies folded in."""
        comments = self.comments.get(task_id, [])
        return [
            {**one, "replies": [dict(two) for two in comments if two["parent_id"] == one["id"]]}
            for one in sorted(comments, key=lambda one: -one["id"])
            if one["parent_id"] is None
        ]

    def said(self, task_id: int) -> list[str]:
        """The texts of a task's comments, oldest first."""
        return [one["settings"]["raw_description"] for one in self.comments.get(task_id, [])]

    def add_label(self, board_id: int, title: str, color: str) -> Document:
        label = {"id": self.new_id(), "board_id": board_id, "title": title, "bg_color": color}
        self.labels.setdefault(board_id, []).append(label)
        return label

    def label(self, board_id: int, label_id: int) -> Document:
        for label in self.labels.get(board_id, []):
            if label["id"] == label_id:
                return label
        raise NotFound("There is no such label.", status=404)

    def remove_label(self, board_id: int, label_id: int) -> None:
        self.labels[board_id].remove(self.label(board_id, label_id))
        for task in self.by_id.values():
            task["labels"] = [one for one in task["labels"] if one["id"] != label_id]

    def fields_of(self, board_id: int) -> list[Document]:
        """The custom fields of a board, in order."""
        fields: list[Document] = self.boards[board_id].setdefault("custom_fields", [])
        return fields

    def field(self, board_id: int, field_id: int) -> Document:
        for field in self.fields_of(board_id):
            if field["id"] == field_id:
                return field
        raise NotFound("There is no such custom field.", status=404)

    def remove_field(self, board_id: int, field_id: int) -> None:
        self.fields_of(board_id).remove(self.field(board_id, field_id))
        self.values = {key: one for key, one in self.values.items() if key[1] != field_id}

    def remove_group(self, task_id: int, group_id: int) -> None:
        self.groups[task_id].remove(self.group(task_id, group_id))
        for subtask in self.line(group_id):
            del self.by_id[subtask["id"]]
