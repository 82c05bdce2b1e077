"""What looks at drawn cells finds what is wrong with them."""

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from tests.pictures.look import Look
from tests.pictures.platform import store, view
from tests.screens.driving import opened
from tui.theme import DARK, variable_defaults

TITLE = "Passwords: say what is missing"


class Drawn(App[None]):
    """A text on a screen."""

    CSS = "Screen { background: #101010; color: #f0f0f0; }"

    def __init__(self, text: str, style: str) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self._text, self._style = text, style

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """As in the program."""
        return variable_defaults(DARK.to_color_system().generate())

    def compose(self) -> ComposeResult:
        """The text alone."""
        text = Static(self._text, markup=False)
        if self._style:
            text.styles.color, text.styles.background = self._style.split(" on ")
        yield text


@pytest.mark.parametrize(
    ("text", "style", "wrong"),
    [
        (TITLE, "", ""),
        ("Passwords: say…", "", ""),
        ("Passwords: say", "", ""),
        ("Passwords: say wh", "", "cut: "),
        ("a sign \N{PLACE OF INTEREST SIGN}", "", "not in ASCII: "),
        ("grey on grey", "#777777 on #606060", "contrast "),
    ],
)
async def test_a_text_is_looked_at(text: str, style: str, wrong: str) -> None:
    app = Drawn(text, style)
    async with app.run_test(size=(40, 3)) as pilot:
        await pilot.pause()
        found = list(Look(app).wrong([TITLE]))
    assert bool(found) is bool(wrong)
    assert all(wrong in each for each in found)


async def test_hints_are_missed() -> None:
    async with opened(store(), size=(80, 24)) as person:
        titles = [card.title for card in view().all_tasks()]
        assert not list(Look(person.app).wrong(titles))
        person.board.status.footer.display = False
        await person.pilot.pause()
        assert any("no hints" in each for each in Look(person.app).wrong())
