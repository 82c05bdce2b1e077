"""Markdown as HTML.

Typed line breaks and safe HTML are kept, and web and mail addresses become links. No text is lost,
whatever its depth or length.
"""

import html
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from tui.record import record
from tui.text import clean
from tui.text.html import tree as html_tree, writing as html_writing
from tui.text.html.inline import safe_address
from tui.text.html.task_items import dress_boxes

LIMIT = 3 * html_tree.LIMIT
"""How many characters are parsed as Markdown; the rest is plain text."""

_DEEPEST = 100
_MOST_BRACKETS = 5_000
_BRACKET = re.compile(r"(?<!\\)\[")
# A comment, or the beginning of something else that may be an unknown element. A comment that
# never ends is read up to the next one only, or a row of them would take quadratic time.
_NOT_KEPT = re.compile(
    r"(?P<comment><!--(?!-?>)(?:[^<-]++|-(?!->)|<(?!!--))*+-->)"
    r"|<(?:[!?]|/?(?P<tag>[a-zA-Z][^\s/<>]*))"
)
_TAGS = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")


@record
class MarkdownSection:
    """A block of Markdown as typed, without trailing blanks, and its HTML."""

    text: str
    html: str
    is_whole: bool
    """Whether typed HTML ends in the block in which it begins."""

    @property
    def is_note(self) -> bool:
        """Whether it is only a comment, which is not shown."""
        return self.text.startswith("<!--") and self.text.find("-->") == len(self.text) - 3


def sections(markdown: str) -> list[MarkdownSection]:
    """The top-level blocks of a text."""
    markdown = clean.text(markdown).replace("\r", "\n")
    read, excess = _within_limit(markdown)
    lines = read.split("\n")
    parser = _parser()
    environment: dict[str, object] = {}
    result: list[MarkdownSection] = []
    for tokens in _blocks(parser.parse(read, environment)):
        begins, ends = tokens[0].map or (0, len(lines))
        text = "\n".join(lines[begins:ends]).rstrip()
        # The parser drops what is nested deeper, so that such a block is kept as typed.
        if any(token.level >= _DEEPEST - 1 for token in tokens):
            result.append(MarkdownSection(text, _as_it_is(text), is_whole=True))
            continue
        source = parser.renderer.render(tokens, parser.options, environment)
        result.append(MarkdownSection(text, source, is_whole=_is_whole(tokens)))
    if excess.strip():
        result.append(MarkdownSection(excess, _as_it_is(excess), is_whole=True))
    return result


def rendered(blocks: Iterable[MarkdownSection], *, like: str = "") -> str:
    """The safe HTML of blocks.

    Checkboxes are written as in the HTML `like`.
    """
    source = "".join(section.html for section in blocks)
    if not source:  # nearly always, where the kept blocks of a long text follow each other
        return ""
    root = html_tree.parse(source, limit=len(source))
    dress_boxes(root, like)
    return html_writing.written(root).strip()


def _within_limit(markdown: str) -> tuple[str, str]:
    if len(markdown) <= LIMIT:
        return markdown, ""
    end = markdown.rfind("\n", 0, LIMIT) + 1
    return markdown[:end], markdown[end:]


def _blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []


def _as_it_is(text: str) -> str:
    return f"<pre>{html.escape(text, quote=False)}</pre>"


def _is_whole(tokens: list[Token]) -> bool:
    depth: dict[str, int] = {}
    for token in tokens:
        if token.type == "html_block":
            for end, tag in _TAGS.findall(token.content):
                depth[tag.lower()] = depth.get(tag.lower(), 0) + (-1 if end else 1)
    return not any(count for tag, count in depth.items() if tag not in html_tree.VOID)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"breaks": True, "xhtmlOut": False, "maxNesting": _DEEPEST})
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.before("inline", "many_brackets", _few_brackets)
    parser.core.ruler.push("known_tags", _known_tags)
    # Addresses stay as typed: encoded anew they would change with every edit.
    vars(parser).update(validateLink=_is_link, normalizeLink=_link, normalizeLinkText=str)
    return parser


def _few_brackets(state: StateCore) -> None:
    # Searching for links among very many brackets takes long.
    for token in state.tokens:
        if token.type == "inline" and len(_BRACKET.findall(token.content)) > _MOST_BRACKETS:
            token.content = _BRACKET.sub(r"\\[", token.content)


def _known_tags(state: StateCore) -> None:
    # Unknown tags, as in `Vec<String>`, and scripts become text.
    for token in chain.from_iterable([token, *(token.children or ())] for token in state.tokens):
        if token.type in ("html_block", "html_inline"):
            token.content = _NOT_KEPT.sub(_escaped_tag, token.content)


def _escaped_tag(match: re.Match[str]) -> str:
    is_kept = match["comment"] or (match["tag"] or "").lower() in html_writing.WRITTEN
    return match[0] if is_kept else html.escape(match[0])


def _is_link(url: str) -> bool:
    return safe_address(url) is not None


def _link(url: str) -> str:
    return safe_address(url) or url
