"""A service is found from any address of its site, and nothing else is taken for one."""

import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.client.certificates import write_certificates
from tests.client.scripted import Script, ok
from tests.client.sockets import answering, listening, plain
from tests.quirky.people import peopled_content
from tests.quirky.site import Shape, Site
from tests.service.world import ZONE, FrozenClock, memory_database
from tui.client import errors
from tui.client.discovery import FoundService, find_service, is_same_place, read_site, service_base
from tui.errors import CallboardError
from tui.service.application import create_application
from tui.service.attachments import Attachments

_PRETTY = "https://crew.example/wp-json/crew/v2"
_QUERY = "https://crew.example/?rest_route=/crew/v2"


@pytest.fixture(scope="module")
def peopled() -> bytes:
    return peopled_content()


@pytest.fixture
async def site(peopled: bytes, tmp_path: Path) -> AsyncIterator[Site]:
    """A site with a service, reached in this process."""
    database = memory_database(peopled)
    application = create_application(
        database, clock=FrozenClock(), zone=ZONE, attachments=Attachments(tmp_path)
    )
    yield Site(application, Shape())
    database.close()


async def found(site: Site, address: str, **shape: Any) -> FoundService:
    site.shape = replace(site.shape, **shape)
    return await find_service(address, transport=httpx.ASGITransport(app=site))


@pytest.mark.parametrize(
    "address",
    [
        "https://crew.example",
        "https://crew.example/about/us?x=1#top",
        "https://crew.example/wp-json/",
        "https://crew.example/wp-json/crew/v2",
        "https://crew.example/wp-json/crew/v2/projects/1?page=2",
        "https://crew.example/wp-json/wp/v2/users",
        "https://crew.example/blog/v2/",
    ],
)
async def test_any_address_of_a_site_leads_to_its_service(site: Site, address: str) -> None:
    service = await found(site, address)
    assert (service.url, service.path_word) == (_PRETTY, "crew")
    assert service.site is not None
    assert (service.site.name, service.site.timezone) == ("Crew & Co", "Asia/Dhaka")
    assert {login for _, login in site.asked} == {""}
    assert len(site.asked) <= 6


@pytest.mark.parametrize(
    "address",
    [
        "https://crew.example",
        "https://crew.example/?rest_route=/",
        "https://crew.example/?rest_route=/crew/v2/projects",
    ],
)
async def test_a_site_without_pretty_addresses_has_one_in_the_query(
    site: Site, address: str
) -> None:
    service = await found(site, address, is_pretty=False)
    assert (service.url, service.path_word) == (_QUERY, "crew")


async def test_a_page_that_names_no_index_has_one_above_it(site: Site) -> None:
    address = "https://crew.example/team/a/page"
    service = await found(site, address, folder="/team", has_link=False)
    assert service.url == "https://crew.example/team/wp-json/crew/v2"


async def test_the_offset_of_a_site_is_its_clock_where_it_names_no_zone(site: Site) -> None:
    for hours, zone in (("5.5", "+05:30"), ("-3", "-03:00"), ("", ""), ("99", ""), ("0", "+00:00")):
        service = await found(site, "https://crew.example", timezone_string="", gmt_offset=hours)
        assert service.site is not None
        assert service.site.timezone == zone


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("https://crew.example/keys.php", "https://crew.example/keys.php?app_name=Callboard"),
        ("javascript:alert(1)", ""),
        ("https://ann:pw@crew.example/keys.php", ""),
        ("https://crew.example/\u202e\u009b", "%E2%80%AE%C2%9B?app_name=Callboard"),
        ("https://crew.example/\x1b[31m", ""),
        ("https://crew.example/\x07", ""),
    ],
)
async def test_a_page_for_application_passwords_is_told(site: Site, said: str, shown: str) -> None:
    service = await found(site, "https://crew.example", authorization=said)
    assert service.site is not None
    page = service.site.authorization
    assert page.endswith(shown) if shown else page == ""
    assert page.isprintable()
    assert page.isascii()


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"is_behind_portal": True}, "it answers with an ordinary web page"),
        ({"namespaces": ("wp/v2", "other/v2", "crew/v1")}, "Crew & Co answers, but it has no"),
        ({"namespaces": ("crew/v2", "crew-b/v2")}, ""),
    ],
)
async def test_what_has_no_service_is_told_in_words(
    site: Site, shape: dict[str, Any], words: str
) -> None:
    if not words:
        assert (await found(site, "https://crew.example", **shape)).url == _PRETTY
        return
    with pytest.raises(errors.NoService, match=words) as problem:
        await found(site, "https://crew.example", **shape)
    assert problem.value.hint


async def test_of_several_services_one_has_to_be_named() -> None:
    index = {"name": "Two", "namespaces": ["a/v2", "b/v2"]}

    def answer(request: httpx.Request) -> httpx.Response:
        is_index = request.url.path == "/wp-json/"
        return ok(index) if is_index else ok({"code": "x"}, 401)

    with pytest.raises(errors.NoService, match="several") as problem:
        await find_service("https://two.example/", transport=Script(answer))
    assert "https://two.example/wp-json/a/v2" in problem.value.hint


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (httpx.Response(200, html="<p>Hello</p>"), "an ordinary web page"),
        (ok({"status": "ok"}), "another kind of program"),
        (ok(["namespaces"]), "another kind of program"),
        (ok({"namespaces": "crew/v2"}), "another kind of program"),
        (httpx.Response(404, html="No"), "the error 404"),
        (httpx.Response(200, content=b"{", headers={"content-type": "application/json"}), "page"),
    ],
)
async def test_other_servers_are_told_apart(answer: httpx.Response, words: str) -> None:
    script = Script(answer)
    with pytest.raises(errors.NoService, match=words):
        await find_service("https://other.example/a/b", transport=script)
    assert len(script.requests) <= 10


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("http://crew.example/", "which is not encrypted"),
        ("http://127.0.0.1/", "not encrypted"),
        ("https://localhost:1/", "which is this machine"),
        ("ftp://crew.example/", "which is no web address"),
        ("https://a:b@crew.example/", "which is no web address"),
        ("https://crew.example/", "in a loop"),
    ],
)
async def test_redirects_are_followed_with_care(site: Site, target: str, words: str) -> None:
    with pytest.raises(CallboardError, match=words):
        await found(site, "https://crew.example", home=target)


async def test_a_service_on_its_own_is_in_no_index() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return ok({"code": "unauthorized"}, 401) if request.url.path == "/v2/projects" else ok({})

    script = Script(answer)
    service = await find_service("https://own.example/v2/projects/3", transport=script)
    assert service == FoundService("https://own.example/v2")
    assert await read_site("https://own.example/v2", transport=script) is None
    assert len(script.requests) == 1
    assert await find_service("https://own.example", transport=script) == service


def _alone_at(prefix: str, more: Callable[[httpx.Request], httpx.Response]) -> Script:
    """A host with our own service below a prefix; `more` answers all other addresses."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == f"{prefix}/v2/projects":
            return ok({"code": "unauthorized"}, 401)
        return more(request)

    return Script(answer)


def _no_page(_: httpx.Request) -> httpx.Response:
    return httpx.Response(404, html="No")


@pytest.mark.parametrize("prefix", ["", "/prefix", "/prefix/sub"])
@pytest.mark.parametrize("below", ["", "/", "/openapi.json", "/boards/3"])
async def test_a_service_on_its_own_is_found_behind_any_prefix(prefix: str, below: str) -> None:
    script = _alone_at(prefix, _no_page)
    service = await find_service(f"https://own.example{prefix}{below}", transport=script)
    assert service == FoundService(f"https://own.example{prefix}/v2")
    assert len(script.requests) <= 17


async def test_the_nearest_of_two_services_is_the_one_that_is_meant() -> None:
    def above(request: httpx.Request) -> httpx.Response:
        return ok({}, 401) if request.url.path == "/v2/projects" else _no_page(request)

    service = await find_service("https://own.example/a/b", transport=_alone_at("/a", above))
    assert service.url == "https://own.example/a/v2"


@pytest.mark.parametrize("is_pretty", [True, False])
async def test_a_service_behind_a_prefix_is_found_below_a_site_without_boards(
    is_pretty: bool,
) -> None:
    index = {"name": "Company", "namespaces": ["wp/v2", "shop/v2"]}

    def page(request: httpx.Request) -> httpx.Response:
        own = "/wp-json/" if is_pretty else "/?rest_route=/"
        is_query = "rest_route" in request.url.params
        if request.url.path == "/wp-json/" if is_pretty else is_query:
            return ok(index)
        link = f'<https://own.example{own}>; rel="https://api.w.org/"'
        return httpx.Response(404, html="No", headers={"link": link})

    script = _alone_at("/prefix", page)
    service = await find_service("https://own.example/prefix", transport=script)
    assert service.url == "https://own.example/prefix/v2"
    with pytest.raises(errors.NoService, match="Company answers, but it has no boards"):
        await find_service("https://own.example/other", transport=script)


async def test_an_address_that_fails_on_the_way_hides_no_service_above_it() -> None:
    def busy(request: httpx.Request) -> httpx.Response:
        return httpx.Response(502 if "/deep/" in request.url.path else 404, html="Busy")

    script = _alone_at("/prefix", busy)
    service = await find_service("https://own.example/prefix/deep/", transport=script)
    assert service.url == "https://own.example/prefix/v2"
    with pytest.raises(errors.ServerFault, match="failing at the moment"):
        await find_service("https://own.example/deep/", transport=script)


async def test_a_host_that_claims_everything_is_asked_for_little() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        names = [f"n{number}{abs(hash(request.url.path))}/v2" for number in range(500)]
        return ok({"name": "x", "namespaces": names}) if "/v2/" not in str(request.url) else ok({})

    script = Script(answer)
    with pytest.raises(errors.NoService, match="no boards"):
        await find_service("https://x.example/" + "a/" * 200, transport=script)
    assert len(script.requests) <= 50


async def test_our_own_service_behind_a_proxy_is_found_by_its_public_url(
    peopled: bytes, tmp_path: Path
) -> None:
    database = memory_database(peopled)
    application = create_application(
        database, clock=FrozenClock(), zone=ZONE, attachments=Attachments(tmp_path)
    )

    async def proxy(scope: Any, receive: Any, send: Any) -> None:
        """Take the prefix off, as a proxy does; all else is not there."""
        path = scope["path"].removeprefix("/prefix")
        is_ours = scope["path"].startswith("/prefix/")
        await application({**scope, "path": path if is_ours else "/no"}, receive, send)

    service = await find_service(
        "https://own.example/prefix", transport=httpx.ASGITransport(app=proxy)
    )
    assert service.url == "https://own.example/prefix/v2"
    database.close()


async def test_a_site_in_a_folder_has_its_service_there(site: Site) -> None:
    for is_pretty, below in ((True, "wp-json/crew/v2"), (False, "?rest_route=/crew/v2")):
        for path in ("/team", "/team/", "/team/sub/page", "/team/?p=3"):
            service = await found(
                site,
                f"https://crew.example{path}",
                folder="/team",
                has_link=False,
                is_pretty=is_pretty,
            )
            assert service.url == f"https://crew.example/team/{below}"


async def test_credentials_would_not_go_over_a_network_in_the_clear(site: Site) -> None:
    for address in ("http://crew.example/", "http://crew.example/wp-json/crew/v2"):
        with pytest.raises(errors.BadAddress, match="unencrypted"):
            await found(site, address)
    transport = httpx.ASGITransport(app=site)
    service = await find_service("http://crew.example/", transport=transport, allow_plaintext=True)
    assert service.url == "http://crew.example/wp-json/crew/v2"


async def test_a_service_that_fails_at_the_moment_is_no_wrong_address() -> None:
    script = Script(httpx.Response(503, html="Busy"))
    with pytest.raises(errors.ServerFault, match="failing at the moment"):
        await find_service("https://crew.example/x/v2", transport=script)


@pytest.mark.long
async def test_nobody_at_home_is_told_as_what_it_is(tmp_path: Path) -> None:
    write_certificates(tmp_path)
    with pytest.raises(errors.Unreachable):
        await find_service("http://127.0.0.1:9/")
    web = answering(plain("200 OK", b"<p>Hello</p>"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "good.pem")
    async with listening(web, ssl=context) as port:
        with pytest.raises(errors.TlsFailed):
            await find_service(f"https://localhost:{port}/")
        with pytest.raises(errors.NoService, match="an ordinary web page"):
            await find_service(f"https://localhost:{port}/", ca_file=tmp_path / "authority.pem")


@pytest.mark.parametrize(
    ("address", "base"),
    [
        ("https://example.org/x/v2/projects/5/tasks?page=2#top", "https://example.org/x/v2"),
        (
            "https://example.org/?rest_route=/x/v2/projects",
            "https://example.org/?rest_route=/x/v2",
        ),
        ("https://example.org?a=1&rest_route=%2Fx%2Fv2", "https://example.org/?rest_route=/x/v2"),
        (
            "https://example.org/a/b.php?rest_route=/x/v2/",
            "https://example.org/a/b.php?rest_route=/x/v2",
        ),
        ("https://example.org:8443/v2/", "https://example.org:8443/v2"),
        ("https://example.org/x/v2x", None),
        ("https://example.org/v2/?rest_route=/x", None),
    ],
)
def test_the_address_of_a_call_holds_that_of_its_service(address: str, base: str | None) -> None:
    assert service_base(httpx.URL(address)) == base


@pytest.mark.parametrize(
    ("typed", "there", "is_same"),
    [
        ("https://a.example/x", "https://a.example/wp-json/b/v2", True),
        ("http://a.example", "https://a.example/b/v2", True),
        ("http://a.example:8080", "https://a.example/b/v2", True),
        ("https://a.example", "https://a.example:8443/b/v2", False),
        ("https://a.example", "https://www.a.example/b/v2", False),
        ("https://a.example", "http://a.example/b/v2", False),
    ],
)
def test_only_the_place_that_was_typed_gets_credentials(
    typed: str, there: str, is_same: bool
) -> None:
    assert is_same_place(typed, there) is is_same
