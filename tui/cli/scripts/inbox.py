"""`callboard inbox`: what concerns the user, from what is known of the boards."""

from datetime import datetime
from typing import Any

from tui.cli.output import say, write_json
from tui.cli.scripts.opened import Opened
from tui.cli.table import TableColumn, print_table
from tui.config.inbox_file import InboxFile
from tui.model.work.inbox import InboxEntry, by_card
from tui.notifications.inbox_reader import look
from tui.text.dates import elapsed, local, stamp, wall_clock

_COLUMNS = (
    TableColumn("Card", is_number=True),
    TableColumn("Title", is_wide=True),
    *map(TableColumn, ("What", "Details", "Since", "Board")),
)
_LONGEST = 60


async def list_inbox(opened: Opened, *, lists_all: bool) -> int:
    """Print the unread notifications, or all."""
    entries = await inbox_entries(opened, lists_all=lists_all)
    opened.say_problem(opened.boards())
    titles, now = {board.id: board.title for board in opened.boards()}, wall_clock()
    if opened.how.as_json:
        write_json([inbox_document(entry, titles.get(entry.board_id, "")) for entry in entries])
    elif not entries:
        say("no new notifications" if not lists_all else "no notifications")
    else:
        print_table(
            _COLUMNS,
            [
                [
                    f"#{entry.task_id}",
                    entry.title,
                    entry.kind.value,
                    _cut(entry.words(now)),
                    elapsed(min(local(entry.at), now), now),
                    titles.get(entry.board_id, ""),
                ]
                for entry in entries
            ],
        )
    return 0


async def inbox_entries(opened: Opened, *, lists_all: bool) -> list[InboxEntry]:
    """The notifications about the boards of a command, as the program lists them."""
    await opened.connect()
    boards = opened.boards()
    await opened.views(boards)
    file, now = InboxFile(opened.workspace.inbox), wall_clock()
    await look(opened.store, file, now)
    ids = {board.id for board in boards}
    groups = by_card(entry for entry in file.read().entries.values() if entry.board_id in ids)
    return [entry for group in groups for entry in group.entries if lists_all or entry.is_unread]


def inbox_document(entry: InboxEntry, board: str) -> dict[str, Any]:
    """A notification for programs."""

    def at(moment: datetime | None) -> str | None:
        return None if moment is None else stamp(moment)

    return {
        "kind": entry.kind.value,
        "card": entry.task_id,
        "title": entry.title,
        "board": board,
        "board_id": entry.board_id,
        "at": at(entry.at),
        "who": entry.who or None,
        "text": entry.words(wall_clock()),
        "comment": entry.comment_id,
        "read_at": at(entry.read_at),
    }


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
