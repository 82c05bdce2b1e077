"""Every endpoint of the specification is reached by keys in a test of this folder."""

from importlib import import_module
from pathlib import Path

from tests.endpoints.reached import REACHED
from tests.lint import tables
from tui.client.endpoints import Endpoint


def test_every_endpoint_has_a_key() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        import_module(f"{__package__}.{path.stem}")
    specified = {each for each in Endpoint if not each.is_deployed_only}
    lines = (
        f"@reaches(Endpoint.{each.name})  # {each.method} {each.path}"
        for each in specified - REACHED.keys()
    )
    tables.check(tables.missing(lines, "a test that presses keys", "tests/endpoints/test_*.py"))
