"""Labels, custom fields, folders and webhooks."""

from datetime import date

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene, needs
from tui.client import errors
from tui.client.capabilities import Feature
from tui.client.resources.labels import Value
from tui.client.values import as_texts
from tui.text import clean

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_label_is_made_changed_and_deleted(scene: Scene) -> None:
    made = await scene.ann.create_label(
        scene.board_id, "Urgent", text_color="#000000", color="#ffff00"
    )
    await scene.ann.update_label(
        scene.board_id, made["id"], title="Later", text_color="#000000", color="#00ff00"
    )
    labels = {one["id"]: one for one in await scene.ann.labels(scene.board_id)}
    assert (labels[made["id"]]["title"], labels[made["id"]]["bg_color"]) == ("Later", "#00ff00")
    for _ in range(2):
        await scene.ann.delete_label(scene.board_id, made["id"])
        assert made["id"] not in ids(await scene.ann.labels(scene.board_id))


async def test_a_label_is_put_on_a_task_and_taken_off(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    label = await scene.label()
    attached = await scene.ann.add_label(scene.board_id, task_id, label["id"])
    assert ids(attached) == [label["id"]]
    for listed in (
        await scene.ann.labels_of(scene.board_id, task_id),
        await scene.ann.used_labels(scene.board_id),
    ):
        assert ids(listed) == [label["id"]]
    for _ in range(2):
        await scene.ann.remove_label(scene.board_id, task_id, label["id"])
        assert await scene.ann.labels_of(scene.board_id, task_id) == []


@needs(Feature.CUSTOM_FIELDS)
async def test_custom_fields_are_made_changed_and_deleted(scene: Scene) -> None:
    text = await scene.ann.create_field(scene.board_id, "Place", "text")
    pick = await scene.ann.create_field(scene.board_id, "Size", "select", options=["S", "L"])
    assert pick["settings"]["custom_field_type"] == "select"
    assert as_texts(pick["settings"].get("select_options") or pick["settings"]["options"]) == [
        "S",
        "L",
    ]
    await scene.ann.update_field(scene.board_id, text["id"], title="Where", field_type="text")
    assert await _fields(scene) == ["Where", "Size"]
    for _ in range(2):
        await scene.ann.delete_field(scene.board_id, text["id"])
    assert ids(await scene.ann.fields(scene.board_id)) == [pick["id"]]


@needs(Feature.CUSTOM_FIELD_ORDER)
async def test_custom_fields_are_put_in_order(scene: Scene) -> None:
    await scene.ann.create_field(scene.board_id, "Place", "text")
    pick = await scene.ann.create_field(scene.board_id, "Size", "text")
    await scene.ann.reposition_field(scene.board_id, pick["id"], 1)
    assert await _fields(scene) == ["Size", "Place"]


async def _fields(scene: Scene) -> list[str]:
    """The titles of the custom fields, in order."""
    fields = await scene.ann.fields(scene.board_id)
    return [one["title"] for one in sorted(fields, key=lambda one: (one["position"], one["id"]))]


@needs(Feature.CUSTOM_FIELDS)
async def test_a_task_has_values_in_custom_fields(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    values: dict[str, tuple[Value, str]] = {
        "text": ("North & south", "North & south"),
        "checkbox": (True, "true"),
        "date": (date(2027, 5, 1), "2027-05-01"),
        "select": ("L", "L"),
    }
    made = {}
    for kind, (value, _) in values.items():
        options = ["S", "L"] if kind == "select" else []
        field = await scene.ann.create_field(scene.board_id, kind, kind, options=options)
        await scene.ann.set_field_value(scene.board_id, task_id, field["id"], value)
        made[field["id"]] = kind
    listed = await scene.ann.field_values(scene.board_id, task_id)
    for record in listed:
        value = record["settings"]["value"]
        kept = str(value).lower() if isinstance(value, bool) else str(value)
        assert kept.startswith(values[made.pop(record["foreign_id"] or 0)][1])
    assert made == {}


@needs(Feature.FOLDERS)
async def test_folders_hold_boards(scene: Scene) -> None:
    folder = await scene.ann.create_folder("Garden")
    await scene.ann.rename_folder(folder["id"], "House")
    await scene.ann.add_to_folder(folder["id"], [scene.board_id])
    folders = {one["id"]: one for one in await scene.ann.folders()}
    assert (folders[folder["id"]]["title"], folders[folder["id"]]["boards_ids"]) == (
        "House",
        [scene.board_id],
    )
    await scene.ann.remove_from_folder(folder["id"], scene.board_id)
    await scene.ann.delete_folder(folder["id"])
    assert folder["id"] not in ids(await scene.ann.folders())


@needs(Feature.FOLDERS)
async def test_a_folder_without_a_title_is_an_error_in_words(scene: Scene) -> None:
    await scene.ann.folders()
    with pytest.raises(errors.ApiError) as refused:
        await scene.ann.create_folder("")
    assert refused.value.message == clean.line(refused.value.message) != ""


async def test_a_webhook_is_made_found_and_deleted(scene: Scene) -> None:
    name = f"Hook of {scene.board_id}"
    webhook_id = await scene.ann.create_webhook(name, scene.board_id, scene.stages[1])
    assert webhook_id is not None
    webhooks, fields = await scene.ann.webhooks(name)
    assert ids(webhooks) == [webhook_id]
    target = webhooks[0]["value"]
    assert (target["board"], target["stage"]) == (scene.board_id, scene.stages[1])
    assert "hash=" in target["url"]
    required = [each["key"] for each in fields if each["field"]["rules"] == "required"]
    assert required == ["title"]
    await scene.ann.delete_webhook(webhook_id)
    assert (await scene.ann.webhooks(name))[0] == []
