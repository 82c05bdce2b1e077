"""How the tests are spread, and how much is made up for each property.

Every run makes up other examples, so few are enough in one; `--hypothesis-profile deep` makes up
many.
"""

import gc
import os

import pytest
from hypothesis import settings

settings.register_profile("few", max_examples=12, deadline=None)
settings.register_profile("deep", max_examples=500, deadline=None)
settings.load_profile("few")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More workers than processors, since an application that is tested often waits."""
    del config
    return (os.cpu_count() or 1) + 2


def pytest_sessionstart() -> None:
    """Collect garbage rarely: thousands of small applications are made and thrown away."""
    gc.set_threshold(100_000, 20, 100)
    gc.freeze()


def pytest_collection_finish() -> None:
    """Leave alone what stays to the end anyway: the tests, and the modules that they are in."""
    gc.freeze()
