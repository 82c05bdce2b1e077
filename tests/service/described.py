"""The description of the service, as a measure of its replies."""

from functools import cache
from typing import Any

import jsonschema_rs

from tui.service.http.openapi import openapi_document

DOCUMENT = openapi_document()


def described(route: str) -> dict[str, Any]:
    """The operation of a route, named by its method and path."""
    method, path = route.split()
    found: dict[str, Any] = DOCUMENT["paths"]["/v2" + path.replace(":id", "")][method.lower()]
    return found


def mistakes(route: str, status: int, body: object) -> list[str]:
    """What a reply holds that its description does not allow."""
    if str(status) not in described(route)["responses"]:
        return [f"{status} is not described"]
    found = _validator(route, status).iter_errors(body)
    return [f"{error.instance_path}: {error.message}" for error in found]


@cache
def _validator(route: str, status: int) -> jsonschema_rs.Draft202012Validator:
    response = described(route)["responses"][str(status)]
    if "$ref" in response:
        response = DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]]
    schema = response["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator(
        {"components": DOCUMENT["components"], "allOf": [schema]}, validate_formats=True
    )
