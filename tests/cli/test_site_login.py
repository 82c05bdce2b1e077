"""`callboard login`, `check` and `doctor` with the address of a site that holds a service."""

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.quirky.application import QuirkyService
from tests.quirky.listening import listening
from tests.quirky.people import PASSWORD, peopled_content
from tests.quirky.quirks import Quirks
from tests.quirky.site import Shape, Site
from tests.service.world import ZONE, memory_database
from tests.store.party import until
from tui.cli.main import main
from tui.client.capabilities import Capabilities
from tui.config.paths import HOME_VARIABLE, Places, make_folder
from tui.config.profiles import Profile
from tui.config.settings import load_settings
from tui.model.people import Account
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.times import utc_now
from tui.workspace import Workspace, memory_of

Captured = pytest.CaptureFixture[str]

EMAIL = "ann@people.example"
SHAPE = Shape(people={"ann": (2, "Ann Adams")}, emails={EMAIL: "ann"})


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, str]]:
    """A site whose members carry no login names, and its origin."""
    database = memory_database(peopled_content())
    application = create_application(
        database,
        clock=utc_now,
        zone=ZONE,
        attachments=Attachments(tmp_path_factory.mktemp("attachments")),
    )
    site = Site(QuirkyService(application, Quirks.only("no_user_logins", "no_news")), SHAPE)
    with listening(lambda _: site) as origin:
        yield site, origin
    database.close()


@pytest.fixture
def site(served: tuple[Site, str]) -> Site:
    served[0].shape = SHAPE
    served[0].asked.clear()
    return served[0]


@pytest.fixture
def origin(served: tuple[Site, str]) -> str:
    return served[1]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A home of one's own, with nothing said in the environment."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    for name in ("CALLBOARD_PASSWORD", "CALLBOARD_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    return Places.find()


class Typed(io.StringIO):
    """A terminal at which these lines are typed."""

    def isatty(self) -> bool:
        """Say that somebody is there to ask."""
        return True


@pytest.fixture
def logged_in(places: Places, site: Site, origin: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `callboard login crew` with the address of a page; returns the exit code."""
    del places

    def run(*more: str, path: str = "/about/us", login: str = "ann", **shape: Any) -> int:
        site.shape = replace(SHAPE, **shape)
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
        return main(["login", "crew", "--url", origin + path, "--login", login, *more])

    return run


def profile_of(places: Places) -> Profile:
    return load_settings(places.settings).profiles["crew"]


@pytest.mark.parametrize("below", ["/wp-json/crew/v2", "/?rest_route=/crew/v2"])
def test_the_address_of_a_page_is_enough(
    logged_in: Any, places: Places, origin: str, capsys: Captured, below: str
) -> None:
    page = f"{origin}/keys.php"
    assert logged_in(is_pretty="wp-json" in below, authorization=page) == 0
    said = capsys.readouterr().out
    assert f"Found Crew & Co, with boards at {origin}{below}" in said
    assert f"  {page}?app_name=Callboard" in said
    assert "ok      boards       1 board: Garden" in said
    assert "ok      you          user 2 of the service" in said
    assert "ok      clock        the site’s is Asia/Dhaka, as in the profile" in said
    kept = profile_of(places)
    assert (kept.url, kept.path_word, kept.timezone) == (origin + below, "crew", "Asia/Dhaka")


@pytest.mark.parametrize("is_pretty", [True, False])
def test_who_one_is_is_known_where_members_have_no_login_names(
    logged_in: Any, places: Places, site: Site, is_pretty: bool
) -> None:
    assert logged_in(is_pretty=is_pretty, login=EMAIL) == 0
    me = "GET /wp-json/wp/v2/users/me" if is_pretty else "GET /"
    assert (me, EMAIL) in site.asked
    known = json.loads((places.data / "crew" / "service.json").read_text())["capabilities"]
    assert (known["user_id"], known["user_login"]) == (2, EMAIL)


async def test_an_older_profile_finds_out_who_one_is_once(
    places: Places, site: Site, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLBOARD_PASSWORD", PASSWORD)
    profile = Profile("crew", url=f"{origin}/wp-json/crew/v2", login=EMAIL, path_word="crew")
    for asked in (1, 1):
        workspace = Workspace.open(places, profile)
        assert workspace.store.me.login == EMAIL
        await workspace.connect()
        await until(workspace.store, lambda: workspace.store.me.user_id == 2)  # noqa: B023  awaited here
        await workspace.aclose()
        assert [path for path, _ in site.asked].count("GET /wp-json/wp/v2/users/me") == asked


async def test_whether_one_is_an_administrator_is_found_out_once_after_logging_in(
    places: Places, site: Site, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLBOARD_PASSWORD", PASSWORD)
    profile = Profile("crew", url=f"{origin}/wp-json/crew/v2", login=EMAIL, path_word="crew")
    places.make()
    make_folder(places.data / "crew")
    memory = memory_of(places, profile)
    memory.begin(profile)
    memory.keep(Capabilities(user_id=2, user_login=EMAIL).document())
    for known in (None, False):
        workspace = Workspace.open(places, profile)
        store = workspace.store
        assert store.me == Account(EMAIL, 2, known)
        await workspace.connect()
        await until(store, lambda: store.status().checked_at)  # noqa: B023  awaited here
        await until(store, lambda: store.me.is_administrator is False)  # noqa: B023
        await workspace.aclose()
        assert [path for path, _ in site.asked].count("GET /wp-json/crew/v2/projects/1/users") == 1


def test_what_is_no_site_with_boards_keeps_nothing(
    logged_in: Any, places: Places, capsys: Captured
) -> None:
    assert logged_in(is_behind_portal=True) == 1
    said = capsys.readouterr()
    assert "failed  service" in said.out
    assert "it answers with an ordinary web page" in said.out
    assert "sign in with a browser" in said.out
    assert "nothing was saved" in said.err or "the profile crew was not saved" in said.err
    assert not places.settings.exists()


def test_a_password_never_goes_to_another_place_unasked(
    logged_in: Any, places: Places, site: Site, origin: str, capsys: Captured
) -> None:
    elsewhere = origin.replace("127.0.0.1", "localhost")
    assert logged_in(home=f"{elsewhere}/wp-json/") == 1
    said = capsys.readouterr()
    assert f"redirects to {elsewhere}/wp-json/crew/v2" in said.out
    assert f"--url {elsewhere}/wp-json/crew/v2" in said.err
    assert {login for _, login in site.asked} == {""}
    assert not places.settings.exists()


@pytest.mark.parametrize("answer", ["y", "n"])
def test_on_a_terminal_what_cannot_be_used_is_asked_for_again(
    places: Places, site: Site, origin: str, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    elsewhere = origin.replace("127.0.0.1", "localhost")
    site.shape = replace(SHAPE, home=f"{elsewhere}/wp-json/")
    index = f"{origin}/wp-json/"
    typed = ("ftp://x", "127.0.0.1:9", origin, answer, *([index] if answer == "n" else []))
    monkeypatch.setenv("CALLBOARD_PASSWORD", PASSWORD)
    monkeypatch.setattr("sys.stdin", Typed("\n".join((*typed, "bad name", "crew", "a:b", "ann"))))
    assert main(["login"]) == 0
    kept = profile_of(places)
    expected = elsewhere if answer == "y" else origin
    assert (kept.url, kept.login) == (f"{expected}/wp-json/crew/v2", "ann")


@pytest.mark.long
def test_a_zone_that_is_not_the_site_s_is_told_and_set_on_demand(
    logged_in: Any, places: Places, capsys: Captured
) -> None:
    assert logged_in("--timezone", "+01:00") == 0
    capsys.readouterr()
    assert main(["check", "crew"]) == 0
    said = capsys.readouterr().out
    assert (
        "note    clock        the site’s is Asia/Dhaka, read as +01:00: dates are off by 5 h"
        in said
    )
    assert "callboard doctor crew --repair" in said
    assert main(["check", "crew", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["site_timezone"] == "Asia/Dhaka"
    assert main(["doctor", "crew", "--repair", "--yes"]) == 0
    said = capsys.readouterr().out
    assert "The profile crew now has the time zone Asia/Dhaka." in said
    assert "clock: the site’s is Asia/Dhaka, as in the profile" in said
    assert profile_of(places).timezone == "Asia/Dhaka"
    assert main(["doctor", "crew", "--repair", "--yes"]) == 0
    assert "time zone" not in capsys.readouterr().out
