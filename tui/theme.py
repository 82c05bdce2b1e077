"""Our own themes, and the styles of text drawn outside stylesheets.

Colours are defined here and used in `styles/` as variables. Variables that Textual does not define
have defaults, so that its own themes work too.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

DEFAULT_THEME = "callboard-dark"
_OWN = "ansi_default"
READABLE = 4.5
"""The least contrast of text with its background."""


def _theme(
    name: str,
    *,
    dark: bool,
    quiet: str,
    frame: str,
    news: str,
    cursor: tuple[str, str],
    marked: str,
    more: Mapping[str, str] = MappingProxyType({}),
    **colors: Any,
) -> Theme:
    # `cursor` is text and background; `colors` are those that Textual names too; `more` are other
    # variables, such as `late-ground`, the background of what is drawn in `late`.
    error, warning = colors["error"], colors["warning"]
    return Theme(
        name=name,
        dark=dark,
        ansi=colors["background"].startswith("ansi"),
        secondary=colors["success"],
        accent=warning,
        variables={
            "frame": frame,
            "surface": colors["surface"],
            "panel": colors["panel"],
            "quiet": quiet,
            "text-disabled": quiet,
            "input-selection-background": cursor[1],
            "input-selection-foreground": cursor[0],
            "cursor-ground": cursor[1],
            "cursor-text": cursor[0],
            "marked-ground": marked,
            "late": error,
            "soon": warning,
            "ghost": warning,
            "news": news,
            "refused": error,
            **more,
        },
        **colors,
    )


DARK = _theme(
    "callboard-dark",
    background="#16181f", surface="#1d2029", panel="#262a36",
    foreground="#c8cedf", quiet="#969fb8", frame="#3d4354",
    primary="#7aa2f7", success="#9ece6a", warning="#e0af68", error="#f7768e", news="#7dcfff",
    cursor=("#ffffff", "#26345c"), marked="#46391f",
    dark=True,
)  # fmt: skip
LIGHT = _theme(
    "callboard-light",
    background="#fbfbfa", surface="#f1f1ef", panel="#e5e6e8",
    foreground="#22252e", quiet="#5a6172", frame="#b9bdc8",
    primary="#2b59c3", success="#356b10", warning="#8a5200", error="#b3223c", news="#00627d",
    cursor=("#0d1220", "#d6e2fa"), marked="#f6e7c4",
    dark=False,
)  # fmt: skip
CONTRAST_DARK = _theme(
    "high-contrast-dark",
    background="#000000", surface="#0b0b0b", panel="#1c1c1c",
    foreground="#ffffff", quiet="#d0d0d0", frame="#8c8c8c",
    primary="#8fd3ff", success="#9dff9d", warning="#ffd75f", error="#ffb0b0", news="#7fffff",
    cursor=("#ffffff", "#00247a"), marked="#4a3a00",
    dark=True,
)  # fmt: skip
CONTRAST_LIGHT = _theme(
    "high-contrast-light",
    background="#ffffff", surface="#f6f6f6", panel="#e8e8e8",
    foreground="#000000", quiet="#333333", frame="#5f5f5f",
    primary="#002f8f", success="#0a4a00", warning="#5c3200", error="#850016", news="#00415c",
    cursor=("#000000", "#c4d8ff"), marked="#ffe08a",
    dark=False,
)  # fmt: skip
ANSI = _theme(
    "ansi",
    background=_OWN, surface=_OWN, panel=_OWN, foreground=_OWN, quiet=_OWN, frame=_OWN,
    primary=_OWN, success=_OWN, warning="ansi_black", error="ansi_bright_white",
    news="ansi_black", cursor=("ansi_black", "ansi_cyan"), marked=_OWN,
    more={
        "error-ground": "ansi_red",
        "late-ground": "ansi_red",
        "soon-ground": "ansi_bright_yellow",
        "news-ground": "ansi_green",
        "accent": _OWN,
        "ansi-background": _OWN,
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-text-style": "none",
        "ansi-foreground": _OWN,
        "ghost": _OWN,
        "refused": _OWN,
    },
    dark=True,
)  # fmt: skip
"""The sixteen colours of the terminal: its own text on its own background, light or dark, and pairs
of text and background that differ enough in any palette. What is chosen is drawn reversed, see
`ColorlessFilter`."""

THEMES = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, ANSI)


def variable_defaults(colors: dict[str, str]) -> dict[str, str]:
    """Values of our own variables for a theme that does not define them, from its colours."""
    ansi = colors["background"].startswith("ansi")
    quiet, refused = (
        colors["foreground"]
        if ansi
        else readable(Color.parse(colors[name]), Color.parse(colors["panel"])).css
        for name in ("foreground-muted", "error")
    )
    return {
        "frame": colors["panel"],
        "quiet": quiet,
        "text-disabled": quiet,
        "cursor-ground": colors["primary-muted"],
        "cursor-text": colors["foreground"],
        "marked-ground": colors["warning-muted"],
        "late": colors["error"],
        "soon": colors["warning"],
        "ghost": colors["warning"],
        "news": colors["secondary"],
        "refused": refused,
    }


def contrast(color: Color, ground: Color) -> float:
    """The contrast ratio of a text colour with its background, as WCAG 2 defines it."""
    luminances = []
    for each in (color, ground):
        # The first part of sRGB is linear.
        shares = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004
            for part in each.normalized
        ]
        luminances.append(0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2])
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)


def readable(color: Color, ground: Color) -> Color:
    """The colour, made lighter or darker as far as needed to be read on a background."""
    if color.ansi is not None or ground.ansi is not None:
        return color
    color = ground + color
    ends = (Color(255, 255, 255), Color(0, 0, 0))
    end = max(ends, key=lambda each: contrast(each, ground))
    steps = (color.blend(end, step / 10) for step in range(10))
    return next((step for step in steps if contrast(step, ground) >= READABLE), end)


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
    "gap": Paint("cursor-text", "cursor-ground"),
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
    ground = _parsed(variables.get(f"{paint.color}-ground", variables[paint.ground]))
    if ground.is_transparent:  # as surfaces are in Textual's themes of ANSI colours
        ground = _parsed(variables["background"])
    color = _parsed(role if role.startswith("#") else variables[paint.color])
    if role != "frame" and not role.startswith("#"):
        color = readable(color, ground)
    return Style(
        color=color.rich_color,
        bgcolor=ground.rich_color,
        bold=paint.bold,
        italic="italic" in paint.traits,
        underline="underline" in paint.traits,
        strike="strike" in paint.traits,
    )


def _parsed(color: str) -> Color:
    # A colour of the terminal cannot be mixed, so a percentage behind it is left out.
    return Color.parse(color.partition(" ")[0])


def stylesheet(name: str) -> Path:
    """The path of a file in `styles/`: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    inside = package / "styles"
    return (inside if inside.is_dir() else package.parent / "styles") / name
