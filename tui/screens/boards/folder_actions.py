"""Creating, renaming and deleting folders, choosing one, and putting boards into them.

Folders are changed online, as they belong to the whole service. The dialog stays open until the
service has accepted what was typed.
"""

from collections.abc import Awaitable, Callable, Sequence

from tui.actions.action import action
from tui.client.capabilities import Feature
from tui.model.board import Board
from tui.model.folder import Folder, folder_title
from tui.runtime.key_queue import keys_held
from tui.screens.boards.listing import ALL_FOLDERS, NO_FOLDER, Listing, named
from tui.screens.lists.table import TableScreen
from tui.store.online.administration import create_folder
from tui.store.remote import Remote
from tui.text.clean import counted, quoted

_NEW = "new"


class FolderActions:
    """The actions on folders of a list of boards."""

    def __init__(self, screen: TableScreen[Board], listing: Listing) -> None:
        self._screen = screen
        self._listing = listing

    @action("folders.choose", "F f", "Go to folder", asks=True, needs=Feature.FOLDERS)
    async def choose(self) -> None:
        from tui.dialogs.questions import Choice, ChooseDialog, lettered

        listing = self._listing
        every = (ALL_FOLDERS, NO_FOLDER, *(folder.id for folder in listing.folders))
        counts = {each: counted(len(listing.in_folder(each)), "board") for each in every}
        choices = [
            Choice("0", f"all boards, {counts[ALL_FOLDERS]}", str(ALL_FOLDERS)),
            Choice("n", f"no folder, {counts[NO_FOLDER]}", str(NO_FOLDER)),
            *lettered(
                (str(each.id), f"{each.title}, {counts[each.id]}") for each in listing.folders
            ),
        ]
        dialog = ChooseDialog("Show the boards of …", choices, str(listing.folder_id))
        answer = await self._screen.ask(dialog)
        if answer is not None:
            listing.choose(folder=int(answer))
            self._screen.load()

    @action("folders.new", "F n", "New folder", asks=True, administers=True, needs=Feature.FOLDERS)
    async def new(self) -> int:
        """Ask for a title and create a folder; returns its id, 0 if cancelled."""
        made = 0

        async def send(service: Remote, title: str) -> None:
            nonlocal made
            made = await create_folder(service, title)

        title = await self._ask_title("Title of the new folder", "", send)
        if title:
            self._screen.load()
            self._screen.say(f"added the folder {quoted(title)}")
        return made

    @action(
        "folders.rename", "F r", "Rename folder", asks=True, administers=True, needs=Feature.FOLDERS
    )
    async def rename(self) -> None:
        folder = self._need_folder()
        if folder is not None:
            title = await self._ask_title(
                f"New title of the folder {quoted(folder.title)}",
                folder.title,
                lambda service, typed: service.rename_folder(folder.id, typed),
            )
            if title:
                self._screen.load()
                self._screen.say(f"renamed the folder to {quoted(title)}")

    @action(
        "folders.delete", "F D", "Delete folder", asks=True, administers=True, needs=Feature.FOLDERS
    )
    async def delete(self) -> None:
        folder = self._need_folder()
        if folder is None:
            return
        count = counted(len(folder.board_ids), "board")
        text = f"Its boards stay: {count} will be in no folder."
        if not folder.board_ids:
            text = "It is empty."
        if await self._screen.confirm(f"Delete the folder {quoted(folder.title)}?", text):
            message = f"deleted the folder {quoted(folder.title)}"
            await self._change(message, lambda service: service.delete_folder(folder.id))

    @action(
        "folders.put",
        "F p",
        "Put board into folder",
        asks=True,
        administers=True,
        needs=Feature.FOLDERS,
    )
    async def put(self) -> None:
        from tui.dialogs.questions import Choice, ChooseDialog, lettered

        boards = self._need_made()
        if not boards:
            return
        choices = [
            *lettered((str(folder.id), folder.title) for folder in self._listing.folders),
            Choice("n", "new folder …", _NEW),
        ]
        here = self._listing.folder_of(boards[0].id)
        dialog = ChooseDialog(f"Put {named(boards)} into …", choices, str(here.id if here else ""))
        answer = await self._screen.ask(dialog)
        folder_id = await self.new() if answer == _NEW else int(answer or 0)
        folder = next((each for each in self._listing.folders if each.id == folder_id), None)
        if folder is not None:
            ids = [board.id for board in boards]
            message = f"put {named(boards)} into {quoted(folder.title)}"
            await self._change(message, lambda service: service.add_to_folder(folder.id, ids))

    @action(
        "folders.take-out",
        "F o",
        "Take board out of folder",
        changes_more=True,
        needs=Feature.FOLDERS,
    )
    async def take_out(self) -> None:
        boards = self._need_made()
        folders = [(self._listing.folder_of(board.id), board) for board in boards]
        filed = [(folder, board) for folder, board in folders if folder is not None]

        async def send(service: Remote) -> None:
            for folder, board in filed:
                await service.remove_from_folder(folder.id, board.id)

        if filed:
            filed_boards = [board for _, board in filed]
            await self._change(f"took {named(filed_boards)} out of the folder", send)
        elif boards:
            hint = "{folders.put:F p} puts it"
            self._screen.say(f"{named(boards)} is in no folder", hint=hint)

    def _need_folder(self) -> Folder | None:
        """The folder that is shown, else that of the chosen board; say so if there is none."""
        folder, boards = self._listing.folder, self._screen.row_list.chosen
        if folder is None and boards:
            folder = self._listing.folder_of(boards[0].id)
        if folder is None and self._listing.folders:
            self._screen.say("no folder is chosen", hint="{folders.choose:F f} chooses one")
        elif folder is None:
            self._screen.say("there are no folders", hint="{folders.new:F n} makes one")
        return folder

    def _need_made(self) -> Sequence[Board]:
        """The chosen boards; none, with the reason, if the service has not made one of them yet."""
        boards = self._screen.need_rows()
        if any(board.id < 0 for board in boards):
            self._screen.say("a board can be put into a folder once the service has made it")
            return ()
        return boards

    async def _ask_title(
        self, question: str, title: str, send: Callable[[Remote, str], Awaitable[object]]
    ) -> str:
        """Ask for a title until the service takes it; empty if cancelled."""
        from tui.dialogs.form import Answers, Field, FormDialog

        async def deliver(answers: Answers) -> None:
            typed = folder_title(answers["title"])
            await send(await self._screen.store.service(), typed)
            await self._listing.fetch_folders()

        fields = [Field("title", "Title", title, is_required=True)]
        answers = await self._screen.ask(FormDialog(question, fields, send=deliver))
        return "" if answers is None else answers["title"]

    async def _change(self, message: str, send: Callable[[Remote], Awaitable[object]]) -> None:
        """Change folders at the service and show a message. Raises `CallboardError`."""
        with keys_held(self._screen.app):
            await send(await self._screen.store.service())
            await self._listing.fetch_folders()
        self._screen.load()
        self._screen.say(message)
