"""What the fields of an opened task are made of."""

from typing import Any

from hypothesis import given, settings, strategies as st

from tests.fakes.boards import task
from tui.model.detail import TaskDetail
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler


def around(**document: Any) -> TaskDetail:
    """The detail of a task whose document says this."""
    return DetailAssembler(Assembler()).around(task(1, "a"), document)


def test_what_hangs_on_a_task_is_told() -> None:
    detail = around(
        attachments=[
            {"id": 4, "title": "plan\x1b[31m.pdf", "file_size": "12 KB"},
            {"id": "5", "title": None},
            {"title": ""},
            "nonsense",
        ],
        crm_contact_id="55",
        source_id=7,
        lead_value="1200.00",
        repeat_task_meta={"every": "week"},
    )
    assert detail.attachments == ("plan.pdf (12 KB)", "file 5")
    assert (detail.contact_id, detail.source_id, detail.worth) == (55, "7", "1200.00")
    assert detail.repeats


def test_nothing_is_told_as_nothing() -> None:
    detail = around(lead_value="0.00", crm_contact_id=0, repeat_task_meta=None)
    assert detail == TaskDetail(task(1, "a"))


_JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@settings(deadline=None)
@given(_JSON, _JSON, _JSON, _JSON)
def test_nonsense_never_raises(
    files: object, contact: object, source: object, sum_: object
) -> None:
    detail = around(attachments=files, crm_contact_id=contact, source_id=source, lead_value=sum_)
    assert "\x1b" not in detail.source_id + detail.worth
