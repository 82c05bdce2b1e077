"""Every described endpoint, asked for what nobody thought of; see `tests.service.fuzzing`."""

import pytest
from schemathesis.core.failures import FailureGroup

from tests.service.fuzzing import fuzz, operations
from tui.service.http.openapi import openapi_document

_EXAMPLES = 2


def test_no_reply_is_a_fault_or_unknown() -> None:
    """All endpoints in one test, so that one worker alone loads what makes up the requests."""
    wrong = []
    for operation in operations():
        try:
            fuzz(operation, _EXAMPLES, at_random=False)
        except (Exception, FailureGroup) as error:  # noqa: BLE001 - that is what is looked for
            wrong.append(f"{operation.label}: {error}")
    assert not wrong, "\n".join(wrong)


def test_a_reply_that_is_not_described_is_found() -> None:
    document = openapi_document()
    del document["paths"]["/v2/projects"]["get"]["responses"]["200"]
    listing = next(one for one in operations(document) if one.label == "GET /v2/projects")
    with pytest.raises(FailureGroup):
        fuzz(listing, _EXAMPLES, at_random=False)
