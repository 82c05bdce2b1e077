"""Bindings that are not shown among the key hints of the status line."""

from textual.binding import Binding, BindingType

SUSPEND = Binding(
    "ctrl+z", "app.suspend_process", "Suspend", id="app.suspend", show=False,
    tooltip="Suspend to shell",
)  # fmt: skip
"""On every screen and dialog; where text is edited, the key undoes instead."""


def quiet_keys(
    prefix: str, *keys: tuple[str, str, str, str], priority: bool = False
) -> list[BindingType]:
    """Bindings from tuples of name, keys, action and label; `prefix` starts every binding id.

    With `priority` they come before those of the focused widget.
    """
    return [
        Binding(
            each,
            action,
            label,
            id=f"{prefix}.{name}",
            show=False,
            priority=priority,
            tooltip=label,
        )
        for name, each, action, label in keys
    ]


def list_keys(prefix: str, row: str) -> list[BindingType]:
    """The bindings of a `LineList`; `row` is the word for a row in their labels."""
    return quiet_keys(
        prefix,
        ("next", "j,down", "move(1)", f"Next {row}"),
        ("before", "k,up", "move(-1)", f"Previous {row}"),
        ("first", "g g,home", "end(0)", f"First {row}"),
        ("last", "G,end", "end(-1)", f"Last {row}"),
        ("page-down", "ctrl+d,pagedown", "page(1)", "Half a page down"),
        ("page-up", "ctrl+u,pageup", "page(-1)", "Half a page up"),
    )
