"""Boards: list, read, create, change, archive, restore, delete (4.1).

A user sees the boards they are a member of, an administrator all. A new board has stages, labels
and its creator as admin.
"""

import json

from tui.schema.base import DONE, Page
from tui.schema.boards import Board, FolderOfBoard, Stage
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import LARGEST_STEP, Written
from tui.service.database.change_counts import synced_at
from tui.service.documents.boards import (
    BACKGROUNDS,
    board_document,
    full_board_document,
    listed_board_documents,
    stage_documents,
)
from tui.service.documents.pages import Window, page_of, pages
from tui.service.errors import invalid
from tui.service.handlers.folders import folder_mapping, put_into_folder
from tui.service.handlers.stages import add_stage
from tui.service.lookups import board_of
from tui.service.requests.body import optional, query, required
from tui.service.tables.changes import record
from tui.service.tables.loose_boards import mark_loose, remove_loose
from tui.service.values import Reader

_TO_DO_STAGES = [("Open", "open"), ("In Progress", "open"), ("Completed", "closed")]
_MOST_STAGES = 100
_ORDERS = {
    "id": "id",
    "title": "lower(title)",
    "created_at": "created_at",
}
_LISTED = """from board
    where (archived_at is not null) = :archived
        and (:type = '' or type = :type)
        and (:search = '' or title {ilike} :pattern escape '\\')
        and (:all = 1 or id in (select board_id from membership where account_id = :person))"""


def _word_of(*words: str) -> Reader[str]:
    @values.takes(type="string", enum=list(words))
    def read(field: str, value: object) -> str:
        for word in words:
            if str(value).lower() == word.lower():
                return word
        raise invalid(field, f"must be one of: {', '.join(words)}")

    return read


@answers({"boards": Page[Board], "folder_mapping": list[FolderOfBoard]})
def list_boards(
    call: Call,
    part: Window = pages(10),
    search: str = query("search", values.words, ""),
    option: str = query("option", _word_of("active", "archived"), "active"),
    kind: str = query("type", _word_of("to-do", "roadmap"), ""),
    order_by: str = query("order_by", _word_of(*_ORDERS), "id"),
    direction: str = query("order_type", _word_of("ASC", "DESC"), "DESC"),
) -> Document:
    """GET /projects: a page of the caller's boards; `option=archived` lists archived ones."""
    # `%` and `_` in a search are characters, not wildcards.
    escaped = search.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    boards = page_of(
        call,
        part,
        _LISTED,
        f"{_ORDERS[order_by]} {direction}, id {direction}",
        listed_board_documents,
        archived=option == "archived",
        type=kind,
        search=search,
        pattern=f"%{escaped}%",
        all=int(call.user.is_administrator),
        person=call.user.id,
    )
    mapping = folder_mapping(call, [board["id"] for board in boards["data"]])
    return {"boards": boards, "folder_mapping": mapping}


@answers({"board": Board, "synced_at": str})
def get_board(call: Call) -> Document:
    """GET /projects/{board_id}: everything about a board but its tasks, archived boards too."""
    board = board_of(call)
    return {
        "board": full_board_document(call, board)(),
        "synced_at": synced_at(call.wall, board["change_count"]),
    }


@values.takes(type="object", properties={"color": values.color.schema})
def _background(field: str, value: object) -> Document:
    sent = values.settings(field, value).get("color")
    color = BACKGROUNDS["solid_1"] if sent is None else values.color(f"{field}.color", sent)
    name = next((key for key, value in BACKGROUNDS.items() if value == color), "solid_custom")
    return {"id": name, "is_image": False, "image_url": None, "color": color}


_PLAIN = _background("background", {})


@values.takes(type="array", items={})
def _stage_list(field: str, value: object) -> list[str]:
    if not isinstance(value, list) or len(value) > _MOST_STAGES:
        raise invalid(field, f"must be a list of at most {_MOST_STAGES} stages")
    return [
        values.title(f"{field}.{number}", item.get("title") if isinstance(item, dict) else item)
        for number, item in enumerate(value)
    ]


@answers({"board": Board} | DONE, refuses=(404,))
def create_board(
    call: Call,
    title: str = required("board.title", values.title),
    kind: str = required("board.type", values.one_of("to-do", "roadmap")),
    description: str = optional("board.description", values.html, ""),
    currency: str = optional("board.currency", values.line, "USD"),
    background: Document = optional("board.background", _background, _PLAIN),
    stages: list[str] | None = optional("stages", _stage_list),
    folder_id: int | None = optional("folder_id", values.identifier("folder")),
) -> Document:
    """POST /projects: a board with stages, unless a roadmap brings its own.

    `folder_id` puts it into a folder. Raises 422 when `board.title` or `board.type` is missing or
    wrong, 404 for the folder.
    """
    row = call.add(
        "board",
        title=title,
        description=description,
        type=kind,
        currency=currency,
        background=json.dumps(background),
        created_by=call.user.id,
        changed_at=call.stamp,
    )
    board_id = row["id"]
    add_admin(call, board_id)
    if folder_id is not None:
        put_into_folder(call, board_id, folder_id)
    own = [] if kind == "to-do" or not stages else [(stage, "open") for stage in stages]
    for place, (name, status) in enumerate(own or _TO_DO_STAGES, start=1):
        add_stage(call, board_id, name, position=place, status=status)
    record(call, "created", "board", board_id=board_id, new=title)
    document, stages_of = board_document(call, row), stage_documents(call.db, [board_id])
    return {
        "message": "Board has been created",
        "board": document() | {"stages": stages_of()[board_id]},
    }


def add_admin(call: Call, board_id: int) -> None:
    """Make the caller the admin of a board that has just been made."""
    call.db.insert(
        "membership",
        board_id=board_id,
        account_id=call.user.id,
        role="admin",
        created_at=call.stamp,
    )


@answers({"board": Board, "stages": list[Stage]} | DONE)
def update_board(
    call: Call,
    title: str = required("title", values.title),
    description: str | None = optional("description", values.html),
) -> Document:
    """PUT /projects/{board_id}: a new title, and a new description if one is sent."""
    row = board_of(call)
    if description is None:
        description = row["description"]
    changed = call.change("board", row["id"], title=title, description=description)
    if title != row["title"]:
        record(call, "changed", "title", old=row["title"], new=title)
    if description != row["description"]:
        record(call, "changed", "description", old=row["description"], new=description)
    document, stages = board_document(call, changed), stage_documents(call.db, [row["id"]])
    return {
        "message": "Board has been updated",
        "board": document(),
        "stages": stages()[row["id"]],
    }


@answers({"board": Board} | DONE)
def archive_board(call: Call) -> Document:
    """PUT /projects/{board_id}/archive-board: one that is archived already keeps its time."""
    row: Written = board_of(call)
    if row["archived_at"] is None:
        row = call.change("board", row["id"], archived_at=call.wall)
        record(call, "archived", "board")
    return {"board": board_document(call, row)(), "message": "Board has been archived"}


@answers({"board": Board} | DONE)
def restore_board(call: Call) -> Document:
    """PUT /projects/{board_id}/restore-board."""
    row: Written = board_of(call)
    if row["archived_at"] is not None:
        row = call.change("board", row["id"], archived_at=None)
        record(call, "restored", "board")
    return {"board": board_document(call, row)(), "message": "Board has been restored"}


@answers(DONE)
def delete_board(call: Call) -> Document:
    """DELETE /projects/{board_id}: for good, with everything on it."""
    parts = call.db.value(
        """select (select count(*) from task where board_id = :board)
            + (select count(*) from activity where board_id = :board)""",
        board=call.board_id,
    )
    # Deleting a board cascades, which keeps all other writers out for as long as it takes.
    if parts <= LARGEST_STEP:
        call.db.delete("board", id=call.board_id)
    else:
        _delete_later(call)
    return {"message": "Board has been deleted"}


def _delete_later(call: Call) -> None:
    # Without members nobody but an administrator sees it, and without webhooks nothing is added.
    database, board_id = call.service.database, call.board_id
    mark_loose(call.db, board_id, call.now)
    for table in ("membership", "folder_board", "webhook"):
        call.db.delete(table, board_id=board_id)
    call.db.after_commit.append(lambda: remove_loose(database, board_id))
