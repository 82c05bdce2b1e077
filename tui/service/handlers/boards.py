"""Boards: list, read, create, change, archive, restore, delete (4.1).

A person sees the boards they are a member of, an administrator all. A new board is ready for work:
it has stages, labels and its creator as admin.
"""

import json
from typing import Literal

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.documents.boards import (
    BACKGROUNDS,
    DARK_TEXT,
    DEFAULT_LABELS,
    LABEL_COLORS,
    board_document,
    full_board_document,
    listed_board_documents,
    stage_documents,
)
from tui.service.documents.pages import envelope, window
from tui.service.errors import invalid
from tui.service.handlers.folders import folder_mapping, put_into_folder
from tui.service.lookups import board_of
from tui.service.records.base import DONE, Line, Page, Paged
from tui.service.records.boards import Board, FolderOfBoard, Stage
from tui.service.requests.body import Body, Fields, optional, part, required
from tui.service.tables.activity import record
from tui.service.tables.changes import synced_at
from tui.service.values import slug

_PAGE = 10
_TO_DO_STAGES = (("Open", "open"), ("In Progress", "open"), ("Completed", "closed"))
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


class _BoardQuery(Paged, total=False):
    search: Line
    option: Literal["active", "archived"]
    type: Literal["to-do", "roadmap"]
    order_by: Literal["id", "title", "created_at"]
    order_type: Literal["ASC", "DESC"]


@answers({"boards": Page[Board], "folder_mapping": list[FolderOfBoard]}, query=_BoardQuery)
def list_boards(call: Call) -> Document:
    """GET /projects: a page of the caller's boards; `option=archived` lists archived ones."""
    part = window(call, _PAGE)
    search = call.query.get("search", "").strip()
    escaped = search.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    params = {
        "archived": _choice(call, "option", "active", ("active", "archived")) == "archived",
        "type": _choice(call, "type", "", ("", "to-do", "roadmap")),
        "search": search,
        "pattern": f"%{escaped}%",
        "all": int(call.user.is_administrator),
        "person": call.user.id,
    }
    column = _ORDERS[_choice(call, "order_by", "id", tuple(_ORDERS))]
    direction = _choice(call, "order_type", "DESC", ("ASC", "DESC"))
    rows = call.db.all(
        " ".join(
            (
                "select *",
                _LISTED,
                "order by",
                f"{column} {direction}, id {direction}",
                "limit :size offset :offset",
            )
        ),
        **params,
        size=part.size,
        offset=part.offset,
    )
    total = call.db.value("select count(*) " + _LISTED, **params)
    records = listed_board_documents(call, rows)
    return {
        "boards": envelope(call, part, records, total),
        "folder_mapping": folder_mapping(call, [row["id"] for row in rows]),
    }


def _choice(call: Call, name: str, default: str, words: tuple[str, ...]) -> str:
    """A word of the query; upper and lower case are one where the words are upper case."""
    given = call.query.get(name, "").strip() or default
    for word in words:
        if given.lower() == word.lower():
            return word
    raise invalid(name, f"must be one of: {', '.join(word for word in words if word)}")


@answers({"board": Board, "synced_at": str})
def get_board(call: Call) -> Document:
    """GET /projects/{board_id}: everything about a board but its tasks, archived boards too."""
    return {"board": full_board_document(call, board_of(call)), "synced_at": synced_at(call)}


@values.takes(type="object", properties={"color": values.color.schema})
def _background(field: str, value: object) -> Document:
    """A background in the colour that was sent, or in the service's first."""
    sent = Body(values.settings(field, value), f"{field}.")
    color = sent.optional("color", values.color, BACKGROUNDS["solid_1"])
    name = next((key for key, known in BACKGROUNDS.items() if known == color), "solid_custom")
    return {"id": name, "is_image": False, "image_url": None, "color": color}


@values.takes(type="array", items={})
def _stage_list(field: str, value: object) -> list[str]:
    """Titles of stages, as text or as objects with a title."""
    if not isinstance(value, list) or len(value) > _MOST_STAGES:
        raise invalid(field, f"must be a list of at most {_MOST_STAGES} stages")
    return [
        values.title(f"{field}.{number}", item.get("title") if isinstance(item, dict) else item)
        for number, item in enumerate(value)
    ]


class _NewBoard(Fields):
    title = required("title", values.title)
    kind = required("type", values.one_of("to-do", "roadmap"))
    description = optional("description", values.html, "")
    currency = optional("currency", values.line, "USD")
    background = optional("background", _background, _background("background", {}))


class _CreateBoard(Fields):
    board = part("board", _NewBoard)
    stages = optional("stages", _stage_list)
    folder_id = optional("folder_id", values.identifier("folder"))


@answers({"board": Board} | DONE, _CreateBoard, refuses=(404,))
def create_board(call: Call, asked: _CreateBoard) -> Document:
    """POST /projects: a board with default labels, and stages unless a roadmap brings its own.

    `folder_id` puts it into a folder. Raises 422 when `board.title` or `board.type` is missing or
    wrong, 404 for the folder.
    """
    board = asked.board
    title, kind = board.title, board.kind
    titles = _stages(kind, asked.stages)
    folder_id = asked.folder_id
    row = call.add(
        "board",
        title=title,
        description=board.description,
        type=kind,
        currency=board.currency,
        background=json.dumps(board.background),
        created_by=call.user.id,
        changed_at=call.stamp,
    )
    board_id = row["id"]
    add_admin(call, board_id)
    if folder_id is not None:
        put_into_folder(call, board_id, folder_id)
    _add_stages(call, board_id, titles)
    add_default_labels(call, board_id)
    record(call, "created", "board", board_id=board_id, new=title)
    stages = stage_documents(call.db, [board_id])[board_id]
    document = board_document(call, row) | {"stages": stages}
    return {"message": "Board has been created", "board": document}


def _stages(kind: str, sent: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Title and default status of the stages a new board begins with."""
    if kind == "to-do" or not sent:
        return _TO_DO_STAGES
    return tuple((title, "open") for title in sent)


def _add_stages(call: Call, board_id: int, stages: tuple[tuple[str, str], ...]) -> None:
    call.db.many(
        """insert into stage (board_id, title, slug, position, settings, created_by, created_at,
            updated_at)
        values (:board, :title, :slug, :position, :settings, :by, :now, :now)""",
        [
            {
                "board": board_id,
                "title": title,
                "slug": slug(title),
                "position": place,
                "settings": json.dumps(
                    {"default_task_status": status, "default_task_assignees": []}
                ),
                "by": call.user.id,
                "now": call.stamp,
            }
            for place, (title, status) in enumerate(stages, start=1)
        ],
    )


def add_admin(call: Call, board_id: int) -> None:
    """Make the caller the admin of a board that has just been made."""
    call.db.insert(
        "membership",
        board_id=board_id,
        account_id=call.user.id,
        role="admin",
        created_at=call.stamp,
    )


def add_default_labels(call: Call, board_id: int) -> None:
    """Give a board that has just been made the labels that every board begins with."""
    call.db.many(
        """insert into label (board_id, title, slug, position, color, bg_color, created_at,
            updated_at)
        values (:board, null, :name, :position, :color, :bg_color, :now, :now)""",
        [
            {
                "board": board_id,
                "name": name,
                "position": place,
                "color": DARK_TEXT,
                "bg_color": LABEL_COLORS[name],
                "now": call.stamp,
            }
            for place, name in enumerate(DEFAULT_LABELS, start=1)
        ],
    )


class _UpdateBoard(Fields):
    title = required("title", values.title)
    description = optional("description", values.html)


@answers({"board": Board, "stages": list[Stage]} | DONE, _UpdateBoard)
def update_board(call: Call, asked: _UpdateBoard) -> Document:
    """PUT /projects/{board_id}: a new title, and a new description if one is sent."""
    row = board_of(call)
    title, description = asked.title, asked.description
    if description is None:
        description = row["description"]
    changed = call.change("board", row["id"], title=title, description=description)
    if title != row["title"]:
        record(call, "changed", "title", old=row["title"], new=title)
    if description != row["description"]:
        record(call, "changed", "description", old=row["description"], new=description)
    return {
        "message": "Board has been updated",
        "board": board_document(call, changed),
        "stages": stage_documents(call.db, [row["id"]])[row["id"]],
    }


@answers({"board": Board} | DONE)
def archive_board(call: Call) -> Document:
    """PUT /projects/{board_id}/archive-board: one that is archived already keeps its time."""
    row = board_of(call)
    if row["archived_at"] is None:
        row = call.change("board", row["id"], archived_at=call.wall)
        record(call, "archived", "board")
    return {"board": board_document(call, row), "message": "Board has been archived"}


@answers({"board": Board} | DONE)
def restore_board(call: Call) -> Document:
    """PUT /projects/{board_id}/restore-board."""
    row = board_of(call)
    if row["archived_at"] is not None:
        row = call.change("board", row["id"], archived_at=None)
        record(call, "restored", "board")
    return {"board": board_document(call, row), "message": "Board has been restored"}


@answers(DONE)
def delete_board(call: Call) -> Document:
    """DELETE /projects/{board_id}: for good, with everything on it."""
    call.db.run("delete from board where id = :board", board=call.board_id)
    return {"message": "Board has been deleted"}
