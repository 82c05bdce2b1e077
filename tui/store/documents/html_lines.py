"""Splits HTML into the lines that a person sees.

Joining the pieces gives back the text unchanged.
"""

import re

from tui.text.clean import text, unescaped

# Look-behinds, so that splitting keeps the tags; `re` needs each of one width, hence the variants.
_LINE_ENDS = re.compile(
    r"(?i)(?<=\n)|(?<=</p>)|(?<=</li>)|(?<=</h[1-6]>)|(?<=</ul>)|(?<=</ol>)|(?<=</div>)|(?<=</pre>)"
    r"|(?<=</tr>)|(?<=</table>)|(?<=</blockquote>)|(?<=<br>)|(?<=<br/>)|(?<=<br />)|(?<=<hr>)"
    r"|(?<=<hr/>)|(?<=<ul>)|(?<=<ol>)"
)
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")


def lines_of(source: str) -> list[str]:
    """Pieces of HTML, each ending with a block, a line break or a newline."""
    return [piece for piece in _LINE_ENDS.split(source) if piece]


def words_of(source: str) -> str:
    """The clean text of HTML without tags, one line for each piece that has any."""
    pieces = (unescaped(_TAG.sub("", piece)) for piece in lines_of(source))
    words = (" ".join(text(piece).split()) for piece in pieces)
    return "\n".join(filter(None, words))
