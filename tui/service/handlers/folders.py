"""Folders that group boards (4.8).

A board is in one folder at most. All users see all folders, each with the boards they may see;
administrators of the service change them.
"""

from collections.abc import Sequence

from tui.schema.base import DONE, filled
from tui.schema.boards import Folder
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row, Written
from tui.service.errors import forbidden, missing
from tui.service.lookups import board_of
from tui.service.requests.body import required
from tui.service.tables.changes import record, touch

_LONGEST_TITLE = 50


@answers({"folders": list[Folder]})
def list_folders(call: Call) -> Document:
    """GET /admin/folders: by title, with the boards in them that the caller may see."""
    rows = call.db.select("folder", "lower(title), id")
    return {"folders": _documents(call, rows)}


@answers({"folder": Folder} | DONE, refuses=(403,))
def create_folder(
    call: Call, title: str = required("title", values.title_of(_LONGEST_TITLE))
) -> Document:
    """POST /admin/folders: form field `title`. Raises 403, 422."""
    _require_administrator(call)
    row = call.add("folder", title=title, created_by=call.user.id)
    return {"message": "Folder has been created", "folder": _documents(call, [row])[0]}


@answers({"folder": Folder} | DONE, refuses=(403,))
def rename_folder(
    call: Call, title: str = required("title", values.title_of(_LONGEST_TITLE))
) -> Document:
    """PUT /admin/folders/{folder_id}: form field `title`. Raises 403, 404, 422."""
    folder = _folder_to_change(call)
    row = call.change("folder", folder["id"], title=title)
    for board_id in _boards_in(call, folder["id"]):
        _note(call, board_id, folder["title"], title)
    return {"message": "Folder has been updated", "folder": _documents(call, [row])[0]}


@answers(DONE, refuses=(403,))
def delete_folder(call: Call) -> Document:
    """DELETE /admin/folders/{folder_id}: its boards stay, in no folder. Raises 403, 404."""
    folder = _folder_to_change(call)
    for board_id in _boards_in(call, folder["id"]):
        _note(call, board_id, folder["title"], None)
    call.db.delete("folder", id=folder["id"])
    return {"message": "Folder has been deleted"}


@answers(DONE, refuses=(403,))
def add_boards(call: Call, board_ids: list[int] = required("board_ids", values.ids)) -> Document:
    """POST /admin/folders/{folder_id}/add-board: `board_ids` go into this folder.

    A board leaves the folder it was in. Boards that are not named stay where they are. Raises 403,
    404 for the folder or a board, 422.
    """
    folder = _folder_to_change(call)
    for board_id in board_ids:
        board_of(call, board_id)
        put_into_folder(call, board_id, folder["id"])
    return {"message": "Boards have been added to the folder"}


@answers(DONE, refuses=(403,))
def remove_board(
    call: Call, board_id: int = required("board_id", values.identifier("board"))
) -> Document:
    """POST /admin/folders/{folder_id}/remove-board: form field `board_id`.

    A board that is not in the folder is as good as removed. Raises 403, 404, 422.
    """
    folder = _folder_to_change(call)
    board_of(call, board_id)
    if call.db.delete("folder_board", board_id=board_id, folder_id=folder["id"]):
        _note(call, board_id, folder["title"], None)
    return {"message": "Board has been removed from the folder"}


def put_into_folder(call: Call, board_id: int, folder_id: int) -> None:
    """Move a board into a folder. Raises 404 for the folder."""
    folder = _folder(call, folder_id)
    row = call.db.find("folder_board", board_id=board_id)
    previous = None if row is None else _folder(call, row["folder_id"])
    if previous is not None and previous["id"] == folder_id:
        return
    call.db.delete("folder_board", board_id=board_id)
    call.db.insert("folder_board", board_id=board_id, folder_id=folder_id)
    _note(call, board_id, None if previous is None else previous["title"], folder["title"])


def folder_mapping(call: Call, board_ids: list[int]) -> list[Document]:
    """The folders of these boards, for the list of boards."""
    rows = call.db.select("folder_board", "board_id", board_id=board_ids)
    return [{"board_id": row["board_id"], "folder_id": row["folder_id"]} for row in rows]


def _require_administrator(call: Call) -> None:
    if not call.user.is_administrator:
        raise forbidden("Only an administrator may change folders.")


def _folder_to_change(call: Call) -> Row:
    _require_administrator(call)
    return _folder(call, call.ids["folder_id"])


def _folder(call: Call, folder_id: int) -> Row:
    row = call.db.find("folder", id=folder_id)
    if row is None:
        raise missing("folder")
    return row


def _boards_in(call: Call, folder_id: int) -> list[int]:
    rows = call.db.select("folder_board", "board_id", folder_id=folder_id)
    return [row["board_id"] for row in rows]


def _note(call: Call, board_id: int, old: str | None, new: str | None) -> None:
    record(call, "changed", "folder", board_id=board_id, old=old, new=new)
    touch(call, board_id)


def _documents(call: Call, rows: Sequence[Written]) -> list[Document]:
    inside = call.db.all(
        """select * from folder_board where :all = 1
            or board_id in (select board_id from membership where account_id = :person)
        order by board_id""",
        all=int(call.user.is_administrator),
        person=call.user.id,
    )
    return [
        filled(
            Folder,
            row,
            boards_ids=[link["board_id"] for link in inside if link["folder_id"] == row["id"]],
        )
        for row in rows
    ]
