"""Threads as rows, and comments as words."""

from datetime import timedelta

from hypothesis import given, settings, strategies as st

from tests.fakes.boards import ANN, JON, MIRA, NOW
from tui.model.comment import (
    Comment,
    Order,
    Thread,
    newest,
    next_unread,
    row_of,
    thread_rows,
    with_unread_replies,
)
from tui.model.comment_text import body, links, named_in
from tui.model.task import Person
from tui.text.dates import elapsed
from tui.text.spans import SpanKind


def reply(number: int, to: int) -> Comment:
    """A reply."""
    return Comment(number, 11, f"reply {number}", parent_id=to)


THREAD: Thread = (
    Comment(9, 11, "nine", replies=(reply(10, 9), reply(12, 9))),
    Comment(7, 11, "seven"),
    Comment(3, 11, "three", replies=(reply(8, 3),)),
)


def ids(order: Order, *unfolded: int) -> list[int]:
    """What is drawn, by ids."""
    return [row.comment.id for row in thread_rows(THREAD, order, unfolded, ())]


def test_replies_stand_below_what_they_answer_in_both_orders() -> None:
    assert ids(Order.LATEST) == [9, 7, 3]
    assert ids(Order.OLDEST) == [3, 7, 9]
    assert ids(Order.LATEST, 9) == [9, 10, 12, 7, 3]
    assert ids(Order.OLDEST, 9, 3) == [3, 8, 7, 9, 10, 12]
    followed = [row.is_followed for row in thread_rows(THREAD, Order.LATEST, {9, 3}, ())]
    assert followed == [False, True, False, False, False, False]
    assert Order.LATEST.other.other is Order.LATEST


def test_what_is_folded_is_counted_and_so_is_what_is_unread_of_it() -> None:
    rows = thread_rows(THREAD, Order.LATEST, {3}, {12, 7})
    assert [(row.hidden, row.hidden_unread, row.is_unread) for row in rows] == [
        (2, 1, False),
        (0, 0, True),
        (0, 0, False),
        (0, 0, False),
    ]
    assert with_unread_replies(THREAD, {12, 7}) == {9}
    assert with_unread_replies(THREAD, ()) == frozenset()


def test_the_next_unread_one_is_found_even_where_it_is_folded() -> None:
    def found(after: int | None, by: int, order: Order = Order.LATEST) -> int | None:
        comment = next_unread(THREAD, order, {12, 3}, after, by)
        return None if comment is None else comment.id

    assert found(9, 1) == 12
    assert found(12, 1) == 3
    assert found(3, 1) is None
    assert found(7, -1) == 12
    assert found(12, -1) is None
    assert found(None, 1) == 12
    assert found(None, -1) == 3
    assert found(None, 1, Order.OLDEST) == 3


def test_a_folded_reply_is_in_the_row_of_its_comment() -> None:
    rows = thread_rows(THREAD, Order.LATEST, (), ())
    assert row_of(rows, reply(12, 9)) == 0
    assert row_of(rows, THREAD[1]) == 1
    assert row_of(rows, Comment(99, 11, "gone")) is None
    assert row_of(rows, None) is None


def test_the_newest_are_comments_and_replies_alike() -> None:
    mine = Comment(-2, 11, "on its way")
    assert [one.id for one in newest((mine, *THREAD), 4)] == [-2, 12, 10, 9]
    assert newest((), 3) == ()


@given(
    st.lists(st.integers(0, 3), max_size=8),
    st.sets(st.integers(1, 60)),
    st.sets(st.integers(1, 60)),
    st.sampled_from(Order),
)
@settings(deadline=None)
def test_nothing_is_lost_and_nothing_unread_goes_uncounted(
    replies: list[int], unfolded: set[int], unread: set[int], order: Order
) -> None:
    thread = tuple(
        Comment(
            10 * n + 1,
            11,
            "",
            replies=tuple(reply(10 * n + 2 + i, 10 * n + 1) for i in range(count)),
        )
        for n, count in reversed(list(enumerate(replies)))
    )
    every = {one.id for comment in thread for one in (comment, *comment.replies)}
    rows = thread_rows(thread, order, unfolded, unread)
    assert len(rows) + sum(row.hidden for row in rows) == len(every)
    seen = sum(row.is_unread + row.hidden_unread for row in rows)
    assert seen == len(every & unread)
    walked, here = set(), None
    while (found := next_unread(thread, order, unread, here, 1)) is not None:
        here = found.id
        walked.add(here)
    assert walked == every & unread


def test_links_are_found_without_the_signs_around_them() -> None:
    text = (
        "See https://example.test/a_(b)?x=1, (https://example.test/c) and"
        " MAILTO:ann@example.test. Not javascript:alert(1), nor ftp://example.test;"
        " once more: https://example.test/c!"
    )
    assert links(text) == (
        "https://example.test/a_(b)?x=1",
        "https://example.test/c",
        "MAILTO:ann@example.test",
    )
    assert links("http://") == ()


def test_people_are_named_as_the_service_would_have_it() -> None:
    people = (ANN, MIRA, JON)
    assert named_in("@mira, @Ann. @mira again; @annabel, ann@ann and @ann-x not", people) == (
        MIRA,
        ANN,
    )
    assert named_in("> ask @mira\n  >> and @ann\n\nI am @jon", people) == (JON,)
    assert named_in("@nobody", ()) == ()


def test_people_without_a_login_are_named_by_their_display_name() -> None:
    ipek, bob = Person(7, "İpek Weiß"), Person(8, "Bob Cook")
    people = (ANN, ipek, bob, Person(9, "mira"), MIRA)
    text = "@İpek Weiß, @BOB COOK. @Ann Keller and @mira, not @ipek weiß or @Bob Cooker"
    assert named_in(text, people) == (ipek, bob, ANN, MIRA)
    assert named_in("@Bob Cook", (bob, Person(9, "bob cook"))) == (), "nobody knows which"
    assert named_in("@jım", (Person(9, "Jim", "jim"),)) == ()


def test_the_words_are_told_apart_and_never_read_as_markup() -> None:
    lines = body("[b]@ann[/b] see http://example.test.\n> @jon said so", 60, frozenset({"ann"}))
    kinds = [[(span.text, span.kind) for span in line] for line in lines]
    assert kinds == [
        [
            ("[b]", SpanKind.PLAIN),
            ("@ann", SpanKind.STRONG),
            ("[/b] see ", SpanKind.PLAIN),
            ("http://example.test", SpanKind.LINK),
            ("\u00a0[1]", SpanKind.SIGN),
            (".", SpanKind.PLAIN),
        ],
        [("> @jon said so", SpanKind.QUOTE)],
    ]
    assert body(" \n ", 20) == []


def test_ages_are_words() -> None:
    def aged(**span: float) -> str:
        return elapsed(NOW - timedelta(**span), NOW)

    assert [aged(seconds=20), aged(minutes=5), aged(hours=3), aged(days=2)] == [
        "just now",
        "5m ago",
        "3h ago",
        "2d ago",
    ]
    assert aged(days=-3) == "just now"
