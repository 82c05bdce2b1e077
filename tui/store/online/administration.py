"""People of the whole service, folders and webhooks."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from tui.client.documents import Document
from tui.client.errors import NotAllowed, NotFound, NotOffered, Refused
from tui.model.board import Board, Stage
from tui.model.folder import Folder
from tui.model.people import Role, User
from tui.model.task import Person
from tui.model.webhook import AcceptedField, Webhook
from tui.store.documents.assemble import Assembler, instant
from tui.store.remote import Remote
from tui.text.clean import line, quoted
from tui.text.fuzzy import fold

TEST_TITLE = "Test from Callboard"


async def administrators(remote: Remote, board_id: int) -> frozenset[int]:
    """The ids of the members of a board who administer the whole service."""
    members = await remote.members(board_id)
    return frozenset(user["ID"] for user in members if _is_administrator(user))


async def assignees(remote: Remote, board_id: int) -> tuple[Person, ...]:
    """Those who can be, or are, assigned to tasks of a board: members, and some who left it."""
    return tuple(map(Assembler().person, await remote.assignees(board_id)))


async def users(remote: Remote, boards: Iterable[Board]) -> tuple[User, ...]:
    """All users by name, with their roles; those of these boards if users are not listed."""
    documents: dict[int, Document] = {}
    roles: defaultdict[int, dict[int, Role]] = defaultdict(dict)
    try:
        for user in await remote.users():
            documents[user["ID"]] = user
            for role in user.get("boards") or ():
                roles[user["ID"]][role["id"]] = _role(role)
    except (NotOffered, NotAllowed):
        for board in boards:
            for user in await _members(remote, board.id):
                documents.setdefault(user["ID"], user)
                roles[user["ID"]][board.id] = _role(user)
    users = [
        User(Assembler().person(user), roles[user_id], _is_administrator(user))
        for user_id, user in documents.items()
    ]
    return tuple(sorted(users, key=lambda user: (fold(user.person.name), user.person.id)))


async def _members(remote: Remote, board_id: int) -> list[Document]:
    try:
        return await remote.members(board_id)
    except (NotAllowed, NotFound):
        return []


def _role(document: Document) -> Role:
    return Role.of(document.get("role")) or Role.MEMBER


def _is_administrator(user: Document) -> bool:
    return bool(user.get("is_super") or user.get("is_wpadmin"))


async def remove_user(remote: Remote, board_id: int, user_id: int) -> None:
    """Remove a user from a board."""
    # Newer free editions lack this endpoint; there an empty role removes the member.
    try:
        await remote.remove_user(board_id, user_id)
    except NotOffered:
        await remote.set_role(board_id, user_id, "")


async def everybody(remote: Remote) -> tuple[Person, ...]:
    """All users by name; the members of all boards if the service does not list users."""
    return tuple(map(Assembler().person, await remote.everybody()))


async def search_users(remote: Remote, words: str) -> tuple[Person, ...]:
    """The users whose name contains the words; nobody if the service does not search."""
    try:
        return tuple(map(Assembler().person, await remote.search_users(words)))
    except (NotOffered, NotAllowed):
        return ()


async def folders(remote: Remote) -> tuple[Folder, ...]:
    """All folders by title, which only services of the extended edition have."""
    result = [
        Folder(
            document["id"],
            line(document.get("title") or ""),
            frozenset(document.get("boards_ids") or ()),
        )
        for document in await remote.folders()
    ]
    return tuple(sorted(result, key=lambda folder: (folder.title.casefold(), folder.id)))


async def create_folder(remote: Remote, title: str) -> int:
    """Create a folder; returns its id.

    Raises `Refused` if there is one with this title, which may be the result of an earlier try.
    """
    if any(folder.title == title for folder in await folders(remote)):
        raise Refused(f"A folder {quoted(title)} already exists.")
    return int((await remote.create_folder(title))["id"])


async def webhooks(remote: Remote) -> tuple[tuple[Webhook, ...], tuple[AcceptedField, ...]]:
    """All webhooks, newest first, and the fields that they accept. Raises `NotAllowed`."""
    try:
        documents, fields = await remote.webhooks()
    except NotAllowed as error:
        why = "Webhooks are shown to administrators only."
        raise NotAllowed(why, details=error.details, status=error.status) from error
    hooks = sorted(map(_webhook, documents), key=lambda hook: hook.id, reverse=True)
    return tuple(hooks), tuple(map(_field, fields))


async def stages(remote: Remote, board_id: int) -> tuple[Stage, ...]:
    """The active stages of a board that may not be cached."""
    return Assembler().empty_view(await remote.board(board_id)).stages


async def send_test(remote: Remote, webhook: Webhook) -> str:
    """Post a task to a webhook; returns the reply in the service's words."""
    reply = await remote.post_to_webhook(webhook.address, {"title": TEST_TITLE})
    data = reply.get("data")
    message = data.get("message") if isinstance(data, dict) else reply.get("message")
    return webhook.hide_key(_line(message))


def _webhook(document: Document) -> Webhook:
    value = document.get("value") or {}
    return Webhook(
        id=document["id"],
        name=_line(value.get("name")),
        board_id=value.get("board") or 0,
        stage_id=value.get("stage") or 0,
        created_at=instant(document.get("created_at")),
        address=_line(value.get("url")),
        key=_line(document.get("key")),
    )


def _field(document: Document) -> AcceptedField:
    field = document.get("field") or {}
    return AcceptedField(
        _line(document["key"]),
        _line(field.get("type")),
        _line(field.get("rules")),
        _line(field.get("description")),
    )


def _line(value: Any) -> str:
    return line(value) if isinstance(value, str) else ""
