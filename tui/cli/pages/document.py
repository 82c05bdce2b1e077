"""A page as a whole: its policy, its style sheet for light, dark and paper, and its content."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

from textual.color import Color
from textual.theme import Theme

from tui.cli.pages.markup import Markup, element, joined
from tui.model.colors import drawable, text_color
from tui.theme import DARK, LIGHT, ROLES, readable

_SHOWN = (
    *("ground", "card", "bar", "line", "text", "strong", "quiet", "accent", "warn"),
    *("bad", "on-bad"),
)
_SHEET = """
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:120rem;background:var(--ground);color:var(--text);
font:1rem/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
header{border-bottom:1px solid var(--line);margin-bottom:1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
h3{font-size:1rem;margin:1rem 0 .25rem}h4{font-size:1rem;margin:.75rem 0 .25rem}
h1,h2,h3,h4{color:var(--strong);line-height:1.25}
p{margin:.25rem 0}ul,ol{margin:.25rem 0;padding-left:1.25rem}a{color:var(--accent)}
.quiet,.count,footer{color:var(--quiet)}.count,.number{font-weight:normal}
.bad{color:var(--bad);font-weight:bold}.warn{color:var(--warn)}
.blocked{background:var(--bad);color:var(--on-bad);font-weight:bold;border-radius:.25rem;
padding:0 .35rem;white-space:nowrap}.holding{color:var(--strong);font-weight:bold}
.stages{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(14rem,100%),1fr))}
.stages>section>h2{margin-top:0;border-bottom:1px solid var(--line)}
.cards{list-style:none;padding:0}
.cards>li{background:var(--card);border:1px solid var(--line);border-radius:.25rem;
margin:.5rem 0;padding:.5rem .75rem}
.cards h3{margin:0}.done h3,.subtasks .done{color:var(--quiet)}
.labels,.fields{list-style:none;padding:0;margin:.25rem 0;display:flex;flex-wrap:wrap;gap:.25rem}
.label{border:1px solid var(--line);border-radius:.25rem;padding:0 .4rem;font-size:.875rem}
.fields{gap:0 1rem;font-size:.875rem}.fields div{display:flex;flex-wrap:wrap;
gap:0 .35rem;max-width:100%}dt{color:var(--quiet);overflow-wrap:break-word;max-width:100%}
dd{margin:0}
.text{border-left:2px solid var(--line);padding-left:.6rem;margin:.4rem 0;font-size:.9375rem}
.as-typed,pre{white-space:pre-wrap}pre,code{font-family:ui-monospace,monospace}
.subtasks{list-style:none;padding:0;font-size:.9375rem}
.figures{display:grid;gap:.5rem;grid-template-columns:repeat(auto-fit,minmax(min(12rem,100%),1fr))}
.figures div{background:var(--card);border:1px solid var(--line);padding:.5rem .75rem}
.figures strong{font-size:1.4rem;color:var(--strong);margin-right:.4rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9375rem}
th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid var(--line);
overflow-wrap:normal}
th:first-child{text-align:left;min-width:7rem}th{color:var(--quiet);font-weight:normal}
tbody th{color:var(--text)}svg{display:block;width:100%;height:auto;background:var(--card)}
.rows{width:100%}.rows th,.rows td{text-align:left;vertical-align:top}
.rows th:first-child{min-width:14rem}
.bar{width:10rem;height:.8rem;background:none;color:var(--accent);vertical-align:middle}
.key svg{display:inline-block;width:.8rem;height:.8rem;vertical-align:-.05rem}
footer{border-top:1px solid var(--line);margin-top:1.5rem;font-size:.875rem}
"""
_ON_PAPER = """@page{margin:15mm}body{padding:0;max-width:none;font-size:.8rem}
.stages{display:block}.cards>li,.figures div,tr{break-inside:avoid}h2,h3{break-after:avoid}
.wide{overflow:visible}*{print-color-adjust:exact}"""


def document(title: str, said: Iterable[str], *content: str, colors: Iterable[str] = ()) -> str:
    """A page with a heading, lines below it, and its content, which has labels of these colours."""
    sheet = _style_sheet(colors)
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    # The digest of the style sheet allows it alone: neither other styles nor attributes.
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", Markup(sheet)),
    )
    lines = [element("p", line, class_="quiet") for line in said if line]
    header = element("header", element("h1", title, dir="auto"), *lines)
    body = element("body", header, element("main", *content))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def label(title: str, color: str) -> Markup:
    """A label in its colour, which has to be among those of the page."""
    return element("li", title or color, class_=f"label {_class_of(color)}", dir="auto")


def swatch(color: str) -> Markup:
    """A square of a colour."""
    square = element("rect", width="10", height="10", fill=drawable(color))
    drawn = element("svg", square, viewBox="0 0 10 10", aria_hidden="true")
    return element("span", drawn, class_="key")


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], class_: str = "") -> Markup:
    """A table, in which the first cell of each row is its heading."""
    head = element("tr", *(element("th", name, scope="col") for name in heads))
    body = []
    for first, *cells in rows:
        named = element("th", first, scope="row", dir="auto")
        body.append(element("tr", named, *(element("td", cell) for cell in cells)))
    drawn = element("table", element("thead", head), element("tbody", *body), class_=class_)
    return element("div", drawn, class_="wide", tabindex="0")


def section(level: int, heading: str, *content: str) -> Markup:
    """A section with a heading of a level."""
    return element("section", element(f"h{level}", heading, dir="auto"), joined(*content))


def _style_sheet(colors: Iterable[str]) -> str:
    labels = "".join(
        f".{_class_of(color)}{{background:{drawable(color)};color:{_text_on(drawable(color))}}}"
        for color in dict.fromkeys(colors)
    )
    light, dark = _variables(LIGHT), _variables(DARK)
    # Paper has the light colours, whatever the screen has.
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"{_SHEET}{labels}@media print{{:root{{--ground:#ffffff}}{_ON_PAPER}}}"
    )


def _variables(theme: Theme) -> str:
    values = {role: ROLES[role] for role in _SHOWN}
    return "".join(
        f"--{role}:{theme.variables.get(name) or getattr(theme, name)};"
        for role, name in values.items()
    )


def _class_of(color: str) -> str:
    return f"c-{drawable(color)[1:].lower()}"


def _text_on(color: str) -> str:
    return readable(Color.parse(text_color(color)), Color.parse(color)).hex6
