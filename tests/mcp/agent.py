"""An agent: the SDK's own client, in this process or on the program.

The SDK is imported when an agent begins, which takes a second.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.cli.mcp.session import ORIGIN, McpSession
from tui.cli.scripts.opened import How, Opened
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import EMBEDDED
from tui.config.settings import load_settings
from tui.store.protocol import Store
from tui.workspace import Workspace

if TYPE_CHECKING:
    import mcp_types as types
    from mcp import Client

Document = dict[str, Any]
MOST_BYTES = 7_000
"""No answer is longer."""


@dataclass
class Agent:
    """Asks, and counts the bytes of each answer, by what was asked."""

    client: "Client"
    sizes: dict[str, int] = field(default_factory=dict)

    async def call(self, tool: str, **arguments: Any) -> Document:
        """The answer of a tool, which must not be an error."""
        text, is_error = await self.answer(tool, **arguments)
        assert not is_error, text
        document: Document = json.loads(text)
        return document

    async def fails(self, tool: str, **arguments: Any) -> str:
        """What a tool says that cannot do this."""
        text, is_error = await self.answer(tool, **arguments)
        assert is_error, text
        return text

    async def answer(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """The text that a tool answers, and whether it is an error."""
        import mcp_types as types

        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, types.TextContent), f"{tool} answers no text: {content}"
        self._count(tool, content.text)
        return content.text, bool(result.is_error)

    async def resource(self, uri: str) -> Document:
        """The document of a resource."""
        import mcp_types as types

        (content,) = (await self.client.read_resource(uri)).contents
        assert isinstance(content, types.TextResourceContents), f"{uri} is no text: {content}"
        assert content.mime_type == "application/json", f"{uri} is {content.mime_type}"
        self._count(uri, content.text)
        document: Document = json.loads(content.text)
        return document

    async def prompt(self, name: str, **arguments: str) -> str:
        """The text of a prompt."""
        import mcp_types as types

        (message,) = (await self.client.get_prompt(name, arguments)).messages
        assert isinstance(message.content, types.TextContent), f"{name} is no text: {message}"
        self._count(name, message.content.text)
        return message.content.text

    async def tools(self) -> "dict[str, types.Tool]":
        """The tools that are offered."""
        return {tool.name: tool for tool in (await self.client.list_tools()).tools}

    def _count(self, what: str, text: str) -> None:
        size = len(text.encode())
        self.sizes[what] = max(size, self.sizes.get(what, 0))
        assert size <= MOST_BYTES, f"{what} answers {size:,} of {MOST_BYTES:,} bytes"


@asynccontextmanager
async def agent_in(
    home: Path, board: str = "", *, profile: str = EMBEDDED, is_read_only: bool = False
) -> AsyncIterator[tuple[Agent, Store]]:
    """An agent that works in a home, and the store of its server."""
    from mcp import Client

    from tui.cli.mcp.server import server_of

    places = Places.find({HOME_VARIABLE: str(home)})
    settings = load_settings(places.settings)
    named = settings.profile(profile)
    workspace = Workspace.open(places, named, is_read_only=is_read_only, origin=ORIGIN)
    try:
        opened = Opened(workspace, settings, How(is_quiet=True, patience=5))
        await opened.connect()
        async with Client(server_of(McpSession(opened, board))) as client:
            yield Agent(client), workspace.store
    finally:
        await workspace.aclose()
