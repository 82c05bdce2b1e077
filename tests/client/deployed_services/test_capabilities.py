"""What is remembered of a service."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from tests.client.deployed_services.deployed import examples
from tests.client.scripted import session
from tui.client.capabilities import (
    UNKNOWN,
    Assigning,
    Capabilities,
    CommentPath,
    Feature,
    FieldDates,
    StageBody,
    StageStatus,
    Watching,
)
from tui.client.service import RemoteService

NOW = datetime(2026, 11, 21, 12, 0, 5, 123, tzinfo=UTC)
_features = st.sampled_from(Feature)


@st.composite
def _capabilities(draw: st.DrawFn) -> Capabilities:
    offered = draw(st.frozensets(_features))
    return Capabilities(
        offered=offered,
        missing=draw(st.frozensets(_features)) - offered,
        stage_body=draw(st.none() | st.sampled_from(StageBody)),
        stage_status=draw(st.none() | st.sampled_from(StageStatus)),
        field_dates=draw(st.none() | st.sampled_from(FieldDates)),
        comment_path=draw(st.none() | st.sampled_from(CommentPath)),
        assigning=draw(st.none() | st.sampled_from(Assigning)),
        watching=draw(st.none() | st.sampled_from(Watching)),
        user_id=draw(st.none() | st.integers(1, 2**63 - 1)),
        user_login=draw(st.none() | st.text()),
        learnt_at=draw(st.none() | st.datetimes(timezones=st.just(UTC))),
    )


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(max_examples=examples(12))
@given(_capabilities())
def test_a_profile_gives_back_what_it_was_given(known: Capabilities) -> None:
    assert Capabilities.from_document(json.loads(json.dumps(known.document()))) == known


@pytest.mark.long
@settings(max_examples=examples(12))
@given(_json, st.dictionaries(st.sampled_from(sorted(UNKNOWN.document())), _json))
def test_a_damaged_memory_is_never_an_error(anything: object, fields: dict[str, object]) -> None:
    Capabilities.from_document(anything)
    known = Capabilities.from_document(fields)
    assert Capabilities.from_document(known.document()) == known


def test_what_is_damaged_does_not_lose_the_rest() -> None:
    document = {
        "offered": ["subtasks", "teleportation", 7],
        "missing": ["subtasks", "folders"],
        "assigning": "juggles",
        "watching": "words",
        "user_id": True,
        "user_login": 5,
        "learnt_at": "yesterday",
        "is_trusted": True,
        "more": {},
    }
    assert Capabilities.from_document(document) == Capabilities(
        offered=frozenset({Feature.SUBTASKS}),
        missing=frozenset({Feature.FOLDERS}),
        watching=Watching.WORDS,
    )


def test_a_file_cannot_make_a_service_trusted() -> None:
    own = Capabilities.embedded()
    assert own.is_trusted
    assert Capabilities.from_document(own.document()) == replace(own, is_trusted=False)


@pytest.mark.parametrize("feature", Feature)
def test_the_own_service_has_everything(feature: Feature) -> None:
    assert Capabilities.embedded().offers(feature) is True
    assert UNKNOWN.offers(feature) is None


def test_a_profile_is_read_before_anything_heavy_is_loaded() -> None:
    code = "import sys, tui.client.capabilities, tui.client.site_time; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603  our own interpreter, our own text
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"httpx", "pydantic", "asyncio"} & set(done.stdout.split())


def test_a_part_is_not_there_without_the_whole() -> None:
    without = Capabilities(missing=frozenset({Feature.SUBTASKS}))
    assert without.offers(Feature.SUBTASK_GROUPS) is False
    assert without.offers(Feature.CUSTOM_FIELD_ORDER) is None
    apart = Capabilities(missing=frozenset({Feature.SUBTASK_GROUPS}))
    assert apart.offers(Feature.SUBTASKS) is None


def test_an_extended_edition_without_groups_of_subtasks_has_no_viewers() -> None:
    old_paid = Capabilities(
        offered=frozenset({Feature.SUBTASKS}), missing=frozenset({Feature.SUBTASK_GROUPS})
    )
    assert old_paid.offers(Feature.ROLES) is True
    assert old_paid.offers(Feature.VIEWER_ROLES) is False
    seen = replace(old_paid, offered=old_paid.offered | {Feature.VIEWER_ROLES})
    assert seen.offers(Feature.VIEWER_ROLES) is True
    recent = Capabilities(offered=frozenset({Feature.SUBTASKS, Feature.SUBTASK_GROUPS}))
    assert recent.offers(Feature.VIEWER_ROLES) is None


def test_only_news_are_told_and_when_they_were_learnt() -> None:
    told: list[Capabilities] = []
    service = RemoteService(session(None), UNKNOWN, told.append, clock=lambda: NOW)
    service.learn()
    service.learn(user_id=7)
    service.learn(user_id=7)
    service.learn_features({Feature.FOLDERS: False, Feature.SUBTASKS: True})
    service.learn_features({Feature.FOLDERS: False})
    service.learn_features({Feature.FOLDERS: True})
    assert [known.user_id for known in told] == [7, 7, 7]
    assert [known.offers(Feature.FOLDERS) for known in told] == [None, False, True]
    assert {known.learnt_at for known in told} == {NOW.replace(microsecond=0)}
    assert service.capabilities is told[-1]
    assert told[-1].offered == {Feature.FOLDERS, Feature.SUBTASKS}
    assert told[-1].missing == frozenset()
