"""The fields of a task in words, whatever they are or lack, and read from words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.fakes.boards import ANN, AUTH, BUG, COLOUR, JON, MIRA, NOW, relaunch, task
from tui.errors import CallboardError
from tui.model.blocked_by import Blocker
from tui.model.colors import color_words
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import DetailPart, Reminder, SubtaskGroup, TaskDetail, TaskField
from tui.model.fields.rows import FieldRow, task_rows, value_row
from tui.model.fields.values import (
    LINE_LIMIT,
    Tense,
    distance,
    kept_date,
    moment,
    read_value,
    says_time,
    typed_again,
    typed_reminder,
    value_in_words,
)
from tui.model.people import Account
from tui.model.task import Label, Person, Priority, Status

LATE = NOW - timedelta(days=2)
NAMES = {field.value for field in TaskField}
ALWAYS = NAMES - {"More fields", "Worth", "Repeats", "Archived"}


def rows_of(detail: TaskDetail, *fields: CustomField) -> dict[str, FieldRow]:
    """The rows of a task on the board of the pictures, by their labels."""
    return {row.label: row for row in task_rows(replace(relaunch(), fields=fields), detail)}


def said(of: str, detail: TaskDetail, *fields: CustomField) -> str:
    """What one row says."""
    return rows_of(detail, *fields)[of].words(NOW)


def field(kind: FieldType, *options: str) -> CustomField:
    """A custom field."""
    return CustomField(7, 1, "Extra", kind, options)


def test_a_bare_task_has_every_field_and_says_what_it_lacks() -> None:
    rows = rows_of(TaskDetail(task(12, "b", 1)))
    assert set(rows) == ALWAYS
    words = {label: row.words(NOW) for label, row in rows.items()}
    assert words == {
        "Stage": "Backlog · Website relaunch",
        "Status": "open",
        "Priority": "low",
        "Assignees": "unassigned",
        "Watching": "not loaded yet",
        "Watchers": "no one",
        "Start": "no date",
        "Due": "no date",
        "Reminder": "none",
        "Labels": "none",
        "Blocked by": "none",
        "Attachments": "none",
        "Parent": "none",
        "Template": "no",
        "Cover": "none",
        "Contact": "none",
        "Source": "none",
        "Created": "not loaded yet",
        "Updated": "not loaded yet",
        "Completed": "no date",
    }


def test_a_full_task_says_everything() -> None:
    created = datetime(2026, 11, 18, 12, tzinfo=UTC)
    full = task(
        412, "Fix", 2, status=Status.CLOSED, priority=Priority.HIGH, labels=(BUG, COLOUR),
        assignees=(ANN, JON), due_at=LATE, started_at=NOW + timedelta(days=1),
        created_at=created, updated_at=created, created_by=3, comments_count=6, source="web",
        attachments_count=3, parent_id=398, archived_at=NOW - timedelta(minutes=5),
        blockers=(Blocker(12), Blocker(801, "Support")),
    )  # fmt: skip
    detail = TaskDetail(
        full,
        groups=(SubtaskGroup(1, "G", (task(1, "x", status=Status.CLOSED), task(2, "y"))),),
        watching=True,
        watchers=(MIRA, Person(9, "", "")),
        reminder=Reminder("mail", NOW + timedelta(minutes=20)),
        cover="#579dff",
        is_template=True,
        last_completed_at=NOW - timedelta(hours=3),
        attachments=("plan.pdf (12 KB)",),
        contact_id=55,
        source_id="form-7",
        worth="1200.00",
        repeats=True,
    )
    words = {label: row.words(NOW) for label, row in rows_of(detail).items()}
    made = moment(created.astimezone().replace(tzinfo=None), NOW)
    assert words | {"Created": "", "Updated": ""} == {
        "Stage": "Doing · Website relaunch",
        "Status": "closed ✓",
        "Priority": "high",
        "Assignees": "Ann Keller, Jon Reyes",
        "Watching": "yes",
        "Watchers": "Mira Novak, person 9",
        "Start": "Sat 21 Nov 09:00 · tomorrow",
        "Due": "Wed 18 Nov 09:00 · 2 days ago",
        "Reminder": "Fri 20 Nov 09:20 · today, in 20 minutes (mail)",
        "Labels": "bug, purple (#9f8fef)",
        "Blocked by": "#12, Support #801",
        "Attachments": "3 · plan.pdf (12 KB)",
        "Parent": "#398 “Rate-limit the public API”",
        "Template": "yes",
        "Cover": "blue (#579dff)",
        "Contact": "#55 in the CRM",
        "Worth": "1200.00",
        "Repeats": "yes",
        "Source": "web form-7",
        "Created": "",
        "Updated": "",
        "Completed": "Fri 20 Nov 06:00 · 3 hours ago",
        "Archived": "Fri 20 Nov 08:55 · 5 minutes ago",
    }
    assert words["Created"].startswith(made)
    assert words["Created"].endswith("ago · by Jon Reyes")
    assert words["Updated"].startswith(made)


def test_beside_the_text_a_field_says_no_more_than_it_must() -> None:
    created = datetime(2026, 11, 9, 12).astimezone()
    full = task(
        412, "Fix", 2, assignees=(ANN, JON), due_at=NOW.replace(hour=17) + timedelta(days=14),
        started_at=LATE.replace(hour=9), created_by=3, created_at=created,
        updated_at=NOW.astimezone(UTC) - timedelta(hours=2), archived_at=LATE.replace(hour=14),
    )  # fmt: skip
    watchers = (MIRA, Person(9, "", ""), Person(10, "Mira Other", ""))
    detail = TaskDetail(full, watchers=watchers, last_completed_at=NOW - timedelta(days=400))
    rows = {row.label: row for row in task_rows(relaunch(), detail, me=Account(user_id=JON.id))}
    said = {label: " ".join(p.text for p in row.pieces(NOW)) for label, row in rows.items()}
    for label, words in {
        "Stage": "Doing",
        "Assignees": "Ann Keller, Jon Reyes",
        "Watchers": "Mira Novak, person 9, Mira Other",
        "Start": "Wed 18 Nov",
        "Due": "Fri 4 Dec · in\xa014\xa0days",
        "Created": "Mon 9 Nov  · Jon",
        "Updated": "2h ago",
        "Archived": "Wed 14:00",
        "Completed": "16 Oct 2025",
    }.items():
        assert said[label] == words
    assert [piece.role for piece in rows["Assignees"].pieces(NOW)] == ["text", "accent"]
    other = replace(full, due_at=NOW + timedelta(days=14), started_at=LATE.replace(hour=10))
    rows = rows_of(TaskDetail(other))
    assert rows["Due"].pieces(NOW)[0].text == "Fri 4 Dec 09:00 · in\xa014\xa0days"
    assert rows["Start"].pieces(NOW)[0].text == "Wed 18 Nov 10:00"


def test_odd_values_are_told_as_far_as_they_make_sense() -> None:
    odd = task(
        -3, "new", 99, created_by=77, parent_id=5,
        labels=(Label(1, "", "javascript"), replace(AUTH, title="")),
    )  # fmt: skip
    detail = TaskDetail(odd, reminder=Reminder("none"), cover="red; }", watching=False)
    rows = rows_of(detail)
    assert rows["Stage"].words(NOW) == "none · Website relaunch"
    assert [piece.chip for piece in rows["Labels"].said] == ["#8590a2", "#579dff"]
    assert rows["Cover"].said[0].chip == "#8590a2"
    assert rows["Reminder"].words(NOW) == "no time set"
    assert rows["Created"].words(NOW) == "by person 77"
    assert rows["Parent"].words(NOW) == "#5"
    assert rows["Watching"].words(NOW) == "no"


def test_what_is_not_offered_says_the_reason() -> None:
    why = {DetailPart.VALUES: "No custom fields here."}
    rows = rows_of(TaskDetail(task(1, "a"), why=why), field(FieldType.TEXT))
    assert rows["More fields"].words(NOW) == rows["More fields"].fixed == "No custom fields here."
    unknown = rows_of(TaskDetail(task(1, "a")), field(FieldType.TEXT))["Extra"]
    assert unknown.words(NOW) == "not loaded yet"
    assert "not loaded" in unknown.fixed


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (FieldType.TEXT, "ACME", "ACME"),
        (FieldType.TEXT, True, "yes ✓"),
        (FieldType.TEXTAREA, "a\nb", "a\nb"),
        (FieldType.NUMBER, "2.50", "2.50"),
        (FieldType.URL, "https://example.test/", "https://example.test/"),
        (FieldType.SELECT, "gone option", "gone option"),
        (FieldType.CHECKBOX, True, "yes ✓"),
        (FieldType.CHECKBOX, "1", "yes ✓"),
        (FieldType.CHECKBOX, False, "no"),
        (FieldType.CHECKBOX, None, "—"),
        (FieldType.DATE, "2026-11-19 00:00:00", "Thu 19 Nov · yesterday"),
        (FieldType.DATE, "2027-02-01", "Mon 1 Feb 2027 · in 2 months"),
        (FieldType.DATE, "2026-11-20 14:30:00", "Fri 20 Nov 14:30 · today, in 5 hours"),
        (FieldType.DATE, "some day", "some day"),
        (FieldType.DATE, "", "—"),
    ],
)
def test_custom_values_are_told_by_their_type(
    kind: FieldType, value: str | bool | None, words: str
) -> None:
    values = () if value is None else (FieldValue(7, value),)
    detail = TaskDetail(task(1, "a"), values=values)
    assert said("Extra", detail, field(kind)) == words


@pytest.mark.parametrize(
    ("off", "tense", "words", "role"),
    [
        (timedelta(days=-2), Tense.DEADLINE, "overdue by 2 days", "bad"),
        (timedelta(minutes=-5), Tense.DEADLINE, "overdue by 5 minutes", "bad"),
        (timedelta(seconds=5), Tense.DEADLINE, "now", "warn"),
        (timedelta(hours=8), Tense.DEADLINE, "today, in 8 hours", "warn"),
        (timedelta(days=1), Tense.DEADLINE, "upcoming, tomorrow", "warn"),
        (timedelta(days=2), Tense.DEADLINE, "upcoming, in 2 days", "warn"),
        (timedelta(days=7), Tense.DEADLINE, "in 7 days", "text"),
        (timedelta(days=100), Tense.EVENT, "in 3 months", "text"),
        (timedelta(days=-800), Tense.EVENT, "2 years ago", "text"),
        (timedelta(seconds=-1), Tense.EVENT, "1 minute ago", "text"),
        (timedelta(days=-3), Tense.DAY, "3 days ago", "text"),
    ],
)
def test_distances_are_said_in_words(off: timedelta, tense: Tense, words: str, role: str) -> None:
    assert distance(NOW + off, NOW, tense) == (words, role)


def test_a_change_on_its_way_marks_its_row_alone() -> None:
    detail = TaskDetail(
        task(1, "a"), values=(), pending=frozenset({("field_value", 7), ("comment", 8)})
    )
    view = replace(relaunch(), fields=(field(FieldType.TEXT), CustomField(8, 1, "Other")))
    rows = task_rows(view, detail, {(TaskField.COVER, 0)})
    assert [row.label for row in rows if row.is_pending] == ["Extra", "Cover"]


@pytest.mark.parametrize(
    ("kind", "words", "value", "told"),
    [
        (FieldType.TEXT, "  two   words ", "two words", "two words"),
        (FieldType.TEXT, "  ", "", "leave empty to clear"),
        (FieldType.NUMBER, "1 200.50", "1200.50", "1200.50"),
        (FieldType.NUMBER, "−3", "-3", "-3"),
        (FieldType.URL, "mailto:a@b.test", "mailto:a@b.test", "mailto:a@b.test"),
        (FieldType.DATE, "tomorrow", "2026-11-21 00:00:00", "Sat 21 Nov · tomorrow"),
        (FieldType.DATE, "mon 8am", "2026-11-23 08:00:00", "Mon 23 Nov 08:00 · in 3 days"),
    ],
)
def test_typed_words_become_values(kind: FieldType, words: str, value: str, told: str) -> None:
    assert read_value(field(kind), words, NOW) == value
    assert value_in_words(field(kind), words, NOW) == told


@pytest.mark.parametrize(
    ("kind", "words", "hint"),
    [
        (FieldType.NUMBER, "2,5", "2.5, with a point"),
        (FieldType.NUMBER, "many", "12 or 2.50"),
        (FieldType.NUMBER, "１２", "12 or 2.50"),
        (FieldType.URL, "example.test", "https://"),
        (FieldType.URL, "javascript:alert(1)", "https://"),
        (FieldType.URL, "https://[", "https://"),
        (FieldType.URL, "https://a b", "https://"),
        (FieldType.DATE, "some day", "2026-12-01"),
        (FieldType.TEXT, "x" * (LINE_LIMIT + 1), "description"),
    ],
)
def test_what_is_no_value_is_refused_in_words(kind: FieldType, words: str, hint: str) -> None:
    with pytest.raises(CallboardError) as refused:
        read_value(field(kind), words, NOW)
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("words", "is_more"),
    [
        *(("fri", False), ("2026-12-01", False), ("+3d", False), ("", False)),
        *(("fri 9:00", True), ("5pm", True), ("+4h", True), ("1 day before", True)),
        ("2026-12-01T17:00:00+01:00", True),
    ],
)
def test_a_typed_time_of_day_is_recognised(words: str, is_more: bool) -> None:
    assert says_time(words, NOW) is is_more


def test_reminders_are_counted_from_the_due_date_or_typed() -> None:
    due = datetime(2026, 11, 25, 12)  # noqa: DTZ001 (wall-clock time)
    for words, when in {
        "": None,
        "due": due,
        "1 day before": due - timedelta(days=1),
        "an hour before due": due - timedelta(hours=1),
        "30min before": due - timedelta(minutes=30),
        "mon": datetime(2026, 11, 23, 9),  # noqa: DTZ001 (wall-clock time)
        "mon 14:00": datetime(2026, 11, 23, 14),  # noqa: DTZ001 (wall-clock time)
    }.items():
        assert typed_reminder(words, NOW, due) == when, words
    for words, at, reason in (
        ("2 weeks before", due, "is in the past"),
        ("1h before", None, "No due date"),
        ("3 fortnights before", due, "not a valid date"),
        ("9999 weeks before", due, "is in the past"),
    ):
        with pytest.raises(CallboardError) as refused:
            typed_reminder(words, NOW, at)
        assert reason in refused.value.message


def test_colours_are_told_by_name_and_number() -> None:
    assert color_words("#4BCE97") == "green (#4BCE97)"
    assert color_words("#123456") == "#123456"


_ANY: dict[str, st.SearchStrategy[Any]] = {
    "title": st.text(max_size=5),
    "due_at": st.none() | st.datetimes(),
    "started_at": st.none() | st.datetimes(),
    "source": st.text(max_size=5),
    "parent_id": st.none() | st.integers(-9, 999),
    "created_by": st.none() | st.integers(-9, 9),
    "stage_id": st.none() | st.integers(0, 9),
}


@settings(deadline=None)
@given(
    st.fixed_dictionaries(_ANY),
    st.datetimes(),
    st.sampled_from(FieldType),
    st.text() | st.booleans() | st.none(),
)
def test_every_row_of_any_task_says_something(
    values: dict[str, Any], now: datetime, kind: FieldType, value: str | bool | None
) -> None:
    kept = () if value is None else (FieldValue(7, value),)
    detail = TaskDetail(replace(task(1, "a"), **values), values=kept)
    rows = task_rows(replace(relaunch(), fields=(field(kind),)), detail)
    assert len({row.key for row in rows}) == len(rows)
    assert all(row.words(now) for row in rows)


@settings(deadline=None)
@given(st.sampled_from(FieldType), st.text(max_size=30))
def test_what_was_typed_is_told_again_as_a_value(kind: FieldType, words: str) -> None:
    try:
        value = read_value(field(kind), words, NOW)
    except CallboardError:
        return
    assert read_value(field(kind), value, NOW) == value
    assert value_row(field(kind), value).words(NOW)


def test_an_edit_begins_with_what_a_person_would_type() -> None:
    day = field(FieldType.DATE)
    kept = ("2026-11-20 00:00:00", "2026-11-20 14:30:00", "some day", "")
    typed = ["2026-11-20", "2026-11-20 14:30", "some day", ""]
    assert [typed_again(day, value) for value in kept] == typed
    assert typed_again(field(FieldType.TEXT), kept[0]) == kept[0]


def test_a_kept_date_without_sense_is_none() -> None:
    assert [kept_date(value) for value in (None, "", True, "0000-00-00")] == [None] * 4
