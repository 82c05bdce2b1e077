"""A card becomes a template and back, and new cards are made from it."""

from dataclasses import replace

from tests.fakes.boards import ANN, API, BUG, JON, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.client.capabilities import Feature
from tui.model.board import BoardView
from tui.model.task import Priority, Task
from tui.store import operations as change


def board() -> BoardView:
    """A small board whose second stage has two templates."""
    templates = (
        task(21, "Bug report", 2, is_template=True, labels=(BUG,), priority=Priority.HIGH,
             assignees=(ANN,), subtasks_total=3),
        task(22, "Release", 2, is_template=True, labels=(API,)),
    )  # fmt: skip
    view = replace(small(), labels=(BUG, API), people=(ANN, JON))
    return replace(view, tasks={**view.tasks, 2: templates})


def new_cards(store: FakeStore) -> list[Task]:
    return [each for each in store.views[1].all_tasks() if each.is_local]


async def palette(person: Driver, words: str) -> None:
    await person.press(":")
    await person.type(words)
    await person.press("enter")


async def test_a_card_becomes_a_template_and_a_card_again() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        assert "5 open" in person.text
        await palette(person, "turn template")
        assert "“a” is now a template" in person.text
        assert "#11 □ template" in person.text
        assert "4 open" in person.text
        await person.press("u")
        assert "□ template" not in person.text
        await person.press("v", "v")
        await palette(person, "turn template")
        assert "2 cards are now templates" in person.text
        assert "3 open" in person.text
        assert len(store.steps[-1]) == 2


async def test_a_new_card_is_made_from_a_template_found_by_its_title() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        assert "tab templates" in person.text
        await person.press("tab")
        assert "Bug report  3 subtasks · bug" in person.text
        await person.type("bgrep")
        assert "Release" not in person.text.partition("New card from a template")[2]
        await person.press("enter")
        (made,) = new_cards(store)
        assert (made.title, made.labels, made.assignees) == ("Bug report", (BUG,), (ANN,))
        assert (made.priority, made.subtasks_total) == (Priority.HIGH, 3)
        assert made.is_open
        assert person.titles(1) == ["a", "Bug report", "b", "c"]
        assert "Added “Bug report” from its template" in person.text
        assert isinstance(store.submitted[0], change.CloneTask)
        assert len(store.steps) == 1
        await person.press("u")
        assert person.titles(1) == ["a", "b", "c"]


async def test_a_title_goes_on_when_no_template_is_chosen() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n", "tab", "escape")
        await person.type("Typed")
        assert "tab complete" in person.text
        await person.press("enter")
        assert [made.title for made in new_cards(store)] == ["Typed"]


async def test_it_says_how_to_make_a_template_and_why_none_can_be_copied() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("n", "tab")
        assert "This board has no templates" in person.text
    store = FakeStore(board())
    store.missing = {Feature.TASK_COPIES}
    async with opened(store) as person:
        await person.press("n", "tab")
        assert "duplicating cards" in person.text
        assert store.submitted == []
