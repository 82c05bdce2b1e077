"""Asks every described endpoint for what its description allows, and for what it does not.

Whatever is asked, no reply may be a fault of the service (5xx), and each must be one that the
description knows: its status, its type and its fields.

    python -m tests.service.fuzzing [EXAMPLES]     so many for each endpoint and kind, or 500
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from schemathesis import Case, CheckFunction, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.service.quick import LOGIN, PASSWORD, quick_content
from tests.service.world import memory_database
from tui.service.attachments import Attachments
from tui.service.http.application import served
from tui.service.http.openapi import openapi_document

Operation = APIOperation[Any, Any, Any, Any]

_BASE = "http://fuzzed"
_MOST_IDS = 9
_CHECKS: list[CheckFunction] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@dataclass
class Target:
    """The whole application over a detailed world."""

    client: httpx.AsyncClient
    runner: asyncio.Runner

    def ask(self, case: Case[Any]) -> Response:
        """Send what was made up, with the credentials of an administrator."""
        sent = case.as_transport_kwargs(base_url=_BASE)
        headers = {
            name: value
            for name, value in sent["headers"].items()
            if name.lower() in ("accept", "content-type")
        }
        body: dict[str, Any] = {}
        if "json" in sent:
            body["json"] = sent["json"]
        if sent.get("files"):
            body["files"] = [(name, _part(*part)) for name, part in sent["files"]]
        data = sent.get("data")
        if data and "files" not in body:
            is_raw = isinstance(data, bytes | str)
            body["content"] = data if is_raw else urlencode(data, doseq=True, errors="replace")
        request = self.client.build_request(
            sent["method"], sent["url"], params=sent["params"], headers=headers, **body
        )
        request.read()
        return Response.from_httpx(self.runner.run(self.client.send(request)), verify=False)


def _part(name: str | None, content: object, *_: object) -> tuple[str | None, str | bytes]:
    """A part of a multipart form."""
    return name, content if isinstance(content, bytes) else str(content)


@contextmanager
def target() -> Iterator[Target]:
    """An application to be asked, over a world of its own."""
    with (
        closing(memory_database(quick_content())) as database,
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner() as runner,
    ):
        application = served(database, Attachments(Path(folder) / "attachments"))
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=application), auth=(LOGIN, PASSWORD)
        )
        try:
            yield Target(client, runner)
        finally:
            runner.run(client.aclose())


def operations(document: dict[str, Any] | None = None) -> list[Operation]:
    """Everything that is described, in the service's own document if no other is given."""
    schema = schemathesis.openapi.from_dict(document or openapi_document())
    return [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]


def fuzz(operation: Operation, examples: int, *, at_random: bool) -> str:
    """Ask for one operation in many ways; what the first wrong reply is, or nothing."""
    with target() as asked:
        try:
            _fuzz(asked, operation, examples, at_random=at_random)
        except (Exception, FailureGroup) as error:  # noqa: BLE001 - that is what is looked for
            return str(error) or repr(error)
    return ""


def _fuzz(asked: Target, operation: Operation, examples: int, *, at_random: bool) -> None:
    @settings(
        max_examples=examples,
        derandomize=not at_random,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(case=_cases(operation), data=st.data())
    def ask(case: Case[Any], data: st.DataObject) -> None:
        for name, value in case.path_parameters.items():
            if isinstance(value, int):
                known = data.draw(st.integers(0, _MOST_IDS))
                case.path_parameters[name] = known or value
        case.validate_response(asked.ask(case), checks=_CHECKS)

    ask()


def _cases(operation: Operation) -> st.SearchStrategy[Case[Any]]:
    """Requests as they should be, and such as they should not."""
    right: st.SearchStrategy[Case[Any]] = operation.as_strategy()
    if not (operation.path_parameters or operation.query or operation.body):
        return right
    return right | operation.as_strategy(GenerationMode.NEGATIVE)


def main(examples: int) -> int:
    """Ask everything at random, say what is wrong, and return the exit code."""
    wrong = 0
    for operation in operations():
        told = fuzz(operation, examples, at_random=True)
        wrong += bool(told)
        sys.stdout.write(f"{operation.label}: {told or 'nothing wrong'}\n")
    sys.stdout.write(f"{wrong} operations answered wrongly.\n")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
