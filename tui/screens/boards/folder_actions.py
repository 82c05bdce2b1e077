"""Creating, renaming and deleting folders, choosing one, and putting boards into them.

Folders are changed online, as they belong to the whole service. The dialog stays open until the
service has accepted what was typed.
"""

from collections.abc import Awaitable, Callable, Sequence

from tui.actions.host import ErrorsSaid
from tui.actions.old import Action
from tui.client.capabilities import Feature
from tui.model.board import Board
from tui.model.folder import Folder, folder_title
from tui.runtime.key_queue import keys_held
from tui.screens.boards.content import ALL_FOLDERS, NO_FOLDER, BoardsContext, named
from tui.store.online.administration import create_folder
from tui.store.remote import Remote
from tui.text.clean import counted, quoted

_NEW = "new"


class ChooseFolder(Action[BoardsContext]):
    """Asks which folder to show."""

    id, keys, label = "folders.choose", "F f", "Go to folder"
    asks, needs = True, Feature.FOLDERS

    async def run(self, on: BoardsContext) -> None:
        from tui.dialogs.choose import Choice, ChooseDialog, lettered

        content = on.content
        every = (ALL_FOLDERS, NO_FOLDER, *(folder.id for folder in content.folders))
        counts = {one: counted(len(content.in_folder(one)), "board") for one in every}
        choices = [
            Choice("0", f"all boards, {counts[ALL_FOLDERS]}", str(ALL_FOLDERS)),
            Choice("n", f"no folder, {counts[NO_FOLDER]}", str(NO_FOLDER)),
            *lettered((str(one.id), f"{one.title}, {counts[one.id]}") for one in content.folders),
        ]
        answer = await on.ask(ChooseDialog("Show the boards of …", choices, str(content.folder_id)))
        if answer is not None:
            content.show(folder=int(answer))
            on.reload()


class NewFolder(Action[BoardsContext]):
    """Asks for a title, and creates a folder."""

    id, keys, label = "folders.new", "F n", "New folder"
    asks = administers = True
    needs = Feature.FOLDERS

    async def run(self, on: BoardsContext) -> None:
        await _create(on)


class RenameFolder(Action[BoardsContext]):
    """Asks for another title for the folder."""

    id, keys, label = "folders.rename", "F r", "Rename folder"
    asks = administers = True
    needs = Feature.FOLDERS

    async def run(self, on: BoardsContext) -> None:
        folder = _need_folder(on)
        if folder is not None:
            question = f"New title of the folder {quoted(folder.title)}"

            async def rename(remote: Remote, title: str) -> None:
                await remote.rename_folder(folder.id, title)

            title = await _ask_title(on, question, folder.title, rename)
            if title:
                _show(on, f"renamed the folder to {quoted(title)}")


class DeleteFolder(Action[BoardsContext]):
    """Asks for confirmation, then deletes the folder; its boards stay."""

    id, keys, label = "folders.delete", "F D", "Delete folder"
    asks = administers = True
    needs = Feature.FOLDERS

    async def run(self, on: BoardsContext) -> None:
        folder = _need_folder(on)
        if folder is None:
            return
        held = counted(len(folder.board_ids), "board")
        text = (
            f"Its boards stay: {held} will be in no folder." if folder.board_ids else "It is empty."
        )
        if await on.confirm(f"Delete the folder {quoted(folder.title)}?", text):
            said = f"deleted the folder {quoted(folder.title)}"
            await _change(on, said, lambda remote: remote.delete_folder(folder.id))


class PutIntoFolder(Action[BoardsContext]):
    """Asks for a folder, and moves the boards there."""

    id, keys, label = "folders.put", "F p", "Put board into folder"
    asks = administers = True
    needs = Feature.FOLDERS

    async def run(self, on: BoardsContext) -> None:
        from tui.dialogs.choose import Choice, ChooseDialog, lettered

        boards = _need_made(on)
        if not boards:
            return
        choices = [
            *lettered((str(one.id), one.title) for one in on.content.folders),
            Choice("n", "new folder …", _NEW),
        ]
        here = on.content.folder_of(boards[0].id)
        dialog = ChooseDialog(f"Put {named(boards)} into …", choices, str(here.id if here else ""))
        answer = await on.ask(dialog)
        folder_id = await _create(on) if answer == _NEW else int(answer or 0)
        folder = next((one for one in on.content.folders if one.id == folder_id), None)
        if folder is not None:
            ids = [board.id for board in boards]
            said = f"put {named(boards)} into {quoted(folder.title)}"
            await _change(on, said, lambda remote: remote.add_to_folder(folder.id, ids))


class TakeOutOfFolder(Action[BoardsContext]):
    """Takes the boards out of their folders."""

    id, keys, label = "folders.take-out", "F o", "Take board out of folder"
    changes_more = True
    needs = Feature.FOLDERS

    async def run(self, on: BoardsContext) -> None:
        found = [(on.content.folder_of(board.id), board) for board in _need_made(on)]
        filed = [(folder, board) for folder, board in found if folder is not None]

        async def take_out(remote: Remote) -> None:
            for folder, board in filed:
                await remote.remove_from_folder(folder.id, board.id)

        if filed:
            boards = [board for _, board in filed]
            await _change(on, f"took {named(boards)} out of the folder", take_out)
        elif found:
            on.say(
                f"{named([board for _, board in found])} is in no folder",
                hint="{folders.put:F p} puts it",
            )


FOLDER_ACTIONS: tuple[Action[BoardsContext], ...] = (
    ChooseFolder(),
    NewFolder(),
    RenameFolder(),
    DeleteFolder(),
    PutIntoFolder(),
    TakeOutOfFolder(),
)


def _need_folder(on: BoardsContext) -> Folder | None:
    """The folder that is shown, else that of the chosen board; say so if there is none."""
    folder = on.content.folder
    if folder is None and on.chosen:
        folder = on.content.folder_of(on.chosen[0].id)
    if folder is None:
        hint = (
            "{folders.choose:F f} chooses one"
            if on.content.folders
            else "{folders.new:F n} makes one"
        )
        on.say("no folder is chosen" if on.content.folders else "there are no folders", hint=hint)
    return folder


def _need_made(on: BoardsContext) -> Sequence[Board]:
    """The chosen boards; none, with the reason, if the service has not made one of them yet."""
    boards = on.need_rows()
    if any(board.id < 0 for board in boards):
        on.say("a board can be put into a folder once the service has made it")
        return ()
    return boards


async def _create(on: BoardsContext) -> int:
    """Ask for a title and create a folder; returns its id, 0 if cancelled."""
    made = 0

    async def create(remote: Remote, title: str) -> None:
        nonlocal made
        made = await create_folder(remote, title)

    title = await _ask_title(on, "Title of the new folder", "", create)
    if title:
        _show(on, f"added the folder {quoted(title)}")
    return made


async def _ask_title(
    on: BoardsContext, question: str, title: str, send: Callable[[Remote, str], Awaitable[None]]
) -> str:
    """Ask for a title until the service takes it; empty if cancelled."""
    from tui.dialogs.form import Answers, Field, FormDialog

    async def deliver(answers: Answers) -> None:
        typed = folder_title(answers["title"])
        await send(await on.store.service(), typed)
        await on.content.load()

    fields = [Field("title", "Title", title, is_required=True)]
    answers = await on.ask(FormDialog(question, fields, send=deliver))
    return "" if answers is None else answers["title"]


async def _change(
    on: BoardsContext, said: str, send: Callable[[Remote], Awaitable[object]]
) -> None:
    """Change folders at the service and show `said`, or the error."""
    with ErrorsSaid(on.host), keys_held(on.host.app):
        await send(await on.store.service())
        await on.content.load()
        _show(on, said)


def _show(on: BoardsContext, said: str) -> None:
    on.reload()
    on.say(said)
