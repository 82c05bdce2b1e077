"""The client as the type of what the store asks, which it must not import before the first paint.

Every method of `Remote` may raise any `tui.client.errors.ApiError`. Deleting something that no
longer exists succeeds; a feature that an edition lacks raises `NotOffered`, with the reason.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tui.client.client import Client as Remote
else:
    Remote = Any

__all__ = ["Remote"]
