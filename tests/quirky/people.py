"""People whose passwords are quickly checked, so that no test waits for scrypt."""

import base64
import hashlib
from functools import cache

from tests.service.detailed_world import detailed_world
from tests.service.world import PEOPLE
from tui.service.database.base import Database

PASSWORD = "correct horse"


@cache
def quick_hash() -> str:
    """`PASSWORD` as it is kept, at the least cost."""
    digest = hashlib.scrypt(PASSWORD.encode(), salt=b"salt", n=16, r=8, p=1)
    encoded = (base64.b64encode(part).decode() for part in (b"salt", digest))
    return "$".join(("scrypt", "16", "8", "1", *encoded))


def give_passwords(database: Database, *logins: str) -> None:
    """Let people log in with `PASSWORD`; they have e-mail addresses from now on."""
    with database.transaction(writing=True) as db:
        for login in logins:
            db.run(
                "update account set password_hash = :hash, email = :email where login = :login",
                hash=quick_hash(),
                email=f"{login}@people.example",
                login=login,
            )


@cache
def peopled_content() -> bytes:
    """What the database of a detailed world holds in which everybody has a password."""
    world = detailed_world()
    give_passwords(world.database, *PEOPLE)
    content = world.link.serialize()
    world.close()
    return content
