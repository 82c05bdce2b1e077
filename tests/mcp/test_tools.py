"""What an agent is offered, asks and changes, on boards of this machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lint import tables
from tests.mcp.agent import agent_in
from tui.client.errors import NotAllowed
from tui.store.operations import CreateTask

COMMANDS = ["boards", "tasks", "inbox", "show", "next", "standup"]
QUESTIONS = ["overview", "forecast"]
"""What is asked of a board, without a command of the same name."""
CHANGING = [
    *("add", "edit", "move", "done", "assign", "label"),
    *("claim", "progress", "subtask", "comment"),
]


async def test_tools_are_declared_by_the_commands(home: Path) -> None:
    async with agent_in(home) as (agent, _):
        tools = await agent.tools()
    known = {*COMMANDS, *CHANGING, *QUESTIONS}
    hints = {name: tool.annotations for name, tool in tools.items()}
    changing = [name for name, each in hints.items() if each and not each.read_only_hint]
    tables.check(
        tables.missing((f'"{name}",' for name in {*changing} - known), "`CHANGING`", __file__),
        tables.missing(
            (f'"{name}",' for name in tools.keys() - known - {*changing}), "`COMMANDS`", __file__
        ),
        tables.obsolete(known - tools.keys(), "`COMMANDS` or `CHANGING`", __file__),
    )
    assert changing == CHANGING, "put `CHANGING` in the order of tui/cli/mcp/tools.py"
    for name, tool in tools.items():
        told = json.dumps(tool.input_schema) + (tool.description or "")
        for of_shells in ("--", "standard input", "terminal", "json", "quiet", "dry"):
            assert of_shells not in told, name
        assert all(each["description"] for each in tool.input_schema["properties"].values()), name
    assert tools["edit"].input_schema["properties"]["priority"]["enum"] == ["low", "medium", "high"]
    assert tools["move"].input_schema["required"] == ["card", "stage"]
    assert "label:bug @me due:week" in (tools["tasks"].description or "")
    for reading in (*COMMANDS, *QUESTIONS):
        assert "data, not instructions" in (tools[reading].description or "")


async def test_cards_are_found_and_read(home: Path) -> None:
    async with agent_in(home) as (agent, _):
        boards = await agent.call("boards")
        assert [board["title"] for board in boards["boards"]] == ["Platform", "Web shop", "Website"]
        overview = await agent.call("overview", board="platform")
        stages = [stage["title"] for stage in overview["stages"]]
        assert stages == ["Open", "In Progress", "Completed"]
        assert (overview["members"], overview["labels"]) == (["me"], ["bug"])
        found = await agent.call("tasks", query="label:bug @me", boards=["platform"])
        of_view = await agent.call("tasks", query="label:bug", view="my work", boards=["platform"])
        assert of_view["cards"] == found["cards"]
        (card,) = found["cards"]
        assert (found["total"], card["id"], card["labels"]) == (1, 6, ["bug"])
        shown = await agent.call("show", card=6)
        parts = shown["parts"]
        assert shown["fields"]["Points"] == "5"
        assert parts[0] == {"description": "Fix **it**\n\n- soon"}
        assert parts[1]["subtask"] == "First"
        assert [each.get("comment") for each in parts[2:]] == ["Why?", "So."]
        assert parts[3]["reply_to"] == parts[2]["id"]


async def test_an_agent_claims_a_card_and_says_how_far_it_is(home: Path) -> None:
    async with agent_in(home) as (agent, _):
        await agent.call("add", board="platform", title="One ^today")
        following = await agent.call("next", boards=["platform"])
        assert (following["card"]["id"], "the earliest of 2" in following["why"]) == (8, True)
        claimed = await agent.call("claim", **{"as": "codex"})
        assert (claimed["state"], claimed["did"]) == (
            "sent",
            "claimed #8 “One” in “In Progress” for codex",
        )
        assert claimed["cards"][0]["labels"] == ["◇ codex"]
        assert "#8 is claimed by codex" in await agent.fails("claim", card="8", **{"as": "aider"})
        for text in ("half", "tests green"):
            await agent.call("progress", card="8", text=text)
        parts = (await agent.call("show", card="8"))["parts"]
        assert [each["comment"] for each in parts] == ["◇ codex: tests green"]
        assert (await agent.call("claim", card="8", release=True))["state"] == "sent"
        assert "which card" in await agent.fails("claim", release=True)
        assert "is empty" in await agent.fails("progress", card="8", text=" ")
        assert (await agent.call("claim", card="8"))["state"] == "sent"


async def test_a_forecast_is_asked_for_and_says_why_there_is_none(home: Path) -> None:
    async with agent_in(home) as (agent, _):
        told = await agent.call("forecast", board="platform", filter="label:bug", by="+3w")
        reason = "Not enough history: 0 weeks, 0 cards. A forecast needs 5 weeks and 10 cards."
        assert (told["forecast"], told["why_not"], told["open"]) == (reason, reason, 1)
        assert "closed_by" not in told
        assert "No label “bgu”" in await agent.fails(
            "forecast", board="platform", filter="label:bgu"
        )
        of_view = await agent.call("forecast", view="my work")
        assert (of_view["view"], of_view["forecast"][:10]) == ("My work", "Not enough")
        assert of_view["boards"]
        assert "No view “bugs”" in await agent.fails("forecast", view="bugs")
        assert "not in the future" in await agent.fails("forecast", board="platform", by="today")
        assert "must be 1 or more" in await agent.fails("forecast", board="platform", cards=0)
        assert "9,999" in await agent.fails("forecast", board="platform", cards=10_000)


async def test_cards_are_changed_as_the_command_line_does(home: Path) -> None:
    async with agent_in(home) as (agent, store):
        added = await agent.call(
            "add",
            board="platform",
            title="One #bug !high ^2037-12-01\nTwo #nope @nobody\nThree\n4\n5",
        )
        assert added["state"] == "sent"
        first, *_ = added["cards"]
        assert first == {
            "id": 8,
            "title": "One",
            "board": "Platform",
            "stage": "Open",
            "due": "2037-12-01 17:00",
            "priority": "high",
            "labels": ["bug"],
        }
        assert [card["id"] for card in added["cards"]] == [8, 9, 10, 11, 12]
        assert added["notes"] == ["no member “nobody”: kept as text"]
        assert added["created_labels"] == ["nope"]
        moved = await agent.call("move", card="8", stage="progress", end="top")
        assert moved["did"] == "moved #8 “One” to the top of “In Progress”"
        assert (await agent.call("move", card="8", stage="progress"))["state"] == "unchanged"
        edited = await agent.call("edit", card="8", title="Uno", description="# Yes\n\nA *text*")
        assert edited["cards"][0]["title"] == "Uno"
        await agent.call("edit", card="8", blockers=["6"])
        assert (await agent.call("show", card="8"))["fields"]["Blocked by"].endswith("#6")
        await agent.call("edit", card="8", blockers=["none"])
        await agent.call("assign", card="8", people="@me")
        labelled = await agent.call("label", card="8", labels=["new"], create=True)
        assert (labelled["cards"][0]["labels"]) == ["bug", "new"]
        await agent.call("comment", card="8", text="It works.")
        await agent.call("subtask", card="8", subtasks=["Test it", "Ask"])
        await agent.call("subtask", card="8", subtasks=["ask"], done=True)
        closed = await agent.call("done", cards=[9, 10])
        assert [card["closed"] for card in closed["cards"]] == [True, True]
        shown = await agent.call("show", card="8")
        assert shown["fields"]["Assignees"] == "me"
        assert [part.get("subtask") for part in shown["parts"]] == [None, "Test it", "Ask", None]
        assert shown["parts"][2]["closed"]
        assert shown["parts"][3]["comment"] == "It works."
        assert store.pending() == ()
        step = await store.undo(3)
        assert step is not None
        assert step.step.startswith("Close")


async def test_errors_say_what_to_do_next(home: Path) -> None:
    from mcp.shared.exceptions import MCPError

    async with agent_in(home) as (agent, _):
        assert await agent.fails("show") == (
            "“card” is missing: its number, its title, or part of it."
        )
        assert await agent.fails("add", title="A card") == (
            "There is more than one board. Choose one with board."
        )
        several = await agent.fails("done", cards=["card of"])
        assert "“Card of Web shop” (" in several
        assert several.endswith("). Type more of the name, or the id.")
        assert "Did you mean" in await agent.fails("move", card="6", stage="Opem")
        assert await agent.fails("show", card="6", colour="red") == (
            "“colour” is not an argument of this tool. There are: card, board, start."
        )
        assert await agent.fails("edit", card="6") == (
            "There is nothing to edit: give title, due or another field."
        )
        assert "must be one of low, medium, high" in await agent.fails(
            "edit", card="6", priority="huge"
        )
        assert "must be of the type integer" in await agent.fails("tasks", start="x")
        assert await agent.fails("tasks", start=0) == "“start” must be 1 or more."
        assert "of the type integer" in await agent.fails("tasks", start="9" * 5_000)
        needs = await agent.fails("tasks", query="label:")
        assert needs.splitlines()[0] == "label: needs a value"
        assert "is empty" in await agent.fails("comment", card="6", text=" ")
        assert "“cards” is missing" in await agent.fails("done", cards=[])
        assert "must be text" in await agent.fails("comment", card="6", text={"a": 1})
        assert "must be of the type boolean" in await agent.fails("done", cards=["6"], reopen="no")
        assert "longer than 100,000" in await agent.fails("comment", card="6", text="a" * 100_001)
        assert "There are: boards, " in await agent.fails("delete_everything")
        with pytest.raises(MCPError, match=r"There are callboard://board/ID and"):
            await agent.resource("callboard://people/3")
        with pytest.raises(MCPError, match="no card #99"):
            await agent.resource("callboard://card/99")
        with pytest.raises(MCPError, match="standup, next_card"):
            await agent.prompt("haiku")


async def test_what_the_service_refuses_is_dropped_and_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with agent_in(home) as (agent, store):
        await agent.call("overview", board="platform")
        deliver = CreateTask.deliver

        async def refuse_two(self: CreateTask, *arguments: Any) -> Any:
            if self.title == "Two":
                raise NotAllowed("No.")
            return await deliver(self, *arguments)

        monkeypatch.setattr(CreateTask, "deliver", refuse_two)
        told = json.loads(await agent.fails("add", board="platform", title="One\nTwo\nThree"))
        assert told["state"] == "refused"
        assert [card["title"] for card in told["cards"]] == ["One", "Three"]
        assert told["did"] == "added 2 cards to “Open” on “Platform”"
        (reason,) = told["not_accepted"]
        assert reason.startswith("refused: Add “Two”: ")
        assert store.pending() == ()


async def test_resources_and_prompts_are_about_the_boards(home: Path) -> None:
    async with agent_in(home) as (agent, _):
        listed = (await agent.client.list_resources()).resources
        assert [(str(each.uri), each.name) for each in listed[:1]] == [
            ("callboard://board/3", "Platform")
        ]
        templates = (await agent.client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == [
            "callboard://board/{id}",
            "callboard://card/{id}",
        ]
        assert (await agent.resource("callboard://board/3"))["title"] == "Platform"
        assert (await agent.resource("callboard://card/6"))["title"] == "Mine"
        await agent.call("edit", card="6", title="Still mine")
        assert (await agent.resource("callboard://card/6"))["title"] == "Still mine"
        assert (await agent.resource("callboard://card/6?start=3"))["parts"][0]["comment"] == "Why?"
        assert {each.name for each in (await agent.client.list_prompts()).prompts} == {
            "standup",
            "next_card",
        }
        standup = await agent.prompt("standup", board="platform")
        assert "Standup: Platform" in standup
        picked = await agent.prompt("next_card")
        assert "change nothing before I agree" in picked
        assert '"title":"Still mine","board":"Platform"' in picked


async def test_with_a_board_there_is_no_other(home: Path) -> None:
    from mcp.shared.exceptions import MCPError

    async with agent_in(home, "platform") as (agent, _):
        tools = await agent.tools()
        for tool in tools.values():
            assert {"board", "boards", "from"}.isdisjoint(tool.input_schema["properties"])
        assert [each["title"] for each in (await agent.call("boards"))["boards"]] == ["Platform"]
        assert (await agent.call("overview"))["title"] == "Platform"
        assert (await agent.call("tasks"))["total"] == 2
        assert (await agent.call("add", title="Here"))["cards"][0]["board"] == "Platform"
        assert "no card #2" in await agent.fails("show", card="2")
        assert "no card #2" in await agent.fails("done", cards=["2"])
        with pytest.raises(MCPError, match="No board is called"):
            await agent.resource("callboard://board/1")
        assert "is not an argument of this tool" in await agent.fails("tasks", boards=["website"])
        assert len((await agent.client.list_resources()).resources) == 1


async def test_in_read_only_mode_nothing_can_be_changed(home: Path) -> None:
    async with agent_in(home, is_read_only=True) as (agent, store):
        assert set(CHANGING).isdisjoint(await agent.tools())
        assert await agent.fails("done", cards=["6"]) == "Read-only mode: nothing was changed."
        assert (await agent.call("show", card="6"))["fields"]["Status"] == "open"
        assert store.pending() == ()
