"""Bindings of keys that are not shown among the hints at the bottom."""

from textual.binding import Binding, BindingType


def quiet_keys(prefix: str, *told: tuple[str, str, str, str, str]) -> list[BindingType]:
    """Bindings by name, keys, action, label and tooltip; the prefix begins the ids of all."""
    return [
        Binding(keys, action, label, id=f"{prefix}.{name}", show=False, tooltip=tooltip)
        for name, keys, action, label, tooltip in told
    ]


def list_keys(prefix: str, row: str) -> list[BindingType]:
    """The keys of a `LineList`, of which a row is called `row`."""
    return quiet_keys(
        prefix,
        ("next", "j,down", "move(1)", "Next", f"The next {row}"),
        ("before", "k,up", "move(-1)", "Before", f"The {row} before"),
        ("first", "g g,home", "end(0)", "First", f"The first {row}"),
        ("last", "G,end", "end(-1)", "Last", f"The last {row}"),
        ("page-down", "ctrl+d,pagedown", "page(1)", "Page down", "Half a page down"),
        ("page-up", "ctrl+u,pageup", "page(-1)", "Page up", "Half a page up"),
    )
