"""A detailed world whose administrator has a password that is quickly checked."""

import base64
import hashlib
from functools import cache

from tests.service.detailed_world import detailed_world

LOGIN, PASSWORD = "root", "correct horse"


@cache
def quick_content() -> bytes:
    """What the database holds: a detailed world, with a password that is quickly checked."""
    digest = hashlib.scrypt(PASSWORD.encode(), salt=b"salt", n=16, r=8, p=1)
    encoded = (base64.b64encode(part).decode() for part in (b"salt", digest))
    world = detailed_world()
    with world.database.transaction(writing=True) as db:
        db.run(
            "update account set password_hash = :hash where login = :login",
            hash="$".join(("scrypt", "16", "8", "1", *encoded)),
            login=LOGIN,
        )
    content = world.link.serialize()
    world.close()
    return content
