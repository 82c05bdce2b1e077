"""Labels, moves by name, copies, and bringing archived tasks back."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from tests.fakes.boards import AUTH, BUG, NOW, relaunch, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.actions.card_actions import archiving, deleting, is_archived, what_goes
from tui.actions.tasks.moving import moves_to_end
from tui.config.preferences import Preferences
from tui.dialogs.pick.find import chip
from tui.dialogs.pick.many import PickLabels
from tui.dialogs.pick.places import MoveToDialog
from tui.errors import CallboardError
from tui.model.board import Board, BoardView, Place, Stage
from tui.model.colors import COLORS, color_name, free_color, text_color
from tui.model.detail import DetailPart, SubtaskGroup, TaskDetail
from tui.model.task import Label
from tui.store.operations import (
    ArchiveTask,
    CloneParts,
    CloneTask,
    CreateLabel,
    DeleteLabel,
    DeleteSubtask,
    DeleteTask,
    Edit,
    MoveTask,
    MoveTaskToBoard,
    RestoreTask,
    is_edit,
)

SMALL = (64, 22)


def labels(store: FakeStore, task_id: int) -> list[str]:
    """The labels of a card."""
    found = store.views[1].task(task_id)
    assert found is not None
    return [label.title for label in found.labels]


async def test_labels_are_toggled_and_made_in_one_step() -> None:
    store = FakeStore(relaunch())
    async with opened(store, size=SMALL) as person:
        await person.press("t")
        assert "[x] ■ bug  red" in person.text
        assert "[ ] ■ (no title)  purple" in person.text
        assert "space remove bug" in person.text
        await person.press("a", "p")
        assert "ctrl+space select api" in person.text
        await person.press("ctrl+@", "b", "u", "ctrl+space")
        assert "[ ] ■ bug" in person.text
        await person.press("down", "space", "space", "up")
        await person.type("ui x")
        assert "create label “ui x”" in person.text
        await person.press("enter")
        edits = [each for each in store.submitted if isinstance(each, Edit)]
        added = [each.field for each in edits if each.text == "true"]
        removed = [each.field for each in edits if each.text == "false"]
        assert [each.title for each in store.submitted if isinstance(each, CreateLabel)] == ["ui x"]
        assert {each.title for each in added if isinstance(each, Label)} == {"api", "ui x"}
        assert [each.title for each in removed if isinstance(each, Label)] == ["bug"]
        assert labels(store, 412) == ["auth", "api", "ui x"]
        assert len(store.steps) == 1
        assert "“api”, “ui x” · 1 label removed" in person.said
        await person.press("t", "enter")
        assert "No labels changed" in person.said


async def test_a_new_label_may_begin_like_another_one() -> None:
    store = FakeStore(relaunch())
    async with opened(store, size=SMALL) as person:
        await person.press("t")
        await person.type("bug")
        assert "ctrl+space remove bug" in person.text
        await person.press("space")
        await person.type("fix")
        assert "create label “bug fix”" in person.text
        await person.press("enter")
        assert [each.title for each in store.submitted if isinstance(each, CreateLabel)] == [
            "bug fix"
        ]
        assert labels(store, 412) == ["bug", "auth", "bug fix"]


@pytest.mark.long
async def test_a_label_is_renamed_recoloured_and_deleted_from_the_picker() -> None:
    store = FakeStore(relaunch())
    async with opened(store, size=SMALL) as person:
        await person.press("t", "a", "p", "ctrl+@", "a", "u", "ctrl+r")
        assert "Label “auth”" in person.text
        assert "↵ save" in person.text
        await person.press("s", "down", "right", "enter")
        edited = store.submitted[0]
        assert is_edit(edited, "look", "label")
        assert edited.value[:2] == ("auths", COLORS["sky"])
        assert "[x] ■ api" in person.text
        await person.press("ctrl+r", "escape", "ctrl+x", "enter", "n")
        assert len(store.submitted) == 1
        await person.press("ctrl+x")
        assert "Delete label “auths”" in person.text
        assert "2 cards will lose it" in person.text
        await person.press("y", "enter")
        assert [type(each) for each in store.submitted[1:]] == [DeleteLabel, Edit]
        assert labels(store, 412) == ["bug", "api"]
        assert [len(step) for step in store.steps] == [1, 1, 1]


@pytest.mark.long
async def test_the_title_and_the_colour_of_a_label_stay_as_they_are_until_changed() -> None:
    store = FakeStore(replace(small(), labels=(Label(66, " a  b ", "#123456"),)))
    async with opened(store, size=SMALL) as person:
        await person.press("t", "ctrl+r")
        assert "#123456" in person.text
        await person.press("enter")
        assert store.submitted == []
        await person.press("ctrl+r", "down", "right", "enter")
        color = store.submitted[0]
        assert is_edit(color, "look", "label")
        assert color.value[0] is None
        await person.press("ctrl+r", "!", "enter")
        title = store.submitted[1]
        assert is_edit(title, "look", "label")
        assert title.value[0] == "a b !"


async def test_what_fails_is_said_and_hostile_titles_do_no_harm() -> None:
    evil = Label(66, "[red]x[/] {0}", "no colour")
    view = replace(relaunch(), labels=(evil, *relaunch().labels))
    store = FakeStore(view)
    async with opened(store, size=(40, 20)) as person:
        store.failure = CallboardError("The disk is full.")
        await person.press("t", "space")
        assert "[x] ■ [red]x[/] {0}" in person.text
        await person.press("ctrl+r")
        assert "no colour" in person.text
        await person.press("z", "enter", "enter", "C", "enter", "m", "2")
        await person.press("escape", "m", "down", "enter")
        assert store.submitted == []
        assert store.views[1] is view
        assert "The disk is full" in person.said


@pytest.mark.long
async def test_a_card_goes_to_a_stage_found_by_name() -> None:
    store = FakeStore(small())
    async with opened(store, size=SMALL) as person:
        await person.press("m")
        assert "1 To do  3 · here" in person.text
        await person.press("o", "i", "enter")
        (move,) = store.submitted
        assert isinstance(move, MoveTask)
        assert (move.stage_id, move.place) == (2, Place(22, None))
        assert "Moved “a” to the bottom of “Doing”" in person.said
        assert person.titles(2) == ["d", "e", "a"]
        await person.press("u", "home", "v", "v", "m", "tab")
        assert "2 Doing  2 · recent" in person.text
        assert "↵ select top   tab bottom" in person.text
        await person.press("enter")
        assert person.titles(2) == ["a", "b", "d", "e"]
        assert len(store.steps) == 2
        await person.press("2", "home", "m", "d", "o", "i", "tab", "enter")
        assert "Already at the top of “Doing”" in person.said
        await person.press("m", "x", "enter", "escape")
        assert len(store.steps) == 2


@pytest.mark.long
async def test_where_cards_were_moved_to_lately_comes_first_and_is_kept() -> None:
    kept, store = (
        Preferences(),
        FakeStore(small(), BoardView(Board(2, "Ops"), (Stage(9, 2, "Only"),))),
    )
    async with opened(store, size=SMALL, preferences=kept) as person:
        for words in ("done", "ops"):
            await person.press("m")
            await person.type(words)
            await person.press("enter")
    async with opened(store, size=SMALL, preferences=kept) as person:
        await person.press("m")
        listed = [" ".join(row.split()) for row in person.text.split("\n")]
        order = [
            max(i for i, row in enumerate(listed) if words in row)
            for words in (
                "→ Ops another board · recent",
                "3 Done 1 · recent",
                "1 To do 1 · here",
                "2 Doing 2",
            )
        ]
        assert order == sorted(order)
        await person.press("escape", "3", "m")
        assert "3 Done  1 · here" in person.text, "where it is already is not offered first"


@pytest.mark.long
async def test_labels_chosen_lately_come_first_also_one_that_was_just_made() -> None:
    store = FakeStore(relaunch())
    async with opened(store, size=SMALL) as person:
        await person.press("t")
        await person.type("urgent")
        await person.press("enter")
        (made,) = (one for one in store.submitted if isinstance(one, CreateLabel))
        store.news(
            made.renamed({made.label.id: 77}).apply(relaunch()),
            **{f"_{made.label.id}": 77},
        )
        await person.press("t", "a", "p", "i", "ctrl+space", "enter", "t")
        first, second = [row for row in person.text.split("\n") if "recent" in row]
        assert "api" in first
        assert "urgent" in second
        assert person.text.index("recent") < person.text.index("auth")


@pytest.mark.long
async def test_a_card_goes_to_another_board() -> None:
    view = small().with_task(replace(small().in_stage(1)[0], labels=(BUG,)))
    there = BoardView(Board(2, "There"), (Stage(7, 2, "One"), Stage(8, 2, "Two")))
    single = BoardView(Board(3, "Single"), (Stage(9, 3, "Only"),))
    store = FakeStore(view, there, single)
    store.others = (Board(4, "Unknown"), Board(5, "Old", archived_at=NOW))
    async with opened(store, size=SMALL) as person:
        await person.press("m")
        assert "→ There" in person.text
        assert "Old" not in person.text
        await person.press("t", "h", "enter", "w", "tab", "enter")
        (move,) = store.submitted
        assert isinstance(move, MoveTaskToBoard)
        assert (move.to_board_id, move.to_stage_id) == (2, 8)
        assert "Moved “a” to “There”, without labels" in person.said
        await person.press("m", "s", "i", "enter")
        assert "to “Single”" in person.said
        await person.press("m", "u", "n", "enter")
        assert "The stages of “Unknown” are not loaded yet" in person.said
        assert len(store.steps) == 2


@pytest.mark.long
async def test_a_copy_is_asked_for_in_full() -> None:
    store = FakeStore(relaunch())
    reason = "this edition has no subtasks"
    first = relaunch().in_stage(1)[0]
    store.details = {412: TaskDetail(first, why={DetailPart.SUBTASKS: reason})}
    async with opened(store, size=SMALL) as person:
        await person.press("C")
        assert re.search("With subtasks +no  this edition has no subtasks", person.text)
        assert re.search("With labels +‹ yes: bug, auth ›", person.text)
        await person.press("space", "2", "down", "right", "down", "space", "down", "down", "space")
        await person.press("down", "space", "down", "up", "enter")
        (copy,) = store.submitted
        assert isinstance(copy, CloneTask)
        assert copy.title == "Fix login redirect after SSO 2"
        assert copy.stage_id == 2
        assert copy.parts == CloneParts(people=False, subtasks=False, comments=True)
        assert "Duplicated “Fix login redirect after SSO” to “Doing”" in person.said
        await person.press("v", "l", "v", "C")
        assert "same title as the original" in person.text
        assert "same stage as the original" in person.text
        await person.press("enter")
        assert [type(each) for each in store.steps[1]] == [CloneTask, CloneTask]
        assert {each.stage_id for each in store.steps[1] if isinstance(each, CloneTask)} == {1, 2}


async def test_a_task_that_was_renamed_or_went_meanwhile() -> None:
    view = small()
    local = task(-5, "mine")
    store = FakeStore(replace(view, tasks={**view.tasks, 1: (local, *view.tasks[1])}))
    async with opened(store, size=SMALL) as person:
        await person.press("m", "down")
        mine = replace(local, id=99)
        store.news(replace(view, tasks={**view.tasks, 1: (mine, *view.tasks[1])}), **{"_-5": 99})
        await person.press("enter")
        assert store.submitted[0].task_id == 99
        await person.press("m", "down")
        store.news(view.without_task(11))
        await person.press("enter")
        assert "Deleted cards were skipped" in person.said
        assert len(store.submitted) == 1


def test_archived_tasks_and_subtasks_go_in_their_own_way() -> None:
    view = small()
    first = view.in_stage(1)[0]
    old = task(90, "old", archived_at=NOW)
    sub = replace(task(91, "sub", parent_id=11), stage_id=None)
    detail = TaskDetail(first, (SubtaskGroup(5, "Group", (sub,)),))
    assert [type(each) for each in archiving((old,), view)] == [RestoreTask]
    assert [type(each) for each in archiving((old, first), view)] == [ArchiveTask]
    assert archiving((sub,), view) == []
    gone = deleting((first, old, sub, task(92, "lost", parent_id=7)), view, {11: detail}.get)
    assert [type(each) for each in gone] == [DeleteTask, DeleteTask, DeleteSubtask]
    assert not is_archived(())
    assert "A to restore" in what_goes((old,))
    assert "x to close it" in what_goes((sub,))
    many = what_goes([first] * 5)
    assert "… and 2 more" in many


@given(st.data())
@settings(deadline=None)
def test_cards_at_an_end_keep_their_order(data: st.DataObject) -> None:
    view = small()
    chosen = data.draw(st.lists(st.sampled_from(list(view.all_tasks())), min_size=1, unique=True))
    stage_id = data.draw(st.sampled_from([1, 2, 3]))
    is_top = data.draw(st.booleans())
    ids = [each.id for each in view.all_tasks() if each in chosen]
    rest = [each.id for each in view.in_stage(stage_id) if each.id not in ids]
    wanted = [*ids, *rest] if is_top else [*rest, *ids]
    moves = moves_to_end(view, chosen, stage_id, is_top=is_top)
    after = view
    for move in moves:
        after = move.apply(after)
    assert [each.id for each in after.in_stage(stage_id)] == wanted
    assert bool(moves) == (after != view)
    assert (
        moves_to_end(
            after, [each for each in after.all_tasks() if each.id in ids], stage_id, is_top=is_top
        )
        == []
    )


@pytest.mark.parametrize(("color", "shown"), [("#4BCE97", "green"), ("red", ""), ("", "")])
def test_colours_have_names(color: str, shown: str) -> None:
    assert color_name(color) == shown
    assert str(chip(color)) == "■"


def test_a_new_label_gets_a_colour_that_is_free() -> None:
    taken = [Label(i, "", color) for i, color in enumerate(COLORS.values())]
    assert free_color(()) == COLORS["green"]
    assert free_color(taken[:3]) == COLORS["red"]
    assert free_color(taken[1:]) == COLORS["green"]
    assert free_color([*taken, *taken[1:]]) == COLORS["green"]
    assert text_color(COLORS["dark red"]) != text_color(COLORS["red"])


def test_pickers_list_what_fits() -> None:
    picker = PickLabels("Labels", relaunch(), relaunch().in_stage(1)[:2], {BUG.id})
    assert [row.key for row in picker.rows("auth")] == [str(AUTH.id)]
    assert picker.rows("  new   one ")[-1].key == "+"
    move = MoveToDialog("[b]", small(), current_stages={1}, boards=(Board(7, "[/x]"),))
    assert [str(row.shown) for row in move.rows("")] == [
        " 1 To do  3 · here", " 2 Doing  2", " 3 Done  0", " → [/x]  another board",
    ]  # fmt: skip
