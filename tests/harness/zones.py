"""The time zone of the machine, for a while."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest


@contextmanager
def zone_of_machine(name: str) -> Iterator[None]:
    """Let the machine be in a time zone."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TZ", name)
            time.tzset()
            yield
    finally:
        time.tzset()


@contextmanager
def midday() -> Iterator[None]:
    """Let the machine be where it is between 12 and 13 o'clock now.

    For what runs with the real clock: no day ends between two commands, and today is not over.
    """
    behind = datetime.now(UTC).hour - 12
    with zone_of_machine(f"MIDDAY{behind:+d}"):
        yield
