"""The view of a speaker: cards in columns, the keys there, the timer, other sizes."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st
from textual.geometry import Region, Size

from tests.fakes.boards import JON, NOW, task
from tests.pictures import standup as pictures
from tests.screens.driving import turn_wheel
from tests.screens.test_standup import HOSTILE, PICTURES, Person, at_standup
from tui.model.events.history import PERCENTILE, Event, EventKind
from tui.model.people import Account
from tui.model.standup.report import Flag, SectionKind
from tui.model.standup.writing import Lens
from tui.model.task import Person as Colleague
from tui.screens.standup.cards import CardColumn, CardMark, Drawing, card_lines, drawn
from tui.screens.standup.part import StandupPart
from tui.screens.standup.rows import StandupRow, in_words, of_speaker, rows_of
from tui.screens.standup.speaker import clock
from tui.screens.task.screen import TaskScreen
from tui.widgets.painted import Line, Painted, line_width

ME = Account(JON.login, JON.id)
ROWS = [row for row in rows_of(PICTURES, Lens.BY_PERSON, (), ME) if row.turn.name == "Jon Reyes"]


def text_of(line: Line) -> str:
    return "".join(text for text, _ in line)


def columns_of(rows: Sequence[StandupRow], size: Size, cursor: int = 0) -> Drawing:
    """The cards of Jon as they are drawn, with the cursor on one of them."""
    groups = of_speaker(rows, PICTURES)
    begins = [0]
    for group in groups.values():
        begins.append(begins[-1] + len(group))
    ordered = [row for group in groups.values() for row in group]
    columns = [
        CardColumn(heading, range(*both))
        for heading, both in zip(groups, pairwise(begins), strict=True)
    ]

    def card(at: int, width: int) -> list[Line]:
        row = ordered[at]
        assert row.card is not None
        mark = CardMark(is_current=at == cursor)
        return card_lines(row, row.card, PICTURES, width, mark, is_tall=False)

    return drawn(columns, size, cursor, card)


@pytest.mark.parametrize(
    ("width", "begins"), [(100, (2, 34, 66)), (120, (2, 41, 80)), (200, (2, 68, 134))]
)
def test_three_columns_stand_side_by_side_with_whole_titles(
    width: int, begins: tuple[int, ...]
) -> None:
    drawing = columns_of(ROWS, Size(width, 40))
    assert len(drawing.columns) == 3
    assert {line_width(line) for column in drawing.columns for line in column} == {drawing.width}
    lines = ["".join(map(text_of, parts)) for parts in zip(*drawing.columns, strict=True)]
    assert len(lines) == 40
    assert {len(line) for line in lines} <= {width - 2, width - 3, width - 4}
    for begin, title in zip(
        begins, ("Did since Thursday  1", "Now  4  2 need attention", "Next  2"), strict=True
    ):
        assert lines[0][begin:].startswith(f"{title} ")
    assert [x for x, _, _ in drawing.beyond] == list(begins)
    ordered = [row for group in of_speaker(ROWS, PICTURES).values() for row in group]
    for at, place in drawing.places.items():
        row = ordered[at]
        assert row.card is not None
        own = [line[place.x : place.right] for line in lines[place.y : place.bottom]]
        words = " ".join(" ".join(own).replace("▌", " ").split())
        assert row.card.task.title in words
        assert f"#{row.card.task.id}" in words
    now = of_speaker(ROWS, PICTURES)
    stuck = [SectionKind.STUCK in row.kinds for row in list(now.values())[1]]
    assert stuck == sorted(stuck, reverse=True)
    assert any(stuck)


def test_a_step_of_the_cursor_changes_the_titles_of_two_cards() -> None:
    first, second = (columns_of(ROWS, Size(120, 40), cursor).columns for cursor in (2, 3))
    assert [before == after for before, after in zip(first, second, strict=True)] == [
        True, False, True,
    ]  # fmt: skip
    changed = [pair for pair in zip(first[1], second[1], strict=True) if pair[0] != pair[1]]
    assert 1 < len(changed) <= 4
    for before, after in changed:
        assert "cursor" in {role for _, role in (*before, *after)}


def test_a_blocked_card_says_why() -> None:
    rows = rows_of(PICTURES, Lens.BY_PERSON, (), ME)
    row = next(row for row in rows if row.card and row.card.reason)
    assert row.card is not None
    lines = card_lines(row, row.card, PICTURES, 50, CardMark(), is_tall=True)
    (reason,) = [line for line in lines if "└" in text_of(line)]
    assert reason == ((f"  {'└ “waiting for the design”':46}  ", "alert/card"),)
    assert text_of(lines[0]).strip() == row.card.task.title
    assert [text_of(line).strip() for line in (lines[1], lines[-1])] == ["", ""]
    assert "⊘ blocked" in text_of(lines[2])
    long = replace(row.card, reason="certificate expired, Apple has answered to ann only")
    narrow = card_lines(row, long, PICTURES, 37, CardMark(), is_tall=False)
    shown = [text_of(line).strip() for line in narrow if "alert/card" in dict(line).values()]
    assert shown == ["└ “certificate expired, Apple has", "answered to ann only”"]


@given(st.integers(100, 220), st.integers(3, 30), HOSTILE, st.integers(1, 40), st.data())
def test_of_many_cards_that_at_the_cursor_is_whole(
    width: int, height: int, title: str, count: int, data: st.DataObject
) -> None:
    row = ROWS[0]
    assert row.card is not None
    card = replace(row.card, task=replace(row.card.task, title=title))
    cursor = data.draw(st.integers(0, count - 1))
    drawing = columns_of([row._replace(card=card)] * count, Size(width, height), cursor)
    assert {line_width(line) for column in drawing.columns for line in column} == {drawing.width}
    assert {len(column) for column in drawing.columns} == {height}
    assert cursor in drawing.places
    place = drawing.places[cursor]
    assert place.bottom <= height or place.y == 2, "only a card too large for the room is cut"
    ((_, above, below),) = drawing.beyond
    assert above + len(drawing.places) + below == count


def test_a_card_is_explained_in_words() -> None:
    row = next(row for row in ROWS if row.card and Flag.STALE in row.card.flags)
    assert row.card is not None
    words = in_words(row, replace(row.card, usual=timedelta(days=5)), PICTURES)
    assert f"{PERCENTILE}% of cards stay less than 5d" in words
    assert "85%" not in in_words(row, row.card, PICTURES)
    both = [
        in_words(row, row.card, PICTURES)
        for row in rows_of(PICTURES, Lens.BY_PERSON, (), ME)
        if row.card and row.card.task.id == 805
    ]
    assert both[0].startswith("Support › Working, ≥2d · with Jon · ")
    assert both[0].endswith("●1 new comment")
    assert both[1].startswith("Support › Working, ≥2d · with Ann · ")


async def at_jon(person: Person) -> None:
    await person.press(">", ">")
    assert "▸ Jon" in person.text


@pytest.mark.long
async def test_the_keys_go_within_and_between_columns() -> None:
    async with at_standup(pictures.store()) as person:
        await at_jon(person)
        rows = person.screen.row_list

        async def after(*keys: str) -> tuple[str, int]:
            await person.press(*keys)
            here = rows.rows[rows.cursor]
            group = [row for row in rows.rows if row.headings == here.headings]
            return here.headings[0].title, group.index(here)

        assert await after("h", "j") == ("Did since Thursday", 0)
        assert await after("l", "j") == ("Now", 1)
        assert await after("G") == ("Now", 3)
        assert await after("j") == ("Now", 3)
        assert await after("l") == ("Next", 1)
        assert await after("l", "k") == ("Next", 0)
        assert await after("h", "j", "g", "g") == ("Now", 0)
        assert await after("ctrl+d") == ("Now", 3)
        assert await after("ctrl+u") == ("Now", 0)
        assert await after("left") == ("Did since Thursday", 0)
        await person.press("tab", "g", "g", "l", "l", "h")
        first = rows.rows[0].headings
        assert rows.cursor == sum(row.headings == first for row in rows.rows)


@pytest.mark.long
async def test_the_actions_work_on_the_card_at_the_cursor() -> None:
    store = pictures.store()
    closed = Event(1, 412, EventKind.CLOSED, NOW.astimezone())
    store.histories[1] = replace(store.histories[1], events=(*store.histories[1].events, closed))
    async with at_standup(store) as person:
        await at_jon(person)
        await person.press("l")
        assert person.card == "Fix login redirect after SSO"
        await person.press("x")
        assert [one.task_id for one in store.submitted] == [412]
        assert person.card == "Fix login redirect after SSO"
        assert person.section(person.card) == ("Did since Thursday",)
        await person.press("u", "P", *"Later", "enter")
        assert "Parked  Who goes to the fair?  ·  Later" in person.text
        await person.press("v")
        assert "◆ Fix login redirect" in person.text
        await person.press("escape", "enter")
        assert isinstance(person.app.screen, TaskScreen)


async def test_a_click_goes_to_a_card() -> None:
    async with at_standup(pictures.store()) as person:
        await at_jon(person)
        for row in person.screen.row_list.rows:
            await person.click(row.card.task.title[:12])
            assert person.card == row.card.task.title
        here = person.card
        await person.pilot.click(offset=(119, 20))
        assert person.card == here


@pytest.mark.long
async def test_what_is_out_of_sight_is_counted_and_the_wheel_goes_there() -> None:
    store = pictures.store()
    view = store.views[8]
    more = (
        replace(task(number, f"Call customer {number}", 82, assignees=(JON,)), board_id=8)
        for number in range(820, 840)
    )
    store.views[8] = replace(view, tasks={**view.tasks, 82: (*view.tasks[82], *more)})
    async with at_standup(store) as person:
        await at_jon(person)
        await person.pilot.resize_terminal(120, 36)
        await person.pilot.pause()
        await person.press("l")
        assert re.search(r"↓ \d+ more", person.said)
        below = person.said
        for _ in range(12):
            await person.press("j")
            assert person.card in person.text
        assert person.said != below
        assert re.search(r"↑ \d+  ↓ \d+ more", person.said)
        await person.press("G")
        assert person.card == "Call customer 839"
        assert "↓" not in person.said
        last = person.card
        await turn_wheel(person.pilot, person.screen.row_list, -1, offset=(50, 5))
        assert person.card == "Call customer 838"
        assert last in person.text
        await person.press("g", "g")
        assert person.said == below


@pytest.mark.long
async def test_other_sizes_keep_the_card_at_the_cursor() -> None:
    async with at_standup(pictures.store()) as person:
        await at_jon(person)
        await person.press("l", "j")
        title = person.card
        seen = []
        for size in ((99, 34), (100, 34), (100, 33), (100, 34), (80, 24), (120, 36)):
            await person.pilot.resize_terminal(*size)
            await person.pilot.pause()
            assert person.card == title
            lines = person.text.splitlines()
            assert sum("▌" in line for line in lines) in (1, 2)
            assert any("▌" in line and title[:9] in line for line in lines)
            in_columns = any("Did since" in line and "Now" in line for line in lines)
            seen.append((in_columns, "█" in person.text))
        assert seen == [
            (False, True), (True, True), (True, False), (True, True), (False, False), (True, True),
        ]  # fmt: skip


Painting = list[tuple[Painted, Region]]


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Painting:
    """What is painted from now on: which part of which widget."""
    painted: Painting = []
    refresh = Painted.refresh

    def noted(widget: Painted, *regions: Region, **options: Any) -> Painted:
        painted.extend((widget, region) for region in regions or (widget.size.region,))
        return refresh(widget, *regions, **options)

    monkeypatch.setattr(Painted, "refresh", noted)
    return painted


@pytest.mark.long
async def test_a_second_paints_only_the_time(painted: Painting) -> None:
    time = [NOW]
    async with at_standup(pictures.store(), now=lambda: time[0]) as person:
        await person.press(">", ";")
        await person.pilot.pause()
        for size in ((120, 36), (120, 30)):
            await person.pilot.resize_terminal(*size)
            await person.pilot.pause()
            time[0] += timedelta(seconds=1)  # and of 2:00 no digit stays
            person.screen.draw_time()
            _, letters, bar = person.screen.head.query(StandupPart)
            for _ in range(3):
                painted.clear()
                time[0] += timedelta(seconds=1)
                person.screen.draw_time()
                assert [widget for widget, _ in painted if widget is not bar] == [letters] * (
                    len(painted) - 1
                )
                assert sum(region.height for _, region in painted) <= 4
                assert painted[-1] == (bar, Region(0, bar.size.height // 2, bar.size.width, 1))
        painted.clear()
        person.screen.draw_time()
        assert not painted
        person.screen.status.clear()
        await person.press("escape")
        assert "Standup  since" in person.bar
        painted.clear()
        time[0] += timedelta(seconds=1)
        person.screen.draw_time()
        assert not painted
        assert " left" not in person.text


@pytest.mark.long
async def test_the_timer_warns_and_says_how_much_is_over() -> None:
    time = [NOW]
    async with at_standup(pictures.store(), now=lambda: time[0]) as person:
        await person.pilot.resize_terminal(120, 30)
        await person.press(">", ";")

        async def after(seconds: int) -> tuple[str, set[str]]:
            time[0] += timedelta(seconds=seconds)
            person.screen.draw_time()
            await person.pilot.pause()
            _, letters, bar = person.screen.head.query(StandupPart)
            (words,) = letters.lines_now(letters.size)
            spans = [*words, *bar.lines_now(bar.size)[0]]
            return text_of(words).strip(), {role for text, role in spans if text.strip(" ─")}

        assert await after(0) == ("2:00 of 2:00 left", {"good"})
        assert await after(99) == ("0:21 of 2:00 left", {"good"})
        assert await after(2) == ("0:19 of 2:00 left", {"warn"})
        assert await after(19) == ("0:00 of 2:00 left", {"warn"})
        assert await after(12) == ("over by 0:12", {"bad"})
        assert "; stop timer" in " ".join(person.screen.status.footer.words.split())
        await person.press(">")
        assert await after(0) == ("2:00 of 2:00 left", {"good"})
        person.screen.status.clear()
        await person.press("escape", ">")
        assert " left" not in person.text, "the view was left: the timer stopped"
    assert clock(timedelta(seconds=20)) == ("0:20", "good")


@pytest.mark.long
async def test_the_order_of_many_speakers_keeps_the_present_one_in_sight() -> None:
    store = pictures.store()
    names = [f"{letter}{number:02} Smith" for number in range(8) for letter in "ABC"]
    team = [Colleague(100 + number, name) for number, name in enumerate(names)]
    view = store.views[8]
    cards = tuple(
        replace(task(900 + each.id, "A card", 82, assignees=(each,)), board_id=8) for each in team
    )
    people = (*view.people, *team)
    store.views[8] = replace(view, people=people, tasks={**view.tasks, 82: cards})
    async with at_standup(store) as person:
        await person.pilot.resize_terminal(80, 24)
        turns = person.screen.state.turns()
        assert len(turns) > len(names)
        for turn in turns:
            await person.press(">")
            assert f"▸ {turn.short}" in person.text


async def test_the_hints_name_who_comes_next() -> None:
    async with at_standup(pictures.store()) as person:

        def hints() -> str:
            return " ".join(person.screen.status.footer.words.split())

        assert hints().startswith("↵ open x close tab by person P park y copy B boards > speaker")
        await person.press("tab")
        assert hints().startswith("> first speaker ↵ open x close tab by board ! shuffle ; timer")
        await person.press(">")
        assert hints().startswith("> Jon < all ; timer ↵ open x close P park esc all")
        await person.press(">", ";")
        assert hints().startswith("> Mira < Ann ; stop timer ↵ open")
        await person.press("<", "<")
        assert hints().startswith("> first speaker")
