"""What the screens let a person do, the service accepts; what they refuse, it refuses."""

import re
from dataclasses import replace
from importlib import import_module

import pytest

from tests.fakes.boards import ANN, JON, small
from tests.fakes.store import FakeStore
from tests.lint import tables
from tests.screens.test_availability import ACTIONS
from tui.actions.action import Action, declared_actions
from tui.actions.availability import (
    ADMINISTRATOR,
    CHANGING_KEYS,
    MEMBER,
    READ_ONLY,
    VIEWER,
    unavailable,
)
from tui.actions.program import LISTS
from tui.client.decoding import decode
from tui.client.endpoints import Endpoint
from tui.model.board import Board
from tui.model.people import Account, Role
from tui.schema import boards
from tui.screens.base import CallboardScreen
from tui.screens.boards.actions import FolderActions
from tui.screens.lists.cards import LISTED
from tui.service.accounts.accounts import BoardRole as ServiceRole
from tui.service.routes import ROUTES
from tui.store.documents.assemble import Assembler

_CHANGING_MORE = {
    *("boards.new", "person.remove", "person.roles"),
    *("profile.edit", "profile.logout", "profile.new"),
    *("webhook.delete", "webhook.new", "webhook.test"),
}
"""What changes something else than a board."""
_SENT = {
    Endpoint.ADD_MEMBER: ("member.add",),
    Endpoint.ARCHIVE_BOARD: ("boards.archive",),
    Endpoint.ARCHIVE_STAGE: ("stage.archive",),
    Endpoint.ARCHIVE_STAGE_TASKS: ("stage.archive-cards",),
    Endpoint.CLONE_SUBTASK: ("subtask.clone",),
    Endpoint.CLONE_TASK: ("task.clone",),
    Endpoint.CONVERT_TO_SUBTASK: ("task.to-subtask",),
    Endpoint.CREATE_COMMENT: (
        *("comment.new", "comment.quote", "comment.reply"),
        *("inbox.reply", "task.comment"),
    ),
    Endpoint.CREATE_FIELD: ("custom-field.new",),
    Endpoint.CREATE_LABEL: ("label.new",),
    Endpoint.CREATE_STAGE: ("stage.new-left", "stage.new-right"),
    Endpoint.CREATE_SUBTASK: ("subtask.new", "subtask.paste"),
    Endpoint.CREATE_SUBTASK_GROUP: ("subtask.new-group",),
    Endpoint.CREATE_TASK: ("task.new", "task.new-form"),
    Endpoint.DELETE_BOARD: ("boards.delete",),
    Endpoint.DELETE_COMMENT: ("comment.delete",),
    Endpoint.DELETE_FIELD: ("custom-field.delete",),
    Endpoint.DELETE_LABEL: ("label.delete", "label.merge"),
    Endpoint.DELETE_SUBTASK: ("subtask.delete",),
    Endpoint.DELETE_TASK: ("archived.delete", "task.delete"),
    Endpoint.DUPLICATE_BOARD: ("boards.duplicate",),
    Endpoint.MAKE_MANAGER: ("member.role",),
    Endpoint.MOVE_SUBTASKS: ("subtask.to-group",),
    Endpoint.MOVE_SUBTASK_TO_BOARD: ("subtask.to-task",),
    Endpoint.MOVE_TASK: (
        *("task.lift", "task.move-down", "task.move-left", "task.move-right", "task.move-to"),
        "task.move-up",
    ),
    Endpoint.REMOVE_MEMBER: ("member.remove",),
    Endpoint.REPOSITION_FIELD: ("rows.lift",),
    Endpoint.REPOSITION_STAGES: ("stage.lift",),
    Endpoint.REPOSITION_SUBTASK: ("subtask.lift", "subtask.move-down", "subtask.move-up"),
    Endpoint.RESTORE_STAGE: ("archived_stages.restore",),
    Endpoint.SORT_STAGE_TASKS: ("stage.sort",),
    Endpoint.UPDATE_BOARD: ("boards.rename",),
    Endpoint.UPDATE_COMMENT: ("comment.edit",),
    Endpoint.UPDATE_FIELD: ("custom-field.edit",),
    Endpoint.UPDATE_LABEL: ("label.edit",),
    Endpoint.UPDATE_STAGE: ("stage.color", "stage.edit", "stage.rename"),
    Endpoint.UPDATE_TASK: (
        *("archived.restore", "board.redo", "board.undo", "field.edit", "subtask.archive"),
        *("subtask.rename", "task.archive", "task.assign", "task.assign-me", "task.block"),
        *("task.close", "task.due", "task.edit-description", "task.edit-title", "task.labels"),
        *("task.priority", "task.release", "task.repeat", "task.start", "task.watch"),
        "inbox.watch",
        *("timeline.earlier", "timeline.later", "timeline.lift"),
    ),
}
"""The request that needs most of a person, and the actions that make it."""
SENT = {action: endpoint for endpoint, actions in _SENT.items() for action in actions}


def _of_list(screen: type[CallboardScreen]) -> list[Action]:
    """The actions of a list, without those on cards."""
    owners = (screen, *(owner for owner in screen.actions_of if owner not in LISTED))
    return [each for owner in owners for _, each in declared_actions(owner)]


EVERY: dict[str, Action | None] = {
    **dict.fromkeys(CHANGING_KEYS),
    **{
        action.id: action
        for name in LISTS
        for action in _of_list(import_module(f"tui.screens.lists.{name}").SCREEN)
    },
    **ACTIONS,
}


def needed(endpoint: Endpoint) -> ServiceRole:
    """The least role on a board with which the service accepts a request."""
    role = next(
        route.role
        for route in ROUTES
        if (route.method, _bare(route.path)) == (endpoint.method, _bare(endpoint.path))
    )
    assert role is not None, endpoint
    return role


def _bare(path: str) -> str:
    return re.sub(r"{\w+(:\w+)?}", "{}", path)


def refusal(action: str, role: Role) -> str | None:
    """Why the role forbids an action on the screen."""
    return unavailable(action, EVERY[action], FakeStore(small()), role)


def test_every_action_that_a_role_may_forbid_is_held_against_the_service() -> None:
    forbidden = {one for one in EVERY if refusal(one, Role.VIEWER) in (VIEWER, MEMBER)}
    lines = (f'Endpoint.THE_MOST_IT_NEEDS: ("{one}",),' for one in forbidden - SENT.keys())
    tables.check(
        tables.missing(lines, "`_SENT`", __file__),
        tables.obsolete(SENT.keys() - EVERY.keys(), "`_SENT`", __file__),
    )


def test_in_read_only_mode_no_action_that_sends_anything_is_available() -> None:
    store = FakeStore(small())
    assert not any(unavailable(one, EVERY[one], store, Role.MANAGER) for one in EVERY)
    store.is_read_only = True
    refused = {
        one for one in EVERY if unavailable(one, EVERY[one], store, Role.MANAGER) == READ_ONLY
    }
    sending = (SENT.keys() & EVERY.keys()) | _CHANGING_MORE
    tables.check(
        tables.missing(
            (f'"{one}",' for one in refused - sending),
            "`_SENT` if it changes a board, else to `_CHANGING_MORE`,",
            __file__,
        ),
        tables.Edit(
            "Declare with `changes_board`, `manages_board`, `administers` or `changes_more`, as"
            " read-only mode has to refuse them:",
            sorted(sending - refused),
        ),
    )


@pytest.mark.parametrize("role", Role)
def test_the_screen_forbids_what_the_service_forbids_and_nothing_else(role: Role) -> None:
    forbidden = {one for one in SENT.keys() & EVERY.keys() if refusal(one, role)}
    needing = {one for one in SENT.keys() & EVERY.keys() if role < needed(SENT[one])}
    tables.check(
        tables.Edit(
            "Declare with `changes_board` what members may do and with `manages_board` what only"
            " managers may, or correct `_SENT` in tests/screens/test_roles.py:",
            sorted(
                f"{one}: {'forbidden' if one in forbidden else 'offered'} to a {role.name.lower()},"
                f" but the service asks for {needed(SENT[one]).name} at {SENT[one].name}"
                for one in forbidden ^ needing
            ),
        )
    )


@pytest.mark.parametrize("known", [None, True, False])
def test_only_administrators_of_the_service_change_folders(known: bool | None) -> None:
    store = FakeStore(small())
    store.me = Account("ann", 1, known)
    actions = [one for _, one in declared_actions(FolderActions)]
    refused = {unavailable(one.id, one, store, Role.MANAGER) for one in actions}
    assert refused == ({None, ADMINISTRATOR} if known is False else {None})


def test_an_administrator_of_the_service_manages_every_board() -> None:
    board = Board(1, "B", people=(ANN, JON), viewers=frozenset({ANN.id}))
    assert board.role_of(Account("ann", ANN.id)) is Role.VIEWER
    assert board.role_of(Account("ann", ANN.id, is_administrator=True)) is Role.MANAGER
    reported = replace(board, administrators=frozenset({ANN.id}), is_view_only=True)
    assert reported.role_of(Account("ann", ANN.id)) is Role.MANAGER
    assert reported.role_of(Account("jon", JON.id)) is Role.VIEWER


@pytest.mark.parametrize(
    ("is_administrator", "flag", "expected"),
    [(False, 0, Role.MEMBER), (False, 1, Role.MANAGER), (None, 0, Role.MANAGER)],
)
def test_a_list_of_boards_without_members_tells_the_role_of_the_user(
    is_administrator: bool | None, flag: int, expected: Role
) -> None:
    pivot = {"object_id": "4", "foreign_id": "1", "settings": f'a:1:{{s:8:"is_admin";b:{flag};}}'}
    board = Assembler().board(decode(boards.Board, {"id": 4, "title": "B", "pivot": pivot}))
    assert board.role_of(Account("ann", ANN.id, is_administrator)) is expected


def test_managers_and_administrators_are_forbidden_nothing() -> None:
    assert not [one for one in EVERY if refusal(one, Role.MANAGER)]
