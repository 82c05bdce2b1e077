"""What is remembered of a service: kept whole, and never in the way."""

import json
from pathlib import Path

import pytest

from tui.config.capabilities_file import CapabilitiesFile
from tui.config.profiles import Profile

PROFILE = Profile("work", url="https://example.org/v2", login="ann")


def test_what_was_learnt_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "service.json"
    memory = CapabilitiesFile(path)
    assert memory.is_about(PROFILE)
    memory.begin(PROFILE)
    memory.keep({"offered": ["subtasks"]})
    again = CapabilitiesFile(path)
    assert again.capabilities == {"offered": ["subtasks"]}
    assert again.is_about(PROFILE)
    assert not again.is_about(PROFILE._replace(url="https://example.com/v2"))
    assert not again.is_about(PROFILE._replace(login="bob"))
    assert [each.name for each in tmp_path.iterdir()] == ["service.json"]


@pytest.mark.parametrize("content", ["", "{", "[]", "[" * 100_000, '{"url": 3, "capabilities": 4}'])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "service.json").write_text(content)
    memory = CapabilitiesFile(tmp_path / "service.json")
    assert memory.capabilities == {}
    assert memory.is_about(PROFILE)
    memory.begin(PROFILE)
    assert json.loads((tmp_path / "service.json").read_text())["url"] == PROFILE.url


def test_without_a_place_it_is_kept_in_memory_alone(tmp_path: Path) -> None:
    for memory in (CapabilitiesFile(), CapabilitiesFile(tmp_path / "missing" / "service.json")):
        memory.keep({"offered": []})
        assert memory.capabilities == {"offered": []}
