"""What is done with the boards of a list, and with their folders.

Folders are changed online, as they belong to the whole service. The dialog stays open until the
service has accepted what was typed.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from tui.actions.action import Action, action, board_action
from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Board, BoardType
from tui.model.folder import Folder, folder_title
from tui.screens.boards.listing import ALL_FOLDERS, NO_FOLDER, BoardListing, named
from tui.screens.lists.table import TableScreen
from tui.store import operations as change
from tui.store.online.administration import create_folder
from tui.store.remote import Remote
from tui.text.clean import counted, quoted, text
from tui.text.keyed import keyed

_NEW = "new"
_folder_action = partial(Action, administers=True, needs=Feature.FOLDERS, asks=True)


class BoardActions:
    """The actions on the boards of a list."""

    def __init__(self, screen: TableScreen[Board], listing: BoardListing) -> None:
        self._screen = screen
        self._listing = listing
        self._store = screen.store

    @action("boards.new", "n", "New board", hint="new", changes_more=True,
            needs=Feature.BOARD_CREATION, asks=True)  # fmt: skip
    async def new(self) -> None:
        from tui.dialogs.form import Answers, Choice, FormDialog, FormField
        from tui.text.markdown import to_html

        listing = self._listing

        async def send(answers: Answers) -> None:
            stages = tuple(filter(None, map(_folded, answers["stages"].splitlines())))
            description = answers["description"].strip()
            creation, *arranged = change.new_board(
                answers["title"],
                BoardType(answers["type"]),
                stages,
                description=to_html(description) if description else "",
                currency=answers["currency"],
                folder_id=int(answers.get("folder") or 0) or None,
            )
            if creation.folder_id is not None:
                # First, so that the board appears in its folder as soon as it is drawn.
                listing.put_into(creation.folder_id, creation.board_id)
            listing.reveal(creation.board)
            await self._screen.submit(f"added “{creation.board.title}”", creation, *arranged)

        types = [Choice(kind.value, kind.value) for kind in BoardType]
        fields = [
            FormField("title", "Title", is_required=True),
            FormField("type", "Type", BoardType.TO_DO.value, types),
            FormField("stages", "Stages", "\n".join(change.DEFAULT_STAGES), is_lines=True),
            FormField("description", "Description", is_lines=True),
            FormField("currency", "Currency", placeholder="such as EUR"),
        ]
        if listing.folders:
            folders = [Choice(str(folder.id), folder.title) for folder in listing.folders]
            current_id = str(listing.folder.id) if listing.folder else ""
            fields.append(FormField("folder", "Folder", current_id, [Choice("", "none"), *folders]))
        await self._screen.ask(FormDialog("New board", fields, verb="create", send=send))

    @board_action("boards.rename", "e", "Edit title and description", hint="edit", asks=True)
    async def edit(self) -> None:
        from tui.dialogs.form import Answers, FormDialog, FormField
        from tui.text.markdown import edited_html, to_markdown

        board = self._screen.need_row()
        if board is None:
            return
        source, why_not = "", ""
        try:
            source = await self._description(board)
        except CallboardError as error:
            why_not = f"not loaded: {error.message}"
        # Compared with what the form returns: an unchanged text keeps the HTML it was made from.
        previous = to_markdown(source)

        async def send(answers: Answers) -> None:
            title, after = answers["title"], answers["description"]
            html = None if why_not or after == previous else edited_html(source, previous, after)
            if html is not None or title != board.title:
                described = replace(board, description=source)
                edit = change.rename_board(described, title, html)
                await self._screen.submit(f"changed “{title}”", edit)

        fields = [
            FormField("title", "Title", board.title, is_required=True),
            FormField(
                "description", "Description", previous, is_lines=not why_not, why_not=why_not
            ),
        ]
        await self._screen.ask(FormDialog(f"Board “{board.title}”", fields, send=send))

    async def _description(self, board: Board) -> str:
        """The description as HTML: of the service, as lists of boards may lack it, or as cached.

        Raises `CallboardError` if it can neither be read nor is known.
        """
        if board.id < 0:
            return board.description
        try:
            document = await (await self._store.service()).board(board.id)
        except CallboardError:
            view = self._store.board(board.id)
            cached = view.board.description if view is not None and view.complete else ""
            if description := board.description or cached:
                return description
            raise
        return text(document.get("description") or "")

    @board_action("boards.duplicate", "C", "Duplicate board", needs=Feature.BOARD_COPIES, asks=True)
    async def duplicate(self) -> None:
        from tui.dialogs.form import FormDialog, FormField

        board = self._screen.need_row()
        if board is None:
            return
        # The service makes the copy from what it has.
        if board.id > 0 and self._store.status(board.id).pending:
            hint = "{go.waiting:g u} to list them"
            self._screen.say(
                "some changes are not sent yet: the duplicate would lack them", hint=hint
            )
            return
        fields = (
            FormField("title", "Title", f"{board.title} (copy)", is_required=True),
            FormField("tasks", "With cards", True),
            FormField("labels", "With labels", True),
            FormField("templates", "With templates", True),
        )
        form = FormDialog(f"Duplicate “{board.title}”", fields, verb="duplicate")
        answers = await self._screen.ask(form)
        if answers is None:
            return
        creation = change.DuplicateBoard(
            change.new_local_id(),
            board.id,
            board.title,
            answers["title"],
            board.type,
            *(bool(answers[name]) for name in ("tasks", "labels", "templates")),
        )
        self._listing.reveal(creation.board)
        await self._screen.submit(
            f"duplicated “{board.title}” as “{creation.board.title}”", creation
        )

    @action("boards.archive", "A", "Archive or restore board", hint="archive",
            manages_board=True, needs=Feature.BOARD_ARCHIVE)  # fmt: skip
    async def archive(self) -> None:
        boards = self._screen.need_rows()
        active = [board for board in boards if board.archived_at is None]
        if active:
            keys = keyed(
                "{boards.archived:t} to list archived boards, {boards.archive:A} to restore"
            )
            message = f"archived {named(active)}: {keys}"
            await self._screen.submit(message, *map(change.archive_board, active))
        elif boards:
            restored = map(change.restore_board, boards)
            await self._screen.submit(f"restored {named(boards)}", *restored)

    @action(
        "boards.delete",
        "D",
        "Delete board",
        manages_board=True,
        needs=Feature.BOARD_DELETION,
        instead="{boards.archive:A} to archive it instead",
        asks=True,
    )
    async def delete(self) -> None:
        from tui.dialogs.questions import AskDialog

        board = self._screen.need_row()
        if board is None:
            return
        title = board.title or "(no title)"

        def reading(words: str) -> str:
            if _folded(words) != _folded(title):
                raise CallboardError(
                    "Type the title to delete the board with all its stages, cards and comments"
                    " forever." if not words else "Title does not match: nothing will be deleted.",
                    hint=keyed("Or press {boards.archive:A} to archive it instead."),
                )  # fmt: skip
            return "Press ↵ to delete it with all its stages, cards and comments forever."

        dialog = AskDialog(f"Delete “{title}”?", placeholder=title, reading=reading)
        if await self._screen.ask(dialog):
            await self._screen.submit(f"deleted “{title}”", change.DeleteBoard.on(board))
        else:
            self._screen.say("nothing was deleted")

    @action("boards.pin", "P", "Pin or unpin board", hint="pin")
    def pin(self) -> None:
        boards = self._screen.need_rows()
        ids, pinned = frozenset(board.id for board in boards), self._listing.pinned
        if boards:
            unpins = ids <= pinned
            self._listing.choose(pinned=pinned - ids if unpins else pinned | ids)
            self._screen.load()
            self._screen.say(f"{'unpinned' if unpins else 'pinned'} {named(boards)}")


class FolderActions:
    """The actions on folders of a list of boards."""

    def __init__(self, screen: TableScreen[Board], listing: BoardListing) -> None:
        self._screen = screen
        self._listing = listing

    def why_not_now(self, action_id: str) -> str:
        boards = self._screen.row_list.chosen
        is_filed = any(self._listing.folder_of(board.id) for board in boards)
        return "no folder" if action_id == "folders.take-out" and not is_filed else ""

    @action("folders.choose", "F f", "Go to folder", asks=True, needs=Feature.FOLDERS)
    async def choose(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice, lettered

        listing = self._listing
        every = (ALL_FOLDERS, NO_FOLDER, *(folder.id for folder in listing.folders))
        counts = {own_id: counted(len(listing.in_folder(own_id)), "board") for own_id in every}
        choices = [
            QuestionChoice("0", f"all boards, {counts[ALL_FOLDERS]}", str(ALL_FOLDERS)),
            QuestionChoice("n", f"no folder, {counts[NO_FOLDER]}", str(NO_FOLDER)),
            *lettered(
                (str(folder.id), f"{folder.title}, {counts[folder.id]}")
                for folder in listing.folders
            ),
        ]
        dialog = ChooseDialog("Show the boards of …", choices, str(listing.folder_id))
        answer = await self._screen.ask(dialog)
        if answer is not None:
            listing.choose(folder=int(answer))
            self._screen.load()

    @_folder_action("folders.new", "F n", "New folder")
    async def new(self) -> int:
        folder_id = 0

        async def send(service: Remote, title: str) -> None:
            nonlocal folder_id
            folder_id = await create_folder(service, title)

        await self._ask_title("Title of the new folder", "", "added the folder", send)
        return folder_id

    @_folder_action("folders.rename", "F r", "Rename folder")
    async def rename(self) -> None:
        folder = self._need_folder()
        if folder is not None:
            await self._ask_title(
                f"New title of the folder {quoted(folder.title)}",
                folder.title,
                "renamed the folder to",
                lambda service, typed: service.rename_folder(folder.id, typed),
            )

    @_folder_action("folders.delete", "F D", "Delete folder")
    async def delete(self) -> None:
        folder = self._need_folder()
        if folder is None:
            return
        text = "It is empty."
        if folder.board_ids:
            count = counted(len(folder.board_ids), "board")
            text = f"Its boards stay: {count} will have no folder."
        if await self._screen.confirm(f"Delete the folder {quoted(folder.title)}?", text):
            message = f"deleted the folder {quoted(folder.title)}"
            await self._change(message, lambda service: service.delete_folder(folder.id))

    @_folder_action("folders.put", "F p", "Move board to folder")
    async def put(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice, lettered

        boards = self._need_made()
        if not boards:
            return
        choices = [
            *lettered((str(folder.id), folder.title) for folder in self._listing.folders),
            QuestionChoice("n", "new folder …", _NEW),
        ]
        current = self._listing.folder_of(boards[0].id)
        dialog = ChooseDialog(
            f"Move {named(boards)} to …", choices, str(current.id if current else "")
        )
        answer = await self._screen.ask(dialog)
        # Both are 0, the id of no folder, if the dialog was cancelled.
        folder_id = await self.new() if answer == _NEW else int(answer or 0)
        folder = next(
            (candidate for candidate in self._listing.folders if candidate.id == folder_id), None
        )
        if folder is not None:
            ids = [board.id for board in boards]
            message = f"moved {named(boards)} to {quoted(folder.title)}"
            await self._change(message, lambda service: service.add_to_folder(folder.id, ids))

    @action("folders.take-out", "F o", "Remove board from folder", changes_more=True,
            needs=Feature.FOLDERS)  # fmt: skip
    async def take_out(self) -> None:
        boards = self._need_made()
        filed = [(at, board) for board in boards if (at := self._listing.folder_of(board.id))]

        async def send(service: Remote) -> None:
            for folder, board in filed:
                await service.remove_from_folder(folder.id, board.id)

        if filed:
            await self._change(
                f"removed {named([board for _, board in filed])} from the folder", send
            )
        elif boards:
            hint = "{folders.put:F p} to move it to one"
            self._screen.say(f"in no folder: {named(boards)}", hint=hint)

    def _need_folder(self) -> Folder | None:
        folder, boards = self._listing.folder, self._screen.row_list.chosen
        if folder is None and boards:
            folder = self._listing.folder_of(boards[0].id)
        if folder is None and self._listing.folders:
            self._screen.say("no folder selected", hint="{folders.choose:F f} to choose one")
        elif folder is None:
            self._screen.say("no folders", hint="{folders.new:F n} to add one")
        return folder

    def _need_made(self) -> Sequence[Board]:
        boards = self._screen.need_rows()
        if any(board.id < 0 for board in boards):
            self._screen.say("a board can be moved to a folder once the service has created it")
            return ()
        return boards

    async def _ask_title(
        self,
        question: str,
        title: str,
        message: str,
        send: Callable[[Remote, str], Awaitable[object]],
    ) -> None:
        from tui.dialogs.form import Answers, FormDialog, FormField

        async def deliver(answers: Answers) -> None:
            typed = folder_title(answers["title"])
            await send(await self._screen.store.service(), typed)
            await self._listing.fetch_folders()

        fields = [FormField("title", "Title", title, is_required=True)]
        answers = await self._screen.ask(FormDialog(question, fields, send=deliver))
        if answers is not None:
            self._screen.load()
            self._screen.say(f"{message} {quoted(answers['title'])}")

    async def _change(self, message: str, send: Callable[[Remote], Awaitable[object]]) -> None:
        await send(await self._screen.store.service())
        await self._listing.fetch_folders()
        self._screen.load()
        self._screen.say(message)


def _folded(words: str) -> str:
    return " ".join(words.split())
