"""Escaping of characters that Markdown would interpret."""

import re

_WITHIN = re.compile(
    r"[\\`*\[\]<]"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
    r"|(?<![^~])~|~(?![^~])"
    r"|!$"
    r"|&(?=#?\w+;)"
)
_AT_START = re.compile(
    r"(?P<sign>[-+](?=[ \t]|$)|#(?=#{0,5}(?:[ \t]|$))|>|[-:|=](?=[-:|= \t]*$))"
    r"|(?P<number>\d{1,9})(?=[.)](?:[ \t]|$))"
)
_LAST_HASHES = re.compile(r"#+$")
_BACKTICKS = re.compile("`+")
_IN_ADDRESS = re.compile(r"\\|&(?=#?\w+;)")
_NEEDS_BRACKETS = re.compile(r"[()\s<>]")


def escaped(text: str) -> str:
    """Text within a line."""
    return _WITHIN.sub(r"\\\g<0>", text)


def escaped_start(line: str) -> str:
    """A line that is no list, heading, quote or table."""
    match = _AT_START.match(line)
    if match is None:
        return line
    at = match.end() if match["number"] else 0
    return f"{line[:at]}\\{line[at:]}"


def escaped_heading(line: str) -> str:
    """The text of a heading, whose trailing signs are not taken for its end."""
    return _LAST_HASHES.sub(lambda match: "\\#" * len(match[0]), line)


def fenced(code: str, least: int) -> str:
    """The fence of backticks for a code block."""
    return "`" * max(least, 1 + max(map(len, _BACKTICKS.findall(code)), default=0))


def code_span(code: str) -> str:
    """Code within a line."""
    fence = fenced(code, 1)
    pad = " " if code[0] in "` " or code[-1] in "` " else ""
    return f"{fence}{pad}{code}{pad}{fence}"


def address(url: str) -> str:
    """The target of a link."""
    url = _IN_ADDRESS.sub(r"\\\g<0>", url)
    if _NEEDS_BRACKETS.search(url):
        return "<" + url.replace("<", "\\<").replace(">", "\\>") + ">"
    return url


def titled(title: str) -> str:
    """The title of a link, after its target."""
    if not title:
        return ""
    inner = re.sub(r'["\\]|&(?=#?\w+;)', r"\\\g<0>", title)
    return f' "{inner}"'
