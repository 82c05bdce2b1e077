"""How the tests are spread."""

import os

import pytest


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than processors: a third of the time goes into waiting for a terminal."""
    del config
    return (os.cpu_count() or 1) + 1
