"""A card as text: exactly as wide as asked, whatever its title holds."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.boards import ANN, AUTH, BUG, COLOUR, JON, MIRA, NOW, task
from tui.context import Density
from tui.model.moving.lift import RowKind
from tui.model.task import Person, Priority, Status, Task
from tui.screens.board.card import CardLine, CardState, Look, card_lines, title_lines
from tui.text.cells import JOINER, width as cell_width
from tui.text.clean import line
from tui.widgets.glyphs import ASCII

CURRENT = CardState(is_current=True)


def look(density: Density = Density.ROOMY) -> Look:
    """How cards look at the time of the tests."""
    return Look(density, NOW)


def words(lines: list[CardLine]) -> list[str]:
    """The lines as plain text."""
    return ["".join(text for text, _ in each) for each in lines]


def title_of(card: Task, width: int) -> list[str]:
    """The lines of a title on a card with room for so many cells."""
    lines = card_lines(card, width + 1, look(), CardState())
    return [text.rstrip() for _, (text, role), *_ in lines if role in ("title", "closed")]


def full() -> Task:
    """A task that has everything."""
    return task(
        412,
        "Fix login redirect",
        priority=Priority.HIGH,
        labels=(BUG, COLOUR),
        assignees=(ANN, MIRA, JON, Person(9, "Zoe")),
        due_at=NOW - timedelta(days=2),
        subtasks_done=1,
        subtasks_total=4,
        comments_count=2,
    )


TITLES = st.one_of(
    st.text(max_size=200),
    st.lists(st.text("abcdefghij-日本語🙂é", min_size=1, max_size=12), max_size=9).map(" ".join),
).map(line)


@given(
    TITLES,
    st.integers(8, 60),
    st.sampled_from(list(Density)),
    st.sampled_from(list(RowKind)),
    st.booleans(),
)
def test_every_line_is_exactly_as_wide_as_asked(
    title: str, width: int, density: Density, kind: RowKind, flag: bool
) -> None:
    state = CardState(kind=kind, is_current=flag, is_marked=not flag, is_pending=flag)
    lines = card_lines(task(7, title, labels=(BUG,)), width, look(density), state)
    assert len(lines) == density
    assert [cell_width(each) for each in words(lines)] == [width] * density


@given(TITLES, st.integers(8, 60), st.booleans())
def test_a_title_is_whole_if_two_lines_are_enough(title: str, width: int, is_closed: bool) -> None:
    card = task(7, title, status=Status.CLOSED if is_closed else Status.OPEN)
    lines = title_of(card, width)
    assert len(lines) == len(title_lines(card, width, Density.ROOMY)) <= 2
    # A wide character may leave the last cell of the first line empty.
    if cell_width(title) + 2 * is_closed < 2 * width:
        shown = "".join("".join(lines).split()).removeprefix("✓")
        assert shown == "".join(title.split()).strip(JOINER)


@given(TITLES, st.integers(8, 60), st.sampled_from([Density.NORMAL, Density.ROOMY]))
def test_no_word_moves_when_a_sign_comes_or_goes(title: str, width: int, density: Density) -> None:
    plain = words(card_lines(task(7, title), width, look(density), CardState()))
    signed = words(card_lines(task(7, title), width, look(density), CardState(is_pending=True)))
    (at,) = (at for at, lines in enumerate(zip(plain, signed, strict=True)) if lines[0] != lines[1])
    assert signed[at] == plain[at].removesuffix("  ") + " ↑"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Rate-limit the public API", ["Rate-limit the public API"]),
        ("Load test with last year's traffic", ["Load test with last year's", "traffic"]),
        (
            "Import from a CSV file with a preview of what will be made",
            ["Import from a CSV file", "with a preview of what wi…"],
        ),
        (
            "Import a file with a preview of what will be made",
            ["Import a file with a previ", "ew of what will be made"],
        ),
        (
            "https://example.org/reports/of/the/year",
            ["https://example.org/report", "s/of/the/year"],
        ),
        ("日本語のタイトルもきちんと切る", ["日本語のタイトルもきちんと", "切る"]),
    ],
)
def test_a_title_is_broken_between_words(title: str, shown: list[str]) -> None:
    assert title_of(task(7, title), 26) == shown


def test_signs_of_a_title_without_room_stand_behind_the_details() -> None:
    state = CardState(is_current=True, is_pending=True, is_news=True)
    lines = card_lines(task(7, "Upgrade the search index"), 26, look(), state)
    assert words(lines)[:2] == ["▌Upgrade the search index ", "▌#7                    ↑ ●"]
    assert [role for _, role in lines[1]][-2:] == ["pending", "news"]
    lines = card_lines(task(7, "Upgrade the index"), 26, look(), state)
    assert words(lines)[0] == "▌Upgrade the index     ↑ ●"
    assert {role for _, role in lines[0][1:]} == {"cursor"}


def test_fewer_than_three_lines_have_one_for_the_title() -> None:
    card = task(7, "Load test with last year's traffic")
    title, details = words(card_lines(card, 27, look(Density.NORMAL), CardState()))
    assert title.strip() == "Load test with last year'…"
    assert details.strip() == "#7"


def test_a_card_says_what_there_is_to_say() -> None:
    title, details, _blank = words(card_lines(full(), 60, look(), CardState()))
    assert title.strip() == "Fix login redirect"
    facts = ["#412", "▲", "·2d", "late·", "AK", "MN", "JR+1", "☑1/4", "✎2"]
    assert details.split() == [*facts, "■bug", "■"]


def test_details_that_do_not_fit_go_on_to_the_next_line() -> None:
    _title, *details = words(card_lines(full(), 22, look(), CardState()))
    assert [each.strip() for each in details] == ["#412 ▲ ·2d late·", "AK MN JR+1 ☑1/4 ✎2 ■…"]


def test_labels_stay_together() -> None:
    card = replace(full(), labels=(BUG, COLOUR, AUTH), assignees=(), comments_count=0)
    _title, *details = words(card_lines(card, 34, look(), CardState()))
    assert [each.strip() for each in details] == ["#412 ▲ ·2d late· ☑1/4", "■bug ■ ■auth"]


def test_below_a_long_title_everything_else_has_one_line() -> None:
    card = replace(full(), title="Fix login redirect after single sign-on", assignees=(ANN,))
    *_title, details = words(card_lines(card, 34, look(), CardState()))
    assert details.strip() == "#412 ▲ ·2d late· AK ☑1/4 ✎2 ■bug…"


def test_the_cursor_has_a_bar_on_every_line() -> None:
    assert all(each.startswith("▌") for each in words(card_lines(full(), 40, look(), CURRENT)))


def test_states_have_signs_of_their_own() -> None:
    done = words(card_lines(task(1, "x", status=Status.CLOSED), 30, look(), CardState()))
    assert done[0].startswith(" ✓ x")
    marked = words(card_lines(task(1, "x"), 30, look(), CardState(is_marked=True)))
    assert marked[0].startswith("◆")
    pending = words(card_lines(task(1, "x"), 30, look(), CardState(is_pending=True)))
    assert pending[0].rstrip().endswith("↑")
    ghost = words(card_lines(task(1, "x"), 30, look(), CardState(kind=RowKind.GHOST)))
    assert ghost[0].startswith("▌╔")
    outline = words(card_lines(task(1, "x"), 30, look(), CardState(kind=RowKind.OUTLINE)))
    assert outline[0].startswith(" ┌")


def test_a_closed_card_is_not_late() -> None:
    closed = task(1, "x", status=Status.CLOSED, due_at=datetime(2026, 1, 1))  # noqa: DTZ001 (wall)
    assert "late" not in words(card_lines(closed, 40, look(), CardState()))[1]


def test_a_compact_card_still_says_what_is_urgent() -> None:
    (only,) = words(card_lines(full(), 60, look(Density.COMPACT), CardState()))
    assert "▲" in only
    assert "2d late" in only
    assert "■" in only


def test_a_card_the_service_does_not_know_has_no_number() -> None:
    assert "new" in words(card_lines(task(-5, "x"), 30, look(), CardState()))[1]


def test_every_sign_has_one_in_ascii() -> None:
    for kind in RowKind:
        for each in words(card_lines(full(), 40, look(), CardState(kind=kind, is_marked=True))):
            assert each.translate(ASCII).isascii(), each


def test_a_title_of_ten_thousand_characters_is_cut() -> None:
    lines = words(card_lines(task(1, "x" * 10_000), 30, look(), CardState()))
    assert [cell_width(each) for each in lines] == [30] * 3
    assert lines[1].rstrip().endswith("…")
