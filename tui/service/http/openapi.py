"""The OpenAPI document, generated from routes, handlers and records.

It contains every route, with every status that it can return.
"""

import re
from collections.abc import Collection, Iterable
from http import HTTPStatus
from types import GenericAlias, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from tui.schema.base import Error, Page, Shape
from tui.service import values
from tui.service.call import VERSION_PATH, VIA_HEADER, Route
from tui.service.errors import RETRY_AFTER
from tui.service.handlers.images import IMAGES_PATH
from tui.service.handlers.webhooks import HASH, MARKER, ROUTE
from tui.service.idempotency import KEY_HEADER, KEY_PATTERN, REPLAYED_HEADER
from tui.service.requests.body import BodyField
from tui.service.requests.forms import JSON_TYPE
from tui.service.routes import ROUTES
from tui.service.values import LARGEST_ID, Schema

_ID = re.compile(r"\{(\w+):id\}")
_ALWAYS = (400, 401, 408, 413, 415, 429, 431, 500, 503)
_REFUSALS = (*_ALWAYS, 403, 404, 409, 422, 507)
_SIMPLE: dict[object, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


_FILE: Schema = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}},
    "required": ["file"],
}


class WebhookNews(TypedDict):
    """The reply of a webhook's address."""

    message: str
    type: str
    task_id: NotRequired[int]


_IMAGE_QUERY = {
    "account": Annotated[int, values.identifier("user")],
    "expires": str,
    "signature": str,
}
_WEBHOOK_QUERY = {MARKER: Literal["1"], ROUTE: Literal["task"], HASH: str}


_IDEMPOTENCY_KEY: Schema = {
    "name": KEY_HEADER,
    "in": "header",
    "description": "A request that repeats another one of the same account with this key is "
    "not carried out again, for two days and the account's next 10,000 requests with keys: it "
    "gets the first one's reply, with tasks, boards and comments as they are now, or only the ids "
    "of what is gone. "
    "With another method, path or body it is refused with 422.",
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
}
_VIA: Schema = {
    "name": VIA_HEADER,
    "in": "header",
    "description": "What makes the request in place of the user, such as an agent; the activity has"
    " it in its settings, as `via`. Another value counts as none.",
    "schema": {"type": "string"},
}
_REPLAYED: Schema = {
    "description": f"Present where the reply is that of an earlier request; see {KEY_HEADER}.",
    "schema": {"type": "string", "enum": ["true"]},
}


class _Document:
    """A document being built; `records` are the schemas referred to, by name."""

    def __init__(self) -> None:
        self.records: dict[str, Schema] = {}

    def operation(self, route: Route) -> Schema:
        """One endpoint."""
        handler, status = route.handler, str(route.status)
        name, described = handler.function.__name__, handler.function.__doc__ or ""
        operation: Schema = {
            "operationId": name,
            "tags": [handler.function.__module__.rpartition(".")[2]],
            "summary": name.replace("_", " ").capitalize(),
            "description": " ".join(described.split()),
            "responses": {
                status: _response(route.status, self.schema(handler.reply)),
                **_refused(refusals(route)),
            },
        }
        an_id = {"type": "integer", "minimum": 1, "maximum": LARGEST_ID}
        parameters = [
            {"name": segment, "in": "path", "required": True, "schema": an_id}
            for segment in _ID.findall(route.path)
        ]
        parameters += [
            {"name": field_name, "in": "query", "required": field.is_required, "schema": schema}
            for field in handler.fields.values()
            if field.is_in_query
            for field_name, schema in field.schemas.items()
        ]
        if route.method != "GET":
            replayed = {"$ref": f"#/components/headers/{REPLAYED_HEADER}"}
            operation["responses"][status]["headers"] = {REPLAYED_HEADER: replayed}
            parameters += (
                {"$ref": f"#/components/parameters/{name}"} for name in (KEY_HEADER, VIA_HEADER)
            )
        if parameters:
            operation["parameters"] = parameters
        if body := _body(route):
            operation["requestBody"] = body
        return operation

    def schema(self, kind: Any) -> Schema:
        """The schema of a type; a `dict` of names and types is an object."""
        args = get_args(kind)
        match get_origin(kind) or kind:
            case origin if origin is Annotated:
                shapes = [extra.schema for extra in args[1:] if isinstance(extra, Shape)]
                schema = shapes[0] if shapes else self.schema(args[0])
            case origin if origin is Literal:
                schema = {"type": "string", "enum": list(args)}
            case origin if origin is list:
                schema = {"type": "array", "items": self.schema(args[0])}
            case origin if origin is dict:
                schema = {"type": "object"}
            case origin if origin in (Union, UnionType):
                schema = {"anyOf": [self.schema(option) for option in args]}
            case origin if origin is Page:
                page = get_type_hints(Page, include_extras=True)
                schema = self.fields(page | {"data": GenericAlias(list, args[0])})
            case dict():
                schema = self.fields(kind)
            case _ if is_typeddict(kind):
                schema = self.record(kind)
            case _:
                schema = _SIMPLE[kind]
        return schema

    def record(self, kind: Any) -> Schema:
        """A reference to a record, whose schema is added."""
        name = kind.__name__.removeprefix("_")
        if name not in self.records:
            # Entered first, because a record may refer to itself, as a comment to its replies.
            self.records[name] = {}
            hints = get_type_hints(kind, include_extras=True)
            self.records[name] = self.fields(hints, kind.__required_keys__)
        return {"$ref": f"#/components/schemas/{name}"}

    def fields(self, types: dict[str, Any], needed: Collection[str] | None = None) -> Schema:
        """An object with fields of these types, all required unless `needed` is given."""
        properties = {
            name: self.schema(get_args(kind)[0] if get_origin(kind) is NotRequired else kind)
            for name, kind in types.items()
        }
        required = [name for name in types if needed is None or name in needed]
        schema: Schema = {"type": "object", "properties": properties}
        return schema | ({"required": required} if required else {})

    def query(self, types: dict[str, Any]) -> list[Schema]:
        """The parameters of a query, all required."""
        return [
            {"name": name, "in": "query", "required": True, "schema": self.schema(kind)}
            for name, kind in types.items()
        ]

    def refusal(self, status: int) -> Schema:
        """An error response."""
        refusal = _response(status, self.schema(Error))
        if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
            refusal["headers"] = {RETRY_AFTER: {"schema": {"type": "integer"}}}
        return refusal

    def beside(self) -> dict[str, Schema]:
        """Endpoints beside the interface: health, this document, pictures, webhook addresses."""
        health = self.schema({"status": Literal["ok"], "schema_version": int})
        news = self.schema({"success": bool, "data": WebhookNews})
        picture = {"200": {"description": "OK", "content": {"image/*": {}}}}
        return {
            "/health": {"get": _open("health", {"200": _response(200, health)}, (500, 503))},
            "/openapi.json": {
                "get": _open("describe", {"200": _response(200, {"type": "object"})}, (500,))
            },
            f"{VERSION_PATH}{IMAGES_PATH}/{{file_hash}}": {
                "get": _open("show_image", picture, (403, 404, 500, 503))
                | {
                    "parameters": [
                        {
                            "name": "file_hash",
                            "in": "path",
                            "required": True,
                            "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
                        },
                        *self.query(_IMAGE_QUERY),
                    ]
                }
            },
            "/": {
                "post": _open("make_task", {"200": _response(200, news)}, (400, 404, 413, 500))
                | {
                    "parameters": self.query(_WEBHOOK_QUERY),
                    "requestBody": {"content": {JSON_TYPE: {"schema": {"type": "object"}}}},
                }
            },
        }


def openapi_document() -> Schema:
    """The whole document."""
    document = _Document()
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        path = VERSION_PATH + _ID.sub(r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = document.operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Callboard", "version": VERSION_PATH.strip("/")},
        "servers": [{"url": "/"}],
        "security": [{"basic": []}],
        "paths": paths | document.beside(),
        "components": {
            "securitySchemes": {"basic": {"type": "http", "scheme": "basic"}},
            "responses": {str(status): document.refusal(status) for status in _REFUSALS},
            "parameters": {KEY_HEADER: _IDEMPOTENCY_KEY, VIA_HEADER: _VIA},
            "headers": {REPLAYED_HEADER: _REPLAYED},
            "schemas": document.records,
        },
    }


def refusals(route: Route) -> list[int]:
    """Every error status that a route can return."""
    handler = route.handler
    statuses = {*_ALWAYS, *handler.refuses}
    if route.role is not None:
        statuses.add(403)
    if _ID.search(route.path):
        statuses.add(404)
    if handler.fields:
        statuses.add(422)
    if route.method != "GET":
        statuses |= {403, 422, 507}
    return sorted(statuses)


def _response(status: int, schema: Schema) -> Schema:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {JSON_TYPE: {"schema": schema}},
    }


def _refused(statuses: Iterable[int]) -> Schema:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses}


def _body(route: Route) -> Schema | None:
    # Without required fields it is optional.
    schema: Schema = {"type": "object", "properties": {}}
    for field in route.handler.fields.values():
        for name in () if field.is_in_query else field.schemas:
            _put(schema, name.split("."), field)
    if route.takes_file:
        schema = _FILE
    if not schema["properties"]:
        return None
    return {
        "required": "required" in schema,
        "content": {kind: {"schema": schema} for kind in route.media_types},
    }


def _put(schema: Schema, path: list[str], field: BodyField[Any]) -> None:
    name, *inner = path
    if inner:
        part = schema["properties"].setdefault(name, {"type": "object", "properties": {}})
        _put(part, inner, field)
    else:
        (schema["properties"][name],) = field.schemas.values()
    if (inner or field.is_required) and name not in schema.setdefault("required", []):
        schema["required"].append(name)


def _open(name: str, responses: Schema, refused: tuple[int, ...]) -> Schema:
    return {
        "operationId": name,
        "tags": ["beside"],
        "summary": name.replace("_", " ").capitalize(),
        "security": [],
        "responses": responses | _refused(refused),
    }
