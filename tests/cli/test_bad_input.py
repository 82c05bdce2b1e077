"""What is wrong is told in a line by a process of its own, and changes nothing."""

import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.client.certificates import write_certificates
from tui.config.paths import HOME_VARIABLE

pytestmark = pytest.mark.long

SECRET = "correct horse"
_ROOT = Path(__file__).parents[2]
_MOST_LINES = 2
"""What is wrong, and what to do."""
_PROFILE = """[profiles.{name}]
url = "{url}"
login = "ann"
password_file = "passwords/work"
ca_file = "{ca_file}"
"""


class Wrong(NamedTuple):
    """A command with something wrong, the exit code, and words of what it says."""

    command: str
    code: int
    told: str
    typed: bytes = f"{SECRET}\n".encode()


WRONG = (
    Wrong("-p nowhere tasks", 1, "callboard: 127.0.0.1 cannot be reached."),
    Wrong(
        "-p refusing boards",
        1,
        "callboard: The service does not accept this login name and password.",
    ),
    Wrong("-p page boards", 1, "callboard: This network shows its own page, not the service."),
    Wrong("-p other boards", 1, "callboard: Unexpected answer of the service."),
    Wrong("-p expired boards", 1, "The certificate of localhost has expired; nothing was sent."),
    Wrong("login new --url {refusing} --login ann", 1, "the profile new was not saved"),
    Wrong("login new --url {page} --login ann", 1, "the profile new was not saved"),
    Wrong("login new --url {refusing} --login ann", 2, "no password was given", typed=b""),
    Wrong("-p nowhree boards", 2, "Did you mean “nowhere”?"),
    Wrong("tasks --board Websiet", 1, "Did you mean “Website”?"),
    Wrong("show ann", 1, "no card is called “ann”"),
    Wrong("taks", 2, "callboard: “taks” is not valid here.\n           Did you mean “tasks”?"),
    Wrong("show 1 --boad x", 2, "callboard show: “--boad” is not valid here.\n"),
    Wrong("show 1 --boad x", 2, "Did you mean “--board”?\n"),
    Wrong("show", 2, "callboard show: the following arguments are required: CARD\n"),
)


def _answering(status: int, kind: str, body: bytes) -> type[BaseHTTPRequestHandler]:
    """Answers every request alike."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _answer  # noqa: N815 (their names there)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
            """Say nothing."""

    return Handler


@contextmanager
def _listening(handler: type[BaseHTTPRequestHandler], certificate: Path | None) -> Iterator[str]:
    """The address of a server in a thread."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        scheme = "http"
        if certificate is not None:
            scheme, context = "https", ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
            # A refused handshake is what is wanted; it would be printed.
            server.handle_error = lambda *_: None  # type: ignore[method-assign]  # its own prints it
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"{scheme}://localhost:{server.server_port}/v2"
        server.shutdown()


@pytest.fixture
def services(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The addresses of services with which something is wrong."""
    write_certificates(tmp_path)
    refusal = b'{"code": "incorrect_password", "message": "No.", "data": {"status": 401}}'
    with ExitStack() as stack:

        def served(status: int, kind: str, body: bytes, certificate: Path | None = None) -> str:
            return stack.enter_context(_listening(_answering(status, kind, body), certificate))

        yield {
            "nowhere": "http://127.0.0.1:9/v2",
            "refusing": served(401, "application/json", refusal),
            "page": served(200, "text/html", b"<html><body>A shop</body></html>"),
            "other": served(200, "application/json", b'{"version": "3.1"}'),
            "expired": served(200, "application/json", b"[]", tmp_path / "expired.pem"),
        }


def _settled(home: Path) -> dict[str, bytes]:
    """Settings, passwords and boards."""
    kept = [*(home / "config").rglob("*"), home / "data" / "boards.sqlite3"]
    return {str(each): each.read_bytes() for each in kept if each.is_file()}


def test_bad_input_is_told_in_a_line_and_changes_nothing(
    home: Path, tmp_path: Path, services: dict[str, str]
) -> None:
    (home / "config" / "passwords").mkdir(parents=True)
    (home / "config" / "config.toml").write_text(
        "".join(
            _PROFILE.format(name=name, url=url, ca_file=tmp_path / "authority.pem")
            for name, url in services.items()
        )
    )
    password = home / "config" / "passwords" / "work"
    password.write_text(f"{SECRET}\n")
    password.chmod(0o600)
    before = _settled(home)
    environment = {
        HOME_VARIABLE: str(home),
        "LOGNAME": "me",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(_ROOT),
    }

    def surprise(wrong: Wrong) -> tuple[str, int, str] | None:
        ran = subprocess.run(  # noqa: S603 (our own program)
            [sys.executable, "-m", "tui", *wrong.command.format(**services).split()],
            env=environment,
            input=wrong.typed,
            capture_output=True,
            timeout=60,
            check=False,
        )
        text = (ran.stdout + ran.stderr).decode()
        is_short = 0 < len(ran.stderr.decode().splitlines()) <= _MOST_LINES
        is_safe = "Traceback" not in text and SECRET not in text
        if (ran.returncode, wrong.told in text, is_short, is_safe) == (wrong.code, *(True,) * 3):
            return None
        return wrong.command, ran.returncode, text

    with ThreadPoolExecutor(2) as pool:
        surprises = [each for each in pool.map(surprise, WRONG) if each is not None]
    assert not surprises, surprises
    assert _settled(home) == before
    files = [each for each in home.rglob("*") if each.is_file() and each != password]
    assert not [each for each in files if SECRET.encode() in each.read_bytes()]
