"""Every endpoint of the specification is reached by keys in a test, or it is named here why not."""

from importlib import import_module
from pathlib import Path

from tests.endpoints.reached import REACHED
from tui.client.endpoints import Endpoint

COMMAND_LINE = {
    Endpoint.LIST_ASSIGNEES: "Deployed services list only people who have a task, so the members of"
    " the board are offered. It is left to the issue about the command line.",
}
"""Endpoints that no key reaches: why, and which issue brings them."""


def test_every_endpoint_has_a_key_or_a_reason() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        import_module(f"{__package__}.{path.stem}")
    specified = {each for each in Endpoint if not each.is_deployed_only}
    named = REACHED.keys() | COMMAND_LINE.keys()
    assert sorted(each.name for each in specified - named) == []
    assert sorted(each.name for each in REACHED.keys() & COMMAND_LINE.keys()) == []
    assert sorted(each.name for each in COMMAND_LINE.keys() - specified) == []
    assert all(COMMAND_LINE.values())
