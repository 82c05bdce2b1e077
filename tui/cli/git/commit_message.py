"""The message of a commit, to which the hook adds the card of the branch as a trailer.

git runs a commit-msg hook once the editor is closed. The file still holds the comments and the diff
that git drops afterwards, and git makes no commit if nothing is left then. So a message without a
word, or with those of a template alone, stays as it is.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tui.cli.git import repository
from tui.config.paths import write_file
from tui.errors import CallboardError, reason_of

_CUT = b" ------------------------ >8 ------------------------"
"""What git writes behind the comment sign, above the diff."""
_SIGNS = b"#;@!$%^&|:"
"""What `core.commentChar = auto` chooses from."""
_NO_SIGN = b"\x01"
"""A comment sign that no line begins with."""
_SIGNED_OFF = b"Signed-off-by: "
_FOR_REBASE = (b"fixup! ", b"squash! ", b"amend! ")
"""The beginnings of messages that a later rebase drops, or merges into others."""
_KEEPING_COMMENTS = ("whitespace", "verbatim", "scissors")
"""The values of `commit.cleanup` with which lines that begin with the sign stay."""


def add_trailer(path: Path, trailer: str) -> None:
    """Add a trailer to the message in a file, unless git makes no commit of it, or it has one.

    Merges and picked commits keep the messages that they have. Raises `CallboardError`.
    """
    if repository.begun("MERGE_HEAD", "CHERRY_PICK_HEAD"):
        return
    try:
        text, mode = path.read_bytes(), path.stat().st_mode
    except OSError as error:
        raise CallboardError(f"{path} cannot be read: {reason_of(error)}.") from error
    message = _Message.read(text.split(b"\n"))
    if not message.is_written() or message.is_for_rebase():
        return
    try:
        write_file(path, message.with_trailer(trailer), mode=mode & 0o777)
    except OSError as error:
        raise CallboardError(f"{path} cannot be written: {reason_of(error)}.") from error


class _Message(NamedTuple):
    """The lines of a message, and those from the cut line on.

    `sign` begins comments; with `keeps_comments` git leaves them in the message.
    """

    lines: Sequence[bytes]
    below: Sequence[bytes]
    sign: bytes
    is_edited: bool
    keeps_comments: bool

    @classmethod
    def read(cls, lines: Sequence[bytes]) -> "_Message":
        sign = _comment_sign(lines)
        # Without an editor git sets this, and people do so to skip it. Then there are the comments
        # that git writes for the editor, of which some are the sign alone.
        is_edited = os.environ.get("GIT_EDITOR") != ":" or sign in lines
        cut = sign + _CUT
        end = lines.index(cut) if is_edited and cut in lines else len(lines)
        cleanup = repository.setting("commit.cleanup")
        keeps_comments = cleanup in _KEEPING_COMMENTS or (not is_edited and cleanup != "strip")
        return cls(lines[:end], lines[end:], sign, is_edited, keeps_comments)

    def is_written(self) -> bool:
        """Whether anybody wrote something, apart from a template."""
        words = self._words_of(self.lines)
        template = repository.path_setting("commit.template") if self.is_edited else ""
        if template:
            try:
                prefilled = self._words_of(Path(template).read_bytes().split(b"\n"))
            except OSError:
                prefilled = []
            words = words[len(prefilled) :] if words[: len(prefilled)] == prefilled else words
        return not all(line.startswith(_SIGNED_OFF) for line in words)

    def _words_of(self, lines: Sequence[bytes]) -> list[bytes]:
        # In an editor git's own comments are no words, even if they are to be kept.
        are_words = self.keeps_comments and not self.is_edited
        return [
            line.rstrip()
            for line in lines
            if line.strip() and (are_words or not line.startswith(self.sign))
        ]

    def is_for_rebase(self) -> bool:
        return self.lines[self._title()].startswith(_FOR_REBASE)

    def _title(self) -> int:
        # git takes the lines above the first blank one for the title, comments apart, and what
        # follows for trailers if it looks like them, as “fix: it” does.
        return next(
            number
            for number, line in enumerate(self.lines)
            if line.strip() and (self.keeps_comments or not line.startswith(self.sign))
        )

    def with_trailer(self, trailer: str) -> bytes:
        """The whole text, with the trailer as the last line of the message."""
        title = self._title()
        message = b"\n".join(self.lines[title:])
        # git skips comments when it looks for trailers; comments that are kept are ordinary lines.
        sign = _NO_SIGN if self.keeps_comments else self.sign
        options = ("--where", "end", "--if-exists", "doNothing", "--if-missing", "add")
        written = repository.filtered(
            message if message.endswith(b"\n") else message + b"\n",
            # Without --no-divider a line of dashes would end the message, as in a patch.
            *("-c", f"core.commentChar={sign.decode()}", "interpret-trailers", "--no-divider"),
            *(*options, "--trailer", trailer),
        )
        above = b"".join(line + b"\n" for line in self.lines[:title])
        return above + written + b"\n".join(self.below)


def _comment_sign(lines: Sequence[bytes]) -> bytes:
    sign = repository.last_setting(r"core\.comment(char|string)").encode() or b"#"
    if sign != b"auto":
        return sign
    # The comments that git adds for the editor are the last lines.
    last = next((line for line in reversed(lines) if line.strip()), b"")
    return last[:1] if last[:1] in [*map(bytes, zip(_SIGNS))] else b"#"
