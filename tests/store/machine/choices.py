"""What a person may do now, picked by numbers, so that a history can be written down.

Every text is used once in a history, so that it can be counted what became of
it. Whatever number is given, something is picked, or nothing where there is nothing to pick from.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from tests.store.assigning import toggled
from tests.store.machine.fake_details import PEOPLE
from tests.store.machine.player import Player
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView, Place, Stage
from tui.model.comment import Comment
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import Reminder, SubtaskGroup, TaskDetail
from tui.model.ids import Kind
from tui.model.people import Role
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.store.operations.ids import new_local_id

_T = TypeVar("_T")
DAY = datetime(2026, 12, 1, 9)  # noqa: DTZ001  wall clock
_MOMENT = datetime(2026, 11, 20, 9, tzinfo=UTC)
_PEOPLE = tuple(
    Person(number, str(one["display_name"]), str(one["user_login"]))
    for number, one in PEOPLE.items()
)
_PNG = b"\x89PNG\r\n\x1a\n"
_COLORS = ("#ff0000", "#00ff00", "#0000ff")
Picked = list[Operation]
IsFree = Callable[[Kind, int], bool]


class Choices:
    """What `player` may do, where `is_free` says what may be touched; `a` and `b` pick."""

    def __init__(self, player: Player, words: Iterator[str], is_free: IsFree) -> None:
        self._player = player
        self._words = words
        self._is_free = is_free

    def pick(self, name: str, a: int, b: int) -> Picked:
        """The operations of this name; none if there is nothing to do them to."""
        made: Picked = getattr(self, name)(a, b)
        return made

    @property
    def _view(self) -> BoardView:
        view = self._player.view
        return BoardView(Board(self._player.board_id, "")) if view is None else view

    @property
    def _author(self) -> Person | None:
        people = self._view.people
        return next((one for one in people if one.login == self._player.login), None)

    def _tasks(self) -> list[Task]:
        """The cards, and the subtasks of the opened task."""
        detail = self._detail()
        everything = [*self._view.all_tasks(), *(detail.subtasks() if detail else ())]
        return [task for task in everything if self._is_free("task", task.id)]

    def _cards(self) -> list[Task]:
        return [task for task in self._view.all_tasks() if self._is_free("task", task.id)]

    def _detail(self) -> TaskDetail | None:
        detail = self._player.detail
        if detail is None or not self._is_free("task", detail.task.id):
            return None
        return detail

    def _stages(self) -> list[Stage]:
        return [one for one in self._view.stages if self._is_free("stage", one.id)]

    def _labels(self) -> list[Label]:
        return [one for one in self._view.labels if self._is_free("label", one.id)]

    def _groups(self) -> list[tuple[TaskDetail, SubtaskGroup]]:
        detail = self._detail()
        if detail is None:
            return []
        groups = detail.groups or ()
        return [(detail, one) for one in groups if self._is_free("subtask_group", one.id)]

    def _subtasks(self) -> list[tuple[TaskDetail, Task]]:
        detail = self._detail()
        if detail is None:
            return []
        return [(detail, one) for one in detail.subtasks() if self._is_free("task", one.id)]

    def _comments(self) -> list[tuple[TaskDetail, Comment]]:
        detail = self._detail()
        if detail is None:
            return []
        said = [two for one in detail.comments or () for two in (one, *one.replies)]
        return [(detail, one) for one in said if self._is_free("comment", one.id)]

    def _own_comments(self) -> list[tuple[TaskDetail, Comment]]:
        """Those that no screen refuses to edit or delete."""
        return [
            (detail, comment)
            for detail, comment in self._comments()
            if comment.author is None or comment.author.login == self._player.login
        ]

    def _boards(self) -> list[Board]:
        boards = self._player.store.boards()
        return [board for board in boards if self._is_free("board", board.id)]

    def create_task(self, a: int, b: int) -> Picked:
        board_id, priority = self._view.board.id, picked(list(Priority), b)
        return [
            change.CreateTask.new(board_id, stage.id, next(self._words), priority)
            for stage in at(self._stages(), a)
        ]

    def rename_task(self, a: int, b: int) -> Picked:
        del b
        return [change.set_title(task, next(self._words)) for task in at(self._tasks(), a)]

    def describe_task(self, a: int, b: int) -> Picked:
        """Add a line above or below, so that two people's lines can be put together."""
        made: Picked = []
        for task in at(self._tasks(), a):
            new = f"<p>{next(self._words)}</p>"
            text = new + task.description if b % 2 else task.description + new
            made.append(change.set_description(task, text))
        return made

    def close_task(self, a: int, b: int) -> Picked:
        """Close it or reopen it; as with the key, what is so already is left alone."""
        status = picked(list(Status), b)
        return [
            change.set_status(task, status)
            for task in at(self._tasks(), a)
            if task.status is not status
        ]

    def set_priority(self, a: int, b: int) -> Picked:
        priority = picked(list(Priority), b)
        return [change.set_priority(task, priority) for task in at(self._tasks(), a)]

    def set_due(self, a: int, b: int) -> Picked:
        when = DAY + timedelta(days=b) if b else None
        return [change.set_due(task, when) for task in at(self._tasks(), a)]

    def set_start(self, a: int, b: int) -> Picked:
        when = DAY - timedelta(days=b) if b else None
        return [change.set_start(task, when) for task in at(self._cards(), a)]

    def move_task(self, a: int, b: int) -> Picked:
        made: Picked = []
        for task in at(self._cards(), a):
            for stage in at(self._stages(), b):
                lane = [one.id for one in self._view.in_stage(stage.id) if one.id != task.id]
                made.append(change.MoveTask.on(task, stage.id, place(lane, a + b)))
        return made

    def move_two(self, a: int, b: int) -> Picked:
        """Two marked cards at once, which is one step to undo."""
        first, second = self.move_task(a, b), self.move_task(a + 1, b)
        return first if first == second else [*first, *second]

    def archive_task(self, a: int, b: int) -> Picked:
        del b
        tasks = at(self._cards(), a)
        self._player.archived.extend(tasks)
        return [change.ArchiveTask.on(task, self._place(task), at=DAY) for task in tasks]

    def restore_task(self, a: int, b: int) -> Picked:
        del b
        renames = self._player.store._core.queue.renames
        gone = [
            task
            for task in self._player.archived
            if renames.get(task.id, task.id) > 0 and task.board_id == self._view.board.id
        ]
        known = {task.id for task in self._view.all_tasks()}
        return [
            change.RestoreTask.on(task)
            for task in at([task for task in gone if task.id not in known], a)
        ]

    def delete_task(self, a: int, b: int) -> Picked:
        del b
        return [change.DeleteTask(task, self._place(task)) for task in at(self._cards(), a)]

    def clone_task(self, a: int, b: int) -> Picked:
        parts = change.CloneParts(subtasks=False, labels=bool(b % 2), comments=False)
        return [
            change.CloneTask.of(task, title=next(self._words), parts=parts)
            for task in at(self._cards(), a)
        ]

    def add_label(self, a: int, b: int) -> Picked:
        return [
            change.add_label(task, label)
            for task in at(self._tasks(), a)
            for label in at(self._labels(), b)
        ]

    def remove_label(self, a: int, b: int) -> Picked:
        marked = [
            (task, label)
            for task in self._tasks()
            for label in task.labels
            if self._is_free("label", label.id)
        ]
        return [change.remove_label(task, label) for task, label in at(marked, a + b)]

    def block(self, a: int, b: int) -> Picked:
        """Say that a card is blocked by another one, perhaps one that is not sent yet."""
        return [
            change.add_blocker(task, Blocker(other.id))
            for task in at(self._cards(), a)
            for other in at(self._cards(), b)
            if other.id != task.id
        ]

    def unblock(self, a: int, b: int) -> Picked:
        named = [(task, one) for task in self._cards() for one in task.blockers]
        return [change.remove_blocker(task, one) for task, one in at(named, a + b)]

    def assign(self, a: int, b: int) -> Picked:
        person = picked(self._view.people or _PEOPLE, b)
        return [toggled(task, person) for task in at(self._tasks(), a)]

    def watch(self, a: int, b: int) -> Picked:
        return [change.set_watching(task, on=bool(b % 2)) for task in at(self._cards(), a)]

    def create_label(self, a: int, b: int) -> Picked:
        del b
        made = change.CreateLabel.new(self._view.board.id, next(self._words), picked(_COLORS, a))
        return [made]

    def edit_label(self, a: int, b: int) -> Picked:
        board_id = self._view.board.id
        return [
            change.edit_label(board_id, label, title=next(self._words))
            if b % 2
            else change.edit_label(board_id, label, color=picked(_COLORS, b))
            for label in at(self._labels(), a)
        ]

    def delete_label(self, a: int, b: int) -> Picked:
        del b
        return [change.DeleteLabel.on(self._view, label) for label in at(self._labels(), a)]

    def _fields(self) -> list[CustomField]:
        return [one for one in self._view.fields if self._is_free("field", one.id)]

    def create_field(self, a: int, b: int) -> Picked:
        kind = picked((FieldType.TEXT, FieldType.SELECT), a)
        options = ("one", "two")[: 1 + b % 2] if kind is FieldType.SELECT else ()
        return [change.CreateField.new(self._view.board.id, next(self._words), kind, options)]

    def edit_field(self, a: int, b: int) -> Picked:
        """Another title, or other options."""
        return [
            change.edit_custom_field(field, title=next(self._words))
            if b % 2 or field.type is not FieldType.SELECT
            else change.edit_custom_field(field, options=("one", "two", "three")[: 1 + b % 3])
            for field in at(self._fields(), a)
        ]

    def move_field(self, a: int, b: int) -> Picked:
        made: Picked = []
        for field in at(self._fields(), a):
            others = [one.id for one in self._fields() if one.id != field.id]
            spot = place(others, b)
            made.append(change.MoveField(self._view.board.id, field.id, field.title, spot))
        return made

    def delete_field(self, a: int, b: int) -> Picked:
        del b
        return [change.DeleteField(field) for field in at(self._fields(), a)]

    def create_group(self, a: int, b: int) -> Picked:
        del a, b
        detail = self._detail()
        return [] if detail is None else [change.CreateGroup.new(detail.task, next(self._words))]

    def rename_group(self, a: int, b: int) -> Picked:
        del b
        return [
            change.rename_group(detail.task, group, next(self._words))
            for detail, group in at(self._groups(), a)
        ]

    def delete_group(self, a: int, b: int) -> Picked:
        del b
        return [
            change.DeleteGroup.on(detail.task, group) for detail, group in at(self._groups(), a)
        ]

    def create_subtask(self, a: int, b: int) -> Picked:
        return [
            change.CreateSubtask.new(detail.task, group, next(self._words), on_top=bool(b % 2))
            for detail, group in at(self._groups(), a)
        ]

    def move_subtask(self, a: int, b: int) -> Picked:
        made: Picked = []
        for detail, subtask in at(self._subtasks(), a):
            for _, group in at(self._groups(), b):
                line = [one.id for one in group.subtasks if one.id != subtask.id]
                spot = place(line, a + b)
                made.append(change.MoveSubtask.on(detail, subtask, group.id, spot))
        return made

    def move_subtasks(self, a: int, b: int) -> Picked:
        made: Picked = []
        for detail, group in at(self._groups(), b):
            others = [one for _, one in self._subtasks() if one not in group.subtasks]
            chosen = [*others[a % max(1, len(others)) :], *others[: a % max(1, len(others))]][:3]
            if chosen:
                made.append(change.MoveSubtasks.on(detail, chosen, group))
        return made

    def delete_subtask(self, a: int, b: int) -> Picked:
        del b
        return [change.DeleteSubtask.on(detail, one) for detail, one in at(self._subtasks(), a)]

    def clone_subtask(self, a: int, b: int) -> Picked:
        del b
        return [change.CloneSubtask.on(detail, one) for detail, one in at(self._subtasks(), a)]

    def to_subtask(self, a: int, b: int) -> Picked:
        return [
            change.ConvertToSubtask.on(task, detail.task, group.id)
            for detail, group in at(self._groups(), b)
            for task in at([one for one in self._cards() if one.id != detail.task.id], a)
        ]

    def to_task(self, a: int, b: int) -> Picked:
        return [
            change.ConvertToTask.on(detail, subtask, stage.id)
            for detail, subtask in at(self._subtasks(), a)
            for stage in at(self._stages(), b)
        ]

    def comment(self, a: int, b: int) -> Picked:
        del a, b
        detail, words = self._detail(), next(self._words)
        if detail is None:
            return []
        return [change.CreateComment.new(detail.task, words, author=self._author, at=_MOMENT)]

    def reply(self, a: int, b: int) -> Picked:
        del b
        return [
            change.CreateComment.new(
                detail.task, to=comment, text=next(self._words), author=self._author, at=_MOMENT
            )
            for detail, comment in at(self._comments(), a)
        ]

    def edit_comment(self, a: int, b: int) -> Picked:
        del b
        return [
            change.EditComment.on(detail.task, comment, next(self._words))
            for detail, comment in at(self._own_comments(), a)
        ]

    def delete_comment(self, a: int, b: int) -> Picked:
        del b
        return [
            change.DeleteComment.on(detail.task, comment)
            for detail, comment in at(self._own_comments(), a)
        ]

    def show_picture(self, a: int, b: int) -> Picked:
        """Comment with a picture, which is two operations of one step."""
        del a, b
        detail, words = self._detail(), next(self._words)
        if detail is None:
            return []
        kept = self._player.store._uploads.keep(f"{words}.png", _PNG + words.encode())
        upload = change.UploadImage.of(detail.task, kept)
        comment = change.CreateComment.new(
            detail.task, words, author=self._author, at=_MOMENT, images=[upload.image]
        )
        return [upload, comment]

    def set_value(self, a: int, b: int) -> Picked:
        detail = self._detail()
        value = next(self._words) if b % 3 else None
        return [
            change.set_custom_field(detail, field, value)
            for field in at(self._fields(), a)
            if detail is not None and field.type is FieldType.TEXT
        ]

    def set_cover(self, a: int, b: int) -> Picked:
        del a
        detail, color = self._detail(), picked(("", *_COLORS), b)
        return [] if detail is None else [change.set_plain(detail, "cover", color)]

    def set_template(self, a: int, b: int) -> Picked:
        del a
        detail = self._detail()
        return [] if detail is None else [change.set_plain(detail, "template", bool(b % 2))]

    def set_contact(self, a: int, b: int) -> Picked:
        del a
        detail = self._detail()
        return [] if detail is None else [change.set_plain(detail, "contact", b or None)]

    def set_reminder(self, a: int, b: int) -> Picked:
        del a
        detail = self._detail()
        reminder = Reminder("once", DAY + timedelta(days=b)) if b else None
        return [] if detail is None else [change.set_reminder(detail, reminder)]

    def create_stage(self, a: int, b: int) -> Picked:
        del b
        status = picked(list(Status), a)
        return [change.CreateStage.new(self._view.board.id, next(self._words), status)]

    def rename_stage(self, a: int, b: int) -> Picked:
        del b
        return [change.rename_stage(one, next(self._words)) for one in at(self._stages(), a)]

    def set_stage_status(self, a: int, b: int) -> Picked:
        status = picked(list(Status), b)
        return [change.set_setting(one, "status", status) for one in at(self._stages(), a)]

    def move_stage(self, a: int, b: int) -> Picked:
        made: Picked = []
        for stage in at(self._stages(), a):
            others = [one.id for one in self._view.stages if one.id != stage.id]
            made.append(change.MoveStage.on(stage, place(others, b)))
        return made

    def archive_stage(self, a: int, b: int) -> Picked:
        del b
        stages = self._stages()
        if len(stages) < 2:
            return []
        return [change.ArchiveStage.on(self._view, one.id) for one in at(stages, a)]

    def create_stage_at(self, a: int, b: int) -> Picked:
        others = [one.id for one in self._view.stages]
        return [*change.new_stage_at(self._view.board.id, next(self._words), place(others, a + b))]

    def set_up_stage(self, a: int, b: int) -> Picked:
        return [
            picked(
                (
                    change.set_setting(stage, "assignees", [_PEOPLE[b % 2].id]),
                    change.set_setting(stage, "template", bool(b % 2)),
                    change.set_stage_color(stage, picked(("", *_COLORS), b)),
                ),
                a + b,
            )
            for stage in at(self._stages(), a)
        ]

    def sort_stage(self, a: int, b: int) -> Picked:
        by = picked(list(change.SortBy), b)
        return [
            change.SortStage.on(stage, by, descending=bool(a % 2))
            for stage in at(self._stages(), a)
        ]

    def archive_tasks(self, a: int, b: int) -> Picked:
        del b
        return [change.ArchiveTasks.on(self._view, stage) for stage in at(self._stages(), a)]

    def set_role(self, a: int, b: int) -> Picked:
        """Change the role of the one who does not play, add them, or remove them."""
        del a
        role = picked((None, *Role), b)
        return [change.SetRole.on(self._view.board, _PEOPLE[-1], role)]

    def create_board(self, a: int, b: int) -> Picked:
        made = change.CreateBoard.new(next(self._words))
        titles = [next(self._words) for _ in range(a % 4)]
        if not titles:
            return [made]
        if b % 2:
            titles[0] = "Open"
        return [made, change.ArrangeStages(made.board_id, made.title, tuple(titles))]

    def duplicate_board(self, a: int, b: int) -> Picked:
        del b
        return [
            change.DuplicateBoard(new_local_id(), one.id, one.title, next(self._words), one.type)
            for one in at(self._boards(), a)
        ]

    def rename_board(self, a: int, b: int) -> Picked:
        del b
        return [change.rename_board(one, next(self._words)) for one in at(self._boards(), a)]

    def archive_board(self, a: int, b: int) -> Picked:
        others = [one for one in self._other_boards() if one.archived_at is None]
        del b
        return [change.archive_board(one, at=DAY) for one in at(others, a)]

    def restore_board(self, a: int, b: int) -> Picked:
        others = [one for one in self._other_boards() if one.archived_at is not None]
        del b
        return [change.restore_board(one) for one in at(others, a)]

    def delete_board(self, a: int, b: int) -> Picked:
        del b
        return [change.DeleteBoard.on(one) for one in at(self._other_boards(), a)]

    def _other_boards(self) -> list[Board]:
        mine = (self._player.home, self._player.board_id)
        return [board for board in self._boards() if board.id not in mine]

    def _place(self, task: Task) -> Place:
        found = self._view.place_of(task.id)
        return Place() if found is None else found[1]


def at(things: Sequence[_T], number: int) -> list[_T]:
    """The thing of this number, counted round and round; nothing if there is none."""
    return [things[number % len(things)]] if things else []


def picked(things: Sequence[_T], number: int) -> _T:
    """The thing of this number, counted round and round."""
    return things[number % len(things)]


def place(ids: Sequence[int], number: int) -> Place:
    """A place among things: at the top, or below the one of this number."""
    index = number % (len(ids) + 1)
    above = ids[index - 1] if index else None
    below = ids[index] if index < len(ids) else None
    return Place(above, below)


CARD_CHANGES = (
    "create_task",
    "rename_task",
    "describe_task",
    "close_task",
    "set_priority",
    "set_due",
    "set_start",
    "move_task",
    "move_two",
    "archive_task",
    "restore_task",
    "delete_task",
    "clone_task",
    "add_label",
    "remove_label",
    "block",
    "unblock",
    "assign",
    "watch",
)
DETAIL_CHANGES = (
    "create_group",
    "rename_group",
    "delete_group",
    "create_subtask",
    "move_subtask",
    "move_subtasks",
    "delete_subtask",
    "clone_subtask",
    "to_subtask",
    "to_task",
    "comment",
    "reply",
    "edit_comment",
    "delete_comment",
    "show_picture",
    "set_value",
    "set_cover",
    "set_template",
    "set_contact",
    "set_reminder",
)
BOARD_CHANGES = (
    "create_label",
    "edit_label",
    "delete_label",
    "create_field",
    "edit_field",
    "move_field",
    "delete_field",
    "create_stage",
    "rename_stage",
    "set_stage_status",
    "move_stage",
    "archive_stage",
    "create_stage_at",
    "set_up_stage",
    "sort_stage",
    "archive_tasks",
    "set_role",
    "create_board",
    "duplicate_board",
    "rename_board",
    "archive_board",
    "restore_board",
    "delete_board",
)
INSTEAD = {
    "add_label": "create_label",
    "clone_subtask": "create_subtask",
    "create_subtask": "create_group",
    "delete_board": "create_board",
    "delete_comment": "comment",
    "delete_field": "create_field",
    "delete_subtask": "create_subtask",
    "edit_comment": "comment",
    "edit_field": "create_field",
    "move_field": "create_field",
    "move_subtask": "create_subtask",
    "move_subtasks": "create_subtask",
    "remove_label": "add_label",
    "rename_group": "create_group",
    "reply": "comment",
    "set_value": "show_picture",
    "restore_board": "archive_board",
    "to_subtask": "create_group",
    "unblock": "block",
    "to_task": "to_subtask",
}
