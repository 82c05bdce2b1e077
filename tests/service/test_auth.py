"""Who gets in, and who does not."""

import base64
from collections.abc import Iterator

import pytest

from tests.service.endpoints import ENDPOINTS
from tests.service.world import World, memory_database
from tui.service.accounts.accounts import create_account, hashed, matches
from tui.service.accounts.auth import Authenticator, LocalSession
from tui.service.database.base import Database
from tui.service.errors import ServiceError
from tui.service.times import SiteClock


def _basic(login: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()


@pytest.fixture(scope="module")
def house() -> Iterator[Database]:
    """A database with one account that has a password and one that has none."""
    database = memory_database()
    with database.transaction(writing=True) as db:
        create_account(db, SiteClock(), login="zoë", display_name="Zoë", password="pä ss:word")
        create_account(db, SiteClock(), login="local", display_name="L")
    yield database
    database.close()


@pytest.mark.long
def test_the_first_account_is_an_administrator(house: Database) -> None:
    gate = Authenticator(house, LocalSession("local", "secret"))
    assert gate.account(_basic("zoë", "pä ss:word")).is_administrator
    assert not gate.account(_basic("local", "secret")).is_administrator


@pytest.mark.long
def test_a_remembered_password_still_follows_the_account(house: Database) -> None:
    gate = Authenticator(house)
    assert gate.account(_basic("zoë", "pä ss:word")).login == "zoë"
    assert gate.account(_basic("zoë", "pä ss:word")).login == "zoë"
    with house.transaction(writing=True) as db:
        old = db.value("select password_hash from account where login = 'zoë'")
        db.run("update account set password_hash = :h where login = 'zoë'", h=hashed("new"))
    try:
        with pytest.raises(ServiceError):
            gate.account(_basic("zoë", "pä ss:word"))
    finally:
        with house.transaction(writing=True) as db:
            db.run("update account set password_hash = :h where login = 'zoë'", h=old)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Basic",
        "Basic !!!",
        "Basic " + base64.b64encode(b"\xff\xfe:x").decode(),
        "Basic " + base64.b64encode(b"no colon").decode(),
        "Bearer secret",
        _basic("zoë", "wrong"),
        _basic("nobody", "x"),
        _basic("local", ""),
        _basic("local", "secret"),
        _basic("gone", "secret"),
        _basic("zoë", "secret"),
    ],
)
def test_everybody_else_is_refused_alike(house: Database, header: str | None) -> None:
    gate = Authenticator(house, LocalSession("gone", "secret"))
    with pytest.raises(ServiceError) as caught:
        gate.account(header)
    assert (caught.value.status, caught.value.code) == (401, "unauthorized")
    assert "secret" not in caught.value.message


def test_a_request_knows_what_has_changed_of_its_account(world: World) -> None:
    def change(column: str, value: object) -> None:
        with world.database.transaction(writing=True) as db:
            db.update("account", bob, **{column: value})

    bob = world.id("bob")
    assert world.ask("bob", "GET", "/projects/2").status == 403
    change("is_administrator", 1)
    assert world.ask("bob", "GET", "/projects/2").status == 200
    change("is_administrator", 0)
    title = {"title": "Loft"}
    assert world.ask("bob", "PUT", "/projects/2", title).status == 403
    change("display_name", "Robert")
    comment = {"comment": "x", "comment_type": "comment"}
    answer = world.done("bob", "POST", "/projects/1/tasks/1/comments", comment)
    assert answer.at("comment.author_name") == "Robert"
    change("login", "robert")
    for method, path, body in (("GET", "/projects", None), ("PUT", "/projects/1", title)):
        assert world.ask("bob", method, path, body).status == 401
    assert world.done("ann", "GET", "/projects/1").at("board.title") == "Garden"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic x"}])
def test_no_endpoint_answers_strangers(world: World, headers: dict[str, str]) -> None:
    for endpoint in ENDPOINTS:
        answer = world.ask("nobody", endpoint.method, endpoint.path, headers=headers)
        assert (answer.status, answer.body["data"]) == (401, {"status": 401}), endpoint.route


def test_an_unknown_route_is_told_as_absent(world: World) -> None:
    for method, path in (
        ("GET", "/nowhere"),
        ("PATCH", "/projects/1"),
        ("GET", "/projects/"),
        ("GET", "/projects/x"),
    ):
        answer = world.ask("ann", method, path)
        assert (answer.status, answer.body["code"]) == (404, "rest_no_route"), path


def test_passwords_are_salted_and_secrets_hidden() -> None:
    kept = hashed("x")
    assert kept != hashed("x")
    assert matches("x", kept)
    assert not matches("y", kept)
    session = LocalSession("a")
    assert session.password not in repr(session)
    assert session.password != LocalSession("a").password


@pytest.mark.parametrize(("login", "password"), [("zo\0e", "x"), ("zoë", "x\0"), ("\0", "\0")])
def test_credentials_with_nul_are_wrong_ones(house: Database, login: str, password: str) -> None:
    with pytest.raises(ServiceError) as caught:
        Authenticator(house).account(_basic(login, password))
    assert caught.value.status == 401
