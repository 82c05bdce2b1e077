"""A card as text: exactly as wide as asked, whatever its title holds."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, BUG, COLOUR, JON, MIRA, NOW, task
from tui.context import Density
from tui.model.moving.lift import RowKind
from tui.model.people import Account
from tui.model.task import Label, Person, Priority, Status, Task
from tui.screens.board.card import CardLook, CardState, card_height, card_lines, title_lines
from tui.text.cells import JOINER, width as cell_width
from tui.text.clean import line
from tui.widgets.glyphs import ASCII
from tui.widgets.painted import Line

CURRENT = CardState(is_current=True)


def look(density: Density = Density.ROOMY) -> CardLook:
    """How cards look at the time of the tests."""
    return CardLook(density, NOW)


def words(lines: list[Line]) -> list[str]:
    """The lines as plain text."""
    return ["".join(text for text, _ in each) for each in lines]


def title_of(card: Task, width: int) -> list[str]:
    """The lines of a title on a card with room for so many cells."""
    lines = card_lines(card, width + 2, look(), CardState())[:2]
    return [line[0][0].strip() for line in lines if len(line) == 1]


@pytest.mark.parametrize("density", Density)
def test_a_template_says_so_and_waits_for_nobody(density: Density) -> None:
    card = task(7, "Bug report", due_at=NOW - timedelta(days=2), is_template=True)
    shared = look(density)._replace(is_shared=True)
    text = "\n".join(words(card_lines(card, 40, shared, CardState())))
    assert ("□" if density is Density.COMPACT else "□ template") in text
    assert "2d late" not in text
    assert "○" not in text
    assert "&" in text.translate(ASCII)


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
    assert len(lines) == card_height(density) == {1: 1, 2: 3, 3: 4}[density]
    assert [cell_width(each) for each in words(lines)] == [width] * len(lines)


@given(TITLES, st.integers(8, 60), st.booleans())
def test_a_title_is_whole_if_two_lines_are_enough(title: str, width: int, is_closed: bool) -> None:
    card = task(7, title, status=Status.CLOSED if is_closed else Status.OPEN)
    lines = title_lines(card, width, Density.ROOMY)
    assert len(lines) <= 2
    whole = f"✓ {title}" if is_closed else title
    # A blank, or a wide character, may leave cells of the first line empty.
    longest = max(map(cell_width, whole.split()), default=0)
    if cell_width(whole) + longest < 2 * width:
        assert "".join("".join(lines).split()) == "".join(whole.split()).strip(JOINER)


@given(st.integers(12, 60), st.booleans(), st.booleans())
def test_the_sign_of_a_priority_goes_after_the_squares_of_labels(
    width: int, is_far: bool, has_people: bool
) -> None:
    due = NOW + timedelta(days=30) if is_far else full().due_at
    card = replace(full(), due_at=due, assignees=full().assignees if has_people else ())
    *_, last = words(card_lines(card, width, look(), CardState()))
    assert "■" not in last or "▲" in last


@given(TITLES, st.integers(12, 60), st.sampled_from(list(Density)))
def test_no_word_moves_when_a_sign_comes_or_goes(title: str, width: int, density: Density) -> None:
    plain = words(card_lines(task(7, title), width, look(density), CardState()))
    signed = words(card_lines(task(7, title), width, look(density), CardState(is_pending=True)))
    (at,) = (at for at, lines in enumerate(zip(plain, signed, strict=True)) if lines[0] != lines[1])
    assert signed[at] == f"{plain[at][:-1]}↑"


@given(TITLES, st.integers(12, 60), st.sampled_from(list(Density)), st.booleans())
def test_the_cursor_lights_a_card_on_all_its_lines(
    title: str, width: int, density: Density, is_marked: bool
) -> None:
    card = task(7, title, labels=(BUG,), due_at=NOW)
    plain = card_lines(card, width, look(density), CardState())
    state = CURRENT._replace(is_marked=is_marked)
    lit = card_lines(card, width, look(density), state)
    for at, drawn in enumerate(lit[:density]):
        assert {role for _, role in drawn} <= {"cursor", f"{BUG.color}/cursor"}
        assert words([drawn])[0][0] == ("◆" if is_marked and at == 0 else "▌")
        assert words([drawn])[0][1:] == words([plain[at]])[0][1:]
    assert lit[density:] == plain[density:]


def test_a_mark_is_on_the_lines_of_the_title() -> None:
    card = task(7, "Load test with last year's traffic", labels=(BUG,))
    plain = card_lines(card, 28, look(), CardState())
    marked = card_lines(card, 28, look(), CardState(is_marked=True))
    assert [{role for _, role in line} for line in marked[:2]] == [{"mark"}] * 2
    assert marked[2:] == plain[2:]


def test_a_cover_is_a_cell_of_its_colour_at_the_edge() -> None:
    for density in (Density.NORMAL, Density.ROOMY):
        for state in (CardState(), CURRENT, CardState(is_marked=True)):
            plain = card_lines(full(), 28, look(density), state)
            covered = card_lines(replace(full(), cover="#4bce97"), 28, look(density), state)
            assert covered[0][-1] == (" ", "text/#4bce97")
            assert words(covered) == words(plain)
            assert covered[1:] == plain[1:]


def test_a_short_title_has_no_empty_line_below_it() -> None:
    card, people = task(7, "Short"), (ANN, MIRA)
    for state in (CardState(), CURRENT):
        labelled = replace(card, labels=(BUG,), assignees=people)
        shown = words(card_lines(labelled, 28, look(), state))
        assert [line[1:].split()[0] for line in shown[:3]] == ["Short", "■bug", "#7"]
        named = words(card_lines(replace(card, assignees=people), 28, look(), state))
        assert named[1][1:].strip() == f"{ANN.name}, {MIRA.name}"
        assert named[2][1:].split() == ["#7", "AK", "MN"]
        bare = words(card_lines(card, 28, look(), state))
        assert [line[1:].strip() for line in bare] == ["Short", "#7", "", ""]


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Rate-limit the public API", ["Rate-limit the public API"]),
        ("Load test with last year's traffic", ["Load test with last year's", "traffic"]),
        (
            "Import from a CSV file with a preview of what will be made",
            ["Import from a CSV file", "with a preview of what…"],
        ),
        (
            "Import a file with a preview of what will be made",
            ["Import a file with a", "preview of what will be…"],
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


def test_fewer_than_three_lines_have_one_for_the_title() -> None:
    card = task(7, "Load test with last year's traffic")
    title, details, _blank = words(card_lines(card, 28, look(Density.NORMAL), CardState()))
    assert title.strip() == "Load test with last year'…"
    assert details.strip() == "#7"


def test_a_card_says_what_there_is_to_say() -> None:
    title, labels, details, _blank = words(card_lines(full(), 60, look(), CardState()))
    assert title.strip() == "Fix login redirect"
    assert labels.split() == ["■bug", "■"]
    assert details.split() == ["#412", "2d", "overdue", "▲", "☑1/4", "✎2", "AK", "MN+2"]
    assert details.endswith("AK MN+2  ")


@pytest.mark.parametrize(
    ("width", "details"),
    [
        (60, "#412 2d overdue ▲ ☑1/4 ✎2 ■bug ■ AK MN+2"),
        (39, "#412 2d overdue ▲ ☑1/4 ✎2 ■■ AK MN+2"),
        (35, "#412 2d overdue ▲ ✎2 ■■ AK MN+2"),
        (30, "#412 2d overdue ▲ ■■ AK+3"),
        (27, "#412 2d overdue ▲ ■■ AK"),
        (23, "#412 2d overdue ▲ AK"),
        (20, "#412 2d! ▲ AK"),
        (15, "#412 2d! AK"),
        (13, "#412 2d!"),
    ],
)
def test_what_matters_least_is_left_out_first(width: int, details: str) -> None:
    card = replace(full(), title="Fix the login redirect " * 3)
    shown = words(card_lines(card, width, look(), CardState()))[2]
    assert shown.split() == details.split()


def test_a_blocked_card_says_so_and_how_late_it_is() -> None:
    blocked = Label(9, "blocked", "#ff0000")
    card = replace(full(), labels=(blocked,))
    lines = card_lines(card, 40, look(), CardState())
    assert (" ⊘ 2d overdue ", "blocked/card") in lines[2]
    card = replace(card, due_at=None)
    assert (" ⊘ blocked ", "blocked/card") in card_lines(card, 40, look(), CardState())[2]
    (only,) = words(card_lines(card, 40, look(Density.COMPACT), CardState()))
    assert "⊘" in only


def test_nobody_is_a_sign_on_boards_of_several_people() -> None:
    shared = look()._replace(is_shared=True)
    assert "○" in words(card_lines(task(1, "x"), 30, shared, CardState()))[1]
    assert "○" not in words(card_lines(task(1, "x"), 30, look(), CardState()))[1]
    closed = task(1, "x", status=Status.CLOSED)
    assert "○" not in words(card_lines(closed, 30, shared, CardState()))[1]


def test_states_have_signs_of_their_own() -> None:
    done = words(card_lines(task(1, "x", status=Status.CLOSED), 30, look(), CardState()))
    assert done[0].startswith(" ✓ x")
    marked = words(card_lines(task(1, "x"), 30, look(), CardState(is_marked=True)))
    assert marked[0].startswith("◆x")
    pending = words(card_lines(task(1, "x"), 30, look(), CardState(is_pending=True)))
    assert pending[1].endswith("↑")
    news = words(card_lines(task(1, "x"), 30, look(), CardState(is_news=True)))
    assert news[1].endswith("●")
    state = CardState(kind=RowKind.GHOST, destination="→ Review 2 of 3")
    lifted = words(card_lines(task(1, "x"), 30, look(), state))
    assert [each.strip() for each in lifted[:3]] == [
        f"▌{text:<28}▐" for text in ("x", "", "→ Review 2 of 3")
    ]
    outline = words(card_lines(task(1, "x"), 30, look(), CardState(kind=RowKind.OUTLINE)))
    assert outline[0].startswith("┌╌")


def test_one_s_own_initials_stand_out() -> None:
    card = task(1, "x", assignees=(ANN, MIRA))
    mine = look()._replace(me=Account(user_id=ANN.id))
    assert ("AK", "accent/card") in card_lines(card, 30, mine, CardState())[2]
    assert ("AK", "text/card") in card_lines(card, 30, look(), CardState())[2]


def test_a_closed_card_is_not_late() -> None:
    closed = task(1, "x", status=Status.CLOSED, due_at=datetime(2026, 1, 1))  # noqa: DTZ001 (wall)
    assert "overdue" not in " ".join(words(card_lines(closed, 40, look(), CardState())))


def test_a_compact_card_still_says_what_is_urgent() -> None:
    (only,) = words(card_lines(full(), 60, look(Density.COMPACT), CardState()))
    assert only.rstrip().endswith("2d! ▲ AK+3")
    (narrow,) = words(card_lines(full(), 22, look(Density.COMPACT), CardState()))
    assert narrow == " Fix login re… 2d! ▲  "


def test_a_card_the_service_does_not_know_has_no_number() -> None:
    assert "new" in words(card_lines(task(-5, "x"), 30, look(), CardState()))[1]


def test_every_sign_has_one_in_ascii() -> None:
    for kind in RowKind:
        for density in Density:
            state = CardState(kind=kind, is_marked=True, is_news=True)
            for each in words(card_lines(full(), 40, look(density), state)):
                assert each.translate(ASCII).isascii(), each


def test_a_title_of_ten_thousand_characters_is_cut() -> None:
    lines = words(card_lines(task(1, "x" * 10_000), 30, look(), CardState()))
    assert [cell_width(each) for each in lines] == [30] * 4
    assert lines[1].rstrip().endswith("…")


@given(st.integers(12, 60), st.sampled_from(list(Density)), st.booleans())
def test_the_sign_of_an_agent_stays_however_narrow(
    width: int, density: Density, has_said: bool
) -> None:
    card = replace(full(), labels=(Label(8, "◇ codex", "#123456"), BUG), title="Short")
    said = {412: (("tests [b]green[/b], 3 files", "text"), ("4m", "quiet"))} if has_said else {}
    for state in (CardState(), CURRENT):
        lines = words(card_lines(card, width, look(density)._replace(progress=said), state))
        assert [cell_width(each) for each in lines] == [width] * card_height(density)
        if density is not Density.COMPACT or width >= 40:
            assert any("◇" in each for each in lines)
        assert not any("■◇" in each for each in lines)
        if has_said and density is Density.ROOMY and width >= 20:
            assert "tests" in lines[1]
            assert lines[1].rstrip().endswith("4m")


def test_the_name_of_an_agent_is_left_of_the_person() -> None:
    card = task(403, "Migrate", labels=(Label(8, "◇ codex", "#123456"),), assignees=(JON,))
    *_, last, _ = words(card_lines(card, 28, look(Density.NORMAL), CardState()))
    assert last == " #403           ◇ codex JR  "
    closed = replace(card, status=Status.CLOSED)
    assert "◇" not in "".join(words(card_lines(closed, 28, look(), CardState())))
