"""Stylesheets that an earlier start has parsed: the same rules, and never anything else."""

import importlib
import inspect
import pkgutil
from _pickle import Unpickler
from io import BytesIO
from pathlib import Path
from pickle import dumps

import pytest
from hypothesis import given, strategies as st
from textual.css import styles
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.layout import Layout
from textual.theme import Theme
from textual.widget import Widget

import tui
from tests.boards import small
from tests.fake_store import FakeStore
from tests.runtime.test_textual_patches import subclasses
from tests.screens.driving import Driver, connected
from tui import theme
from tui.app import CallboardApp
from tui.context import Context
from tui.runtime.kept_styles import (
    KeptStyles,
    content_of,
    packed,
    read_styles,
    unpacked,
)
from tui.runtime.textual_patches import PatchedApp

KEPT = KeptStyles(
    {"quiet": "#a6afc6"}, {("A {}", ("a.tcss", ""), False, 0, ""): packed([RuleSet()])}
)
KEY = ("$quiet {}", ("a.tcss", ""), False, 0, "")


@pytest.fixture(autouse=True)
def _parsing_of_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    # The one that all other tests share parses each stylesheet once.
    for name in ("_parse_rules", "parse"):
        monkeypatch.setattr(Stylesheet, name, inspect.unwrap(getattr(Stylesheet, name)))


def program(styles: Path) -> CallboardApp:
    """The program on a small board, with styles kept in a file."""
    return CallboardApp(Context(FakeStore(small())), connect=connected, board_id=1, styles=styles)


async def run(app: CallboardApp, *keys: str) -> str:
    """What the program looks like after these keys; it ends then."""
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await Driver(app, pilot).press(*keys)
        picture = app.export_screenshot(title="board")
        app.exit()
    assert app.crash == ""
    return picture


def parsed(sheet: Stylesheet) -> list[str]:
    """The stylesheets that were not kept when the program began, by their origins."""
    kept = vars(sheet)["_kept"]
    keys = list(sheet._parse_cache.keys())
    return [key[1][0] for key in keys if key not in kept]


def values(rules: RuleSet) -> dict[str, object]:
    """What rules set, with layouts by their names."""
    return {
        name: value.name if isinstance(value, Layout) else value
        for name, value in rules.styles.get_rules().items()
    }


async def test_the_second_start_parses_nothing_and_looks_the_same(tmp_path: Path) -> None:
    first = program(tmp_path / "styles")
    shown = await run(first)
    assert parsed(first.stylesheet)
    second = program(tmp_path / "styles")
    assert await run(second) == shown
    assert parsed(second.stylesheet) == []
    assert list(map(values, second.stylesheet.rules)) == list(map(values, first.stylesheet.rules))
    assert second.theme_variables == first.theme_variables


async def test_what_a_later_start_opens_is_added(tmp_path: Path) -> None:
    path = tmp_path / "styles"
    await run(program(path))
    second = program(path)
    await run(second, "question_mark")
    assert Path(parsed(second.stylesheet)[0]).name == "dialogs.tcss"
    third = program(path)
    await run(third, "question_mark")
    assert parsed(third.stylesheet) == []
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.stat().st_mtime_ns
    await run(program(path))
    assert path.stat().st_mtime_ns == before, "nothing was new"


async def test_another_theme_has_its_own_styles(tmp_path: Path) -> None:
    path = tmp_path / "styles"
    dark = await run(program(path))
    app = program(path)
    async with app.run_test(size=(100, 30)) as pilot:
        app.theme = theme.LIGHT.name
        await pilot.pause()
        light = app.export_screenshot(title="board")
        app.exit()
    assert read_styles(path, theme.DARK) is None
    kept = read_styles(path, theme.LIGHT)
    assert kept is not None
    assert kept.variables["quiet"] == theme.LIGHT.variables["quiet"]
    assert light != dark
    assert await run(program(path)) == dark


async def test_styles_are_kept_for_the_theme_that_they_were_parsed_for(tmp_path: Path) -> None:
    path = tmp_path / "styles"
    app = program(path)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        app.theme = theme.LIGHT.name  # its styles are not parsed yet
        app.exit()
    assert read_styles(path, theme.LIGHT) is None
    kept = read_styles(path, theme.DARK)
    assert kept is not None
    assert kept.variables["quiet"] == theme.DARK.variables["quiet"]


async def test_styles_that_cannot_be_kept_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    await run(program(tmp_path / "file" / "styles"))


async def test_damaged_rules_are_parsed(tmp_path: Path) -> None:
    path = tmp_path / "styles"
    shown = await run(program(path))
    kept = read_styles(path, theme.DARK)
    assert kept is not None
    damaged = kept._replace(rules=dict.fromkeys(kept.rules, b"damaged"))
    path.write_bytes(content_of(damaged, theme.DARK))
    app = program(path)
    assert await run(app) == shown
    assert parsed(app.stylesheet)
    whole = read_styles(path, theme.DARK)
    assert whole is not None
    assert all(unpacked(rules) is not None for rules in whole.rules.values())


def test_rules_of_a_stylesheet_that_has_changed_are_not_kept_any_more() -> None:
    app = PatchedApp()
    app.stylesheet.use(KeptStyles({}, {KEY: packed([RuleSet()])}))
    app.stylesheet.add_source("Screen { height: 1fr; }", read_from=("a.tcss", ""))
    app.stylesheet.parse()
    kept = app.stylesheet.styles_to_keep()
    assert kept is not None
    assert [key[0] for key in kept.rules] == ["Screen { height: 1fr; }"]


@pytest.mark.parametrize("of", theme.THEMES, ids=lambda each: each.name)
def test_all_rules_are_kept_as_they_are(of: Theme) -> None:
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    app = PatchedApp()
    app.register_theme(of)
    app.theme = of.name
    sheet = Stylesheet(variables=app.get_css_variables())
    sheet.read_all(list(theme.stylesheet("app.tcss").parent.glob("*.tcss")))
    for kind in {Widget, *subclasses(Widget)}:
        if css := vars(kind).get("DEFAULT_CSS"):
            origin = (kind.__module__, kind.__name__)
            sheet.add_source(css, origin, is_default_css=True, scope=kind.__name__)
    rules = sheet.rules
    again = unpacked(packed(rules))
    assert again is not None
    for new, old in zip(again, rules, strict=True):
        assert new.selector_set == old.selector_set
        assert values(new) == values(old)
        assert new.styles.important == old.styles.important
        assert (new.selector_names, new.pseudo_classes) == (old.selector_names, old.pseudo_classes)
        assert (new.is_default_rules, new.tie_breaker) == (old.is_default_rules, old.tie_breaker)


def test_only_the_versions_that_wrote_them_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "styles"
    path.write_bytes(content_of(KEPT, theme.DARK))
    assert read_styles(path, theme.DARK) == KEPT
    monkeypatch.setattr(styles, "__file__", str(path))
    assert read_styles(path, theme.DARK) is None


@given(at=st.integers(0, 400), byte=st.binary(max_size=3), rest=st.booleans())
def test_a_damaged_file_is_as_good_as_none(
    at: int, byte: bytes, tmp_path_factory: pytest.TempPathFactory, *, rest: bool
) -> None:
    path = tmp_path_factory.mktemp("cache") / "styles"
    path.write_bytes(content_of(KEPT, theme.DARK))
    line, _, body = path.read_bytes().partition(b"\n")
    damaged = body[:at] + byte + (body[at + len(byte) :] if rest else b"")
    path.write_bytes(line + b"\n" + damaged)
    assert read_styles(path, theme.DARK) in (None, KEPT)


def test_nothing_but_rules_is_made_of_a_file(tmp_path: Path) -> None:
    class Hostile:
        """An object that opens a file for writing when it is read."""

        def __reduce__(self) -> tuple[object, ...]:
            return open, (str(tmp_path / "harm"), "w")

    content = dumps(Hostile())
    assert unpacked(content) is None
    assert not (tmp_path / "harm").exists()
    Unpickler(BytesIO(content)).load().close()
    assert (tmp_path / "harm").exists(), "it does harm where it is read without care"
