"""Names of services for programs, in words of people."""

import pytest

from tests.texts.plain import raw_names
from tui.schema.tasks import TASK_COLUMNS
from tui.text.plain_names import (
    DEFAULT_GROUP,
    column_in_words,
    columns_in_words,
    group_in_words,
    reminder_in_words,
)


def test_the_first_group_of_a_task_is_called_subtasks_and_others_as_people_call_them() -> None:
    assert group_in_words(DEFAULT_GROUP) == "Subtasks"
    assert group_in_words("on_hold") == "on_hold"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("on_due_date", "on the due date"),
        ("15_minutes_before", "15 minutes before"),
        ("once", "once"),
        ("none", ""),
        ("", ""),
    ],
)
def test_kinds_of_reminders_are_said_in_words(kind: str, words: str) -> None:
    assert reminder_in_words(kind) == words


def test_every_column_of_a_card_is_said_in_words() -> None:
    words = {column_in_words(column) for column in TASK_COLUMNS}
    assert {"due date", "start date", "completion", "contact", "reminder"} <= words
    assert raw_names(" ".join(words)) == []
    assert column_in_words("is_silver_spoon") == "silver spoon"


def test_columns_in_a_message_are_said_in_words_and_other_names_stay() -> None:
    said = columns_in_words("due_at must be a date, not that of my_due_at.txt")
    assert said == "due date must be a date, not that of my_due_at.txt"
