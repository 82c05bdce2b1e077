"""Converts error responses, by status and body, into errors of the client.

Deployed services have eight body shapes for errors, and send different statuses for the same
condition, so a body that is more specific than the status decides. A body in none of these shapes
comes from a proxy, a web server, or a network that wants a sign-in: it says nothing about the
request, and is `UnexpectedAnswer`.

The user reads one terminal-safe line; the raw response goes to the log. A 4xx of the service
changed nothing; after any other error a write may have taken effect.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tui.client.endpoints import RequestLine
from tui.client.errors import (
    ApiError,
    Conflict,
    NotAllowed,
    NotFound,
    NotOffered,
    Refused,
    ServerFault,
    TooLarge,
    UnexpectedAnswer,
    Unreachable,
    WrongCredentials,
)
from tui.text import clean
from tui.text.clean import unescaped

_LOGGED = 2_000
_FIRST_ERROR = 400
_FIRST_FAULT = 500
_PASSING = frozenset({408, 421, 425, 429, 502, 503, 504, 507, 511})
_BUSY = frozenset({408, 421, 425, 429})
_CRITICAL = "internal_server_error"
_FAULT_CODES = frozenset({"plugin_exception", _CRITICAL})
_SAID_ELSEWHERE = frozenset({"code", "message", "data", "additional_errors", "status"})

_OWN_WORDS: Mapping[type[ApiError], tuple[str, str]] = {
    WrongCredentials: (
        "The service does not accept this login name and password.",
        "Type callboard login NAME --force; an API password may be needed.",
    ),
    NotAllowed: ("You may not do this here.", ""),
    NotFound: ("The service does not have this (any more).", ""),
    NotOffered: ("This service does not offer this feature.", ""),
    Refused: ("The service refused this.", ""),
    Conflict: ("Someone else changed this at the same time.", ""),
    Unreachable: (
        "This network requires you to sign in first.",
        "Open any page in a browser; nothing was sent to the service.",
    ),
    TooLarge: ("This is larger than the service accepts.", ""),
    ServerFault: ("The service failed.", "Try again later."),
}
_BY_STATUS_ALONE: Mapping[int, type[ApiError]] = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLarge,
    HTTPStatus.REQUEST_URI_TOO_LONG: TooLarge,
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: TooLarge,
    HTTPStatus.NETWORK_AUTHENTICATION_REQUIRED: Unreachable,
}
"""Statuses with the same meaning from the service and from a proxy."""
_BY_STATUS: Mapping[int, type[ApiError]] = {
    HTTPStatus.FORBIDDEN: NotAllowed,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.PRECONDITION_FAILED: Conflict,
    **_BY_STATUS_ALONE,
}
_KEEP_OWN_WORDS = (WrongCredentials, NotOffered, TooLarge, Unreachable)
_NO_SERVICE = "There is no board service at this address."
_CHECK_ADDRESS = "Check its address, and whether this network wants you to sign in."
_PAGE = "This network shows its own page, not the service."
_SIGN_IN = "Sign in, or check the address."
_LATER = "Try again later."
_LONGEST_LINE = 200
_LONGEST_READ = 2_000
_UNSEEN = re.compile(
    r"<(script|style|head)\b.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"</?[a-zA-Z!?][^<>]*>")
_MODEL = re.compile(r"No query results for model \[(?:[^\]]*\\)?(\w+)\]\s*(\S*)")
_TECHNICAL = re.compile(
    r"SQLSTATE|\(SQL:"
    r"|\b(?:select|insert into|update|delete from)\s+[`'\"(*\w].*\b(?:from|set|values|where)\b"
    r"|\b(?:unknown )?column ['`\"]|\bduplicate entry\b|\bconstraint\b"
    r"|\w+\\\w+|::\w+\(|\bcalled in\b|\bArgument #\d|\bStack trace\b|\bon line \d",
    re.IGNORECASE | re.DOTALL,
)
_PATH = re.compile(r"(?<![\w:/.])(?:/[\w.@+-]+){2,}/?|\b[A-Za-z]:\\\S*")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SENTENCE_END = re.compile(r".*[.:;!?](?=\s|$)", re.DOTALL)
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """A response: `body` is the decoded JSON or None, `text` the raw text, both redacted.

    `is_page` says that its type is HTML.
    """

    status: int
    body: Any
    text: str
    retry_after: float | None = None
    is_page: bool = False

    @property
    def code(self) -> str:
        """The code in the body; empty without one."""
        code = self.body.get("code") if isinstance(self.body, dict) else None
        return code if isinstance(code, str) else ""

    @property
    def message(self) -> str:
        """The raw message in the body; empty without one."""
        message = self.body.get("message") if isinstance(self.body, dict) else self.body
        if message is None and isinstance(self.body, dict):
            data = self.body.get("data")  # a reply of a webhook's address
            message = data.get("message") if isinstance(data, dict) else None
        return message if isinstance(message, str) else ""

    @property
    def params(self) -> dict[str, str]:
        """What is wrong with which field: `{"field": {"rule": "text"}}`, or `data.params`."""
        if not isinstance(self.body, dict):
            return {}
        data = self.body.get("data")
        named = data.get("params") if isinstance(data, dict) else None
        if not isinstance(named, dict):
            named = {key: rules for key, rules in self.body.items() if key not in _SAID_ELSEWHERE}
        lines = {plain_line(str(key)): _first_rule(rules) for key, rules in named.items()}
        return {key: line for key, line in lines.items() if key and line}


def refusal(route: RequestLine, answer: ErrorReply) -> ApiError:
    """The error for a response whose status is 400 or more."""
    params = answer.params
    says_no = isinstance(answer.body, dict) and answer.body.get("success") is False
    is_own = says_no or bool(answer.message or answer.code or params)
    otherwise = ServerFault if answer.status in _PASSING else UnexpectedAnswer
    kind = _kind(answer) if is_own else _BY_STATUS_ALONE.get(answer.status, otherwise)
    message = plain_line(answer.message) or " ".join(params.values())
    words, hint = foreign_words(answer.status, is_page=answer.is_page)
    if is_own or kind in _KEEP_OWN_WORDS:
        words, hint = _OWN_WORDS[kind]
    # A critical error has a page about itself as its message.
    if kind in _KEEP_OWN_WORDS or not message or answer.code == _CRITICAL:
        message = words
    from tui.text.plain_names import columns_in_words  # for what is refused alone

    details = f"{route}: {answer.status}: {clean.line(answer.text[:_LOGGED])}"
    is_fault = answer.status >= _FIRST_FAULT and kind is not Unreachable
    may_have_happened = (is_fault or kind is UnexpectedAnswer) and not route.is_safe
    return kind(
        columns_in_words(message),
        hint=hint,
        details=details,
        status=answer.status,
        may_have_happened=may_have_happened,
        is_passing=answer.status in _PASSING and kind is not Refused,
        retry_after=answer.retry_after,
        params=params,
    )


def hidden_status(body: Any) -> int | None:
    """The status of an error sent with a 2xx status; else None."""
    if not isinstance(body, dict):
        return None
    if body.get("success") is False:
        return HTTPStatus.BAD_REQUEST
    code, data = body.get("code"), body.get("data")
    if not isinstance(code, str) or "message" not in body:
        return None
    # An ordinary reply may have `code` and `message` too, so the status or the code decides.
    status = data.get("status") if isinstance(data, dict) else None
    if isinstance(status, int) and status >= _FIRST_ERROR:
        return status
    if code in _FAULT_CODES:
        return HTTPStatus.INTERNAL_SERVER_ERROR
    return HTTPStatus.BAD_REQUEST if code.startswith("rest_") else None


def foreign_words(status: int, *, is_page: bool) -> tuple[str, str]:
    """What responded in place of the service, and what to do about it."""
    if status == HTTPStatus.NOT_FOUND:
        return _NO_SERVICE, _CHECK_ADDRESS
    if status in _BUSY:
        return "The service, or a proxy before it, is too busy.", _LATER
    if status >= _FIRST_FAULT:
        return f"The web server or a proxy failed before the service ({status}).", _LATER
    if is_page:
        return _PAGE, _SIGN_IN
    return f"An answer came that is not the service’s ({status}).", _CHECK_ADDRESS


def _kind(answer: ErrorReply) -> type[ApiError]:
    status, code = answer.status, answer.code
    if code == "rest_no_route":
        return NotOffered
    if _is_absence(answer):
        return NotFound
    # Mostly sent with status 500, but for mistakes of the user such as an invalid property.
    if code == "plugin_exception":
        return Refused
    if status == HTTPStatus.UNAUTHORIZED:
        # A bare text comes from a service that accepted the login: "not the author" of a comment.
        return NotAllowed if isinstance(answer.body, str) else WrongCredentials
    is_fault = status >= _FIRST_FAULT or status in _BUSY
    return _BY_STATUS.get(status, ServerFault if is_fault else Refused)


def _is_absence(answer: ErrorReply) -> bool:
    if answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
        return True
    message = answer.message.lower()
    if "no query results for model" in message:
        return True
    is_plain = answer.status == HTTPStatus.BAD_REQUEST or answer.code == "plugin_exception"
    # "class not found" is a fault of the service, not a missing task.
    return is_plain and plain_line(message).rstrip(".").endswith("not found")


def _first_rule(rules: Any) -> str:
    """The first text among the rules that a field violates."""
    if isinstance(rules, dict):
        rules = next(iter(rules.values()), "")
    elif isinstance(rules, list):
        rules = next(iter(rules), "")
    return plain_line(rules) if isinstance(rules, str) else ""


def plain_line(raw: str) -> str:
    """A terminal-safe line of at most 200 characters; empty if nothing is left."""
    model = _MODEL.search(raw)
    if model:
        raw = f"There is no {_WORDS.sub(' ', model[1]).lower()} {model[2]}".rstrip() + "."
    # Cut first, so that no pattern searches megabytes.
    visible = _TAG.sub(" ", _UNSEEN.sub(" ", raw[:_LONGEST_READ]))
    line = clean.line(unescaped(visible))
    technical = _TECHNICAL.search(line)
    # Database errors may show SQL and paths: only whole sentences before them are for the user.
    if technical:
        sentence = _SENTENCE_END.match(line[: technical.start()])
        line = sentence[0] if sentence else ""
    line = _BLANKS.sub(" ", _PATH.sub("…", line)).strip(" :;,-(")
    if len(line) > _LONGEST_LINE:
        line = line[: _LONGEST_LINE - 1].rstrip() + "…"
    return line if any(sign.isalnum() for sign in line) else ""
