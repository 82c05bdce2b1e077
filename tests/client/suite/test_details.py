"""Labels, custom fields, folders and webhooks."""

from datetime import date

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene, needs
from tui.client import errors
from tui.client.capabilities import Feature
from tui.client.records.values import as_texts
from tui.client.resources.labels import FieldValue
from tui.text import clean

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_label_is_made_changed_and_deleted(scene: Scene) -> None:
    made = await scene.ann.labels.create(
        scene.board_id, "Urgent", text_color="#000000", bg_color="#ffff00"
    )
    await scene.ann.labels.update(
        scene.board_id, made.id, title="Later", text_color="#000000", bg_color="#00ff00"
    )
    labels = {one.id: one for one in await scene.ann.labels.list(scene.board_id)}
    assert (labels[made.id].title, labels[made.id].bg_color) == ("Later", "#00ff00")
    for _ in range(2):
        await scene.ann.labels.delete(scene.board_id, made.id)
        assert made.id not in ids(await scene.ann.labels.list(scene.board_id))


async def test_a_label_is_put_on_a_task_and_taken_off(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    label = await scene.label()
    attached = await scene.ann.labels.attach(scene.board_id, task_id, label.id)
    assert attached.pivot is not None
    assert (attached.pivot.object_id, attached.pivot.foreign_id) == (task_id, label.id)
    for listed in (
        await scene.ann.labels.of_task(scene.board_id, task_id),
        await scene.ann.labels.used(scene.board_id),
    ):
        assert ids(listed) == [label.id]
    for _ in range(2):
        await scene.ann.labels.detach(scene.board_id, task_id, label.id)
        assert await scene.ann.labels.of_task(scene.board_id, task_id) == []


@needs(Feature.CUSTOM_FIELDS)
async def test_custom_fields_are_made_changed_and_deleted(scene: Scene) -> None:
    text = await scene.ann.fields.create(scene.board_id, "Place", "text")
    pick = await scene.ann.fields.create(scene.board_id, "Size", "select", options=["S", "L"])
    assert pick.settings["custom_field_type"] == "select"
    assert as_texts(pick.settings.get("select_options") or pick.settings["options"]) == ["S", "L"]
    await scene.ann.fields.update(scene.board_id, text.id, title="Where", field_type="text")
    assert await _fields(scene) == ["Where", "Size"]
    for _ in range(2):
        await scene.ann.fields.delete(scene.board_id, text.id)
    assert ids(await scene.ann.fields.list(scene.board_id)) == [pick.id]


@needs(Feature.CUSTOM_FIELD_ORDER)
async def test_custom_fields_are_put_in_order(scene: Scene) -> None:
    await scene.ann.fields.create(scene.board_id, "Place", "text")
    pick = await scene.ann.fields.create(scene.board_id, "Size", "text")
    await scene.ann.fields.reposition(scene.board_id, pick.id, 1)
    assert await _fields(scene) == ["Size", "Place"]


async def _fields(scene: Scene) -> list[str]:
    """The titles of the custom fields, in order."""
    fields = await scene.ann.fields.list(scene.board_id)
    return [one.title for one in sorted(fields, key=lambda one: (one.position, one.id))]


@needs(Feature.CUSTOM_FIELDS)
async def test_a_task_has_values_in_custom_fields(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    values: dict[str, tuple[FieldValue, str]] = {
        "text": ("North & south", "North & south"),
        "checkbox": (True, "true"),
        "date": (date(2027, 5, 1), "2027-05-01"),
        "select": ("L", "L"),
    }
    made = {}
    for kind, (value, _) in values.items():
        options = ["S", "L"] if kind == "select" else []
        field = await scene.ann.fields.create(scene.board_id, kind, kind, options=options)
        await scene.ann.fields.set_value(scene.board_id, task_id, field.id, value)
        made[field.id] = kind
    listed = await scene.ann.fields.values(scene.board_id, task_id)
    for record in listed:
        value = record.settings["value"]
        kept = str(value).lower() if isinstance(value, bool) else str(value)
        assert kept.startswith(values[made.pop(record.foreign_id or 0)][1])
    assert made == {}


@needs(Feature.FOLDERS)
async def test_folders_hold_boards(scene: Scene) -> None:
    folder = await scene.ann.folders.create("Garden")
    await scene.ann.folders.rename(folder.id, "House")
    await scene.ann.folders.add_boards(folder.id, [scene.board_id])
    folders = {one.id: one for one in await scene.ann.folders.list()}
    assert (folders[folder.id].title, folders[folder.id].boards_ids) == (
        "House",
        [scene.board_id],
    )
    await scene.ann.folders.remove_board(folder.id, scene.board_id)
    await scene.ann.folders.delete(folder.id)
    assert folder.id not in ids(await scene.ann.folders.list())


@needs(Feature.FOLDERS)
async def test_a_folder_without_a_title_is_an_error_in_words(scene: Scene) -> None:
    await scene.ann.folders.list()
    with pytest.raises(errors.ApiError) as refused:
        await scene.ann.folders.create("")
    assert refused.value.message == clean.line(refused.value.message) != ""


async def test_a_webhook_is_made_found_and_deleted(scene: Scene) -> None:
    name = f"Hook of {scene.board_id}"
    made = await scene.ann.webhooks.create(name, scene.board_id, scene.stages[1])
    assert (made.target.board, made.target.stage) == (scene.board_id, scene.stages[1])
    assert "hash=" in (made.target.url or "")
    assert made.webhook_id is not None
    listed = await scene.ann.webhooks.list(name)
    assert ids(listed.webhooks) == [made.webhook_id]
    assert [one.key for one in listed.fields if one.is_required] == ["title"]
    await scene.ann.webhooks.delete(made.webhook_id)
    assert (await scene.ann.webhooks.list(name)).webhooks == []
