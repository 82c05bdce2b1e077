"""What the service said in a reply, put into the cache.

The rule it keeps: a reply tells of single things, and the cache keeps boards with their stages and
labels in one document, so news of these is put into their place in it. What does not belong to a
board's view (comments, groups, values) is kept elsewhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tui.store.cache.file import Cache
from tui.store.cache.task_lists import relabel
from tui.store.operations.base import News
from tui.store.remote import Document

_LISTED = {"stage": "stages", "label": "labels"}
_TOLD_OF_BOARDS = ("id", "title", "description", "archived_at", "type", "settings", "created_at")


@dataclass(slots=True)
class Told:
    """What came of news: whole tasks, tasks that are gone, and the board if that changed."""

    tasks: list[Document] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    frame: Document | None = None
    list_changed: bool = False


def keep_news(cache: Cache, board_id: int, news: Iterable[News]) -> Told:
    """Write news of tasks, stages, labels and boards to the cache; runs on the disk's thread."""
    told = Told()
    for one in news:
        if one.kind == "task":
            _keep_task(cache, board_id, one, told)
        elif one.kind == "board":
            _keep_board(cache, one, told)
        elif one.kind in _LISTED:
            _keep_listed(cache, board_id, one, told)
    return told


def _keep_task(cache: Cache, board_id: int, news: News, told: Told) -> None:
    if news.document is None:
        cache.forget_task(news.id)
        told.gone.append(news.id)
    else:
        told.tasks.append(cache.merge_task({"board_id": board_id, **news.document}))


def _keep_board(cache: Cache, news: News, told: Told) -> None:
    """A reply about a board may lack what its list and its page have, so it only adds to them."""
    told.list_changed = True
    if news.document is None:
        cache.forget_board(news.id)
        return
    said = {name: news.document[name] for name in _TOLD_OF_BOARDS if name in news.document}
    cache.put_board_summary({**said, "id": news.id})
    known = cache.board(news.id)
    if known is not None:
        frame = {**known, **news.document, "id": news.id}
        cache.put_board(frame)
        told.frame = frame


def _keep_listed(cache: Cache, board_id: int, news: News, told: Told) -> None:
    """Keep the board with a stage or a label as it is now, or without it."""
    board = cache.board(board_id)
    if board is None:
        return
    name = _LISTED[news.kind]
    listed: list[Document] = board.get(name) or []
    others = [one for one in listed if one.get("id") != news.id]
    if news.document is not None:
        known = next((one for one in listed if one.get("id") == news.id), {})
        others.append({**known, **news.document, "id": news.id})
    told.frame = {**board, name: others}
    cache.put_board(told.frame)
    if name == "labels":
        relabel(cache, board_id, listed, others)
