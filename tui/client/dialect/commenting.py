"""Writing, changing and deleting comments where editions want other bodies and other paths.

Nothing is sent a second time unless the answer to the first says that nothing was written, or what
was written has been deleted again. What worked is remembered and is the first the next time.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from tui.client.capabilities import CommentPath, NoParent
from tui.client.dialect.memory import Memory
from tui.client.errors import NotOffered, Refused, ServerFault
from tui.client.records import CommentRecord
from tui.client.resources.comments import Comments
from tui.client.resources.listing import Page

_VALUES: dict[NoParent, str | None] = {NoParent.EMPTY: "", NoParent.NULL: None}


class Commenting:
    """The person's own comments and replies (4.4)."""

    def __init__(self, comments: Comments, memory: Memory) -> None:
        self._comments = comments
        self._memory = memory

    async def create(
        self,
        board_id: int,
        task_id: int,
        text: str = "",
        *,
        parent_id: int | None = None,
        images: Sequence[int] = (),
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Add a comment or, with `parent_id`, a reply, so that it will be listed.

        Raises `Refused`, also where the service wants to know who writes and that is not known;
        `ServerFault` where it stores the comment but does not list it; `NotThere`, `NotAllowed`.
        """

        async def send() -> CommentRecord:
            author = self._author() if self._memory.capabilities.names_author else None
            if parent_id is not None:
                return await self._comments.reply(
                    board_id, task_id, parent_id, text,
                    images=images, mentions=mentions, comment_by=author,
                )  # fmt: skip
            value = _VALUES[self._memory.capabilities.no_parent or NoParent.EMPTY]
            return await self._comments.create(
                board_id, task_id, text,
                images=images, mentions=mentions, comment_by=author, more={"parent_id": value},
            )  # fmt: skip

        comment = await self._sent_as_wanted(send)
        if parent_id is not None or not await self._is_hidden(comment, board_id, task_id):
            return comment
        used = self._memory.capabilities.no_parent or NoParent.EMPTY
        other = next(way for way in NoParent if way is not used)
        self._memory.learn(replace(self._memory.capabilities, no_parent=other))
        if images:
            raise _not_listed(comment)
        await self.delete(board_id, comment.id, is_reply=False)
        comment = await self._sent_as_wanted(send)
        if await self._is_hidden(comment, board_id, task_id):
            raise _not_listed(comment)
        return comment

    async def update(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str = "",
        *,
        images: Sequence[int] | None = None,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Change a comment, at the path that the service has; None leaves the images.

        Raises `NotAllowed` for somebody else's comment, `Refused`, `NotThere`.
        """
        comments = self._comments
        ways: dict[CommentPath, Callable[..., Awaitable[CommentRecord]]] = {
            CommentPath.LONG: partial(comments.update, board_id, task_id, comment_id),
            CommentPath.SHORT: partial(comments.update_short, board_id, comment_id),
            CommentPath.OWN: partial(comments.update_own, board_id, comment_id),
        }
        known = self._memory.capabilities.comment_path
        refusal: NotOffered | None = None
        for path in sorted(ways, key=lambda path: path is not known):
            try:
                comment = await ways[path](text, images=images, mentions=mentions)
            except NotOffered as error:
                refusal = refusal or error
                continue
            self._learn_path(path)
            return comment
        raise refusal or NotOffered("This service cannot change comments.")

    async def delete(self, board_id: int, comment_id: int, *, is_reply: bool) -> None:
        """Delete a comment or a reply, at the path that the service has.

        Raises `NotAllowed`, `NotThere`.
        """
        comments = self._comments
        own = comments.delete_reply if is_reply else comments.delete_own
        is_own = self._memory.capabilities.comment_path is CommentPath.OWN
        first, second = (own, comments.delete) if is_own else (comments.delete, own)
        try:
            await first(board_id, comment_id)
        except NotOffered:
            await second(board_id, comment_id)
            if second == own:
                self._learn_path(CommentPath.OWN)

    async def is_listed(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> bool:
        """Whether a comment, or a reply to `parent_id`, is among those that the service lists.

        Pages come latest first, so once the ids are lower than the one looked for, the rest need
        not be read; where a service has them in another order, all are. Raises `NotThere`.
        """
        pages = self._comments.pages(board_id, task_id)
        return await _is_among(pages, comment_id, parent_id or comment_id)

    async def _sent_as_wanted(self, send: Callable[[], Awaitable[CommentRecord]]) -> CommentRecord:
        """Send a comment, again where the refusal says what it has to hold besides."""
        while True:
            try:
                comment = await send()
            except Refused as error:
                if not self._learn_wanted(error):
                    raise
                continue
            return comment

    def _learn_wanted(self, refusal: Refused) -> bool:
        """Whether a refusal, before which nothing was written, names what has not been sent yet.

        An edition that wants the author wants null for no parent, too.
        """
        known = self._memory.capabilities
        if refusal.may_have_happened or known.is_trusted:
            return False
        said = f"{' '.join(refusal.params)} {refusal.message}"
        if "comment_by" in said and not known.names_author:
            parent = known.no_parent or NoParent.NULL
            self._memory.learn(replace(known, names_author=True, no_parent=parent))
            return True
        if "parent_id" in said and known.no_parent is not NoParent.NULL:
            self._memory.learn(replace(known, no_parent=NoParent.NULL))
            return True
        return False

    async def _is_hidden(self, comment: CommentRecord, board_id: int, task_id: int) -> bool:
        """Whether a new comment will never be listed; its reply gives a reason to look."""
        if comment.answers_nothing:
            return not await self.is_listed(board_id, task_id, comment.id)
        known = self._memory.capabilities
        if known.no_parent is None:
            self._memory.learn(replace(known, no_parent=NoParent.EMPTY))
        return False

    def _author(self) -> int:
        user_id = self._memory.capabilities.user_id
        if user_id is None:
            raise Refused(
                "This service wants to be told who writes, and who you are there is not known.",
                hint="Log in again to find out; nothing was sent.",
            )
        return user_id

    def _learn_path(self, path: CommentPath) -> None:
        self._memory.learn(replace(self._memory.capabilities, comment_path=path))


def _not_listed(comment: CommentRecord) -> ServerFault:
    return ServerFault(
        "The service stored the comment where nobody will see it.",
        hint="Send it once more: it will be written in another way.",
        details=f"comment {comment.id}: stored as the answer to nothing, and not listed",
    )


async def _is_among(
    pages: AsyncIterator[Page[CommentRecord]], comment_id: int, listed_id: int
) -> bool:
    """Whether a comment is on the pages; `listed_id` is its own or that of the one it answers."""
    lowest: int | None = None
    is_falling = True
    async for page in pages:
        for comment in page.records:
            if comment_id in {comment.id, *(reply.id for reply in comment.replies)}:
                return True
            is_falling = is_falling and (lowest is None or comment.id < lowest)
            lowest = comment.id
        if is_falling and lowest is not None and lowest < listed_id:
            return False
    return False
