"""Views: tabs of saved views over all boards, and every key of cards in them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from tests.day.world import finished
from tests.fakes.boards import ANN, API, BUG, MIRA, NOW, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.config.saved_views import ViewStore
from tui.model.board import Board, BoardView
from tui.model.people import Account
from tui.model.task import Priority, Status, blocked_labels
from tui.model.work.saved_view import SavedView, ViewColumn, ViewGroup, ViewSort
from tui.screens.lists.views import ViewsScreen
from tui.screens.views.form import ViewForm
from tui.store.events import SyncStatus
from tui.store.operations import CreateComment, CreateLabel

BUGS = SavedView("Bugs", "label:bug is:open")


def two_boards() -> list[BoardView]:
    """Two boards of Ann and Mira, with cards due at several times."""
    lanes = {
        1: (
            task(11, "Login loops", labels=(BUG,), assignees=(ANN,), due_at=NOW - timedelta(2)),
            task(12, "Umlauts", labels=(BUG, API), due_at=NOW + timedelta(hours=3)),
        ),
        2: (
            task(13, "Docs", 2, assignees=(ANN, MIRA), due_at=NOW + timedelta(2)),
            task(14, "Closed bug", 2, labels=(BUG,), status=Status.CLOSED),
        ),
        3: (task(15, "Later bug", 3, labels=(BUG,), priority=Priority.HIGH),),
    }
    site = replace(small(), tasks=lanes, people=(ANN, MIRA), labels=(BUG, API))
    site = replace(site, board=Board(1, "Website"))
    own = task(21, "Refund twice", 4, labels=(BUG,), assignees=(ANN,), due_at=NOW + timedelta(9))
    stage = replace(site.stages[0], id=4, board_id=2, title="Inbox")
    help_desk = BoardView(
        Board(2, "Support"), (stage,), {4: (replace(own, board_id=2),)}, (BUG,), (ANN, MIRA)
    )
    return [site, help_desk]


@asynccontextmanager
async def views(
    *saved: SavedView, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Driver, FakeStore]]:
    """The screen of views, with these beside the first ones."""
    store, preferences = FakeStore(*two_boards()), Preferences()
    store.me = Account(ANN.login, ANN.id)
    ViewStore(preferences).add(saved)
    async with opened(store, size=size, board_id=None, preferences=preferences) as person:
        await person.press("g", "v")
        await rest(person)
        yield person, store


def screen_of(person: Driver) -> ViewsScreen:
    """The screen in front."""
    screen = person.app.screen
    assert isinstance(screen, ViewsScreen)
    return screen


async def rest(person: Driver) -> None:
    """Wait until everything is found."""
    await finished(person.app, "load", "look", "boards", "refresh", "count")
    await person.press()


def rows(person: Driver) -> list[tuple[str, str]]:
    """The groups and titles of the rows."""
    return [(row.group, row.task.title) for row in screen_of(person).row_list.rows]


def lines(person: Driver) -> list[str]:
    return [line.rstrip() for line in person.text.splitlines() if line.strip()]


async def test_tabs_and_groups_of_the_first_views() -> None:
    async with views(BUGS) as (person, store):
        assert lines(person)[0].startswith(" Views   My work  3 cards on 2 boards  1 overdue")
        tabs = " ".join(lines(person)[1].split())
        assert tabs == "1 My work 3 2 Due this week 3 3 Bugs 4 + new"
        assert rows(person) == [
            ("Overdue", "Login loops"),
            ("This week", "Docs"),
            ("Later", "Refund twice"),
        ]
        text = person.text
        assert "Website › To do" in text
        assert "2d overdue" in text
        assert "▲ due" in text
        await person.press("3")
        await rest(person)
        assert [title for _, title in rows(person)] == [
            *("Login loops", "Umlauts", "Refund twice", "Later bug"),
        ]
        assert rows(person)[-1] == ("No date", "Later bug")
        await person.press("tab")
        await rest(person)
        assert screen_of(person).current.name == "My work"
        await person.press("9")
        assert "there are 3 views" in person.text.lower()
        assert store.followed == (1, 2)


async def test_a_view_is_as_old_as_the_board_that_was_checked_longest_ago() -> None:
    async with views(BUGS) as (person, store):
        assert "✓ synced" in lines(person)[0]
        # After a start with views in front nobody has asked for the list of boards.
        store.now = SyncStatus()
        store.news(store.views[1])
        await rest(person)
        assert "from the cache" in lines(person)[0]
        now = NOW.astimezone()
        for board_id in (1, 2):
            checked_at = now - timedelta(minutes=20 * board_id)
            store.of_boards[board_id] = SyncStatus(checked_at=checked_at)
        store.news(store.views[1])
        await rest(person)
        assert "✓ 40m ago" in lines(person)[0]


async def test_every_key_of_cards_works_on_the_board_of_the_card() -> None:
    async with views(BUGS) as (person, store):
        await person.press("3", "j", "x")
        await rest(person)
        assert store.views[1].task(12).is_closed  # type: ignore[union-attr]
        assert [title for _, title in rows(person)] == ["Login loops", "Refund twice", "Later bug"]
        await person.press("u")
        await rest(person)
        assert [title for _, title in rows(person)][1] == "Umlauts"


async def test_marks_of_several_boards_are_closed_together() -> None:
    async with views(BUGS) as (person, store):
        await person.press("3", "v", "v", "v")
        assert "3 marked" in person.text
        await person.press("E")
        assert "the marked cards are on several boards" in person.text.lower()
        await person.press("x")
        await rest(person)
        assert store.views[2].task(21).is_closed  # type: ignore[union-attr]
        assert store.views[1].task(11).is_closed  # type: ignore[union-attr]
        assert "Closed 3 cards" in person.text
        assert rows(person) == [("No date", "Later bug")]


async def test_marks_of_several_boards_are_assigned_where_the_person_is_a_member() -> None:
    async with views(BUGS) as (person, store):
        store.views[2] = replace(store.views[2], people=(ANN,))
        await person.press("3", "v", "v", "v", "a")
        assert "Assign people to 3 cards on 2 boards" in person.text
        assert "on 1 of 2 boards" in person.text
        await person.press(*"mira", "enter")
        await rest(person)
        assert store.views[1].task(11).assignees == (ANN, MIRA)  # type: ignore[union-attr]
        assert store.views[1].task(12).assignees == (MIRA,)  # type: ignore[union-attr]
        assert store.views[2].task(21).assignees == (ANN,)  # type: ignore[union-attr]
        said = " ".join(person.text.split())
        assert "Assigned to Mira Novak: 2 cards." in said
        assert "Mira Novak is not on the board of “Refund twice”" in said


async def test_marks_of_several_boards_are_blocked_by_the_label_of_their_board() -> None:
    async with views(BUGS) as (person, store):
        await person.press("3", "v", "v", "v", "b", *"parts", "enter")
        await rest(person)
        assert "Blocked 3 cards on 2 boards: parts" in person.text
        labels = []
        for board_id, task_id in ((1, 11), (1, 12), (2, 21)):
            card = store.views[board_id].task(task_id)
            assert card is not None
            [blocked] = blocked_labels(card.labels)
            assert blocked in store.views[board_id].labels
            labels.append(blocked.id)
        assert labels[0] == labels[1] != labels[2]
        assert len([one for one in store.submitted if isinstance(one, CreateComment)]) == 3
        await person.press("g", "g", "v", "v", "v", "b")
        await rest(person)
        assert "Unblocked 3 cards on 2 boards" in person.text
        assert not any(map(store.views[2].task(21).labels.__contains__, labels))  # type: ignore[union-attr]


async def test_labels_of_several_boards_are_set_by_title() -> None:
    async with views(BUGS) as (person, store):
        store.views[2] = replace(store.views[2], labels=(replace(BUG, id=91),))
        own = replace(store.views[2].task(21), labels=(replace(BUG, id=91),))  # type: ignore[type-var]
        store.news(store.views[2].with_task(own))  # type: ignore[arg-type]
        await rest(person)
        await person.press("3", "v", "v", "v", "t")
        assert "[x] ■ bug" in person.text
        assert "1 of 2 boards" in person.text  # api
        await person.press(*"api", "enter")
        await rest(person)
        assert [one.id for one in store.views[1].task(11).labels] == [BUG.id, API.id]  # type: ignore[union-attr]
        assert "“api”: 2 cards. 1 board without label “api”" in " ".join(person.text.split())
        await person.press("g", "g", "v", "v", "v", "t", *"new", "ctrl+space", "enter")
        await rest(person)
        made = [one.label for one in store.submitted if isinstance(one, CreateLabel)]
        assert [one.title for one in made] == ["new", "new"]
        assert made[0] in store.views[1].task(12).labels  # type: ignore[union-attr]
        assert made[1] in store.views[2].task(21).labels  # type: ignore[union-attr]
        await person.press("g", "g", "v", "v", "v", "t", *"bug", "ctrl+space", "enter")
        await rest(person)
        assert "“bug” removed: 3 cards on 2 boards" in person.text
        assert [one.title for one in store.views[2].task(21).labels] == ["new"]  # type: ignore[union-attr]


async def test_marks_of_several_boards_move_to_a_stage_that_all_boards_have() -> None:
    async with views(BUGS) as (person, store):
        await person.press("3", "v", "v", "v", "m")
        assert "The boards of the marked cards share no stage" in person.text
        done = replace(store.views[2].stages[0], id=5, title="done")
        site = store.views[2]
        store.news(replace(site, stages=(*site.stages, done), tasks={**site.tasks, 5: ()}))
        await rest(person)
        await person.press("m")
        assert "Move 3 cards on 2 boards to" in person.text
        assert "To do" not in person.text.split("Move 3 cards")[1].splitlines()[2]
        await person.press(*"done", "enter")
        await rest(person)
        titles = [[one.id for one in store.views[1].in_stage(stage.id)]
                  for stage in store.views[1].stages if stage.title == "Done"]  # fmt: skip
        assert titles[0][-2:] == [11, 12]
        assert [one.id for one in store.views[2].in_stage(5)] == [21]
        assert "Moved 3 cards on 2 boards to the bottom of" in person.text


async def test_marks_of_several_boards_go_to_the_next_stage_of_their_board() -> None:
    async with views(BUGS) as (person, store):
        site = store.views[2]
        done = replace(site.stages[0], id=5, title="Answered")
        store.news(replace(site, stages=(*site.stages, done), tasks={**site.tasks, 5: ()}))
        await rest(person)
        await person.press("3", *"vvvv", "L")
        await rest(person)
        assert "Moved 3 cards on 2 boards to the next stage" in person.text
        assert [one.id for one in store.views[1].in_stage(2)] == [13, 14, 11, 12]
        assert [one.id for one in store.views[1].in_stage(3)] == [15]  # the last stage
        assert [one.id for one in store.views[2].in_stage(5)] == [21]
        assert len(store.steps[-1]) == 3
        await person.press("G", "v", "L")
        assert "This card is already in the last stage" in person.text


async def test_a_change_is_repeated_on_cards_of_several_boards_and_they_are_watched() -> None:
    async with views(BUGS) as (person, store):
        await person.press("3", "G", "p", *"med", "enter")
        await rest(person)
        await person.press("g", "g", "v", "v", "v", "full_stop")
        await rest(person)
        assert "Repeated on 3 cards on 2 boards" in person.text
        cards = [store.views[1].task(11), store.views[1].task(12), store.views[2].task(21)]
        assert {card.priority for card in cards if card} == {Priority.MEDIUM}
        assert len(store.steps[-1]) == 3
        await person.press("g", "g", "v", "v", "v", "w")
        await rest(person)
        assert "Watching 3 cards on 2 boards" in person.text
        assert len(store.steps[-1]) == 3


async def test_a_view_without_cards_says_so_and_how_to_edit_it() -> None:
    async with views(SavedView("None", "label:api is:closed")) as (person, _):
        await person.press("3")
        await rest(person)
        assert "None  no cards" in lines(person)[0]
        assert "No cards match" in person.text
        assert "V edit view" in person.text
        await person.press("V")
        await rest(person)
        assert "No cards match" in person.text.partition("Edit view")[2]
        assert lines(person)[-1].split("   ")[0].strip().startswith("ctrl+s save")


async def test_sorting_by_key_and_by_a_click_is_kept() -> None:
    async with views(BUGS) as (person, _):
        await person.press("3", "B", "n")
        await rest(person)
        assert {group for group, _ in rows(person)} == {""}
        await person.press("O", "t")
        await rest(person)
        titles = [title for _, title in rows(person)]
        assert titles == ["Later bug", "Login loops", "Refund twice", "Umlauts"]
        listed = screen_of(person).row_list
        at = person.text.splitlines()
        head = next(y for y, line in enumerate(at) if "▲ title" in line)
        await person.pilot.click(offset=(at[head].index("title"), head))
        await rest(person)
        assert [title for _, title in rows(person)] == titles[::-1]
        assert "▼ title" in person.text
        assert listed.cursor >= 0
        kept = ViewStore(person.app.context.preferences).read().views[2]
        assert (kept.group, kept.sort, kept.is_reversed) == (ViewGroup.NONE, ViewSort.TITLE, True)
        assert person.app.context.preferences.text(ALL_BOARDS, "view") == "Bugs"


async def test_a_filter_narrows_the_view_and_changes_of_others_are_seen() -> None:
    async with views(BUGS) as (person, store):
        await person.press("3", "slash", *"label:api", "enter")
        await rest(person)
        assert [title for _, title in rows(person)] == ["Umlauts"]
        await person.press("escape")
        changed = replace(store.views[2].task(21), title="Refund thrice")  # type: ignore[type-var]
        store.views[2] = store.views[2].with_task(changed)  # type: ignore[arg-type]
        store.news(store.views[2])
        await rest(person)
        assert "Refund thrice" in person.text


async def test_narrow_screens_drop_columns_and_keep_the_date() -> None:
    async with views(BUGS, size=(80, 24)) as (person, _):
        assert "stage" not in person.text
        assert "board" in person.text
        assert "labels" not in person.text
        assert "2d overdue" in person.text
        await person.pilot.resize_terminal(45, 15)
        await person.press()
        assert "Website" not in person.text
        assert "2d overdue" in person.text


async def test_a_new_view_is_filled_in_counted_and_saved() -> None:
    async with views() as (person, _):
        await person.press("+", *"Fires", "down", "ctrl+u", *"label:bg")
        await finished(person.app, "count")
        await person.press()
        assert "no label “bg”. Did you mean label:bug?" in person.text
        await person.press("ctrl+s")
        assert isinstance(person.app.screen, ViewForm)
        await person.press("ctrl+u", *"label:bug")
        await finished(person.app, "count")
        await person.press()
        assert "5 cards on 2 boards  1 overdue" in person.text
        # Only the second board; by stage; by title in reverse; without ages.
        await person.press("down", "right", "space")
        await finished(person.app, "count")
        await person.press()
        assert "on 1 board" in person.text, person.text
        await person.press("down", "right", "space", "down", "left", "space", "space")
        await person.press("down", "right", "right", "right", "space", "ctrl+s")
        await rest(person)
        assert "saved the view “Fires”" in person.text.lower().replace("fires", "Fires")
        kept = ViewStore(person.app.context.preferences).read().views[-1]
        assert kept == SavedView(
            "Fires",
            "label:bug",
            kept.boards,
            ViewGroup.STAGE,
            ViewSort.TITLE,
            is_reversed=True,
            columns=(ViewColumn.BOARD, ViewColumn.WHO, ViewColumn.DUE, ViewColumn.LABELS),
        )
        assert len(kept.boards) == 1
        assert screen_of(person).current == kept


async def test_a_form_says_what_is_wrong_and_asks_before_it_discards() -> None:
    async with views(size=(80, 24)) as (person, _):
        await person.press("V", "up", "ctrl+u", "ctrl+s")
        assert "Name is required." in person.text
        await person.press("escape", "n")
        assert isinstance(person.app.screen, ViewForm)
        await person.press("escape", "y")
        await rest(person)
        assert screen_of(person).current.name == "My work"
        await person.press("V", "escape")
        assert screen_of(person).current.name == "My work"


async def test_a_view_is_deleted_from_the_palette() -> None:
    async with views(BUGS) as (person, _):
        await person.press("3", ":", *"delete view", "enter", "y")
        await rest(person)
        assert [view.name for view in screen_of(person).views] == ["My work", "Due this week"]
        assert screen_of(person).current.name == "Due this week"


async def test_the_filter_of_a_board_becomes_a_view() -> None:
    store, preferences = FakeStore(*two_boards()), Preferences()
    async with opened(store, preferences=preferences) as person:
        await person.press("slash", *"#bug", "enter", "f", *"as a view", "enter")
        assert "#bug on this board" in person.text or "label:bug on this board" in person.text
        await person.press("ctrl+u", *"Bugs here", "enter")
        view = ViewStore(preferences).read().views[-1]
        assert (view.name, view.boards) == ("Bugs here", (1,))
        assert "saved the view “Bugs here”" in person.text.replace("Saved", "saved")
        await person.press("g", "v", "3")
        await rest(person)
        titles = [title for _, title in rows(person)]
        assert titles == ["Login loops", "Umlauts", "Closed bug", "Later bug"]


async def test_my_work_is_sorted_by_key_and_click_within_its_sections() -> None:
    store = FakeStore(*two_boards())
    store.me = Account(ANN.login, ANN.id)
    async with opened(store, board_id=None, size=(120, 36)) as person:
        await person.press("g", "m")
        await finished(person.app, "load", "comments of 1", "comments of 2", "refresh")
        await person.press("O", "c", "O", "c")
        text = person.text
        assert "▼ card" in text
        assert text.index("Login loops") < text.index("Refund twice")
        lines_now = text.splitlines()
        head = next(y for y, line in enumerate(lines_now) if "▼ card" in line)
        await person.pilot.click(offset=(lines_now[head].index("due"), head))
        await person.press()
        assert "▲ due" in person.text
        await person.press("O", "u")
        assert "▲ due" not in person.text
