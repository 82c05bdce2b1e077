"""Accounts are made, given passwords, listed and removed."""

import pytest

from tests.service.sharing_endpoints import sharing_world
from tests.service.world import ZONE, FrozenClock, World, memory_database
from tui.service import account_keeping
from tui.service.account_keeping import AccountRefused
from tui.service.accounts.accounts import matches
from tui.service.times import SiteClock

_SITE = SiteClock(FrozenClock(), ZONE)
_PASSWORD = "correct horse"


@pytest.mark.long
def test_the_first_account_is_an_administrator_and_others_if_asked() -> None:
    database = memory_database()
    with database.transaction(writing=True) as db:
        made = [
            account_keeping.add_account(
                db, _SITE, login=login, password=_PASSWORD, administrator=administrator
            )
            for login, administrator in (("ann", False), ("bob", False), ("cid", True))
        ]
        kept = account_keeping.list_accounts(db)
    assert [one.is_administrator for one in made] == [True, False, True]
    assert [one.account for one in kept] == made
    assert all(one.has_password for one in kept)
    database.close()


def test_what_cannot_be_a_name_a_password_or_an_address_is_refused() -> None:
    database = memory_database()
    with database.transaction(writing=True) as db:
        for login in ("", " ann", "a:b", "a\nb", "a\x1bb", "x" * 61):
            with pytest.raises(AccountRefused, match="a name has"):
                account_keeping.check_free(db, login)
        for password in ("short", "x" * 1001):
            with pytest.raises(AccountRefused, match="a password has"):
                account_keeping.add_account(db, _SITE, login="ann", password=password)
        with pytest.raises(AccountRefused, match="e-mail"):
            account_keeping.add_account(db, _SITE, login="ann", password=_PASSWORD, email="nowhere")
        assert account_keeping.list_accounts(db) == []
        account_keeping.add_account(db, _SITE, login="ann", password=_PASSWORD)
        with pytest.raises(AccountRefused, match="already"):
            account_keeping.add_account(db, _SITE, login="ann", password=_PASSWORD)
    database.close()


def test_another_password_takes_the_place_of_the_old_one(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        account_keeping.set_password(db, "bob", _PASSWORD)
        account_keeping.set_password(db, "bob", _PASSWORD[::-1])
        kept = db.value("select password_hash from account where login = 'bob'")
        with pytest.raises(AccountRefused, match="there is no account"):
            account_keeping.set_password(db, "nobody", _PASSWORD)
    assert matches(_PASSWORD[::-1], kept)
    assert not matches(_PASSWORD, kept)


def test_what_somebody_wrote_stays_when_their_account_goes(world: World) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    with world.database.transaction(writing=True) as db:
        removal = account_keeping.remove_account(db, _SITE, "bob")
        with pytest.raises(AccountRefused, match="there is no account"):
            account_keeping.remove_account(db, _SITE, "bob")
    assert removal.boards == ()
    comments = world.done("ann", "GET", "/projects/1/tasks/1/comments").at("comments.data")
    assert [comment["user"]["display_name"] for comment in comments] == ["Bob"]
    users = world.done("ann", "GET", "/projects/1/users").at("users")
    assert [user["user_login"] for user in users] == ["ann", "vic"]
    path = f"/projects/1/has-data-changed?since={since.replace(' ', '%20')}"
    assert world.done("ann", "GET", path).at("has_changes") is True


def test_who_was_removed_is_nowhere_to_be_found_and_cannot_come_back_by_id(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        account_keeping.remove_account(db, _SITE, "bob")
        assert "bob" not in [one.account.login for one in account_keeping.list_accounts(db)]
    assert world.ask("bob", "GET", "/projects").status == 401
    people = world.done("root", "GET", "/service-users").at("users")
    assert "Bob" not in [person["display_name"] for person in people]
    found = world.done("root", "GET", "/search-service-users", {"searchInput": "bob"}).body
    assert found == []
    member = {"memberId": world.id("bob")}
    assert world.ask("ann", "POST", "/projects/1/add-members", member).status == 404


def test_a_name_that_is_free_again_belongs_to_somebody_new(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        account_keeping.remove_account(db, _SITE, "bob")
        made = account_keeping.add_account(db, _SITE, login="bob", password=_PASSWORD)
    assert made.id != world.id("bob")


def test_a_board_whose_last_admin_goes_gets_an_administrator(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        removal = account_keeping.remove_account(db, _SITE, "ann")
    assert (removal.heir, removal.boards) == ("root", ("Garden",))
    users = world.done("root", "GET", "/projects/1/users").at("users")
    assert {"root": "admin"}.items() <= {u["user_login"]: u["role"] for u in users}.items()


def test_webhooks_of_who_goes_make_no_more_tasks() -> None:
    world = sharing_world()
    with world.database.transaction(writing=True) as db:
        before = db.value("select count(*) from webhook")
        made = db.value("select count(*) from webhook where created_by = :ann", ann=world.id("ann"))
        removal = account_keeping.remove_account(db, _SITE, "ann")
        assert removal.webhooks == made > 0
        assert db.value("select count(*) from webhook") == before - made
    world.close()


def test_the_last_administrator_and_the_local_account_stay(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        with pytest.raises(AccountRefused, match="last administrator"):
            account_keeping.remove_account(db, _SITE, "root")
        db.run("update account set is_local = 1 where login = 'vic'")
        with pytest.raises(AccountRefused, match="of this machine"):
            account_keeping.remove_account(db, _SITE, "vic")
        assert len(account_keeping.list_accounts(db)) == 5
