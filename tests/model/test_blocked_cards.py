"""Which stages of a board are active, and which labels and comments say that a card is blocked."""

from hypothesis import given, strategies as st

from tui.model.board import Part, Stage, parts_of
from tui.model.task import Label, Status, as_comment, blocked_labels, reason_in


def stages(letters: str) -> list[Stage]:
    """A stage for each letter; those of a capital are done."""
    return [
        Stage(number, 1, one, default_status=Status.CLOSED if one.isupper() else Status.OPEN)
        for number, one in enumerate(letters)
    ]


def titles(letters: str) -> tuple[str, str]:
    """The backlog and the active stages."""
    found, parts = stages(letters), parts_of(stages(letters))
    backlog, active = (
        "".join(stage.title for stage in found if parts[stage.id] is part)
        for part in (Part.BACKLOG, Part.ACTIVE)
    )
    return backlog, active


def test_the_first_of_several_open_stages_is_the_backlog() -> None:
    assert titles("abcD") == ("a", "bc")
    assert titles("DaEb") == ("a", "b")
    assert titles("aD") == ("", "a")
    assert titles("D") == titles("") == ("", "")


@given(st.text("abD", max_size=6))
def test_every_stage_is_done_or_the_backlog_or_active(letters: str) -> None:
    waiting, worked_on = titles(letters)
    assert waiting + worked_on == letters.replace("D", "")


def test_the_comment_on_a_blocked_card_gives_the_reason() -> None:
    assert reason_in(as_comment("no DNS")) == "no DNS"
    assert reason_in(f"{as_comment('no DNS ')}\nsince Monday") == "no DNS"
    assert reason_in(f"I think: {as_comment('no DNS')}") == ""
    assert reason_in("blocked") == ""


def test_a_label_of_any_case_blocks() -> None:
    labels = [Label(1, "bug"), Label(2, "BLOCKED"), Label(3, ""), Label(4, " blocked ")]
    assert [one.id for one in blocked_labels(labels)] == [2, 4]
