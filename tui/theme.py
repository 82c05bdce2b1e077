"""The dark and light theme, and the styles of text drawn outside stylesheets.

Colours are defined here and used in `styles/` as variables. Variables that Textual does not define
have defaults, so that its own themes work too.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rich.style import Style
from textual.color import Color
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
        "news": "#7dcfff",
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
        "news": "#00708f",
    },
)

THEMES = (DARK, LIGHT)


def variable_defaults(colors: dict[str, str]) -> dict[str, str]:
    """Values of our own variables for a theme that does not define them, from its colours."""
    return {
        "frame": colors["panel"],
        "quiet": colors["foreground-muted"],
        "cursor-ground": colors["primary-muted"],
        "cursor-text": colors["foreground"],
        "marked-ground": colors["warning-muted"],
        "late": colors["error"],
        "soon": colors["warning"],
        "ghost": colors["warning"],
        "news": colors["secondary"],
    }


class Paint(NamedTuple):
    """The style of a role: variables for its colour and background, and text attributes."""

    color: str
    ground: str = "background"
    bold: bool = False
    traits: tuple[str, ...] = ()


PAINTS = {
    "frame": Paint("frame"),
    "heading": Paint("foreground", bold=True),
    "active": Paint("primary", bold=True),
    "limit": Paint("soon", bold=True),
    "empty": Paint("quiet"),
    "title": Paint("foreground"),
    "cursor": Paint("cursor-text", "cursor-ground", bold=True),
    "marked": Paint("foreground", "marked-ground"),
    "closed": Paint("quiet"),
    "meta": Paint("quiet"),
    "people": Paint("primary"),
    "high": Paint("error"),
    "late": Paint("late", bold=True),
    "soon": Paint("soon"),
    "pending": Paint("soon", bold=True),
    "bar": Paint("primary"),
    "mark": Paint("soon", bold=True),
    "news": Paint("news", bold=True),
    "mention": Paint("news", bold=True),
    "ghost": Paint("ghost", bold=True),
    "outline": Paint("quiet"),
    "count": Paint("quiet"),
    "label": Paint("foreground"),
    "gap": Paint("foreground", "cursor-ground"),
    "said": Paint("foreground", "surface"),
    "name": Paint("foreground", "surface", bold=True),
    "quiet": Paint("quiet", "surface"),
    "key": Paint("primary", "surface", bold=True),
    "good": Paint("success", "surface"),
    "warning": Paint("soon", "surface"),
    "chip": Paint("soon", "panel"),
    "heard": Paint("news", "surface"),
    "error": Paint("error", "surface", bold=True),
    "hand": Paint("ghost", "surface", bold=True),
    "text-emphasis": Paint("foreground", traits=("italic",)),
    "text-struck": Paint("quiet", traits=("strike",)),
    "text-code": Paint("accent"),
    "text-link": Paint("primary", traits=("underline",)),
    "text-quote": Paint("quiet", traits=("italic",)),
}
"""The styles of text spans on cards, columns and bars, by role.

They are not in a stylesheet because a board has dozens of them: component classes are matched for
every widget at every start, which took longer than drawing the board.
"""


def style_of(role: str, variables: Mapping[str, str]) -> Style:
    """The style of a role in a theme; a role that starts with `#` is the colour of a label."""
    paint = Paint(role) if role.startswith("#") else PAINTS[role]
    ground = Color.parse(variables[paint.ground])
    color = Color.parse(role if role.startswith("#") else variables[paint.color])
    if color.ansi is None and ground.ansi is None:
        color = ground + color
    return Style(
        color=color.rich_color,
        bgcolor=ground.rich_color,
        bold=paint.bold,
        italic="italic" in paint.traits,
        underline="underline" in paint.traits,
        strike="strike" in paint.traits,
    )


def stylesheet(name: str) -> Path:
    """The path of a file in `styles/`: in the installed package, or beside it in a checkout."""
    inside = Path(__file__).parent / "styles"
    return (inside if inside.is_dir() else Path(__file__).parent.parent / "styles") / name
