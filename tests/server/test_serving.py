"""`callboard serve` as a person runs it: in a process of its own, asked over the network."""

import signal
import socket
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.launched import PASSWORD, Launched, launched, ran
from tui.cli.main import main
from tui.service.database.schema import MIGRATIONS
from tui.service.http.options import CannotServe
from tui.service.http.serving import check_extra

pytestmark = pytest.mark.long

_BOARD = {"board": {"title": "Garden", "type": "to-do"}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the account ann, an administrator."""
    folder = tmp_path_factory.mktemp("home")
    made = ran(folder, "user", "add", "ann", told=f"{PASSWORD}\n")
    assert (made.returncode, made.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Launched]:
    """A server that stays the same for tests that only ask it."""
    with launched(home) as running:
        yield running


def test_health_needs_no_account(server: Launched) -> None:
    reply = httpx.get(f"{server.host}/health")
    assert reply.json() == {"status": "ok", "schema_version": len(MIGRATIONS)}


def test_the_description_is_served(server: Launched) -> None:
    reply = httpx.get(f"{server.host}/openapi.json")
    assert reply.headers["content-type"] == "application/json"
    assert "/v2/projects/{board_id}/tasks/{task_id}/move-task" in reply.json()["paths"]


def test_it_listens_on_this_machine_alone(server: Launched) -> None:
    assert server.address == f"http://127.0.0.1:{server.port}/v2"


def test_a_person_logs_in_and_works_and_the_log_keeps_secrets(home: Path) -> None:
    with launched(home) as server:
        auth = ("ann", PASSWORD)
        made = httpx.post(f"{server.address}/projects", json=_BOARD, auth=auth)
        assert made.status_code == 201
        stage = made.json()["board"]["stages"][0]["id"]
        hook = {"name": "Mail", "board": made.json()["board"]["id"], "stage": stage}
        url = httpx.post(f"{server.address}/webhooks", json=hook, auth=auth).json()["webhook"][
            "url"
        ]
        assert url.startswith(f"{server.host}/?callboard=1&route=task&hash=")
        assert httpx.post(url, json={"title": "Dig"}).json()["success"] is True
        boards = httpx.get(f"{server.address}/projects", auth=auth, headers={"Host": "a.example"})
        assert boards.json()["boards"]["path"] == f"{server.address}/projects"
        httpx.get(f"{server.address}/projects?search=hidden", auth=("ann", "wrong guess"))
        assert server.stop(signal.SIGINT) == 0
    requests = [line for line in server.lines if line["message"] == "request"]
    assert [(line["method"], line["path"], line["status"]) for line in requests] == [
        ("POST", "/v2/projects", 201),
        ("POST", "/v2/webhooks", 200),
        ("POST", "/", 200),
        ("GET", "/v2/projects", 200),
        ("GET", "/v2/projects", 401),
    ]
    assert [line["account"] for line in requests] == [1, 1, None, 1, None]
    assert all(line["bytes"] > 0 and line["ms"] > 0 for line in requests)
    assert server.lines[-1]["message"] == "stopped"
    secrets = [PASSWORD, "wrong guess", "hidden", url.partition("hash=")[2], _basic()]
    assert not [secret for secret in secrets if secret in str(server.lines)]


def test_wrong_passwords_must_wait_and_who_is_in_already_need_not(server: Launched) -> None:
    address = f"{server.address}/projects"
    assert httpx.get(address, auth=("ann", PASSWORD)).status_code == 200
    replies = [httpx.get(address, auth=("ann", f"guess {turn}")) for turn in range(6)]
    assert [reply.status_code for reply in replies] == [401] * 6
    replies = [httpx.get(address, auth=("bob", f"guess {turn}")) for turn in range(6)]
    assert [reply.status_code for reply in replies] == [401] * 5 + [429]
    assert 1 <= int(replies[-1].headers["retry-after"]) <= 30
    assert replies[-1].json()["code"] == "too_many_attempts"
    assert httpx.get(address, auth=("ann", PASSWORD)).status_code == 200


def test_a_request_that_is_running_is_answered_before_the_end(home: Path) -> None:
    body = b'{"board": {"title": "Late", "type": "to-do"}}'
    with launched(home) as server, socket.create_connection(("127.0.0.1", server.port)) as link:
        link.sendall(
            b"POST /v2/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
            + _basic().encode()
            + b"\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
            + f"Content-Length: {len(body)}\r\n\r\n".encode()
        )
        assert link.recv(1000).startswith(b"HTTP/1.1 100")
        server.process.send_signal(signal.SIGTERM)
        server.read_until("Shutting down")
        link.sendall(body)
        assert link.makefile("rb").readline() == b"HTTP/1.1 201 Created\r\n"
        assert server.ended() == 0


def test_a_request_that_waits_for_a_change_is_answered_at_the_end(home: Path) -> None:
    with launched(home) as server, socket.create_connection(("127.0.0.1", server.port)) as link:
        with httpx.Client(base_url=server.address, auth=("ann", PASSWORD)) as client:
            board = client.post("/projects", json=_BOARD).json()["board"]["id"]
            since = client.get(f"/projects/{board}").json()["synced_at"].replace(" ", "T")
            link.sendall(
                f"GET /v2/projects/{board}/has-data-changed?since={since}&wait=25 HTTP/1.1\r\n"
                f"Host: localhost\r\nAuthorization: Basic {_basic()}\r\n\r\n".encode()
            )
            client.get("/projects")
        server.process.send_signal(signal.SIGTERM)
        assert b'"has_changes":false' in link.makefile("rb").read()
        assert server.ended() == 0
    (waited,) = [line for line in server.lines if line.get("path", "").endswith("-changed")]
    assert waited["ms"] < 20_000


def test_several_processes_serve_one_database(home: Path) -> None:
    with launched(home, "--workers", "2") as server:
        for _ in range(2):
            server.read_until("Application startup complete.")
        auth = ("ann", PASSWORD)
        with httpx.Client(base_url=server.address, auth=auth) as client:
            assert client.post("/projects", json=_BOARD).status_code == 201
            assert client.get("/projects").status_code == 200
        assert server.stop() == 0


def test_passwords_never_go_in_the_clear_beyond_this_machine(tmp_path: Path) -> None:
    refused = ran(tmp_path, "--host", "0.0.0.0")  # noqa: S104 - refused is what it must be
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("callboard: passwords would be sent unencrypted to 0.0.0.0;")
    assert len(refused.stderr.splitlines()) == 1
    assert not any(tmp_path.rglob("*"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "::"], "unencrypted"),
        (["--host", "nowhere.invalid"], "cannot be listened on"),
        (["--tls-cert", "a.pem"], "belong together"),
        (["--tls-cert", "a.pem", "--tls-key", "b.pem"], "no such file"),
        (["--database", "mysql://host/x"], "an address like mysql://"),
        (["--port", "70000"], "from 0 to 65535"),
        (["--workers", "0"], "from 1 to 64"),
        (["--public-url", "boards.example.org"], "links cannot begin with boards.example.org"),
        (["--public-url", "https://"], "links cannot begin"),
        (["--public-url", "https://ann@b.example"], "links cannot begin"),
        (["--public-url", "https://b.example/?x"], "links cannot begin"),
        (["--public-url", "https://[b"], "links cannot begin"),
    ],
)
def test_what_cannot_be_served_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.setenv("CALLBOARD_HOME", str(tmp_path))
    try:
        status = main(["serve", *arguments])
    except SystemExit as ended:
        status = int(ended.code or 0)
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert words in said.err
    assert not any(tmp_path.rglob("*"))


def test_without_the_extra_it_says_how_to_install_it() -> None:
    with pytest.raises(CannotServe) as caught:
        check_extra("no_such_server")
    assert caught.value.message == "serving needs no_such_server, which is not installed."
    assert caught.value.hint == "Install it with: pip install 'callboard[serve]'"


def _assert_said(refused: subprocess.CompletedProcess[str], words: str, hint: str) -> None:
    """It could not start though its options are right: one line, and what to do."""
    assert (refused.returncode, refused.stdout) == (1, "")
    message, then = refused.stderr.splitlines()
    assert words in message
    assert hint in then


def test_a_port_that_is_taken_is_told(server: Launched, home: Path) -> None:
    refused = ran(home, "--port", str(server.port))
    words = f"another program listens on 127.0.0.1:{server.port} already"
    _assert_said(refused, words, "another --port")


def test_a_database_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    refused = ran(tmp_path, "--port", "0", "--database", "/dev/null/x")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("callboard: The board file /dev/null/x cannot be")


def test_a_database_server_that_refuses_is_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # nobody listens there
        url = f"postgresql://127.0.0.1:{free.getsockname()[1]}/boards"
        arguments = ("--port", "0", "--attachments", str(tmp_path / "a"), "--database", url)
        refused = ran(tmp_path, *arguments)
    words = "“boards” on 127.0.0.1 cannot be reached: Connection refused. Nothing was changed."
    _assert_said(refused, words, "Check that the server runs")


def test_attachments_that_cannot_be_stored_are_told_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.touch()
    refused = ran(tmp_path, "--port", "0", "--attachments", str(folder))
    _assert_said(refused, f"the folder {folder} for attachments cannot be written to", "--attach")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_when_its_file_is_deleted(tmp_path: Path, workers: str) -> None:
    ran(tmp_path, "user", "add", "ann", told=f"{PASSWORD}\n")
    file = tmp_path / "boards"
    made = ran(tmp_path, "user", "add", "ann", "--database", str(file), told=f"{PASSWORD}\n")
    assert made.returncode == 0
    with launched(tmp_path, "--database", str(file), "--workers", workers) as server:
        for _ in range(int(workers)):
            server.read_until("Application startup complete.")
        with httpx.Client(base_url=server.address, auth=("ann", PASSWORD)) as client:
            assert client.post("/projects", json=_BOARD).status_code == 201
            for left in tmp_path.glob("boards*"):
                left.unlink()
            refused = client.post("/projects", json=_BOARD)
        assert (refused.status_code, refused.json()["code"]) == (503, "file_gone")
        _, rest = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert f"callboard: the board file {file} was deleted or replaced" in rest
    assert not file.exists()


def test_with_a_certificate_it_encrypts(home: Path, tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    openssl = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    openssl += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    try:
        subprocess.run(  # noqa: S603 - fixed arguments
            [*openssl, "-out", str(certificate), "-keyout", str(key)],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("openssl makes the certificate, and is not installed")
    tls = ("--tls-cert", str(certificate), "--tls-key", str(key))
    anywhere = ("--host", "0.0.0.0", "--public-url", "https://b.example/")  # noqa: S104 - encrypted
    with launched(home, *anywhere, *tls) as server:
        context = ssl.create_default_context(cafile=str(certificate))
        reply = httpx.get(f"https://127.0.0.1:{server.port}/health", verify=context)
        assert reply.json()["status"] == "ok"
        boards = httpx.get(
            f"https://127.0.0.1:{server.port}/v2/projects", verify=context, auth=("ann", PASSWORD)
        )
        assert boards.json()["boards"]["path"] == "https://b.example/v2/projects"
        assert server.address.startswith("https://")


def _basic() -> str:
    return b64encode(f"ann:{PASSWORD}".encode()).decode()
