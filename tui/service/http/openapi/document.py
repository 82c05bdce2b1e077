"""The OpenAPI document, made from the route table, the records and the operations.

The rule it keeps: every route is in it, and every status that a route can answer with.
"""

import re
from collections.abc import Iterable
from http import HTTPStatus

from tui.service.call import JSON_TYPE, Route
from tui.service.context import VERSION_PATH
from tui.service.http.openapi.notation import ERROR, Schema, object_schema, type_schema
from tui.service.http.openapi.operations import OPERATIONS, Operation
from tui.service.http.openapi.records import RECORDS
from tui.service.idempotency import KEY_HEADER, KEY_PATTERN, REPLAYED_HEADER
from tui.service.images.records import IMAGES_PATH
from tui.service.requests.forms import FORM_TYPE
from tui.service.requests.uploads import MULTIPART_TYPE
from tui.service.routes import ROUTES
from tui.service.webhooks.fields import HASH, MARKER, ROUTE

_ID = re.compile(r"\{(\w+):id\}")
_ALWAYS = (400, 401, 408, 413, 415, 429, 431, 500, 503)
_REFUSALS = (*_ALWAYS, 403, 404, 409, 422, 507)
_LARGEST_ID = 2**63 - 1


def openapi_document() -> Schema:
    """The whole document."""
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        path = VERSION_PATH + _ID.sub(r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Callboard", "version": VERSION_PATH.strip("/")},
        "servers": [{"url": "/"}],
        "security": [{"basic": []}],
        "paths": paths | _beside(),
        "components": {
            "securitySchemes": {"basic": {"type": "http", "scheme": "basic"}},
            "schemas": {name: object_schema(fields) for name, fields in RECORDS.items()},
            "responses": {str(status): _refusal(status) for status in _REFUSALS},
            "parameters": {KEY_HEADER: _idempotency_key()},
            "headers": {REPLAYED_HEADER: _replayed()},
        },
    }


def _operation(route: Route) -> Schema:
    """One endpoint."""
    described = OPERATIONS[route.handler]
    operation: Schema = {
        "operationId": route.handler.__name__,
        "tags": [route.handler.__module__.rpartition(".")[2]],
        "summary": route.handler.__name__.replace("_", " ").capitalize(),
        "responses": {
            str(route.status): _response(route.status, _answer(described)),
            **_refused(refusals(route)),
        },
    }
    if route.method != "GET":
        replayed = {"$ref": f"#/components/headers/{REPLAYED_HEADER}"}
        operation["responses"][str(route.status)]["headers"] = {REPLAYED_HEADER: replayed}
    if route.handler.__doc__:
        operation["description"] = " ".join(route.handler.__doc__.split())
    parameters = [*map(_path_parameter, _ID.findall(route.path)), *_query(described.query)]
    if route.method != "GET":
        parameters.append({"$ref": f"#/components/parameters/{KEY_HEADER}"})
    if parameters:
        operation["parameters"] = parameters
    if described.body:
        operation["requestBody"] = _body(route, described)
    return operation


def refusals(route: Route) -> list[int]:
    """Every status other than that of a success that a route can answer with."""
    described = OPERATIONS[route.handler]
    statuses = {*_ALWAYS, *described.refuses}
    if route.role is not None:
        statuses.add(403)
    if _ID.search(route.path):
        statuses.add(404)
    if described.body or described.query:
        statuses.add(422)
    if route.method != "GET":
        statuses |= {422, 507}
    return sorted(statuses)


def _answer(described: Operation) -> Schema:
    if described.answer.startswith("["):
        return type_schema(described.answer)
    return object_schema(described.answer)


def _response(status: int, schema: Schema) -> Schema:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {JSON_TYPE: {"schema": schema}},
    }


def _refused(statuses: Iterable[int]) -> Schema:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses}


def _refusal(status: int) -> Schema:
    refusal = _response(status, type_schema(ERROR))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        refusal["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return refusal


def _idempotency_key() -> Schema:
    return {
        "name": KEY_HEADER,
        "in": "header",
        "description": "A request that repeats another one of the same account with this key is "
        "not carried out again: it gets the first one's reply, which is kept for two days. "
        "With another method, path or body it is refused with 422.",
        "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    }


def _replayed() -> Schema:
    return {
        "description": f"Present where the reply is that of an earlier request; see {KEY_HEADER}.",
        "schema": {"type": "string", "enum": ["true"]},
    }


def _path_parameter(name: str) -> Schema:
    schema = {"type": "integer", "minimum": 1, "maximum": _LARGEST_ID}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query(fields: str) -> list[Schema]:
    schema = object_schema(fields)
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": field}
        for name, field in schema["properties"].items()
    ]


def _body(route: Route, described: Operation) -> Schema:
    """What a request holds; a body without required fields may be missing."""
    schema = object_schema(described.body)
    types = (
        [MULTIPART_TYPE]
        if route.takes_file
        else [FORM_TYPE, JSON_TYPE]
        if route.takes_form
        else [JSON_TYPE]
    )
    return {
        "required": "required" in schema,
        "content": {kind: {"schema": schema} for kind in types},
    }


def _beside() -> dict[str, Schema]:
    """What is served beside the endpoints: health, this document, pictures, webhook addresses."""
    health = object_schema("status =ok; schema_version integer")
    told = object_schema("success boolean; data {message string; type string; task_id? integer}")
    picture = {"200": {"description": "OK", "content": {"image/*": {}}}}
    words = ((MARKER, "=1"), (ROUTE, "=task"), (HASH, "string"))
    query = "; ".join(f"{name} {kind}" for name, kind in words)
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
                    *_query("account id; expires string; signature string"),
                ]
            }
        },
        "/": {
            "post": _open("make_task", {"200": _response(200, told)}, (400, 404, 413, 500))
            | {
                "parameters": _query(query),
                "requestBody": {"content": {JSON_TYPE: {"schema": {"type": "object"}}}},
            }
        },
    }


def _open(name: str, responses: Schema, refused: tuple[int, ...]) -> Schema:
    """An operation that needs no account."""
    return {
        "operationId": name,
        "tags": ["beside"],
        "summary": name.replace("_", " ").capitalize(),
        "security": [],
        "responses": responses | _refused(refused),
    }
