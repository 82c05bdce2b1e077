"""Members of boards, and all users of the service (section 3 and 4.9).

A board always has an admin. Somebody who leaves is unassigned from the board's tasks.
Administrators of the service keep their role whatever is sent. Setting a role that somebody has
already is no error and no change. Only administrators see all users with all their boards; admins
of a board may search for users to add, and see only the boards they share with them.
"""

from tui.schema.base import DONE
from tui.schema.boards import MEMBER_DONE, BoardName, FoundUser, ListedPerson, Member, User
from tui.service import values
from tui.service.accounts.accounts import BoardRole, manages_any, role_on
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row, Rows, grouped
from tui.service.documents.boards import board_documents
from tui.service.documents.people import (
    member_documents,
    membership_document,
    standing,
    user_document,
)
from tui.service.errors import ServiceError, conflict, forbidden, invalid, missing
from tui.service.lookups import board_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import record, touch, touch_tasks

_MOST_BOARDS = 1000
_MOST_FOUND = 100
_WORDS = values.one_of("", *(role.word for role in BoardRole))


@answers({"users": list[Member], "global_admins": list[User]})
def list_users(call: Call) -> Document:
    """GET /projects/{board_id}/users: members with their role; the service's administrators."""
    rows = call.db.select("account", is_administrator=1)
    return {
        "users": member_documents(call, [call.board_id])()[call.board_id],
        "global_admins": [user_document(call, row) for row in rows],
    }


@answers({"data": list[Member]})
def list_assignees(call: Call) -> Document:
    """GET /projects/{board_id}/assignees: who can be assigned, each with a pivot."""
    rows = call.db.select("membership", "created_at, account_id", board_id=call.board_id)
    pivots = {row["account_id"]: membership_document(row) for row in rows}
    users = member_documents(call, [call.board_id])()[call.board_id]
    return {"data": [user | {"pivot": pivots[user["ID"]]} for user in users]}


@answers(MEMBER_DONE, refuses=(409,))
def add_member(
    call: Call,
    person_id: int = required("memberId", values.identifier("user")),
    is_viewer: bool = optional("isViewerOnly", values.flag, False),
) -> Document:
    """POST /projects/{board_id}/add-members: `memberId`, as viewer with `isViewerOnly` `yes`.

    Raises 422, 404 when there is no such account, 409 when it is a member already.
    """
    join(call, person_id, BoardRole.VIEWER if is_viewer else BoardRole.MEMBER)
    return {"message": "Member has been added", "member": _member_document(call, person_id)}


def join(call: Call, person_id: int, role: BoardRole) -> None:
    """Make somebody a member of the path's board. Raises 404, or 409 for a member."""
    person = _account_of(call, person_id)
    added = call.db.insert_missing(
        "membership",
        board_id=call.board_id,
        account_id=person_id,
        role=role.word,
        created_at=call.stamp,
    )
    if not added:
        raise conflict("already_member", "This person is a member of the board already.")
    record(call, "added", role.word, new=person["display_name"])


def _member_document(call: Call, person_id: int) -> Document:
    members = member_documents(call, [call.board_id])()[call.board_id]
    return next(member for member in members if member["ID"] == person_id)


@answers(DONE, refuses=(409,))
def remove_member(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/remove: for admins, and for leaving oneself.

    Raises 403, 404 when the person is no member, 409 for the last admin.
    """
    person_id = call.ids["user_id"]
    role = role_on(call.db, call.board_id, call.user)
    if role is not BoardRole.ADMIN and person_id != call.user.id:
        raise forbidden("Only an admin of the board may remove others.")
    leave(call, person_id)
    return {"message": "Member has been removed"}


def leave(call: Call, person_id: int) -> None:
    """Remove somebody from the path's board and its tasks. Raises 404, 409 for the last admin."""
    members = call.db.select("membership", "account_id", board_id=call.board_id)
    accounts = call.db.select("account", id=person_id, removed_at=None)
    touch_tasks(
        call,
        """select task_id from task_assignee join task on task.id = task_id
        where account_id = :person and board_id = :board""",
        person=person_id,
        board=call.board_id,
    )
    roles = {row["account_id"]: BoardRole.of(row["role"]) for row in members}
    if person_id not in roles:
        raise missing("member")
    _refuse_last_admin(
        person_id, [member for member, role in roles.items() if role is BoardRole.ADMIN]
    )
    if not accounts:
        raise missing("user")
    _forget(call, person_id)
    record(call, "removed", roles[person_id].word, old=accounts[0]["display_name"])


def _refuse_last_admin(person_id: int, admins: list[int]) -> None:
    # Two who leave at once cannot both pass: writers of a board come one after another.
    if admins == [person_id]:
        raise conflict("last_admin", "The board’s last admin cannot be removed.")


def _account_of(call: Call, person_id: int) -> Row:
    row = call.db.find("account", id=person_id)
    if row is None or row["removed_at"] is not None:
        raise missing("user")
    return row


def _forget(call: Call, person_id: int) -> None:
    call.db.delete("membership", board_id=call.board_id, account_id=person_id)
    for table in ("task_assignee", "task_watcher"):
        call.db.run(
            f"""delete from {table} where account_id = :person
                and task_id in (select id from task where board_id = :board)""",
            board=call.board_id,
            person=person_id,
        )


@answers(MEMBER_DONE, refuses=(409,))
def make_manager(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/make-manager: a member becomes an admin.

    Raises 404 for somebody who is not on the board, 409 for a viewer.
    """
    return _step(call, BoardRole.ADMIN, {BoardRole.MEMBER})


@answers(MEMBER_DONE, refuses=(409,))
def remove_manager(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/remove-manager: an admin becomes a member.

    Raises 404 for somebody who is not on the board, 409 for a viewer or the last admin.
    """
    return _step(call, BoardRole.MEMBER, {BoardRole.ADMIN})


@answers(MEMBER_DONE, refuses=(409,))
def make_member(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/make-member: from viewer or admin.

    Raises 404 for somebody who is not on the board, 409 for the last admin.
    """
    return _step(call, BoardRole.MEMBER, {BoardRole.VIEWER, BoardRole.ADMIN})


@answers(MEMBER_DONE, refuses=(409,))
def make_viewer(call: Call) -> Document:
    """POST /projects/{board_id}/user/{user_id}/make-viewer: from member or admin.

    Raises 404 for somebody who is not on the board, 409 for the last admin.
    """
    return _step(call, BoardRole.VIEWER, {BoardRole.MEMBER, BoardRole.ADMIN})


@values.takes(type="object")
def _roles(field: str, value: object) -> dict[int, BoardRole | None]:
    sent = values.settings(field, value)
    if len(sent) > _MOST_BOARDS:
        raise invalid(field, f"must name at most {_MOST_BOARDS:,} boards")
    roles: dict[int, BoardRole | None] = {}
    for key, role in sent.items():
        word = "" if role is None else _WORDS(f"{field}.{key}", role)
        board_id = values.identifier("board")(f"{field}.{key}", key)
        roles[board_id] = BoardRole.of(word) if word else None
    return roles


@answers(DONE, refuses=(403, 409))
def sync_roles(
    call: Call, roles: dict[int, BoardRole | None] = required("roles", _roles)
) -> Document:
    """POST /managers/roles/{user_id}: `roles` maps board ids to roles, all or none of them.

    A person who is not on a board joins it; an empty value takes them off it. Boards that are not
    named stay as they are. The caller must be an admin of every board that is named. Raises 403,
    404 for the person or a board, 409 for a last admin, 422 for what is no role and for an
    administrator of the service.
    """
    person = _account_of(call, call.ids["user_id"])
    for board_id in roles:
        board_of(call, board_id)
        if role_on(call.db, board_id, call.user) is not BoardRole.ADMIN:
            raise forbidden()
    if not roles and not call.user.is_administrator:
        raise forbidden("Only an admin of a board may set roles.")
    if person["is_administrator"]:
        raise ServiceError(
            422, "super_admin", "The roles of an administrator of the service cannot be set."
        )
    for board_id, role in roles.items():
        _set_role(call.on_board(board_id), person["id"], role)
        touch(call, board_id)
    return {"message": "User roles has been synced successfully."}


def _step(call: Call, role: BoardRole, sources: set[BoardRole]) -> Document:
    person_id = call.ids["user_id"]
    row = call.db.find("membership", board_id=call.board_id, account_id=person_id)
    if row is None:
        raise missing("member")
    present = BoardRole.of(row["role"])
    if present is not role and present not in sources:
        message = f"A {present.word} cannot become {role.word} in one step; member comes between."
        raise conflict("wrong_role", message)
    _change(call, person_id, present, role)
    member = _member_document(call, person_id)
    is_admin = member["role"] == BoardRole.ADMIN.word
    return {
        "message": "Role updated successfully",
        "member": member | {"is_admin": is_admin, "is_board_admin": is_admin},
    }


def _set_role(call: Call, person_id: int, role: BoardRole | None) -> None:
    row = call.db.find("membership", board_id=call.board_id, account_id=person_id)
    if row is None:
        if role is not None:
            join(call, person_id, role)
    elif role is None:
        leave(call, person_id)
    else:
        _change(call, person_id, BoardRole.of(row["role"]), role)


def _change(call: Call, person_id: int, present: BoardRole, role: BoardRole) -> None:
    if present is role:
        return
    if present is BoardRole.ADMIN:
        chosen = {"board_id": call.board_id, "role": BoardRole.ADMIN.word}
        admins = call.db.select("membership", "account_id", **chosen)
        _refuse_last_admin(person_id, [row["account_id"] for row in admins])
    call.db.run(
        "update membership set role = :role where board_id = :board and account_id = :person",
        role=role.word,
        board=call.board_id,
        person=person_id,
    )
    name = _account_of(call, person_id)["display_name"]
    record(call, "changed", "role", old=present.word, new=role.word, description=name)


@answers({"users": list[ListedPerson], "boards": list[BoardName]}, refuses=(403,))
def list_people(call: Call) -> Document:
    """GET /service-users: everybody with their boards, and all boards; administrators only.

    Raises 403.
    """
    if not call.user.is_administrator:
        raise forbidden("Only an administrator may list all users.")
    listed = board_documents(call, call.db.select("board", "lower(title), id"))()
    titles = {board["id"]: board["title"] for board in listed}

    def board_of_person(row: Row) -> Document:
        return {"id": row["board_id"], "title": titles[row["board_id"]], "role": row["role"]}

    boards = grouped(call.db.select("membership", "board_id"), "account_id", board_of_person)
    shown = ("id", "title", "meta", "isUserOnlyViewer")
    users = [
        {
            "ID": row["id"],
            "display_name": row["display_name"],
            "photo": "",
            "email": row["email"],
            **standing(row),
            "boards": boards[row["id"]],
        }
        for row in _everybody(call)
    ]
    return {
        "users": users,
        "boards": [{name: board[name] for name in shown} for board in listed],
    }


@answers(list[FoundUser], refuses=(403,))
def search_people(
    call: Call, term: str = optional("searchInput", values.line, "")
) -> list[Document]:
    """GET /search-service-users: people whose name holds `searchInput`, which comes as JSON.

    For administrators and for admins of any board. `which_boards` names the boards that the caller
    may see. At most 100 people; without a term nobody is found. Raises 403, 422.
    """
    if not manages_any(call.db, call.user):
        raise forbidden("Only an admin of a board may search for people.")
    term = term.casefold()
    everybody = _everybody(call) if term else ()
    matches = [row for row in everybody if term in row["display_name"].casefold()][:_MOST_FOUND]
    boards = _shared_boards(call, [row["id"] for row in matches])
    return [
        user_document(call, row) | standing(row) | {"which_boards": boards[row["id"]]}
        for row in matches
    ]


@answers(DONE, refuses=(403, 404, 409))
def remove_from_board(
    call: Call,
    board_id: int = required("boardId", values.identifier("board")),
    person_id: int = required("userId", values.identifier("user")),
) -> Document:
    """DELETE /remove-user-from-board: `userId` leaves `boardId`; see `remove_member`.

    Raises 403, 404, 409 for the last admin, 422.
    """
    board_of(call, board_id)
    if role_on(call.db, board_id, call.user) is None:
        raise forbidden()
    answer = remove_member(call.on_board(board_id, user_id=person_id))
    touch(call, board_id)
    return answer


def _everybody(call: Call) -> Rows:
    return call.db.select("account", "lower(display_name), id", removed_at=None)


def _shared_boards(call: Call, ids: list[int]) -> dict[int, list[Document]]:
    rows = call.db.all(
        """select * from membership where account_id {in_ids}
            and (:all = 1 or board_id in
                (select board_id from membership where account_id = :person))
        order by board_id""",
        ids=ids,
        all=int(call.user.is_administrator),
        person=call.user.id,
    )
    listed = call.db.select("board", id=sorted({row["board_id"] for row in rows}))
    boards = {board["id"]: board for board in board_documents(call, listed)()}
    return grouped(
        rows,
        "account_id",
        lambda row: boards[row["board_id"]] | {"pivot": membership_document(row)},
    )
