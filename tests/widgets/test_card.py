"""A card as text: exactly as wide as asked, whatever its title holds."""

from datetime import datetime, timedelta

from hypothesis import given, strategies as st

from tests.boards import ANN, BUG, COLOUR, JON, MIRA, NOW, task
from tui.context import Density
from tui.model.lift import RowKind
from tui.model.task import Person, Priority, Status, Task
from tui.screens.board.card import CardLine, CardState, Look, card_lines
from tui.text.cells import width as cell_width
from tui.text.clean import line
from tui.widgets.glyphs import ASCII

CURRENT = CardState(is_current=True)


def look(density: Density = Density.ROOMY) -> Look:
    """How cards look at the time of the tests."""
    return Look(density, NOW)


def words(lines: list[CardLine]) -> list[str]:
    """The lines as plain text."""
    return ["".join(text for text, _ in each) for each in lines]


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


@given(
    st.text(max_size=200).map(line),
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


def test_a_card_says_what_there_is_to_say() -> None:
    title, facts, chips = words(card_lines(full(), 60, look(), CardState()))
    assert title.strip() == "Fix login redirect"
    assert facts.split() == ["#412", "▲", "·2d", "late·", "AK", "MN", "JR+1", "☑1/4", "✎2"]
    assert chips.split() == ["■bug", "■"]


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
    assert cell_width(lines[0]) == 30
    assert lines[0].rstrip().endswith("…")
