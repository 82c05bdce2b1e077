"""The keys of a screen: chords, key hints, and messages for keys that do nothing.

Everything is derived from the bindings. A binding to two keys separated by a blank is a chord;
after its first key the possible second keys are shown. A key that does nothing shows why, and which
keys of the screen do what it does in other programs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from textual import events
from textual.binding import ActiveBinding, Binding
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from tui.actions.host import OfferedActions
from tui.context import Context
from tui.model.people import Role
from tui.screens.status_line import StatusLine
from tui.widgets import glyphs
from tui.widgets.bars import hint_line, key_name, pressed_name, ways_line
from tui.widgets.painted import Line, Painted, Span, cut_line, fitted, line_width

Hints = Mapping[str, str]
"""The ids of actions with the words that a screen has for them, or "" for their own.

Several ids, separated by blanks, share their words.
"""
GAP = 1
_CHORDS = {"g": "go to", "S": "stage"}
_WIDE, _NARROW = 100, 60
"""Below these widths the footer has only the most important ways on."""
GO_TO = "go to "
MORE = "…"
"""Ends the hint of a chord of which the first key alone is named, as there are more of them."""
_MENU_ORDER = (
    *("go.boards", "go.find", "go.my-work", "go.inbox", "go.views", "go.standup", "go.timeline"),
    *("go.insight", "go.next", "go.activity", "go.labels", "go.members", "go.people"),
    *("go.custom_fields", "go.waiting", "go.archived_cards", "go.webhooks", "go.profiles"),
    *("go.settings",),
)
"""The entries of the menu of `g`, those that are used most first; the others follow."""
FIRST_HINTS = (
    "task.lift",
    "task.open",
    "task.new",
    "board.filter",
    "standup.copy",
    "standup.lens",
    "standup.next-speaker",
    "task.edit-title",
    "task.close",
    "task.menu",
    "task.assign",
    "task.due",
    "board.undo",
    "task.comment",
    "waiting.open",
    "waiting.retry",
    "waiting.discard",
)
"""The bindings that come first in the key hints, if not all fit; what Enter runs is among them."""
_OF_MARKED: Hints = {
    "task.move-to": "move",
    "task.assign": "assign",
    "task.labels": "label",
    "task.due": "due",
    "task.close": "close",
    "task.archive": "archive",
    "task.menu": "menu",
}
"""The key hints while cards are marked."""
_CLEARING = ("board.back", "list.back")
"""The actions that clear the marks."""
_BACK, _DELETE = ("back", "put-back"), ("delete", "remove", "discard", "archive", "reset", "logout")
_NEW, _EDIT = ("new", "add", "topic"), ("edit-title", "rename", "edit", "change", "role")
_FIND, _REFRESH = ("filter", "search", "find"), ("refresh", "retry-all")
_FIRST, _LAST = ("first", "top"), ("last",)
_MEANT: Mapping[str, Sequence[str]] = {
    "tab": ("next", "scroll-down", "down"),
    "shift+tab": ("before", "scroll-up", "up"),
    "backspace": (*_BACK, *_DELETE),
    "delete": _DELETE,
    "shift+delete": _DELETE,
    "ctrl+delete": _DELETE,
    "insert": _NEW,
    "ctrl+n": _NEW,
    "ctrl+t": _NEW,
    "f2": _EDIT,
    "f3": _FIND,
    "ctrl+f": _FIND,
    "f4": _EDIT,
    "f5": _REFRESH,
    "ctrl+r": _REFRESH,
    "f10": ("palette",),
    "ctrl+a": ("mark-range", "mark"),
    "ctrl+b": ("page-up",),
    "ctrl+g": _BACK,
    "ctrl+k": ("palette",),
    "ctrl+w": _BACK,
    "ctrl+x": ("move-to", "quit"),
    "ctrl+y": ("redo",),
    "ctrl+shift+z": ("redo",),
    "ctrl+underscore": ("undo",),
    "ctrl+insert": ("copy-title", "copy"),
    "ctrl+home": _FIRST,
    "ctrl+end": _LAST,
    "ctrl+pageup": _FIRST,
    "ctrl+pagedown": _LAST,
    "ctrl+left": ("move-left", "previous"),
    "ctrl+right": ("move-right", "next"),
    "ctrl+up": ("move-up", "lift"),
    "ctrl+down": ("move-down", "lift"),
}
"""What keys do in other programs: the last parts of the ids of actions, the likeliest first."""
_SAVED = "ctrl+s"
_MOST_MEANT = 2
_OF_FOCUS = ("app.focus_next", "app.focus_previous")
_OF_SCROLLING = ("scroll_", "page_")


class ChordMenu(Painted):
    """The second keys of a chord below a rule, in columns; it covers what is behind it."""

    ground = "raised"

    def __init__(self, title: str, entries: Sequence[Span]) -> None:
        super().__init__()
        self._title = title
        self._entries = entries

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        return 2 + len(menu_lines(self._entries, width))  # with the rule and a blank line

    def render_line(self, y: int) -> Strip:
        width, rule = self.size.width, glyphs.FRAME.across
        if y == 0:
            line = cut_line(((rule * 2, "line"), (f" {self._title} ", "strong")), width)
            return self.strip((*line, (rule * (width - line_width(line)), "line")))
        lines = menu_lines(self._entries, width)
        return self.strip(lines[y - 1] if y <= len(lines) else ((" " * width, "text"),))


def menu_lines(entries: Sequence[Span], width: int) -> list[Line]:
    """The entries in as many columns as fit, each line exactly `width` cells wide."""
    cells: list[Line] = [((f"  {key} ", "accent"), (label, "text")) for key, label in entries]
    widest = min(width, max(map(line_width, cells), default=0) + GAP)
    across = max(1, width // widest) if widest else 1
    down = -(-len(cells) // across)
    return [
        fitted(
            (span for cell in cells[row::down] for span in fitted(cell, widest, "text")),
            width,
            "text",
        )
        for row in range(down)
    ]


class Keys:
    """Runs the chords of a screen and explains its keys in the status line."""

    def __init__(
        self,
        screen: Screen[None],
        offered: OfferedActions,
        status: StatusLine,
        context: Context,
    ) -> None:
        self._screen = screen
        self._context = context
        self._remapped = context.settings.keys
        self._offered = offered
        self._status = status
        self._chord = ""
        self._menu: ChordMenu | None = None
        self.first_hints: Hints = {}
        """Those of the screen that come before `FIRST_HINTS`."""
        self.enter_runs = ""
        """The id of the action that Enter runs on a row of a list."""
        self._cached: dict[tuple[type, bool], tuple[Mapping[str, str], frozenset[str]]] = {}
        """The bound keys with the ids of their bindings, and the first keys of chords."""
        self._hinted: tuple[tuple[int, Role, Hints | int], tuple[Line, Line]] | None = None

    def begin_anew(self) -> None:
        self._hinted = None
        self._end_chord()

    def prepare(self) -> None:
        """Gather the keys before the first is pressed."""
        self._bound_keys(is_moving=False)

    def forget_hints(self) -> None:
        self._hinted = None

    def available(self) -> dict[str, ActiveBinding]:
        active = self._bound()
        enter = active.get("enter")
        if enter is not None and enter.binding.id == "rows.open":
            # On a row of a list it is the key of the action that it runs.
            action = next(
                (offer for offer in self._offered.actions if offer.id == self.enter_runs), None
            )
            if action is None:
                del active["enter"]
            else:
                word = action.hint or action.label.partition(" ")[0].lower()
                runs = replace(enter.binding, id=action.id, description=word)
                active["enter"] = enter._replace(binding=runs, tooltip=action.label)
        return {
            key: bound
            for key, bound in active.items()
            if bound.enabled and not self._offered.unavailable(bound.binding.id or "")
        }

    def _bound(self) -> dict[str, ActiveBinding]:
        # A key that is bound alone begins no chord.
        active = self._screen.active_bindings
        return {
            key: bound
            for key, bound in active.items()
            if " " not in key or key.partition(" ")[0] not in active
        }

    def by_id(self) -> dict[str, tuple[str, ActiveBinding]]:
        """All active bindings with their first keys, by id, whether available or not."""
        by_id: dict[str, tuple[str, ActiveBinding]] = {}
        for key, bound in self._bound().items():
            if bound.binding.id:
                by_id.setdefault(bound.binding.id, (key, bound))
        return by_id

    def hint(self, action_id: str) -> str:
        """The key and the label of an action; empty if it has no key."""
        bound = self.by_id().get(action_id)
        if bound is None:
            return ""
        key, active = bound
        return f"{key_name(key)}: {active.binding.tooltip or active.binding.description}"

    def hints(
        self, role: Role, first: Hints | None = None, *, are_all: bool = False
    ) -> tuple[Line, Line]:
        """The key hints for the footer; none while typing.

        Those in `first` come before others, unless they `are_all`. They are cached for the width,
        the role and `first`.
        """
        if isinstance(self._screen.focused, Input):
            return (), ()
        width = self._screen.size.width
        if self._chord:
            begun, ways = key_name(self._chord), _ways(self.available(), _NARROW - 1)
            return hint_line([(f"{begun} …", "one more key"), ("esc", "cancel")], width), ways
        self._follow_settings()
        first = first or self.first_hints
        if self._hinted is None or self._hinted[0] != (width, role, first):
            available = self.available()
            ways = _ways(available, width)
            line = _hint_line(available, width - line_width(ways), first, are_all=are_all)
            self._hinted = ((width, role, first), (line, ways))
        return self._hinted[1]

    def marked_hints(self, role: Role, count: int) -> tuple[Line, Line]:
        """The key hints while so many cards are marked: what can be done with all of them.

        They are cached for the width, the role and the number.
        """
        if self._chord or isinstance(self._screen.focused, Input):
            return self.hints(role)
        width = self._screen.size.width
        self._follow_settings()
        if self._hinted is None or self._hinted[0] != (width, role, count):
            self._hinted = ((width, role, count), self._marked_lines(width, count))
        return self._hinted[1]

    def _marked_lines(self, width: int, count: int) -> tuple[Line, Line]:
        available = self.available()
        clearing = [key for key, bound in available.items() if bound.binding.id in _CLEARING]
        end = ways_line([(key_name(key), "clear") for key in clearing[:1]], width)
        mark: Line = ((f" {glyphs.MARK} {count} marked ", "mark"), (" ", "quiet"))
        room = width - line_width((*mark, *end))
        return (*mark, *_hint_line(available, room, _OF_MARKED, are_all=True)), end

    async def run(self, bound: ActiveBinding) -> None:
        """Run the action of a binding, or show why it is not available."""
        if not self._offered.says_why_not(bound.binding.id or ""):
            self._note(bound.binding.id or "")
            await self._screen.app.run_action(bound.binding.action, bound.node)

    async def press(
        self, event: events.Key, why_not: Callable[[str], str], *, is_moving: bool
    ) -> None:
        """Handle keys of chords and of unavailable actions; say `why_not` for unbound keys."""
        # The second key of a chord goes on with the first, which has cleared the message.
        if not self._chord:
            self._status.key_pressed(event.key)
        key = event.key
        if event.is_printable:
            key = "Space" if key == "space" else event.character or key
        names, chords = self._bound_keys(is_moving=is_moving)
        if self._chord:
            _consume(event)
            await self._run_chord(key, event.key)
        elif not chords.isdisjoint((key, event.key)):
            _consume(event)
            self._begin_chord(key if key in chords else event.key)
        elif self._offered.says_why_not(names.get(event.key, "")):
            _consume(event)
        elif event.key not in names or self._leads_nowhere(event.key):
            self._tell_of_unbound(event.key, why_not(pressed_name(event)))
        elif not is_moving:
            self._note(names[event.key])

    async def _run_chord(self, second: str, name: str) -> None:
        chord, named = f"{self._chord} {second}", f"{self._chord} {name}"
        self._end_chord()
        active = self._screen.active_bindings
        bound = active.get(chord) or active.get(named)  # one has `comma` for `,`
        alone = active.get(name)
        if bound is None and alone is not None and alone.binding.id == "app.help":
            bound = alone  # as the footer says
        if bound is not None and bound.enabled:
            await self.run(bound)
        elif not chord.endswith(" escape"):
            self._status.tell(f"‘{chord}’ does nothing here", hint="{app.help:?} to list the keys")

    def _note(self, action_id: str) -> None:
        # Keys of an input belong to the action that opened it, not to the screen.
        if action_id and not isinstance(self._screen.focused, Input):
            self._context.last_pressed.action_id = action_id

    def _tell_of_unbound(self, key: str, why: str) -> None:
        if not key.startswith("<"):  # Textual's names of what is not a key
            self._status.tell(why, hint=self._meant(key))

    def _leads_nowhere(self, key: str) -> bool:
        # Textual binds keys that move the focus or scroll, also where there is nothing to focus or
        # scroll.
        bound = self._screen.active_bindings.get(key)
        if bound is None or bound.binding.id:
            return False
        action, node = bound.binding.action, bound.node
        if action in _OF_FOCUS:
            return len(self._screen.focus_chain) <= 1
        if not isinstance(node, Widget) or not action.startswith(_OF_SCROLLING):
            return False
        is_across = action.endswith(("left", "right"))
        return not (node.allow_horizontal_scroll if is_across else node.allow_vertical_scroll)

    def _meant(self, key: str) -> str:
        # A hint with the keys that do here what this key does in other programs.
        if isinstance(self._screen.focused, Input):
            return "{input.cancel:esc} to end typing"
        if key == _SAVED:
            return "changes are saved at once"
        hints_by_name: dict[str, str] = {}
        available = self.available()
        # Single keys first, which `setdefault` then prefers to chords.
        for bound_key in sorted(available, key=lambda keys: " " in keys):
            bound, own_id = available[bound_key], available[bound_key].binding.id or ""
            label = f"{bound.tooltip[:1].lower()}{bound.tooltip[1:]}"
            hint = f"{{{own_id}:{key_name(bound_key)}}} {label.partition(':')[0]}"
            hints_by_name.setdefault(own_id.rpartition(".")[2], hint)
        hints = [hints_by_name[name] for name in _MEANT.get(key, ()) if name in hints_by_name]
        return ", ".join(hints[:_MOST_MEANT]) or "{app.help:?} to list the keys"

    async def click(self, name: str) -> None:
        """Do what a key of the hints does; show the menu of one that begins a chord."""
        active = self.available()
        bound = next(
            (candidate for key, candidate in active.items() if key_name(key) == name), None
        )
        if self._chord and name == key_name("escape"):
            self._end_chord()
        elif bound is not None:
            await self.run(bound)
        elif any(key.startswith(f"{name} ") for key in active):
            self._end_chord()
            self._begin_chord(name)

    def _bound_keys(self, *, is_moving: bool) -> tuple[Mapping[str, str], frozenset[str]]:
        # Cached, as gathering them is slow. The class of the focused widget is enough, because
        # bindings belong to classes.
        self._follow_settings()
        state = (type(self._screen.focused), is_moving)
        if state not in self._cached:
            active = self._bound()
            keys = {key: bound.binding.id or "" for key, bound in active.items() if bound.enabled}
            chords = frozenset(key.partition(" ")[0] for key in keys if " " in key)
            self._cached[state] = keys, chords
        return self._cached[state]

    def _follow_settings(self) -> None:
        # Settings are replaced, never changed in place, so identity tells.
        if self._context.settings.keys is not self._remapped:
            self._remapped = self._context.settings.keys
            self._hinted = None
            self._cached.clear()

    def _begin_chord(self, first: str) -> None:
        self._chord = first
        follow = {
            bound.binding.id or "": (
                key_name(key.removeprefix(f"{first} ")),
                bound.binding.description,
            )
            for key, bound in self.available().items()
            if key.startswith(f"{first} ")
        }
        names = [name for name in (*_MENU_ORDER, *follow) if name in follow]
        entries = [
            (follow[name][0], follow[name][1].lower().removeprefix(GO_TO))
            for name in dict.fromkeys(names)
        ]
        title = f"{key_name(first)}  {_CHORDS.get(first, '')}".rstrip()
        self._menu = ChordMenu(title, entries)
        self._screen.mount(self._menu)
        self._status.draw()

    def _end_chord(self) -> None:
        self._chord = ""
        if self._menu is not None:
            self._menu.remove()
            self._menu = None
            self._status.draw()


def _consume(event: events.Key) -> None:
    event.stop()
    event.prevent_default()


def _hint_line(
    available: Mapping[str, ActiveBinding], room: int, words: Hints, *, are_all: bool
) -> Line:
    bound: dict[str, tuple[str, Binding]] = {}
    for key, active in available.items():
        if active.enabled:
            bound.setdefault(active.binding.id or key, (key, active.binding))
    enter = available.get("enter")
    opens = (enter.binding.id if enter is not None else None) or "task.open"
    shown: dict[str, Span] = {}
    for name in words if are_all else (*words, *FIRST_HINTS, *bound):
        ids = (opens if name == "task.open" else name).split()
        if ids[0].startswith("app.") or not bound.keys() >= set(ids):
            continue
        binding = bound[ids[0]][1]
        if word := words.get(name) or (binding.show and binding.description):
            keys = (bound[own_id][0] for own_id in ids)
            begun = (key.partition(" ")[0] if word.endswith(MORE) else key for key in keys)
            shown.setdefault(" ".join(ids), (" ".join(map(key_name, begun)), word))
    return hint_line(shown.values(), room)


def _ways(available: Mapping[str, ActiveBinding], width: int) -> Line:
    # The ways on, at the right of the footer: chords, the list of actions and the list of keys.
    chords = [
        key for key in ("g", "S") if any(bound_key.startswith(f"{key} ") for bound_key in available)
    ]
    ways = [(key, {"g": "go", "S": "stage"}[key]) for key in chords]
    for name, word in (("app.palette", "actions"), ("app.help", "keys")):
        bound = [key_name(key) for key, active in available.items() if active.binding.id == name]
        if bound:
            ways.append((min(bound, key=len), word))
    if width < _WIDE:
        ways = [way for way in ways if way[1] in ("go", "keys")]
    if width < _NARROW:
        ways = ways[-1:]
    return ways_line(ways, width)
