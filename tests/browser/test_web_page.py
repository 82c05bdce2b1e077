"""The first minute of the program in a real browser, without a click; and what only a page does."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.page import Server, WebPage, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as found:
        yield found


@pytest.fixture
def server(tmp_path: Path, browser: "Browser") -> Iterator[Server]:
    """A server on a home in which the program has never been."""
    assert browser.is_connected()
    pytest.importorskip("textual_serve", reason="not installed: pip install 'callboard[web]'")
    server = Server(tmp_path)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def page(server: Server, browser: "Browser") -> Iterator[WebPage]:
    """A page that was just opened, and not clicked."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = WebPage(context, server.address)
    yield page
    context.close()
    assert page.errors == []


def test_the_first_minute_needs_no_click(page: WebPage) -> None:
    page.shows("Start here", "j down, k back up", "? keys")
    assert page.page.title() == "Callboard"
    page.press("n")
    page.type("Buy milk")
    page.shows("Buy milk")
    page.press("Enter", "Escape")
    page.shows("#18")
    page.press("Enter")
    page.shows("Buy milk", "1 Description", "2 Subtasks")
    page.press("Escape", "j")
    page.hides("1 Description")
    page.press("u")
    page.shows("Undone")
    page.hides("#18")


def test_a_card_is_dragged_to_another_stage(page: WebPage) -> None:
    page.shows("Drop a card below me")
    page.page.mouse.move(*page.place("j down, k back up"))
    page.page.mouse.down()
    page.page.mouse.move(*page.place("Drop a card below me"), steps=5)
    page.shows("Moving “j down, k back up”")
    page.page.mouse.up()
    page.shows("Moved #1 from First steps to In progress")


def test_the_right_button_opens_the_menu_of_the_program(page: WebPage) -> None:
    page.shows("L moves me right")
    page.page.mouse.click(*page.place("L moves me right"), button="right")
    page.shows("Edit title", "Copy link", "Duplicate …")


def test_several_lines_are_pasted_a_link_is_opened_and_a_title_copied(page: WebPage) -> None:
    page.shows("j down, k back up")
    page.press("Enter")
    page.shows("1 Description")
    page.press("Shift+E")
    page.shows("Description of")
    page.copy("see https://example.org/page\n\n- a list ü €\n- of two")
    page.press("Control+v")
    page.shows("see https://example.org/page", "- a list ü €", "- of two")
    page.press("Control+s")
    page.shows("• a list ü €", "• of two", "Updated the description of “j down, k back up”")
    with page.page.expect_popup() as opened:
        page.press("o")
    opened.value.wait_for_url(re.compile(r"https://example\.org/page|chrome-error:"))
    opened.value.close()
    page.shows("Opened https://example.org/page")
    page.press("y", "y")
    page.shows("Copied #1")
    assert page.clipboard == "#1 j down, k back up"


def test_the_program_takes_the_size_of_the_window(page: WebPage) -> None:
    page.shows("? keys")
    columns, rows = len(page.lines[0]), len(page.lines)
    page.page.set_viewport_size({"width": 900, "height": 500})
    page.until(
        lambda _: (
            len(page.lines) < rows
            and len(page.lines[0]) < columns
            and page.lines[-1].rstrip().endswith("? keys")
            and len(page.lines[-1].rstrip()) >= len(page.lines[-1]) - 1
        ),
        "a footer in the last of fewer lines",
    )


def test_a_reload_goes_on_in_the_middle_of_a_title(page: WebPage) -> None:
    page.shows("j down, k back up")
    page.press("j", "n")
    page.type("Half a ti")
    page.shows("Half a ti")
    page.page.reload()
    page.shows("Half a ti", "Start here", "New card")
    page.type("tle")
    page.shows("Half a title")
    page.press("Enter", "Escape")
    page.shows("#18")
    page.press("Enter")
    page.shows("1 Description")
    page.page.set_viewport_size({"width": 1000, "height": 600})
    page.page.reload()
    page.shows("1 Description", "Half a title")


def test_the_page_says_how_the_program_ended_and_opens_it_again(
    page: WebPage, server: Server
) -> None:
    page.shows("j down, k back up")
    page.press("Control+z")
    page.shows("No shell to go back to in a browser")
    page.press("q")
    page.ended.get_by_text("Callboard was closed.").wait_for()
    with page.page.expect_navigation():
        page.press("Enter")
    page.shows("j down, k back up")
    server.stop()
    page.ended.get_by_text("does not answer. Run it again").wait_for()
    page.press("Enter")
    page.ended.get_by_text("Try again").wait_for()
