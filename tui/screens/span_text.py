"""How the kinds of spans of a text are shown where they are content, not painted lines.

The rule it keeps: every kind has a look of its own.
"""

from tui.text.spans import Kind

STYLES = {
    Kind.PLAIN: "",
    Kind.STRONG: "bold",
    Kind.EMPHASIS: "italic",
    Kind.STRUCK: "strike",
    Kind.CODE: "$accent",
    Kind.HEADING: "bold $primary",
    Kind.LINK: "underline $primary",
    Kind.QUOTE: "$foreground-muted italic",
    Kind.SIGN: "$foreground-muted",
}
