"""The webhooks of the service, for administrators: their addresses create cards."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.host import ErrorsSaid
from tui.actions.old import Action, bindings
from tui.context import Context
from tui.model.board import Board, Stage
from tui.model.comment_text import ago
from tui.model.webhook import Webhook, WebhookField
from tui.screens.lists.content import TABLE_WIDTH, ListContext
from tui.screens.lists.screen import ListScreen
from tui.store.online import administration as online
from tui.text.cells import cut, fit
from tui.text.clean import quoted
from tui.text.dates import local
from tui.text.keyed import keyed
from tui.widgets.painted import Line

_AGE_WIDTH = 12
_WIDE = 60
_NOT_REACHABLE = "only this program can reach it, without a server"
_MOST_BOARDS = 10
"""How many boards that are not cached are asked for the names of their stages."""


class Webhooks:
    """All webhooks, those of the board `here` first."""

    title, row, opens = "Webhooks", "webhook", "webhook.show"
    move = None

    def __init__(self, context: Context, here: int | None) -> None:
        self.here = here
        self.fields: Sequence[WebhookField] = ()
        self._context = context
        self._store = context.store
        self._webhooks: Sequence[Webhook] = ()
        self._stages: dict[int, Sequence[Stage]] = {}

    async def load(self) -> None:
        """Fetch the webhooks, and the stages of their boards that are not cached."""
        remote = await self._store.service()
        self._webhooks, self.fields = await online.webhooks(remote)
        used = dict.fromkeys(each.board_id for each in self._webhooks)
        known = {board.id for board in self._store.boards()}
        unknown = [each for each in used if each in known and not self._known_stages(each)]
        for board_id in unknown[:_MOST_BOARDS]:
            await self.stages(board_id)

    async def stages(self, board_id: int) -> Sequence[Stage]:
        """The stages of a board, fetched if they are not known. Raises `CallboardError`."""
        known = self._known_stages(board_id)
        if not known:
            known = await online.stages(await self._store.service(), board_id)
            self._stages[board_id] = known
        return known

    def rows(self) -> Sequence[Webhook]:
        return sorted(self._webhooks, key=lambda each: each.board_id != self.here)

    def key(self, row: Webhook) -> int:
        return row.id

    def words(self, row: Webhook) -> str:
        return f"{row.name} {' '.join(self.place(row))}"

    def line(self, row: Webhook, width: int) -> Line:
        width = min(width, TABLE_WIDTH)
        made = row.created_at
        age = "" if made is None else ago(local(made), self._context.now())
        room = max(4, width - (_AGE_WIDTH if width >= _WIDE else 0))
        place = " → ".join(self.place(row))
        return (
            (f" {fit(row.name or '(no name)', room // 2 - 2)} ", "title"),
            (fit(place, room - room // 2), "meta"),
            (f"{age:>{_AGE_WIDTH - 1}} " if width >= _WIDE else "", "count"),
        )

    def empty(self) -> tuple[str, str]:
        return "no webhooks yet", "{webhook.new:n} makes one"

    def place(self, row: Webhook) -> tuple[str, str]:
        """The names of the board and the stage of a webhook."""
        boards = (board.title for board in self._store.boards() if board.id == row.board_id)
        stages = (
            each.title for each in self._known_stages(row.board_id) if each.id == row.stage_id
        )
        return (
            next(boards, f"board {row.board_id}") or "(no title)",
            next(stages, f"stage {row.stage_id}") or "(no title)",
        )

    def _known_stages(self, board_id: int) -> Sequence[Stage]:
        view = self._store.board(board_id)
        return self._stages.get(board_id, ()) if view is None else view.stages


class WebhookContext(ListContext[Webhook]):
    """The webhooks that the actions run on."""

    content: Webhooks


class ShowWebhook(Action[WebhookContext]):
    """Shows where the webhook's cards go, its address without the key, and the fields it takes."""

    id, keys, label = "webhook.show", "o", "Show webhook"
    asks = True

    async def run(self, on: WebhookContext) -> None:
        from tui.dialogs.details import DetailsDialog

        row = on.need_row()
        if row is None:
            return
        board, stage = on.content.place(row)
        use = (
            _NOT_REACHABLE
            if row.is_embedded
            else keyed("{webhook.copy:y} in the list copies it with its key")
        )
        address = f"{row.masked_address or '(not known)'}\n{use}"
        details = [("Cards go to", f"{board} → {stage}"), ("Address", address)]
        details += [(_kind(each), each.description) for each in on.content.fields]
        await on.ask(DetailsDialog(f"Webhook {quoted(row.name)}", details))


def _kind(field: WebhookField) -> str:
    """A field with its type and its rules."""
    return f"{field.key}  {', '.join(filter(None, (field.kind, field.rules)))}"


class NewWebhook(Action[WebhookContext]):
    """Asks for a board, then for a name and a stage, and creates a webhook."""

    id, keys, label, hint = "webhook.new", "n", "New webhook", "new"
    changes_more = True
    asks = True

    async def run(self, on: WebhookContext) -> None:
        from tui.dialogs.form import Choice, Field, FormDialog

        board = await _ask_board(on)
        if board is None:
            return
        with ErrorsSaid(on.host):
            stages = await on.content.stages(board.id)
            if not stages:
                on.say(f"{quoted(board.title)} has no stage for new cards")
                return
            made: list[int | None] = []

            async def create(answers: Mapping[str, str]) -> None:
                remote = await on.store.service()
                name, stage = answers["name"], int(answers["stage"])
                made.append(await remote.create_webhook(name, board.id, stage))

            choices = [Choice(str(each.id), each.title or "(no title)") for each in stages]
            fields = (
                Field("name", "Name", is_required=True, placeholder="what will post to it"),
                Field("stage", "Stage", choices[0].value, choices),
            )
            title = f"New webhook for {quoted(board.title)}"
            form = FormDialog(title, fields, verb="create", send=create)
            answer = await on.ask(form)
            if answer is not None:
                on.say(
                    f"added the webhook {quoted(answer['name'])}",
                    hint="{webhook.copy:y} copies its address",
                )
            on.reload(*made)


async def _ask_board(on: WebhookContext) -> Board | None:
    """Ask for one of the boards, the present one first."""
    from tui.dialogs.pick.find import PickParent, PlaceChoice

    boards = [board for board in on.store.boards() if board.archived_at is None]
    boards.sort(key=lambda board: board.id != on.content.here)
    if not boards:
        on.say("there is no board to make cards on")
    if len(boards) <= 1:
        return next(iter(boards), None)
    places = [PlaceChoice(board.id, board.title) for board in boards]
    place = await on.ask(PickParent("New webhook for which board?", places))
    return next((board for board in boards if place and board.id == place.key), None)


class CopyAddress(Action[WebhookContext]):
    """Copies the address with its key, which is not shown."""

    id, keys, label, hint = "webhook.copy", "y", "Copy address", "copy"

    async def run(self, on: WebhookContext) -> None:
        row = on.need_row()
        if row is not None and not row.address:
            on.say("the service does not report the address of this webhook")
        elif row is not None:
            on.host.app.copy_to_clipboard(row.address)
            hint = (
                _NOT_REACHABLE if row.is_embedded else "it is a secret: it lets anybody make cards"
            )
            on.say(f"copied the address of {quoted(row.name)}", hint=hint)


class TestWebhook(Action[WebhookContext]):
    """Posts a task to the webhook's address, and shows the reply."""

    id, keys, label, hint = "webhook.test", "T", "Send test card", "test"
    changes_more = True

    async def run(self, on: WebhookContext) -> None:
        row = on.need_row()
        if row is not None:
            on.say(f"sending a test to {quoted(row.name)} …")
            on.host.run_worker(self._send(on, row), group="webhook-test", exclusive=False)

    async def _send(self, on: WebhookContext, row: Webhook) -> None:
        with ErrorsSaid(on.host):
            reply = await online.send_test(await on.store.service(), row)
            _, stage = on.content.place(row)
            said = f": {cut(reply.rstrip('.'), 40)}" if reply else ""
            on.say(f"{quoted(row.name)} answered{said}: see “{online.TEST_TITLE}” in {stage}")
            if on.store.board(row.board_id) is not None:
                await on.store.refresh(row.board_id)


class DeleteWebhooks(Action[WebhookContext]):
    """Asks for confirmation, then deletes the webhooks."""

    id, keys, label = "webhook.delete", "D", "Delete webhook"
    changes_more = True
    asks = True

    async def run(self, on: WebhookContext) -> None:
        rows = on.need_rows()
        if not rows:
            return
        names = ", ".join(quoted(row.name) for row in rows)
        text = "What posts to its address will be refused. This cannot be undone."
        if await on.confirm(f"Delete the webhook {names}?", text):
            with ErrorsSaid(on.host):
                remote = await on.store.service()
                for row in rows:
                    await remote.delete_webhook(row.id)
                on.say(f"deleted the webhook {names}")
            on.reload()


ACTIONS: tuple[Action[WebhookContext], ...] = (
    ShowWebhook(), NewWebhook(), CopyAddress(), TestWebhook(), DeleteWebhooks(),
)  # fmt: skip


class WebhooksScreen(ListScreen):
    """The webhooks of the service."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int | None) -> None:
        super().__init__(context, None, Webhooks(context, board_id), ACTIONS)


SCREEN = WebhooksScreen
