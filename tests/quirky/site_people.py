"""People as the site tells of them that a service is part of: who asks, and who there is."""

from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, no_route, refused

_ME = "/wp/v2/users/me"
_USERS = "/wp/v2/users"


class SitePeople:
    """Answers about people at the index of a site."""

    def __init__(self, onward: Onward) -> None:
        self._onward = onward

    async def __call__(self, asked: Asked) -> Answer:
        """Tell everybody who they are, and administrators who there is."""
        if asked.method != "GET" or asked.path not in (_ME, _USERS):
            return no_route()
        if asked.path == _ME:
            return await self._me(asked)
        listed = await self._onward(asked.instead("GET", "/service-users"))
        if not listed.is_success or asked.query.get("context") != "edit":
            return refused(403, "rest_forbidden_context", "You may not list users.")
        words = asked.query.get("search", "").casefold()
        people = [_person(user) for user in listed.body["users"]]
        found = [one for one in people if words in f"{one['name']} {one['email']}".casefold()]
        size = int(asked.query.get("per_page", "10"))
        return Answer(200, sorted(found, key=lambda one: str(one["name"]))[:size])

    async def _me(self, asked: Asked) -> Answer:
        boards = await self._onward(asked.instead("GET", "/projects"))
        for board in boards.body["boards"]["data"] if boards.is_success else ():
            for user in board["users"]:
                if user["user_login"] == asked.login:
                    told = {"id": user["ID"], "name": user["display_name"], "slug": asked.login}
                    return Answer(200, told)
        return refused(401, "rest_not_logged_in", "You are not currently logged in.")


def _person(user: dict[str, Any]) -> dict[str, object]:
    email = str(user["email"])
    slug = email.partition("@")[0]
    return {"id": user["ID"], "name": user["display_name"], "slug": slug, "email": email}
