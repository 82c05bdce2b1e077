"""`callboard agents`: what agents did lately, and undoing all that one of them did."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tui.cli.output import say, say_beside, write_json
from tui.cli.scripts.agent_name import agent_given
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.writing import REFUSED, SECONDS, connect
from tui.cli.table import TableColumn, print_table
from tui.errors import WrongInput
from tui.model.board import Board
from tui.model.work.agent_log import AgentChange
from tui.store.online.agents import AgentLog, agent_log
from tui.text.agent_marks import origin_of
from tui.text.clean import counted
from tui.text.dates import elapsed, local, stamp, wall_clock

_COLUMNS = (
    TableColumn("Agent"),
    TableColumn("Card", is_number=True),
    TableColumn("Title", is_wide=True),
    *map(TableColumn, ("What", "Since", "Board")),
)
_LONGEST = 60


async def agents(
    opened: Opened, *, name: str, boards: Sequence[str], minutes: int, undoes: bool
) -> int:
    """Print what agents did, of one that is named, or undo it; the exit code."""
    agent = origin_of(agent_given(name))
    if undoes and not agent:
        raise WrongInput("the agent is missing, such as codex.", hint="callboard agents lists them")
    await (connect(opened) if undoes else opened.connect())
    named = opened.named(boards)
    await opened.views(named)
    since = datetime.now(UTC) - timedelta(minutes=minutes)
    log = await agent_log(opened.store, [board.id for board in named], since)
    changes = [change for change in log.changes if agent in ("", change.agent)]
    if log.lacks:
        say_beside(f"callboard: {log.lacks}")
    if undoes:
        return await _undo(opened, agent, named, since, log)
    titles, now = {board.id: board.title for board in named}, wall_clock()
    if opened.how.as_json:
        write_json([change_document(change, titles) for change in changes])
    elif not changes:
        say(f"nothing was changed by {agent or 'agents'} in the last {_in_words(minutes)}")
    else:
        print_table(_COLUMNS, [_row(change, titles, now) for change in changes])
    return 0


async def _undo(
    opened: Opened, agent: str, boards: Sequence[Board], since: datetime, log: AgentLog
) -> int:
    store, ids = opened.store, [board.id for board in boards]
    reversal = await store.agent_reversal(agent, since, ids, log.by_others)
    kept = log.kept(agent, reversal)
    if opened.how.is_dry:
        from tui.cli.scripts.dry_run import show_requests

        views = [view for board_id in ids if (view := await store.load_board(board_id)) is not None]
        code = await show_requests(opened, views, reversal.operations)
        _say_kept(kept)
        return code
    refused: list[str] = []
    is_kept = False
    if reversal.operations:
        older = {pending.id for pending in store.pending()}
        await store.submit_reversal(agent, reversal)
        await opened.sent(SECONDS, besides=older)
        own = [pending for pending in store.pending() if pending.id not in older]
        refused = [entry.operation.describe() for entry in own if entry.needs_attention]
        is_kept = any(not entry.needs_attention for entry in own)
        await opened.read_back(boards)
    if opened.how.as_json:
        state = "refused" if refused else "kept" if is_kept else "sent"
        state = state if reversal.operations else "unchanged"
        write_json({"agent": agent, "undone": reversal.changes, "left": kept, "state": state})
        return REFUSED if refused else 0
    opened.say(f"undone: {counted(reversal.changes, 'change')} of {agent}")
    _say_kept(kept)
    for words in refused:
        say_beside(f"callboard: not accepted: {words}. Decide in the program (g u).")
    if is_kept:
        say_beside("callboard: Kept; will be sent when online.")
    return REFUSED if refused else 0


def _say_kept(kept: Sequence[str]) -> None:
    for words in kept:
        say_beside(f"callboard: left as it is: {words}")


def _row(change: AgentChange, titles: dict[int, str], now: datetime) -> list[str]:
    words = f"{change.words}{' (undone)' if change.is_undone else ''}"
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    number = f"#{change.task_id}" if change.task_id and change.task_id > 0 else ""
    since = elapsed(min(local(change.at), now), now)
    return [change.agent, number, change.title, cut, since, titles.get(change.board_id, "")]


def change_document(change: AgentChange, titles: dict[int, str]) -> dict[str, Any]:
    """A change of an agent for programs."""
    return {
        "agent": change.agent,
        "at": stamp(change.at),
        "board": titles.get(change.board_id, ""),
        "board_id": change.board_id,
        "card": change.task_id,
        "title": change.title,
        "what": change.what,
        "was": change.was or None,
        "for": change.by or None,
        "here": change.is_here,
        "undone": change.is_undone,
    }


def _in_words(minutes: int) -> str:
    return "hour" if minutes == 60 else counted(minutes, "minute")  # noqa: PLR2004
