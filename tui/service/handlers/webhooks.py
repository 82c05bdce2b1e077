"""Webhooks: addresses that create tasks (4.10), and the fields they accept (2.13).

Admins of a webhook's board create, see and delete it; its key is random, and anybody who has it can
create tasks until the webhook is deleted.
"""

import uuid
from urllib.parse import urlencode

from tui.service import values
from tui.service.accounts.accounts import Role, manages_any, role_on
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.errors import forbidden, missing
from tui.service.lookups import board_of, stage_of
from tui.service.records.base import DONE, filled
from tui.service.records.boards import Webhook, WebhookField, WebhookValue
from tui.service.requests.body import query, required
from tui.service.tables.activity import record
from tui.service.tables.changes import touch

MARKER, ROUTE, HASH = "callboard", "route", "hash"
"""The names in the query of a webhook's address."""

_FIELDS: tuple[tuple[str, str, str, str], ...] = (
    ("title", "Title", "text", "What the task is called."),
    (
        "stage",
        "Stage",
        "int|text",
        "A stage of the board by id, title or slug; else the webhook's.",
    ),
    ("parent_id", "Parent task", "int", "The id of the task that this is a subtask of."),
    ("status", "Status", "text", "open or closed."),
    ("description", "Description", "textarea", "What the task is about; may be HTML."),
    ("priority", "Priority", "text", "low, medium or high."),
    ("due_at", "Due date", "date", "YYYY-MM-DD hh:mm, on the site's clock."),
    ("started_at", "Start date", "date", "YYYY-MM-DD."),
    ("source", "Source", "text", "Where the task comes from, such as the name of a program."),
    ("source_id", "Source id", "text|int", "What the task is called there."),
    ("crm_contact_id", "Contact id", "int", "The id of a contact in a CRM."),
    ("contact_email", "Contact e-mail", "text", "The e-mail address of a contact."),
    ("contact_first_name", "Contact first name", "text", "The first name of a contact."),
    ("contact_last_name", "Contact last name", "text", "The last name of a contact."),
    ("labels", "Labels", "text|int", "A list of labels of the board by id or title."),
    ("assignees", "Assignees", "int", "A list of ids of members of the board."),
)
_FIELD_DOCUMENTS = [
    {
        "key": key,
        "field": {
            "field": name,
            "type": kind,
            "rules": "required" if key == "title" else "optional",
            "description": description,
        },
    }
    for key, name, kind, description in _FIELDS
]
_NAME_LIMIT = 200


@answers({"webhooks": list[Webhook], "fields": list[WebhookField]}, refuses=(403,))
def list_webhooks(call: Call, search: str = query("search", values.line, "")) -> Document:
    """GET /webhooks: those of the boards that the caller is an admin of, newest last.

    `search` keeps those whose name holds it. Raises 403 for somebody who is no admin anywhere.
    """
    _require_admin_somewhere(call)
    return {"webhooks": _documents(call, search), "fields": _FIELD_DOCUMENTS}


@answers(
    {"id": int, "webhook": WebhookValue, "webhooks": list[Webhook]} | DONE,
    refuses=(403, 404),
)
def create_webhook(
    call: Call,
    name: str = required("name", values.title_of(_NAME_LIMIT)),
    board_id: int = required("board", values.identifier("board")),
    stage_id: int = required("stage", values.identifier("stage")),
) -> Document:
    """POST /webhooks: `name`, `board` and `stage`. Raises 403, 404, 422."""
    board = board_of(call, board_id)
    _require_admin(call, board["id"])
    stage = stage_of(call, stage_id, board["id"])
    row = call.add(
        "webhook",
        board_id=board["id"],
        stage_id=stage["id"],
        name=name,
        hash=str(uuid.uuid4()),
        created_by=call.user.id,
    )
    record(call, "created", "webhook", board_id=board["id"], new=name)
    touch(call, board["id"])
    document = _document(call, row)
    return {
        "id": document["id"],
        "webhook": document["value"],
        "webhooks": _documents(call),
        "message": "Successfully Created the WebHook",
    }


@answers({"webhooks": list[Webhook]} | DONE, refuses=(403,))
def delete_webhook(call: Call) -> Document:
    """DELETE /webhooks/{id}: its address makes no more tasks. Raises 403, 404."""
    row = call.db.find("webhook", id=call.ids["id"])
    if row is None:
        _require_admin_somewhere(call)
        raise missing("webhook")
    _require_admin(call, row["board_id"])
    call.db.delete("webhook", id=row["id"])
    record(call, "deleted", "webhook", board_id=row["board_id"], old=row["name"])
    touch(call, row["board_id"])
    return {"webhooks": _documents(call), "message": "Successfully deleted the webhook"}


def _require_admin(call: Call, board_id: int) -> None:
    if role_on(call.db, board_id, call.user) is not Role.ADMIN:
        raise forbidden()


def _require_admin_somewhere(call: Call) -> None:
    if not manages_any(call.db, call.user):
        raise forbidden("Only an admin of a board may see webhooks.")


def _documents(call: Call, search: str = "") -> list[Document]:
    rows = call.db.all(
        """select * from webhook where :all = 1 or board_id in (
            select board_id from membership where account_id = :person and role = :admin)
        order by id""",
        all=int(call.user.is_administrator),
        person=call.user.id,
        admin=Role.ADMIN.word,
    )
    term = search.casefold()
    return [_document(call, row) for row in rows if term in row["name"].casefold()]


def _document(call: Call, row: Row) -> Document:
    """The record of a webhook (2.13); board and stage are text, as there.

    Its address is at the root of the host of the base URL.
    """
    host = call.service.base_url.rpartition("/")[0]
    address = urlencode({MARKER: 1, ROUTE: "task", HASH: row["hash"]})
    value = {
        "name": row["name"],
        "board": str(row["board_id"]),
        "stage": str(row["stage_id"]),
        "url": f"{host}/?{address}",
    }
    return filled(Webhook, row, object_id=None, object_type="webhook", key=row["hash"], value=value)
