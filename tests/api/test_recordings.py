"""The client against what running installations answered."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.recorded import HERE, METHODS, WHOLE, Exchange, load, replay
from tui.api import errors
from tui.api.endpoints import Endpoint
from tui.api.listing import Listing
from tui.api.records import BoardRecord, CommentRecord, LabelRecord, StageRecord, TaskRecord

_SMALL = load(HERE)
_BY_NAME = {exchange.name: exchange for exchange in _SMALL}
_WHOLE = load(WHOLE) if WHOLE.is_dir() else []


async def _check(exchange: Exchange) -> None:
    if exchange.status < 400:
        await replay(exchange)
        return
    with pytest.raises(errors.ApiError) as caught:
        await replay(exchange)
    error = caught.value
    assert error.message
    assert not any(sign in error.message for sign in ("<", "\n", "\x1b", "\\", "::", "SQL"))
    assert str(exchange.status) in error.details
    assert error.may_have_happened is (exchange.status >= 500 and exchange.method != "GET")


@pytest.mark.parametrize("exchange", _SMALL, ids=lambda exchange: exchange.name)
async def test_a_recorded_answer_is_understood(exchange: Exchange) -> None:
    await _check(exchange)


@pytest.mark.skipif(not _WHOLE, reason="the whole set of recordings is not beside this checkout")
async def test_every_recorded_answer_is_understood() -> None:
    for exchange in _WHOLE:
        await _check(exchange)


def test_every_endpoint_has_a_method() -> None:
    assert set(METHODS) == set(Endpoint)


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("4.1_archive_board_unknown", errors.NotThere, "There is no board 99999."),
        ("4.1_delete_board_twice", errors.NotThere, "There is no board 8."),
        ("4.2_stage_create_position_text", errors.Refused, "The position must be a number."),
        ("4.3_delete_twice", errors.NotThere, "Task not found"),
        ("4.3_move_cross_board", errors.Refused, "The service refused this."),
        ("4.4_comment_update_not_author_admin", errors.NotAllowed, "Unauthorized Action"),
        ("4.4_comment_delete_twice", errors.ServerFault, "The service failed."),
        ("4.4_comment_update_spec_path", errors.NotOffered, "This service does not offer"),
        ("5_auth_bad_password", errors.WrongCredentials, "does not accept this login"),
    ],
)
async def test_a_recorded_refusal_is_told_in_words(
    name: str, kind: type[errors.ApiError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        await replay(_BY_NAME[name])


_EXPECTED: list[tuple[str, Callable[[Any], object], object]] = [
    ("4.1_projects_create", lambda board: (type(board), board.id), (BoardRecord, 2)),
    ("4.2_archive_stage", lambda stage: (type(stage), stage.position), (StageRecord, 0.0)),
    ("4.2_archived_stages", lambda stages: [stage.id for stage in stages.records], [63]),
    ("4.2_available_positions", lambda places: places, (1, 2, 3, 4, 5)),
    ("4.2_stage_create", lambda stages: stages.records[0].board_id, 2),
    ("4.3_tasks_list_as_admin", lambda tasks: tasks.records[0].stage_id, 74),
    ("4.4_comment_as_member", lambda comment: (type(comment), comment.id), (CommentRecord, 27)),
    ("4.6_label_attach", lambda label: (type(label), label.board_id), (LabelRecord, 13)),
    ("5_has_data_changed_as_viewer", lambda changes: changes.has_changes, False),
    ("4.1_board_users_as_admin", lambda users: [u.role for u in users.records][-1], "admin"),
]


@pytest.mark.parametrize(("name", "look", "expected"), _EXPECTED)
async def test_a_recorded_success_has_its_values(
    name: str, look: Callable[[Any], object], expected: object
) -> None:
    assert look(await replay(_BY_NAME[name])) == expected


async def test_a_document_keeps_every_field_of_a_recorded_task() -> None:
    exchange = _BY_NAME["4.3_tasks_list_as_admin"]
    listing = await replay(exchange)
    assert isinstance(listing, Listing)
    assert all(isinstance(record, TaskRecord) for record in listing.records)
    for row, document in zip(exchange.body["tasks"], await listing.documents(), strict=True):
        assert set(row) == set(document)
        assert document["watchers"][0].keys() == row["watchers"][0].keys()
