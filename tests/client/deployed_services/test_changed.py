"""A task after a change, and what else has changed."""

from tests.client.scripted import ids
from tui.client.records import TaskRecord
from tui.client.resources.answers import Changed


def _task(task_id: int, **more: object) -> TaskRecord:
    return TaskRecord.model_validate({"id": task_id, **more})


def test_the_position_is_the_one_that_was_stored() -> None:
    changed = Changed.by(_task(1, position=0.125), [_task(1, position="0.13"), _task(2)])
    assert changed.task.position == 0.13
    assert ids(changed.news) == [2]
    assert Changed.by(_task(1, position=0.125), [_task(1)]).task.position == 0.125


def test_of_two_words_on_one_task_the_later_holds() -> None:
    first = Changed(_task(1), (_task(2, title="old"), _task(3)), "10:00")
    both = first.then(Changed(_task(1, title="new"), (_task(2, title="new"),)))
    assert (both.task.title, both.last_updated) == ("new", "10:00")
    assert [(task.id, task.title) for task in both.news] == [(2, "new"), (3, "")]
    assert first.then(Changed(_task(1), (), "11:00")).last_updated == "11:00"


def test_more_news_never_hold_the_task_itself() -> None:
    changed = Changed(_task(1), (_task(2),)).and_news([_task(1), _task(3)])
    assert ids(changed.news) == [2, 3]
