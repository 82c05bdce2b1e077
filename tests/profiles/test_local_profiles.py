"""Logging in and changing profiles from within the program, against services on this machine."""

import asyncio
import ssl
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.client.certificates import write_certificates
from tests.client.sockets import answering, listening as socket_listening, plain
from tests.fakes.keyring import FakeKeyring
from tests.quirky.application import QuirkyService
from tests.quirky.listening import listening
from tests.quirky.people import PASSWORD, peopled_content
from tests.quirky.quirks import Quirks
from tests.quirky.site import Shape, Site
from tests.service.world import ZONE, memory_database
from tui.client.http.credentials import Secret
from tui.config.passwords import find_password, source_in_words
from tui.config.paths import Places
from tui.config.profiles import EMBEDDED
from tui.config.settings import load_settings
from tui.errors import CallboardError
from tui.profiles.local import LocalProfiles
from tui.profiles.protocol import Login, ProfileChange
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.times import utc_now

SHAPE = Shape(people={"ann": (2, "Ann Adams")})
LOGIN = Login("", "ann", Secret(PASSWORD), "team")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, str]]:
    """A site with a service, and its origin."""
    database = memory_database(peopled_content())
    application = create_application(
        database,
        clock=utc_now,
        zone=ZONE,
        attachments=Attachments(tmp_path_factory.mktemp("attachments")),
    )
    site = Site(QuirkyService(application, Quirks.only("no_news")), SHAPE)
    with listening(lambda _: site) as origin:
        yield site, origin
    database.close()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    for name in ("CALLBOARD_PASSWORD", "CALLBOARD_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    return Places(tmp_path / "config", tmp_path / "data", tmp_path / "cache")


def found_in(folder: Path) -> list[str]:
    """The files in which the password is."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if PASSWORD.encode() in path.read_bytes())


async def refused(profiles: LocalProfiles, login: Login) -> str:
    """Why a login is refused; the password is not in it."""
    with pytest.raises(CallboardError) as problem:
        await profiles.log_in(login)
    said = f"{problem.value.message} {problem.value.hint}"
    assert PASSWORD not in said
    return said


async def test_what_cannot_be_logged_in_to_is_told_and_keeps_nothing(
    served: tuple[Site, str], places: Places
) -> None:
    site, origin = served
    profiles = LocalProfiles(places, EMBEDDED)
    elsewhere = origin.replace("127.0.0.1", "localhost")
    cases: tuple[tuple[dict[str, Any], dict[str, Any], str], ...] = (
        ({"url": "ftp://x"}, {}, "not a web address"),
        ({"url": "http://ann:pw@x.example"}, {}, "cannot contain"),
        ({"url": "127.0.0.1:9"}, {}, "cannot be reached"),
        ({"url": "http://example.org/v2"}, {}, "https"),
        ({"password": Secret("wrong")}, {}, "does not accept"),
        ({"password": Secret("")}, {}, "no password was given"),
        ({"login": ""}, {}, "login name cannot be empty"),
        ({"login": "a:b"}, {}, "login name cannot"),
        ({"name": "../x"}, {}, "cannot be the name of a profile"),
        ({"name": EMBEDDED}, {}, "cannot be the name of a profile"),
        ({"ca_file": places.config / "none.pem"}, {}, "none.pem"),
        ({}, {"is_behind_portal": True}, "ordinary web page"),
        ({}, {"home": f"{elsewhere}/wp-json/"}, f"type it: {elsewhere}/wp-json/crew/v2"),
    )
    for changed, shape, words in cases:
        site.shape = replace(SHAPE, **shape)
        login = LOGIN._replace(**{"url": f"{origin}/about", **changed})
        assert words in (said := await refused(profiles, login)), (changed, shape)
        assert "--force" not in said, "there is no profile yet"
    assert list(places.config.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("certificate", "words"),
    [("expired", "has expired"), ("self_signed", "self-signed"), ("other", "another host")],
)
async def test_a_certificate_that_is_not_good_is_told(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, certificate: str, words: str
) -> None:
    certificates = tmp_path / "certificates"
    certificates.mkdir()
    write_certificates(certificates)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "authority.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificates / f"{certificate}.pem")
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    async with socket_listening(answering(plain("200 OK", b"{}")), ssl=context) as port:
        profiles = LocalProfiles(places, EMBEDDED)
        said = await refused(profiles, LOGIN._replace(url=f"https://localhost:{port}/v2"))
    assert words in said
    assert not places.settings.exists()


async def test_a_profile_from_login_through_every_source_of_its_password(
    served: tuple[Site, str], places: Places
) -> None:
    site, origin = served
    site.shape = SHAPE
    profiles = LocalProfiles(places, EMBEDDED)
    login = LOGIN._replace(url=origin, is_default=True)
    assert await profiles.log_in(login) == "team"
    assert "already" in await refused(profiles, login)
    assert found_in(places.config.parent) == ["team"]
    rows = await profiles.known()
    assert [(row.profile.name, row.is_default, row.is_current) for row in rows] == [
        ("team", True, False),
        (EMBEDDED, False, True),
    ]
    before = places.settings.read_text()
    stays = ProfileChange("file", "", Secret(""), "", is_default=True)
    for change, words in (
        (stays._replace(password=Secret("wrong")), "does not accept"),
        (stays._replace(source="command"), "the password command is missing"),
        (stays._replace(source="command", command="false"), "failed with exit code 1"),
        (stays._replace(source="command", command="echo wrong"), "does not accept"),
        (stays._replace(command="echo x"), "the password does not come from it"),
        (stays._replace(source="environment", password=Secret("x")), "in a file or the keyring"),
        (stays._replace(timezone="Nowhere"), "no such time zone"),
    ):
        with pytest.raises(CallboardError, match=words):
            await profiles.change("team", change)
        assert places.settings.read_text() == before
    assert found_in(places.config.parent) == ["team"]
    command = f"printf '{PASSWORD[:4]}%s' '{PASSWORD[4:]}'"
    for change, source, is_kept in (
        (stays._replace(timezone="+06:00"), "file", True),
        (stays._replace(source="command", command=command), "command", False),
        (stays, "file", True),  # taken from the command
        (stays._replace(password=Secret(PASSWORD)), "file", True),
        (stays._replace(source="environment", is_default=False), "environment", False),
    ):
        await profiles.change("team", change)
        profile = load_settings(places.settings).profile("team")
        assert source_in_words(profile) == source
        assert profile.timezone == change.timezone
        assert found_in(places.config.parent) == ["team"] * is_kept, change
        if source != "environment":
            assert find_password(profile) == Secret(PASSWORD)
    assert load_settings(places.settings).default_profile == EMBEDDED
    await profiles.change(EMBEDDED, stays._replace(source=""))
    with pytest.raises(CallboardError, match="one profile must be the default"):
        await profiles.change(EMBEDDED, stays._replace(source="", is_default=False))
    await profiles.check("team")
    with pytest.raises(CallboardError, match="no profile"):
        await profiles.check("taem")
    await profiles.log_out("team", keeps_changes=False)
    assert [row.profile.name for row in await profiles.known()] == [EMBEDDED]
    assert not (places.data / "team").exists()


async def test_a_password_in_the_keyring_is_in_no_file(
    served: tuple[Site, str], places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, origin = served
    site.shape = SHAPE
    profiles = LocalProfiles(places, EMBEDDED)
    login = LOGIN._replace(url=origin, in_keyring=True)
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert "pip install 'callboard[keyring]'" in await refused(profiles, login)
    assert not places.settings.exists()
    keyring = FakeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert await profiles.log_in(login) == "team"
    assert find_password(load_settings(places.settings).profile("team")) == Secret(PASSWORD)
    assert found_in(places.config.parent) == []
    to_file = ProfileChange("file", "", Secret(""), "", is_default=False)
    await profiles.change("team", to_file)
    assert (found_in(places.config.parent), keyring.kept) == (["team"], {})
    await profiles.change("team", to_file._replace(source="keyring"))
    assert (found_in(places.config.parent), len(keyring.kept)) == ([], 1)
    keyring.is_locked = True
    with pytest.raises(CallboardError, match="does not respond"):
        await profiles.change("team", to_file)
    assert load_settings(places.settings).profile("team").keyring


async def test_a_password_file_that_cannot_be_removed_is_told(places: Places) -> None:
    places.config.mkdir()
    places.settings.write_text('[profiles.team]\nurl = "https://example.org/v2"\nlogin = "ann"\n')
    (places.config / "passwords" / "team").mkdir(parents=True)
    change = ProfileChange("environment", "", Secret(""), "+06:00", is_default=False)
    with pytest.raises(CallboardError, match="passwords/team cannot be removed: is a directory"):
        await LocalProfiles(places, EMBEDDED).change("team", change)
    assert load_settings(places.settings).profile("team").timezone == "+06:00"


async def test_what_the_system_does_not_look_up_counts_as_nothing(places: Places) -> None:
    beyond = places.data.parent / ("x" * 300)
    places = places._replace(data=beyond, cache=beyond)
    (row,) = await LocalProfiles(places, EMBEDDED).known()
    assert (row.boards, row.pending) == (0, 0)
