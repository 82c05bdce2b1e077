"""What the endpoints of pictures, people, folders and webhooks are asked, one entry each."""

from functools import cache

from tests.service import pictures
from tests.service.endpoints import Endpoint, Refusal
from tests.service.world import File, Form, World, furnished_world, memory_database
from tui.service.attachments import Attachments
from tui.service.mail import MailQueue

_BOARD = "/projects/{board_id:id}"
_USER = _BOARD + "/user/{user_id:id}"
_UPLOAD = "/projects/1/tasks/1/comment-image-upload"
_FOLDER = "/admin/folders/{folder_id:id}"
_REMOVE = "/remove-user-from-board"


def sharing_world(
    *, attachments: Attachments | None = None, mail: MailQueue | None = None
) -> World:
    """What a furnished world holds, and more; see `furnish_sharing`."""
    return World(memory_database(_shared()), attachments=attachments, mail=mail)


@cache
def _shared() -> bytes:
    world = furnished_world()
    furnish_sharing(world)
    content = world.link.serialize()
    world.close()
    return content


def furnish_sharing(world: World) -> None:
    """Add to a furnished world.

    Comment 2 is ann's reply to bob's comment 1. Folder 1, “House”, holds board 1; folder 2, “Shed”,
    is empty. Webhook 1, “Mail”, is ann's, for stage 2 of board 1; webhook 2 is sam's, on board 2.
    """
    reply = {"comment": "I will", "comment_type": "reply", "parent_id": 1}
    world.done("ann", "POST", "/projects/1/tasks/1/comments", reply)
    for title in ("House", "Shed"):
        world.done("root", "POST", "/admin/folders", Form({"title": title}))
    world.done("root", "POST", "/admin/folders/1/add-board", {"board_ids": [1]})
    world.done("ann", "POST", "/webhooks", {"name": "Mail", "board": 1, "stage": 2})
    world.done("sam", "POST", "/webhooks", {"name": "Post", "board": 2, "stage": 4})


def _gone(path: str, thing: str, body: object = None) -> Refusal:
    return Refusal(path, 404, f"{thing}_not_found", body)


def _wrong(path: str, name: str, body: object) -> Refusal:
    return Refusal(path, 422, "invalid_field", body, name)


def _step(word: str, person: str, role: str, *refusals: Refusal) -> Endpoint:
    """A change of one role on board 1; 3 is bob, a member, and 4 is vic, a viewer."""
    is_admin = role == "admin"
    return Endpoint(
        f"POST {_USER}/{word}",
        f"/projects/1/user/{person}/{word}",
        "ann",
        seen={
            "member.role": role,
            "member.is_admin": is_admin,
            "member.is_board_admin": is_admin,
        },
        refusals=(_gone(f"/projects/1/user/5/{word}", "member"), *refusals),
    )


def _conflict(word: str, person: int, code: str) -> Refusal:
    return Refusal(f"/projects/1/user/{person}/{word}", 409, code)


SHARING_ENDPOINTS = (
    Endpoint(
        f"POST {_BOARD}/tasks/{{task_id:id}}/comment-image-upload",
        _UPLOAD,
        "bob",
        File(pictures.png()),
        seen={
            "imageAttachment.id": 1,
            "imageAttachment.object_id": 0,
            "imageAttachment.attachment_type": "image/png",
            "imageAttachment.title": "p.png",
            "imageAttachment.file_size": "33 B",
            "imageAttachment.status": "ACTIVE",
        },
        refusals=(
            _gone("/projects/1/tasks/77/comment-image-upload", "task", File(pictures.png())),
            _wrong(_UPLOAD, "file", File(b"#!/bin/sh\n", "run.png")),
            _wrong(_UPLOAD, "file", File(pictures.png(), field="image")),
            Refusal(_UPLOAD, 415, "unsupported_media_type", {"file": "p.png"}),
            Refusal(_UPLOAD, 413, "too_large", File(pictures.png() + bytes(10 * 1024 * 1024))),
        ),
    ),
    Endpoint(
        "GET /service-users",
        "/service-users",
        "root",
        seen={
            "users.#": 5,
            "users.0.display_name": "Ann",
            "users.0.boards": [{"id": 1, "title": "Garden", "role": "admin"}],
            "users.0.is_super": False,
            "users.2.is_wpadmin": True,
            "boards.#": 2,
            "boards.1.title": "Garden",
            "boards.1.isUserOnlyViewer": False,
        },
    ),
    Endpoint(
        "GET /search-service-users",
        "/search-service-users",
        "ann",
        {"searchInput": "BO"},
        seen={
            "#": 1,
            "0.user_login": "bob",
            "0.is_super": False,
            "0.which_boards.#": 1,
            "0.which_boards.0.title": "Garden",
            "0.which_boards.0.pivot.settings": 'a:1:{s:8:"is_admin";b:0;}',
        },
        refusals=(_wrong("/search-service-users", "searchInput", {"searchInput": 7}),),
    ),
    Endpoint(
        f"DELETE {_REMOVE}",
        _REMOVE,
        "ann",
        {"boardId": 1, "userId": 4},
        seen={"message": "Member has been removed"},
        refusals=(
            _wrong(_REMOVE, "boardId", {"userId": 3}),
            _wrong(_REMOVE, "userId", {"boardId": 1}),
            _gone(_REMOVE, "board", {"boardId": 77, "userId": 3}),
            _gone(_REMOVE, "member", {"boardId": 1, "userId": 5}),
            Refusal(_REMOVE, 409, "last_admin", {"boardId": 1, "userId": 2}),
            Refusal(_REMOVE, 403, "forbidden", {"boardId": 2, "userId": 5}),
        ),
    ),
    _step("make-manager", "3", "admin", _conflict("make-manager", 4, "wrong_role")),
    _step("remove-manager", "3", "member", _conflict("remove-manager", 2, "last_admin")),
    _step("make-member", "4", "member", _conflict("make-member", 2, "last_admin")),
    _step("make-viewer", "3", "viewer", _conflict("make-viewer", 2, "last_admin")),
    Endpoint(
        "POST /managers/roles/{user_id:id}",
        "/managers/roles/5",
        "ann",
        {"roles": {"1": "viewer"}},
        seen={"message": "User roles has been synced successfully."},
        refusals=(
            _wrong("/managers/roles/5", "roles", {}),
            _wrong("/managers/roles/5", "roles", {"roles": "admin"}),
            _wrong("/managers/roles/5", "roles.1", {"roles": {"1": "king"}}),
            _wrong("/managers/roles/5", "roles.one", {"roles": {"one": "member"}}),
            _gone("/managers/roles/77", "user", {"roles": {"1": "member"}}),
            _gone("/managers/roles/5", "board", {"roles": {"77": "member"}}),
            Refusal("/managers/roles/5", 403, "forbidden", {"roles": {"2": "member"}}),
            Refusal("/managers/roles/1", 422, "super_admin", {"roles": {"1": "viewer"}}),
            Refusal("/managers/roles/2", 409, "last_admin", {"roles": {"1": ""}}),
        ),
    ),
    Endpoint(
        "GET /admin/folders",
        "/admin/folders",
        "vic",
        seen={
            "folders.#": 2,
            "folders.0.title": "House",
            "folders.0.boards_ids": [1],
            "folders.1.boards_ids": [],
        },
    ),
    Endpoint(
        "POST /admin/folders",
        "/admin/folders",
        "root",
        Form({"title": "x" * 50}),
        seen={"folder.title": "x" * 50, "folder.created_by": 1, "folder.boards_ids": []},
        refusals=(
            _wrong("/admin/folders", "title", {}),
            _wrong("/admin/folders", "title", Form({"title": " \x1b[2J"})),
            _wrong("/admin/folders", "title", Form({"title": "x" * 51})),
        ),
    ),
    Endpoint(
        f"PUT {_FOLDER}",
        "/admin/folders/1",
        "root",
        Form({"title": "Home"}),
        seen={"folder.title": "Home", "folder.boards_ids": [1]},
        refusals=(
            _gone("/admin/folders/77", "folder", Form({"title": "x"})),
            _wrong("/admin/folders/1", "title", Form({"name": "x"})),
        ),
    ),
    Endpoint(
        f"DELETE {_FOLDER}",
        "/admin/folders/1",
        "root",
        seen={"message": "Folder has been deleted"},
        refusals=(_gone("/admin/folders/77", "folder"),),
    ),
    Endpoint(
        f"POST {_FOLDER}/add-board",
        "/admin/folders/2/add-board",
        "root",
        {"board_ids": [1, 2]},
        seen={"message": "Boards have been added to the folder"},
        refusals=(
            _gone("/admin/folders/77/add-board", "folder", {"board_ids": [1]}),
            _gone("/admin/folders/2/add-board", "board", {"board_ids": [1, 77]}),
            _wrong("/admin/folders/2/add-board", "board_ids", {}),
            _wrong("/admin/folders/2/add-board", "board_ids", {"board_ids": 1}),
        ),
    ),
    Endpoint(
        f"POST {_FOLDER}/remove-board",
        "/admin/folders/1/remove-board",
        "root",
        Form({"board_id": "1"}),
        seen={"message": "Board has been removed from the folder"},
        refusals=(
            _gone("/admin/folders/77/remove-board", "folder", Form({"board_id": "1"})),
            _gone("/admin/folders/1/remove-board", "board", Form({"board_id": "77"})),
            _wrong("/admin/folders/1/remove-board", "board_id", Form({"board_id": "x"})),
        ),
    ),
    Endpoint(
        "GET /webhooks",
        "/webhooks",
        "ann",
        seen={
            "webhooks.#": 1,
            "webhooks.0.object_type": "webhook",
            "webhooks.0.value.name": "Mail",
            "webhooks.0.value.board": "1",
            "webhooks.0.value.stage": "2",
            "fields.#": 16,
            "fields.0.key": "title",
            "fields.0.field.rules": "required",
        },
    ),
    Endpoint(
        "POST /webhooks",
        "/webhooks",
        "ann",
        {"name": "Bugs", "board": 1, "stage": 1},
        seen={"id": 3, "webhook.name": "Bugs", "webhook.stage": "1", "webhooks.#": 2},
        refusals=(
            _wrong("/webhooks", "name", {"board": 1, "stage": 1}),
            _wrong("/webhooks", "name", {"name": " ", "board": 1, "stage": 1}),
            _wrong("/webhooks", "board", {"name": "x", "stage": 1}),
            _wrong("/webhooks", "stage", {"name": "x", "board": 1}),
            _gone("/webhooks", "board", {"name": "x", "board": 77, "stage": 1}),
            _gone("/webhooks", "stage", {"name": "x", "board": 1, "stage": 4}),
            Refusal("/webhooks", 403, "forbidden", {"name": "x", "board": 2, "stage": 4}),
        ),
    ),
    Endpoint(
        "DELETE /webhooks/{id:id}",
        "/webhooks/1",
        "ann",
        seen={"webhooks": [], "message": "Successfully deleted the webhook"},
        refusals=(
            _gone("/webhooks/77", "webhook"),
            Refusal("/webhooks/2", 403, "forbidden"),
        ),
    ),
)
