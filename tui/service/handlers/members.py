"""The people of a board: list, add, remove (4.9).

The rule it keeps: a board always has an admin. Somebody who leaves is taken off the board's tasks.
"""

from tui.service import values
from tui.service.accounts.accounts import Role, member_documents, role_on, user_document
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.errors import conflict, forbidden, missing
from tui.service.records.base import DONE
from tui.service.records.boards import MEMBER_DONE, Member, User
from tui.service.requests.body import Fields, optional, required
from tui.service.tables.activity import record
from tui.service.tables.changes import touch_tasks
from tui.service.tables.preferences import pivot_settings, preferences, serialised


@answers({"users": list[Member], "global_admins": list[User]})
def list_users(call: Call) -> Document:
    """GET /projects/{board_id}/users: members with their role; the service's administrators."""
    rows = call.db.all("select * from account where is_administrator = 1 order by id")
    return {
        "users": member_documents(call.db, [call.board_id], call.user)[call.board_id],
        "global_admins": [user_document(row, call.user) for row in rows],
    }


@answers({"data": list[Member]})
def list_assignees(call: Call) -> Document:
    """GET /projects/{board_id}/assignees: who can be assigned, each with a pivot."""
    rows = call.db.all(
        "select * from membership where board_id = :board order by created_at, account_id",
        board=call.board_id,
    )
    pivots = {row["account_id"]: pivot(row) for row in rows}
    users = member_documents(call.db, [call.board_id], call.user)[call.board_id]
    return {"data": [user | {"pivot": pivots[user["ID"]]} for user in users]}


def pivot(row: Row) -> Document:
    """A row of `membership` as the pivot of a user or a board (2.10)."""
    return {
        "object_id": row["board_id"],
        "foreign_id": row["account_id"],
        "settings": pivot_settings(row["role"]),
        "preferences": serialised(preferences(row)),
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }


class _AddMember(Fields):
    person_id = required("memberId", values.identifier("user"))
    is_viewer = optional("isViewerOnly", values.flag, default=False)


@answers(MEMBER_DONE, _AddMember, refuses=(409,))
def add_member(call: Call) -> Document:
    """POST /projects/{board_id}/add-members: `memberId`, as viewer with `isViewerOnly` `yes`.

    Raises 422, 404 when there is no such account, 409 when it is a member already.
    """
    asked = _AddMember(call.body)
    person_id = asked.person_id
    join(call, person_id, Role.VIEWER if asked.is_viewer else Role.MEMBER)
    return {"message": "Member has been added", "member": member_document(call, person_id)}


def join(call: Call, person_id: int, role: Role) -> None:
    """Make somebody a member of the path's board. Raises 404, 409 for one who is already."""
    person = account_of(call, person_id)
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


def member_document(call: Call, person_id: int) -> Document:
    """A member of the path's board as a User record with a role."""
    members = member_documents(call.db, [call.board_id], call.user)[call.board_id]
    return next(member for member in members if member["ID"] == person_id)


@answers(DONE, refuses=(409,))
def remove_member(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/remove: for admins, and for leaving oneself.

    Raises 403, 404 when the person is no member, 409 for the last admin.
    """
    person_id = call.ids["user_id"]
    role = role_on(call.db, call.board_id, call.user)
    if role is not Role.ADMIN and person_id != call.user.id:
        raise forbidden("Only an admin of the board may remove others.")
    leave(call, person_id)
    return {"message": "Member has been removed"}


def leave(call: Call, person_id: int) -> None:
    """Take somebody off the path's board and its tasks. Raises 404, 409 for the last admin."""
    role = member_role(call, person_id)
    keep_an_admin(call, person_id)
    person = account_of(call, person_id)
    touch_tasks(
        call,
        """select task_id from task_assignee join task on task.id = task_id
        where account_id = :person and board_id = :board""",
        person=person_id,
        board=call.board_id,
    )
    _forget(call, person_id)
    record(call, "removed", role.word, old=person["display_name"])


def member_role(call: Call, person_id: int) -> Role:
    """The role of a member of the path's board. Raises 404 when the person is none."""
    word = call.db.value(
        "select role from membership where board_id = :board and account_id = :person",
        board=call.board_id,
        person=person_id,
    )
    if word is None:
        raise missing("member")
    return Role.of(word)


def keep_an_admin(call: Call, person_id: int) -> None:
    """Raises 409 when this person is the only admin of the path's board."""
    admins = call.db.all(
        "select account_id from membership where board_id = :board and role = :admin",
        board=call.board_id,
        admin=Role.ADMIN.word,
    )
    if [row["account_id"] for row in admins] == [person_id]:
        raise conflict("last_admin", "The board's last admin cannot be removed.")


def account_of(call: Call, person_id: int) -> Row:
    """The account of a person. Raises 404."""
    row = call.db.one("select * from account where id = :id and removed_at is null", id=person_id)
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
