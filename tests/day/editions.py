"""The editions of the service that the day is played on, with what each lacks."""

from dataclasses import replace

from tests.day.world import VIEWER, Edition
from tests.quirky.quirks import Quirks
from tui.client.capabilities import Feature

_NOT_FREE = frozenset(
    {
        Feature.SUBTASKS,
        Feature.SUBTASK_COPIES,
        Feature.SUBTASK_GROUPS,
        Feature.CUSTOM_FIELDS,
        Feature.BOARD_MOVES,
        Feature.FOLDERS,
    }
)
_NOT_OLD = frozenset(
    {
        Feature.SUBTASK_COPIES,
        Feature.SUBTASK_GROUPS,
        Feature.PICTURES,
        Feature.FOLDERS,
        Feature.TASK_COPIES,
    }
)
_NEVER_DELETED = frozenset({"DELETE /projects/{board_id}/tasks/{task_id}"})

EDITIONS = {
    edition.name: edition
    for edition in (
        Edition("embedded"),
        Edition("specification", Quirks.none()),
        Edition("viewer", Quirks.none(), login=VIEWER),
        Edition("recent-free", Quirks.recent_free(), _NOT_FREE),
        Edition(
            "older-free-details",
            replace(Quirks.older_free(), details_off=False),
            _NOT_FREE | {Feature.TASK_DELETION},
        ),
        Edition("older-free", Quirks.older_free(), _NOT_FREE, broken=_NEVER_DELETED),
        Edition("old-paid", Quirks.old_paid(), _NOT_OLD),
        Edition("recent-paid", Quirks.recent_paid()),
    )
}
