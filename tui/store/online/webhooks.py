"""Webhooks of a service."""

from typing import Any

from tui.client.errors import NotAllowed
from tui.model.board import Stage
from tui.model.webhook import Webhook, WebhookField
from tui.store.documents.assemble import Assembler, instant
from tui.store.remote import Document, Remote
from tui.text.clean import line

TEST_TITLE = "Test from Callboard"


async def webhooks(remote: Remote) -> tuple[tuple[Webhook, ...], tuple[WebhookField, ...]]:
    """All webhooks, newest first, and the fields that they accept. Raises `NotAllowed`."""
    try:
        told, fields = await remote.webhooks()
    except NotAllowed as error:
        why = "Webhooks are shown to administrators only."
        raise NotAllowed(why, details=error.details, status=error.status) from error
    found = sorted(map(_webhook, told), key=lambda each: each.id, reverse=True)
    return tuple(found), tuple(map(_field, fields))


async def stages(remote: Remote, board_id: int) -> tuple[Stage, ...]:
    """The active stages of a board that may not be cached."""
    return Assembler().empty_view(await remote.board(board_id)).stages


async def send_test(remote: Remote, webhook: Webhook) -> str:
    """Post a task to a webhook; returns the reply in the service's words."""
    reply = await remote.post_to_webhook(webhook.address, {"title": TEST_TITLE})
    told = reply.get("data")
    said = told.get("message") if isinstance(told, dict) else reply.get("message")
    return webhook.hide_key(_line(said))


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


def _field(document: Document) -> WebhookField:
    told = document.get("field") or {}
    return WebhookField(
        _line(document["key"]),
        _line(told.get("type")),
        _line(told.get("rules")),
        _line(told.get("description")),
    )


def _line(value: Any) -> str:
    return line(value) if isinstance(value, str) else ""
