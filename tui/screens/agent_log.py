"""What agents did on a board in the last hour, and undoing all that one of them did."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

from tui.actions.action import action, board_action
from tui.actions.tasks.history import HistoryActions, undo_hint
from tui.context import Context
from tui.model.work.agent_log import HOUR, AgentChange
from tui.navigation import TaskRequested
from tui.runtime.key_queue import keys_held
from tui.screens.keys import Hints
from tui.screens.lists.table import TableScreen
from tui.store.online.agents import AgentLog, agent_log
from tui.text.clean import counted
from tui.text.dates import ago, local
from tui.widgets import glyphs
from tui.widgets.painted import Line
from tui.widgets.row_list import ListColumn

_WIDE = 70
_MOST_REASONS = 6
"""How many of the changes that stay are named before the user confirms."""


class AgentLogScreen(TableScreen[AgentChange]):
    """The changes of agents on a board, newest first; of one agent, if one is named."""

    row_name, opens = "change", "agents.open"
    keeps_order = True
    actions_of = (HistoryActions,)
    columns: Sequence[ListColumn] = (
        ListColumn("at", width=7, role="quiet"),
        ListColumn("agent", width=14, gap=1, least=_WIDE),
        ListColumn("card", limit=40, gap=2, wide=_WIDE),
        ListColumn("what"),
    )
    first_hints: ClassVar[Hints] = {
        "agents.open": "",
        "agents.undo-all": "",
        "agents.filter": "",
        "board.undo": "",
        "list.back": "",
    }

    def __init__(self, context: Context, board_id: int, agent: str = "") -> None:
        super().__init__(context, board_id)
        self._agent = agent
        self._log = AgentLog(())
        self._since = self._an_hour_ago()

    def _an_hour_ago(self) -> datetime:
        return self.context.now().astimezone(UTC) - HOUR

    @property
    def heading(self) -> str:
        who = f"{glyphs.AGENT} {self._agent}" if self._agent else "Agents"
        return f"{who} in the last hour"

    async def load_rows(self) -> None:
        self._since = self._an_hour_ago()
        self._log = await agent_log(self.store, [self.board_id], self._since)

    def rows(self) -> Sequence[AgentChange]:
        return [change for change in self._log.changes if self._agent in ("", change.agent)]

    def key(self, row: AgentChange) -> tuple[object, ...]:
        return row.at, row.agent, row.task_id, row.what

    def words(self, row: AgentChange) -> str:
        return f"{row.agent} #{row.task_id} {row.title} {row.words}"

    def cells(self, row: AgentChange) -> Sequence[str | Line]:
        now = self.context.now()
        role = "quiet" if row.is_undone else "text"
        what: list[tuple[str, str]] = [("undone: ", "warn")] if row.is_undone else []
        what.append((row.what, role))
        if row.was:
            what.append((f", was {row.was}", "quiet"))
        if not row.is_here:
            what.append((f"  for {row.by}" if row.by else "  elsewhere", "quiet"))
        title = row.title or (f"#{row.task_id}" if row.task_id else "")
        return f" {ago(min(local(row.at), now), now)}", row.agent, title, tuple(what)

    def empty(self) -> tuple[str, str]:
        who = self._agent or "agents"
        return f"nothing was changed by {who} in the last hour", "{list.back:esc} to go back"

    def edge_words(self) -> str:
        return self._log.lacks or ("" if self._log.is_whole else "older changes are not listed")

    @action("agents.open", "", "Open card", hint="open")
    def open_card(self) -> None:
        row = self.need_row()
        if row is None:
            return
        if row.task_id is None:
            self.say("this is about the board, not a card")
        else:
            self.post_message(TaskRequested(row.board_id, row.task_id))

    @action("agents.filter", "f", "Show one agent only", hint="filter", asks=True)
    async def ask_agent(self) -> None:
        from tui.dialogs.questions import ChooseDialog, by_first_letter

        everyone = "all agents"
        names = sorted({change.agent for change in self._log.changes})
        choices = by_first_letter((everyone, *names))
        answer = await self.ask(ChooseDialog("Show …", choices, self._agent or everyone))
        if answer is not None:
            self._agent = "" if answer == everyone else answer
            self.show_rows()

    @board_action(
        "agents.undo-all", "W", "Undo all of an agent", hint="undo all", asks=True, words="revert"
    )
    async def undo_all(self) -> None:
        row = self.need_row()
        if row is None:
            return
        agent = row.agent
        reversal = await self.store.agent_reversal(
            agent, self._since, [self.board_id], self._log.by_others
        )
        kept = self._log.kept(agent, reversal)
        if not reversal.operations:
            why = kept[0] if kept else "it is undone already"
            self.say(f"nothing to undo of {agent}: {why}")
            return
        changes = counted(reversal.changes, "change")
        shown = kept[:_MOST_REASONS]
        if more := len(kept) - len(shown):
            shown.append(f"… and {more} more")
        heading = f"{len(kept)} stay:" if len(kept) > 1 else "1 stays:"
        text = "\n".join([heading, *shown] if kept else ["Nothing else has changed since."])
        if not await self.confirm(f"Undo {changes} of {agent}?", text, verb="undo"):
            self.say("left unchanged")
            return
        with keys_held(self.app):
            await self.store.submit_reversal(agent, reversal)
        self.load()
        hint = self.sent_later or undo_hint(self.context)
        self.say(f"undone: {changes} of {agent}", hint=hint, sign=glyphs.DONE)
