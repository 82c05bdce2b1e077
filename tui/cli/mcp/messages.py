"""Parses a line of the agent: a message for the server, or the error to answer instead.

The SDK drops what it cannot read, and takes a request whose id is none for a notification; an agent
would wait for an answer to either.
"""

import json
from typing import Any, NamedTuple, NoReturn

import mcp_types as types
from pydantic import ValidationError

from tui.cli.lines import MOST_BYTES

_BY_LENGTH = f"The line is longer than {MOST_BYTES:,} bytes."


class RpcMessage(NamedTuple):
    """A message as text; it is a request if it has a `request_id`.

    `cancelled_id` is that of the request that it cancels.
    """

    text: str
    request_id: types.RequestId | None = None
    cancelled_id: types.RequestId | None = None


class _NoMessage(Exception):
    def __init__(self, code: int, words: str, number: Any = None) -> None:
        super().__init__(words)
        error = types.ErrorData(code=code, message=words)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=number, error=error)


def read_message(line: bytes) -> RpcMessage | types.JSONRPCError | None:
    """The message on a line, or the error to answer; None if there is nothing on it."""
    if not line.strip():
        return None
    try:
        return _message_of(line)
    except _NoMessage as error:
        return error.answer


def _message_of(line: bytes) -> RpcMessage:
    if len(line.rstrip(b"\r\n")) > MOST_BYTES:
        raise _NoMessage(types.INVALID_REQUEST, _BY_LENGTH)
    try:
        text = line.decode()
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        words = f"The line is not JSON in UTF-8: {_reason_of(error)}."
        raise _NoMessage(types.PARSE_ERROR, words) from error
    if not isinstance(document, dict):
        words = "A message is one JSON object on a line of its own."
        raise _NoMessage(types.INVALID_REQUEST, words)
    number = document.get("id")
    # An id of null is refused too: the SDK takes such a request for a notification.
    if "id" in document and not _is_id(number):
        raise _NoMessage(types.INVALID_REQUEST, "The id of a message is text or an integer.")
    try:
        # Only by the names of the protocol, not by those that the fields have in Python.
        types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as error:
        words = "The line is not a message of JSON-RPC 2.0 with parameters by name."
        raise _NoMessage(types.INVALID_REQUEST, words, number) from error
    match document:
        case {"method": _, "id": _}:
            return RpcMessage(text, request_id=number)
        case {"method": "notifications/cancelled", "params": {"requestId": cancelled}}:
            return RpcMessage(text, cancelled_id=cancelled if _is_id(cancelled) else None)
    return RpcMessage(text)


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        # The answer repeats the id, and a lone surrogate cannot be encoded.
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _refuse(constant: str) -> NoReturn:
    # Python reads NaN and Infinity, which are no JSON.
    raise ValueError(constant)


def _reason_of(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.lower()} at character {error.pos + 1:,}"
    if isinstance(error, UnicodeDecodeError):
        return f"{error.reason} at byte {error.start + 1:,}"
    return "too deep" if isinstance(error, RecursionError) else "a number that is none, or too long"
