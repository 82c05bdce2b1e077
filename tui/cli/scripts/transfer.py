"""`callboard import` of files of other programs.

An import goes through the outbox, like every change: it works without a connection, and a run that
was killed is continued by the same command.
"""

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from tui.cli.output import say, say_beside, write_json
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.reading import archived_cards
from tui.cli.scripts.writing import SECONDS, Plan, carry_out, connect
from tui.cli.serving import import_from
from tui.client.capabilities import Feature
from tui.errors import CallboardError, CannotGoOn, WrongInput, reason_of
from tui.model.board import Board, BoardView
from tui.model.task import Priority, Status
from tui.store.events import PendingState
from tui.text import clean
from tui.text.clean import counted, quoted
from tui.text.dates import stamp, wall_clock
from tui.transfer.formats.fields import FIELDS
from tui.transfer.importing import Import, ImportTarget, board_for, import_of, summary
from tui.transfer.reading import MOST_BYTES, read_sheet
from tui.transfer.record import ImportRecord
from tui.transfer.sheet import NotReadable, Sheet, SheetCard, same_title

_ARCHIVE = b"PK\x03\x04"
_STDIN = "-"
_TITLE_OF_PIPED = "Imported"
"""The title of a board without one, from a pipe: its file is called “-” or “63”."""
_RECORD = "imports"
_LISTED = 10
"""The most cards that are named of those left out."""


def import_file(
    how: How,
    file: Path,
    *,
    board: str,
    form: str,
    columns: Sequence[str],
    again: bool,
    database: str,
    attachments: Path | None,
) -> int:
    """Import an archive of a service, or the cards of a file of another program."""
    is_archive = bool(database or attachments) or file.suffix == ".zip" or _is_archive(file)
    if is_archive:
        if board or form or columns or again or how.is_dry:
            raise WrongInput(
                "an archive is imported as a whole: only --database and --attachments belong to it."
            )
        return import_from(file, database, attachments)
    title = file.stem if file.is_file() else _TITLE_OF_PIPED
    try:
        sheet = read_sheet(_content(file), title, form, dict(map(_column, columns)))
    except NotReadable as error:
        name = "standard input" if str(file) == _STDIN else clean.line(str(file))
        raise WrongInput(f"{name} is not imported: {error.message}", hint=error.hint) from error

    return run_opened(how, lambda opened: _import(opened, sheet, board, again=again))


def _is_archive(file: Path) -> bool:
    if not file.is_file():  # of a pipe nothing may be read twice
        return False
    try:
        with file.open("rb") as opened:
            return opened.read(len(_ARCHIVE)) == _ARCHIVE
    except OSError:
        return False


def _content(file: Path) -> bytes:
    try:
        if str(file) == _STDIN:
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise WrongInput(
            f"{clean.line(str(file))} cannot be read: {reason_of(error)}. Nothing was changed."
        ) from error


def _column(words: str) -> tuple[str, str]:
    name, _, column = words.partition("=")
    if name not in FIELDS or not column:
        raise WrongInput(
            f"{quoted(clean.line(words))} maps no column.",
            hint=f"Type FIELD=COLUMN; fields: {', '.join(FIELDS)}.",
        )
    return name, column


async def _import(opened: Opened, sheet: Sheet, words: str, *, again: bool) -> int:
    await connect(opened)
    if not (opened.how.is_dry or opened.problems):  # what an interrupted run has left
        await opened.sent(SECONDS)
    store = opened.workspace.store
    path = opened.workspace.preferences.with_name(_RECORD)
    with closing(ImportRecord(path, store.has_local_id)) as record:
        # Boards that earlier runs made offline may have got their ids since.
        for local_id in record.local_boards():
            if (sent := await store.load_board(local_id)) and sent.board.id > 0:
                record.rename_board(local_id, sent.board.id)
        board = _target(opened, sheet, words, record)
        is_new = board is None
        if board is None:
            view = BoardView(board_for(sheet)[0].board)
            if not opened.how.is_dry:
                view = await _new_board(opened, sheet, record)
        else:
            (view,) = await opened.views([board])
        known_ids = {} if again else record.cards(view.board.id)
        imported = import_of(
            sheet,
            ImportTarget(
                view,
                opened.store.me,
                wall_clock(),
                known={key: store.current_id(own_id) for key, own_id in known_ids.items()},
                archived=await archived_cards(opened, view),
                has_groups=opened.store.offers(Feature.SUBTASK_GROUPS) is not False,
            ),
            # A run may have been killed before it made the stages of a new board.
            is_new=is_new or not view.stages,
        )
        if opened.problems:  # what is cached may lack cards that are there
            imported = imported._replace(present=[*imported.present, *imported.gone], gone=())
        if opened.how.is_dry:
            return _show(opened, imported, view, is_new=is_new)
        record.note_board(sheet.source, view.board.id)
        record.adopt(view.board.id, imported.adopted)
        record.expect(view.board.id, {task.id: card.key for card, task in imported.cards})
        tasks = [task for _, task in imported.cards]
        where = f"to {quoted(view.board.title)}"
        code = await carry_out(
            opened,
            Plan(
                *(imported.operations, "imported", tasks, [view], where),
                progress=record,
                more=_document(imported, view, is_new=is_new),
            ),
        )
        _say_rest(opened, imported, view.board)
        return code


def _target(opened: Opened, sheet: Sheet, words: str, record: ImportRecord) -> Board | None:
    # The board that is named; else the one to which the same was imported before, or of its title.
    if words:
        return opened.board(words)
    boards = [board for board in opened.store.boards() if board.archived_at is None]
    board_id = record.boards.get(sheet.source)
    return next((board for board in boards if board.id == board_id), None) or next(
        (board for board in boards if same_title(board.title, sheet.title)), None
    )


async def _new_board(opened: Opened, sheet: Sheet, record: ImportRecord) -> BoardView:
    # Made by the service if it is reached, so that its members are known.
    store, operations = opened.workspace.store, board_for(sheet)
    local_id = operations[0].board_id
    # Noted first, so that after a kill the next run finds the board that was submitted.
    record.note_board(sheet.source, local_id)
    await store.submit(*operations)
    if not opened.problems:
        left = [pending for pending in await opened.sent(SECONDS) if pending.board_id == local_id]
        for change in left:
            if change.state is PendingState.REFUSED:
                await store.discard(change.id)
                raise CallboardError(f"the board was refused: {change.reason}")
        await store.refresh(local_id)
    view = await store.load_board(local_id)
    if view is None:
        raise CannotGoOn(
            "the new board cannot be read yet; run the same command again to continue."
        )
    if view.board.id > 0:
        record.rename_board(local_id, view.board.id)
    opened.say(f"added the board {quoted(view.board.title)}")
    return view


def _say_rest(opened: Opened, found: Import, board: Board) -> None:
    if found.present and (found.cards or found.gone):
        count = counted(len(found.present), "card")
        opened.say(f"left unchanged on {quoted(board.title)}: {count} of the file")
    elif found.present:
        opened.say(f"all are already on {quoted(board.title)}, and were left unchanged")
    _say_left_out(found)


def _titles(cards: Sequence[SheetCard]) -> str:
    more = f" and {len(cards) - _LISTED:,} more" if cards[_LISTED:] else ""
    return ", ".join(quoted(card.title) for card in cards[:_LISTED]) + more


def _say_left_out(found: Import) -> None:
    if found.by_title:
        say_beside(f"callboard: matched by title only: {_titles(found.by_title)}")
    if found.gone:
        say_beside(f"callboard: imported before, and no longer there: {_titles(found.gone)}")
        say_beside("           --again adds them again.")
    if found.lost and found.cards:
        say_beside("callboard: not imported as it is in the file:")
        for line in found.lost:
            say_beside(f"  {line}")


def _show(opened: Opened, found: Import, view: BoardView, *, is_new: bool) -> int:
    if opened.how.as_json:
        documents = [_card_document(card) for card, _ in found.cards]
        write_json(_document(found, view, is_new=is_new) | {"cards": documents})
        return 0
    opened.say_problem([] if is_new else [view.board])
    title = quoted(view.board.title)
    stages = ", ".join(found.stages)
    say(f"would create the board {title}: {stages}" if is_new else f"would import to {title}")
    if found.stages and not is_new:
        say(f"would create the stages: {stages}")
    if found.labels:
        say(f"would create the labels: {', '.join(found.labels)}")
    order = [*(stage.title for stage in view.stages), *found.stages]
    shown = sorted(found.cards, key=lambda new: order.index(new[0].stage))
    for stage, cards in groupby(shown, key=lambda new: new[0].stage):
        say(f"{stage}:")
        for card, _ in cards:
            say(f"  {_in_words(card)}")
    if found.present:
        say(f"on the board already: {counted(len(found.present), 'card')}")
    say(f"would add {summary(found)}")
    _say_left_out(found)
    return 0


def _in_words(card: SheetCard) -> str:
    counts = {"subtask": len(card.subtasks), "comment": len(card.comments)}
    marks = [f"#{label}" for label in card.labels]
    marks += [f"@{names[0]}" for names in card.people]
    marks += [f"!{card.priority}"] if card.priority is not Priority.LOW else []
    marks += [f"^{card.due_at:%Y-%m-%d}"] if card.due_at else []
    marks += [f"({counted(count, thing)})" for thing, count in counts.items() if count]
    marks += ["(archived)"] if card.is_archived else []
    marks += ["(template)"] if card.is_template else []
    return " ".join((f"[{'x' if card.is_done else ' '}] {card.title}", *marks))


def _document(found: Import, view: BoardView, *, is_new: bool) -> dict[str, object]:
    # What an import makes beside its cards, and what it does not take.
    return {
        "board": {"id": None if is_new else view.board.id, "title": view.board.title},
        "stages": [*found.stages],
        "labels": [*found.labels],
        "present": [card.title for card in found.present],
        "gone": [card.title for card in found.gone],
        "lost": [*found.lost],
    }


def _card_document(card: SheetCard) -> dict[str, object]:
    # As it will be on the board; the keys are those of a card that is there.
    return {
        "id": card.own_id or None,
        "title": card.title,
        "stage": card.stage,
        "status": (Status.CLOSED if card.is_done else Status.OPEN).value,
        "priority": card.priority.value,
        "due": card.due_at and stamp(card.due_at),
        "start": card.started_at and stamp(card.started_at),
        "assignees": [names[0] for names in card.people],
        "labels": [*card.labels],
        "description": card.description,
        "subtasks": [asdict(subtask) for subtask in card.subtasks],
        "comments": [comment.text for comment in card.comments],
        "is_archived": card.is_archived,
        "is_template": card.is_template,
    }
