"""The fields of boards, and of their stages, groups of subtasks, labels and custom fields."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from operator import attrgetter

from tui.client.errors import NotFound
from tui.model.colors import color_words, is_color, text_color
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import SubtaskGroup
from tui.model.fields.plain import STAGE_SETTINGS, StageSetting
from tui.model.ids import Kind
from tui.model.task import Label
from tui.store.documents.assemble import custom_field_of, field_type
from tui.store.documents.shapes import Document
from tui.store.operations.fields.field import (
    Field,
    FieldDelivery,
    FieldPart,
    Value,
    moment,
    plain_field,
    stamp,
    text_of,
    within,
)
from tui.store.reading import fetch_current, is_no_date
from tui.text.clean import line, quoted, text


def _setting(setting: StageSetting) -> Field:
    """A setting of a stage; services require the title of the stage with each.

    Nobody is asked about a conflict: the last one wins.
    """
    kind = setting.kind

    def send(to: FieldDelivery, value: str) -> Awaitable[Document]:
        return to.remote.set_stage_setting(*to.ids, _title_of(to), setting.member, kind.send(value))

    return plain_field(
        setting.label,
        setting.attribute,
        lambda title, value: setting.change(title, kind.parse(value)),
        send,
        read=lambda stage: kind.spell(setting.read(stage)),
        spell=kind.spell,
        parse=kind.parse,
        is_compared=False,
    )


def _title_of(to: FieldDelivery) -> str:
    stage = to.truth.stage(to.target.id)
    return to.target.name if stage is None else stage.title


def _color(value: str) -> str:
    if value and not is_color(value):
        raise ValueError(value)
    return value


def _words_of_color(title: str, color: str) -> str:
    if not color:
        return f"Remove the colour of the stage {quoted(title)}"
    return f"Change the colour of the stage {quoted(title)} to {color_words(color)}"


def _renamed(
    what: str, in_words: Callable[[str], str] = line
) -> Callable[[str, Value | None, str], str]:
    def words(name: str, base: Value | None, title: str) -> str:
        new = quoted(in_words(title))
        if base is None:
            return f"Rename a {what} to {new}"
        return f"Rename the {what} {quoted(in_words(base[0] or ''))} to {new}"

    return words


def _group(title: str) -> str:
    return SubtaskGroup(0, line(title)).in_words


def _words_of_board(name: str, base: Value | None, title: str, about: str | None) -> str:
    new = quoted(line(title))
    if base is None:
        return f"Rename the board to {new}"
    if title == base[0]:
        return f"Change the description of the board {new}"
    return f"Rename the board {quoted(base[0] or '')} to {new}"


def _words_of_label(
    name: str, base: Value | None, title: str | None, color: str | None, _: str | None
) -> str:
    was_title, was_color = (text or "" for text in (base or (name, ""))[:2])
    new_color = color or was_color
    new = Label(0, line(was_title if title is None else title), new_color).in_words
    if base is None:
        return f"Change a label to {new}"
    old = Label(0, line(was_title), was_color).in_words
    if title is None or was_title == line(title):
        return f"Recolour the label {old} to {color_words(new_color)}"
    return f"Rename the label {old} to {new}"


async def _send_look(to: FieldDelivery, *look: str | None) -> Document:
    """Send all of it, as services require: what is not changed as it is now."""
    if None not in look:
        return await to.remote.update_label(*to.ids, *map(str, look))
    current = await fetch_current(to.remote, "label", to.target.id, to.target.board_id, None)
    if current is None:
        raise NotFound("The label was deleted.")
    color = str(current.get("bg_color") or "")
    present = (current.get("title"), color, current.get("color") or text_color(color))
    whole = (str(old or "") if new is None else new for old, new in zip(present, look, strict=True))
    return await to.remote.update_label(*to.ids, *whole)


async def _send_definition(to: FieldDelivery, *definition: str | None) -> Document:
    """The same for the title, type and options of a custom field."""
    title, kind, options = definition
    current = await fetch_current(to.remote, "field", to.target.id, to.target.board_id, None)
    if current is None:
        raise NotFound("The custom field was deleted.")
    present_type = within(current, "settings").get("custom_field_type")
    present = custom_field_of(current, to.target.board_id).options
    return await to.remote.update_field(
        *to.ids,
        title=str(current.get("title") or "") if title is None else title,
        field_type=str(present_type or FieldType.TEXT) if kind is None else kind,
        options=present if options is None else options.splitlines(),
    )


def _draw_definition(
    field: CustomField, title: str | None, kind: str | None, options: str | None
) -> CustomField:
    return replace(
        field,
        title=field.title if title is None else line(title),
        type=field.type if kind is None else field_type(kind),
        options=field.options if options is None else tuple(map(line, options.splitlines())),
    )


def _words_of_definition(
    name: str, base: Value | None, title: str | None, kind: str | None, options: str | None
) -> str:
    if title is not None:
        return f"Rename the custom field {quoted(name)} to {quoted(line(title))}"
    aspect = "type" if kind is not None else "options"
    return f"Change the {aspect} of the custom field {quoted(name)}"


_TITLE = FieldPart("title", text_of("title"), attrgetter("title"))

BOARD_FIELDS: dict[tuple[Kind, str], Field] = {
    ("subtask_group", "title"): Field(
        (FieldPart("group", text_of("value"), attrgetter("title"), in_words=_group),),
        draw=lambda group, title: replace(group, title=line(title)),
        send=lambda to, title: to.remote.rename_subtask_group(
            to.target.board_id, to.target.task_id, to.target.id, title
        ),
        words=_renamed("group", _group),
        is_on_board=False,
    ),
    ("stage", "title"): Field(
        (_TITLE,),
        draw=lambda stage, title: replace(stage, title=line(title)),
        send=lambda to, title: to.remote.update_stage(*to.ids, title),
        words=_renamed("stage"),
    ),
    **{("stage", setting.name): _setting(setting) for setting in STAGE_SETTINGS.values()},
    ("stage", "color"): plain_field(
        "colour",
        "color",
        _words_of_color,
        lambda to, color: to.remote.set_stage_color(*to.ids, _title_of(to), color),
        read=lambda stage: str(stage.get("bg_color") or ""),
        parse=_color,
        is_compared=False,
    ),
    ("board", "title"): Field(
        (_TITLE, FieldPart("description", text_of("description"), attrgetter("description"))),
        draw=lambda board, title, about: replace(
            board,
            title=line(title),
            description=board.description if about is None else text(about),
        ),
        send=lambda to, title, about: to.remote.update_board(to.target.board_id, title, about),
        words=_words_of_board,
    ),
    ("board", "archived_at"): Field(
        (
            FieldPart(
                "archive",
                text_of("archived_at"),
                spell=lambda board: stamp(board.archived_at),
                comparable=lambda value: str(is_no_date(value)),
            ),
        ),
        draw=lambda board, at: replace(board, archived_at=moment(at)),
        send=lambda to, at: (
            to.remote.archive_board(to.target.id) if at else to.remote.restore_board(to.target.id)
        ),
        words=lambda name, _, at: (
            f"Archive the board {quoted(name)}" if at else f"Restore the board {quoted(name)}"
        ),
        is_compared=False,
        check=moment,
    ),
    ("label", "look"): Field(
        (
            _TITLE,
            FieldPart(
                "colour", text_of("bg_color"), attrgetter("color"), str.casefold, color_words
            ),
            FieldPart(
                "text colour",
                text_of("color"),
                spell=lambda label: text_color(label.color),
                comparable=lambda _: "",
            ),
        ),
        draw=lambda label, title, color, _: replace(
            label,
            title=label.title if title is None else line(title),
            color=label.color if color is None else color,
        ),
        send=_send_look,
        words=_words_of_label,
    ),
    ("field", "definition"): Field(
        (
            _TITLE,
            FieldPart(
                "type",
                read=lambda document: str(custom_field_of(document, 0).type),
                spell=lambda field: str(field.type),
                in_words=lambda kind: field_type(kind).in_words,
            ),
            FieldPart(
                "options",
                read=lambda document: "\n".join(custom_field_of(document, 0).options),
                spell=lambda field: "\n".join(field.options),
                comparable=str,
                in_words=lambda options: ", ".join(map(line, options.splitlines())) or "none",
            ),
        ),
        draw=_draw_definition,
        send=_send_definition,
        words=_words_of_definition,
    ),
}
"""The fields of everything but tasks, by kind and name."""
