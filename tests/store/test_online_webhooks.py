"""Webhooks as the service tells them: terminal-safe, and their keys hidden."""

from typing import cast

import pytest
from hypothesis import given, strategies as st

from tui.client.documents import Document
from tui.client.errors import NotAllowed
from tui.model.webhook import Webhook
from tui.store.online import administration as online
from tui.store.remote import Remote

KEY = "0f5c2a7e-1111"
ADDRESS = f"https://board.example/?marker=1&hash={KEY}"
_PARTS = st.text("ab/?=&.:", max_size=20)


class Telling:
    """A service with one webhook, which echoes its key; for administrators."""

    def __init__(self, value: object, *, is_admin: bool = True) -> None:
        self._hook: Document = {"id": 7, "key": KEY, "value": value}
        self._is_admin = is_admin
        self.posted: list[tuple[str, Document]] = []

    async def webhooks(self) -> tuple[list[Document], list[Document]]:
        if not self._is_admin:
            raise NotAllowed("Sorry, you are not allowed to do that.")
        return [self._hook], [{"key": "ti\x1b[31mtle", "field": None}]

    async def post_to_webhook(self, url: str, fields: Document) -> Document:
        self.posted.append((url, fields))
        return {"data": {"message": f"Created by {KEY}\x07"}}


def remote(service: Telling) -> Remote:
    return cast("Remote", service)


async def test_what_the_service_tells_is_cleaned() -> None:
    service = Telling({"name": "Fo\x1b[2Jrm\u202e", "board": 1, "stage": 2, "url": ADDRESS})
    [hook], [field] = await online.webhooks(remote(service))
    assert (hook.name, hook.board_id, hook.stage_id, field.key) == ("Form", 1, 2, "title")
    assert KEY not in f"{hook!r} {hook.masked_address}"
    assert await online.send_test(remote(service), hook) == "Created by ••••••••"
    assert service.posted == [(ADDRESS, {"title": "Test from Callboard"})]


async def test_a_webhook_without_what_it_should_have_is_shown() -> None:
    [hook], _ = await online.webhooks(remote(Telling(None)))
    assert (hook.name, hook.address, hook.masked_address) == ("", "", "")


async def test_others_than_administrators_are_told_why() -> None:
    with pytest.raises(NotAllowed, match="administrators only"):
        await online.webhooks(remote(Telling(None, is_admin=False)))


@given(st.builds(Webhook, st.just(1), address=st.builds("{}K{}".format, _PARTS, _PARTS), key=_PARTS,
                 name=st.just(""), board_id=st.just(1), stage_id=st.just(1)))  # fmt: skip
def test_the_masked_address_never_has_the_secret(hook: Webhook) -> None:
    """`K` stands for the secret, behind the host, whether or not the key is told."""
    whole = Webhook(1, "", 1, 1, address=f"https://board.example/{hook.address}", key=hook.key)
    known = Webhook(1, "", 1, 1, address=whole.address, key="K")
    assert "K" not in known.masked_address
    if not whole.key or whole.key not in whole.address:
        assert whole.masked_address == "https://board.example/••••••••"
