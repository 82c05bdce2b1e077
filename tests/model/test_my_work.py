"""My work: each open card of mine is in one section, and comments wait until I answered."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, JON, MIRA, NOW, small, task
from tui.model.board import BoardView
from tui.model.comment import Comment, threaded
from tui.model.events.history import Event, EventKind
from tui.model.people import Account
from tui.model.task import Person, Status, Task
from tui.model.work.my_work import Unanswered, WorkSection, my_work, unanswered

ME = Account("ann")
PEOPLE = (ANN, MIRA, JON)
ASKED = (Unanswered("Mira Novak", "@ann?"),)
AT = datetime(2026, 11, 20, 9, tzinfo=UTC)

TASKS = st.lists(
    st.builds(
        Task,
        st.integers(1, 60),
        board_id=st.just(1),
        stage_id=st.sampled_from([1, 2, 3]),
        title=st.just("x"),
        status=st.sampled_from(Status),
        due_at=st.none() | st.timedeltas(timedelta(-3), timedelta(6)).map(lambda by: NOW + by),
        assignees=st.sampled_from([(), (ANN,), (MIRA,), (JON, ANN)]),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)


def board(tasks: Iterable[Task]) -> BoardView:
    """The stages To do (the backlog), Doing (active) and Done, with these cards."""
    lanes = {1: (), 2: (), 3: ()} | {
        stage_id: tuple(one for one in tasks if one.stage_id == stage_id) for stage_id in (1, 2, 3)
    }
    return replace(small(), tasks=lanes, people=PEOPLE)


def expected(one: Task, *, is_asked: bool) -> WorkSection | None:
    """The section of a card, by the words of the interface alone."""
    if one.status is Status.CLOSED:
        return None
    if ANN not in one.assignees:
        return WorkSection.WAITING if is_asked else None
    if one.due_at is not None:
        if one.due_at < NOW:
            return WorkSection.OVERDUE
        days = one.due_at.toordinal() - NOW.toordinal()
        if days <= 3:
            return WorkSection.TODAY if days == 0 else WorkSection.NEXT_DAYS
    if is_asked:
        return WorkSection.WAITING
    return WorkSection.ACTIVE if one.stage_id == 2 else WorkSection.REST


@given(TASKS, st.sets(st.integers(1, 60)))
def test_each_open_card_of_mine_is_in_the_first_section_that_fits(
    tasks: list[Task], asked: set[int]
) -> None:
    found = my_work([board(tasks)], ME, NOW, dict.fromkeys(asked, ASKED))
    sections = {one.id: expected(one, is_asked=one.id in asked) for one in tasks}
    assert {work.task.id: work.section for work in found} == {
        task_id: section for task_id, section in sections.items() if section is not None
    }
    assert len(found) == len({work.task.id for work in found})
    order = [list(WorkSection).index(work.section) for work in found]
    assert order == sorted(order)
    assert all(work.waiting == (ASKED if work.task.id in asked else ()) for work in found)


def test_cards_of_all_boards_are_ordered_together() -> None:
    late = task(1, "late", 2, assignees=(ANN,), due_at=NOW - timedelta(days=1))
    later = replace(late, id=2, due_at=NOW - timedelta(days=2))
    other = replace(board([later]), board=replace(small().board, id=2, title="Other"))
    found = my_work([board([late]), other], ME, NOW, {})
    assert [(work.task.id, work.board, work.stage) for work in found] == [
        (2, "Other", "Doing"),
        (1, "Small", "Doing"),
    ]


def said(
    number: int, by: Person | None, text: str, to: int | None = None, **more: object
) -> Comment:
    at = AT + timedelta(minutes=number)
    return Comment(number, 11, text, to, by, at, **more)  # type: ignore[arg-type]  # named by callers


def waiting(*comments: Comment, events: Iterable[Event] = (), me: Account = ME) -> list[str]:
    return [f"{one.by}: {one.text}" for one in unanswered(threaded(comments), events, me, PEOPLE)]


def test_a_mention_waits_until_i_write_again() -> None:
    asked = said(1, MIRA, "Hi  @Ann,\ncan you look?")
    assert waiting(asked) == ["Mira Novak: Hi @Ann, can you look?"]
    assert waiting(asked, said(2, JON, "me too, @ann")) == [
        "Mira Novak: Hi @Ann, can you look?",
        "Jon Reyes: me too, @ann",
    ]
    assert waiting(asked, said(2, ANN, "Yes", to=1)) == []
    assert waiting(asked, said(2, ANN, "Yes, in a comment of its own")) == []
    assert waiting(asked, said(-1, ANN, "Written offline")) == []
    assert waiting(asked, said(2, ANN, "Yes"), said(3, MIRA, "@ann and now?")) == [
        "Mira Novak: @ann and now?"
    ]


WRITTEN = st.lists(
    st.tuples(st.sampled_from(PEOPLE), st.booleans(), st.none() | st.integers(0, 7)), max_size=8
)


@given(WRITTEN)
def test_what_waits_was_written_to_me_after_my_last_comment(
    written: list[tuple[Person, bool, int | None]],
) -> None:
    comments: list[Comment] = []
    for number, (by, mentions_me, above) in enumerate(written, 1):
        roots = [one.id for one in comments if one.parent_id is None]
        root = None if above is None or not roots else roots[above % len(roots)]
        comments.append(said(number, by, f"{number} {'@ann' * mentions_me}", to=root))

    def is_to_me(one: Comment) -> bool:
        thread = [each for each in comments if one.parent_id in (each.id, each.parent_id)]
        follows_mine = any(each.author == ANN and each.id < one.id for each in thread)
        return "@ann" in one.text or (one.parent_id is not None and follows_mine)

    last = max((one.id for one in comments if one.author == ANN), default=0)
    found = unanswered(threaded(comments), (), ME, PEOPLE)
    assert [one.comment_id for one in found] == [
        one.id for one in comments if one.id > last and is_to_me(one)
    ]


def test_what_is_not_to_me_does_not_wait() -> None:
    assert waiting(said(1, MIRA, "@jon can you look? ann@example.org")) == []
    assert waiting(said(1, MIRA, "> @ann said so")) == []
    assert waiting(said(1, ANN, "a note of @ann to herself")) == []
    assert waiting(said(1, MIRA, "Done"), said(2, JON, "Thanks", to=1)) == []


def test_a_reply_below_mine_waits() -> None:
    mine = said(1, ANN, "Is this right?")
    assert waiting(mine, said(2, MIRA, "Yes", to=1)) == ["Mira Novak: Yes"]
    asked = said(1, MIRA, "Who?")
    thread = (asked, said(2, ANN, "Me", to=1), said(3, MIRA, "When?", to=1))
    assert waiting(*thread) == ["Mira Novak: When?"]
    assert waiting(*thread, said(4, ANN, "Now", to=1)) == []
    assert waiting(asked, said(2, MIRA, "Anybody?", to=1)) == []


def test_a_mention_is_known_by_the_id_where_logins_are_not_told() -> None:
    me, hidden = Account("ann@example.org", 1), said(1, MIRA, "@Somebody, look", mentions=(1,))
    assert waiting(hidden, me=me) == ["Mira Novak: @Somebody, look"]
    assert waiting(hidden) == []
    assert waiting(said(1, None, "@ann!")) == ["Someone: @ann!"]


def test_the_activity_tells_of_comments_that_are_not_cached() -> None:
    def event(minutes: int, by: Person, text: str) -> Event:
        return Event(1, 11, EventKind.COMMENTED, AT + timedelta(minutes=minutes), by, new=text)

    asked = event(5, MIRA, "@ann, look")
    assert waiting(events=[asked]) == ["Mira Novak: @ann, look"]
    assert waiting(events=[asked, event(6, ANN, "Yes")]) == []
    assert waiting(said(5, MIRA, "@ann, look"), events=[asked]) == ["Mira Novak: @ann, look"]
    assert waiting(said(9, ANN, "Yes"), events=[asked]) == []
    assert waiting(said(1, ANN, "Here"), events=[asked]) == ["Mira Novak: @ann, look"]
