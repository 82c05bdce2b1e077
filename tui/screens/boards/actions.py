"""Creating, editing, duplicating, archiving, deleting and pinning boards."""

from dataclasses import replace

from tui.actions.old import Action
from tui.errors import CallboardError
from tui.model.board import Board, BoardType
from tui.runtime.key_queue import keys_held
from tui.screens.boards.content import BoardsContext, named
from tui.store import operations as change
from tui.text.clean import text
from tui.text.keyed import keyed


class NewBoard(Action[BoardsContext]):
    """Asks for what a board begins with, and creates it."""

    id, keys, label, hint = "boards.new", "n", "New board", "new"
    changes_more = True
    asks = True

    async def run(self, on: BoardsContext) -> None:
        from tui.dialogs.form import Answers, Choice, Field, FormDialog
        from tui.text.markdown import to_html

        async def send(answers: Answers) -> None:
            stages = tuple(filter(None, map(_folded, answers["stages"].splitlines())))
            description = answers["description"].strip()
            made, *arranged = change.new_board(
                answers["title"],
                BoardType(answers["type"]),
                stages,
                description=to_html(description) if description else "",
                currency=answers["currency"],
                folder_id=int(answers.get("folder") or 0) or None,
            )
            if made.folder_id is not None:
                on.content.put_into(made.folder_id, made.board_id)
            on.content.reveal(made.board)
            await on.keep(f"added “{made.board.title}”", made, *arranged)

        fields = [
            Field("title", "Title", is_required=True),
            Field(
                "type",
                "Type",
                BoardType.TO_DO.value,
                [Choice(kind.value, kind.value) for kind in BoardType],
            ),
            Field("stages", "Stages", "\n".join(change.DEFAULT_STAGES), is_lines=True),
            Field("description", "Description", is_lines=True),
            Field("currency", "Currency", placeholder="such as EUR"),
        ]
        if on.content.folders:
            folders = [Choice(str(one.id), one.title) for one in on.content.folders]
            here = str(on.content.folder.id) if on.content.folder else ""
            fields.append(Field("folder", "Folder", here, [Choice("", "none"), *folders]))
        await on.ask(FormDialog("New board", fields, verb="create", send=send))


class EditBoard(Action[BoardsContext]):
    """Asks for the title and the description of the board.

    A list of boards may lack descriptions, so the board is fetched first; if that is not possible,
    only a description that is cached can be edited, and the form says why.
    """

    id, keys, label, hint = "boards.rename", "e", "Edit title and description", "edit"
    asks = changes_board = True

    async def run(self, on: BoardsContext) -> None:
        from tui.dialogs.form import Answers, Field, FormDialog
        from tui.text.markdown import edited_html, to_markdown

        board = on.need_row()
        if board is None:
            return
        source, why_not = "", ""
        with keys_held(on.host.app):
            try:
                source = await _description(on, board)
            except CallboardError as error:
                why_not = f"not read: {error.message}"
        before = to_markdown(source)
        fields = [
            Field("title", "Title", board.title, is_required=True),
            Field("description", "Description", before, is_lines=not why_not, why_not=why_not),
        ]

        async def send(answers: Answers) -> None:
            title, after = answers["title"], answers["description"]
            html = None if why_not or after == before else edited_html(source, before, after)
            if html is not None or title != board.title:
                known = replace(board, description=source)
                await on.keep(f"changed “{title}”", change.rename_board(known, title, html))

        await on.ask(FormDialog(f"Board “{board.title}”", fields, send=send))


class DuplicateBoard(Action[BoardsContext]):
    """Asks for a title and what to copy, and duplicates the board."""

    id, keys, label = "boards.duplicate", "C", "Duplicate board"
    asks = changes_board = True

    async def run(self, on: BoardsContext) -> None:
        from tui.dialogs.form import Field, FormDialog

        board = on.need_row()
        if board is None:
            return
        if board.id > 0 and on.store.status(board.id).pending:
            hint = "{go.waiting:g u} lists them"
            on.say("the copy would lack changes that are not sent yet", hint=hint)
            return
        fields = (
            Field("title", "Title", f"{board.title} (copy)", is_required=True),
            Field("tasks", "With its tasks", True),
            Field("labels", "With its labels", True),
            Field("templates", "With its templates", True),
        )
        form = FormDialog(f"Duplicate “{board.title}”", fields, verb="duplicate")
        answers = await on.ask(form)
        if answers is None:
            return
        made = change.DuplicateBoard(
            change.new_local_id(),
            board.id,
            board.title,
            answers["title"],
            board.type,
            *(bool(answers[name]) for name in ("tasks", "labels", "templates")),
        )
        on.content.reveal(made.board)
        await on.submit(f"duplicated “{board.title}” as “{made.board.title}”", made)


class ArchiveBoards(Action[BoardsContext]):
    """Archives the boards; restores them if all are archived."""

    id, keys, label, hint = "boards.archive", "A", "Archive or restore board", "archive"
    manages_board = True

    async def run(self, on: BoardsContext) -> None:
        boards = on.need_rows()
        active = [board for board in boards if board.archived_at is None]
        if active:
            keys = keyed("{boards.archived:t} lists archived boards, {boards.archive:A} restores")
            said = f"archived {named(active)}: {keys}"
            await on.submit(said, *map(change.archive_board, active))
        elif boards:
            await on.submit(f"restored {named(boards)}", *map(change.restore_board, boards))


class DeleteBoard(Action[BoardsContext]):
    """Asks to type the title of the board, then deletes it."""

    id, keys, label = "boards.delete", "D", "Delete board"
    asks = manages_board = True

    async def run(self, on: BoardsContext) -> None:
        from tui.dialogs.ask import AskDialog

        board = on.need_row()
        if board is None:
            return
        title = board.title or "(no title)"

        def reading(words: str) -> str:
            if _folded(words) != _folded(title):
                raise CallboardError(
                    "Type the title to delete the board with all its stages, tasks and comments,"
                    " for good." if not words else "That is not the title: nothing is deleted.",
                    hint=keyed("{boards.archive:A} archives instead."),
                )  # fmt: skip
            return "↵ deletes it with all its stages, tasks and comments, for good."

        if await on.ask(AskDialog(f"Delete “{title}”?", placeholder=title, reading=reading)):
            await on.submit(f"deleted “{title}”", change.DeleteBoard.on(board))
        else:
            on.say("nothing was deleted")


class PinBoards(Action[BoardsContext]):
    """Keeps the boards at the top of the list on this machine; unpins them if all are pinned."""

    id, keys, label, hint = "boards.pin", "P", "Pin or unpin board", "pin"

    async def run(self, on: BoardsContext) -> None:
        boards = on.need_rows()
        chosen, pinned = frozenset(board.id for board in boards), on.content.pinned
        if boards:
            unpins = chosen <= pinned
            on.content.pin(pinned - chosen if unpins else pinned | chosen)
            on.reload()
            on.say(f"{'unpinned' if unpins else 'pinned'} {named(boards)}")


BOARD_LIST_ACTIONS: tuple[Action[BoardsContext], ...] = (
    NewBoard(),
    EditBoard(),
    DuplicateBoard(),
    ArchiveBoards(),
    DeleteBoard(),
    PinBoards(),
)


async def _description(on: BoardsContext, board: Board) -> str:
    """The description of a board as HTML.

    Raises `CallboardError` if it can neither be read nor is known.
    """
    if board.id < 0:
        return board.description
    try:
        document = await (await on.store.service()).board(board.id)
    except CallboardError:
        view = on.store.board(board.id)
        cached = view.board.description if view is not None and view.complete else ""
        if description := board.description or cached:
            return description
        raise
    return text(document.get("description") or "")


def _folded(words: str) -> str:
    return " ".join(words.split())
