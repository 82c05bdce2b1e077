"""Texts that somebody is still writing: kept, found again, forgotten."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tui.config.drafts import Drafts
from tui.config.paths import Places
from tui.config.profiles import Profile
from tui.workspace import Workspace

KEYS = st.text(max_size=200).filter(lambda key: not key.endswith(tuple("0123456789")))


def test_a_draft_outlives_the_program_until_it_is_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "drafts"
    first = Drafts(folder)
    assert first.get("description-12") is None
    first.keep("description-12", "one\r\ntwo 🙂\n")
    assert Drafts(folder).get("description-12") == "one\r\ntwo 🙂\n"
    assert Drafts(folder).get("description-1") is None
    Drafts(folder).forget("description-12")
    assert first.get("description-12") is None
    first.forget("description-12")


def test_only_this_person_may_read_it(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts")
    drafts.keep("comment-1", "secret")
    drafts.keep("comment-1", "more secret")
    (path,) = (tmp_path / "drafts").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "drafts").stat().st_mode & 0o777 == 0o700


@given(st.dictionaries(KEYS, st.text(max_size=50), max_size=6))
def test_keys_of_any_kind_do_not_meet(
    tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("drafts")
    for key, text in texts.items():
        Drafts(folder).keep(key, text)
    assert {key: Drafts(folder).get(key) for key in texts} == texts
    assert all(path.parent == folder for path in folder.rglob("*"))


def test_without_a_folder_they_live_as_long_as_the_program() -> None:
    drafts = Drafts()
    drafts.keep("reply-3", "so")
    assert drafts.get("reply-3") == "so"
    drafts.forget("reply-3")
    assert drafts.get("reply-3") is None


def test_what_cannot_be_written_is_told_and_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("no folder")
    drafts = Drafts(tmp_path / "drafts")
    with pytest.raises(OSError, match="exists"):
        drafts.keep("comment-1", "words")
    assert drafts.get("comment-1") == "words"
    drafts.forget("comment-1")
    assert drafts.get("comment-1") is None


def test_a_half_written_file_never_takes_the_place_of_a_draft(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    (tmp_path / "comment-1.md").mkdir()
    with pytest.raises(OSError, match="directory"):
        drafts.keep("comment-1", "words")
    assert [path.name for path in tmp_path.iterdir()] == ["comment-1.md"]
    assert list((tmp_path / "comment-1.md").iterdir()) == []
    assert drafts.get("comment-1") == "words"


def test_a_draft_follows_a_task_to_its_new_number(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep("description--5", "five")
    drafts.keep("description--15", "fifteen")
    drafts.keep("comment-5", "other")
    drafts.keep("comment--5-pictures", "[]")
    drafts.renamed({-5: 77, 5: 99})
    assert drafts.get("description--5") == drafts.get("description-77") == "five"
    drafts.keep("description--5", "still five")
    assert Drafts(tmp_path).get("description-77") == "still five"
    assert Drafts(tmp_path).get("description--5") is None
    assert drafts.get("description--15") == "fifteen"
    assert drafts.get("comment-5") == "other"
    assert drafts.get("comment-77-pictures") == drafts.get("comment--5-pictures") == "[]"
    drafts.forget("description--5")
    assert drafts.get("description-77") is None


def test_a_draft_in_memory_follows_too() -> None:
    drafts = Drafts()
    drafts.keep("description--5", "five")
    drafts.renamed({-5: 77})
    assert drafts.get("description-77") == "five"


async def test_each_profile_has_drafts_of_its_own(tmp_path: Path) -> None:
    places = Places.find({"CALLBOARD_HOME": str(tmp_path)})
    folders = []
    for profile in (None, Profile("work", "https://boards.example.test", "me")):
        workspace = Workspace.open(places, profile)
        folders.append(workspace.drafts)
        await workspace.aclose()
    assert folders == [places.data / "drafts", places.data / "work" / "drafts"]


def test_what_the_store_was_given_before_a_kill_is_no_draft(tmp_path: Path) -> None:
    """The texts of things that the store knows are forgotten, the others are offered again."""
    first = Drafts(tmp_path)
    for key, made_id in (("comment-12", -5), ("new-card-1", -6), ("comment--7", -8)):
        first.keep(key, f"text of {key}")
        first.hand_over(key, made_id)
    first.keep("comment-13", "still being typed")
    second = Drafts(tmp_path)
    second.forget_made({-5, -8}.__contains__)
    assert second.get("comment-12") is second.get("comment--7") is None
    assert second.get("new-card-1") == "text of new-card-1"
    assert second.get("comment-13") == "still being typed"
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["comment-13", "new-card-1"]


def test_what_was_handed_over_leaves_nothing_behind(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.keep("comment-12", "text")
    drafts.hand_over("comment-12", -5)
    drafts.forget("comment-12")
    assert not list(tmp_path.iterdir())
