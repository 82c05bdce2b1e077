"""Writes that a browser sends for a page of another site."""

import pytest

from tests.service.world import BASE_URL, World, furnished_world

_PUBLIC = "https://boards.example/team/v2"
_HERE = "http://127.0.0.1:8642/v2"
_TITLE = {"title": "Shed"}


def _put(base_url: str, origin: str | None, host: str = "127.0.0.1:8642") -> tuple[int, str]:
    """Rename a board, as a page would; the status, and the board's title afterwards."""
    world = furnished_world(base_url=base_url)
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
    reply = world.fetch("ann", "PUT", BASE_URL + "/projects/1", json=_TITLE, headers=headers)
    title = world.done("ann", "GET", "/projects/1").at("board.title")
    world.close()
    return reply.status_code, str(title)


@pytest.mark.parametrize(
    ("base_url", "origin", "host"),
    [
        (_PUBLIC, "https://evil.example", "boards.example"),
        (_PUBLIC, "https://evil.example", "evil.example"),
        (_PUBLIC, "http://boards.example", "boards.example"),
        (_PUBLIC, "https://boards.example:8443", "boards.example"),
        (_PUBLIC, "https://boards.example.evil.example", "boards.example"),
        (_PUBLIC, "null", "boards.example"),
        (_PUBLIC, "", "boards.example"),
        (_PUBLIC, "https://[", "boards.example"),
        (_HERE, "http://127.0.0.1:3000", "127.0.0.1:8642"),
        (_HERE, "http://localhost:3000", "localhost:8642"),
        (_HERE, "http://evil.example:8642", "evil.example:8642"),
        (_HERE, "http://localhost.evil.example:8642", "localhost.evil.example:8642"),
    ],
)
def test_a_page_of_another_site_changes_nothing(base_url: str, origin: str, host: str) -> None:
    assert _put(base_url, origin, host) == (403, "Garden")


@pytest.mark.parametrize(
    ("base_url", "origin", "host"),
    [
        (_PUBLIC, None, "boards.example"),
        (_PUBLIC, "https://boards.example", "boards.example"),
        (_PUBLIC, "https://BOARDS.example:443", "boards.example"),
        (_PUBLIC, "https://boards.example", "10.0.0.7:8642"),
        (_HERE, "http://127.0.0.1:8642", "127.0.0.1:8642"),
        (_HERE, "http://localhost:8642", "localhost:8642"),
        (_HERE, "http://[::1]:8642", "[::1]:8642"),
    ],
)
def test_a_page_at_the_address_of_the_service_and_a_program_may_write(
    base_url: str, origin: str | None, host: str
) -> None:
    assert _put(base_url, origin, host) == (200, "Shed")


def test_a_refusal_says_what_to_do(world: World) -> None:
    headers = {"Origin": "https://evil.example"}
    reply = world.fetch("ann", "DELETE", BASE_URL + "/projects/1", headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (403, "other_site")
    assert "--public-url" in reply.json()["message"]


def test_a_page_of_another_site_may_read_what_its_reader_may(world: World) -> None:
    """A browser does not show it the reply, since nothing here allows that."""
    headers = {"Origin": "https://evil.example"}
    reply = world.fetch("ann", "GET", BASE_URL + "/projects/1", headers=headers)
    assert reply.status_code == 200
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_a_webhook_takes_forms_of_any_site(world: World) -> None:
    hook = {"name": "Mail", "board": 1, "stage": 1}
    url = world.done("ann", "POST", "/webhooks", hook).at("webhook.url")
    headers = {"Origin": "https://shop.example"}
    assert world.fetch("nobody", "POST", url, data={"title": "Dig"}, headers=headers).is_success
