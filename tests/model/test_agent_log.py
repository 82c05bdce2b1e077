"""What the activity of boards tells of agents, and what of it was done here."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tui.model.events.activity import Activity
from tui.model.people import Account
from tui.model.task import Person
from tui.model.work.agent_log import AgentChange, changed_by_people, logged_changes, merged

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
ME, ANN = Person(1, "Me", "me"), Person(2, "Ann", "ann")
ACCOUNT = Account("me", 1)


def activity(number: int, action: str, column: str, **more: str) -> Activity:
    told = Activity(number, action, column, by=ME, at=AT, task_id=7)
    return replace(told, **more)  # type: ignore[arg-type]  # texts


def test_our_own_service_names_what_made_a_change() -> None:
    changes = logged_changes(
        3,
        [
            activity(1, "moved", "stage_id", old="Open", new="Doing", via="codex"),
            activity(2, "changed", "title", old="One", new="Two"),
            replace(activity(3, "changed", "title", old="Two", new="One", via="mcp"), by=ANN),
        ],
        {7: "Card"},
        ACCOUNT,
    )
    assert [(one.agent, one.title, one.by, one.is_here) for one in changes] == [
        ("codex", "Card", "", False),
        ("mcp", "Card", "Ann", False),
    ]
    assert "via" not in changes[0].words


def test_elsewhere_labels_and_comments_of_agents_tell() -> None:
    changes = logged_changes(
        3,
        [
            activity(1, "added", "label", new="◇ Codex 5"),
            activity(2, "removed", "label", old="◇ Codex 5"),
            activity(3, "added", "comment", new="◇ Codex 5: tests green"),
            activity(4, "added", "comment", new="Well said"),
            activity(5, "added", "label", new="bug"),
        ],
        {},
        ACCOUNT,
    )
    assert [one.agent for one in changes] == ["codex-5"] * 3


def test_the_user_and_their_agents_are_no_others() -> None:
    told = [activity(1, "changed", "title"), replace(activity(2, "changed", "title"), by=ANN)]
    assert changed_by_people(told, ACCOUNT) == {7: "Ann"}


CHANGES = st.lists(
    st.builds(
        AgentChange,
        st.sampled_from(("codex", "aider")),
        st.integers(0, 90).map(lambda minutes: AT + timedelta(minutes=minutes)),
        st.just(3),
        st.integers(1, 3),
        st.just("Card"),
        st.just("closed"),
        by=st.sampled_from(("", "Ann")),
    ),
    max_size=8,
)


@given(CHANGES, CHANGES)
def test_what_was_done_here_is_listed_once_and_newest_first(
    here: list[AgentChange], logged: list[AgentChange]
) -> None:
    elsewhere = [replace(one, is_here=False) for one in logged]
    both = merged([replace(one, by="") for one in here], elsewhere)
    assert [one.at for one in both] == sorted((one.at for one in both), reverse=True)
    assert sum(one.is_here for one in both) == len(here)
    # What others did, and what was done before anything of it was done here, is never left out.
    for one in elsewhere:
        since = [mine.at for mine in here if (mine.agent, mine.task_id) == (one.agent, one.task_id)]
        is_own = not one.by and since and one.at >= min(since) - timedelta(minutes=2)
        assert bool(is_own) == (one not in both)
