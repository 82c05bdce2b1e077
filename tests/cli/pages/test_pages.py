"""A page has every text of its board, and nothing that runs or loads anything."""

import re
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, timedelta
from hashlib import sha256

import pytest
from hypothesis import given, strategies as st
from textual.color import Color

from tests.cli.conftest import Said, home, made, said
from tests.cli.pages.boards import HOSTILE, PAGES, a_board, hostile_board
from tests.cli.pages.reading import ReadPage
from tests.fakes.boards import NOW, small, task
from tests.text.test_html_tree import MARKUP
from tui.cli.pages.board import NO_TITLE, board_page
from tui.cli.pages.rich_text import rich_text
from tui.cli.pages.saved_view import view_page
from tui.cli.pages.standup import standup_page
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView
from tui.model.colors import COLORS
from tui.model.events.history import BoardHistory
from tui.model.people import Account
from tui.model.relations import Relations, related
from tui.model.standup.report import BoardSource, standup
from tui.model.task import Label, Person, Status
from tui.model.work.saved_view import SavedView
from tui.model.work.view_rows import view_rows
from tui.text import clean
from tui.text.clean import counted
from tui.theme import READABLE, contrast

__all__ = ["home", "made", "said"]

_TEXTS = st.text(max_size=12) | st.sampled_from(HOSTILE)


@given(title=_TEXTS, stage=_TEXTS, board=_TEXTS, name=_TEXTS, label=_TEXTS)
def test_a_page_says_what_the_board_says(
    title: str, stage: str, board: str, name: str, label: str
) -> None:
    view = small()
    card = task(1, title, labels=(Label(1, label),), assignees=(Person(1, name),))
    stages = (replace(view.stages[0], title=stage),)
    view = replace(
        view, board=replace(view.board, title=board), stages=stages, tasks={1: (card,)}
    )  # fmt: skip
    page = ReadPage(board_page(view, {1: title}, {}, NOW))
    assert [*page.faults()] == []

    def shown(text: str, otherwise: str = NO_TITLE) -> str:
        return clean.text(text or otherwise)

    assert page.words("h1") == page.words("title") == [shown(board)]
    assert page.words("h2") == [f"{shown(stage)} 1"]
    assert page.words("span", "title") == [shown(title)]
    assert page.words("li", "label") == [shown(label, "#8590a2")]
    assert page.words("dd") == [shown(name, "person 1")]


@given(MARKUP | st.text())
def test_a_description_has_only_what_is_allowed(source: str) -> None:
    assert [*ReadPage(f"<style></style>{rich_text(source)}").faults()] == []


@pytest.mark.parametrize("kind", PAGES)
def test_every_page_is_allowed_its_own_style_sheet_alone(kind: str) -> None:
    source = PAGES[kind]()
    page = ReadPage(source)
    assert [*page.faults()] == []
    (sheet,) = page.words("style")
    policies = [
        each.attributes["content"]
        for each in page.elements
        if each.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    assert policies == [
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    ]
    assert not re.search(r"url\(|@import|//", sheet)
    assert page.words("h1") != [""]


def test_a_card_has_its_fields_links_and_subtasks() -> None:
    page = ReadPage(a_board())
    (card,) = (each for each in page.words("li") if "Fix login redirect" in each)
    assert card.startswith("#412 Fix login redirect after SSO")
    assert "AssigneesAnn Keller" in card
    assert re.search("DueWed 18 Nov( 2026)? 17:00, overdue", card)
    assert "Priorityhigh" in card
    assert "☑ one☐ two" in card
    assert "[image: the form]" in card
    assert f"☐ Find it✓ {HOSTILE[0]}" in card
    addresses = [each.attributes["href"] for each in page.elements if each.tag == "a"]
    assert "https://boards.example/1/412" in addresses
    assert "https://app.example/login?a=1&b=2" in addresses
    assert not any("javascript" in address for address in addresses)
    assert [len(page.words("ol", "cards")), *page.words("h2")[:2]] == [5, "Backlog 6", "Doing 3"]


def test_the_title_of_a_label_is_readable_on_its_colour() -> None:
    colors = [*COLORS.values(), "#777777", "#777", "#808080", "nonsense"]
    labels = tuple(Label(at, "x", color) for at, color in enumerate(colors))
    view = small().with_task(task(11, "a", labels=labels))
    (sheet,) = ReadPage(board_page(view, {}, {}, NOW)).words("style")
    pairs = re.findall(r"\.c-[0-9a-f]+\{background:(#\w+);color:(#\w+)\}", sheet)
    assert len(pairs) == len(colors)
    for ground, text in pairs:
        assert contrast(Color.parse(text), Color.parse(ground)) >= READABLE, (ground, text)


def test_pages_are_written_and_not_over_a_file(
    said: Said, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("pages")
    file = folder / "board.html"
    code, text, beside = said("export", "--board", "Platform", "--html", str(file))
    assert (code, text) == (0, f"{file} holds 2 cards of “Platform”\n")
    assert beside == "callboard: left out: 2 comments; --json has them too.\n"
    page = ReadPage(file.read_text(encoding="utf-8"))
    assert page.words("span", "title") == ["Card of Platform", "Mine", "First"]
    assert page.words("strong") == ["it"]
    assert "Points5" in "".join(page.words("dl"))
    code, _, beside = said("export", "--board", "Platform", "--html", str(file))
    assert (code, "already exists: nothing was written" in beside) == (2, True)
    code, text, _ = said("export", "--html", "--standup", "--board", "Platform")
    assert (code, ReadPage(text).words("h1")) == (0, ["Standup: Platform"])
    code, text, _ = said("export", "--html", "--insight")
    assert (code, len(ReadPage(text).words("h2"))) == (0, 3)
    assert said("export", "--md", "--standup")[0::2] == (
        2, "callboard: --standup is written as a page: add --html.\n",
    )  # fmt: skip


def test_a_view_is_a_table_in_its_groups(
    said: Said, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("pages") / "work.html"
    code, text, _ = said("export", "--html", "--view", "my", str(file))
    page = ReadPage(file.read_text(encoding="utf-8"))
    assert (code, page.words("h1")) == (0, ["My work"])
    titles = page.words("span", "title")
    assert text == f"{file} holds {counted(len(titles), 'card')} of “My work”\n"
    assert titles
    heads = ["title", "board › stage", "who", "due", "age", "labels"]
    assert page.words("th")[: len(heads)] == heads
    assert "Filter: @me is:open" in page.words("p", "quiet")
    assert all(re.fullmatch(r"[A-Z][a-z ]+ \d+", heading) for heading in page.words("h2"))
    code, text, _ = said("export", "--html", "--view", "due")
    assert (code, "No cards match." in text) == (0, True)
    assert said("export", "--md", "--view", "my")[0::2] == (
        2, "callboard: --view is written as a page: add --html.\n",
    )  # fmt: skip
    code, _, beside = said("export", "--html", "--view", "none")
    assert (code, "no view “none”" in beside) == (1, True)


def test_a_template_says_so_and_is_not_open() -> None:
    view = small().with_task(task(11, "a", is_template=True))
    page = ReadPage(board_page(view, {}, {}, NOW))
    assert page.words("dl") == ["Templateyes"]
    assert page.words("p", "quiet")[0].startswith("4 open · as of")


def test_hostile_texts_are_on_the_page_of_the_hostile_board() -> None:
    titles = ReadPage(a_board()).words("span", "title")
    assert {clean.text(each.title) for each in hostile_board().in_stage(9)} <= {*titles}


def waiting_board() -> tuple[BoardView, Relations]:
    """A board on which one card waits for three, and another one for it."""
    named = Blocker(11), Blocker(801, "Support"), Blocker(99)
    view = small().with_task(task(11, HOSTILE[2])).with_task(task(12, "b", blockers=named))
    view = view.with_task(task(13, "Later", blockers=(Blocker(12),)))
    closed = replace(task(801, "Answer", status=Status.CLOSED), board_id=2)
    return view, related([*view.all_tasks(), closed])


def test_blocked_cards_are_shown_as_on_boards_with_words_for_readers() -> None:
    view, relations = waiting_board()
    boards = view.board, Board(2, "Support")
    address = "https://boards.example/{board}/{id}"
    page = ReadPage(board_page(view, {}, {}, NOW, address, relations=relations, boards=boards))
    assert [*page.faults()] == []
    assert page.words("span", "blocked") == ["⊘ #11", "⊘ #12"]
    assert page.words("span", "holding") == ["»2", "»1"]
    spoken = [each.attributes["aria-label"] for each in page.elements if "role" in each.attributes]
    title = clean.line(HOSTILE[2])
    assert f"blocked by #11 {title}" in spoken
    assert "1 card waits for this one: #13 Later" in spoken
    fields = " ".join(page.words("dl"))
    assert f"Blocked by#11 {title}, ✓ Support #801 Answer (closed), #99 (not found)" in fields
    assert "Blocks#13 Later" in fields
    assert "https://boards.example/2/801" in [
        each.attributes["href"] for each in page.elements if each.tag == "a"
    ]
    assert "2 blocked" in page.words("p", "quiet")[0]


def test_views_and_the_standup_show_them_too() -> None:
    view, relations = waiting_board()
    saved = SavedView("All", "")
    rows = view_rows([view], saved, Account("ann"), NOW)
    page = ReadPage(view_page(saved, rows, NOW, relations=relations))
    assert (len(page.words("span", "blocked")), len(page.words("span", "holding"))) == (2, 2)
    assert "2 blocked" in page.words("p", "quiet")[0]
    now = NOW.replace(tzinfo=UTC)
    source = BoardSource(view, BoardHistory(view.board.id), relations=relations)
    report = standup([source], now, now - timedelta(days=3))
    page = ReadPage(standup_page(report, relations=relations))
    assert [*page.faults()] == []
    assert any(words.startswith("⊘ blocked: #") for words in page.words("strong", "bad"))
