"""What agents did on this profile, and undoing all that can still be undone, as one step."""

from collections.abc import Mapping
from datetime import timedelta

from tests.store.party import Party, offline, online
from tests.store.service import ANN, BOARD, DOING, DONE, OPEN, Service
from tui.model.board import Place
from tui.model.task import Person, Priority
from tui.store.events import Reversal
from tui.store.operations import (
    CreateComment,
    CreateTask,
    MoveTask,
    Operation,
    set_assignees,
    set_priority,
    set_title,
)

HOUR = timedelta(hours=1)


async def as_agent(party: Party, *operations: Operation, agent: str = "codex") -> None:
    """Let an agent of the user change something, as one step."""
    party.store.act_as(agent)
    await party.store.submit(*operations)
    party.store.act_as("")
    await party.delivered()


async def reversal(
    party: Party, agent: str = "codex", by_others: Mapping[int, str] | None = None
) -> Reversal:
    since = party.clock.now() - HOUR
    return await party.store.agent_reversal(agent, since, [BOARD], by_others or {})


async def said(party: Party) -> list[tuple[str, str, str]]:
    """Agent, card and words of each change that agents made."""
    changes = await party.store.agent_changes(party.clock.now() - HOUR)
    return [(one.agent, one.title, one.words) for one in changes]


async def undone(party: Party) -> list[bool]:
    """Whether each change of agents is said to be undone."""
    changes = await party.store.agent_changes(party.clock.now() - HOUR)
    return [one.is_undone for one in changes]


def move(party: Party, title: str, stage_id: int, name: str) -> MoveTask:
    return MoveTask.on(party.task(title), stage_id, Place(), stage_title=name)


async def test_all_changes_of_an_agent_are_undone_as_one_step(
    started: Party, service: Service
) -> None:
    before = [started.titles(stage) for stage in (OPEN, DOING, DONE)]
    await started.store.submit(set_priority(started.task("Beta"), Priority.HIGH))
    await as_agent(started, move(started, "Alpha", DOING, "Doing"))
    await as_agent(started, set_title(started.task("Alpha"), "Omega"))
    await as_agent(started, move(started, "Omega", DONE, "Done"))
    await as_agent(started, set_title(started.task("Beta"), "Beth"), agent="aider")
    new = CreateTask.new(BOARD, OPEN, "New")
    await as_agent(started, new, set_priority(started.task("Gamma"), Priority.MEDIUM))
    await as_agent(started, set_title(started.task("New"), "Newer"))
    words = await said(started)
    assert [one[:2] for one in words[:2]] == [("codex", "Newer"), ("codex", "Gamma")]
    assert ("aider", "Beth", "renamed to “Beth”, was Beta") in words
    assert ("codex", "Omega", "moved to “Done”, was “Doing”") in words
    assert len(words) == 7
    assert all(title for _, title, _ in words)

    found = await reversal(started)
    assert (found.changes, found.kept) == (6, ())
    await started.store.submit_reversal("codex", found)
    await started.delivered()
    assert started.titles(OPEN)[0] == "Alpha"
    drawn = [started.titles(stage) for stage in (OPEN, DOING, DONE)]
    assert drawn == [[title.replace("Beta", "Beth") for title in lane] for lane in before]
    assert [service.titles(stage) for stage in (OPEN, DOING, DONE)] == drawn
    assert started.task("Gamma").priority is Priority.LOW
    # There is nothing left to undo, and one step takes all of it back.
    assert await reversal(started) == Reversal()
    assert await undone(started) == [True] * 3 + [False] + [True] * 3
    await started.store.undo(BOARD)
    assert await undone(started) == [False] * 7
    assert (await reversal(started)).changes == 6
    await started.delivered()
    assert (service.titles(DONE)[0], "Newer" in service.titles(OPEN)) == ("Omega", True)
    assert started.task("Beth").priority is Priority.HIGH


async def test_what_was_changed_after_the_agent_is_left_alone(
    started: Party, service: Service
) -> None:
    await as_agent(started, set_title(started.task("Alpha"), "One"))
    await as_agent(started, set_title(started.task("One"), "Two"))
    await as_agent(started, set_priority(started.task("Two"), Priority.HIGH))
    await as_agent(started, set_title(started.task("Beta"), "Beth"))
    await as_agent(started, CreateTask.new(BOARD, OPEN, "New"), CreateTask.new(BOARD, OPEN, "Next"))
    service.set(started.task("Two").id, "title", "By others")
    await started.store.refresh(BOARD)
    await started.store.submit(set_title(started.task("Beth"), "Mine"))
    await started.store.submit(set_priority(started.task("New"), Priority.HIGH))
    await started.delivered()
    found = await reversal(started, by_others={started.task("Next").id: "Ann"})
    assert found.changes == 1
    assert found.kept == (
        "Add “Next”: Ann changed it since.",
        "Add “New”: you changed it since.",
        "Rename “Beta” to “Beth”: you changed it since.",
        "Rename “One” to “Two”: it was changed since.",
        "Rename “Alpha” to “One”: what the agent did to it after that is left, too.",
    )
    await started.store.submit(*found.operations)
    await started.delivered()
    assert {"By others", "Mine", "New", "Next"} <= set(started.titles(OPEN))
    assert started.task("By others").priority is Priority.LOW


async def test_it_is_undone_before_it_was_sent(started: Party, service: Service) -> None:
    task = started.task("Alpha")
    started.store.act_as("codex")
    await offline(started, set_title(task, "One"), set_assignees(task, [Person(ANN, "Ann", "ann")]))
    started.store.act_as("")
    await started.store.submit(*(await reversal(started)).operations)
    await online(started)
    assert (started.titles(OPEN)[0], started.task("Alpha").assignees) == ("Alpha", ())
    assert service.titles(OPEN)[0] == "Alpha"


async def test_a_comment_that_was_answered_stays(started: Party, service: Service) -> None:
    task = started.task("Alpha")
    for text in ("Answered", "Alone"):
        await as_agent(started, CreateComment.new(task, text))
    await started.store.open_task(BOARD, task.id)
    detail = started.store.detail
    await started.until(lambda: (opened := detail(task.id)) and len(opened.comments or ()) == 2)
    answered = next(one for one in service.comments(task.id) if "Answered" in one["description"])
    service.add_comment(task.id, "Indeed", by=ANN, parent_id=answered["id"])
    await started.store.refresh_task(task.id)
    found = await reversal(started)
    assert found.kept == ("Comment on “Alpha”: “Answered”: it was answered since.",)
    await started.store.submit(*found.operations)
    await started.delivered()
    assert service.said(task.id) == ["Answered", "Indeed"]


async def test_the_agent_of_a_step_is_known_after_a_restart(started: Party) -> None:
    await as_agent(started, set_title(started.task("Alpha"), "One"))
    await started.restart()
    await started.start()
    assert await said(started) == [("codex", "One", "renamed to “One”, was Alpha")]
    started.clock.advance(3600 + 1)
    assert await said(started) == []
