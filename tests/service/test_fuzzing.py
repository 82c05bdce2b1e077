"""Every described endpoint, asked for what nobody thought of; see `tests.service.fuzzing`.

One worker alone loads what makes up the requests: all endpoints are one test, and it is imported
there.
"""

import pytest

from tui.service.http.openapi import openapi_document

pytestmark = pytest.mark.long
_EXAMPLES = 2


def test_no_reply_is_a_fault_or_unknown() -> None:
    from tests.service.fuzzing import fuzz, operations  # noqa: PLC0415  takes a second

    found = {each.label: fuzz(each, _EXAMPLES, at_random=False) for each in operations()}
    assert len(found) > 80
    assert not {label: told for label, told in found.items() if told}


def test_a_reply_that_is_not_described_is_found() -> None:
    from tests.service.fuzzing import fuzz, operations  # noqa: PLC0415  takes a second

    document = openapi_document()
    del document["paths"]["/v2/projects"]["get"]["responses"]["200"]
    listing = next(one for one in operations(document) if one.label == "GET /v2/projects")
    assert "200" in fuzz(listing, _EXAMPLES, at_random=False)
