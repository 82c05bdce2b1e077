"""Our own themes, and the styles of text drawn outside stylesheets.

Colours are defined here and used in `styles/` as variables. Variables that Textual does not define
have defaults, so that its own themes work too.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from rich.color import Color as RichColor, ColorType
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

DEFAULT_THEME = "callboard-dark"
_OWN = "ansi_default"
_GREY = 0.25
"""The saturation below which a colour is a grey."""
_GREYS = ((0.1, 0), (0.6, 8), (0.85, 7), (1.0, 15))
_HUES = ((0.045, 1), (0.19, 3), (0.46, 2), (0.56, 6), (0.66, 12), (0.94, 5), (1.0, 1))
"""Up to which lightness or hue a colour is which of the sixteen; the dark blue is not legible."""
READABLE = 4.5
"""The least contrast of text with its background."""


def _theme(
    name: str,
    *,
    dark: bool,
    quiet: str,
    cursor: tuple[str, str],
    mark: tuple[str, str],
    hand: tuple[str, str],
    place: str,
    blocked: str,
    more: Mapping[str, str] = MappingProxyType({}),
    **colors: str,
) -> Theme:
    # Pairs are text and background. `place` and `blocked` are texts on `accent` and `bad`. `more`
    # are other variables, such as `error-ground`, the background of what is drawn in `bad`.
    accent, bad = colors.pop("accent"), colors.pop("bad")
    ground, card, bar = (colors.pop(key) for key in ("ground", "card", "bar"))
    return Theme(
        name=name,
        dark=dark,
        ansi=ground.startswith("ansi"),
        background=ground,
        surface=card,
        panel=bar,
        foreground=colors.pop("text"),
        primary=accent,
        secondary=colors["good"],
        accent=colors["warn"],
        warning=colors.pop("warn"),
        error=bad,
        success=colors.pop("good"),
        variables={
            "surface": card,
            "panel": bar,
            "quiet": quiet,
            "text-disabled": quiet,
            "input-selection-background": cursor[1],
            "input-selection-foreground": cursor[0],
            "refused": bad,
            **_pairs(
                cursor=cursor, mark=mark, hand=hand, place=(place, accent), blocked=(blocked, bad)
            ),
            **colors,
            **more,
        },
    )


def _pairs(**pairs: tuple[str, str]) -> dict[str, str]:
    texts = {f"{name}-text": text for name, (text, _) in pairs.items()}
    return texts | {f"{name}-ground": ground for name, (_, ground) in pairs.items()}


DARK = _theme(
    "callboard-dark",
    ground="#14161d", card="#1f232e", bar="#262b38", raised="#2a3040", line="#434b60",
    text="#cdd3e1", strong="#f3f5fb", quiet="#a6afc6", accent="#82aaff", place="#10131b",
    cursor=("#ffffff", "#2c4072"), mark=("#f3e6c8", "#4d3d1a"), hand=("#15120b", "#e3b26b"),
    bad="#ff8c9d", blocked="#1d090d", warn="#e3b26b", good="#a3d279", news="#7fd4ff",
    dark=True,
)  # fmt: skip
LIGHT = _theme(
    "callboard-light",
    ground="#eff0ee", card="#ffffff", bar="#e0e3e8", raised="#e7e9ed", line="#b3b9c6",
    text="#23262f", strong="#05070c", quiet="#545b6b", accent="#1f4fb5", place="#ffffff",
    cursor=("#08101f", "#c9dcfb"), mark=("#2c2100", "#f6e2ad"), hand=("#ffffff", "#865000"),
    bad="#a81832", blocked="#ffffff", warn="#774600", good="#2b610d", news="#00566f",
    dark=False,
)  # fmt: skip
CONTRAST_DARK = _theme(
    "high-contrast-dark",
    ground="#000000", card="#101010", bar="#1c1c1c", raised="#202020", line="#8c8c8c",
    text="#f2f2f2", strong="#ffffff", quiet="#d0d0d0", accent="#8fd3ff", place="#000000",
    cursor=("#ffffff", "#00247a"), mark=("#ffffff", "#4a3a00"), hand=("#000000", "#ffd75f"),
    bad="#ffb0b0", blocked="#000000", warn="#ffd75f", good="#9dff9d", news="#7fffff",
    dark=True,
)  # fmt: skip
CONTRAST_LIGHT = _theme(
    "high-contrast-light",
    ground="#f4f4f4", card="#ffffff", bar="#e4e4e4", raised="#e8e8e8", line="#5f5f5f",
    text="#1a1a1a", strong="#000000", quiet="#333333", accent="#002f8f", place="#ffffff",
    cursor=("#000000", "#c4d8ff"), mark=("#000000", "#ffe08a"), hand=("#ffffff", "#5c3200"),
    bad="#850016", blocked="#ffffff", warn="#5c3200", good="#0a4a00", news="#00415c",
    dark=False,
)  # fmt: skip
ANSI = _theme(
    "ansi",
    ground=_OWN, card=_OWN, bar=_OWN, raised=_OWN, line=_OWN, text=_OWN, strong=_OWN, quiet=_OWN,
    accent=_OWN, place="ansi_black", warn=_OWN, good=_OWN, news=_OWN, bad="ansi_bright_white",
    blocked="ansi_bright_white", cursor=("ansi_black", "ansi_cyan"), mark=(_OWN, _OWN),
    hand=("ansi_black", "ansi_bright_yellow"),
    more={
        "place-ground": "ansi_cyan",
        "error-ground": "ansi_red",
        "blocked-ground": "ansi_red",
        "accent": _OWN,
        "ansi-background": _OWN,
        "ansi-foreground": _OWN,
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-text-style": "none",
        "refused": _OWN,
        "colors": "few",
    },
    dark=True,
)  # fmt: skip
"""The sixteen colours of the terminal: its own text on its own background, light or dark, and pairs
of text and background that differ enough in any palette. What is chosen is drawn reversed, see
`ColorlessFilter`."""

THEMES = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, ANSI)


ROLES: Mapping[str, str] = {
    "ground": "background", "card": "surface", "bar": "panel", "raised": "raised", "line": "line",
    "text": "foreground", "strong": "strong", "quiet": "quiet", "accent": "primary",
    "on-accent": "place-text", "cursor": "cursor-ground", "cursor-text": "cursor-text",
    "mark": "mark-ground", "mark-text": "mark-text", "hand": "hand-ground",
    "hand-text": "hand-text", "bad": "error", "on-bad": "blocked-text", "warn": "warning",
    "good": "success", "news": "news",
}  # fmt: skip
"""The colours that users can choose for a theme of their own, and their variables."""
_IN_DIALOGS = ("text", "strong", "quiet", "accent", "bad", "good")
"""The roles that stylesheets and dialogs give to texts, which nothing else keeps readable."""
_FILLS = {"on-accent": "accent", "on-bad": "bad"} | {
    f"{name}-text": name for name in ("cursor", "mark", "hand")
}


def own_themes(declared: Mapping[str, tuple[str, Mapping[str, str]]]) -> list[Theme]:
    """The user's own themes: by name, the theme that one is based on, and its colours by role.

    A text that could not be read on its background is made lighter or darker.
    """
    known = {**BUILTIN_THEMES, **{theme.name: theme for theme in THEMES}}

    def find(name: str) -> Theme:
        if name not in known:
            base, colors = declared[name]
            known[name] = _own_theme(name, find(base), colors)
        return known[name]

    return [find(name) for name in declared]


def _own_theme(name: str, base: Theme, chosen: Mapping[str, str]) -> Theme:
    colors = base.to_color_system().generate()
    variables = {**variable_defaults(colors), **colors, **base.variables}
    # The theme's own value comes first: the generated one is rounded.
    roles = {
        role: Color.parse(getattr(base, variable, None) or variables[variable])
        for role, variable in ROLES.items()
    }
    roles |= {role: Color.parse(color) for role, color in chosen.items()}
    for role in _IN_DIALOGS:
        for ground in GROUNDS:
            roles[role] = readable(roles[role], roles[ground])
    for role, ground in _FILLS.items():
        roles[role] = readable(roles[role], roles[ground])
    by_role = {role: color.hex6 for role, color in roles.items()}
    return _theme(
        name,
        dark=roles["ground"].brightness < 0.5,  # noqa: PLR2004
        cursor=(by_role.pop("cursor-text"), by_role.pop("cursor")),
        mark=(by_role.pop("mark-text"), by_role.pop("mark")),
        hand=(by_role.pop("hand-text"), by_role.pop("hand")),
        place=by_role.pop("on-accent"),
        blocked=by_role.pop("on-bad"),
        more={},
        **by_role,
    )


def variable_defaults(colors: dict[str, str]) -> dict[str, str]:
    """Values of our own variables for a theme that does not define them, from its colours."""
    text, ground, panel = (colors[name] for name in ("foreground", "background", "panel"))
    line = quiet = refused = text
    if not ground.startswith("ansi"):
        line = Color.parse(ground).blend(Color.parse(text), 0.3).css
        quiet, refused = (
            readable(Color.parse(colors[name]), Color.parse(panel)).css
            for name in ("foreground-muted", "error")
        )
    return {
        "raised": panel,
        "line": line,
        "strong": text,
        "quiet": quiet,
        "text-disabled": quiet,
        "news": colors["secondary"],
        "refused": refused,
        **_pairs(
            cursor=(text, colors["primary-muted"]),
            mark=(text, colors["warning-muted"]),
            hand=(ground, colors["warning"]),
            place=(ground, colors["primary"]),
            blocked=(ground, colors["error"]),
        ),
    }


def contrast(color: Color, ground: Color) -> float:
    """The contrast ratio of a text colour with its background, as WCAG 2 defines it."""
    luminances = []
    for shade in (color, ground):
        # sRGB is linear near black; above that it follows a power law.
        shares = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004
            for part in shade.normalized
        ]
        luminances.append(0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2])
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)


def readable(color: Color, ground: Color) -> Color:
    """The colour, made lighter or darker as far as needed to be read on a background."""
    if color.ansi is not None or ground.ansi is not None:
        return color
    color = ground + color
    ends = (Color(255, 255, 255), Color(0, 0, 0))
    end = max(ends, key=lambda extreme: contrast(extreme, ground))
    steps = (color.blend(end, step / 10) for step in range(10))
    return next((step for step in steps if contrast(step, ground) >= READABLE), end)


class Paint(NamedTuple):
    """The style of a role: variables for its colour and background, and text attributes.

    Without a background it has that of where it is drawn. With `stands_out` it is bold where its
    colour cannot be seen.
    """

    color: str
    ground: str = ""
    bold: bool = False
    stands_out: bool = False
    traits: tuple[str, ...] = ()


GROUNDS = {"ground": "background", "card": "surface", "bar": "panel", "raised": "raised"}
"""The backgrounds that roles are drawn on, and their variables."""
_BEHIND = GROUNDS | {"cursor": "cursor-ground"}
"""The same, and the one that squares of labels are drawn on as well."""

PAINTS = {
    "text": Paint("foreground"),
    "strong": Paint("strong", bold=True),
    "quiet": Paint("quiet"),
    "line": Paint("line"),
    "accent": Paint("primary", bold=True),
    "key": Paint("primary", bold=True),
    "today": Paint("primary", bold=True, traits=("underline",)),
    "bad": Paint("error", bold=True),
    "alert": Paint("error"),
    "warn": Paint("warning", stands_out=True),
    "good": Paint("success"),
    "news": Paint("news", bold=True),
    "cursor": Paint("cursor-text", "cursor-ground", bold=True),
    "cursor-plain": Paint("cursor-text", "cursor-ground"),
    "mark": Paint("mark-text", "mark-ground"),
    "hand": Paint("hand-text", "hand-ground", bold=True),
    "place": Paint("place-text", "place-ground", bold=True),
    "blocked": Paint("blocked-text", "blocked-ground", bold=True),
    "text-emphasis": Paint("foreground", traits=("italic",)),
    "text-struck": Paint("quiet", traits=("strike",)),
    "text-code": Paint("warning", stands_out=True),
    "text-link": Paint("primary", traits=("underline",)),
    "text-quote": Paint("quiet", traits=("italic",)),
}
"""The styles of text spans on cards, columns and bars, by role.

They are not in a stylesheet because a board has dozens of them: component classes are matched for
every widget at every start, which took longer than drawing the board.
"""


def style_of(role: str, variables: Mapping[str, str], ground: str = "ground") -> Style:
    """The style of a role in a theme, on a background of `GROUNDS`.

    A role that starts with `#` is the colour of a label. A role such as `quiet/card` names its own
    background, which may be such a colour as well.
    """
    role, _, own = role.partition("/")
    paint = Paint(role) if role.startswith("#") else PAINTS[role]
    behind = own if own.startswith("#") else variables[paint.ground or _BEHIND[own or ground]]
    on = _parsed(variables.get(f"{paint.color}-ground", behind))
    if on.is_transparent:  # as surfaces are in Textual's themes of ANSI colours
        on = _parsed(variables["background"])
    color = _parsed(role if role.startswith("#") else variables[paint.color])
    if paint.color != "line" and not role.startswith("#"):
        color = readable(color, on)
    return Style(
        color=color.rich_color,
        bgcolor=on.rich_color,
        bold=paint.bold or (paint.stands_out and "colors" in variables),
        italic="italic" in paint.traits,
        underline="underline" in paint.traits,
        strike="strike" in paint.traits,
    )


def is_filled(role: str, variables: Mapping[str, str]) -> bool:
    """Whether a theme fills the background of a role that has none in other themes."""
    paint = PAINTS.get(role.partition("/")[0])
    return paint is not None and not paint.ground and f"{paint.color}-ground" in variables


@lru_cache(maxsize=4096)
def in_sixteen(color: RichColor) -> RichColor:
    """The colour of the terminal's sixteen that is called the same, such as red for any red.

    The nearest one by distance would be a grey for most colours of labels.
    """
    if color.type in (ColorType.DEFAULT, ColorType.STANDARD):
        return color
    hue, saturation, lightness = Color.from_rich_color(color).hsl
    steps, value = (_GREYS, lightness) if saturation < _GREY else (_HUES, hue)
    return RichColor.from_ansi(next(number for end, number in steps if value <= end))


def _parsed(color: str) -> Color:
    # A colour of the terminal cannot be mixed, so a percentage behind it is left out.
    return Color.parse(color.partition(" ")[0])


def _stylesheets() -> tuple[Path, ...]:
    # In the installed package, or beside it in a checkout. The order counts where rules of two of
    # them are equally specific.
    inside = Path(__file__).parent / "styles"
    folder = inside if inside.is_dir() else inside.parent.parent / "styles"
    names = ("app", "board", "lists", "task", "thread", "dialogs", "edit", "picture")
    return tuple(folder / f"{name}.tcss" for name in names)


STYLESHEETS = _stylesheets()
"""All files of `styles/`."""
