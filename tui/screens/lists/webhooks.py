"""The webhooks of the service, for administrators: their addresses create cards."""

from collections.abc import Mapping, Sequence

from tui.actions.action import action
from tui.actions.host import ErrorsSaid
from tui.context import Context
from tui.model.board import Board, Stage
from tui.model.webhook import AcceptedField, Webhook
from tui.screens.lists.table import TableScreen
from tui.store.online import administration as online
from tui.text.cells import cut
from tui.text.clean import quoted
from tui.text.dates import elapsed, local
from tui.text.keyed import keyed
from tui.widgets.row_list import ListColumn

_NOT_REACHABLE = "only this program can reach it; it needs a server"
_MOST_BOARDS = 10
"""How many boards that are not cached are asked for the names of their stages."""


class WebhooksScreen(TableScreen[Webhook]):
    """All webhooks, those of the board from which the list was opened first."""

    heading, row_name, opens = "Webhooks", "webhook", "webhook.show"
    nothing = ("no webhooks yet", "{webhook.new:n} to add one")
    is_of_board = False
    columns = (
        ListColumn("webhook", gap=1),
        ListColumn("board and stage", role="quiet"),
        ListColumn("age", width=12, role="quiet", align="right", gap=1, least=60),
    )

    def __init__(self, context: Context, board_id: int | None) -> None:
        super().__init__(context)
        self._board_id = board_id
        self._webhooks: Sequence[Webhook] = ()
        self._fields: Sequence[AcceptedField] = ()
        self._fetched_stages: dict[int, Sequence[Stage]] = {}

    async def load_rows(self) -> None:
        self._webhooks, self._fields = await online.webhooks(await self.store.service())
        used = dict.fromkeys(webhook.board_id for webhook in self._webhooks)
        present = {board.id for board in self.store.boards()}
        unknown = [
            board_id
            for board_id in used
            if board_id in present and not self._known_stages(board_id)
        ]
        for board_id in unknown[:_MOST_BOARDS]:
            await self._stages(board_id)

    def rows(self) -> Sequence[Webhook]:
        return sorted(self._webhooks, key=lambda row: row.board_id != self._board_id)

    def words(self, row: Webhook) -> str:
        return f"{row.name} {' '.join(self._place(row))}"

    def cells(self, row: Webhook) -> Sequence[str]:
        age = "" if row.created_at is None else elapsed(local(row.created_at), self.context.now())
        return f" {row.name or '(no name)'}", " → ".join(self._place(row)), age

    def _place(self, row: Webhook) -> tuple[str, str]:
        boards = {board.id: board.title for board in self.store.boards()}
        stages = {stage.id: stage.title for stage in self._known_stages(row.board_id)}
        return (
            boards.get(row.board_id, f"board {row.board_id}") or "(no title)",
            stages.get(row.stage_id, f"stage {row.stage_id}") or "(no title)",
        )

    def _known_stages(self, board_id: int) -> Sequence[Stage]:
        view = self.store.board(board_id)
        return self._fetched_stages.get(board_id, ()) if view is None else view.stages

    async def _stages(self, board_id: int) -> Sequence[Stage]:
        stages = self._known_stages(board_id)
        if not stages:
            stages = await online.stages(await self.store.service(), board_id)
            self._fetched_stages[board_id] = stages
        return stages

    @action("webhook.show", "o", "Show webhook", asks=True)
    async def show_webhook(self) -> None:
        from tui.dialogs.help import DetailsDialog

        row = self.need_row()
        if row is None:
            return
        board, stage = self._place(row)
        use = keyed("{webhook.copy:y} in the list to copy it with its key")
        if row.is_embedded:
            use = _NOT_REACHABLE
        details = [
            ("Cards go to", f"{board} → {stage}"),
            ("Address", f"{row.masked_address or '(unknown)'}\n{use}"),
        ]
        for field in self._fields:
            rules = ", ".join(filter(None, (field.kind, field.rules)))
            details.append((f"{field.key}  {rules}", field.description))
        await self.ask(DetailsDialog(f"Webhook {quoted(row.name)}", details))

    @action("webhook.new", "n", "New webhook", hint="new", asks=True, changes_more=True)
    async def create(self) -> None:
        from tui.dialogs.form import Choice, FormDialog, FormField

        board = await self._ask_board()
        if board is None:
            return
        stages = await self._stages(board.id)
        if not stages:
            self.say(f"{quoted(board.title)} has no stage for new cards")
            return
        created_ids: list[int | None] = []

        async def send(answers: Mapping[str, str]) -> None:
            service = await self.store.service()
            name, stage = answers["name"], int(answers["stage"])
            created_ids.append(await service.create_webhook(name, board.id, stage))

        choices = [Choice(str(stage.id), stage.title or "(no title)") for stage in stages]
        fields = (
            FormField("name", "Name", is_required=True, placeholder="what will post to it"),
            FormField("stage", "Stage", choices[0].value, choices),
        )
        title = f"New webhook for {quoted(board.title)}"
        answers = await self.ask(FormDialog(title, fields, verb="create", send=send))
        if answers is not None:
            hint = "{webhook.copy:y} to copy its address"
            self.say(f"added the webhook {quoted(answers['name'])}", hint=hint)
        self.load(*created_ids)

    async def _ask_board(self) -> Board | None:
        from tui.dialogs.pick.places import PickParent, PlaceChoice

        boards = sorted(self.active_boards, key=lambda board: board.id != self._board_id)
        if not boards:
            self.say("no board to add cards to")
        if len(boards) <= 1:
            return next(iter(boards), None)
        places = [PlaceChoice(board.id, board.title) for board in boards]
        place = await self.ask(PickParent("New webhook for which board?", places))
        return next((board for board in boards if place and board.id == place.key), None)

    @action("webhook.copy", "y", "Copy address", hint="copy")
    def copy_address(self) -> None:
        row = self.need_row()
        if row is not None and not row.address:
            self.say("the service does not report the address of this webhook")
        elif row is not None:
            self.app.copy_to_clipboard(row.address)
            hint = "keep it secret: anyone who has it can add cards"
            if row.is_embedded:
                hint = _NOT_REACHABLE
            self.say(f"copied the address of {quoted(row.name)}", hint=hint)

    @action("webhook.test", "T", "Send test card", hint="test", changes_more=True)
    def send_test(self) -> None:
        row = self.need_row()
        if row is not None:
            self.say(f"sending a test to {quoted(row.name)} …")
            self.run_worker(self._send_test(row), group="webhook-test")

    async def _send_test(self, row: Webhook) -> None:
        with ErrorsSaid(self, in_background=True):
            reply = await online.send_test(await self.store.service(), row)
            _, stage = self._place(row)
            answer = f": {cut(reply.rstrip('.'), 40)}" if reply else ""
            self.say(f"{quoted(row.name)} answered{answer}: see “{online.TEST_TITLE}” in {stage}")
            # The test created a card on a board that is cached.
            if self.store.board(row.board_id) is not None:
                await self.store.refresh(row.board_id)

    @action("webhook.delete", "D", "Delete webhook", asks=True, changes_more=True)
    async def delete(self) -> None:
        rows = self.need_rows()
        if not rows:
            return
        names = ", ".join(quoted(row.name) for row in rows)
        text = "Posts to its address will be refused. This cannot be undone."
        if await self.confirm(f"Delete the webhook {names}?", text):
            try:
                service = await self.store.service()
                for row in rows:
                    await service.delete_webhook(row.id)
                self.say(f"deleted the webhook {names}")
            # If one fails, others may be deleted already.
            finally:
                self.load()


SCREEN = WebhooksScreen
