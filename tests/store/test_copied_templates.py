"""A copy of a template is a card, also at a service that copies what makes it a template."""

from typing import Any, cast

import pytest

from tests.fakes.boards import small, task
from tui.client.errors import ApiError
from tui.store.operations.tasks import CloneTask
from tui.store.remote import Remote


class Copying:
    """A service that copies a template as one; it may refuse to change that."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.changes: list[tuple[Any, ...]] = []

    async def clone_task(self, *_given: Any) -> dict[str, Any]:
        return {"id": 9, "title": "a", "stage_id": 1, "meta": {"is_template": "yes"}}

    async def set_task(self, *change: Any) -> dict[str, Any]:
        if self.refuses:
            raise ApiError("No.")
        self.changes.append(change)
        return {"id": 9, "meta": {"is_template": change[-1]}}


@pytest.mark.parametrize("refuses", [False, True])
async def test_the_copy_is_made_a_card_once_and_stays_where_that_is_refused(
    *, refuses: bool
) -> None:
    service = Copying(refuses=refuses)
    copy = CloneTask.of(task(11, "a", is_template=True))
    assert not copy.copy.is_template
    reply = await copy.deliver(cast("Remote", service), small())
    (part,) = reply.parts
    assert part.document is not None
    assert part.document["meta"]["is_template"] == ("yes" if refuses else "no")
    assert service.changes == ([] if refuses else [(1, 9, "is_template", "no")])
