"""A text of any length: written, previewed, left and found again, handed over."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from textual.app import SuspendNotSupported

from tests.fakes.boards import ANN, JON, MIRA, small, task
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened, screen_text
from tests.service.pictures import png
from tui.config.drafts import Drafts
from tui.dialogs.editor.area import mention_before, people_like
from tui.dialogs.editor.attach import AttachDialog
from tui.dialogs.editor.text import Edited, TextEditor, edit_outside
from tui.errors import CallboardError
from tui.model.picture_names import KeptPicture
from tui.model.task import Person
from tui.store.operations import CreateComment, UploadImage, is_edit

NELE = Person(4, "Nele Lind")
PEOPLE = (ANN, MIRA, JON, NELE, Person(5, "Same"), Person(6, "Same"))


@contextmanager
def given_away() -> Iterator[None]:
    """A terminal that another program may have."""
    yield


def not_given_away() -> AbstractContextManager[None]:
    """A terminal that no other program may have."""
    raise SuspendNotSupported("not here")


class Writer:
    """A person with an editor in front."""

    def __init__(self, person: Driver) -> None:
        self.person = person
        self.answers: list[str | None] = []
        self.press = person.press

    async def type(self, text: str) -> None:
        """Type a text quickly."""
        await self.person.burst(*text)

    async def open(
        self,
        text: str,
        drafts: Drafts,
        *,
        longest: int | None = None,
        as_html: Callable[[str], str] | None = None,
        outside: Callable[[str], Edited] | None = None,
    ) -> None:
        """Open an editor on a text."""
        editor = TextEditor(
            "A text", text, drafts=drafts, draft="comment-1", people=PEOPLE, as_html=as_html,
            longest=longest, again="c", outside=outside,
        )  # fmt: skip
        self.person.app.push_screen(editor, self.answers.append)
        await self.person.pilot.pause()
        await self.person.pilot.pause()

    @property
    def editor(self) -> TextEditor:
        """The editor in front."""
        assert isinstance(self.person.app.screen, TextEditor)
        return self.person.app.screen

    @property
    def text(self) -> str:
        """Everything on the screen."""
        return screen_text(self.person.app)


async def test_what_is_written_is_handed_over_and_what_is_left_is_found_again() -> None:
    drafts = Drafts()
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        writer = Writer(person)
        await writer.open("one", drafts)
        for words in ("A text", "ctrl+s done", "esc save draft", "ctrl+r preview", "3 characters"):
            assert " ".join(words.split()) in " ".join(writer.text.split())
        await writer.press("enter")
        await writer.type("two")
        await writer.press("escape")
        assert writer.answers == [None]
        assert drafts.get("comment-1") == "one\ntwo"
        assert "Draft saved  c to continue" in person.said
        await writer.open("one", drafts)
        assert "your draft  ctrl+t to discard it" in writer.text
        assert "two" in writer.text
        await writer.press("!", "ctrl+t")
        assert writer.editor.text == "one"
        assert "draft discarded" in writer.text
        assert drafts.get("comment-1") is None
        await writer.press("ctrl+z")
        assert writer.editor.text == "one\ntwo!"
        await writer.press("ctrl+s")
        assert writer.answers == [None, "one\ntwo!"]
        assert drafts.get("comment-1") == "one\ntwo!", "the caller forgets it"


async def test_what_was_not_touched_is_the_same_byte_for_byte() -> None:
    drafts = Drafts()
    text = "a\x0cb\u2028c\r\nd\n"
    async with opened(FakeStore(small())) as person:
        writer = Writer(person)
        await writer.open(text, drafts)
        await writer.press("x", "backspace", "ctrl+t")
        assert "no draft: this" in writer.text
        await writer.press("ctrl+s")
        await writer.open(text, drafts)
        await writer.press("escape")
        assert writer.answers == [text, None]
        assert "Nothing was changed" in person.said
        assert drafts.get("comment-1") is None


async def test_it_is_kept_while_typing_and_a_full_disk_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.dialogs.editor.text.DRAFT_SECONDS", 0.001)
    async with opened(FakeStore(small())) as person:
        writer = Writer(person)
        await writer.open("", Drafts(tmp_path / "drafts"))
        await writer.type("so")
        await person.pilot.pause()
        assert Drafts(tmp_path / "drafts").get("comment-1") == "so"
        await writer.press("ctrl+s")
        (tmp_path / "file").write_text("no folder")
        await writer.open("", Drafts(tmp_path / "file"))
        await writer.type("w")
        await person.pilot.pause()
        assert "the draft cannot be saved: file exists" in writer.text
        await writer.type("x")
        await person.pilot.pause()
        assert "cannot be saved" not in writer.text
        await writer.press("ctrl+s")
        assert writer.answers == ["so", "wx"]


async def test_the_preview_reads_what_is_written_and_esc_goes_back_to_it() -> None:
    async with opened(FakeStore(small()), size=(40, 20)) as person:
        writer = Writer(person)
        await writer.open("# <b>one</b>", Drafts())
        await writer.press("ctrl+r")
        assert "# <b>one</b>" in writer.text, "without HTML it is plain text"
        await writer.press("j", "k", "ctrl+d", "ctrl+u")
        assert "this is the preview" not in writer.text
        await writer.press("x")
        assert "this is the preview" in writer.text
        await writer.press("escape", "y", "escape")
        assert writer.answers == [None]
        await writer.open("one", Drafts(), as_html=lambda text: f"<ul><li>{text}</li></ul>")
        await writer.press("ctrl+r")
        assert "• one" in writer.text
        await writer.press("ctrl+r", "z", "ctrl+s")
        assert writer.answers == [None, "onez"]


async def test_an_at_offers_people() -> None:
    drafts = Drafts()
    async with opened(FakeStore(small())) as person:
        writer = Writer(person)
        await writer.open("mail a@b.test, ask ", drafts)
        await writer.type("@")
        assert all(f"@{login}" in writer.text for login in ("ann", "mira", "jon"))
        assert "@Nele Lind" in writer.text
        assert "Same" not in writer.text
        await writer.type("rey")
        assert "@jon  Jon Reyes" in writer.text
        await writer.press("tab")
        await writer.type("and @")
        await writer.press("down", "enter")
        await writer.type("or @mi")
        await writer.press("escape", "r")
        assert "Mira Novak" not in writer.text, "it stays closed for this word"
        await writer.press("enter")
        await writer.type("@a")
        await writer.press("home")
        assert "Ann Keller" not in writer.text
        await writer.press("end")
        await writer.type(" @nel")
        await writer.press("tab")
        await writer.type("too")
        await writer.press("ctrl+s")
        said = "mail a@b.test, ask @jon and @mira or @mir\n@a @Nele Lind too"
        assert writer.answers == [said]


async def test_a_text_that_is_too_long_is_said_and_not_handed_over() -> None:
    async with opened(FakeStore(small())) as person:
        writer = Writer(person)
        await writer.open("ééé", Drafts(), longest=8)
        assert "6 of 8" in writer.text
        await writer.type("éé")
        assert "2 bytes too long" in writer.text
        await writer.press("ctrl+s")
        assert "too long by 2 bytes: nothing was saved" in writer.text
        await writer.press("backspace", "ctrl+s")
        assert writer.answers == ["éééé"]


async def test_the_persons_own_editor_takes_part(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\n"
        "path = pathlib.Path(sys.argv[-1])\n"
        "assert path.stat().st_mode & 0o777 == 0o600\n"
        "assert path.name == 'comment-1.md'\n"
        "path.write_text(path.read_text() + ' and more' + sys.argv[1])\n"
    )
    environ = {"EDITOR": f"'{sys.executable}' '{script}' --wait"}
    outside = partial(edit_outside, suspend=given_away, name="comment-1", environ=environ)
    async with opened(FakeStore(small())) as person:
        writer = Writer(person)
        await writer.open("one", Drafts(), outside=outside)
        await writer.press("ctrl+g")
        assert writer.editor.text == "one and more--wait"
        await writer.press("ctrl+z")
        assert writer.editor.text == "one"
        await writer.press("escape")
        await writer.open("one", Drafts())
        await writer.press("ctrl+g")
        assert writer.editor.text == "one"
        assert "no editor is set" in writer.text or "cannot be handed to another" in writer.text


def outcome(editor: str, made: Callable[[Path], int]) -> Edited:
    """What comes of an editor that does something with the file."""
    return edit_outside(
        "text", given_away, environ={"EDITOR": editor}, run=lambda words: made(Path(words[-1]))
    )


def saved(words: str, code: int) -> Callable[[Path], int]:
    """An editor that saves something and ends with a code."""

    def run(path: Path) -> int:
        path.write_text(words)
        return code

    return run


def removed(path: Path) -> int:
    """An editor that takes the file away."""
    path.unlink()
    return 0


def test_whatever_the_editor_does_no_text_is_lost() -> None:
    assert outcome("vi", saved("new\n", 0)) == Edited("new")
    assert outcome("vi", saved("text\n", 0)).message == "no changes made in the editor"
    refused = outcome("vi", saved("new", 1))
    assert (refused.text, refused.is_error) == ("text", True)
    assert refused.message == "vi exited with code 1: the text is unchanged"
    killed = outcome("vi", saved("new", -15))
    assert (killed.text, killed.is_error) == ("new", True)
    assert "was killed" in outcome("vi", saved("text", -15)).message
    assert "has an unmatched quote" in outcome("vi '", saved("new", 0)).message
    assert outcome("", saved("new", 0)).message == "no editor is set"
    gone = edit_outside("text", given_away, environ={"VISUAL": "/no/such/editor", "EDITOR": "vi"})
    assert gone.message == "/no/such/editor cannot be started: no such file or directory"
    unread = outcome("vi", removed)
    assert (unread.text, unread.is_error) == ("text", True)
    elsewhere = edit_outside("text", not_given_away, environ={"EDITOR": "vi"})
    assert elsewhere.message == "this terminal cannot be handed to another program"


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("@", ""), ("ask @jo", "jo"), ("(@jo", "jo"), ("a@b", None), ("@jo ", None), ("", None),
        ("http://x/@jo", None), ("@a.b-c", "a.b-c"),
    ],
)  # fmt: skip
def test_a_mention_is_an_at_that_starts_a_word(line: str, typed: str | None) -> None:
    assert mention_before(line) == typed


def test_people_are_found_by_name_and_login() -> None:
    assert people_like(PEOPLE, "nov") == [MIRA]
    assert people_like(PEOPLE, "ann") == [ANN]
    assert people_like(PEOPLE, "") == [ANN, MIRA, JON, NELE]
    assert people_like(PEOPLE, "zzz") == []


class SlowSource(FakeStore):
    """A store that takes its time to read a description."""

    async def description_source(self, task_id: int) -> str:
        for _ in range(200):
            await asyncio.sleep(0)
        return await super().description_source(task_id)


@pytest.mark.long
async def test_what_is_typed_while_a_description_is_read_goes_into_the_editor() -> None:
    store = SlowSource(small())
    async with opened(store) as person:
        await person.burst("E", *"xd", "ctrl+s")
        (operation,) = store.submitted
        assert is_edit(operation, "description")
        assert operation.text == "<p>xd</p>"


class SlowDisk(FakeStore):
    """A store that takes its time to keep a picture."""

    async def keep_picture(self, path: Path) -> KeptPicture:
        for _ in range(200):
            await asyncio.sleep(0)
        return await super().keep_picture(path)


async def test_a_comment_sent_while_its_picture_is_kept_has_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "dot.png"
    path.write_bytes(png(1, 1))
    store = SlowDisk(small())
    store.kept_pictures[path] = KeptPicture("dot.png", "image/png", "1 kB", path)
    async with opened(store) as person:
        await person.press("c", "ctrl+o")
        assert isinstance(person.app.screen, AttachDialog)
        person.app.screen.dismiss((path,))
        await person.burst(*"Look", "ctrl+s")
        upload, comment = store.submitted
        assert isinstance(upload, UploadImage)
        assert isinstance(comment, CreateComment)
        assert [one.title for one in comment.images] == ["dot.png"]


HTML = '<p>one <span style="color:red">red</span></p><p data-x="1">two</p>'


def described(html: str) -> FakeStore:
    """A store whose first card has a description."""
    view = small().with_task(task(11, "a", description=html))
    store = FakeStore(replace(view, people=(ANN, MIRA)))
    store.sources[11] = html
    return store


async def test_a_comment_is_written_below_its_card_or_on_the_whole_screen() -> None:
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        await person.press("enter", "c", *"reply")
        for words in ("› To do ›", "Comment on", "reply"):
            assert words in person.text
        await person.press("ctrl+l")
        assert "› To do ›" not in person.text
        assert "reply" in person.text
        await person.press("ctrl+l")
        assert "› To do ›" in person.text
        await person.press("escape")
        assert "Draft saved" in person.text


async def test_the_edge_of_the_editor_says_what_is_written_and_that_it_is_kept() -> None:
    view = replace(small(), people=(ANN, MIRA))
    async with opened(FakeStore(view), size=(80, 24)) as person:
        await person.press("c")
        assert "── Comment on #11 ─" in person.text
        assert "─ 0 of 65,536 ──" in person.text
        await person.press(*"see @m")
        assert "▌@mira  Mira Novak    tab complete" in person.text
        await person.press("tab", "escape", "c")
        assert "─ saved as a draft · 10 of 65,536 ──" in person.text
        editor = person.app.screen
        assert isinstance(editor, TextEditor)
        assert [str(span.style) for span in editor.area.get_line(0).spans if span.start == 4]
        await person.pilot.resize_terminal(40, 15)
        assert "─ 10 of 65,536 ──" in person.text
        assert "saved as" not in person.text


async def test_the_description_is_edited_as_markdown_and_the_rest_of_it_stays() -> None:
    store = described(HTML)
    async with opened(store) as person:
        drafts = person.board.context.drafts
        await person.press("E")
        editor = person.app.screen
        assert isinstance(editor, TextEditor)
        assert "Description of “a”" in person.text
        assert editor.text.endswith("two")
        await person.press("ctrl+s")
        assert store.submitted == []
        assert "Nothing was changed" in person.said
        await person.press("E")
        await person.burst(*" more @mi")
        await person.press("tab", "escape")
        assert "Draft saved  E to continue" in person.said
        assert drafts.get("description-11") is not None
        # Somebody else changes it meanwhile: the draft was begun on the text before.
        store.sources[11] = "<p>theirs</p>"
        store.news(store.views[1].with_task(task(11, "a", description="<p>theirs</p>")))
        await person.press("E", "ctrl+s")
        (operation,) = store.submitted
        assert is_edit(operation, "description")
        assert operation.base == (HTML,)
        assert operation.text.startswith('<p>one <span style="color:red">red</span></p>')
        assert "two more @mira" in operation.text
        assert "Updated the description of “a”" in person.said
        assert drafts.get("description-11") is drafts.get("ground-11") is None


async def test_what_cannot_be_kept_stays_a_draft_and_a_new_number_is_followed() -> None:
    store = FakeStore(small().with_task(task(-5, "new")))
    store.views[1] = replace(small(), tasks={1: (task(-5, "new"),), 2: (), 3: ()})
    async with opened(store) as person:
        drafts = person.board.context.drafts
        await person.press("E")
        await person.burst(*"words")
        drafts.renamed({-5: 77})
        store.news(replace(small(), tasks={1: (task(77, "new"),), 2: (), 3: ()}), **{"i-5": 77})
        store.failure = CallboardError("The disk is full.")
        await person.press("ctrl+s")
        assert "The disk is full" in person.said
        assert drafts.get("description-77") == "words"
        store.failure = None
        await person.press("escape", "E", "ctrl+s")
        (operation,) = store.submitted
        assert is_edit(operation, "description")
        assert (operation.task_id, operation.base) == (77, ("",))
        assert drafts.get("description-77") is None
        await person.press("E")
        store.news(replace(small(), tasks={1: (), 2: (), 3: ()}))
        await person.burst("x")
        await person.press("ctrl+s")
        assert "was deleted  your text is saved as a draft" in person.said
        assert drafts.get("description-77") is not None
