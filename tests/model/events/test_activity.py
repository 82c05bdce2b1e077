"""What was done, in words and by day."""

from contextvars import copy_context
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, NOW
from tests.texts.plain import raw_names
from tui.model.events.activity import SOMEBODY, Activity, by_day, sentence, what, what_on_board, who
from tui.model.task import Person
from tui.schema.tasks import TASK_COLUMNS
from tui.text.dates import Customs, customs
from tui.text.plain_names import DEFAULT_GROUP

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
            "set the due date to Wed 18 Nov 2026 17:00",
        ),
        (
            ("changed", "due_at", "2026-11-18 17:00:00", ""),
            "removed the due date Wed 18 Nov 2026 17:00",
        ),
        (("changed", "due_at", "", "2026-11-18"), "set the due date to Wed 18 Nov 2026"),
        (
            ("changed", "remind_at", "", "2026-11-18 09:00:00"),
            "set the reminder: Wed 18 Nov 2026 09:00",
        ),
        (("changed", "reminder_type", "none", "on_due_date"), "set the reminder: on the due date"),
        (("changed", "reminder_type", "on_due_date", "none"), "removed the reminder"),
        (("changed", "is_template", "", "yes"), "made it a template"),
        (("changed", "crm_contact_id", "", "12"), "linked it to contact #12"),
        (("changed", "settings", '{"cover": 1}', "{}"), "changed the cover"),
        (("created", "subtask group", "", "Default Subtask Group"), "added the group “Subtasks”"),
        (("changed", "custom field", "false", "true", "Done"), "set Done from no to yes"),
        (
            ("changed", "custom field", "", "2026-12-01 00:00:00", "Out"),
            "set Out to Tue 1 Dec 2026",
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


_COLUMNS = (*TASK_COLUMNS, "title", "settings", "archived_at", "parent_id", "custom field", "stage")
_WORDS_OF_SERVICES = (
    *("", "none", "open", "closed", "high", "yes", "true", "on_due_date", "15_minutes_before"),
    *("2026-11-18 17:00:00", "2026-11-18", "2026-11-18T17:00:00+00:00", "12", "0.00"),
)
_VALUES = st.sampled_from(_WORDS_OF_SERVICES)


@given(
    action=st.sampled_from(
        ["changed", "updated", "set", "created", "sorted", "moved", "re_opened"]
    ),
    column=st.sampled_from([*_COLUMNS, "subtask group", "custom field options", "silver_spoon_id"]),
    old=_VALUES,
    new=_VALUES,
    about=st.sampled_from(["", "Effort", "by due_at descending"]),
)
def test_no_name_that_a_service_has_for_programs_is_said(
    action: str, column: str, old: str, new: str, about: str
) -> None:
    if column in ("subtask group", "subtask_group_id"):  # its titles are people's own
        old, new = DEFAULT_GROUP, ""
    is_reminder = "reminder" in column
    old, new = (value if is_reminder or "_" not in value else "" for value in (old, new))
    about = about if ("by" in about) == (action == "sorted") else ""
    activity = Activity(1, action, column, old, new, about, by=ANN)
    assert raw_names(what(activity)) == raw_names(what_on_board(activity)) == []


def test_the_year_is_said_only_of_another_one() -> None:
    def told(changed: str) -> str:
        return what(Activity(1, "changed", "due_at", "", changed))

    context = copy_context()
    context.run(customs.set, Customs(year=2026))
    assert context.run(told, "2026-11-27 17:00:00") == "set the due date to Fri 27 Nov 17:00"
    assert context.run(told, "2027-01-04 17:00:00") == "set the due date to Mon 4 Jan 2027 17:00"
    context.run(customs.set, Customs(is_iso=True, year=2026))
    assert context.run(told, "2026-11-27 17:00:00") == "set the due date to 2026-11-27 17:00"


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
