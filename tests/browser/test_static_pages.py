"""Exported pages and pictures in a real browser: they load nothing, fit a phone, and print."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.page import chromium
from tests.cli.pages.boards import PAGES
from tests.drivers.program import environment

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]
_PAGE_OF_PDF = re.compile(rb"/Type\s*/Page\b")


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as found:
        yield found


class Visit:
    """A page that was opened from a file, what it asked for and what its policy refused."""

    def __init__(self, page: "Page", file: Path) -> None:
        self.page = page
        self.asked: list[str] = []
        self.said: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.goto(file.as_uri())

    def color_of_ground(self) -> str:
        color: str = self.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return color

    def excess(self) -> int:
        """How many pixels the page is wider than the window."""
        pixels: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return pixels


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_in_a_browser(browser: "Browser", tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"{kind}.html"
    file.write_text(PAGES[kind](), encoding="utf-8")
    grounds = set()
    for scheme in ("light", "dark"):
        context = browser.new_context(
            color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": 400, "height": 800},
        )
        visit = Visit(context.new_page(), file)
        assert (visit.asked, visit.said) == ([file.as_uri()], [])
        grounds.add(visit.color_of_ground())
        assert visit.excess() == 0
        visit.page.set_viewport_size({"width": 1280, "height": 800})
        assert visit.excess() == 0
        visit.page.emulate_media(media="print")
        assert visit.color_of_ground() == "rgb(255, 255, 255)"
        printed = visit.page.pdf(format="A4")
        assert printed.startswith(b"%PDF")
        assert _PAGE_OF_PDF.search(printed)
        assert visit.asked == [file.as_uri()]
        context.close()
    assert len(grounds) == 2


def test_a_picture_in_a_browser(browser: "Browser", tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    for arguments in (["tour"], ["export", "--svg", str(file)]):
        subprocess.run(  # noqa: S603  our own program
            [sys.executable, "-m", "tui", *arguments],
            env=environment(tmp_path),
            check=True,
            stdout=subprocess.PIPE,
        )
    visit = Visit(browser.new_page(), file)
    assert (visit.asked, visit.said) == ([file.as_uri()], [])
    assert "First steps" in (visit.page.locator("svg").text_content() or "").replace("\xa0", " ")
    visit.page.close()
