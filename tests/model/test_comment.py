"""A thread is the same whether it is put together at once or comment by comment."""

from hypothesis import given, strategies as st

from tui.model.comment import Comment, Thread, age, threaded, with_comment

_IDS = st.integers(-6, 12).filter(bool)


@st.composite
def _comments(draw: st.DrawFn) -> list[Comment]:
    """Comments and replies in any order; some answer a reply, and some nothing that is there."""
    ids = draw(st.lists(_IDS, unique=True, max_size=10))
    parents = draw(st.lists(st.none() | _IDS, min_size=len(ids), max_size=len(ids)))
    pairs = zip(ids, parents, strict=True)
    return [Comment(own, 1, f"Said {own}", None if own == above else above) for own, above in pairs]


@given(_comments())
def test_a_thread_made_at_once_is_the_one_made_comment_by_comment(
    comments: list[Comment],
) -> None:
    one_by_one: Thread = ()
    for comment in sorted(comments, key=lambda one: (one.is_reply, age(one.id))):
        one_by_one = with_comment(one_by_one, comment)
    assert threaded(comments) == one_by_one


def test_a_reply_to_a_reply_joins_its_thread() -> None:
    comments = [Comment(3, 1, "c", 2), Comment(1, 1, "a"), Comment(2, 1, "b", 1)]
    (thread,) = threaded(comments)
    assert [(one.id, one.parent_id) for one in thread.replies] == [(2, 1), (3, 1)]
