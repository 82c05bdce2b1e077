"""The proxy of the day with a bad network does what it says."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.terminal.proxy import Fault, Proxy

pytestmark = pytest.mark.long

SAID = b'{"message": "made", "id": 5}'


class Upstream(ThreadingHTTPServer):
    """A service that makes something at each request, and remembers the headers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Making)
        self.made: list[dict[str, str]] = []


class Making(BaseHTTPRequestHandler):
    """One request to it."""

    server: Upstream

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if body == b"all of it":
            self.server.made.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.send_header("content-length", str(len(SAID)))
            self.send_header("Callboard-Features", "idempotency-keys")
            self.end_headers()
            self.wfile.write(SAID)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@contextmanager
def upstream() -> Iterator[Upstream]:
    with Upstream() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def asked(port: int) -> tuple[int, bytes, http.client.HTTPMessage | None]:
    """The status, the body and the headers of an answer; status 0 if there is none."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        try:
            connection.request("POST", "/v2/x", b"all of it", {"Idempotency-Key": "k"})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        except http.client.IncompleteRead as error:
            return 0, error.partial, None
        except (http.client.HTTPException, OSError):
            return 0, b"", None


@pytest.mark.parametrize(
    ("fault", "status", "is_made"),
    [
        (Fault.NONE, 200, True),
        (Fault.DELAY, 200, True),
        (Fault.CUT_BEFORE, 0, False),
        (Fault.CUT_REQUEST, 0, False),
        (Fault.CUT_ANSWER, 0, True),
        (Fault.CUT_AFTER, 0, True),
        (Fault.STATUS_502, 502, True),
        (Fault.STATUS_429, 429, False),
        (Fault.PORTAL, 200, False),
        (Fault.REDIRECT, 302, False),
        (Fault.GARBAGE, 0, False),
        (Fault.REFUSED, 400, False),
    ],
)
def test_each_fault_does_what_it_is_called(fault: Fault, status: int, *, is_made: bool) -> None:
    with upstream() as service:
        proxy = Proxy(service.server_port)
        with proxy.there():
            proxy.storm(lambda _: fault)
            assert asked(proxy.port)[0] == status
            proxy.heal()
            assert asked(proxy.port)[:2] == (200, SAID)
        assert [what for _, what in proxy.log] == [fault, Fault.NONE]
    assert len(service.made) == 1 + is_made


def test_a_late_answer_comes_when_the_network_is_healed() -> None:
    with upstream() as service:
        proxy = Proxy(service.server_port)
        with proxy.there():
            proxy.storm(lambda _: Fault.LATE)
            answers: list[bytes] = []
            person = threading.Thread(target=lambda: answers.append(asked(proxy.port)[1]))
            person.start()
            while not service.made:
                person.join(0.01)
            proxy.heal()
            person.join()
    assert answers == [SAID]


@pytest.mark.parametrize("with_keys", [True, False])
def test_without_keys_neither_side_hears_of_them(*, with_keys: bool) -> None:
    with upstream() as service:
        proxy = Proxy(service.server_port, with_keys=with_keys)
        with proxy.there():
            _, body, headers = asked(proxy.port)
    assert body == SAID
    assert headers is not None
    assert ("Callboard-Features" in headers) == with_keys
    assert ("idempotency-key" in service.made[0]) == with_keys
