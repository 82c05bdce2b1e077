"""Roles of members: one step up or down, or as a list of boards says (section 3 and 4.9).

The rule it keeps: a board always has an admin, and the administrators of the service keep their
roles whatever a list says. A role that somebody has already is no error and no change.
"""

from tui.service import values
from tui.service.accounts.accounts import Role, role_on
from tui.service.call import Call, Document, answers
from tui.service.errors import ServiceError, conflict, forbidden, invalid
from tui.service.handlers.members import (
    account_of,
    join,
    keep_an_admin,
    leave,
    member_document,
    member_role,
)
from tui.service.lookups import board_of
from tui.service.records.base import DONE
from tui.service.records.boards import MEMBER_DONE
from tui.service.requests.body import Body, Fields, required
from tui.service.tables.activity import record
from tui.service.tables.changes import touch

_MOST_BOARDS = 1000
_WORDS = values.one_of("", *(role.word for role in Role))


@answers(MEMBER_DONE, refuses=(409,))
def make_manager(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/make-manager: a member becomes an admin.

    Raises 404 for somebody who is not on the board, 409 for a viewer.
    """
    _step(call, Role.ADMIN, {Role.MEMBER})
    return _answer(call)


@answers(MEMBER_DONE, refuses=(409,))
def remove_manager(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/remove-manager: an admin becomes a member.

    Raises 404 for somebody who is not on the board, 409 for a viewer or the last admin.
    """
    _step(call, Role.MEMBER, {Role.ADMIN})
    return _answer(call)


@answers(MEMBER_DONE, refuses=(409,))
def make_member(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/make-member: from viewer or admin.

    Raises 404 for somebody who is not on the board, 409 for the last admin.
    """
    _step(call, Role.MEMBER, {Role.VIEWER, Role.ADMIN})
    return _answer(call)


@answers(MEMBER_DONE, refuses=(409,))
def make_viewer(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/make-viewer: from member or admin.

    Raises 404 for somebody who is not on the board, 409 for the last admin.
    """
    _step(call, Role.VIEWER, {Role.MEMBER, Role.ADMIN})
    return _answer(call)


class _SyncRoles(Fields):
    roles = required("roles", values.settings)


@answers(DONE, _SyncRoles, refuses=(403, 409))
def sync_roles(call: Call) -> Document:
    """POST /managers/roles/{user_id}: `roles` maps board ids to roles, all or none of them.

    A person who is not on a board joins it; an empty value takes them off it. Boards that are not
    named stay as they are. The caller must be an admin of every board that is named. Raises 403,
    404 for the person or a board, 409 for a last admin, 422 for what is no role and for an
    administrator of the service.
    """
    person = account_of(call, call.ids["user_id"])
    roles = _roles(_SyncRoles(call.body).roles)
    for board_id in roles:
        board_of(call, board_id)
        if role_on(call.db, board_id, call.user) is not Role.ADMIN:
            raise forbidden()
    if not roles and not call.user.is_administrator:
        raise forbidden("Only an admin of a board may set roles.")
    if person["is_administrator"]:
        raise ServiceError(
            422, "super_admin", "The roles of an administrator of the service cannot be set."
        )
    for board_id, role in roles.items():
        _set_role(call.on_board(board_id, user_id=person["id"]), role)
        touch(call, board_id)
    return {"message": "User roles has been synced successfully."}


def _step(call: Call, role: Role, sources: set[Role]) -> None:
    """Give the member of the path another role. Raises 409 from a role that is no source."""
    present = member_role(call, call.ids["user_id"])
    if present is role:
        return
    if present not in sources:
        message = f"A {present.word} cannot become {role.word} in one step; member comes between."
        raise conflict("wrong_role", message)
    _change(call, present, role)


def _set_role(call: Call, role: Role | None) -> None:
    """Give a person a role on a board, or none."""
    person_id = call.ids["user_id"]
    word = call.db.value(
        "select role from membership where board_id = :board and account_id = :person",
        board=call.board_id,
        person=person_id,
    )
    if word is None and role is not None:
        join(call, person_id, role)
    elif word is not None and role is None:
        leave(call, person_id)
    elif role is not None and word != role.word:
        _change(call, Role.of(word), role)


def _change(call: Call, present: Role, role: Role) -> None:
    person_id = call.ids["user_id"]
    if present is Role.ADMIN:
        keep_an_admin(call, person_id)
    call.db.run(
        "update membership set role = :role where board_id = :board and account_id = :person",
        role=role.word,
        board=call.board_id,
        person=person_id,
    )
    name = account_of(call, person_id)["display_name"]
    record(call, "changed", "role", old=present.word, new=role.word, description=name)


def _roles(sent: Document) -> dict[int, Role | None]:
    """The roles that were sent, by board; none for an empty value. Raises 422."""
    if len(sent) > _MOST_BOARDS:
        raise invalid("roles", f"must name at most {_MOST_BOARDS:,} boards")
    named = Body(sent, "roles.")
    roles: dict[int, Role | None] = {}
    for key in sent:
        word = named.optional(key, _WORDS, "")
        board_id = values.identifier("board")(f"roles.{key}", key)
        roles[board_id] = Role.of(word) if word else None
    return roles


def _answer(call: Call) -> Document:
    """The member of the path as the replies to a change of role show them."""
    member = member_document(call, call.ids["user_id"])
    is_admin = member["role"] == Role.ADMIN.word
    return {
        "message": "Role updated successfully",
        "member": member | {"is_admin": is_admin, "is_board_admin": is_admin},
    }
