"""Cards that block cards: the dialog that names them, and what boards and cards show of it."""

from dataclasses import replace

import pytest

from tests.fakes.boards import ANN, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView, Stage
from tui.model.detail import DetailPart, TaskDetail
from tui.model.find import Found, Thing
from tui.model.relations import Relations, Standing
from tui.model.task import Label, Status, Task
from tui.store.operations import CreateComment, Edit, set_status

OTHER = BoardView(
    Board(2, "Support"), (Stage(9, 2, "New"),), {9: (Task(801, 2, 9, "Answer the customer"),)}
)


def board(*tasks: Task, labels: tuple[Label, ...] = ()) -> BoardView:
    """A board with these cards in its first stage."""
    stages = Stage(1, 1, "To do"), Stage(2, 1, "Doing")
    return BoardView(Board(1, "Shop"), stages, {1: tasks, 2: ()}, labels)


def login() -> Task:
    """A card that others wait for."""
    return task(412, "Fix login", assignees=(ANN,))


def store_with(*tasks: Task) -> FakeStore:
    """A store with these cards on one board, and another board."""
    store = FakeStore(board(*tasks), OTHER)
    store.found = tuple(
        Found(Thing.CARD, card.id, card.title, card.board_id, title, stage)
        for view, title, stage in ((board(*tasks), "Shop", "To do"), (OTHER, "Support", "New"))
        for card in view.all_tasks()
    )
    return store


def held(store: FakeStore, card_id: int) -> tuple[Task, Relations]:
    """A card as it is now, and what blocks which."""
    card = store.views[1].task(card_id)
    assert card is not None
    return card, store.relations()


def bottom(person: Driver) -> str:
    """The line of the card at the cursor, or what is said there."""
    return person.text.splitlines()[-2].strip()


async def test_b_finds_cards_of_all_boards_and_blocks_by_several() -> None:
    store = store_with(task(403, "Move sessions"), login(), task(409, "Load test"))
    async with opened(store, size=(120, 36)) as person:
        await person.press("b")
        assert "#403 Move sessions" in person.text
        assert "no card and no reason: only the label" in person.text
        await person.type("login")
        assert "use “login” as the reason" in person.text
        await person.press("enter")
        assert "save: blocked by #412" in person.text
        await person.type("801")
        await person.press("enter", "enter")
        assert "Blocked “Move sessions” by #412 and Support #801" in person.text
        card, relations = held(store, 403)
        assert card.blockers == (Blocker(412), Blocker(801, "Support"))
        assert card.labels == ()
        assert "⊘ #412 +1" in person.text
        assert "#412 »1" in person.text
        assert relations.is_blocked(card)
        await person.press("u")
        assert held(store, 403)[0].blockers == ()
        assert "⊘" not in person.text


async def test_no_key_is_offered_where_neither_a_reason_nor_a_card_is_there() -> None:
    card = task(403, "Move sessions")
    store = store_with(card, login())
    why = {DetailPart.COMMENTS: "This service has no comments."}
    store.details = {403: TaskDetail(card, comments=(), why=why)}
    async with opened(store, size=(120, 36)) as person:
        await person.press("b")
        assert "↵ save   ctrl+s save" in person.text
        await person.type("xyzzy")
        assert "no reason: This service has no comments." in person.text
        assert "↵" not in person.text
        assert "ctrl+s" not in person.text
        await person.press("enter", "ctrl+s")
        assert store.submitted == []


async def test_chips_are_removed_and_a_reason_is_added() -> None:
    waiting = task(403, "Move sessions", blockers=(Blocker(412), Blocker(801, "Support")))
    store = store_with(waiting, login())
    async with opened(store, size=(80, 24)) as person:
        await person.press("b")
        assert "#412 Fix login ×" in person.text
        await person.press("backspace")
        assert "Support #801" not in person.text
        assert "unblocks itself when these are closed" in person.text
        await person.type("no access yet")
        await person.press("up", "enter")
        assert "Blocked “Move sessions” by #412: no access yet" in person.text
        card, _ = held(store, 403)
        assert card.blockers == (Blocker(412),)
        assert [label.title for label in card.labels] == ["Blocked"]
        comments = [one.text for one in store.submitted if isinstance(one, CreateComment)]
        assert comments == ["Blocked: no access yet"]
        # With both, the dialog has a chip for the label too.
        await person.press("b", "backspace", "ctrl+s")
        assert held(store, 403)[0].labels == ()
        assert held(store, 403)[0].blockers == (Blocker(412),)


async def test_without_its_last_chip_a_card_is_no_longer_blocked() -> None:
    waiting = task(403, "Move sessions", blockers=(Blocker(412),))
    store = store_with(waiting, login())
    async with opened(store, size=(80, 24)) as person:
        await person.press("b", "backspace")
        assert "save: no longer blocked" in person.text
        assert "again to unblock" not in person.text
        await person.press("enter")
        assert "Unblocked “Move sessions”" in person.text
        card, _ = held(store, 403)
        assert (card.blockers, card.labels) == ((), ())


async def test_a_circle_is_refused_with_its_chain() -> None:
    waiting = task(409, "Load test", blockers=(Blocker(403),))
    middle = task(403, "Move sessions", blockers=(Blocker(412),))
    store = store_with(login(), middle, waiting)
    async with opened(store, size=(120, 36)) as person:
        await person.press("b")
        await person.type("load")
        assert "would block itself" in person.text
        await person.press("enter")
        chain = "#412 would block itself: #409 waits for #403, #403 waits for #412"
        assert chain in person.text
        await person.press("escape")
        assert not store.submitted


async def test_a_label_alone_is_set_and_taken_off_at_once() -> None:
    store = store_with(task(403, "Move sessions"), login())
    async with opened(store, size=(80, 24)) as person:
        await person.press("b", "enter")
        assert "Blocked “Move sessions”" in person.text
        assert "⊘ blocked" in person.text
        await person.press("b")
        assert "Unblocked “Move sessions”" in person.text
        assert held(store, 403)[0].labels == ()


async def test_a_long_title_is_cut_before_what_else_the_line_of_the_card_says() -> None:
    long = replace(login(), title="Fix login " * 20)
    middle = task(403, "Move sessions", blockers=(Blocker(412),))
    store = store_with(middle, long, task(409, "Load test", blockers=(Blocker(403),)))
    async with opened(store, size=(120, 36)) as person:
        assert "Fix login Fix login" in bottom(person)
        assert "…  To do, AK   » blocks #409" in bottom(person)
        assert bottom(person).endswith("g e go to #412")


async def test_the_line_of_the_card_says_what_blocks_it_and_g_e_goes_there() -> None:
    middle = task(403, "Move sessions", blockers=(Blocker(412),))
    last = task(409, "Load test", blockers=(Blocker(403),))
    store = store_with(
        middle, last, login(), task(5, "Alone"), task(6, "Lost", blockers=(Blocker(99),))
    )
    async with opened(store, size=(120, 36)) as person:
        assert bottom(person).startswith(
            "⊘ #403 blocked by #412 Fix login  To do, AK   » blocks #409"
        )
        assert bottom(person).endswith("g e go to #412")
        assert "2 blocked" in person.text.splitlines()[0]
        await person.press("j", "j")
        assert bottom(person) == "» #412 blocks #403 and 1 more"
        await person.press("j")
        assert "block" not in bottom(person)
        await person.press("g", "e")
        assert "No card blocks “Alone”" in person.text
        await person.press("escape", "j")
        assert "#99 was not found, so it blocks nothing" in bottom(person)
        await person.press("g", "g", "g", "e")
        assert "#412" in person.text
        await person.press("escape")
        assert bottom(person) == "» #412 blocks #403 and 1 more"


async def test_a_card_unblocks_itself_when_the_card_of_another_board_is_closed() -> None:
    store = store_with(task(403, "Move sessions", blockers=(Blocker(801, "Support"),)))
    async with opened(store, size=(120, 36)) as person:
        assert "⊘ #801" in person.text
        answer = OTHER.task(801)
        assert answer is not None
        await store.submit(set_status(answer, Status.CLOSED))
        await person.press()
        assert "⊘" not in person.text
        assert store.relations().standing(801) is Standing.CLOSED


def test_only_the_board_of_the_card_is_changed() -> None:
    edit = Edit(replace(set_status(login(), Status.CLOSED).target), Blocker(801, "X"), ("true",))
    assert (edit.board_id, edit.task_id) == (1, 412)
    assert edit.describe() == "Block “Fix login” by #801"


async def test_closing_the_last_card_that_blocks_says_what_is_unblocked() -> None:
    store = store_with(login(), task(403, "Move sessions", blockers=(Blocker(412),)))
    async with opened(store, size=(120, 36)) as person:
        await person.press("x")
        assert "Unblocked #403: #412 was closed" in person.text
        await person.press("x")
        assert "Reopened “Fix login”" in person.text
        assert "⊘ #412" in person.text


async def test_a_line_typed_into_the_description_blocks_the_card() -> None:
    store = store_with(task(403, "Move sessions", description="<p>Why</p>"), login())
    store.sources[403] = "<p>Why</p>"
    async with opened(store, size=(120, 36)) as person:
        await person.press("E", "ctrl+end", "enter", "enter")
        await person.type("Blocked by: #412")
        await person.press("ctrl+s")
        card, _ = held(store, 403)
        assert (card.description.strip(), card.blockers) == ("<p>Why</p>", (Blocker(412),))
        assert "⊘ #412" in person.text
        await person.press("u")
        assert held(store, 403)[0].blockers == ()


@pytest.mark.long
async def test_the_number_of_a_card_in_a_description_is_a_link_to_it() -> None:
    text = "<p>As in #801, not &#35;9x</p>"
    store = store_with(task(403, "Move sessions", description=text), login())
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter", "o")
        assert "Answer the customer" in person.text
        await person.press("escape")
        assert "Move sessions" in person.text


async def test_a_card_says_which_of_those_that_block_it_were_moved_or_are_gone() -> None:
    named = Blocker(801), Blocker(412), Blocker(99)
    card = task(403, "Move sessions", blockers=named)
    store = store_with(card, replace(login(), status=Status.CLOSED))
    store.details = {403: TaskDetail(card)}
    async with opened(store, size=(120, 36)) as person:
        await person.press("enter")
        fields = "".join(line[74:].strip(" │") + " " for line in person.text.splitlines())
        assert "#801 (now on Support), #412 (closed), #99 (not found)" in " ".join(fields.split())
