"""Which labels and comments say that a card is blocked."""

from tui.model.task import Label, as_comment, blocked_labels, reason_in


def test_the_comment_on_a_blocked_card_gives_the_reason() -> None:
    assert reason_in(as_comment("no DNS")) == "no DNS"
    assert reason_in(f"{as_comment('no DNS ')}\nsince Monday") == "no DNS"
    assert reason_in(f"I think: {as_comment('no DNS')}") == ""
    assert reason_in("blocked") == ""


def test_a_label_of_any_case_blocks() -> None:
    labels = [Label(1, "bug"), Label(2, "BLOCKED"), Label(3, ""), Label(4, " blocked ")]
    assert [one.id for one in blocked_labels(labels)] == [2, 4]
