"""The subtasks of a task, by keys: carried, made, renamed, deleted, put elsewhere."""

from dataclasses import replace

import pytest

from tests.fakes.boards import small, task
from tests.fakes.subtasks import detailed, subtask
from tests.screens.subtask_host import at_subtasks
from tui.errors import CallboardError
from tui.model.detail import DetailPart, SubtaskGroup, TaskDetail
from tui.model.task import Status
from tui.store.operations import (
    ConvertToSubtask,
    ConvertToTask,
    CreateGroup,
    CreateSubtask,
    DeleteGroup,
    DeleteSubtask,
    MoveSubtask,
    is_edit,
)
from tui.text.plain_names import DEFAULT_GROUP


async def test_a_subtask_is_carried_from_group_to_group_and_dropped_once() -> None:
    async with at_subtasks(detailed()) as person:
        store = person.store
        await person.press("space")
        assert "No subtask here to lift" in person.said
        await person.press("j", "j", "space", "j", "j")
        assert "◆ Moving “q” → Build 1/3   from Design 2" in person.said
        assert "▌◦ q" in person.text
        assert "╎◦ q" in person.text
        await person.press("tab", "x", "n")
        assert "‘n’ waits: drop the subtask first" in person.said
        await person.press("escape")
        assert (person.shown.lift, person.here, store.submitted) == (None, "q", [])
        await person.press("space", "l", "h", "enter")
        assert "Nothing was moved: “q”" in person.said
        await person.press("space", "3", "enter")
        assert person.groups == {"Design": ["p", "r"], "Build": ["s", "t"], "Later": ["q"]}
        assert [type(each) for each in store.submitted] == [MoveSubtask]
        assert (person.here, person.shown.lift) == ("q", None)
        await person.press("space", "g", "g", "space")
        assert person.groups["Design"] == ["q", "p", "r"]
        await person.press("K")
        assert len(store.submitted) == 2
        await person.press("J", "J", "shift+down")
        assert person.groups["Build"] == ["q", "s", "t"]
        await person.press("u")
        assert person.groups["Design"] == ["p", "r", "q"]
        await person.press("A")
        assert "cannot be archived" in person.said


async def test_marked_subtasks_keep_their_order_and_news_goes_round_the_ghost() -> None:
    async with at_subtasks(detailed()) as person:
        await person.press("j", "v", "j", "v", "G", "k")
        assert "2 marked" in person.said
        assert person.text.count("◆") == 2
        await person.press("space", "enter")
        assert person.groups == {"Design": ["q"], "Build": ["s", "p", "r", "t"], "Later": []}
        assert len(person.store.steps) == 1
        assert person.shown.marks == frozenset()
        await person.press("home", "j", "v", "j", "j", "V", "x")
        closed = [each.target.name for each in person.store.steps[1] if is_edit(each, "status")]
        assert closed == ["q", "s", "p"]
        person.store.detail_news(detailed())
        await person.press("home", "j", "v", "escape", "space", "l", "j")
        design, build, later = detailed().groups or ()
        more = replace(build, subtasks=(subtask(299, "new"), *build.subtasks))
        person.store.detail_news(replace(detailed(), groups=(design, more, later)))
        await person.press("enter")
        assert person.groups["Build"] == ["new", "s", "t", "q"]
        await person.press("space", "k")
        person.store.detail_news(detailed().without_subtask(102))
        await person.press("left")
        assert "removed: nothing was moved" in person.said
        assert person.shown.lift is None


async def test_subtasks_are_typed_one_after_another() -> None:
    async with at_subtasks(detailed()) as person:
        await person.press("j", "n", "x", "enter", "y", "enter", "z", "escape")
        assert person.groups["Design"] == ["p", "x", "y", "q", "r"]
        assert person.here == "y"
        assert "Saved as a draft" in person.said
        await person.press("G", "n", "enter")
        assert person.groups["Later"] == ["z"]
        person.store.failure = CallboardError("The disk is full.")
        await person.press("w", "enter")
        assert "The disk is full" in person.said
        person.store.failure = None
        await person.press("v", "enter", "enter")
        assert person.groups["Later"] == ["z", "wv"]
        await person.press("home", "n", "t", "enter", "escape")
        made = person.store.submitted[-1]
        assert isinstance(made, CreateSubtask)
        assert made.on_top
        assert person.groups["Design"][:2] == ["t", "p"]


@pytest.mark.long
async def test_why_there_are_none_is_said_and_the_first_makes_a_group() -> None:
    missing = TaskDetail(task(11, "a"), why={DetailPart.SUBTASKS: "This service has no subtasks."})
    async with at_subtasks(missing, size=(40, 12)) as person:
        assert "This service has no subtasks." in person.text
        await person.press("n", "G", "J", "v", "e", "l", "h", "k", "enter", "P")
        assert "This service has no subtasks." in person.said
        person.store.detail_news(TaskDetail(task(11, "a")))
        await person.press("n")
        assert "Loading subtasks" in person.said
        person.store.detail_news(replace(detailed(), groups=()))
        await person.press("n", "a", "enter", "escape")
        assert [type(each) for each in person.store.steps[0]] == [CreateGroup, CreateSubtask]
        assert person.groups == {DEFAULT_GROUP: ["a"]}
        await person.press("N", "G", "2", "enter")
        assert person.here == "G2"
        await person.press("e", "backspace", "3", "enter", "k", "e", "b", "enter")
        assert person.groups == {DEFAULT_GROUP: ["ab"], "G3": []}
        group, subtask = person.store.submitted[-2:]
        assert is_edit(group, "title", "subtask_group")
        assert is_edit(subtask, "title")
        await person.press("e", "backspace", "backspace", "enter", "G", "e", "q", "escape")
        assert len(person.store.steps) == 4


@pytest.mark.long
async def test_deleting_asks_and_copies_go_elsewhere() -> None:
    async with at_subtasks(detailed()) as person:
        await person.press("D")
        assert "Its 3 subtasks go with it." in person.text
        await person.press("n", "j", "C", "less_than_sign", "2", "escape", "m", "l", "enter")
        assert person.groups == {
            "Design": ["p", "q", "r"],
            "Build": ["s", "t"],
            "Later": ["p (cloned)"],
        }
        await person.press("enter", "D", "enter")
        assert "Delete “p (cloned)”?" in person.text
        assert person.screen.opened == ["p (cloned)"]
        await person.press("y", "home", "j", "m", "X", "enter")
        assert person.groups == {"Design": ["q", "r"], "Build": ["s", "t"], "Later": [], "X": ["p"]}
        await person.press("less_than_sign", "g", "enter")
        convert = person.store.submitted[-1]
        assert isinstance(convert, ConvertToTask)
        assert (convert.task_id, convert.stage_id) == (101, 2)
        assert "“p” is now in Doing" in person.said
        await person.press("home", "j", "v", "v", "D", "y", "D", "y")
        kinds = [type(each) for each in person.store.submitted[-3:]]
        assert kinds == [DeleteSubtask, DeleteSubtask, DeleteGroup]
        assert list(person.groups) == ["Design", "Later", "X"]


async def test_the_cursor_stays_in_sight_and_ids_may_change() -> None:
    many = tuple(subtask(100 + number, f"item {number}") for number in range(30))
    detail = replace(detailed(), groups=(SubtaskGroup(1, "Design", many),))
    async with at_subtasks(detail, size=(40, 10)) as person:
        assert "item 29" not in person.text
        await person.press("G", "n", "x", "enter", "escape")
        assert "item 29" in person.text
        assert "▌◦ x" in person.text
        group = (person.store.details[11].groups or ())[0]
        real = replace(group, subtasks=(*many, subtask(777, "x")))
        person.store.detail_news(replace(detail, groups=(real,)))
        await person.press("x")
        assert person.store.details[11].find(777) == subtask(777, "x", status=Status.CLOSED)
        await person.press("ctrl+u", "g", "g")
        assert "Design" in person.text
        await person.pilot.mouse_down(person.shown, offset=(5, 2))
        await person.pilot.hover(person.shown, offset=(5, 4))
        assert "◆ Moving “item 1”" in person.said
        await person.pilot.mouse_up(person.shown, offset=(5, 4))
        await person.press("k")
        assert person.groups["Design"][:4] == ["item 0", "item 2", "item 1", "item 3"]


@pytest.mark.long
async def test_tasks_and_lines_of_a_text_become_subtasks() -> None:
    view = small()
    async with at_subtasks(detailed(), view=view) as person:
        await person.press("j", "greater_than_sign")
        assert "is already a subtask" in person.said

        async def convert(task_id: int, *keys: str) -> None:
            found = view.task(task_id)
            assert found is not None
            person.screen.chosen = (found,)
            await person.press("greater_than_sign", *keys)

        await convert(11)
        assert "has subtasks, so it cannot become one" in person.said
        await convert(12, "a", "enter", "l", "enter")
        made = person.store.submitted[-1]
        assert isinstance(made, ConvertToSubtask)
        assert (made.task_id, made.parent_id, made.group_id) == (12, 11, 3)
        assert person.groups["Later"] == ["b"]
        await convert(13, "d", "enter", "X", "enter")
        group, last = person.store.submitted[-2:]
        assert isinstance(group, CreateGroup)
        assert isinstance(last, ConvertToSubtask)
        assert (group.title, last.parent_id, last.group_id) == ("X", 21, group.group_id)
        await convert(22, "d", "enter", "enter")
        last = person.store.submitted[-1]
        assert isinstance(last, ConvertToSubtask)
        assert last.group_id is None

        await person.press("G", "P", "1", "enter", "2", "escape")
        assert "Saved as a draft" in person.said
        await person.press("P", "enter", *"-", "space", *"[x]", "space", *"3")
        assert "✓ 3" in person.text
        assert "3 subtasks, 1 of them done" in person.text
        await person.press("ctrl+s")
        assert person.groups["Later"] == ["b", "1", "2", "3"]
        assert len(person.store.steps) == 4
        assert [one.is_closed for one in person.store.details[11].subtasks()][-2:] == [False, True]


@pytest.mark.long
async def test_a_long_title_is_typed_over_several_lines_and_pushes_the_rows_below() -> None:
    long = "Write down what is to be done " * 6
    async with at_subtasks(detailed()) as person:
        await person.press("j", "n")
        assert "↵ add" in person.screen.status.footer.words.replace("  ", " ")
        await person.type(long.strip())
        text = " ".join(person.text.replace("◦", " ").split())
        assert f"p {long.strip()} q r" in text
        await person.press("enter", "escape")
        assert person.groups["Design"] == ["p", long.strip(), "q", "r"]
        await person.press("e")
        assert f"p {long.strip()} q r" in " ".join(person.text.replace("◦", " ").split())
        await person.press("escape")
        assert long.strip() not in " ".join(person.text.split())
