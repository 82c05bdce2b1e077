"""Strategies for opened tasks, and for what a person may do to them and to their board."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from tests.store.assigning import toggled
from tui.model.board import Board, BoardView, Place, Stage
from tui.model.comment import Comment, with_comment
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import Reminder, SubtaskGroup, TaskDetail
from tui.model.people import Role
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Operation

PEOPLE = (Person(1, "Me Myself", "me"), Person(2, "Ann Miller", "ann"), Person(3, "Ben", "ben"))
BOARD = Board(
    1,
    "Board",
    description="About",
    people=PEOPLE,
    viewers=frozenset({3}),
    members=frozenset({2}),
    managers=frozenset({1}),
)
LABELS = (Label(31, "bug", "#ff0000"), Label(32, "", "#00ff00"), Label(33, "api", "#0000ff"))
TEXT_FIELD = CustomField(41, 1, "Customer")
DATE_FIELD = CustomField(42, 1, "Release", FieldType.DATE)
YES_NO_FIELD = CustomField(43, 1, "Blocked", FieldType.CHECKBOX)
FIELDS = (TEXT_FIELD, DATE_FIELD, YES_NO_FIELD)
TASK = 1

_WORDS = st.text(
    st.characters(categories=["L", "N"], include_characters=" -“”"), min_size=1, max_size=12
).filter(lambda words: bool(words.strip()))
_TIMES = st.none() | st.datetimes(datetime(2001, 1, 1), datetime(2030, 1, 1)).map(  # noqa: DTZ001  wall clock
    lambda moment: moment.replace(microsecond=0)
)
_MOMENT = datetime(2026, 11, 20, 9, tzinfo=UTC)
Opened = tuple[BoardView, TaskDetail]


@st.composite
def opened(draw: st.DrawFn) -> Opened:
    """A board of three stages, and its first task opened."""
    stages = tuple(
        Stage(number, 1, f"Stage {number}", float(number), draw(st.sampled_from(Status)))
        for number in (11, 12, 13)
    )
    lanes: dict[int, list[Task]] = {stage.id: [] for stage in stages}
    for number in range(TASK, draw(st.integers(TASK, 6)) + 1):
        stage_id = draw(st.sampled_from(stages)).id
        lanes[stage_id].append(draw(_task(number, stage_id)))
    tasks = {stage_id: tuple(lane) for stage_id, lane in lanes.items()}
    view = BoardView(BOARD, stages, tasks, labels=LABELS, people=PEOPLE, fields=FIELDS)
    task = view.task(TASK)
    if task is None:
        raise LookupError(TASK)
    return view, draw(_detail(task))


@st.composite
def _task(draw: st.DrawFn, own_id: int, stage_id: int | None, parent_id: int | None = None) -> Task:
    return Task(
        id=own_id,
        board_id=1,
        stage_id=stage_id,
        title=f"Task {own_id}",
        status=draw(st.sampled_from(Status)),
        priority=draw(st.sampled_from(Priority)),
        description=draw(st.sampled_from(["", "<p>Why</p>"])),
        due_at=draw(_TIMES),
        started_at=draw(_TIMES),
        parent_id=parent_id,
        labels=draw(st.lists(st.sampled_from(LABELS), unique=True, max_size=2).map(tuple)),
        assignees=draw(st.lists(st.sampled_from(PEOPLE), unique=True).map(tuple)),
        comments_count=3,
    )


@st.composite
def _detail(draw: st.DrawFn, task: Task) -> TaskDetail:
    groups = []
    numbers = iter(range(100, 200))
    for group_id in range(51, 51 + draw(st.integers(0, 3))):
        count = draw(st.integers(0, 3))
        subtasks = tuple(draw(_task(next(numbers), None, task.id)) for _ in range(count))
        groups.append(SubtaskGroup(group_id, f"Group {group_id}", subtasks))
    thread: tuple[Comment, ...] = ()
    for number in range(61, 61 + draw(st.integers(0, 3))):
        thread = with_comment(thread, draw(_comment(number, None)))
        for reply in range(draw(st.integers(0, 2))):
            thread = with_comment(thread, draw(_comment(number * 10 + reply, number)))
    at = draw(_TIMES)
    return TaskDetail(
        task=task,
        groups=tuple(groups),
        comments=thread,
        values=draw(st.sampled_from([(), (FieldValue(41, "ACME"), FieldValue(43, value=True))])),
        watching=draw(st.booleans()),
        reminder=None if at is None else Reminder("once", at),
        cover=draw(st.sampled_from(["", "#ff0000"])),
        is_template=draw(st.booleans()),
    )


@st.composite
def _comment(draw: st.DrawFn, own_id: int, parent_id: int | None) -> Comment:
    author = draw(st.sampled_from(PEOPLE))
    return Comment(own_id, TASK, draw(_WORDS), parent_id, author, _MOMENT)


@st.composite
def operations(draw: st.DrawFn, now: Opened) -> Operation:
    """Something that a person may do now."""
    view, detail = now
    makers = [_boards, _stages, _labels, _members, _task_changes, _groups, _comments]
    if any(True for _ in detail.subtasks()):
        makers.append(_subtasks)
    if len(list(view.all_tasks())) > 1:
        makers.append(_conversions)
    choices: list[Operation] = draw(draw(st.sampled_from(makers))(view, detail))
    return draw(st.sampled_from(choices))


@st.composite
def _boards(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    del detail
    words = draw(_WORDS)
    return [
        change.rename_board(view.board, words),
        change.rename_board(view.board, words, draw(_WORDS)),
        change.archive_board(view.board),
        change.ArrangeStages(view.board.id, view.board.title, (words, draw(_WORDS))),
        change.DuplicateBoard(
            change.new_local_id(), view.board.id, view.board.title, words, view.board.type
        ),
    ]


@st.composite
def _members(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    del detail
    person = draw(st.sampled_from((*PEOPLE, Person(4, draw(_WORDS), "eve"))))
    return [change.SetRole.on(view.board, person, role) for role in (None, *Role)]


@st.composite
def _stages(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    del detail
    if not view.stages:
        return [change.CreateStage.new(1, draw(_WORDS))]
    stage = draw(st.sampled_from(view.stages))
    return [
        change.CreateStage.new(1, draw(_WORDS), draw(st.sampled_from(Status))),
        change.rename_stage(stage, draw(_WORDS)),
        change.set_setting(stage, "status", draw(st.sampled_from(Status))),
        change.set_setting(stage, "assignees", draw(st.sets(st.integers(1, 3)))),
        change.set_setting(stage, "template", draw(st.booleans())),
        change.set_stage_color(stage, draw(st.sampled_from(["", "#123456"]))),
        change.SortStage.on(
            stage, draw(st.sampled_from(change.SortBy)), descending=draw(st.booleans())
        ),
        change.ArchiveTasks.on(view, stage),
        change.ArchiveStage.on(view, stage.id),
        change.MoveStage.on(stage, draw(_place([one.id for one in view.stages]))),
    ]


@st.composite
def _labels(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    if not view.labels:
        return [change.CreateLabel.new(1, draw(_WORDS), "#123456")]
    label, words = draw(st.sampled_from(view.labels)), draw(_WORDS)
    task = detail.task
    return [
        change.CreateLabel.new(1, words, "#123456"),
        change.edit_label(1, label, title=words),
        change.edit_label(1, label, color="#654321"),
        change.DeleteLabel.on(view, label),
        change.add_label(task, label),
        change.remove_label(task, label),
        change.remove_label(task, draw(st.sampled_from(task.labels or (label,)))),
    ]


@st.composite
def _task_changes(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    task, person = detail.task, draw(st.sampled_from(PEOPLE))
    at = draw(_TIMES)
    people = draw(st.lists(st.sampled_from(PEOPLE), unique=True))
    choices: list[Operation] = [
        change.set_assignees(task, people),
        *(
            change.ClaimTask.on(task, person, stage, label)
            for stage in view.stages
            for label in (None, Label(-9, "◇ codex", "#123456"))
        ),
        toggled(task, person),
        change.set_watching(task, on=draw(st.booleans())),
        change.set_start(task, at),
        change.set_reminder(detail, None if at is None else Reminder("once", at)),
        change.set_plain(detail, "cover", draw(st.sampled_from(["", "#00ff00"]))),
        change.set_plain(detail, "contact", draw(st.none() | st.integers(1, 99))),
        change.set_plain(detail, "template", draw(st.booleans())),
        change.set_custom_field(detail, TEXT_FIELD, draw(st.none() | _WORDS)),
        change.set_custom_field(detail, YES_NO_FIELD, draw(st.none() | st.booleans())),
    ]
    if view.task(task.id) is not None and task.stage_id is not None:
        parts = change.CloneParts(*draw(st.tuples(*[st.booleans()] * 4)))
        choices.append(change.CloneTask.of(task, parts=parts))
    return choices


@st.composite
def _groups(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    del view
    new = change.CreateGroup.new(detail.task, draw(_WORDS))
    if not detail.groups:
        return [new]
    group = draw(st.sampled_from(detail.groups))
    return [
        new,
        change.rename_group(detail.task, group, draw(_WORDS)),
        change.DeleteGroup.on(detail.task, group),
        change.CreateSubtask.new(detail.task, group, draw(_WORDS), on_top=draw(st.booleans())),
    ]


@st.composite
def _subtasks(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    subtask = draw(st.sampled_from(list(detail.subtasks())))
    group = draw(st.sampled_from(detail.groups or ()))
    place = draw(_place([one.id for one in group.subtasks]))
    choices: list[Operation] = [
        change.set_title(subtask, draw(_WORDS)),
        change.set_status(subtask, draw(st.sampled_from(Status))),
        toggled(subtask, draw(st.sampled_from(PEOPLE))),
        change.add_label(subtask, draw(st.sampled_from(LABELS))),
        change.MoveSubtask.on(detail, subtask, group.id, place),
        change.DeleteSubtask.on(detail, subtask),
        change.CloneSubtask.on(detail, subtask),
    ]
    others = [one for one in detail.subtasks() if one not in group.subtasks]
    if others:
        choices.append(change.MoveSubtasks.on(detail, draw(st.permutations(others)), group))
    if view.stages:
        stage_id = draw(st.sampled_from(view.stages)).id
        choices.append(change.ConvertToTask.on(detail, subtask, stage_id))
    return choices


@st.composite
def _conversions(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    others = [task for task in view.all_tasks() if task.id != detail.task.id]
    task = draw(st.sampled_from(others))
    group = draw(st.sampled_from(detail.groups)) if detail.groups else None
    choices: list[Operation] = [change.MoveTaskToBoard(task, 2, 21, "Other")]
    if group is not None:
        choices.append(change.ConvertToSubtask.on(task, detail.task, group.id))
    return choices


@st.composite
def _comments(draw: st.DrawFn, view: BoardView, detail: TaskDetail) -> list[Operation]:
    del view
    task, words, author = detail.task, draw(_WORDS), PEOPLE[0]
    new = change.CreateComment.new(
        task, f"@ann {words}", author=author, at=_MOMENT, mentions=PEOPLE[1:2]
    )
    if not detail.comments:
        return [new]
    comment = draw(st.sampled_from(detail.comments))
    return [
        new,
        change.CreateComment.new(task, to=comment, text=words, author=author, at=_MOMENT),
        change.EditComment.on(task, comment, words),
        change.DeleteComment.on(task, comment),
    ]


@st.composite
def _place(draw: st.DrawFn, ids: list[int]) -> Place:
    neighbour = st.none() | st.sampled_from(ids) if ids else st.none()
    return Place(draw(neighbour), draw(neighbour))
