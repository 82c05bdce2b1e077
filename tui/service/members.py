"""The people of a board: list, add, remove (4.9).

The rule it keeps: a board always has an admin. Somebody who leaves is taken off the board's tasks.
"""

from tui.service import values
from tui.service.accounts import Role, member_documents, role_on, user_document
from tui.service.activity import record
from tui.service.call import Call, Document
from tui.service.database import Row
from tui.service.errors import conflict, forbidden, missing


def list_users(call: Call) -> Document:
    """GET /projects/{board_id}/users: members with their role; the service's administrators."""
    rows = call.db.all("select * from account where is_administrator = 1 order by id")
    return {
        "users": member_documents(call.db, [call.board_id])[call.board_id],
        "global_admins": [user_document(row) for row in rows],
    }


def list_assignees(call: Call) -> Document:
    """GET /projects/{board_id}/assignees: who can be assigned, each with a pivot."""
    rows = call.db.all(
        "select * from membership where board_id = :board order by created_at, account_id",
        board=call.board_id,
    )
    pivots = {row["account_id"]: _pivot(row) for row in rows}
    users = member_documents(call.db, [call.board_id])[call.board_id]
    return {"data": [user | {"pivot": pivots[user["ID"]]} for user in users]}


def _pivot(row: Row) -> Document:
    return {
        "object_id": row["board_id"],
        "foreign_id": row["account_id"],
        "settings": None,
        "preferences": None,
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }


def add_member(call: Call) -> Document:
    """POST /projects/{board_id}/add-members: `memberId`, as viewer with `isViewerOnly` `yes`.

    Raises 422, 404 when there is no such account, 409 when it is a member already.
    """
    person_id = call.body.required("memberId", values.identifier("user"))
    is_viewer = call.body.optional("isViewerOnly", values.flag, default=False)
    person = _account(call, person_id)
    role = Role.VIEWER if is_viewer else Role.MEMBER
    added = call.db.run(
        """insert into membership (board_id, account_id, role, created_at)
        values (:board, :person, :role, :now) on conflict do nothing""",
        board=call.board_id,
        person=person_id,
        role=role.word,
        now=call.stamp,
    )
    if not added:
        raise conflict("already_member", "This person is a member of the board already.")
    record(call, "added", role.word, new=person["display_name"])
    members = member_documents(call.db, [call.board_id])[call.board_id]
    member = next(member for member in members if member["ID"] == person_id)
    return {"message": "Member has been added", "member": member}


def remove_member(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/remove: for admins, and for leaving oneself.

    Raises 403, 404 when the person is no member, 409 for the last admin.
    """
    person_id = call.ids["user_id"]
    role = role_on(call.db, call.board_id, call.user)
    if role is not Role.ADMIN and person_id != call.user.id:
        raise forbidden("Only an admin of the board may remove others.")
    roles = {
        row["account_id"]: row["role"]
        for row in call.db.all("select * from membership where board_id = :b", b=call.board_id)
    }
    if person_id not in roles:
        raise missing("member")
    admins = [person for person, word in roles.items() if word == Role.ADMIN.word]
    if admins == [person_id]:
        raise conflict("last_admin", "The board's last admin cannot be removed.")
    person = _account(call, person_id)
    _forget(call, person_id)
    record(call, "removed", roles[person_id], old=person["display_name"])
    return {"message": "Member has been removed"}


def _account(call: Call, person_id: int) -> Row:
    row = call.db.one("select * from account where id = :id", id=person_id)
    if row is None:
        raise missing("user")
    return row


def _forget(call: Call, person_id: int) -> None:
    """Take a person off a board, its tasks and their watchers."""
    call.db.run(
        "delete from membership where board_id = :board and account_id = :person",
        board=call.board_id,
        person=person_id,
    )
    call.db.run(
        """delete from task_assignee where account_id = :person
            and task_id in (select id from task where board_id = :board)""",
        board=call.board_id,
        person=person_id,
    )
    call.db.run(
        """delete from task_watcher where account_id = :person
            and task_id in (select id from task where board_id = :board)""",
        board=call.board_id,
        person=person_id,
    )
