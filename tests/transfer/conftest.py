"""Commands run on a home of the embedded service, in UTC."""

from collections.abc import Iterator

import pytest

from tests.cli.conftest import home, made, said
from tests.harness.zones import zone_of_machine

__all__ = ["home", "in_utc", "made", "said"]


@pytest.fixture(autouse=True)
def in_utc() -> Iterator[None]:
    """Times of files are shown as they are written there."""
    with zone_of_machine("UTC"):
        yield
