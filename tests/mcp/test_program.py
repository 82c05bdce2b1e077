"""The program as agents start it: its own client, over standard input and output.

On boards of this machine, on a served one, without a connection, and with the program open beside.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.drivers.program import COMMAND, environment, program, waiting
from tests.drivers.terminal import Terminal
from tests.mcp.agent import Agent
from tests.server.launched import PASSWORD
from tests.terminal.served import LOGIN, PROFILE, KeptService

pytestmark = pytest.mark.long
_SEEN_SECONDS = 1.5
"""After an own change, as undo is one, the program asks for news a second later."""
_BEGIN: dict[str, Any] = {
    "jsonrpc": "2.0",
    "method": "initialize",
    "id": 1,
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@asynccontextmanager
async def agent_on(home: Path, *arguments: str, **more: str) -> AsyncIterator[Agent]:
    """An agent on the program, which must write nothing beside and leave everything sent."""
    said = home / "said"
    parameters = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], *arguments],
        env=environment(home, **more),
        cwd=home,
    )
    with said.open("w+", encoding="utf-8") as errlog:
        async with Client(stdio_client(parameters, errlog=errlog)) as client:
            yield Agent(client)
        errlog.seek(0)
        assert errlog.read() == ""


async def ten_tasks(agent: Agent, board: str, name: str, *, state: str = "sent") -> None:
    """Ten tasks of an agent on a board, with cards of this name; `state` is that of each change."""
    assert len(await agent.tools()) == 18
    overview = await agent.call("overview", board=board)
    stages = [stage["title"] for stage in overview["stages"]]
    added = await agent.call("add", board=board, title=f"{name} !high\nTwo ^fri\nThree\nFour\nFive")
    cards = [card["id"] for card in added["cards"]]
    assert (added["state"], len(cards)) == (state, 5)
    first = str(cards[0])
    found = await agent.call("tasks", query=f"{name} is:open", boards=[board])
    assert [card["id"] for card in found["cards"]] == cards[:1]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("move", {"card": first, "stage": stages[1]}),
        ("comment", {"card": first, "text": "It works, mostly."}),
        ("edit", {"card": first, "title": f"{name}!", "description": "- one\n- two"}),
        ("assign", {"card": first, "people": ["@me"]}),
        ("label", {"card": first, "labels": ["fresh"], "create": True}),
        ("done", {"cards": [str(each) for each in cards[1:3]]}),
    ]
    for tool, arguments in calls:
        answer = await agent.call(tool, **arguments)
        assert answer["state"] == state, (tool, answer)
    if state == "sent":
        added = await agent.call("subtask", card=first, subtasks=["Test it", "Ask Ann"])
        listed = added["subtasks"]["of_card"]
        assert [each["subtask"] for each in listed] == ["Test it", "Ask Ann"]
        assert all(each["id"] > 0 for each in listed)
    shown = await agent.call("show", card=first)
    assert (shown["title"], shown["fields"]["Labels"]) == (f"{name}!", "fresh")
    assert {"description": "- one\n- two"} in shown["parts"]
    assert any(part.get("comment") == "It works, mostly." for part in shown["parts"])
    assert name in (await agent.call("standup", boards=[board]))["markdown"]
    assert (await agent.resource(f"callboard://card/{first}"))["title"] == f"{name}!"
    assert name in await agent.prompt("next_card")
    assert "Standup" in await agent.prompt("standup", board=board)


async def test_ten_tasks_on_boards_of_this_machine(toured_home: Path) -> None:
    async with agent_on(toured_home, "mcp") as agent:
        await ten_tasks(agent, "start here", "Uno")
        assert waiting(toured_home) == 0
    print(agent.sizes)  # noqa: T201 (the bytes of each answer)
    assert sum(agent.sizes.values()) < 16_000
    async with agent_on(toured_home, "mcp", "--board", "start", "--read-only") as agent:
        assert len(await agent.tools()) == 8
        assert await agent.fails("comment", card="1", text="No") == (
            "Read-only mode: nothing was changed."
        )
        assert (await agent.call("tasks", query="uno"))["total"] == 1


@pytest.fixture
def service(tmp_path: Path) -> Iterator[KeptService]:
    """A service with a board, which is running."""
    service = KeptService(tmp_path / "service")
    service.start()
    try:
        service.furnish()
        yield service
    finally:
        service.kill()


async def test_ten_tasks_on_a_served_board_and_without_it(
    service: KeptService, tmp_path: Path
) -> None:
    home = tmp_path / "person"
    (home / "config").mkdir(parents=True)
    profile = f'[profiles.{PROFILE}]\nurl = "{service.address}"\nlogin = "{LOGIN}"\n'
    (home / "config" / "config.toml").write_text(profile, "utf-8")
    on_service = ("-p", PROFILE, "mcp")
    async with agent_on(home, *on_service, CALLBOARD_PASSWORD=PASSWORD) as agent:
        await ten_tasks(agent, "faults", "Uno")
        service.kill()
        begun = time.monotonic()
        added = await agent.call("add", board="faults", title="Offline\nToo")
        card = added["cards"][0]["id"]
        assert (added["state"], card < 0) == ("kept", True)
        moved = await agent.call("move", card=str(card), stage="progress")
        assert moved["state"] == "kept"
        assert (await agent.call("show", card=str(card)))["no_news"]
        assert time.monotonic() - begun < 20
    async with agent_on(home, *on_service, CALLBOARD_PASSWORD=PASSWORD) as agent:
        await ten_tasks(agent, "faults", "Dos", state="kept")
        service.start()
        deadline = time.monotonic() + 30
        while waiting(home, PROFILE) and time.monotonic() < deadline:
            await agent.call("tasks", query="offline")
        sent = await agent.call("tasks", query="offline")
        assert [each["id"] > 0 for each in sent["cards"]] == [True]
        assert "no_news" not in sent


def _board(home: Path) -> Terminal:
    terminal = program(home, columns=160, lines=70)
    terminal.sees("First steps")
    return terminal


@pytest.mark.parametrize("agent_sends", [False, True])
async def test_the_program_beside_shows_each_change_at_once_and_undoes_it(
    toured_home: Path, *, agent_sends: bool
) -> None:
    (toured_home / "config").mkdir()
    (toured_home / "config" / "config.toml").write_text(
        "density = 2\npoll_seconds = 600\n", "utf-8"
    )
    times = {}
    async with AsyncExitStack() as stack:
        # Who is there first sends the changes of both.
        early = None if agent_sends else stack.enter_context(_board(toured_home))
        agent = await stack.enter_async_context(agent_on(toured_home, "mcp"))
        terminal = early or stack.enter_context(_board(toured_home))

        async def changed(tool: str, before: str, after: str, **arguments: Any) -> None:
            terminal.until(lambda: before in terminal.text, before)
            assert after not in terminal.text
            await agent.call(tool, **arguments)
            begun = time.monotonic()
            terminal.until(lambda: after in terminal.text, f"{tool}: {after}")
            times[after] = time.monotonic() - begun
            terminal.press("u")
            terminal.until(lambda: "Undone" in terminal.text, f"{tool} undone")
            terminal.until(lambda: after not in terminal.text, f"{tool}: no {after}")
            terminal.sees(before)

        card = {"card": "2"}
        await changed("edit", "L moves", "Renamed", **card, title="Renamed")
        await changed("add", "First steps", "New of agent", title="New of agent\nAnd another")
        await changed("label", "L moves", "fresh", **card, labels=["fresh"], create=True)
        await changed("edit", "L moves", "dec 2031", **card, due="2031-12-24")
        await changed("done", "L moves", "✓ L moves", cards=["2"])
        await changed("assign", "L moves", "ME", **card, people=["@me"])
        await changed("comment", "L moves", "✎1", **card, text="Seen at once.")
        await changed("subtask", "L moves", "☑0/2", **card, subtasks=["One", "Two"])
        terminal.press("q")
        assert terminal.exit_code() == 0
    print(times)  # noqa: T201 (how long each took)
    assert max(times.values()) < _SEEN_SECONDS, times
    assert waiting(toured_home) == 0


def test_what_is_asked_before_the_end_of_the_input_is_answered(toured_home: Path) -> None:
    asked = [
        _BEGIN,
        {"method": "notifications/initialized"},
        *(
            {
                "method": "tools/call",
                "id": number,
                "params": {"name": "add", "arguments": {"title": f"Card {number}"}},
            }
            for number in range(2, 6)
        ),
    ]
    lines = [json.dumps({"jsonrpc": "2.0", **each}) for each in asked]
    ran = _ran(toured_home, "mcp", told="\n".join([*lines, "no json", ""]))
    assert (ran.returncode, ran.stderr) == (0, "")
    replies = {each.get("id"): each for each in map(json.loads, ran.stdout.splitlines())}
    assert {1, 2, 3, 4, 5} <= {*replies}
    assert all('"state":"sent"' in json.dumps(replies[n]).replace("\\", "") for n in range(2, 6))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(toured_home: Path, number: int) -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMMAND, "mcp"],
        env=environment(toured_home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(_BEGIN)}\n")
        process.stdin.flush()
        assert "serverInfo" in process.stdout.readline()
        process.send_signal(number)
        rest, said = process.communicate(timeout=60)
    assert (rest, said) == ("", "")
    assert process.returncode == (130 if number == signal.SIGINT else 0)


def test_errors_at_the_start_are_one_line(toured_home: Path) -> None:
    (toured_home / "config").mkdir(exist_ok=True)
    profile = '[profiles.work]\nurl = "http://127.0.0.1:9/v2"\nlogin = "me"\n'
    (toured_home / "config" / "config.toml").write_text(profile, "utf-8")
    for arguments, code, line in (
        (("mcp", "--board", "nope"), 1, "callboard: no board is called “nope”.\n"),
        (("-p", "nobody", "mcp"), 2, "callboard: there is no profile"),
        (("-p", "work", "mcp"), 1, "callboard: "),
    ):
        ran = _ran(toured_home, *arguments)
        assert (ran.returncode, ran.stdout) == (code, ""), ran.stderr
        assert ran.stderr.startswith(line)
        assert len(ran.stderr.splitlines()) <= 2, "a line, and what to do"


def _ran(home: Path, *arguments: str, told: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tui", *arguments],
        env=environment(home),
        input=told,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
