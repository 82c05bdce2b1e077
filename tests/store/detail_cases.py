"""What a person does to boards, stages, labels and opened tasks, and what comes of it."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from tests.store.assigning import toggled
from tests.store.opened_board import ANN_MILLER, FIELD, Opened
from tests.store.service import ANN, BEN, BOARD, DOING, ME, OPEN, Service
from tui.model.board import BoardType, Place
from tui.model.custom_field import FieldType
from tui.model.detail import Reminder
from tui.model.people import Role
from tui.model.task import Person, Status
from tui.store import operations as change
from tui.store.operations.base import Operation

BEN_COOK = Person(BEN, "Ben Cook", "ben")
AT = datetime(2026, 12, 1, 17, 0)  # noqa: DTZ001  wall clock


class Case(NamedTuple):
    """Something a person does, the call it takes, and what the service shows of it then."""

    call: str
    make: Callable[[Opened], Operation]
    seen: Callable[[Service, Opened], object]
    expected: object


def titles(service: Service, group: int) -> list[str]:
    """The titles of the subtasks of a group that the service holds."""
    return [subtask["title"] for subtask in service.line(group)]


CASES: dict[str, Case] = {
    "create-board": Case(
        "create_board",
        lambda _: change.CreateBoard.new("Second"),
        lambda service, _: sorted(service.boards()),
        ["Relaunch", "Second"],
    ),
    "create-roadmap": Case(
        "create_board",
        lambda _: change.CreateBoard(
            -7, "Second", "", BoardType.ROADMAP, currency="EUR", stages=("Now", "Later")
        ),
        lambda service, _: list(service.stages(service.boards()["Second"])),
        ["Now", "Later"],
    ),
    "arrange-stages": Case(
        "create_stage",
        lambda _: change.ArrangeStages(BOARD, "Relaunch", ("Open", "Now", "Next", "Later")),
        lambda service, _: list(service.stages()),
        ["Open", "Now", "Next", "Later"],
    ),
    "arrange-fewer-stages": Case(
        "archive_stage",
        lambda _: change.ArrangeStages(BOARD, "Relaunch", ("Now", "Done")),
        lambda service, _: list(service.stages()),
        ["Now", "Done"],
    ),
    "duplicate-board": Case(
        "duplicate_board",
        lambda _: change.DuplicateBoard(-7, BOARD, "Relaunch", "Second", BoardType.TO_DO),
        lambda service, _: [list(service.stages(one)) for one in service.boards().values()],
        [["Open", "Doing", "Done"], ["Open", "Doing", "Done"]],
    ),
    "rename-board": Case(
        "update_board",
        lambda opened: change.rename_board(opened.party.view.board, "Launch"),
        lambda service, _: service.board()["title"],
        "Launch",
    ),
    "archive-board": Case(
        "archive_board",
        lambda opened: change.archive_board(opened.party.view.board),
        lambda service, _: bool(service.board()["archived_at"]),
        True,
    ),
    "set-role": Case(
        "set_role",
        lambda opened: change.SetRole.on(opened.party.view.board, BEN_COOK, Role.MANAGER),
        lambda service, _: service.roles(),
        {"me": "admin", "ann": "member", "ben": "admin"},
    ),
    "remove-member": Case(
        "set_role",
        lambda opened: change.SetRole.on(opened.party.view.board, BEN_COOK, None),
        lambda service, _: service.roles(),
        {"me": "admin", "ann": "member"},
    ),
    "create-stage": Case(
        "create_stage",
        lambda _: change.CreateStage.new(BOARD, "Later"),
        lambda service, _: list(service.stages()),
        ["Open", "Doing", "Done", "Later"],
    ),
    "rename-stage": Case(
        "update_stage",
        lambda opened: change.rename_stage(opened.party.view.stages[1], "Now"),
        lambda service, _: list(service.stages()),
        ["Open", "Now", "Done"],
    ),
    "archive-stage": Case(
        "archive_stage",
        lambda opened: change.ArchiveStage.on(opened.party.view, DOING),
        lambda service, _: list(service.stages()),
        ["Open", "Done"],
    ),
    "move-stage": Case(
        "reposition_stages",
        lambda opened: change.MoveStage.on(opened.party.view.stages[2], Place(OPEN, DOING)),
        lambda service, _: list(service.stages()),
        ["Open", "Done", "Doing"],
    ),
    "set-stage-status": Case(
        "set_stage_setting",
        lambda opened: change.set_setting(opened.party.view.stages[1], "status", Status.CLOSED),
        lambda service, _: service.board()["stages"][1]["settings"]["default_task_status"],
        "closed",
    ),
    "set-stage-assignees": Case(
        "set_stage_setting",
        lambda opened: change.set_setting(opened.party.view.stages[1], "assignees", [ANN, ME]),
        lambda service, _: service.board()["stages"][1]["settings"]["default_task_assignees"],
        [ME, ANN],
    ),
    "set-stage-template": Case(
        "set_stage_setting",
        lambda opened: change.set_setting(opened.party.view.stages[1], "template", True),
        lambda service, _: service.board()["stages"][1]["settings"],
        {"default_task_status": "open", "default_task_assignees": [], "is_template": True},
    ),
    "set-stage-color": Case(
        "set_stage_color",
        lambda opened: change.set_stage_color(opened.party.view.stages[1], "#123456"),
        lambda service, _: service.board()["stages"][1]["bg_color"],
        "#123456",
    ),
    "sort-stage": Case(
        "sort_tasks",
        lambda opened: change.SortStage.on(
            opened.party.view.stages[0], change.SortBy.TITLE, descending=True
        ),
        lambda service, _: service.titles(OPEN),
        ["Gamma", "Beta", "Alpha"],
    ),
    "reverse-stage": Case(
        "sort_tasks",
        lambda opened: change.SortStage.on(
            opened.party.view.stages[0], change.SortBy.POSITION, descending=True
        ).named(opened.party.view),
        lambda service, _: service.titles(OPEN),
        ["Gamma", "Beta", "Alpha"],
    ),
    "order-tasks": Case(
        "order_tasks",
        lambda opened: change.OrderTasks(
            BOARD, OPEN, "Open", tuple(task.id for task in opened.party.view.in_stage(OPEN))[::-1]
        ),
        lambda service, _: service.titles(OPEN),
        ["Gamma", "Beta", "Alpha"],
    ),
    "archive-tasks": Case(
        "archive_tasks",
        lambda opened: change.ArchiveTasks.on(opened.party.view, opened.party.view.stages[0]),
        lambda service, _: (service.titles(OPEN), service.titles(DOING)),
        ([], ["Delta"]),
    ),
    "set-assignees": Case(
        "assign",
        lambda opened: change.set_assignees(opened.task, [*opened.task.assignees, ANN_MILLER]),
        lambda service, opened: [
            one["ID"] for one in service.task(opened.things.task)["assignees"]
        ],
        [ME, ANN],
    ),
    "assign-a-subtask": Case(
        "assign",
        lambda opened: toggled(opened.subtask(0), ANN_MILLER),
        lambda service, opened: [
            one["ID"] for one in service.task(opened.things.subtasks[0])["assignees"]
        ],
        [ANN],
    ),
    "stop-watching": Case(
        "watch",
        lambda opened: change.set_watching(opened.task, on=False),
        lambda service, opened: service.task(opened.things.task)["is_watching"],
        False,
    ),
    "add-label": Case(
        "add_label",
        lambda opened: change.add_label(opened.task, opened.label(opened.things.unused)),
        lambda service, opened: [
            one["title"] for one in service.task(opened.things.task)["labels"]
        ],
        ["bug", "api"],
    ),
    "remove-label": Case(
        "remove_label",
        lambda opened: change.remove_label(opened.task, opened.label(opened.things.label)),
        lambda service, opened: service.task(opened.things.task)["labels"],
        [],
    ),
    "create-label": Case(
        "create_label",
        lambda _: change.CreateLabel.new(BOARD, "later", "#00ff00"),
        lambda service, _: [one["title"] for one in service.labels()],
        ["bug", "api", "later"],
    ),
    "edit-label": Case(
        "update_label",
        lambda opened: change.edit_label(BOARD, opened.label(opened.things.label), title="BUG"),
        lambda service, opened: [
            one["title"] for one in service.task(opened.things.task)["labels"]
        ],
        ["BUG"],
    ),
    "delete-label": Case(
        "delete_label",
        lambda opened: change.DeleteLabel.on(opened.party.view, opened.label(opened.things.label)),
        lambda service, _: [one["title"] for one in service.labels()],
        ["api"],
    ),
    "recolour-label": Case(
        "update_label",
        lambda opened: change.edit_label(BOARD, opened.label(opened.things.label), color="#fff"),
        lambda service, _: [
            [one["title"], one["bg_color"], one["color"]] for one in service.labels()[:1]
        ],
        [["bug", "#fff", "#1b2533"]],
    ),
    "create-field": Case(
        "create_field",
        lambda _: change.CreateField.new(BOARD, "Size", FieldType.SELECT, ("S", "L")),
        lambda service, _: service.fields(),
        [("Customer", "text", None), ("Size", "select", ["S", "L"])],
    ),
    "rename-field": Case(
        "update_field",
        lambda _: change.edit_custom_field(FIELD, title="Client"),
        lambda service, _: service.fields(),
        [("Client", "text", None)],
    ),
    "give-options-to-a-field": Case(
        "update_field",
        lambda _: change.edit_custom_field(
            FIELD, type=FieldType.SELECT, options=("ACME", "Initech")
        ),
        lambda service, _: service.fields(),
        [("Customer", "select", ["ACME", "Initech"])],
    ),
    "delete-field": Case(
        "delete_field",
        lambda _: change.DeleteField(FIELD),
        lambda service, _: service.fields(),
        [],
    ),
    "set-start": Case(
        "set_task",
        lambda opened: change.set_start(opened.task, AT),
        lambda service, opened: service.task(opened.things.task)["started_at"],
        "2026-12-01 17:00:00",
    ),
    "set-reminder": Case(
        "set_task",
        lambda opened: change.set_reminder(opened.detail, Reminder("once", AT)),
        lambda service, opened: [
            service.task(opened.things.task).get(name) for name in ("remind_at", "reminder_type")
        ],
        ["2026-12-01 17:00:00", "once"],
    ),
    "set-cover": Case(
        "set_task",
        lambda opened: change.set_plain(opened.detail, "cover", "#123456"),
        lambda service, opened: service.task(opened.things.task)["settings"]["cover"],
        {"backgroundColor": "#123456"},
    ),
    "clone-task": Case(
        "clone_task",
        lambda opened: change.CloneTask.of(opened.task, title="Alpha again"),
        lambda service, _: sorted(service.titles(OPEN)),
        ["Alpha", "Alpha again", "Beta", "Gamma"],
    ),
    "create-group": Case(
        "create_subtask_group",
        lambda opened: change.CreateGroup.new(opened.task, "Then"),
        lambda service, opened: [one["value"] for one in service.groups(opened.things.task)],
        ["Before", "After", "Then"],
    ),
    "rename-group": Case(
        "rename_subtask_group",
        lambda opened: change.rename_group(opened.task, opened.group(0), "First"),
        lambda service, opened: [one["value"] for one in service.groups(opened.things.task)],
        ["First", "After"],
    ),
    "delete-group": Case(
        "delete_subtask_group",
        lambda opened: change.DeleteGroup.on(opened.task, opened.group(0)),
        lambda service, opened: [one["value"] for one in service.groups(opened.things.task)],
        ["After"],
    ),
    "create-subtask": Case(
        "create_subtask",
        lambda opened: change.CreateSubtask.new(opened.task, opened.group(0), "W", on_top=True),
        lambda service, opened: titles(service, opened.things.groups[0]),
        ["W", "X", "Y", "Z"],
    ),
    "move-subtask": Case(
        "place_subtask",
        lambda opened: change.MoveSubtask.on(
            opened.detail,
            opened.subtask(2),
            opened.things.groups[0],
            Place(opened.things.subtasks[0], opened.things.subtasks[1]),
        ),
        lambda service, opened: titles(service, opened.things.groups[0]),
        ["X", "Z", "Y"],
    ),
    "move-subtask-to-another-group": Case(
        "place_subtask",
        lambda opened: change.MoveSubtask.on(
            opened.detail, opened.subtask(0), opened.things.groups[1], Place()
        ),
        lambda service, opened: [titles(service, one) for one in opened.things.groups],
        [["Y", "Z"], ["X"]],
    ),
    "move-subtasks": Case(
        "move_subtasks",
        lambda opened: change.MoveSubtasks.on(
            opened.detail, (opened.subtask(2), opened.subtask(0)), opened.group(1)
        ),
        lambda service, opened: [titles(service, one) for one in opened.things.groups],
        [["Y"], ["Z", "X"]],
    ),
    "delete-subtask": Case(
        "delete_subtask",
        lambda opened: change.DeleteSubtask.on(opened.detail, opened.subtask(1)),
        lambda service, opened: titles(service, opened.things.groups[0]),
        ["X", "Z"],
    ),
    "clone-subtask": Case(
        "clone_subtask",
        lambda opened: change.CloneSubtask.on(opened.detail, opened.subtask(0)),
        lambda service, opened: titles(service, opened.things.groups[0]),
        ["X", "X (cloned)", "Y", "Z"],
    ),
    "convert-to-subtask": Case(
        "task_to_subtask",
        lambda opened: change.ConvertToSubtask.on(
            opened.other, opened.task, opened.things.groups[1]
        ),
        lambda service, opened: (service.titles(OPEN), titles(service, opened.things.groups[1])),
        (["Alpha", "Gamma"], ["Beta"]),
    ),
    "convert-to-task": Case(
        "subtask_to_task",
        lambda opened: change.ConvertToTask.on(opened.detail, opened.subtask(0), DOING),
        lambda service, opened: (
            service.titles(DOING),
            titles(service, opened.things.groups[0]),
        ),
        (["Delta", "X"], ["Y", "Z"]),
    ),
    "create-comment": Case(
        "create_comment",
        lambda opened: change.CreateComment.new(opened.task, "Fourth"),
        lambda service, opened: service.said(opened.things.task),
        ["First\nSecond\nThird", "Well said", "Indeed", "Fourth"],
    ),
    "reply": Case(
        "create_comment",
        lambda opened: change.CreateComment.new(
            opened.task, to=opened.comment(opened.things.own), text="Yes"
        ),
        lambda service, opened: [
            one["parent_id"] == opened.things.own for one in service.comments(opened.things.task)
        ],
        [False, False, False, True],
    ),
    "edit-comment": Case(
        "update_comment",
        lambda opened: change.EditComment.on(
            opened.task, opened.comment(opened.things.own), "First\nSecond\nLast"
        ),
        lambda service, opened: service.said(opened.things.task)[0],
        "First\nSecond\nLast",
    ),
    "delete-comment": Case(
        "delete_comment",
        lambda opened: change.DeleteComment.on(opened.task, opened.comment(opened.things.own)),
        lambda service, opened: service.said(opened.things.task),
        ["Well said", "Indeed"],
    ),
    "set-field-value": Case(
        "set_field_value",
        lambda opened: change.set_custom_field(opened.detail, FIELD, "Initech"),
        lambda service, opened: service.values(opened.things.task),
        {FIELD.id: "Initech"},
    ),
    "clear-field-value": Case(
        "set_field_value",
        lambda opened: change.set_custom_field(opened.detail, FIELD, None),
        lambda service, opened: service.values(opened.things.task),
        {},
    ),
}
