"""The time zone of the machine, for a while."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

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
