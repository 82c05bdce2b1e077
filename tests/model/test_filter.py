"""What is typed after `/` shows the tasks a person means."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tui.model.filter import Due, Filter, describe, matcher, matches, parse
from tui.model.task import Label, Person, Priority, Status, Task

NOW = datetime.fromisoformat("2026-11-25 10:30")
ANN = Person(7, "Ann Müller", "amueller")
BOB = Person(8, "Bob", "bob")
BUG = Label(1, "bug")
LATER = Label(2, "Not now")

TASK = Task(
    12,
    board_id=1,
    stage_id=1,
    title="Fix Größe of the login form",
    priority=Priority.HIGH,
    due_at=NOW - timedelta(days=2),
    labels=(BUG, LATER),
    assignees=(ANN, BOB),
)
PLAIN = Task(13, board_id=1, stage_id=1, title="12 monkeys", status=Status.CLOSED)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "  ", "login", "LOGIN fix", "grosse", '"the login"', "#12", "#12 #99"),
        *("label:bug", "#bug", "label:now", 'label:"not now"', "label:bug label:not"),
        *("@ann", "@mull", "@am", "@AMU", "@bob", "@bo", "@ann @bob", "@me"),
        *("priority:high", "p:h", "p:low p:high", "due:late", "due:l", "due:today due:late"),
        *("is:open", "is:o", "fix label:bug @me p:high due:late is:open"),
        *("label:", "@", "#", "p:", "due:", "is:"),
    ],
)
def test_the_task_is_shown(typed: str) -> None:
    assert matches(TASK, parse(typed, me=ANN.id), NOW)


@pytest.mark.parametrize(
    "typed",
    [
        *("logout", "login logout", '"login the"', "#13", "12", "label:ug", "#debug", "label:x"),
        *("label:bug label:x", "@carl", "@ob", "@ann @carl", "p:low", "due:today", "due:week"),
        *("due:none", "is:closed", "key:value", "p:urgent", "is:late", "http://login", "fix p:low"),
    ],
)
def test_the_task_is_hidden(typed: str) -> None:
    assert not matches(TASK, parse(typed, me=ANN.id), NOW)


def test_a_number_alone_is_a_word() -> None:
    assert matches(PLAIN, parse("12"), NOW)
    assert not matches(PLAIN, parse("#12"), NOW)


def test_unknown_keys_are_words() -> None:
    assert parse("a:b p:urgent HTTP://x") == Filter(words=("a:b", "p:urgent", "http://x"))


def test_quotes_make_words_of_anything() -> None:
    assert parse('"@me label:" "open quote') == Filter(words=("@me label:", "open quote"))


def test_mine_shows_nothing_while_nobody_is_known_to_be_me() -> None:
    assert not matches(TASK, parse("@me"), NOW)
    assert not matches(TASK, parse("@me", me=99), NOW)


@pytest.mark.parametrize(
    ("ahead", "shown"),
    [
        (None, {Due.NONE}),
        (timedelta(hours=-1), {Due.LATE, Due.TODAY, Due.WEEK}),
        (timedelta(hours=1), {Due.TODAY, Due.WEEK}),
        (timedelta(days=-1), {Due.LATE}),
        (timedelta(days=6), {Due.WEEK}),
        (timedelta(days=7), set()),
    ],
)
def test_due_dates_are_told_apart(ahead: timedelta | None, shown: set[Due]) -> None:
    due_at = None if ahead is None else NOW + ahead
    task = Task(1, board_id=1, stage_id=1, title="x", due_at=due_at)
    assert {due for due in Due if matches(task, parse(f"due:{due}"), NOW)} == shown


def test_a_closed_task_is_never_late() -> None:
    task = Task(1, 1, 1, "x", status=Status.CLOSED, due_at=NOW - timedelta(days=1))
    assert not matches(task, parse("due:late"), NOW)


def test_a_filter_that_asks_for_nothing_is_empty() -> None:
    assert parse("label: @ ", me=7).is_empty
    assert not parse("@me").is_empty
    assert not parse("x").is_empty


def test_the_header_says_what_is_asked_for() -> None:
    typed = "login is:open fix due:week #7 p:high #bug @ann @me"
    assert describe(parse(typed)) == (
        "@me  @ann  #7  label:bug  priority:high  due:week  is:open  ⌕ login fix"
    )
    assert describe(parse("login"), sign="/") == "/ login"
    assert describe(parse("")) == ""


TYPED = st.lists(
    st.sampled_from(
        [
            *("label:", "bug", "@", "me", "#", "1", "2", " ", '"', "due:", "late", "is:", "p:h"),
            *("ö", "login", "٣", "²"),
        ]
    )
    | st.text(max_size=3)
).map("".join)


@given(TYPED)
def test_anything_can_be_typed(typed: str) -> None:
    wanted = parse(typed, me=7)
    shows = matcher(wanted, NOW)
    assert all(shows(task) == matches(task, wanted, NOW) for task in (TASK, PLAIN))
    assert describe(wanted) or wanted.is_empty


@given(TYPED.map(lambda typed: typed.replace('"', "")), st.sampled_from(["x", "login", "@bob"]))
def test_another_word_never_shows_more(typed: str, word: str) -> None:
    for task in (TASK, PLAIN):
        if matches(task, parse(f"{typed} {word}"), NOW):
            assert matches(task, parse(typed), NOW)


@given(st.sampled_from(TASK.title.split()))
def test_every_word_of_the_title_finds_it(word: str) -> None:
    assert matches(TASK, parse(word), NOW)
