"""Filters a board by values picked from lists, and by saved filters.

Each choice edits the query of the filter at once, and the list comes back for the next one.
"""

from collections.abc import Iterable

from tui.config.saved_views import ViewStore
from tui.dialogs.pick.find import FilterDialog, FilterRow
from tui.dialogs.pick.many import PickChoice, PickMany
from tui.dialogs.questions import AskDialog
from tui.errors import CallboardError
from tui.model.people import mention_name
from tui.model.query.language import (
    NotAQuery,
    QueryContext,
    Term,
    check,
    name_of_label,
    offered,
    printed_name,
)
from tui.model.query.terms import TERMS, TermKind
from tui.model.work.saved_view import LONGEST_NAME, SavedView, checked
from tui.screens.board.filter import Filter
from tui.text.cells import cut
from tui.text.clean import counted, line, quoted
from tui.widgets import glyphs

_SAVE, _VIEW, _CLEAR, _AGAIN = "save", "view", "clear", "again"
_FIELD, _SAVED = "field ", "saved "
_FILTERS = "filters"
"""The preference with the saved filters of a board, by name."""
_LONGEST_NAME = 40
_VALUE_WIDTH, _DESCRIBED = 26, 56


async def pick_filter(filtering: Filter) -> None:
    """Ask what to filter by until the user closes the list or takes a saved filter."""
    key = ""
    while (answer := await filtering.cards.ask(_dialog(filtering, key))) is not None:
        key = answer.key
        if key.startswith(_SAVED) and answer.is_deleted:
            name = key.removeprefix(_SAVED)
            _keep(filtering, name, None)
            filtering.cards.say(f"deleted the filter {quoted(line(name))}")
        elif key.startswith(_SAVED):
            name = key.removeprefix(_SAVED)
            filtering.use(_saved(filtering).get(name, ""))
            shown, count = filtering.counts
            filtering.cards.say(f"{quoted(line(name))} shows {shown} of {counted(count, 'card')}")
            return
        elif key == _SAVE:
            await _save(filtering)
            return
        elif key == _VIEW:
            await _save_view(filtering)
            return
        elif key == _CLEAR:
            filtering.clear()
            return
        elif key == _AGAIN:
            filtering.use(filtering.cleared)
            return
        elif key.startswith(_FIELD):
            await _pick_field(filtering, key.removeprefix(_FIELD))
        elif TERMS[kind := TermKind(key)].is_switch:
            wanted, query = Term(kind, "yes"), filtering.query
            filtering.put(query.of(kind), () if wanted in query.terms else (wanted,))
        else:
            await _pick(filtering, kind)


def _dialog(filtering: Filter, key: str) -> FilterDialog:
    query, words = filtering.query, filtering.words.strip()
    rows = []
    for name, saved in _saved(filtering).items():
        sign = glyphs.DONE if saved.strip() == words else glyphs.PIN
        rows.append(FilterRow(f"{_SAVED}{name}", f"{sign} {line(name)}", _short(saved), True))
    for kind, form in TERMS.items():
        if form.title:
            rows.append(FilterRow(kind, form.title, _values(query.of(kind))))
        elif kind is TermKind.FIELD:
            titles = [field.title for field in filtering.about.fields if field.title]
            rows += [
                FilterRow(f"{_FIELD}{title}", title, _values(query.of(kind, title)))
                for title in titles
            ]
    if words:
        rows.append(FilterRow(_SAVE, "Save this filter …", _short(words)))
        rows.append(FilterRow(_VIEW, "Save this filter as a view …", _short(words)))
        rows.append(FilterRow(_CLEAR, "Clear the filter", ""))
    elif filtering.cleared.strip():
        rows.append(FilterRow(_AGAIN, "Use the previous filter", _short(filtering.cleared)))
    shown, count = filtering.counts
    return FilterDialog(f"Filter · {shown} of {count} cards" if words else "Filter", rows, at=key)


def _short(words: str) -> str:
    return cut(line(words), _VALUE_WIDTH)


def _values(terms: Iterable[Term]) -> str:
    return cut(", ".join(map(_in_words, terms)) or "any", _VALUE_WIDTH)


def _in_words(term: Term) -> str:
    return TERMS[term.kind].words.get(term.value, line(term.name))


def _saved(filtering: Filter) -> dict[str, str]:
    cards = filtering.cards
    return cards.context.preferences.texts_by_name(cards.board_id, _FILTERS)


def _keep(filtering: Filter, name: str, words: str | None) -> None:
    filtering.cards.context.preferences.put(filtering.cards.board_id, _FILTERS, name, words)


async def _save(filtering: Filter) -> None:
    cards = filtering.cards
    try:
        words = check(filtering.words, filtering.about).print()
    except NotAQuery as problem:
        message = problem.message.partition("\n")[0]
        cards.say(message, hint="{board.filter:/} to correct it", error=True)
        return
    saved = _saved(filtering)

    def reading(name: str) -> str:
        if not name.strip():
            raise CallboardError("Name is required.")
        if len(name.strip()) > _LONGEST_NAME:
            raise CallboardError(f"Too long: a name has at most {_LONGEST_NAME} characters.")
        return "replaces the saved one" if name.strip() in saved else cut(line(words), _DESCRIBED)

    suggested = cut(line(words), _LONGEST_NAME)
    dialog = AskDialog("Save this filter as", suggested, reading=reading, replaces=True)
    answer = await cards.ask(dialog)
    if answer is not None:
        name = answer.strip()
        _keep(filtering, name, words)
        cards.say(f"saved the filter {quoted(line(name))}", hint="{board.pick-filter:f} to use it")


async def _save_view(filtering: Filter) -> None:
    cards = filtering.cards
    views = ViewStore(cards.context.preferences)
    others = [view.name for view in views.read().views]

    def view_of(name: str) -> SavedView:
        boards = (cards.called(cards.board_id),)
        return checked(SavedView(name, filtering.words, boards), others)

    def reading(name: str) -> str:
        view = view_of(name)
        return cut(f"{line(view.query)} on this board", _DESCRIBED)

    suggested = cut(line(filtering.words.strip()), LONGEST_NAME)
    answer = await cards.ask(
        AskDialog("Name of the view", suggested, reading=reading, replaces=True)
    )
    if answer is not None:
        view = views.put(view_of(answer))
        cards.say(f"saved the view {quoted(line(view.name))}", hint="{go.views:g v} to open it")


async def _pick(filtering: Filter, kind: TermKind, field: str = "") -> None:
    about, old = filtering.about, filtering.query.of(kind, field)
    terms = {term.print(): term for term in (*offered(kind, about, field), *old)}
    choices = [_choice(key, term, about) for key, term in terms.items()]
    title = f"Filter by {field or TERMS[kind].title.lower()}"
    dialog = PickMany(title, choices, frozenset(term.print() for term in old))
    picked = await filtering.cards.ask(dialog)
    if picked is not None:
        filtering.put(old, tuple(term for key, term in terms.items() if key in picked.chosen))


def _choice(key: str, term: Term, about: QueryContext) -> PickChoice:
    color = hint = ""
    if term.kind is TermKind.LABEL:
        colors = (label.color for label in about.labels if name_of_label(label) == term.value)
        color = next(colors, "")
    elif term.kind is TermKind.PERSON:  # written as in a mention
        names = (person.name for person in about.people if mention_name(person) == term.value)
        hint = next(names, "")
    return PickChoice(key, _in_words(term), hint if hint != term.value else "", color)


async def _pick_field(filtering: Filter, title: str) -> None:
    fields = filtering.about.fields_called(title)
    if any(field.is_checkbox or field.options for field in fields):
        await _pick(filtering, TermKind.FIELD, title)
        return
    old = filtering.query.of(TermKind.FIELD, title)
    present = old[0].print().removeprefix(f"{printed_name(old[0].field)}:") if old else ""
    placeholder = "a value · any · none · leave empty to clear"
    dialog = AskDialog(f"Filter by {title}", present, placeholder=placeholder)
    answer = await filtering.cards.ask(dialog)
    if answer is not None:
        text = answer.strip()
        value = next(
            (special for special in TERMS[TermKind.FIELD].specials if special.value == text), text
        )
        filtering.put(old, (Term(TermKind.FIELD, value, field=title),) if value else ())
