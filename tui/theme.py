"""The colours of the program, as themes, and the names styles know them by.

The rule it keeps: colours are chosen here and used in `styles/` by name; no screen or widget knows
a colour. The names beyond Textual's own have defaults, so that any of its themes works too.
"""

from textual.theme import Theme

DEFAULT_THEME = "callboard-dark"

DARK = Theme(
    name="callboard-dark",
    primary="#7aa2f7",
    secondary="#9ece6a",
    accent="#e0af68",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#c8cedf",
    background="#16181f",
    surface="#1d2029",
    panel="#262a36",
    dark=True,
    variables={
        "frame": "#3d4354",
        "quiet": "#828ba3",
        "cursor-ground": "#33436b",
        "cursor-text": "#ffffff",
        "marked-ground": "#46391f",
        "late": "#f7768e",
        "soon": "#e0af68",
        "ghost": "#e0af68",
    },
)

LIGHT = Theme(
    name="callboard-light",
    primary="#2b59c3",
    secondary="#3d7a12",
    accent="#9a5b00",
    warning="#9a5b00",
    error="#b3223c",
    success="#3d7a12",
    foreground="#22252e",
    background="#fbfbfa",
    surface="#f1f1ef",
    panel="#e5e6e8",
    dark=False,
    variables={
        "frame": "#b9bdc8",
        "quiet": "#606779",
        "cursor-ground": "#cfdcf8",
        "cursor-text": "#0d1220",
        "marked-ground": "#f6e7c4",
        "late": "#b3223c",
        "soon": "#9a5b00",
        "ghost": "#9a5b00",
    },
)

THEMES = (DARK, LIGHT)


def variable_defaults(colors: dict[str, str]) -> dict[str, str]:
    """The names of ours for a theme that does not define them, made from the colours it has."""
    return {
        "frame": colors["panel"],
        "quiet": colors["foreground-muted"],
        "cursor-ground": colors["primary-muted"],
        "cursor-text": colors["foreground"],
        "marked-ground": colors["warning-muted"],
        "late": colors["error"],
        "soon": colors["warning"],
        "ghost": colors["warning"],
    }
