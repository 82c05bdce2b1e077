"""TLS and proxies: what is believed, what is refused, and in which words."""

import asyncio
import os
import ssl
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from tests.client.certificates import write_certificates
from tests.client.scripted import CREDENTIALS, Naps
from tests.client.sockets import answering, listening, plain, read_request, reset
from tui.client import errors
from tui.client.endpoints import Endpoint
from tui.client.http.session import HttpSession

PROGRAM = """
from tui.cli import program
import asyncio
from pathlib import Path
from tests.client.scripted import CREDENTIALS, Naps
from tui.client import errors
from tui.client.endpoints import Endpoint
from tui.client.http.session import HttpSession
async def ask():
    authority = Path({authority!r}) if {authority!r} else None
    session = HttpSession({base!r}, CREDENTIALS, ca_file=authority, sleep=Naps())
    try:
        print(await session.call(Endpoint.LIST_TASKS.at(1)))
    except errors.ApiError as error:
        print(error.message)
    await session.aclose()
asyncio.run(ask())
"""
"""Asks a service as the program does, whose asyncio has no TLS of its own."""
ROOT = Path(__file__).parents[2]
READ = Endpoint.LIST_TASKS.at(1)
WRITE = Endpoint.CREATE_TASK.at(1)
_PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _PROXY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    write_certificates(folder)
    return folder


@asynccontextmanager
async def _secured(certificate: Path) -> AsyncIterator[str]:
    """The address of a service with one of the certificates."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with _quiet():
        async with listening(answering(plain("200 OK", b'{"a": 1}')), ssl=context) as port:
            yield f"https://localhost:{port}/v2"


@contextmanager
def _quiet() -> Iterator[None]:
    """A server whose client hangs up in the handshake tells its loop, which would print it."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, _context: None)
    yield
    loop.set_exception_handler(None)


def _session(base: str, ca_file: Path | None = None) -> HttpSession:
    return HttpSession(base, CREDENTIALS, ca_file=ca_file, sleep=Naps())


async def test_a_service_of_the_own_authority_is_trusted(certificates: Path) -> None:
    async with _secured(certificates / "good.pem") as base:
        one = _session(base, certificates / "authority.pem")
        assert await one.call(READ) == {"a": 1}
        await one.aclose()


@pytest.mark.long
@pytest.mark.parametrize(
    ("authority", "words"), [("authority.pem", "{'a': 1}"), ("", "not known here")]
)
async def test_the_program_trusts_the_same(certificates: Path, authority: str, words: str) -> None:
    async with _secured(certificates / "good.pem") as base:
        script = PROGRAM.format(authority=authority and str(certificates / authority), base=base)
        asked = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, stdout=PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        said, _ = await asked.communicate()
    assert words in said.decode()


@pytest.mark.parametrize(
    ("certificate", "is_known", "words", "hint"),
    [
        ("good", False, "not known here", "ca_file"),
        ("self_signed", False, "self-signed", "ca_file"),
        ("self_signed", True, "self-signed", "ca_file"),
        ("expired", True, "has expired", "clock"),
        ("early", True, "not valid yet", "clock"),
        ("other", True, "another host", "address"),
    ],
)
async def test_what_is_wrong_with_a_certificate_is_said(
    certificates: Path, certificate: str, is_known: bool, words: str, hint: str
) -> None:
    ca_file = certificates / "authority.pem" if is_known else None
    async with _secured(certificates / f"{certificate}.pem") as base:
        one = _session(base, ca_file)
        with pytest.raises(errors.TlsFailed, match=words) as caught:
            await one.call(WRITE, body={})
        await one.aclose()
    assert hint in caught.value.hint
    assert not caught.value.may_have_happened
    assert not caught.value.is_passing


async def test_a_port_that_does_not_speak_tls_is_not_called_a_bad_certificate(
    certificates: Path,
) -> None:
    async def speak_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()

    async with listening(speak_plainly) as port:
        one = _session(f"https://127.0.0.1:{port}/v2", certificates / "authority.pem")
        with pytest.raises(errors.TlsFailed, match="No safe connection") as caught:
            await one.call(WRITE, body={})
        await one.aclose()
    assert not caught.value.may_have_happened
    assert not caught.value.is_passing


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.pem", "No such file"),
        ("notes.txt", "no certificate in PEM form"),
        ("", "cannot be read|no certificate"),
    ],
)
def test_a_file_of_certificates_that_cannot_be_used_is_named(
    certificates: Path, name: str, words: str
) -> None:
    with pytest.raises(errors.TlsFailed, match=words) as caught:
        _session("https://board.example/v2", certificates / name)
    assert str(certificates / name) in caught.value.message
    assert "PEM" in caught.value.hint


def test_an_environment_that_names_no_file_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    with pytest.raises(errors.TlsFailed, match="SSL_CERT_FILE"):
        _session("https://board.example/v2")


def test_plain_http_is_for_this_machine_or_who_allowed_it() -> None:
    address = "http://board.example/v2"
    with pytest.raises(errors.BadAddress, match="unencrypted") as caught:
        HttpSession(address, CREDENTIALS)
    assert "allow_plaintext" in caught.value.hint
    HttpSession(address, CREDENTIALS, allow_plaintext=True)


async def _refused(monkeypatch: pytest.MonkeyPatch, proxy: str) -> errors.ApiError:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    one = _session("https://board.example/v2")
    with pytest.raises(errors.ApiError) as caught:
        await one.call(WRITE, body={})
    await one.aclose()
    assert "hunter22" not in f"{caught.value.message}{caught.value.hint}{caught.value.details}"
    assert not caught.value.may_have_happened
    return caught.value


async def test_a_proxy_that_wants_a_login_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = plain("407 Proxy Authentication Required", b"<html>")
    async with listening(answering(answer)) as port:
        error = await _refused(monkeypatch, f"http://ann:hunter22@127.0.0.1:{port}")
    assert isinstance(error, errors.BadAddress)
    assert f"127.0.0.1:{port} requires a login name" in error.message
    assert "HTTPS_PROXY" in error.hint


async def test_a_proxy_that_says_no_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(answering(plain("403 Forbidden", b"<html>"))) as port:
        error = await _refused(monkeypatch, f"http://ann:hunter22@127.0.0.1:{port}")
    assert isinstance(error, errors.Unreachable)
    assert f"proxy 127.0.0.1:{port} does not connect to board.example" in error.message


async def test_a_proxy_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(answering(b"")) as port:
        pass
    error = await _refused(monkeypatch, f"ann:hunter22@127.0.0.1:{port}")
    assert isinstance(error, errors.Unreachable)
    assert f"through the proxy 127.0.0.1:{port}" in error.message


async def test_a_proxy_that_hangs_up_changed_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        reset(writer)

    async with listening(hang_up) as port:
        error = await _refused(monkeypatch, f"http://127.0.0.1:{port}")
    assert isinstance(error, errors.Unreachable)
    assert f"through the proxy 127.0.0.1:{port}" in error.message


async def test_a_proxy_sees_its_own_login_and_not_the_services(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await read_request(reader))
        writer.write(plain("502 Bad Gateway", b""))

    async with listening(note) as port:
        await _refused(monkeypatch, f"http://ann:hunter22@127.0.0.1:{port}")
    assert seen[0].startswith(b"CONNECT board.example:443 ")
    assert b"proxy-authorization: basic" in seen[0].lower()
    assert b"\r\nauthorization" not in seen[0].lower()


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("ALL_PROXY", "socks5h://ann:hunter22@localhost:1", "SOCKS"),
        ("HTTPS_PROXY", "socks5://localhost", "SOCKS"),
        ("https_proxy", "ftp://localhost", "http proxy"),
        ("HTTPS_PROXY", "http://ann:hunter22@localhost:port", "http proxy"),
        ("HTTPS_PROXY", "http://", "http proxy"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(errors.BadAddress, match=words) as caught:
        _session("https://board.example/v2")
    assert variable.upper() in caught.value.message
    assert "hunter22" not in f"{caught.value.message} {caught.value.details}"


@pytest.mark.parametrize("exception", ["board.example", ".example", "*", "x, board.example"])
def test_a_proxy_is_not_used_where_the_environment_says_so(
    monkeypatch: pytest.MonkeyPatch, exception: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks5://nowhere")
    monkeypatch.setenv("NO_PROXY", exception)
    _session("https://board.example/v2")


async def test_what_is_readable_never_goes_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    async with listening(answering(plain("200 OK", b'{"a": 1}'))) as port:
        one = _session(f"http://127.0.0.1:{port}/v2")
        assert await one.call(READ) == {"a": 1}
        await one.aclose()
