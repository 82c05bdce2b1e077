"""Keys as people write them."""

from textual.keys import format_key


def key_name(key: str) -> str:
    """A key as people write it: `?`, `ctrl+e`, `↵`."""
    return {"enter": "↵", "escape": "esc"}.get(key) or format_key(key)
