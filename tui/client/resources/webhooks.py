"""Webhooks, whose addresses take tasks from elsewhere (section 4.10)."""

from dataclasses import dataclass, field

from tui.client.answers import Listing
from tui.client.endpoints import Endpoint
from tui.client.records import AcceptedField, WebhookRecord, WebhookTarget
from tui.client.records.values import as_integer
from tui.client.service import Service


@dataclass(frozen=True, slots=True)
class WebhookListing(Listing[WebhookRecord]):
    """Webhooks, and the fields of a task that every one of them takes."""

    fields: list[AcceptedField] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MadeWebhook:
    """A new webhook, and all that there are now, itself among them."""

    target: WebhookTarget
    webhook_id: int | None
    webhooks: Listing[WebhookRecord]


class Webhooks:
    """The webhooks of a service, for administrators. Every method may raise `ApiError`.

    Raises `NotAllowed` for everybody else. The addresses let anybody make tasks: never log them.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def list(self, search: str = "") -> WebhookListing:
        """The webhooks whose name holds `search`, and what they take (4.10)."""
        query = {"search": search} if search else None
        answer = await self._service.ask(Endpoint.LIST_WEBHOOKS, query=query)
        hooks = await answer.listing(WebhookRecord, "webhooks")
        fields = await answer.listing(AcceptedField, "fields", is_due=False)
        return WebhookListing(hooks.records, hooks.skipped + fields.skipped, fields.records)

    async def create(self, name: str, board_id: int, stage_id: int) -> MadeWebhook:
        """Make a webhook whose tasks go into a stage of a board (4.10).

        Raises `Refused`, `NotThere`. Never repeat it blindly.
        """
        body = {"name": name, "board": board_id, "stage": stage_id}
        answer = await self._service.ask(Endpoint.CREATE_WEBHOOK, body=body)
        target = answer.record(WebhookTarget, "webhook")
        hooks = await answer.listing(WebhookRecord, "webhooks", is_due=False)
        return MadeWebhook(target, as_integer(answer.value.get("id")), hooks)

    async def delete(self, webhook_id: int) -> Listing[WebhookRecord]:
        """Delete a webhook; returns those that remain (4.10).

        Deleting twice is an error or a success, as the service likes. Raises `NotThere`.
        """
        answer = await self._service.ask(Endpoint.DELETE_WEBHOOK, webhook_id)
        return await answer.listing(WebhookRecord, "webhooks", is_due=False)
