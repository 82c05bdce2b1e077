"""The thread of a task: read, answered, put right; and comments written from elsewhere."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.boards import ANN, JON, MIRA, NOW, relaunch
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, connected
from tui.actions.links import browser_command, may_be_opened
from tui.app import CallboardApp
from tui.config.drafts import Drafts
from tui.config.preferences import Preferences
from tui.context import Context
from tui.dialogs.editor.attach import AttachDialog
from tui.dialogs.editor.comment import CommentEditor
from tui.dialogs.help import AddressDialog
from tui.dialogs.picture import PictureDialog
from tui.errors import CallboardError
from tui.model.comment import Comment, CommentImage, Thread
from tui.model.detail import DetailPart, TaskDetail
from tui.model.people import Account
from tui.model.picture_names import KeptPicture
from tui.navigation import ThreadRequested
from tui.screens.base import CallboardScreen
from tui.screens.board.screen import BoardScreen
from tui.screens.thread.screen import ThreadScreen
from tui.store.events import StatusChanged, SyncStatus, UploadProgress
from tui.store.operations import (
    CreateComment,
    DeleteComment,
    EditComment,
    UploadImage,
)

SHOTS = (CommentImage(1, "before.png", size="34 KB"), CommentImage(2, "after.png", size="35 KB"))
REPLIES = (
    Comment(12, 412, "It is the cookie.", parent_id=9, author=ANN),
    Comment(13, 412, "Which one?", parent_id=9, author=JON),
)
THREAD: Thread = (
    Comment(9, 412, "Who saw http://example.test/a, (https://example.test/b)?", author=MIRA,
            replies=REPLIES),
    Comment(7, 412, "It fails\nafter SSO", author=ANN, edited=True,
            replies=(Comment(8, 412, "How often?", parent_id=7, author=JON),)),
    Comment(5, 412, "See mailto:ops@example.test", author=JON, images=SHOTS),
)  # fmt: skip


class Talked(FakeStore):
    """A store with a thread on task 412."""

    def __init__(self, *said: Comment, everything: bool = True) -> None:
        view = relaunch()
        task = view.task(412)
        assert task is not None
        detail = TaskDetail(task, comments=said or THREAD, all_comments=everything)
        super().__init__(view, details=[detail])

    @property
    def talk(self) -> TaskDetail:
        """The task with its thread."""
        return self.details[412]

    @property
    def comment(self) -> CreateComment:
        """The comment that was submitted last."""
        made = self.submitted[-1]
        assert isinstance(made, CreateComment)
        return made


class Reader(Driver):
    """A person who reads a thread."""

    @property
    def thread(self) -> ThreadScreen:
        """The thread, which is in front."""
        assert isinstance(self.app.screen, ThreadScreen)
        return self.app.screen

    @property
    def said(self) -> str:
        """The status line."""
        assert isinstance(self.app.screen, CallboardScreen)
        return self.app.screen.status.words

    @property
    def at(self) -> int:
        """The comment at the cursor."""
        assert self.thread.current is not None
        return self.thread.current.id

    def write(self, text: str) -> None:
        """Have a text in the editor, behind what is there."""
        self.editor.area.insert(text)

    @property
    def editor(self) -> CommentEditor:
        """The editor, which is in front."""
        assert isinstance(self.app.screen, CommentEditor)
        return self.app.screen


@asynccontextmanager
async def reading(
    store: FakeStore,
    *,
    size: tuple[int, int] = (80, 24),
    preferences: Preferences | None = None,
    drafts: Drafts | None = None,
    on_board: bool = False,
) -> AsyncIterator[Reader]:
    """Ann, with the thread of 412 in front of her."""
    store.me = Account("ann")
    context = Context(
        store,
        preferences=preferences or Preferences(),
        drafts=drafts or Drafts(),
        now=lambda: NOW,
        glance_seconds=0.001,
    )
    app = CallboardApp(context, connect=connected, board_id=1)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        reader = Reader(app, pilot)
        if not on_board:
            app.post_message(ThreadRequested(1, 412))
            await reader.press()
        yield reader


async def test_reading_folding_and_what_is_unread() -> None:
    store = Talked()
    store.unread = frozenset({13, 5})
    async with reading(store) as reader:
        assert "open task 412 of 1" in store.asked
        for words in ("Who saw http://example.test/a\u00a0[1]", "It is the cookie.", "● Jon Reyes",
                      "▸ 1 reply", "edited", "▪ before.png  34 KB", "● 2 unread", "6 comments",
                      "latest first  1/5"):  # fmt: skip
            assert words in reader.text
        assert "How often?" not in reader.text
        await reader.press("right_square_bracket")
        assert reader.at == 13
        await reader.press("right_square_bracket")
        assert reader.at == 5
        await reader.press("right_square_bracket")
        assert "No unread comment below" in reader.said
        await reader.press("k", "enter")
        assert "How often?" in reader.text
        await reader.press("j", "enter")
        assert reader.at == 7
        assert "How often?" not in reader.text
        assert "comments of 412 seen" in store.asked
        store.unread = frozenset()
        store.detail_news(store.talk)
        await reader.press("g", "g", "enter", "left_square_bracket", "G")
        assert reader.at == 5
        assert "● Jon Reyes" in reader.text
        await reader.press("left_square_bracket")
        assert reader.at == 13
        await reader.press("escape")
        assert isinstance(reader.app.screen, BoardScreen)


@pytest.mark.long
async def test_private_is_said_only_beside_what_is_public() -> None:
    async with reading(Talked()) as person:
        assert "private" not in person.text
    mixed = (*THREAD[:2], replace(THREAD[2], is_private=False))
    async with reading(Talked(*mixed)) as person:
        assert person.text.count("private") == 2
        assert person.text.count("public") == 1


async def test_the_order_is_chosen_and_kept_and_oldest_first_begins_at_the_unread() -> None:
    kept, store = Preferences(), Talked()
    async with reading(store, preferences=kept) as reader:
        await reader.press("O")
        assert "Oldest first" in reader.said
        assert [row.comment.id for row in reader.thread.thread.rows] == [5, 7, 9]
        assert reader.at == 9
    store.unread = frozenset({7})
    async with reading(store, preferences=kept) as reader:
        assert reader.at == 7
        assert "oldest first  2/3" in reader.text
        await reader.press("left_square_bracket", "ctrl+d", "ctrl+u", "pagedown", "home", "end")
        assert reader.at == 9


async def test_a_reply_and_a_quote_name_people() -> None:
    store = Talked()
    async with reading(store) as reader:
        await reader.press("enter", "j", "r")
        assert "Reply to Ann Keller" in reader.text
        reader.write("ask ")
        await reader.type("@mi")
        assert "Mira Novak" in reader.text
        await reader.press("tab", "ctrl+s")
        made = store.comment
        assert (made.text, made.parent_id, made.mentions) == ("ask @mira", 9, (MIRA,))
        assert (made.author, made.task_id) == (ANN, 412)
        assert made.created_at is not None
        assert made.created_at.tzinfo is not None
        assert reader.at == made.comment_id
        assert "↑ Ann Keller" in reader.text
        await reader.press("G", "k", "Q")
        assert reader.editor.area.text == "> It fails\n> after SSO\n\n"
        reader.write("always")
        await reader.press("ctrl+s")
        assert store.comment.text == "> It fails\n> after SSO\n\nalways"
        assert store.comment.parent_id == 7
        assert "always" in reader.text
        await reader.press("u")
        assert store.talk.comment(store.comment.comment_id) is None
        await reader.press("g", "g", "U")
        assert reader.at == store.comment.comment_id
        assert "Redone: replied to a comment on “Fix login" in reader.said


async def test_a_draft_is_kept_and_an_empty_comment_refused() -> None:
    store, drafts = Talked(), Drafts()
    async with reading(store, drafts=drafts) as reader:
        await reader.press("c", "ctrl+s")
        assert "nothing to send yet" in reader.text
        reader.write("half a")
        await reader.press("escape")
        assert "Draft saved" in reader.said
        await reader.press("c")
        reader.write(" thought")
        store.failure = CallboardError("The disk is full: the change was not kept.")
        await reader.press("ctrl+s")
        assert "The disk is full" in reader.said
        store.failure = None
        await reader.press("escape", "c", "ctrl+s")
        assert store.comment.text == "half a thought"
        assert drafts.get("comment-412") is None
        await reader.press("r")
        reader.write("yes")
        await reader.press("escape", "Q")
        assert reader.editor.area.text == "yes\n\n> half a thought\n\n"


@pytest.mark.long
async def test_only_ones_own_is_edited_and_deleted() -> None:
    store = Talked()
    store.sources[7] = "It *fails*\nafter SSO"
    async with reading(store) as reader:
        for key, verb in (("e", "edit"), ("D", "delete")):
            await reader.press(key)
            assert f"Only Mira Novak can {verb} this comment" in reader.said
        await reader.press("j", "e", "ctrl+s")
        assert "Nothing was changed" in reader.said
        await reader.press("e")
        assert reader.editor.area.text == "It *fails*\nafter SSO"
        await reader.type(" @jon")
        await reader.press("ctrl+s")
        (edit,) = store.submitted
        assert isinstance(edit, EditComment)
        assert (edit.text, edit.comment_id, edit.mentions) == (
            "It *fails*\nafter SSO @jon",
            7,
            (JON,),
        )
        await reader.press("D")
        assert "Its reply will be deleted too." in reader.text
        await reader.press("enter", "n")
        assert "Nothing was deleted" in reader.said
        await reader.press("D", "y")
        deleted = store.submitted[-1]
        assert isinstance(deleted, DeleteComment)
        assert deleted.comment.id == 7
        assert [one.id for one in store.talk.comments or ()] == [9, 5]
        assert reader.at == 5


@pytest.mark.long
async def test_pictures_are_attached_and_sent_with_the_comment(tmp_path: Path) -> None:
    store, path = Talked(), tmp_path / "shot.png"
    path.write_bytes(b"bytes")
    store.kept_pictures[path] = KeptPicture("shot.png", "image/png", "5 B", path)
    async with reading(store) as reader:
        await reader.press("c", "ctrl+n")
        assert "no picture attached" in reader.text
        for chosen in (tmp_path / "notes.txt", path):
            await reader.press("ctrl+o")
            assert isinstance(reader.app.screen, AttachDialog)
            reader.app.screen.dismiss((chosen,))
            await reader.press()
            assert ("notes.txt cannot be read" in reader.text) is (chosen != path)
        assert "▪ shot.png 5 B" in reader.text
        await reader.press("escape")
        assert "Draft saved with its pictures" in reader.said
        await reader.press("c", "ctrl+s")
        upload, made = store.steps[-1]
        assert isinstance(upload, UploadImage)
        assert isinstance(made, CreateComment)
        assert made.images == (upload.image,)
        assert made.text == ""
        assert "↑ shot.png" in reader.text
        await reader.press("c")
        assert reader.editor.attached == ()
        await reader.press("escape", "e", "ctrl+n", "ctrl+s")
        assert "nothing to send yet" in reader.text
        reader.write("gone")
        await reader.press("ctrl+s")
        edit = store.submitted[-1]
        assert isinstance(edit, EditComment)
        assert (edit.text, edit.images) == ("gone", ())


class Unreachable(Talked):
    """A store that has no older comments at hand, for now."""

    is_reachable = False

    async def older_comments(self, task_id: int) -> None:
        await super().older_comments(task_id)
        if not self.is_reachable:
            raise CallboardError("The service does not answer.")


async def test_older_comments_come_as_one_gets_near_them_and_are_asked_for_again() -> None:
    store = Unreachable(everything=False)
    older = Comment(2, 412, "the very first", author=JON)
    async with reading(store) as reader:
        assert "The service does not answer." in reader.said
        assert "older comments could not be loaded" in reader.text
        await reader.press("j", "escape")
        assert store.asked.count("older comments of 412") == 1
        store.is_reachable = True
        store.older[412] = replace(store.talk, comments=(*THREAD, older), all_comments=True)
        await reader.press("G")
        assert store.asked.count("older comments of 412") == 2
        assert "could not be loaded" not in reader.text
        assert "latest first  3/4" in reader.text
        await reader.press("j")
        assert "the very first" in reader.text


async def test_the_cursor_stays_when_news_come_and_ids_change() -> None:
    mine = Comment(-3, 412, "mine", author=ANN)
    store = Talked(mine, *THREAD)
    async with reading(store) as reader:
        assert reader.at == -3
        accepted = (replace(mine, id=14), *THREAD)
        store.details[412] = replace(store.talk, comments=accepted)
        store.news(store.views[1], **{"n-3": 14})
        store.unread = frozenset({15})
        new = (Comment(15, 412, "new", author=MIRA), *accepted)
        store.detail_news(replace(store.talk, comments=new))
        await reader.press()
        assert reader.at == 14
        assert "1 unread" in reader.text
        await reader.press("left_square_bracket")
        assert reader.at == 15
        store.notify(UploadProgress(412, -9, 30, 120))
        assert "25 %" in reader.said
        await reader.press("R", "y")
        assert "refresh task 412" in store.asked
        assert "Copied" in reader.said


async def test_nothing_to_read_is_said() -> None:
    store, why = Talked(), "This edition has no comments."
    store.details[412] = replace(store.talk, comments=None, why={DetailPart.COMMENTS: why})
    async with reading(store, size=(40, 12)) as reader:
        assert why in reader.text
        await reader.press("j", "G", "ctrl+d", "enter", "right_square_bracket", "r")
        assert why in reader.said
        store.detail_news(replace(store.talk, why={}))
        await reader.pilot.pause()
        assert "loading comments …" in reader.text
        store.now = SyncStatus(problem="No connection.")
        store.detail_news(replace(store.talk, comments=None))
        await reader.press("j")
        assert "No connection." in reader.said
        store.detail_news(replace(store.talk, comments=()))
        await reader.press()
        assert "No comments yet." in reader.text
        await reader.press("enter")
        assert "No comment here  c to add one" in reader.said
        del store.details[412]
        store.news(store.views[1].without_task(412))
        await reader.press("c")
        assert "no longer here" in reader.said


async def test_an_empty_thread_offers_what_can_be_done_there() -> None:
    store = Talked()
    async with reading(store, size=(100, 20)) as reader:
        assert "r reply" in reader.hints
        store.detail_news(replace(store.talk, comments=()))
        await reader.press()
        shown = [" ".join(line.split()) for line in reader.text.splitlines()]
        assert "c write the first comment" in shown
        assert "esc go back" in shown
        assert "@ mentions someone and ctrl+o attaches a picture" in reader.text
        assert "c write comment R refresh esc back" in " ".join(reader.hints.split())
        assert "reply" not in reader.hints
        store.is_read_only = True
        store.detail_news(replace(store.talk, comments=()))
        await reader.press()
        assert "Read-only mode: nothing can be changed." in reader.text
        assert "first comment" not in reader.text


async def test_links_and_pictures_are_opened_by_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    store = Talked()
    async with reading(store) as reader:
        await reader.press("v")
        assert "No picture" in reader.said
        await reader.press("o", "2")
        assert isinstance(reader.app.screen, AddressDialog)
        assert "https://example.test/b" in reader.text
        assert reader.app.clipboard == "https://example.test/b"
        await reader.press("y", "escape", "j", "o")
        assert "No link" in reader.said
        await reader.press("G", "o")
        assert "mailto:ops@example.test" in reader.text
        await reader.press("escape", "enter", "2")
        assert isinstance(reader.app.screen, PictureDialog)
        assert "after.png" in reader.text


def test_only_addresses_are_opened_and_only_where_somebody_sees_it(tmp_path: Path) -> None:
    for url in ("javascript:alert(1)", "file:///etc/passwd", "http://a b", "http://a\x1b[2J", ""):
        assert not may_be_opened(url)
    assert may_be_opened("HTTPS://example.test/a?b=c#d")
    opener = tmp_path / "xdg-open"
    opener.touch(mode=0o755)
    here = {"PATH": str(tmp_path)}
    assert browser_command(here, "linux") is None
    assert browser_command({**here, "WAYLAND_DISPLAY": "w"}, "linux") == [str(opener)]
    assert browser_command({"DISPLAY": ":0", "PATH": ""}, "linux") is None
    assert browser_command({}, "darwin") == ["open"]
    assert browser_command({"SSH_CONNECTION": "1"}, "darwin") is None


async def test_a_comment_is_written_from_the_board_and_the_thread_opened() -> None:
    store = Talked()
    async with reading(store, on_board=True) as reader:
        await reader.press("c")
        reader.write("from the board")
        await reader.press("ctrl+s")
        assert store.comment.text == "from the board"
        assert "Commented on" in reader.said
        await reader.press("T")
        assert "from the board" in reader.text
        assert isinstance(reader.app.screen, ThreadScreen)
        await reader.press("escape")
        assert store.asked[-1] == "close task"
        store.details[412] = replace(store.talk, why={DetailPart.COMMENTS: "No comments here."})
        await reader.press("c")
        assert "No comments here." in reader.said


@pytest.mark.parametrize("on_board", [False, True])
async def test_a_comment_is_written_offline_where_the_others_could_not_be_read(
    *, on_board: bool
) -> None:
    store, part = Talked(), DetailPart.COMMENTS
    unread = replace(store.talk, comments=None, why={part: "not loaded: no connection"})
    store.details[412] = replace(unread, unread=frozenset({part}))
    store.now = SyncStatus(problem="No connection.")
    async with reading(store, on_board=on_board) as reader:
        await reader.press("c")
        reader.write("written offline")
        await reader.press("ctrl+s")
        assert store.comment.text == "written offline"


async def test_the_bar_says_where_one_is_and_the_edge_how_many_are_below() -> None:
    store = Talked()
    async with reading(store, size=(120, 9)) as reader:
        bar = reader.text.splitlines()[0]
        assert bar.startswith(
            " Website relaunch  › #412 › Fix login redirect after SSO  6 comments "
        )
        assert bar.endswith(" latest first  1/3  ✓ synced ")
        assert "↓ 1 more comment" in reader.text
        await reader.press("G")
        assert "more comment" not in reader.text
        store.now = SyncStatus(pending=2)
        store.notify(StatusChanged(1))
        await reader.press()
        assert "↑ 2 pending" in reader.text.splitlines()[0]


async def test_of_more_than_nine_links_one_is_chosen_by_a_letter() -> None:
    text = " ".join(f"https://example.test/{number}" for number in range(11))
    async with reading(Talked(Comment(9, 412, text, author=MIRA))) as reader:
        await reader.press("o", "a")
        assert reader.app.clipboard == "https://example.test/9"
