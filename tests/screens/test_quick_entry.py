"""A new card is typed with marks at its end, and the next one right after it."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import AppBlur, AppFocus

from tests.fakes.boards import ANN, API, AUTH, BUG, COLOUR, JON, MIRA, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened, turn_wheel
from tui.actions.availability import VIEWER
from tui.config.drafts import Drafts
from tui.context import Density
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.people import Account
from tui.model.task import Priority, Task
from tui.screens.board.column import BoardColumn
from tui.store.operations import CreateTask
from tui.widgets.line_input import LineInput


def board() -> BoardView:
    """A small board with labels and members."""
    return replace(small(), labels=(BUG, AUTH, API, COLOUR), people=(ANN, MIRA, JON))


def typed(person: Driver) -> str:
    """What is in the input."""
    return person.app.screen.query_one(LineInput).value


def card(store: FakeStore, title: str) -> Task:
    """The card of a title."""
    return next(task for task in store.views[1].all_tasks() if task.title == title)


async def test_marks_at_the_end_of_a_title_make_the_card_and_are_one_step() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type("Fix it #bug @ann !high ^fri")
        for chip in ("■bug", "@Ann Keller", "▲ high", "due Fri 27 Nov"):
            assert chip in person.text
        await person.press("enter")
        made = card(store, "Fix it")
        assert (made.labels, made.assignees, made.priority) == ((BUG,), (ANN,), Priority.HIGH)
        assert made.due_at is not None
        assert f"{made.due_at:%Y-%m-%d %H:%M}" == "2026-11-27 17:00"
        assert len(store.steps) == 1
        await person.press("escape", "u")
        assert person.titles(1) == ["a", "b", "c"]


async def test_a_mark_that_is_not_understood_is_kept_as_text_by_a_second_enter() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type("Fix it @foo @mira ^soon")
        assert "! no member “foo”" in person.text
        assert "@Mira Novak" in person.text
        await person.press("enter")
        assert not store.submitted
        assert "No member “foo” · no date “soon” · esc, then g t to invite people" in person.said
        assert "↵ keep as text" in person.hints.replace("  ", " ")
        await person.press("enter")
        assert card(store, "Fix it @foo ^soon").assignees == (MIRA,)
        assert "foo" not in person.said
        assert "! no" not in person.text
        await person.type("Next #{task.new:n} @{task.new:n}")
        await person.press("enter")
        assert "No member “{task.new:n}”" in person.said


async def test_a_name_that_nobody_has_is_offered_the_similar_ones() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type("Fix it @mria !high")
        await person.press("enter")
        assert "No member “mria” · did you mean @mira?" in person.said
        await person.press("tab")
        assert typed(person) == "Fix it @mira !high"
        assert "No member" not in person.said
        assert "! no member" not in person.text
        await person.press("enter")
        assert card(store, "Fix it").assignees == (MIRA,)


async def test_the_mark_that_is_asked_about_has_the_cursor_not_one_that_begins_like_it() -> None:
    async with opened(FakeStore(board())) as person:
        await person.press("n")
        await person.type("Fix it @mria @mriaxyzw")
        await person.press("enter")
        assert "No member “mria”" in person.said
        await person.press("tab")
        assert typed(person) == "Fix it @mira @mriaxyzw"


async def test_a_mark_that_was_asked_about_is_asked_about_again_in_the_next_card() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        for _ in range(2):
            await person.type("Fix it @foo")
            await person.press("enter")
            assert "No member “foo”" in person.said
            await person.press("enter")
        assert person.titles(1) == ["a", "Fix it @foo", "Fix it @foo", "b", "c"]


async def test_letters_typed_after_a_question_are_letters_of_the_title() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.burst(*"Fix it @foo", "enter", *"bar", "enter")
        assert typed(person) == "Fix it @foobar"
        assert not store.submitted


async def test_a_label_that_the_board_lacks_is_created_with_the_card() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type("Fix it #foo")
        assert "new label “foo”" in person.text
        await person.press("enter")
        assert "Created label “foo”" in person.said
        assert "esc u undo" in person.said
        (label,) = card(store, "Fix it").labels
        assert label.title == "foo"
        assert label in store.views[1].labels
        assert len(store.steps) == 1
        await person.type("Next #foo @ann")
        assert "new label" not in person.text
        await person.press("enter")
        assert card(store, "Next").labels == (label,)
        await person.press("escape", "u", "u")
        assert "Undone: added “Fix it”" in person.said
        assert store.views[1].labels == board().labels
        assert person.titles(1) == ["a", "b", "c"]


async def test_a_number_is_no_new_label() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type("Follow up #42")
        assert "#42" in person.text
        assert "label" not in person.text.replace("#label", "")
        await person.press("enter")
        assert card(store, "Follow up #42").labels == ()


@pytest.mark.long
async def test_a_backslash_keeps_a_word_in_the_title() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type(r"Fix \#42 \#bug")
        assert "new label" not in person.text
        await person.press("enter")
        assert card(store, "Fix #42 #bug").labels == ()


@pytest.mark.long
async def test_the_preview_goes_with_the_words() -> None:
    async with opened(FakeStore(board())) as person:
        await person.press("n", "x", "space", "number_sign", "b", "u")
        assert "■bug" in person.text
        await person.press("backspace", "backspace", "backspace")
        assert "■" not in person.text
        await person.type("@foo")
        assert "no member" in person.text
        await person.press("escape")
        assert "no member" not in person.text


async def test_tab_completes_the_word_at_the_cursor_and_goes_round() -> None:
    async with opened(FakeStore(board())) as person:
        await person.press("n")
        await person.type("x #a")
        await person.press("tab")
        assert typed(person) == "x #api"
        await person.press("tab")
        assert typed(person) == "x #auth"
        await person.press("tab")
        assert typed(person) == "x #api"
        await person.press("shift+tab")
        assert typed(person) == "x #auth"
        await person.type(" @nov")
        await person.press("tab", "home", "tab")
        assert typed(person) == "x #auth @mira"
        await person.type("y")
        assert typed(person) == "yx #auth @mira"


async def test_tab_does_not_leave_an_input_that_completes_nothing() -> None:
    async with opened(FakeStore(board())) as person:
        await person.press("slash", "q", "tab", "shift+tab", "c")
        assert typed(person) == "qc"


async def test_the_next_card_is_typed_below_the_one_that_was_made() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.burst("n", "x", "enter", "y", "enter", "z", "enter", "enter", "j")
        assert person.titles(1) == ["a", "x", "y", "z", "b", "c"]
        assert person.here == "b"
        assert len(store.steps) == 3
        assert "itle is required" not in person.said


@pytest.mark.long
async def test_the_input_follows_the_card_that_was_made_also_in_a_full_column() -> None:
    tasks = tuple(Task(100 + n, 1, 1, f"card {n}") for n in range(30))
    view = replace(board(), tasks={1: tasks, 2: (), 3: ()})
    for density in Density:
        async with opened(FakeStore(view), size=(60, 16), density=density) as person:
            await person.press("G", "n")
            for title in ("one", "two"):
                await person.type(f"{title} #bug")
                assert f"{title} #bug" in person.text
                assert "■bug" in person.text
                await person.press("enter")
            assert person.titles(1)[-2:] == ["one", "two"]
            shown = [line for line in person.text.splitlines() if "▌title #label" in line]
            assert len(shown) == 1


@pytest.mark.long
async def test_news_above_moves_the_input_along() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.type("half")
        lane = (Task(99, 1, 1, "new above"), *store.views[1].in_stage(1))
        store.news(replace(board(), tasks={**board().tasks, 1: lane}))
        await person.type(" a title")
        lines = [line[:30].strip(" ▌") for line in person.text.splitlines()]
        assert lines.index("a") < lines.index("half a title") < lines.index("b")
        await person.press("enter")
        assert person.titles(1) == ["new above", "a", "half a title", "b", "c"]


@pytest.mark.long
async def test_news_above_moves_the_input_of_a_title_along() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("j", "e", "home")
        await person.type("not ")
        lane = (Task(99, 1, 1, "new above"), *store.views[1].in_stage(1))
        store.news(replace(board(), tasks={**board().tasks, 1: lane}))
        await person.pilot.pause()
        lines = [line[:30].strip(" ▌") for line in person.text.splitlines()]
        assert lines.index("a") < lines.index("not b") < lines.index("c")
        assert "b" not in lines


async def test_the_wheel_does_not_part_the_input_from_its_row() -> None:
    tasks = tuple(Task(100 + n, 1, 1, f"card {n}") for n in range(30))
    async with opened(FakeStore(replace(board(), tasks={1: tasks, 2: (), 3: ()}))) as person:
        await person.press("n")
        await person.type("half")
        await turn_wheel(person.pilot, person.deck.columns[0], 1)
        lines = [line[:30].strip(" ▌") for line in person.text.splitlines()]
        assert lines.index("card 0") < lines.index("half") < lines.index("card 1")


@pytest.mark.parametrize("key", ["n", "e"])
async def test_an_input_is_as_wide_as_its_column_when_columns_are_measured_late(key: str) -> None:
    async with opened(FakeStore(board()), size=(120, 30)) as person:
        await person.press(key)
        column = person.deck.columns[0]
        column.take_width(50)
        await person.pilot.pause()
        assert column.size.width == 50
        assert person.app.screen.query_one(LineInput).size.width == column.region_of(1).width


async def test_the_input_is_as_wide_as_its_column_when_the_terminal_changes() -> None:
    async with opened(FakeStore(board()), size=(120, 30)) as person:
        await person.press("n")
        await person.type("x #bug @ann !high ^fri")
        await person.pilot.resize_terminal(60, 20)
        await person.pilot.pause()
        column = person.deck.columns[0]
        assert person.app.screen.query_one(LineInput).size.width == column.region_of(1).width
        for chip in ("■bug", "@Ann Keller", "▲ high"):
            assert chip in person.text


async def test_a_click_on_another_card_ends_typing_and_keeps_it() -> None:
    async with opened(FakeStore(board())) as person:
        await person.press("n")
        await person.type("half #bug")
        await person.pilot.click(offset=(40, 7))
        await person.pilot.pause()
        assert person.here == "e"
        assert "Saved as a draft" in person.said
        assert "#bug" not in person.text
        await person.press("n")
        assert typed(person) == "half #bug"


async def test_a_card_that_cannot_be_kept_is_offered_again_as_typed() -> None:
    store = FakeStore(board())
    store.failure = CallboardError("The disk is full: the change was not kept.")
    async with opened(store) as person:
        await person.press("n")
        await person.type(r"Fix \#4 #bug")
        await person.press("enter")
        assert "The disk is full" in person.said
        assert typed(person) == r"Fix \#4 #bug"
        store.failure = None
        await person.press("enter")
        assert card(store, "Fix #4").labels == (BUG,)
        assert "The disk is full" not in person.said


async def test_an_error_goes_when_the_text_that_it_is_about_is_changed() -> None:
    store = FakeStore(board())
    store.failure = CallboardError("The disk is full: the change was not kept.")
    async with opened(store) as person:
        await person.press("n", "x", "enter")
        assert "The disk is full" in person.said
        await person.press("y")
        assert "The disk is full" not in person.said


@pytest.mark.long
async def test_what_is_typed_of_the_next_card_is_a_draft(tmp_path: Path) -> None:
    async with opened(FakeStore(board()), drafts=Drafts(tmp_path)) as person:
        await person.press("n", "x", "enter")
        assert Drafts(tmp_path).get("new-card-1") is None
        await person.type("half #bug")
    async with opened(FakeStore(board()), drafts=Drafts(tmp_path)) as person:
        await person.press("n")
        assert typed(person) == "half #bug"
        assert "■bug" in person.text


async def test_cards_that_the_filter_hides_keep_their_order_and_are_said() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.burst("slash", "b", "enter", "n", "x", "enter", "y", "enter")
        assert "Added “y”" in person.said
        await person.press("escape", "escape")
        assert person.titles(1) == ["a", "b", "x", "y", "c"]


async def test_pasted_lines_are_literal() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("n")
        await person.paste("one #bug\ntwo @ann\n")
        await person.press("ctrl+s")
        assert person.titles(1) == ["a", "one #bug", "two @ann", "b", "c"]
        assert card(store, "one #bug").labels == ()
        await person.press("n")
        await person.paste("three #bug\nfour #api\n")
        await person.press("escape", "n", "enter")
        assert card(store, "three #bug four #api").labels == ()
        assert sum(isinstance(one, CreateTask) for one in store.submitted) == 3


async def test_a_form_makes_a_card_with_all_its_fields_in_one_step() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("N", "enter")
        assert "Title is required." in person.text
        await person.type("Fix it")
        await person.press("tab", "tab")
        await person.type("soon")
        await person.press("enter")
        assert "is not a valid date" in person.text
        await person.press(*["backspace"] * 4)
        await person.type("fri")
        await person.press("tab", "space")
        await person.type("ann")
        await person.press("enter", "tab", "space")
        await person.type("bug")
        await person.press("enter", "tab")
        await person.type("high")
        await person.press("tab")
        await person.type("*why*")
        await person.press("ctrl+s")
        made = card(store, "Fix it")
        assert (made.labels, made.assignees, made.priority) == ((BUG,), (ANN,), Priority.HIGH)
        assert f"{made.due_at:%Y-%m-%d %H:%M}" == "2026-11-27 17:00"
        assert made.description == "<p><em>why</em></p>"
        assert person.titles(1) == ["a", "Fix it", "b", "c"]
        assert person.here == "Fix it"
        assert len(store.steps) == 1
        await person.press("N")
        await person.type("Later")
        await person.press("tab", "right", "enter")
        assert person.titles(2)[-1] == "Later"
        await person.press("N", "escape")
        assert len(store.steps) == 2


async def test_the_due_date_in_the_form_is_chosen_in_a_calendar_too() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("N", "ctrl+o")
        assert "does nothing here" in person.text
        await person.type("Fix it")
        await person.press("tab", "tab")
        assert "ctrl+o calendar" in person.text
        await person.type("fri 9:30")
        await person.burst("ctrl+o", "tab", "right", "down", "enter")
        assert "New card" in person.text
        assert "2026-12-05 09:30" in person.text
        await person.press("ctrl+o", "down", "escape", "enter")
        assert f"{card(store, 'Fix it').due_at:%Y-%m-%d %H:%M}" == "2026-12-05 09:30"


async def test_a_form_begins_with_the_fields_of_the_swimlane() -> None:
    store = FakeStore(board())
    async with opened(store) as person:
        await person.press("p", "h", "B", "r", "N")
        await person.type("As the lane")
        await person.press("enter")
        assert card(store, "As the lane").priority is Priority.HIGH


def _input_column(person: Driver) -> int:
    """The column over which the input is drawn; its text is there."""
    focused = person.app.screen.focused
    assert isinstance(focused, LineInput)
    line = person.text.splitlines()[focused.region.y]
    assert focused.value in line[focused.region.x :]
    column = focused.parent
    assert isinstance(column, BoardColumn)
    assert column.region.contains_region(focused.region)
    return person.deck.columns.index(column)


@pytest.mark.parametrize(
    ("size", "is_folded"),
    [
        *(((120, 36), False), ((40, 15), True)),
        pytest.param((120, 36), True, marks=pytest.mark.long),
        pytest.param((40, 15), False, marks=pytest.mark.long),
    ],
)
async def test_the_input_of_a_title_follows_its_card_to_another_column(
    size: tuple[int, int], is_folded: bool
) -> None:
    store = FakeStore(small())
    async with opened(store, size=size) as person:
        await person.press(*(("2", "z", "1") if is_folded else ()), "j", "e", "end")
        await person.type("etter")
        await person.press("left")
        board = small()
        left, card, right = board.tasks[1]
        store.news(replace(board, tasks={1: (left, right), 2: (replace(card, stage_id=2),), 3: ()}))
        await person.pilot.pause()
        await person.type("s")
        assert _input_column(person) == 1
        assert typed(person) == "bettesr"
        await person.press("enter")
        assert person.here == "bettesr"
        assert [task.title for task in store.views[1].in_stage(2)] == ["bettesr"]


async def test_the_input_of_a_new_card_follows_its_stage() -> None:
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press("2", "n")
        await person.type("new !high")
        board = small()
        first, second, third = board.stages
        store.news(replace(board, stages=(second, first, third)))
        await person.pilot.pause()
        await person.type("x")
        assert _input_column(person) == 0
        await person.press("backspace", "enter", "enter")
        assert [task.title for task in store.views[1].in_stage(2)][1] == "new"


@pytest.mark.parametrize("gone", [0, 2])
async def test_a_new_card_is_not_added_to_another_stage_than_it_was_begun_in(gone: int) -> None:
    """Somebody archives the stage meanwhile."""
    store = FakeStore(small())
    async with opened(store) as person:
        await person.press(str(gone + 1), "n")
        await person.type("new")
        board = small()
        stages = tuple(stage for stage in board.stages if stage is not board.stages[gone])
        store.news(replace(board, stages=stages))
        await person.pilot.pause()
        assert "Saved as a draft" in person.said
        assert not person.app.screen.query(LineInput)
        await person.press("n")
        assert typed(person) == "new"


@pytest.mark.parametrize("stage", [1, 3])
async def test_a_title_whose_card_goes_with_its_column_is_closed(stage: int) -> None:
    board = small()
    board = replace(board, tasks={1: (), 2: (), 3: (), stage: board.tasks[1]})
    store = FakeStore(board)
    async with opened(store) as person:
        await person.press(str(stage), "e")
        await person.type("new")
        stages = tuple(each for each in board.stages if each.id != stage)
        store.news(replace(board, stages=stages, tasks={each.id: () for each in stages}))
        await person.pilot.pause()
        await person.press("enter", "n")
        assert typed(person) == ""


async def test_a_card_typed_by_somebody_who_became_a_viewer_is_not_lost() -> None:
    store = FakeStore(board())
    store.me = Account("ann", ANN.id)
    async with opened(store) as person:
        await person.press("n")
        await person.type("Fix it #foo")
        whole = replace(board().board, people=(ANN, MIRA), viewers=frozenset({ANN.id}))
        store.news(replace(board(), board=whole))
        await person.press("enter")
        assert VIEWER in person.said
        assert typed(person) == "Fix it #foo"
        await person.press("escape", "n")
        assert VIEWER in person.said
        assert not store.submitted


LONG = "Fix login redirect after SSO for guests who come back later #bug @ann !high ^fri"


def first_column(person: Driver) -> str:
    """The words below the heading of the first column, from top to bottom."""
    end = person.deck.columns[0].region.right
    lines = (line[:end].replace("○", " ") for line in person.text.splitlines()[3:-2])
    return " ".join(" ".join(lines).replace("▌", " ").split())


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (40, 15)])
async def test_a_new_title_and_its_marks_are_read_as_a_whole_and_cover_no_card(
    size: tuple[int, int],
) -> None:
    async with opened(FakeStore(board()), size=size, density=Density.NORMAL) as person:
        await person.press("n")
        await person.type(LONG)
        chips = "■bug @Ann Keller ▲ high due Fri 27 Nov"
        assert first_column(person).startswith(f"a #11 {LONG} {chips} b")
        await person.press(*["backspace"] * len(LONG))
        assert "#11 title" in first_column(person)
        lines = [line[:9].strip() for line in person.text.splitlines()]
        assert lines.index("b") - lines.index("a") == 6


async def paste_and_type(person: Driver, text: str) -> None:
    """Enter a long text, of which only the last word is typed letter by letter."""
    pasted, space, word = text.rpartition(" ")
    await person.paste(pasted + space)
    await person.type(word)


@pytest.mark.parametrize("size", [pytest.param((80, 24), marks=pytest.mark.long), (40, 15)])
async def test_an_edited_title_is_read_as_a_whole_above_the_details_of_its_card(
    size: tuple[int, int],
) -> None:
    async with opened(FakeStore(board()), size=size, density=Density.NORMAL) as person:
        await person.press("j", "e", "ctrl+u")
        await paste_and_type(person, LONG)
        assert first_column(person) == f"a #11 {LONG} #12 c #13"
        assert "↵ save" in person.hints.replace("  ", " ")
        assert "esc cancel" in person.hints.replace("  ", " ")


@pytest.mark.long
async def test_a_title_longer_than_the_screen_is_read_around_the_cursor() -> None:
    async with opened(FakeStore(board()), size=(40, 12), density=Density.NORMAL) as person:
        await person.press("n")
        await person.type(f"first {'word ' * 100}last")
        assert "last" in person.text
        await person.press("home")
        assert "first" in person.text
        assert "last" not in person.text


@pytest.mark.parametrize("key", ["n", "e"])
async def test_the_footer_has_the_keys_of_typing_while_something_is_typed(key: str) -> None:
    async with opened(FakeStore(board())) as person:
        before = person.hints
        await person.press(key)
        assert "esc" in person.hints
        assert "lift" not in person.hints
        await person.press("escape")
        assert person.hints == before


async def test_escape_says_whether_it_saves_a_draft() -> None:
    async with opened(FakeStore(board())) as person:
        await person.press("n")
        assert "esc close" in person.hints.replace("  ", " ")
        await person.press("x")
        assert "esc save draft" in person.hints.replace("  ", " ")


async def test_under_swimlanes_the_row_is_as_high_in_all_columns() -> None:
    async with opened(FakeStore(board()), size=(80, 30), density=Density.NORMAL) as person:
        await person.press("B", "r", "n")
        await paste_and_type(person, "Fix login redirect after SSO for guests who come back later")
        tops = {
            tuple(y for y, line in enumerate(column.lines_now(column.size)) if "──" in str(line))
            for column in person.deck.columns
        }
        assert len(tops) == 1


@pytest.mark.long
async def test_the_keys_of_typing_stay_while_another_window_has_the_focus() -> None:
    async with opened(FakeStore(small())) as person:
        await person.press("n", "a")
        keys_of_typing = person.hints
        assert "esc" in keys_of_typing
        person.app.post_message(AppBlur())
        await person.pilot.pause()
        assert person.hints == keys_of_typing
        person.app.post_message(AppFocus())
        await person.press("b")
        assert person.hints == keys_of_typing
