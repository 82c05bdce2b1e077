"""Which stages of a board are its backlog, which are active, and which are done."""

import pytest
from hypothesis import given, strategies as st

from tui.model.board import Stage, StageKind
from tui.model.stage_kinds import kinds_of
from tui.model.task import Status

SIGNS = {StageKind.BACKLOG: "-", StageKind.ACTIVE: "o", StageKind.DONE: "x"}
TITLES = ("Ideas", "Backlog", "To-do", "Doing", "Review", "Done", "Anything")


def stage(number: int, title: str, kind: StageKind | None = None) -> Stage:
    """A stage that closes cards if its title ends in a full stop."""
    status = Status.CLOSED if title.endswith(".") else Status.OPEN
    return Stage(number, 1, title.rstrip("."), default_status=status, kind=kind)


def signs(*titles: str) -> str:
    stages = [stage(number, title) for number, title in enumerate(titles)]
    return "".join(SIGNS[kind] for kind in kinds_of(stages).values())


@pytest.mark.parametrize(
    ("titles", "kinds"),
    [
        ("a, b, c, D.", "-oox"),
        ("D., a, E., b", "x-xo"),
        ("a, D.", "ox"),
        ("D.", "x"),
        ("", ""),
        ("Ideas, Backlog, Doing, Done.", "--ox"),
        ("Q3, Backlog, Doing", "--o"),
        ("1. Ideas, 2. To-Do, 3. In-Progress, Shipped.", "--ox"),
        ("Doing, Review, Done.", "oox"),
        ("Backlog, To do, Done.", "-ox"),
        ("To do, Doing, Done", "-ox"),
        ("To do, Done, Doing", "-oo"),
        ("To do, Doing, Done, Won’t do", "-oxx"),
        ("Backlog, Selected, Review, Ideas", "--oo"),
        ("Done", "x"),
    ],
)
def test_a_kind_is_guessed(titles: str, kinds: str) -> None:
    assert signs(*filter(None, titles.split(", "))) == kinds


@given(st.lists(st.sampled_from([*TITLES, "Closed."]), max_size=7))
def test_work_has_a_stage_wherever_cards_are_open(titles: list[str]) -> None:
    found = signs(*titles)
    assert len(found) == len(titles)
    assert "o" in found or "-" not in found


@given(
    st.lists(st.tuples(st.sampled_from(TITLES), st.sampled_from([None, *StageKind])), max_size=7)
)
def test_what_was_chosen_is_no_guess(chosen: list[tuple[str, StageKind | None]]) -> None:
    stages = [stage(number, *one) for number, one in enumerate(chosen)]
    kinds = kinds_of(stages)
    assert all(kinds[one.id] is one.kind for one in stages if one.kind is not None)
