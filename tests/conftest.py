"""How the tests are spread."""

import gc
import os

import pytest


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers more than processors: much of the time goes into waiting for a screen."""
    del config
    return (os.cpu_count() or 1) + 2


def pytest_sessionstart() -> None:
    """Collect garbage rarely: thousands of small applications are made and thrown away."""
    gc.set_threshold(100_000, 20, 100)
    gc.freeze()


def pytest_collection_finish() -> None:
    """Leave alone what stays to the end anyway: the tests, and the modules that they are in."""
    gc.freeze()
