"""Webhooks, from the keyboard to the service; their keys are never shown."""

from contextlib import suppress

import pytest
from textual.worker import WorkerCancelled

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint

pytestmark = pytest.mark.long


@reaches(Endpoint.LIST_WEBHOOKS, Endpoint.CREATE_WEBHOOK, Endpoint.DELETE_WEBHOOK)
async def test_webhooks_are_made_tested_copied_and_deleted(day: Day) -> None:
    await day.press("g w")
    await done(day)
    assert "No webhooks yet" in day.person.text
    await day.press("n enter enter")
    assert "Name is required." in day.person.text
    await day.press("~Form down right enter")
    await done(day)
    await day.press("n ~other enter ~Mail enter")
    await done(day)
    assert [(hook["name"], stage) for hook, stage in held(day)] == [
        ("Form", "Doing"),
        ("Mail", "Open"),
    ]
    keys = [hook["hash"] for hook, _ in held(day)]
    seen = day.person.text
    assert "Day → Doing" in seen
    assert seen.index("Mail") > seen.index("Form")  # those of the present board come first
    await day.press("g g enter")
    seen += day.person.text
    assert "hash=••••••••" in day.person.text
    assert "title  text, required" in day.person.text
    await day.press("j j escape g g y")
    assert day.app.clipboard.endswith(f"hash={keys[0]}")
    assert "Copied the address of “Form”" in day.said
    seen += day.person.text
    await day.press("T")
    await done(day)
    assert "“Form” answered: Task has been created" in day.said
    assert "Test from Callboard" in day.held().stage("Day/Doing")
    assert "Test from Callboard" in [task.title for task in day.board.all_tasks()]
    await day.press("D n D y")
    await done(day)
    assert [hook["name"] for hook, _ in held(day)] == ["Mail"]
    assert "Deleted the webhook “Form”" in day.said
    with day.database.transaction(writing=True) as db:
        db.run("update board set archived_at = '2026-01-01' where title = 'Other'")
    await day.press("/ ~mail enter T")
    await done(day)
    assert "The board of the webhook is archived" in day.said
    seen += day.person.text
    assert not any(key in seen for key in keys)


def held(day: Day) -> list[tuple[dict[str, str], str]]:
    """The webhooks that the service holds, with the titles of their stages."""
    with day.database.transaction(writing=False) as db:
        hooks = db.select("webhook", "id")
        titles = {row["id"]: row["title"] for row in db.select("stage", "id")}
    return [(dict(hook), titles[hook["stage_id"]]) for hook in hooks]


async def done(day: Day) -> None:
    """Wait until everything that was asked is answered and drawn."""
    groups = ("load", "webhook-test", "form", "dialog")
    while work := [worker for worker in day.app.workers if worker.group in groups]:
        with suppress(WorkerCancelled):  # by the next one of its group
            await day.app.workers.wait_for_complete(work)
    await day.settled()
