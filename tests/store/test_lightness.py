"""What the store imports: little before the first paint, and never what it must not."""

import subprocess
import sys

import pytest

_HEAVY = ("httpx", "pydantic", "starlette", "textual", "tui.service", "tui.client.client")


def _loaded_by(module: str) -> set[str]:
    """The modules that are there after an interpreter of its own imported one."""
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603  our own interpreter, our own text
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module", ["tui.store.protocol", "tui.store.events", "tui.store.operations", "tui.store.store"]
)
def test_nothing_heavy_before_the_first_paint(module: str) -> None:
    assert not _loaded_by(module) & set(_HEAVY)


@pytest.mark.long
def test_the_first_paint_needs_no_field_of_an_edit() -> None:
    assert "tui.store.operations.fields.tasks" not in _loaded_by("tui.cli.program")


def test_screens_get_neither_the_cache_nor_the_outbox() -> None:
    loaded = _loaded_by("tui.store.protocol, tui.store.operations")
    assert not loaded & {"tui.store.cache.file", "tui.store.outbox.file", "sqlite3"}


def test_what_meets_the_remote_knows_neither_screens_nor_the_service() -> None:
    loaded = _loaded_by("tui.client.editions.client")
    assert "httpx" in loaded
    assert not loaded & {"textual", "starlette", "tui.service"}
