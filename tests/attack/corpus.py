"""Patterns of text that take naive readers quadratic time, each of any size.

A pattern is mostly one unit repeated: unfinished beginnings, unbalanced ends, deep nesting.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, count, takewhile

Pattern = Callable[[int], str]
"""Makes a text of about so many characters."""


def repeated(unit: str, head: str = "", tail: str = "") -> Pattern:
    """The unit over and over, between a head and a tail."""
    return lambda size: head + unit * (max(0, size - len(head) - len(tail)) // len(unit)) + tail


def numbered(unit: Callable[[int], str], head: str = "", tail: str = "") -> Pattern:
    """Units that differ by their number, between a head and a tail."""

    def units(size: int) -> Iterator[str]:
        made = (unit(number) for number in count())
        total = accumulate(map(len, map(unit, count())))
        return (
            text for text, _ in zip(made, takewhile(lambda sum_: sum_ < size, total), strict=False)
        )

    return lambda size: head + "".join(units(size)) + tail


def both(first: Pattern, second: Pattern) -> Pattern:
    """Half of the size of each, one behind the other."""
    return lambda size: first(size // 2) + second(size // 2)


def _named(*units: str) -> dict[str, Pattern]:
    return {unit: repeated(unit) for unit in units}


CONTROLS: Mapping[str, Pattern] = {
    **_named(
        "\x90", "\x9d", "\x9da", "\x9d\x90\x98\x9e\x9f", "\x9b", "\x1b", "\x1b[", "\x1b]", "\x1bP"
    ),
    **_named("\x1bP\n", "\x1bX\x1b", "\r", "\r\n", "\0", "\u202e", "\u200d", "\xad", "\U000e0041"),
    **_named("\u0301", "\u6f22", "\U0001f1e6", "\U0001f469\u200d", "\ufdfa", "\u0130", "\ud800"),
    "parameters of a sequence": repeated("1;", "\x1b["),
    "a control string without end": repeated("a", "\x9d"),
}

WORDS: Mapping[str, Pattern] = {
    **_named("a", "word ", "\n", "\t", "9", "/a", '"', '"a', "'", ":a", "#a ", "- ", "1. ", "[ ] "),
    **_named(
        "@",
        "@ann",
        "@ann-",
        "@\u200b",
        "@\u200bann\u200c",
        "@\u200b" + "a" * 199,
        "a=b&",
        "%",
        "a[]=",
    ),
    **_named(
        "http://",
        "http://a",
        "https://a.b/) ",
        "mailto:",
        "select from ",
        "/x/x ",
        "<!--",
        "<script>",
    ),
    "blanks within": repeated(" ", "a", "a"),
    "dots behind an address": repeated(".", "http://a", " "),
    "brackets behind an address": repeated(")", "http://a"),
    "brackets in a name": repeated("[a]", "a"),
}

HTML: Mapping[str, Pattern] = {
    **_named(
        "<", "</", "<a", "<a ", '<a "', "<a '", "<a \"'", '<a b">"', '<a "b>', "<a b=", "<b a"
    ),
    **_named("<!", "<!--", "<!--a-", "<!-->", "<?", "<![CDATA[", "&", "&#", "&a", "&amp;", "&lt;b"),
    **_named(
        "<b>", "<b>a", "</b>", "<b></i>", "<b><i>", "<p>", "<div>", "<br>", "a<br>", "<br><br>a"
    ),
    **_named(
        "<p>a</p>\n",
        "x<p>y</p>",
        "<li>",
        "<ul><li>",
        "<ul><li>a</ul>",
        "<dl><dt>a<dd>b",
        "<details>",
    ),
    **_named(
        "<table>", "<tr><td>", "<td>", "<blockquote>a", "<pre>", "<h1>", "<hr>", "<font color=red>"
    ),
    **_named(
        "<script>", "<script></script", "<script></script ", "<title></a>", "<svg>", "<svg><p>"
    ),
    **_named("<img src=https://a.b>", "<a href=https://a.b>b</a>", '<span style="color:red">'),
    **_named(
        "<i>a</i><b>b</b>", "<code>`</code>", "<a href=http://a><p>", "<p data-a=b>", "<input>"
    ),
    "script without end": repeated("</script ", "<script>"),
    "digits of a reference": repeated("9", "&#", ";"),
    "letters of a reference": repeated("a", "&"),
    "attributes": numbered(lambda number: f" a{number}=b", "<p", ">"),
    "the same attribute": repeated("a=", "<p ", ">"),
    "blanks of an attribute": repeated(" ", "<p a", "=b>"),
    "blanks of attributes": repeated("a   ", "<p ", ">"),
    "styles": repeated("color:red;", '<p style="', '">a'),
    "blanks of a style": repeated(" ", '<span style="font-weight', '">a'),
    "languages of code": repeated("lang-", '<pre><code class="', '">a'),
    "codes of a block": repeated('<code class="language-a">a</code>', "<pre>", "</pre>"),
    "letters of an address": repeated("a", '<a href="https://', '">a</a>'),
    "data of a picture": repeated("A", '<img src="data:image/png;base64,', '!">'),
    "different tags": numbered("<b{}>".format),
    "different links": numbered("<a href=https://a.b/{}>b</a>".format),
    "different data": numbered("<span data-a{}=b>a".format),
    "rows": repeated("<tr><td>a</td></tr>", "<table>", "</table>"),
    "cells": repeated("<td>a</td>", "<table><tr>", "</table>"),
    "one wide row, many short": both(
        repeated("<td>", "<table><tr>", "</tr>"), repeated("<tr><td>a", tail="</table>")
    ),
    "blocks in a cell": repeated("<b><p>a</p></b>", "<table><tr><td>", "</table>"),
    "boxes": repeated("<li><input type=checkbox>a", "<ul>"),
    "typed boxes": repeated("<li>[ ] ", "<ul>"),
    "lists in a list": repeated("<ul><li>b</ul>", "<ul><li>a"),
    "lists in lists": repeated("<li><ul>"),
    "text in a list": repeated("a<b>b</b>", "<ul>"),
    "hashes of a heading": repeated("# ", "<h1>", "a</h1>"),
    "backticks of code": repeated("` ", "<code>", "</code>"),
}

MARKDOWN: Mapping[str, Pattern] = {
    **_named("*", "*a", "*a ", "*a*", "*a_b", "*a **a ", "a**b", "a**b c* ", "a***b_c__", "**x*"),
    **_named("_", "_a ", "a_ ", "~~", "~~a", "~~a~~~ ", "*_", "*_a ", "a*_ ", "~~b*a"),
    **_named(
        "[", "]", "[]", "[a", "[a](", "[a](b", "[a](<", "[a](b)", "![", "[![", "](", "[a\n", "\\["
    ),
    **_named("[a] ", "[a]: b\n", "[a]: b\n\n", "[a]: b (\n", "[a](b 't"),
    **_named(
        "`", "`a", "``a`", "` ", "```\n", "~~~a\n", "\\", "\\*", "&amp;", "!", "a\\\n", "a  \n"
    ),
    **_named(
        "<",
        "<!--",
        "<!--a-",
        "<b ",
        "<b a='",
        "<a@b.",
        "<http:",
        "a <!-- ",
        "<!-- ",
        "<!-- a -->\n\n",
        "a <!-- b -->",
    ),
    **_named("a <? ", "a <!A ", "a <![CDATA[ ", "a <b> ", "<div>\n\n", "a <x> ", "<x>"),
    **_named(
        "> ", ">", "> a\n", "- ", "- a\n", "- a\n\n", "1. ", "1. a\n", "- a\n* b\n", "> - ", "-\n"
    ),
    **_named("# ", "#", "a\n=\n", "a\n---\n", "***\n", "    a\n", "a\n", "a\n\n", "\t"),
    **_named("|", "|\n", "a|b\n", "a|\n-|\n", "|a", "\\|"),
    "brackets in brackets": repeated("[a]", "[" * 2_000),
    "many open brackets": repeated("a", "[" * 4_000),
    "brackets of an address": repeated("(", "[a]("),
    "blanks of a tag": repeated(" ", "<b a", "="),
    "parts of an e-mail address": repeated(".c", "<a@b", ">"),
    "address": repeated("b", "[a]: "),
    "title": repeated("t\n", "[a]: b '"),
    "references in use": both(numbered("[a{}]: b\n".format, tail="\n"), numbered("[a{}] ".format)),
    "backticks of each length": numbered(lambda number: "a" + "`" * number),
    "deeper and deeper": numbered(lambda number: "  " * number + "- a\n"),
    "lazy lines of quotes": repeated("a\n", ">" * 90),
    "lazy lines of lists": repeated("a\n", "- " * 90),
    "blanks at the end of a line": repeated(" ", "a", "\nb"),
    "signs of a heading": repeated("# ", "# ", "a"),
    "rows of a table": repeated("a|b\n", "a|b\n-|-\n"),
    "one wide row, many short rows": both(
        lambda size: "|a" * (size // 4) + "|\n" + "|-" * (size // 4) + "|\n", repeated("|\n")
    ),
}

JSON: Mapping[str, Pattern] = {
    **_named("[", "{", '{"a":', '"', "\ufeff", "\0", " "),
    "deep": repeated("[", '{"tasks":['),
    "deep elements": repeated("[" * 101 + "]" * 101 + ",", '{"tasks":[', "1]}"),
    "wide below deep": repeated("1,", '{"tasks":[' + "[" * 99, "1" + "]" * 99 + "]}"),
    "text": repeated("a", '{"tasks":["', '"]}'),
    "text without end": repeated("a", '{"tasks":["'),
    "escapes": repeated("\\u0041", '{"a":"', '"}'),
    "backslashes": repeated("\\", '{"a":"', '"}'),
    "halves of characters": repeated('"\\ud800",', '{"tasks":[', "1]}"),
    "halves within one text": repeated("\\ud800", '{"tasks":[{"a":"', '"}]}'),
    "numbers": repeated("1,", '{"tasks":[', "1]}"),
    "lists": repeated("[],", '{"tasks":[', "1]}"),
    "lists in one element": repeated("[],", '{"tasks":[[', "1]]}"),
    "objects": repeated("{},", '{"tasks":[', "1]}"),
    "element without end": repeated(',"a":1', '{"tasks":[{"a":1'),
    "digits": repeated("9", '{"tasks":[', "]}"),
    "digits behind a point": repeated("9", '{"tasks":[0.', "]}"),
    "exponent": repeated("9", '{"tasks":[1e', "]}"),
    "blanks": repeated(" ", '{"tasks":[1', ",1]}"),
    "blanks around each": repeated(" 1 , ", '{"tasks":[', "1]}"),
    "members": numbered(lambda number: f'"a{number}":1,', "{", '"b":1}'),
    "the same member": repeated('"a":1,', "{", '"b":1}'),
    "an object for a list": repeated('"1":1,"2":2,', '{"tasks":{', '"b":1}}'),
    "another list": repeated("[1],", '{"a":[', "1]}"),
    "long name": repeated("a", '{"tasks":[{"', '":1}]}'),
    "words that are no numbers": repeated("NaN,", '{"tasks":[', "1]}"),
    "commas": repeated(",", '{"tasks":[', "1]}"),
}

BOUNDARY = "B0undary"
_PART = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="'

UPLOADS: Mapping[str, Pattern] = {
    **_named("\r\n", "\r", "-", f"--{BOUNDARY}\r\n", f"--{BOUNDARY}\r\n\r\n"),
    "almost a boundary": repeated(f"\r\n--{BOUNDARY[:-1]}", f'{_PART}a"\r\n\r\n'),
    "line ends in a file": repeated("\r\n", f'{_PART}a"\r\n\r\n'),
    "parts": repeated(f'\r\n{_PART}a"\r\n\r\na', _PART),
    "headers": repeated("a: b\r\n", f'{_PART}a"\r\n'),
    "name of a file": repeated("\x1b]/", _PART, '"\r\n\r\na'),
    "name of a header": repeated("a", f"--{BOUNDARY}\r\n"),
    "chunks of a picture": repeated("\0\0\0\0IDAT\0\0\0\0", f'{_PART}a"\r\n\r\n\x89PNG\r\n\x1a\n'),
    "segments of a picture": repeated("\xff", f'{_PART}a"\r\n\r\n\xff\xd8\xff'),
}
"""Bodies of multipart forms, in Latin-1."""

_FTYP = "\0\0\0\x10ftypavif\0\0\0\0"
_META = "\0\0\0\0meta\0\0\0\0"
_SMALL = "\0\0\0\x08\0\0\0\x08"

PICTURES: Mapping[str, Pattern] = {
    "segments of a JPEG": repeated("\xff\xe0\0\2", "\xff\xd8"),
    "markers of a JPEG": repeated("\xff\xd0", "\xff\xd8"),
    "padding of a JPEG": repeated("\xff", "\xff\xd8"),
    "padded segments of a JPEG": repeated("\xff" * 5_000 + "\xe0\0\2", "\xff\xd8"),
    "chunks of a PNG": repeated(
        "\0\0\0\0tEXt\0\0\0\0", f"\x89PNG\r\n\x1a\n\0\0\0\rIHDR{_SMALL}\x08\2\0\0\0\0\0\0\0"
    ),
    "extensions of a GIF": repeated("!\xfe\1a\0", "GIF89a\x08\0\x08\0\0\0\0"),
    "head of a BMP": repeated("\x08\0\0\0", "BM"),
    "tags of a TIFF": repeated(
        "\0\1\3\0\1\0\0\0\x08\0\0\0\1\1\3\0\1\0\0\0\x08\0\0\0", "II*\0\x08\0\0\0\xff\xff"
    ),
    "a TIFF that begins anew": repeated("\0\0\0\x08", "MM\0*"),
    "chunks of a WebP": repeated("JUNK\0\0\0\0", "RIFF\xff\xff\xff\0WEBP"),
    "boxes of an AVIF": repeated("\0\0\0\x08free", _FTYP),
    "sizes of an AVIF": repeated("ispe", _FTYP + _META),
    "sizes in boxes of an AVIF": repeated(f"\0\0\0\x14ispe\0\0\0\0{_SMALL}", _FTYP + _META),
    "boxes in boxes of a HEIC": repeated("\0\0\xff\xffmeta", _FTYP.replace("avif", "heic") + _META),
    "brands of a HEIC": repeated("isom", "\0\xff\xff\xffftypisom"),
    "icons of an ICO": repeated("\0\0\0\0\0\0\0\0\0\0\0\0\xf6\xff\x0f\0", "\0\0\1\0\xff\xff"),
}
"""Files of each format of pictures that are taken, in Latin-1, with as many parts as they have room
for."""


def upload(content: str) -> str:
    """A multipart form with a file."""
    return f'{_PART}a"\r\n\r\n{content}\r\n--{BOUNDARY}--\r\n'
