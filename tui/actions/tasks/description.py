"""Editing the description of a task as Markdown.

An edit is based on the stored HTML: concurrent changes by others are merged and never overwritten,
and parts that were not edited stay as they are stored, byte for byte.
"""

from dataclasses import replace

from tui.actions.tasks.cards import Cards, named
from tui.runtime.key_queue import keys_held
from tui.runtime.slices import turned
from tui.store import operations as change
from tui.text.keyed import keyed


async def edit_description(cards: Cards) -> None:
    """Edit the description of the first chosen card; its draft is kept with the stored HTML."""
    from tui.dialogs.editor.text import TextEditor
    from tui.text.markdown import edited_html, to_html, to_markdown

    tasks, drafts = cards.need_tasks(), cards.context.drafts
    if not tasks:
        return
    task = tasks[0]
    draft, base = _drafts(task.id)
    with keys_held(cards.host.app):
        source = await cards.store.description_source(task.id)
        is_on_board = cards.view is not None and cards.view.task(task.id) is not None
        former = drafts.get(base)
        if former is not None and drafts.get(draft) is not None:
            source = former
        before = await turned(to_markdown, source)
    try:
        drafts.keep(base, source)
    except OSError:
        cards.host.app.log("the base text of a draft is in memory only; the editor tells of it")
    editor = TextEditor(
        f"Description of {named([task])}",
        before,
        drafts=drafts,
        draft=draft,
        people=cards.people,
        as_html=to_html,
        again=keyed("{task.edit-description:E}"),
    )
    written = await cards.ask(editor)
    # The service may have assigned an id to the task, and its drafts, meanwhile.
    task = replace(task, id=cards.called(task.id), board_id=cards.called(task.board_id))
    draft, base = _drafts(task.id)
    if written is None:
        if drafts.get(draft) is None:
            drafts.forget(base)
        return
    html = await turned(edited_html, source, before, written)
    operation = change.set_description(replace(task, description=source), html)
    if operation.changes_nothing:
        cards.say("nothing was changed")
    elif is_on_board and cards.view and cards.view.task(task.id) is None:
        cards.say(f"{named([task])} is gone", hint="what was written is kept", error=True)
        return
    elif not await cards.change([operation], f"description of {named([task])} changed"):
        return
    drafts.forget(draft)
    drafts.forget(base)


def _drafts(task_id: int) -> tuple[str, str]:
    return f"description-{task_id}", f"ground-{task_id}"
