"""What goes wrong is said in one clean line of the right kind, whatever shape it came in."""

from collections.abc import Awaitable, Callable

import pytest

from tests.client.suite.scene import Scene
from tui.client import errors
from tui.client.capabilities import Feature
from tui.client.editions.probing import probe
from tui.text import clean

pytestmark = pytest.mark.asyncio(loop_scope="session")

_GONE = 9_999_999
Try = Callable[[Scene], Awaitable[object]]


def _is_fit_to_print(error: errors.ApiError) -> bool:
    message = error.message
    leaks = any(word in message for word in ("<", "&", "select ", ".php", "SQL", "Models"))
    return bool(message) and message == clean.line(message) and not leaks


async def _raised(attempt: Awaitable[object]) -> errors.ApiError:
    with pytest.raises(errors.ApiError) as raised:
        await attempt
    return raised.value


_ABSENT: dict[str, Try] = {
    "board": lambda scene: scene.ann.board(_GONE),
    "changed board": lambda scene: scene.ann.update_board(_GONE, title="x"),
    "deleted board": lambda scene: scene.ann.duplicate_board(_GONE, "x"),
    "task": lambda scene: scene.ann.task(scene.board_id, _GONE),
    "changed task": lambda scene: scene.ann.set_task(scene.board_id, _GONE, "title", "x"),
    "tasks": lambda scene: scene.ann.tasks(_GONE),
    "stage": lambda scene: scene.ann.archive_stage(scene.board_id, _GONE),
    "label": lambda scene: scene.ann.update_label(scene.board_id, _GONE, "x", "#ffffff", "#000000"),
    "member": lambda scene: scene.ann.add_member(scene.board_id, _GONE),
}


async def test_what_is_not_there_is_said_to_be_so(scene: Scene) -> None:
    raised = {thing: await _raised(attempt(scene)) for thing, attempt in _ABSENT.items()}
    assert {thing: type(error) for thing, error in raised.items()} == dict.fromkeys(
        _ABSENT, errors.NotFound
    )
    assert all(_is_fit_to_print(error) for error in raised.values())


_WRONG: dict[str, Try] = {
    "title of a stage": lambda scene: scene.ann.create_stage(scene.board_id, ""),
    "title of a board": lambda scene: scene.ann.update_board(scene.board_id, title=""),
    "colour": lambda scene: scene.ann.create_label(
        scene.board_id, "x", text_color="none", color="none"
    ),
    "webhook": lambda scene: scene.ann.create_webhook("", scene.board_id, scene.stages[0]),
    "second membership": lambda scene: scene.ann.add_member(scene.board_id, scene.id("bob")),
}


async def test_what_is_wrong_is_refused_in_words(scene: Scene) -> None:
    raised = {what: await _raised(attempt(scene)) for what, attempt in _WRONG.items()}
    kinds = {
        what: isinstance(one, errors.Refused | errors.Conflict) for what, one in raised.items()
    }
    assert kinds == dict.fromkeys(_WRONG, True)
    assert all(_is_fit_to_print(error) for error in raised.values())
    assert not any(error.may_have_happened for error in raised.values())


async def test_a_stranger_may_not_read_a_board(scene: Scene) -> None:
    eve = scene.eve
    for attempt in (eve.board, eve.tasks, eve.members):
        with pytest.raises(errors.NotAllowed) as raised:
            await attempt(scene.board_id)
        assert _is_fit_to_print(raised.value)


async def test_a_wrong_password_is_said_to_be_one(scene: Scene) -> None:
    wrong = scene.service.session("ann", "not this one")
    async with scene.service.client(wrong, "ann") as stranger:
        with pytest.raises(errors.WrongCredentials):
            await stranger.list_boards()


async def test_what_a_service_offers_is_found_out_by_asking(scene: Scene) -> None:
    await probe(scene.ann, scene.board_id)
    offered = {one for one in Feature if scene.ann.service.offers(one)}
    assert not offered & scene.service.missing
    assert {Feature.SUBTASKS, Feature.FOLDERS, Feature.CHANGE_NEWS} - scene.service.missing <= (
        offered
    )
