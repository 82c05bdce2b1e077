"""Cards that block cards: what is drawn, what is sent, and what becomes of two people's changes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.party import Party, offline, online
from tests.store.service import ANN, BOARD, Service
from tui.model.blocked_by import Blocker
from tui.model.relations import Relations, Standing
from tui.model.task import Status
from tui.store.operations import (
    ArchiveTask,
    CreateTask,
    DeleteTask,
    add_blocker,
    new_local_id,
    remove_blocker,
    set_description,
    set_status,
)


@pytest.fixture
async def other(tmp_path: Path, service: Service, clock: FakeClock) -> AsyncIterator[Party]:
    """A second person with a program of their own."""
    party = Party(tmp_path / "other", service, clock)
    await party.start()
    yield party
    await party.store.aclose()


def blockers(party: Party, title: str) -> list[int]:
    """The cards that block one."""
    return [one.id for one in party.store.relations().blocking(party.task(title))]


def described(service: Service, title: str) -> str:
    """The description that the service has."""
    tasks = service.ask("GET", f"/projects/{BOARD}/tasks")["tasks"]
    return next(str(task["description"] or "") for task in tasks if task["title"] == title)


async def test_a_blocker_is_drawn_at_once_and_sent_as_the_last_line(
    started: Party, service: Service
) -> None:
    alpha, beta = started.task("Alpha"), started.task("Beta")
    service.set(beta.id, "description", "<p>Look at it.</p>")
    await started.store.refresh(BOARD)
    await started.store.submit(add_blocker(started.task("Beta"), Blocker(alpha.id)))
    assert blockers(started, "Beta") == [alpha.id]
    await started.delivered()
    text = f"<p>Look at it.</p><p>Blocked by: #{alpha.id}</p>"
    assert described(service, "Beta") == text
    assert started.task("Beta").description == "<p>Look at it.</p>"
    assert await started.store.description_source(beta.id) == "<p>Look at it.</p>"
    # It unblocks itself, and blocks again when the other one is reopened.
    await started.store.submit(set_status(alpha, Status.CLOSED))
    assert blockers(started, "Beta") == []
    await started.delivered()
    assert blockers(started, "Beta") == []
    await started.store.undo(BOARD)
    assert blockers(started, "Beta") == [alpha.id]
    await started.store.undo(BOARD)
    await started.delivered()
    assert described(service, "Beta") == "<p>Look at it.</p>"


async def test_two_people_name_different_cards_and_both_stay(
    started: Party, other: Party, service: Service
) -> None:
    alpha, beta, gamma = (started.task(title) for title in ("Alpha", "Beta", "Gamma"))
    await offline(started, add_blocker(beta, Blocker(alpha.id)))
    await other.store.submit(add_blocker(other.task("Beta"), Blocker(gamma.id)))
    await other.delivered()
    await online(started)
    assert not started.store.pending()
    assert described(service, "Beta") == f"<p>Blocked by: #{gamma.id}, #{alpha.id}</p>"
    # One takes theirs away while the other writes, and a third person types a line into the page.
    await offline(started, remove_blocker(started.task("Beta"), Blocker(alpha.id)))
    text = f"<p>Why</p><p>blocked by #{gamma.id} and #{alpha.id}</p><p>Behind it</p>"
    service.set(beta.id, "description", text, by=ANN)
    await online(started)
    line = f"<p>Blocked by: #{gamma.id}</p>"
    assert described(service, "Beta") == f"<p>Why</p><p>Behind it</p>{line}"
    assert blockers(started, "Beta") == [gamma.id]


@pytest.mark.long
async def test_a_new_text_keeps_the_line_and_a_new_line_the_text(
    started: Party, other: Party, service: Service
) -> None:
    alpha, beta = started.task("Alpha"), started.task("Beta")
    await offline(started, set_description(beta, f"<p>New</p><p>Blocked by: #{alpha.id}</p>"))
    assert started.task("Beta").description == "<p>New</p>"
    assert blockers(started, "Beta") == [alpha.id]
    gamma = other.task("Gamma")
    await other.store.submit(add_blocker(other.task("Beta"), Blocker(gamma.id)))
    await other.delivered()
    await online(started)
    assert not started.store.pending()
    line = f"<p>Blocked by: #{gamma.id}, #{alpha.id}</p>"
    assert described(service, "Beta") == f"<p>New</p>{line}"


async def test_a_card_that_was_made_offline_blocks_under_its_new_number(
    started: Party, service: Service
) -> None:
    local, beta = new_local_id(), started.task("Beta")
    stage_id = beta.stage_id or 0
    created = CreateTask(BOARD, local, stage_id, "New")
    await offline(started, created, add_blocker(beta, Blocker(local)))
    assert blockers(started, "Beta") == [local]
    await online(started)
    new = started.task("New")
    assert new.id > 0
    assert blockers(started, "Beta") == [new.id]
    assert described(service, "Beta") == f"<p>Blocked by: #{new.id}</p>"


async def test_cards_are_drawn_with_the_new_number_of_their_blocker_before_they_are_sent(
    started: Party,
) -> None:
    local, later, beta = new_local_id(), new_local_id(), started.task("Beta")
    created = [CreateTask(BOARD, local, beta.stage_id or 0, "New")]
    created.append(CreateTask(BOARD, later, beta.stage_id or 0, "Later"))
    await offline(started, *created, add_blocker(beta, Blocker(local)))
    await started.store.submit(add_blocker(started.task("Later"), Blocker(local)))
    answer = started.remote.held["set_task"] = asyncio.Event()
    started.remote.trouble = lambda _: None
    await started.store.refresh(BOARD)
    await started.until(lambda: min(started.task("New").id, started.task("Later").id) > 0)
    new = started.task("New").id
    titles = ("Beta", "Later")
    assert [[one.id for one in started.task(title).blockers] for title in titles] == [[new], [new]]
    answer.set()
    await started.delivered()
    assert [blockers(started, title) for title in titles] == [[new], [new]]


async def test_undoing_a_deletion_relates_the_cards_that_it_blocked_again(
    started: Party, service: Service
) -> None:
    alpha, gamma = started.task("Alpha"), started.task("Gamma")
    # A card that is done names its blocker too, though nothing blocks it now.
    service.set(gamma.id, "description", f"<p>Blocked by: #{alpha.id}</p>")
    service.set(gamma.id, "status", "closed")
    await started.store.refresh(BOARD)
    await started.store.submit(add_blocker(started.task("Beta"), Blocker(alpha.id)))
    await started.store.submit(DeleteTask(alpha, started.place("Alpha")))
    await started.delivered()
    assert await started.store.undo(BOARD)
    again = started.task("Alpha").id
    assert blockers(started, "Beta") == [again]
    await started.delivered()
    new = started.task("Alpha").id
    assert new not in (again, alpha.id)
    for title in ("Beta", "Gamma"):
        assert described(service, title) == f"<p>Blocked by: #{new}</p>"
    assert await started.store.undo(BOARD)
    assert blockers(started, "Beta") == []
    await started.delivered()
    assert described(service, "Beta") == ""


async def test_deleted_archived_and_unknown_cards_block_nothing(
    started: Party, service: Service
) -> None:
    alpha, gamma, beta = (started.task(title) for title in ("Alpha", "Gamma", "Beta"))
    line = f"Blocked by: #{alpha.id}, #{gamma.id}, Support #801"
    service.set(beta.id, "description", line)
    await started.store.refresh(BOARD)
    assert blockers(started, "Beta") == [alpha.id, gamma.id]
    await started.store.submit(ArchiveTask.on(alpha, started.place("Alpha")))
    await started.store.submit(DeleteTask(gamma, started.place("Gamma")))

    def standings(relations: Relations) -> list[Standing]:
        return [relations.standing(one.id) for one in started.task("Beta").blockers]

    gone = [Standing.ARCHIVED, Standing.DELETED, Standing.UNKNOWN]
    assert standings(started.store.relations()) == gone
    await started.delivered()
    # That it was deleted is known from the history of its board, once that is read.
    await started.store.read_history(BOARD, datetime(2020, 1, 1, tzinfo=UTC))
    assert standings(started.store.relations()) == gone
    assert described(service, "Beta") == line


async def test_relations_are_read_again_after_a_change_and_by_their_index(
    started: Party,
) -> None:
    alpha, beta = started.task("Alpha"), started.task("Beta")
    await started.store.submit(add_blocker(beta, Blocker(alpha.id)))
    await started.delivered()
    await started.restart()
    link = started.store._core.loop_cache.connection
    statements = list[str]()
    link.set_trace_callback(statements.append)
    relations = started.store.relations()
    assert [one.id for one in relations.blocking(relations.cards[beta.id])] == [alpha.id]
    assert sum("from card" in statement for statement in statements) == 2
    assert not started.store._parts.boards.in_memory()
    statements.clear()
    assert started.store.relations() is relations
    assert not any("from card" in statement for statement in statements)
    link.set_trace_callback(None)
    plan = link.execute(
        "explain query plan select body from card where blockers is not null and is_open"
    ).fetchall()
    assert "blocked_card" in str(plan)


async def test_a_damaged_cache_keeps_what_was_known(started: Party) -> None:
    alpha, beta = started.task("Alpha"), started.task("Beta")
    await started.store.submit(add_blocker(beta, Blocker(alpha.id)))
    await started.delivered()
    relations = started.store.relations()
    link = started.store._core.cache.connection
    link.execute("alter table card rename to damaged")
    link.execute("update counter set revision = revision + 1")
    assert started.store.relations() is relations
    link.execute("alter table damaged rename to card")


async def test_a_board_counts_cards_that_only_other_cards_block(started: Party) -> None:
    alpha, beta = started.task("Alpha"), started.task("Beta")
    await started.store.submit(add_blocker(beta, Blocker(alpha.id)))
    await started.delivered()
    tally = await started.store.tally(BOARD)
    assert tally is not None
    assert (tally.open, tally.blocked) == (4, 1)
    await started.restart()
    tally = await started.store.tally(BOARD)
    assert tally is not None
    assert (tally.open, tally.blocked) == (4, 1)
