"""Bindings as tables, with or without a place among the key hints."""

from textual.binding import Binding, BindingType

SUSPEND = Binding(
    "ctrl+z", "app.suspend_process", "Suspend", id="app.suspend", show=False,
    tooltip="Suspend to shell",
)  # fmt: skip
"""On every screen and dialog; where text is edited, the key undoes instead."""
REDRAW = Binding(
    "ctrl+l", "app.redraw", "Redraw", id="app.redraw", show=False, tooltip="Redraw screen"
)
"""On every screen and dialog: other programs may have written over it."""

HOW_TO_QUIT = Binding("ctrl+c", "app.help_quit", show=False)
"""On every dialog; screens have that of Textual. Where text is selected, it is copied."""


def hinted_keys(
    prefix: str, *keys: tuple[str, str, str, str, str], priority: bool = False
) -> list[BindingType]:
    """Bindings from tuples of name, keys, action, label and hint; `prefix` starts every id.

    One without a hint is not shown on the status line. With `priority` they come before those of
    the focused widget.
    """
    return [
        Binding(
            key,
            action,
            hint or label,
            id=f"{prefix}.{name}",
            show=bool(hint),
            priority=priority,
            tooltip=label,
        )
        for name, key, action, label, hint in keys
    ]


def quiet_keys(
    prefix: str, *keys: tuple[str, str, str, str], priority: bool = False
) -> list[BindingType]:
    """Bindings that are not shown among the hints, from tuples of name, keys, action and label."""
    return hinted_keys(prefix, *((*key, "") for key in keys), priority=priority)


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
