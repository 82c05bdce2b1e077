"""The eight shapes in which deployed services say no.

Which shape and which status an error gets follows from what was asked and what
is wrong alone. What says that an endpoint is missing keeps its shape; clients live on it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tests.quirky.asking import Answer, Asked, Onward, fault, refused
from tests.quirky.quirks import Quirks

PAGE = b"<html><head><title>503 Service Unavailable</title></head><body>nginx</body></html>"
_CRITICAL = (
    "<p>There has been a critical error on this website.</p>"
    '<p><a href="https://host.example/support/">Learn more about troubleshooting.</a></p>'
)
_MODELS = {
    "board": "Board",
    "stage": "Stage",
    "task": "Task",
    "label": "Label",
    "comment": "Comment",
    "custom_field": "CustomField",
    "user": "User",
    "member": "User",
}
_TASK = "/projects/{board}/tasks/{task}"
_COMMENT = "/projects/{board}/tasks/comments/{comment}"


@dataclass(frozen=True, slots=True)
class Errors:
    """Reshapes errors of the real service; those of other quirks have their shape already."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        answer = await onward(asked)
        if answer.is_success or not answer.is_json:
            return answer
        if self.quirks.error_shapes and _is_plain(answer):
            answer = _reshaped(asked, answer)
        wants_json = "json" in asked.headers.get("accept", "")
        if self.quirks.pages_without_accept and not wants_json:
            return Answer(answer.status, content=PAGE, media_type="text/html")
        return answer


def _is_plain(answer: Answer) -> bool:
    """Whether an error is as the real service says it."""
    is_own = answer.code not in ("", "rest_no_route", "plugin_exception")
    return is_own and isinstance(answer.body.get("data"), dict)


def _reshaped(asked: Asked, answer: Answer) -> Answer:
    shape = _SHAPES.get(answer.status)
    return critical() if shape is None else shape(asked, answer)


def _unauthorized(_asked: Asked, _answer: Answer) -> Answer:
    return refused(401, "rest_forbidden", "Sorry, you are not allowed to do that.")


def _unreadable(_asked: Asked, answer: Answer) -> Answer:
    return Answer(400, answer.body["message"])


def _in_conflict(asked: Asked, answer: Answer) -> Answer:
    message = str(answer.body["message"])
    return Answer(422, {"message": message}) if asked.method == "POST" else fault(message, 400)


def _too_large(_asked: Asked, _answer: Answer) -> Answer:
    return Answer(413, content=PAGE, media_type="text/html")


def _forbidden(asked: Asked, _answer: Answer) -> Answer:
    if asked.ids("PUT", _TASK + "/comments/{comment}"):
        return Answer(401, "Unauthorized Action")
    if asked.path.endswith("/duplicate-board"):
        return Answer(400, "You do not have permission to duplicate board")
    return refused(403, "rest_forbidden", "Sorry, you are not allowed to do that.")


def _missing(asked: Asked, answer: Answer) -> Answer:
    """The same condition in seven ways."""
    thing = answer.code.removesuffix("_not_found")
    model = f"No query results for model [Service\\App\\Models\\{_MODELS.get(thing, 'Meta')}] 0"
    if "/comments" in asked.path:
        return critical()
    is_bare = asked.method == "DELETE" or asked.path.endswith("-board")
    if thing == "board" and is_bare:
        return Answer(400, model)
    if thing == "task":
        return Answer(400, "Task not found") if asked.method == "GET" else fault("Task not found")
    said = {
        "folder": Answer(500, media_type="text/html"),
        "stage": Answer(400, "Stage not found"),
        "label": _no_results(model) if asked.method == "PUT" else Answer(400, "Label not found"),
    }
    return said.get(thing, _no_results(model))


def _no_results(model: str) -> Answer:
    return Answer(404, {"message": model, "data": {"detail": {"env": "production"}}})


def critical() -> Answer:
    """What a site answers that keeps the details of a fault back."""
    body = {
        "code": "internal_server_error",
        "message": _CRITICAL,
        "data": {"status": 500},
        "additional_errors": [],
    }
    return Answer(500, body)


def _invalid(asked: Asked, answer: Answer) -> Answer:
    params: dict[str, str] = answer.body["data"].get("params", {})
    if asked.path.endswith("/sort-task"):
        return fault("Invalid sort or orderBy parameter")
    if "property" in params:
        return fault(f"Invalid property: {asked.body.get('property')}")
    if asked.path == "/webhooks":
        return Answer(422, "Name, board and stage are required")
    if asked.path.startswith("/admin/folders"):
        cut_short = b'{"code": "rest_invalid_param", "message": "Invalid par'
        return Answer(400, content=cut_short)
    if not params:
        return Answer(422, {"message": answer.body["message"]})
    names = {name.rpartition(".")[2]: text for name, text in params.items()}
    return Answer(422, {name: {"required": text} for name, text in names.items()})


_SHAPES: dict[int, Callable[[Asked, Answer], Answer]] = {
    400: _unreadable,
    401: _unauthorized,
    403: _forbidden,
    404: _missing,
    409: _in_conflict,
    413: _too_large,
    422: _invalid,
}
