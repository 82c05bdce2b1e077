"""Everybody who may use the service, across boards (4.9).

Only administrators see all people with all their boards; who manages a board may search for people
to add to it, and learns of them only what the boards they share say.
"""

from collections import defaultdict

from tui.service import values
from tui.service.accounts.accounts import manages_any, role_on, user_document
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import board_documents
from tui.service.errors import forbidden
from tui.service.handlers.members import pivot, remove_member
from tui.service.lookups import board_of
from tui.service.records.base import DONE
from tui.service.records.boards import BoardName, FoundUser, Person
from tui.service.requests.body import optional, required
from tui.service.tables.changes import touch

_MOST_FOUND = 100


@answers({"users": list[Person], "boards": list[BoardName]}, refuses=(403,))
def list_people(call: Call) -> Document:
    """GET /service-users: everybody with their boards, and all boards; administrators only.

    Raises 403.
    """
    if not call.user.is_administrator:
        raise forbidden("Only an administrator may see everybody.")
    boards: dict[int, list[Document]] = defaultdict(list)
    for row in _memberships(call):
        boards[row["account_id"]].append(
            {"id": row["board_id"], "title": row["title"], "role": row["role"]}
        )
    everybody = _everybody(call)
    listed = board_documents(call, call.db.all("select * from board order by lower(title), id"))
    shown = ("id", "title", "meta", "isUserOnlyViewer")
    return {
        "users": [_person(row) | {"boards": boards[row["id"]]} for row in everybody],
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
    everybody = _everybody(call)
    found = [row for row in everybody if term and term in row["display_name"].casefold()]
    found = found[:_MOST_FOUND]
    boards = _shared_boards(call, [row["id"] for row in found])
    return [
        user_document(row, call.user) | _standing(row) | {"which_boards": boards[row["id"]]}
        for row in found
    ]


@answers(DONE, refuses=(403, 404, 409))
def remove_from_board(
    call: Call,
    board_id: int = required("boardId", values.identifier("board")),
    person_id: int = required("userId", values.identifier("user")),
) -> Document:
    """DELETE /remove-user-from-board: `userId` leaves `boardId`; see `members.remove_member`.

    Raises 403, 404, 409 for the last admin, 422.
    """
    board_of(call, board_id)
    if role_on(call.db, board_id, call.user) is None:
        raise forbidden()
    answer = remove_member(call.on_board(board_id, user_id=person_id))
    touch(call, board_id)
    return answer


def _everybody(call: Call) -> list[Row]:
    """Everybody whose account was not removed, by name."""
    return call.db.select("account", "lower(display_name), id", removed_at=None)


def _memberships(call: Call) -> list[Row]:
    return call.db.all(
        """select membership.*, board.title
        from membership join board on board.id = membership.board_id order by board.id"""
    )


def _shared_boards(call: Call, ids: list[int]) -> dict[int, list[Document]]:
    """The boards of people that the caller may see, each with its pivot, by person."""
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
    boards = {board["id"]: board for board in board_documents(call, listed)}
    found: dict[int, list[Document]] = defaultdict(list)
    for row in rows:
        found[row["account_id"]].append(boards[row["board_id"]] | {"pivot": pivot(row)})
    return found


def _person(row: Row) -> Document:
    return {
        "ID": row["id"],
        "display_name": row["display_name"],
        "photo": "",
        "email": row["email"],
        **_standing(row),
    }


def _standing(row: Row) -> Document:
    """Whether somebody is an administrator of the service, in both of the interface's words."""
    is_administrator = bool(row["is_administrator"])
    return {"is_super": is_administrator, "is_wpadmin": is_administrator}
