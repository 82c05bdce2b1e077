"""Filters a board by values picked from lists, and by saved filters.

Each choice edits the query of the filter at once, and the list comes back for the next one.
"""

from collections.abc import Iterable

from tui.dialogs.ask import AskDialog
from tui.dialogs.filter import FilterAnswer, FilterDialog, FilterRow
from tui.dialogs.pick.many import PickChoice, PickMany
from tui.errors import CallboardError
from tui.model.people import mention_name
from tui.model.query.about import About, name_of_label
from tui.model.query.completing import offered
from tui.model.query.reading import NotAQuery, check
from tui.model.query.terms import Kind, Query, Special, Term, printed_name
from tui.screens.board.filtering import SAVED, Filtering
from tui.text.cells import cut
from tui.text.clean import counted, line, quoted
from tui.widgets import glyphs

_TITLES = {
    Kind.LABEL: "Label",
    Kind.PERSON: "Person",
    Kind.PRIORITY: "Priority",
    Kind.DUE: "Due date",
    Kind.STATUS: "Status",
    Kind.STAGE: "Stage",
    Kind.CHANGED: "Changed by others",
}
_SAVE, _CLEAR, _AGAIN, _FIELD, _SAVED = "save", "clear", "again", "field ", "saved "
_IN_WORDS = {
    (Kind.PERSON, Special.NONE): "nobody",
    (Kind.LABEL, Special.NONE): "no label",
    (Kind.FIELD, Special.NONE): "no value",
    (Kind.FIELD, Special.ANY): "any value",
    (Kind.DUE, "week"): "within a week",
    (Kind.DUE, "none"): "no due date",
}
_LONGEST_NAME = 40
_VALUE_WIDTH = 26


async def pick_filter(on: Filtering) -> None:
    """Ask what to filter by until the user closes the list or takes a saved filter."""
    at = ""
    while (answer := await on.tasks.ask(_dialog(on, at))) is not None:
        at = answer.key
        if answer.key.startswith(_SAVED):
            if not _take_saved(on, answer):
                return
        elif answer.key == _SAVE:
            await _save(on)
            return
        elif answer.key in (_CLEAR, _AGAIN):
            if answer.key == _AGAIN:
                on.use(on.cleared)
            else:
                on.clear()
            return
        elif answer.key.startswith(_FIELD):
            await _pick_field(on, answer.key.removeprefix(_FIELD))
        elif answer.key == Kind.CHANGED:
            on.put(on.query.of(Kind.CHANGED), _unless(on.query, Term(Kind.CHANGED, "yes")))
        else:
            await _pick(on, Kind(answer.key))


def _dialog(on: Filtering, at: str) -> FilterDialog:
    query, about = on.query, on.about
    saved = on.tasks.context.preferences.texts_by_name(on.tasks.board_id, SAVED)
    rows = [
        FilterRow(f"{_SAVED}{name}", f"{_sign(on, words)} {line(name)}", _short(words), True)
        for name, words in saved.items()
    ]
    rows += [FilterRow(kind, title, _values(query.of(kind))) for kind, title in _TITLES.items()]
    rows[-1:-1] = [
        FilterRow(f"{_FIELD}{one.title}", one.title, _values(query.of(Kind.FIELD, one.title)))
        for one in about.fields
        if one.title
    ]
    if on.words.strip():
        rows.append(FilterRow(_SAVE, "Save this filter …", _short(on.words)))
        rows.append(FilterRow(_CLEAR, "Clear the filter", ""))
    elif on.cleared.strip():
        rows.append(FilterRow(_AGAIN, "Use the last filter again", _short(on.cleared)))
    shown, count = on.counts
    title = f"Filter · {shown} of {count} cards" if on.words.strip() else "Filter"
    return FilterDialog(title, rows, at=at)


def _sign(on: Filtering, words: str) -> str:
    """Whether a saved filter is the one in use."""
    return glyphs.DONE if words.strip() == on.words.strip() else glyphs.PIN


def _short(words: str) -> str:
    return cut(line(words), _VALUE_WIDTH)


def _values(terms: Iterable[Term]) -> str:
    return cut(", ".join(map(_in_words, terms)) or "any", _VALUE_WIDTH)


def _in_words(term: Term) -> str:
    value = term.value.value if isinstance(term.value, Special) else term.value
    return _IN_WORDS.get((term.kind, term.value), line(value))


def _unless(query: Query, term: Term) -> tuple[Term, ...]:
    return () if term in query.terms else (term,)


def _take_saved(on: Filtering, answer: FilterAnswer) -> bool:
    """Use a saved filter, or delete it; whether the list comes back."""
    preferences, board_id = on.tasks.context.preferences, on.tasks.board_id
    saved = preferences.texts_by_name(board_id, SAVED)
    name = answer.key.removeprefix(_SAVED)
    words = saved.pop(name, "")
    if answer.is_deleted:
        preferences.keep(board_id, **{SAVED: saved})
        on.tasks.say(f"deleted the filter {quoted(line(name))}")
        return True
    on.use(words)
    shown, count = on.counts
    on.tasks.say(f"{quoted(line(name))} shows {shown} of {counted(count, 'card')}")
    return False


async def _save(on: Filtering) -> None:
    """Ask for a name, and save the filter under it."""
    preferences, board_id = on.tasks.context.preferences, on.tasks.board_id
    try:
        words = check(on.words, on.about).print()
    except NotAQuery as problem:
        on.tasks.say(
            problem.message.partition("\n")[0], hint="{board.filter:/} corrects it", error=True
        )
        return
    saved = preferences.texts_by_name(board_id, SAVED)

    def reading(typed: str) -> str:
        if not typed.strip():
            raise CallboardError("Give the filter a name.")
        if len(typed.strip()) > _LONGEST_NAME:
            raise CallboardError(f"A name has {_LONGEST_NAME} characters at most.")
        return "replaces the saved one" if typed.strip() in saved else cut(line(words), 56)

    suggested = cut(line(words), _LONGEST_NAME)
    dialog = AskDialog("Save this filter as", suggested, reading=reading, replaces=True)
    name = await on.tasks.ask(dialog)
    if name is not None:
        saved[name.strip()] = words
        preferences.keep(board_id, **{SAVED: saved})
        on.tasks.say(
            f"saved the filter {quoted(line(name.strip()))}", hint="{board.pick-filter:f} lists it"
        )


async def _pick(on: Filtering, kind: Kind, field: str = "") -> None:
    about, old = on.about, on.query.of(kind, field)
    terms = {term.print(): term for term in (*offered(kind, about, field), *old)}
    choices = [_choice(key, term, about) for key, term in terms.items()]
    title = f"Filter by {field or _TITLES[kind].lower()}"
    picked = await on.tasks.ask(PickMany(title, choices, frozenset(one.print() for one in old)))
    if picked is not None:
        on.put(old, tuple(term for key, term in terms.items() if key in picked.chosen))


def _choice(key: str, term: Term, about: About) -> PickChoice:
    """A row of the list of values; a person is written as in a mention."""
    color = hint = ""
    if term.kind is Kind.LABEL:
        colors = (one.color for one in about.labels if name_of_label(one) == term.value)
        color = next(colors, "")
    elif term.kind is Kind.PERSON:
        hint = next((one.name for one in about.people if mention_name(one) == term.value), "")
    return PickChoice(key, _in_words(term), hint if hint != term.value else "", color)


async def _pick_field(on: Filtering, title: str) -> None:
    """Ask for the values of a custom field; for those without options they are typed."""
    fields = on.about.fields_called(title)
    old = on.query.of(Kind.FIELD, title)
    if any(field.is_checkbox or field.options for field in fields):
        await _pick(on, Kind.FIELD, title)
        return
    present = old[0].print().removeprefix(f"{printed_name(old[0].field)}:") if old else ""
    dialog = AskDialog(
        f"Filter by {title}", present, placeholder="a value · any · none · empty clears it"
    )
    typed = await on.tasks.ask(dialog)
    if typed is None:
        return
    special = next((one for one in (Special.ANY, Special.NONE) if one.value == typed.strip()), None)
    value = special or typed.strip()
    on.put(old, (Term(Kind.FIELD, value, field=title),) if value else ())
