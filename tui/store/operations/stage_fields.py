"""The settings of a stage that an `Edit` can set: status, assignees, template and colour.

Nobody is asked about a conflict here: the last one wins. Services require the title of the stage
with each of them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from tui.model.board import BoardView
from tui.model.colors import color_words, is_color
from tui.model.task import Status
from tui.store.documents.shapes import Document, ids_in, is_yes
from tui.store.operations.field import Field, Part, Target
from tui.store.remote import Remote
from tui.text.clean import quoted


def _setting(
    label: str,
    name: str,
    *,
    attribute: str,
    read: Callable[[object], str],
    spell: Callable[[Any], str],
    parse: Callable[[str], object],
    words: Callable[[str, str], str],
) -> Field:
    """A setting by its name in the interface and in the model.

    `parse` converts the text to the model value, which is also what is sent; `words` get the title
    of the stage and the text.
    """

    def send(remote: Remote, to: Target, truth: BoardView, value: str) -> Awaitable[Document]:
        sent = parse(value)
        setting = list(sent) if isinstance(sent, tuple) else sent
        return remote.set_stage_setting(to.board_id, to.id, _title(to, truth), name, setting)

    def read_setting(document: Document) -> str:
        settings = document.get("settings")
        return read(settings.get(name) if isinstance(settings, dict) else None)

    return Field(
        (Part(label, read_setting, lambda stage: spell(getattr(stage, attribute))),),
        draw=lambda stage, value: replace(stage, **{attribute: parse(value)}),
        send=send,
        words=lambda title, _, value: words(title, value),
        is_compared=False,
        check=parse,
    )


def _title(to: Target, truth: BoardView) -> str:
    stage = truth.stage(to.id)
    return to.name if stage is None else stage.title


def _spelt_ids(ids: tuple[int, ...]) -> str:
    return ",".join(map(str, sorted(ids)))


def _ids(value: str) -> tuple[int, ...]:
    return tuple(int(one) for one in value.split(",")) if value else ()


def _yes(value: str) -> bool:
    if value not in ("true", "false"):
        raise ValueError(value)
    return value == "true"


def _color(value: str) -> str:
    if value and not is_color(value):
        raise ValueError(value)
    return value


def _words_of_status(title: str, status: str) -> str:
    closes = "close" if status == Status.CLOSED else "not close"
    return f"Have the stage {quoted(title)} {closes} what is moved into it"


def _words_of_assignees(title: str, ids: str) -> str:
    verb = "Set" if ids else "Remove"
    return f"{verb} the default assignees of the stage {quoted(title)}"


def _words_of_template(title: str, value: str) -> str:
    what = "a template" if value == "true" else "an ordinary stage again"
    return f"Make the stage {quoted(title)} {what}"


def _words_of_color(title: str, color: str) -> str:
    if not color:
        return f"Remove the colour of the stage {quoted(title)}"
    return f"Change the colour of the stage {quoted(title)} to {color_words(color)}"


STAGE_FIELDS = {
    "status": _setting(
        "status",
        "default_task_status",
        attribute="default_status",
        read=lambda value: str(value or Status.OPEN),
        spell=str,
        parse=Status,
        words=_words_of_status,
    ),
    "assignees": _setting(
        "default assignees",
        "default_task_assignees",
        attribute="default_assignees",
        read=lambda value: _spelt_ids(ids_in(value)),
        spell=_spelt_ids,
        parse=_ids,
        words=_words_of_assignees,
    ),
    "template": _setting(
        "template",
        "is_template",
        attribute="is_template",
        read=lambda value: str(is_yes(value)).lower(),
        spell=lambda value: str(value).lower(),
        parse=_yes,
        words=_words_of_template,
    ),
    "color": Field(
        (Part("colour", lambda one: str(one.get("bg_color") or ""), lambda one: one.color),),
        draw=lambda stage, color: replace(stage, color=color),
        send=lambda remote, to, truth, color: remote.set_stage_color(
            to.board_id, to.id, _title(to, truth), color
        ),
        words=lambda title, _, color: _words_of_color(title, color),
        is_compared=False,
        check=_color,
    ),
}
"""The settings by name."""
