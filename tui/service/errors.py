"""The errors of the service, all in one shape (section 7 of the interface).

Each is `{"code", "message", "data": {"status", "params"?}}`; `params` maps fields to problems. A
message is one sentence for the user and holds no credentials, SQL or traceback.
"""

from collections.abc import Mapping
from typing import Any

RETRY_AFTER = "Retry-After"
BUSY = "busy"
"""The code of a request that could not run in time because of others."""


class ServiceError(Exception):
    """A request is refused or failed; nothing was changed by it.

    `headers` are added to the reply; one that is `BUSY` says when to try again.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        params: Mapping[str, str] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.params = dict(params or {})
        self.headers = ({RETRY_AFTER: "1"} if code == BUSY else {}) | dict(headers or {})

    def document(self) -> dict[str, Any]:
        """The body of the reply."""
        data: dict[str, Any] = {"status": self.status}
        if self.params:
            data["params"] = self.params
        return {"code": self.code, "message": self.message, "data": data}


def missing(thing: str) -> ServiceError:
    """404: there is no such `thing`, named as in the interface."""
    return ServiceError(404, f"{thing.replace(' ', '_')}_not_found", f"There is no such {thing}.")


def invalid(field: str, problem: str) -> ServiceError:
    """422: the value of `field` is invalid; `problem` completes “The … field …”."""
    message = f"The field “{field}” {problem}."
    return ServiceError(422, "invalid_field", message, {field: message})


def forbidden(message: str = "You may not do this on this board.") -> ServiceError:
    """403: the caller's role does not suffice."""
    return ServiceError(403, "forbidden", message)


def conflict(code: str, message: str) -> ServiceError:
    """409: the request is valid, but not in the current state."""
    return ServiceError(409, code, message)


def unreadable(message: str) -> ServiceError:
    """400: the body cannot be parsed."""
    return ServiceError(400, "invalid_json", message)


def unauthorized() -> ServiceError:
    """401: no credentials, or wrong ones, which is not distinguished."""
    return ServiceError(
        401,
        "unauthorized",
        "The account name or the password is missing or wrong.",
        headers={"WWW-Authenticate": 'Basic realm="Callboard", charset="UTF-8"'},
    )


def no_route() -> ServiceError:
    """404: there is no such endpoint, which is how a missing feature responds."""
    return ServiceError(
        404, "rest_no_route", "No route was found matching the URL and request method."
    )
