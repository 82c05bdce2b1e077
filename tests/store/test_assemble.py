"""Documents made into the model, however odd they are."""

from datetime import UTC, datetime
from math import isfinite

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import ValidationError

from tests.store.lanes import lanes
from tui.client.decoding import decode
from tui.client.documents import Document
from tui.model.board import BoardType
from tui.model.custom_field import FieldValue
from tui.model.task import Priority, Status
from tui.schema.boards import Board
from tui.schema.tasks import Task
from tui.store.documents.assemble import Assembler, instant, wall_clock

FULL: Document = {
    "id": 7,
    "board_id": 1,
    "stage_id": 2,
    "title": "Fix\tlogin\x1b[31m",
    "status": "closed",
    "priority": "high",
    "position": 2.5,
    "description": "<p>Why</p>",
    "due_at": "2026-12-01 17:30:00",
    "started_at": "0000-00-00 00:00:00",
    "archived_at": None,
    "created_at": "2026-11-20T10:00:00+02:00",
    "updated_at": "2026-11-20T09:00:00+00:00",
    "parent_id": None,
    "labels": [{"id": 3, "title": None, "bg_color": "#fff"}],
    "assignees": [{"ID": 4, "display_name": "Ann Ex", "user_login": "ann"}],
    "comments_count": 3,
    "settings": {"subtask_count": 4, "subtask_completed_count": 1, "attachment_count": 2},
    "source": "web",
    "created_by": 4,
    "task_custom_fields": [
        {"id": 9, "foreign_id": 6, "settings": {"value": "No\trth\x1b[0m"}, "preferences": None},
        {"id": 8, "foreign_id": 5, "settings": {"value": True}},
        {"id": 7, "foreign_id": 4, "settings": {"value": None}},
        {"id": 6, "foreign_id": None, "settings": []},
    ],
}
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def test_a_whole_task() -> None:
    task = Assembler().task(FULL)
    assert task is not None
    assert (task.id, task.stage_id, task.title) == (7, 2, "Fix login")
    assert (task.status, task.priority) == (Status.CLOSED, Priority.HIGH)
    assert task.due_at == datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  wall-clock time
    assert task.started_at is None
    assert task.created_at == datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    assert [(label.title, label.color) for label in task.labels] == [("", "#fff")]
    assert [person.name for person in task.assignees] == ["Ann Ex"]
    assert (task.subtasks_done, task.subtasks_total, task.attachments_count) == (1, 4, 2)
    assert (task.comments_count, task.source, task.created_by) == (3, "web", 4)
    assert task.values == (FieldValue(5, value=True), FieldValue(6, "No\trth"))


def test_labels_and_people_that_are_alike_are_one_object() -> None:
    assembler = Assembler()
    one, two = assembler.task(FULL), assembler.task({**FULL, "id": 8})
    assert one is not None
    assert two is not None
    assert one.labels[0] is two.labels[0]
    assert one.assignees[0] is two.assignees[0]
    renamed = {"ID": 4, "display_name": "Ann Other", "user_login": "ann"}
    assert assembler.person(renamed).name == "Ann Other"


@settings(deadline=None)
@given(st.sampled_from(sorted(FULL)), _JSON)
def test_one_odd_value_never_raises(name: str, value: object) -> None:
    try:
        document = decode(Task, {**FULL, name: value})
    except ValidationError:
        assert name == "id"
        return
    task = Assembler().task(document)
    if task is None:
        assert name == "board_id"
    else:
        assert "\x1b" not in task.title
        assert isfinite(task.position)


def test_without_a_board_there_is_no_task() -> None:
    assert Assembler().task({key: FULL[key] for key in FULL if key != "board_id"}) is None


def test_a_board_with_its_stages_in_order() -> None:
    document = {
        "id": 1,
        "title": "Site\x07",
        "type": "roadmap",
        "settings": {"tasks_count": "5"},
        "completed_tasks_count": "2",
        "users": [{"ID": 4, "display_name": "", "user_login": "ann"}, {"ID": None}],
        "labels": [{"id": 3, "title": "bug", "bg_color": None}, None],
        "stages": [
            {
                "id": 12,
                "title": "Done",
                "position": "2.00",
                "settings": {"default_task_status": "closed"},
            },
            {"id": 11, "title": "Open", "position": 1},
            {"id": 13, "title": "Gone", "position": 0, "archived_at": "2026-11-20 09:00:00"},
            "nonsense",
        ],
    }
    view = Assembler().empty_view(decode(Board, document))
    assert (view.board.title, view.board.type) == ("Site", BoardType.ROADMAP)
    assert (view.board.tasks_count, view.board.completed_count) == (5, 2)
    assert [stage.title for stage in view.stages] == ["Open", "Done"]
    assert [stage.default_status for stage in view.stages] == [Status.OPEN, Status.CLOSED]
    assert [person.name for person in view.people] == ["ann"]
    assert [label.title for label in view.labels] == ["bug"]


def test_tasks_are_ordered_by_position_then_id() -> None:
    assembler = Assembler()
    made = [
        assembler.task({"id": number, "board_id": 1, "stage_id": 2, "position": position})
        for number, position in ((3, 1.0), (1, 2.0), (2, 1.0))
    ]
    ordered = lanes(task for task in made if task is not None)
    assert [task.id for task in ordered[2]] == [2, 3, 1]


@pytest.mark.parametrize("value", [None, "", "soon", "0000-00-00 00:00:00", 5, "2026-13-01"])
def test_what_is_no_time_is_none(value: object) -> None:
    assert wall_clock(value) is None
    assert instant(value) is None


@pytest.mark.parametrize(
    "color", ["red", "not a color", "#ff", "#12345g", "#\x1b[31m", "", None, 7, "#fff\n"]
)
def test_a_label_has_a_colour_that_can_be_drawn_whatever_the_service_says(color: object) -> None:
    label = Assembler().label({"id": 3, "title": "bug", "bg_color": color})
    assert label.color == "#8590a2"


@pytest.mark.parametrize(
    ("cover", "color"),
    [
        ({"backgroundColor": "#4bce97"}, "#4bce97"),
        ({"backgroundColor": ""}, ""),
        ({"backgroundColor": "url(x)"}, ""),
        ({"backgroundColor": None}, ""),
        ({"imageId": 3}, ""),
        ("#4bce97", ""),
        (None, ""),
    ],
)
def test_a_cover_is_a_colour_or_none(cover: object, color: str) -> None:
    task = Assembler().task(FULL | {"settings": {"cover": cover}})
    assert task is not None
    assert task.cover == color
