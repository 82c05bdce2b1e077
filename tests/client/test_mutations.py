"""Whatever a service answers, the client says so in words or gives what is safe.

`python -m tests.client.mutating 5000` tries more.
"""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from tests.client.guarantee import broken
from tests.client.mutating import POISONS, check, drawn, poisoned
from tests.client.recorded import HERE, load
from tui.schema.tasks import Task

_WITH_TEXTS = ["4.1_project_update", "4.3_tasks_list_as_admin", "extended-4.5_delete_subtask"]


@settings(deadline=None)
@given(st.integers(0, 2**40))
async def test_a_mutated_answer_is_an_error_in_words_or_safe(seed: int) -> None:
    await check(drawn(seed))


@pytest.mark.parametrize("name", _WITH_TEXTS)
async def test_no_poison_reaches_the_model(name: str) -> None:
    exchange = next(exchange for exchange in load(HERE) if exchange.name == name)
    for poison in POISONS:
        content = json.dumps(poisoned(exchange.body, poison)).encode("ascii")
        await check(replace(exchange, content=content))


@pytest.mark.parametrize(
    ("document", "problems"),
    [
        ({"id": 3, "due_at": "0001-02-03 04:05:06", "position": 1.5, "board": None}, []),
        ({"position": 1.5}, ["Task without id"]),
        ({"id": "3"}, ["Task.id: '3' is no <class 'int'>"]),
        ({"id": 3, "due_at": "1-2-3"}, ["Task.due_at: '1-2-3' is no "]),
        ({"id": 3, "labels": [{"id": 4}, {}]}, ["Task.labels: TaskLabel without id"]),
        ({"id": 3, "settings": []}, ["Task.settings: [] is no "]),
    ],
)
def test_a_document_that_is_not_as_guaranteed_is_noticed(
    document: dict[str, object], problems: list[str]
) -> None:
    found = broken(document, Task)
    assert len(found) == len(problems)
    assert all(one.startswith(start) for one, start in zip(found, problems, strict=True))
