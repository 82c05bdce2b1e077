"""When notifications may be sent: a minute apart, each news once, by however many programs."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, strategies as st

from tests.fakes.boards import task
from tui.model.work.news import News, Reason
from tui.notifications.notifier import GATHER, KEPT, PAUSE, PendingNews, moment, remembered, unsent

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)


def waiting(key: str, after: float) -> PendingNews:
    """News that are heard of so many seconds after the start."""
    news = News(Reason.DUE, task(1, "a"), "Small", key)
    return PendingNews(news, AT + timedelta(seconds=after))


@given(
    st.lists(
        st.tuples(st.floats(0, 600), st.sampled_from("abcdefgh"), st.integers(0, 2)), max_size=20
    )
)
def test_programs_together_send_once_a_minute_and_everything_once(
    heard: list[tuple[float, str, int]],
) -> None:
    sent: dict[str, datetime] = {}
    sent_at: datetime | None = None
    times: list[datetime] = []
    told: list[str] = []
    queues: list[list[PendingNews]] = [[], [], []]
    coming = sorted(heard)
    for second in range(1_000):
        now = AT + timedelta(seconds=second)
        while coming and coming[0][0] <= second:
            after, key, program = coming.pop(0)
            queues[program].append(waiting(key, after))
        for queue in queues:
            at = moment(queue, sent_at, now)
            if at is None or at > now:
                continue
            news = unsent(queue, remembered(sent, now))
            assert all(each.since + GATHER <= now for each in queue[:1])
            queue.clear()
            if news:
                told += [each.news.key for each in news]
                sent |= {each.news.key: now for each in news}
                sent_at = now
                times.append(now)
    assert sorted(told) == sorted({key for _, key, _ in heard})
    assert all(later - earlier >= PAUSE for earlier, later in pairwise(times))


def test_nothing_is_due_without_news_and_a_clock_that_was_set_back_delays_nothing() -> None:
    assert moment([], AT, AT) is None
    tomorrow = AT + timedelta(days=1)
    assert moment([waiting("a", 0)], tomorrow, AT) == AT + GATHER
    assert remembered({"a": tomorrow, "b": AT - KEPT, "c": AT}, AT) == {"c": AT}


def test_of_the_same_news_the_first_is_sent() -> None:
    first, again, other = waiting("a", 0), waiting("a", 1), waiting("b", 2)
    assert unsent([first, again, other], {}) == [first, other]
    assert unsent([first, other], {"a": AT}) == [other]
