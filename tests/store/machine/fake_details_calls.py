"""The calls that reach what stands around tasks in the fake service."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import datetime
from typing import Any

from tests.store.machine.fake_details import PEOPLE
from tui.client.documents import DocumentPage
from tui.client.resources.labels import written_value
from tui.model.task import Person
from tui.store.documents.shapes import Document


class FakeCalls:
    """Calls, each of which goes through `_call`, where it may fail."""

    service: Any

    @abstractmethod
    def _call(self, name: str, work: Callable[[], Any]) -> Any: ...

    def _task(self, name: str, work: Callable[[], Document]) -> Document:
        return dict(self._call(name, work))

    def _page(self, name: str, everything: list[Document], number: int) -> DocumentPage:
        size = self.service.page_size

        def read() -> DocumentPage:
            part = deepcopy(everything[(number - 1) * size : number * size])
            return DocumentPage(part, number * size >= len(everything), len(everything))

        page: DocumentPage = self._call(name, read)
        return page


class FakeSubtaskCalls(FakeCalls):
    """Those about subtasks and their groups."""

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        del board_id

        def read() -> list[Document]:
            self.service.task(task_id)
            return [
                {**group, "subtasks": [dict(one) for one in self.service.line(group["id"])]}
                for group in self.service.groups.get(task_id, [])
            ]

        groups: list[Document] = self._call("subtask_groups", read)
        return groups

    async def create_subtask(
        self, board_id: int, task_id: int, group_id: int, title: str, *, on_top: bool
    ) -> Document:
        del board_id

        def make() -> Document:
            parent_id = self.service.task(task_id)["id"]
            subtask = dict(self.service.add_subtask(parent_id, group_id, title, on_top=on_top))
            del subtask["meta"]
            return subtask

        return self._task("create_subtask", make)

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        del board_id
        line: list[Document] = self._call(
            "place_subtask", lambda: self.service.place(subtask_id, group_id, index)
        )
        return [dict(one) for one in line]

    async def move_subtasks(
        self, board_id: int, task_id: int, group_id: int, subtask_ids: Sequence[int]
    ) -> None:
        del board_id

        def move() -> None:
            self.service.group(task_id, group_id)
            for subtask_id in subtask_ids:
                self.service.task(subtask_id)
            for subtask_id in subtask_ids:
                self.service.place(subtask_id, group_id, len(self.service.line(group_id)) + 1)

        self._call("move_subtasks", move)

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        del board_id
        self._call("delete_subtask", lambda: self.service.delete(subtask_id))

    async def clone_subtask(self, board_id: int, subtask_id: int) -> Document:
        del board_id

        def copy() -> Document:
            old = self.service.task(subtask_id)
            group_id = old["meta"]["subtask_group_id"]
            title = f"{old['title']} (cloned)"
            new: Document = self.service.add_subtask(old["parent_id"], group_id, title)
            below = [one["id"] for one in self.service.line(group_id)].index(subtask_id) + 2
            self.service.place(new["id"], group_id, below)
            return new

        return self._task("clone_subtask", copy)

    async def task_to_subtask(
        self, board_id: int, task_id: int, parent_id: int, group_id: int | None
    ) -> Document:
        del board_id

        def convert() -> Document:
            groups = self.service.groups.get(parent_id) or [
                self.service.add_group(parent_id, "Default Subtask Group")
            ]
            target = groups[0]["id"] if group_id is None else group_id
            self.service.task(task_id).update(parent_id=parent_id, stage_id=None)
            self.service.place(task_id, target, len(self.service.line(target)) + 1)
            parent: Document = self.service.task(parent_id)
            return parent

        return self._task("task_to_subtask", convert)

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        del board_id

        def convert() -> Document:
            task: Document = self.service.task(subtask_id)
            last = self.service.lane(stage_id)
            task.update(parent_id=None, meta={}, stage_id=stage_id)
            stages = self.service.stages[task["board_id"]]
            stage = next(one for one in stages if one["id"] == stage_id)
            if stage["settings"]["default_task_status"] == "closed":
                task["status"] = "closed"
            task["position"] = last[-1]["position"] + 1.0 if last else 1.0
            return task

        return self._task("subtask_to_task", convert)

    async def create_subtask_group(self, board_id: int, task_id: int, title: str) -> Document:
        del board_id
        return self._task("create_subtask_group", lambda: self.service.add_group(task_id, title))

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        del board_id

        def rename() -> Document:
            group: Document = self.service.group(task_id, group_id)
            group["value"] = title
            return group

        return self._task("rename_subtask_group", rename)

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        del board_id
        self._call("delete_subtask_group", lambda: self.service.remove_group(task_id, group_id))


class FakeCommentCalls(FakeCalls):
    """Those about comments and their pictures."""

    async def comments(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        del board_id
        return self._page("comments", self.service.thread(task_id), page)

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None,
        image_ids: Sequence[int],
        mentions: Sequence[Person],
    ) -> Document:
        del board_id, mentions

        def write() -> Document:
            images = [self.service.images[one] for one in image_ids]
            comment = self.service.add_comment(task_id, text, parent_id=parent_id, images=images)
            return {**comment, "task": dict(self.service.task(task_id))}

        return self._task("create_comment", write)

    async def update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        parent_id: int | None,
        image_ids: Sequence[int] | None,
        mentions: Sequence[Person],
    ) -> Document:
        del board_id, parent_id, mentions

        def write() -> Document:
            comment: Document = self.service.own_comment(task_id, comment_id)
            comment["settings"] = {**comment["settings"], "raw_description": text}
            comment["description"] = text
            if image_ids is not None:
                comment["images"] = [self.service.images[one] for one in image_ids]
            return comment

        return self._task("update_comment", write)

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None
    ) -> None:
        del board_id, parent_id
        self._call("delete_comment", lambda: self.service.remove_comment(task_id, comment_id))

    async def upload_image(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> Document:
        del board_id, task_id
        if progress is not None:
            progress(len(content) // 2, len(content))
        return self._task("upload_image", lambda: self.service.add_image(name, content))


class FakeFieldCalls(FakeCalls):
    """Those about custom fields and their values."""

    async def fields(self, board_id: int) -> list[Document]:
        fields: list[Document] = self._call(
            "fields", lambda: [dict(one) for one in self.service.fields_of(board_id)]
        )
        return fields

    async def create_field(
        self, board_id: int, title: str, field_type: str, *, options: Sequence[str]
    ) -> Document:
        def make() -> Document:
            fields = self.service.fields_of(board_id)
            last = max((one["position"] for one in fields), default=0.0)
            told = {"title": title, "settings": _settings(field_type, options)}
            fields.append({"id": self.service.new_id(), "position": last + 1.0, **told})
            return dict(fields[-1])

        return self._task("create_field", make)

    async def update_field(
        self, board_id: int, field_id: int, *, title: str, field_type: str, options: Sequence[str]
    ) -> Document:
        def write() -> Document:
            field: Document = self.service.field(board_id, field_id)
            field.update(title=title, settings=_settings(field_type, options))
            return field

        return self._task("update_field", write)

    async def reposition_field(self, board_id: int, field_id: int, index: int) -> None:
        def move() -> None:
            field = self.service.field(board_id, field_id)
            fields = self.service.fields_of(board_id)
            fields.remove(field)
            fields.insert(index - 1, field)
            for position, one in enumerate(fields, start=1):
                one["position"] = float(position)

        self._call("reposition_field", move)

    async def delete_field(self, board_id: int, field_id: int) -> None:
        self._call("delete_field", lambda: self.service.remove_field(board_id, field_id))

    async def field_values(self, board_id: int, task_id: int) -> list[Document]:
        del board_id

        def read() -> list[Document]:
            return [dict(one) for (task, _), one in self.service.values.items() if task == task_id]

        values: list[Document] = self._call("field_values", read)
        return values

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: str | bool | datetime
    ) -> None:
        def write() -> None:
            self.service.field(board_id, field_id)
            if value == "":
                self.service.values.pop((task_id, field_id), None)
                return
            kept = written_value(value) if isinstance(value, datetime) else value
            self.service.values[task_id, field_id] = {
                "id": self.service.new_id(),
                "object_id": task_id,
                "foreign_id": field_id,
                "settings": {"value": kept},
            }

        self._call("set_field_value", write)


def _settings(field_type: str, options: Sequence[str]) -> Document:
    return {"custom_field_type": field_type, "options": list(options)}


class FakeDetailsRemote(FakeCommentCalls, FakeFieldCalls, FakeSubtaskCalls):
    """All calls for what stands around tasks."""

    async def board_activities(self, board_id: int) -> list[Document]:
        del board_id
        return []

    async def assign(self, board_id: int, task_id: int, person_ids: Sequence[int]) -> Document:
        del board_id
        people = [PEOPLE[one] for one in person_ids]
        return self._task("assign", lambda: self.service.set(task_id, "assignees", people))

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        del board_id
        return self._task("watch", lambda: self.service.set(task_id, "is_watching", on))

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: frozenset[str]
    ) -> Document:
        def copy() -> Document:
            old = self.service.task(task_id)
            new: Document = self.service.add(title, stage_id, board_id, priority=old["priority"])
            if "label" in parts:
                new["labels"] = list(old["labels"])
            if "assignee" in parts:
                new["assignees"] = list(old["assignees"])
            return new

        return self._task("clone_task", copy)

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        del board_id

        def move() -> Document:
            task: Document = self.service.task(task_id)
            last = self.service.lane(stage_id)
            task["position"] = last[-1]["position"] + 1.0 if last else 1.0
            task.update(board_id=to_board_id, stage_id=stage_id)
            return task

        return self._task("move_task_to_board", move)

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        del text_color
        return self._task("create_label", lambda: self.service.add_label(board_id, title, color))

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        del text_color

        def write() -> Document:
            label: Document = self.service.label(board_id, label_id)
            label.update(title=title, bg_color=color)
            for task in self.service.by_id.values():
                task["labels"] = [label if one["id"] == label_id else one for one in task["labels"]]
            return label

        return self._task("update_label", write)

    async def delete_label(self, board_id: int, label_id: int) -> None:
        self._call("delete_label", lambda: self.service.remove_label(board_id, label_id))

    async def labels(self, board_id: int) -> list[Document]:
        labels: list[Document] = self._call(
            "labels", lambda: [dict(one) for one in self.service.labels.get(board_id, [])]
        )
        return labels

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        def attach() -> list[Document]:
            label, task = self.service.label(board_id, label_id), self.service.task(task_id)
            if all(one["id"] != label_id for one in task["labels"]):
                self.service.set(task_id, "labels", [*task["labels"], label])
            return [dict(one) for one in task["labels"]]

        labels: list[Document] = self._call("add_label", attach)
        return labels

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        del board_id

        def detach() -> list[Document]:
            task = self.service.task(task_id)
            left = [one for one in task["labels"] if one["id"] != label_id]
            self.service.set(task_id, "labels", left)
            return [dict(one) for one in left]

        labels: list[Document] = self._call("remove_label", detach)
        return labels
