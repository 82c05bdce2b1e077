"""What was done, in words and by day."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, NOW
from tui.model.activity import SOMEBODY, Activity, by_day, sentence, who
from tui.model.task import Person

NO_CONTROLS = st.text(
    st.characters(blacklist_categories=("Cc", "Cs"), blacklist_characters="“”"), max_size=12
)
"""Texts as the model has them, without the quotation marks of the sentences."""


def done(action: str, column: str, old: str = "", new: str = "", about: str = "") -> str:
    """The sentence of something that Ann did."""
    return sentence(Activity(1, action, column, old, new, about, by=ANN))


@pytest.mark.parametrize(
    ("activity", "told"),
    [
        (("moved", "stage", "Doing", "Review"), "moved it from Doing to Review"),
        (("moved", "stage", "", "Review"), "moved it to Review"),
        (("created", "task", "", "A title", "on stage Doing"), "created it in Doing"),
        (("created", "task", "", "A title"), "created it"),
        (("changed", "status", "open", "closed"), "closed it"),
        (("updated", "status", "closed", "open"), "reopened it"),
        (("changed", "title", "a", "b"), "renamed it from “a” to “b”"),
        (
            ("changed", "due_at", "", "2026-11-18 17:00:00"),
            "set the due date to Wed 18 Nov 2026, 17:00",
        ),
        (
            ("changed", "due_at", "2026-11-18 17:00:00", ""),
            "removed the due date Wed 18 Nov 2026, 17:00",
        ),
        (("changed", "custom field", "", "large", "Effort"), "set Effort to large"),
        (("changed", "custom field", "large", "", "Effort"), "cleared Effort, which was large"),
        (("added", "assignee", "", "Jon Reyes"), "assigned Jon Reyes"),
        (("removed", "label", "bug"), "removed the label bug"),
        (("added", "comment", "", "{new} of [b]"), "commented: {new} of [b]"),
    ],
)
def test_what_is_known_is_told_as_one_would_say_it(activity: tuple[str, ...], told: str) -> None:
    assert done(*activity) == f"Ann Keller {told}"


def test_what_is_not_known_is_told_as_the_service_says_it() -> None:
    assert done("polished", "silver_spoon", "dull", "bright", "twice") == (
        "Ann Keller polished silver spoon: dull → bright (twice)"
    )
    assert done("joined", "choir") == "Ann Keller joined choir"
    assert sentence(Activity(1, "archived", "task")) == "Someone archived it"
    assert sentence(Activity(1, "archived", "task", by=Person(1, "", "mo"))) == "mo archived it"
    assert (
        done("changed", "due_at", "", "2026-99-99") == "Ann Keller set the due date to 2026-99-99"
    )


def test_days_are_named_as_one_speaks_of_them_in_either_order() -> None:
    here = NOW.astimezone()
    ages = {5: 0, 4: 1, 3: 3, 2: 400, 1: None}
    activities = tuple(
        Activity(
            number, "archived", "task",
            at=None if days is None else (here - timedelta(days=days)).astimezone(UTC),
        )
        for number, days in ages.items()
    )  # fmt: skip
    newest = by_day(activities, NOW)
    assert [day.title for day in newest] == [
        "Today", "Yesterday", "Tue 17 Nov", "Thu 16 Oct 2025", "Some time ago",
    ]  # fmt: skip
    assert newest[0].entries[0].at == "09:00"
    assert newest[-1].entries[0].at == ""
    oldest = by_day(activities, NOW, oldest_first=True)
    assert [day.entries[0].id for day in oldest] == [1, 2, 3, 4, 5]


@given(
    action=st.sampled_from(("moved", "changed", "added", "created", "deleted")) | NO_CONTROLS,
    column=st.sampled_from(("stage", "due_at", "custom field", "comment", "status")) | NO_CONTROLS,
    old=NO_CONTROLS, new=NO_CONTROLS, about=NO_CONTROLS,
)  # fmt: skip
def test_a_sentence_has_no_hole(action: str, column: str, old: str, new: str, about: str) -> None:
    at = datetime(2026, 11, 20, 8, tzinfo=UTC)
    made = Activity(1, action, column, old, new, about, ANN, at)
    told = sentence(made)
    assert told.startswith("Ann Keller ")
    assert "“”" not in told
    assert by_day((made,), NOW)[0].entries[0].what


def test_a_name_of_blanks_alone_is_none() -> None:
    nameless = Activity(1, "created", "task", by=Person(1, "\u3000", ""))
    assert who(nameless) == SOMEBODY
    assert who(Activity(2, "created", "task", by=Person(1, " ", "ann"))) == "ann"
