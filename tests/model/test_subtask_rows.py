"""The rows of the subtasks: what stands where, and where a title is typed."""

from dataclasses import replace

from tests.fakes.subtasks import detailed, subtask
from tui.model.board import Place
from tui.model.moving import lift
from tui.model.moving.lift import RowKind
from tui.model.moving.subtasks import (
    RowKey,
    TitleSpot,
    index_of,
    lanes,
    nearest,
    rows,
)
from tui.model.task import Status
from tui.screens.task.subtask_lines import named
from tui.screens.task.subtask_list import made_at, moves_to_group
from tui.store.operations import CreateGroup, CreateSubtask, Edit, MoveSubtask
from tui.text.plain_names import DEFAULT_GROUP


def drawn(**more: object) -> list[str]:
    """The rows of the task in words."""
    detail = detailed()
    signs = {RowKind.CARD: "", RowKind.OUTLINE: "-", RowKind.GHOST: "*", RowKind.GAP: "_"}
    found = rows(detail, lanes(detail), **more)  # type: ignore[arg-type]  # named by the caller
    return [
        signs[row.kind]
        + (row.subtask.title if row.subtask else row.group.title if row.group else "")
        for row in found
    ]


def test_groups_are_headings_with_their_subtasks_below() -> None:
    assert drawn() == ["Design", "p", "q", "r", "Build", "s", "t", "Later"]
    assert rows(None, lanes(None)) == ()
    lifted = lift.lift(lanes(detailed()), [102], 102)
    assert lifted is not None
    over = lift.step(lifted, lanes(detailed()), 5)
    assert drawn(lifted=over) == ["Design", "p", "-q", "r", "Build", "s", "t", "Later", "*q"]


def test_a_title_is_typed_below_a_subtask_or_on_top_or_behind_everything() -> None:
    assert drawn(gap=TitleSpot(1, 102))[:5] == ["Design", "p", "q", "_", "r"]
    assert drawn(gap=TitleSpot(2))[4:7] == ["Build", "_", "s"]
    assert drawn(gap=TitleSpot(is_group=True))[-1] == drawn(gap=TitleSpot(9, 999))[-1] == "_"
    assert TitleSpot(-1, -2).renamed({-1: 1, -2: 2}) == TitleSpot(1, 2)


def test_a_row_is_found_by_what_it_stands_for() -> None:
    found = rows(detailed(), lanes(detailed()))
    assert index_of(found, RowKey(1, 102)) == 2
    assert index_of(found, RowKey(9, 201)) == 5
    assert index_of(found, RowKey(3)) == 7
    assert index_of(found, RowKey(8)) is index_of(found, None) is None
    assert RowKey(-1, -2).renamed({-2: 5}) == RowKey(-1, 5)
    assert (nearest(found, 99), nearest(found, -2), nearest((), 3)) == (7, 0, 0)


def order_after(spot: TitleSpot, *titles: str) -> dict[str, list[str]]:
    """The groups after subtasks were made at a spot."""
    detail = detailed()
    for operation in made_at(detail, spot, titles).operations:
        detail = operation.apply_detail(detail)
    return {group.title: [one.title for one in group.subtasks] for group in detail.groups or ()}


def test_subtasks_come_to_the_spot_in_their_order() -> None:
    assert order_after(TitleSpot(1), "x", "y")["Design"] == ["x", "y", "p", "q", "r"]
    assert order_after(TitleSpot(1, 101), "x", "y")["Design"] == ["p", "x", "y", "q", "r"]
    assert order_after(TitleSpot(1, 103), "x", "y")["Design"] == ["p", "q", "r", "x", "y"]
    assert order_after(TitleSpot(3), "x", "y")["Later"] == ["x", "y"]
    assert order_after(TitleSpot(9, 999), "x")["Design"] == ["x", "p", "q", "r"]


def test_few_operations_are_asked_for() -> None:
    kinds = [type(each) for each in made_at(detailed(), TitleSpot(1, 103), ["x"]).operations]
    assert kinds == [CreateSubtask]
    kinds = [type(each) for each in made_at(detailed(), TitleSpot(1), ["x"], done=[0]).operations]
    assert kinds == [CreateSubtask, Edit]
    kinds = [type(each) for each in made_at(detailed(), TitleSpot(1, 101), ["x"]).operations]
    assert kinds == [CreateSubtask, MoveSubtask]
    bare = replace(detailed(), groups=())
    made = made_at(bare, TitleSpot(), ["x", "y"], done=[1])
    assert [type(each) for each in made.operations][:2] == [CreateGroup, CreateSubtask]
    for operation in made.operations:
        bare = operation.apply_detail(bare)
    assert [group.title for group in bare.groups or ()] == [DEFAULT_GROUP]
    assert [(one.title, one.status) for one in bare.subtasks()] == [
        ("x", Status.OPEN),
        ("y", Status.CLOSED),
    ]
    assert [one.id for one in bare.subtasks()] == made.subtask_ids


def test_subtasks_go_to_the_end_of_a_group_in_their_order() -> None:
    detail = detailed()
    chosen = [one for one in detail.subtasks() if one.id in (101, 103, 202)]
    group = detail.group(2)
    assert group is not None
    found = moves_to_group(detail, chosen, group)
    assert [each.place for each in found if isinstance(each, MoveSubtask)] == [
        Place(201),
        Place(101),
        Place(103),
    ]
    for operation in found:
        detail = operation.apply_detail(detail)
    assert [one.title for one in (detail.groups or ())[1].subtasks] == ["s", "p", "r", "t"]
    assert named(chosen) == "3 subtasks"
    assert named([subtask(1, "one")]) == "“one”"
