"""Webhooks: addresses that create tasks (4.10, 6.1), and the fields they accept (2.13).

Admins of a webhook's board create, see and delete it; its key is random, and anybody who has it can
create tasks until the webhook is deleted.

The key is the only credential of an address /?callboard=1&route=task&hash=KEY, so a request can
only create one task, and learns nothing about the board. The reply is 200 with `{"success", "data":
{"message", "type"}}`, also for an error; the fields may come as a form, a query string or JSON. A
task with an invalid field is refused by the field's name, so that mistakes are found in the sending
program. The task is created in the name of the webhook's creator.
"""

import json
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tui.schema.base import DONE, filled
from tui.schema.boards import Webhook, WebhookField, WebhookValue
from tui.service import values
from tui.service.accounts.accounts import BoardRole, Caller, account, manages_any, role_on
from tui.service.accounts.auth import KeyThrottle
from tui.service.call import Call, Document, Service, answers
from tui.service.database.base import Row, Rows, Transaction, Written
from tui.service.documents.boards import stage_settings
from tui.service.errors import ServiceError, conflict, forbidden, invalid, missing, no_route
from tui.service.handlers.subtasks import default_group, position_in
from tui.service.handlers.tasks import add_task
from tui.service.lookups import board_of, parent_of, refuse_archived, stage_of
from tui.service.requests.body import Body, query, required
from tui.service.requests.forms import media_type, parse_form
from tui.service.requests.replies import guarded, json_reply, read_body
from tui.service.tables.changes import note, record, touch
from tui.service.tables.positions import in_stage
from tui.service.tables.tasks import insert_task, member_names, set_assignees

MARKER, ROUTE, HASH = "callboard", "route", "hash"
"""The names in the query of a webhook's address."""

_FIELDS: tuple[tuple[str, str, str, str], ...] = (
    ("title", "Title", "text", "What the task is called."),
    (
        "stage",
        "Stage",
        "int|text",
        "A stage of the board by id, title or slug; else the webhook’s.",
    ),
    ("parent_id", "Parent task", "int", "The id of the task that this is a subtask of."),
    ("status", "Status", "text", "open or closed."),
    ("description", "Description", "textarea", "What the task is about; may be HTML."),
    ("priority", "Priority", "text", "low, medium or high."),
    ("due_at", "Due date", "date", "YYYY-MM-DD hh:mm, on the site’s clock."),
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
_WRONG_KEY = "invalid_webhook_hash"
_NAME_LIMIT = 200
_CONTACT = ("contact_email", "contact_first_name", "contact_last_name")
_MOST_ITEMS = 1_000
_LIST_LIMIT = 100_000


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
    if role_on(call.db, board_id, call.user) is not BoardRole.ADMIN:
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
        admin=BoardRole.ADMIN.word,
    )
    term = search.casefold()
    return [_document(call, row) for row in rows if term in row["name"].casefold()]


def _document(call: Call, row: Written) -> Document:
    # Board and stage are text, as in 2.13. The address is at the root of the host of the base URL.
    host = call.service.base_url.rpartition("/")[0]
    address = urlencode({MARKER: 1, ROUTE: "task", HASH: row["hash"]})
    value = {
        "name": row["name"],
        "board": str(row["board_id"]),
        "stage": str(row["stage_id"]),
        "url": f"{host}/?{address}",
    }
    return filled(Webhook, row, object_id=None, object_type="webhook", key=row["hash"], value=value)


def webhook_route(service: Service, throttle: KeyThrottle | None = None) -> Route:
    """POST / with the marker, the route and the key in the query.

    GET explains that it is refused. `throttle` limits guessing of keys.
    """

    async def answer(request: Request) -> Response:
        query = request.query_params
        if query.get(MARKER) != "1" or query.get(ROUTE) != "task":
            raise no_route()
        if request.method != "POST":
            return json_reply(_refusal("invalid_request_method", "The webhook takes POST only."))
        key, address = query.get(HASH, ""), request.client.host if request.client else ""
        try:
            if throttle is not None:
                throttle.check(key, address)
            # Before the body is read, so that a wrong key costs little.
            await run_in_threadpool(_check_key, service, key)
        except ServiceError as refusal:
            if throttle is not None and refusal.code == _WRONG_KEY:
                throttle.missed(key, address)
            return _refused(refusal)
        if throttle is not None:
            throttle.succeeded(key)
        raw = await read_body(request)
        try:
            # The board is only known from the webhook, which is read in the transaction.
            async with service.turns.taken(None):
                return json_reply(await run_in_threadpool(_receive, service, request, raw))
        except ServiceError as refusal:
            return _refused(refusal)

    return Route("/", guarded("webhook", answer), methods=["GET", "POST"])


def _check_key(service: Service, key: str) -> None:
    with service.database.transaction(writing=False) as db:
        _hook(db, key)


def _hook(db: Transaction, key: str) -> tuple[Row, Caller]:
    hook = db.find("webhook", hash=key)
    if hook is None:
        raise ServiceError(404, _WRONG_KEY, "There is no webhook with this hash.")
    maker = account(db.select("account", id=hook["created_by"])[0])
    role = role_on(db, hook["board_id"], maker)
    if role is None or role < BoardRole.MEMBER:
        raise ServiceError(
            403,
            "webhook_owner_lost_access",
            "The creator of this webhook may no longer add tasks to its board. "
            "An admin of the board can create a new webhook.",
        )
    return hook, maker


def _receive(service: Service, request: Request, raw: bytes) -> Document:
    sent = Body.parse(raw, media_type(request.headers.get("content-type", ""))).values
    fields = {**parse_form(request.url.query.encode()), **sent}
    # A blank field of a form counts as missing.
    body = Body({name: value for name, value in fields.items() if value != "" or name == "title"})

    def make(db: Transaction) -> int:
        # Again: the webhook may have been deleted since its key was checked.
        hook, maker = _hook(db, request.query_params.get(HASH, ""))
        ids = {"board_id": hook["board_id"]}
        call = Call(service, db, maker, service.site.now(), ids, body=body)
        task_id = make_task(call, hook)
        touch(call, hook["board_id"])
        return task_id

    task_id = service.database.settled(make, writing=True)
    return {
        "success": True,
        "data": {"message": "Task has been created", "type": "task_created", "task_id": task_id},
    }


def _refused(refusal: ServiceError) -> Response:
    return json_reply(_refusal(refusal.code, refusal.message), headers=refusal.headers)


def _refusal(kind: str, message: str) -> Document:
    # This address has a reply format of its own.
    return {"success": False, "data": {"message": message, "type": kind}}


def make_task(call: Call, hook: Row) -> int:
    """Create a task on the webhook's board from the body; returns its id.

    With `parent_id` it is a subtask in the parent's default group and has no stage. Contact fields
    are stored in the task's meta. Raises 404, 409 if the board, stage or parent is archived, 422
    naming the field.
    """
    body = call.body
    if board_of(call)["archived_at"] is not None:
        raise conflict("board_archived", "The board of the webhook is archived.")
    columns = _columns(call, body)
    labels = _labels(call, body.optional("labels", _items, []))
    members = member_names(call, call.board_id)
    assignees = body.optional("assignees", _people, list[int]())
    parent_id = body.optional("parent_id", values.identifier("task"), 0)
    if parent_id:
        task_id = _add_subtask(call, columns, parent_id)
        defaults: list[int] = []
    else:
        stage = _stage(call, hook, body)
        settings = stage_settings(stage)
        if settings["default_task_status"] == "closed":
            columns |= {"status": "closed", "last_completed_at": call.wall}
        free = in_stage(call.db, stage["id"]).place(None)
        task_id = add_task(call, stage, free, columns)
        defaults = settings["default_task_assignees"]
    call.db.insert_all(
        "task_label",
        [{"task_id": task_id, "label_id": label, "created_at": call.stamp} for label in labels],
    )
    # Default assignees may have left the board; those in the request are refused instead.
    set_assignees(call, task_id, assignees or [id_ for id_ in defaults if id_ in members()])
    return task_id


def _columns(call: Call, body: Body) -> dict[str, Any]:
    title = body.required("title", values.title)
    status = body.optional("status", values.status, "open")
    contact = {name: body.optional(name, values.line, "") for name in _CONTACT}
    date = values.wall_time(call.service.site)
    return {
        "board_id": call.board_id,
        "title": title,
        "status": status,
        "last_completed_at": call.wall if status == "closed" else None,
        "description": body.optional("description", values.html, "") or None,
        "priority": body.optional("priority", values.priority, "low"),
        "due_at": body.optional("due_at", date, None),
        "started_at": body.optional("started_at", date, None),
        "source": body.optional("source", values.line, "") or "webhook",
        "source_id": body.optional("source_id", _name, "") or None,
        "crm_contact_id": body.optional("crm_contact_id", values.whole_number, None),
        "meta": json.dumps({name: words for name, words in contact.items() if words}),
    }


def _stage(call: Call, hook: Row, body: Body) -> Row:
    name = body.optional("stage", _name, "")
    if not name:
        return stage_of(call, hook["stage_id"])
    order = "archived_at is not null, position, id"
    stage = _chosen(name, call.db.select("stage", order, board_id=call.board_id))
    if stage is None:
        raise invalid("stage", "is no stage of the board")
    return stage


def _labels(call: Call, named: list[object]) -> list[int]:
    rows = call.db.select("label", "position, id", board_id=call.board_id)
    ids: list[int] = []
    for item in named:
        label = _chosen(_name("labels", item), rows)
        if label is None:
            raise invalid("labels", "contains a label that the board does not have")
        ids.append(label["id"])
    return list(dict.fromkeys(ids))


def _chosen(name: str, rows: Rows) -> Row | None:
    for row in rows:
        # Ids first: a title may consist of digits.
        if str(row["id"]) == name:
            return row
    wanted = name.casefold()
    for row in rows:
        if wanted in ((row["title"] or "").casefold(), row["slug"]):
            return row
    return None


def _add_subtask(call: Call, columns: Mapping[str, Any], parent_id: int) -> int:
    parent = parent_of(call, parent_id)
    refuse_archived(parent, "parent", called="parent task")
    group_id = default_group(call, parent["id"])
    place = {"subtask_group_id": group_id, "position": position_in(call, group_id, None)()}
    task_id = insert_task(call, {**columns, "parent_id": parent["id"], **place})
    note(call, parent["id"], "created", "subtask", new=columns["title"])
    return task_id


def _items(field: str, value: object) -> list[object]:
    if isinstance(value, str):
        value = [
            item.strip()
            for item in values.text(field, value, _LIST_LIMIT).split(",")
            if item.strip()
        ]
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    if not isinstance(value, list) or len(value) > _MOST_ITEMS:
        raise invalid(field, f"must be a list of at most {_MOST_ITEMS:,} items")
    return value


def _people(field: str, value: object) -> list[int]:
    return values.ids(field, _items(field, value))


def _name(field: str, value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return values.line(field, value)
