"""Read-only mode: everything is read, nothing is changed, nothing is sent."""

from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from tests.store.fake_clock import FakeClock
from tests.store.party import Party, rest
from tests.store.service import BOARD, OPEN, Service, four_tasks
from tui.client.errors import ApiError
from tui.config.paths import Places
from tui.config.profiles import Profile
from tui.connecting.connections import open_remote
from tui.errors import CallboardError
from tui.store.operations import CreateTask, set_title
from tui.store.remote import Remote
from tui.workspace import Workspace, memory_of


class Watched(Service):
    """A service that notes the method of each request."""

    methods: list[str]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.methods.append(scope["method"])
        await super()._answer(scope, receive, send)


@pytest.mark.parametrize("watch_seconds", [0.25, None])
async def test_news_are_read_and_what_is_pending_stays_pending(
    tmp_path: Path, clock: FakeClock, watch_seconds: float | None
) -> None:
    service = Watched(four_tasks(), tmp_path / "attachments", clock=clock.now)
    service.methods = []
    party = Party(tmp_path, service, clock)
    await party.start()
    await party.restart()
    view = await party.store.load_board(BOARD)
    assert view is not None
    task = view.in_stage(OPEN)[0]
    await party.store.submit(set_title(task, "Not sent"))
    await party.store.aclose()

    onlooker = Party(tmp_path, service, clock, watch_seconds, is_read_only=True)
    store = onlooker.store
    service.methods.clear()
    store.connect(onlooker.remote)
    await store.open_board(BOARD)
    await _pass(clock)
    assert onlooker.titles(OPEN)[0] == "Not sent"
    service.add("Of others")
    await store.refresh(BOARD)
    await _pass(clock)
    assert "Of others" in onlooker.titles(OPEN)
    (pending,) = store.pending()
    for change in (
        lambda: store.submit(CreateTask.new(BOARD, OPEN, "Mine")),
        lambda: store.undo(BOARD, force=True),
        lambda: store.redo(BOARD, force=True),
        lambda: store.retry(pending.id),
        lambda: store.discard(pending.id),
        lambda: store.resolve(pending.id, "mine"),
    ):
        with pytest.raises(CallboardError, match=r"^Read-only mode: nothing was changed\.$"):
            await change()
    await _pass(clock)
    assert [one.id for one in store.pending()] == [pending.id]
    assert set(service.methods) == {"GET"}
    await store.aclose()

    again = Party(tmp_path, service, clock)  # the right to send was not taken
    await again.start()
    await again.until(lambda: not again.store.pending())
    assert service.ask("GET", f"/projects/{BOARD}/tasks/{task.id}")["task"]["title"] == "Not sent"
    await again.store.aclose()
    await service.aclose()


async def _pass(clock: FakeClock) -> None:
    """Let half a minute pass, in steps."""
    for _ in range(120):
        await rest()
        clock.advance(0.25)


async def test_no_connection_sends_anything_but_reading_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLBOARD_PASSWORD", "secret")
    places = Places.find({"CALLBOARD_HOME": str(tmp_path)})
    workspace = Workspace.open(places, is_read_only=True)
    assert await workspace.connect() is None, "no board is made for the first run either"
    embedded = await workspace.store.service()
    assert await embedded.boards() == []
    await _refused(embedded)
    await workspace.aclose()
    profile = Profile("work", url="http://127.0.0.1:9/v2", login="ann")
    opened = open_remote(profile, memory_of(places, profile), is_read_only=True)
    await _refused(opened.remote)
    await opened.aclose()


async def _refused(remote: Remote) -> None:
    for request in (
        remote.create_folder("Sites"),
        remote.delete_board(1),
        remote.post_to_webhook("http://127.0.0.1:9/v2/webhook?key=secret", {}),
    ):
        with pytest.raises(ApiError, match=r"^Read-only mode: nothing was sent\.$"):
            await request
