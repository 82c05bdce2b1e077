"""All actions with their keys: which keys they have, and which of them would conflict."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from textual.keys import Keys, _character_to_key, format_key

from tui.widgets.bars import key_name

UNREACHABLE = {
    "ctrl+h": "backspace",
    "ctrl+i": "tab",
    "ctrl+j": "enter",
    "ctrl+m": "enter",
    "ctrl+[": "esc",
    "ctrl+left_square_bracket": "esc",
}
"""Keys for which terminals send another one."""

_MODIFIERS = {"ctrl", "shift", "alt", "super", "hyper", "meta"}
_NAMED = {key.value.rpartition("+")[2] for key in Keys}
_LONGEST_CHORD = 2
_OF_EVERY_SCREEN = frozenset({"ctrl+c", "ctrl+q", "ctrl+s", "enter", "escape", "tab", "shift+tab"})
"""Keys that work wherever one is, also where no action has them."""


class BoundKey(NamedTuple):
    """An action that has keys; `places` are the screens and dialogs where they work.

    `is_own` says that it is a command of the user.
    """

    id: str
    label: str
    defaults: str
    section: str
    places: frozenset[str]
    is_own: bool = False

    @property
    def in_words(self) -> str:
        return f"{self.label} ({self.id})"


class KeyConflict(NamedTuple):
    """Another action that has a key, or one that begins a chord of the key or is begun by it."""

    key: str
    other: BoundKey


class KeyMap:
    """The actions in the order of their sections; `remapped` are the user's keys by id."""

    def __init__(self, actions: Iterable[BoundKey]) -> None:
        self.actions = tuple(actions)
        self._by_id = {action.id: action for action in self.actions}

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(self._by_id)

    def keys(self, action: BoundKey, remapped: Mapping[str, str]) -> tuple[str, ...]:
        """The keys of an action, each as it is compared."""
        keys = remapped.get(action.id) or action.defaults
        return tuple(dict.fromkeys(normal(key) for key in keys.split(",") if key.strip()))

    def conflicts(
        self, action: BoundKey, key: str, remapped: Mapping[str, str]
    ) -> Iterator[KeyConflict]:
        """The actions that work in the same places and share a key, or a part of a chord.

        Keys that both have by default are none: the one of the focused part of a screen counts.
        """
        is_default = key in self.keys(action, {}) and not action.is_own
        for candidate in self.actions:
            if candidate.id != action.id and candidate.places & action.places:
                for taken in self.keys(candidate, remapped):
                    # A key and a chord that begins with it cannot both be pressed.
                    is_shared = taken == key or begins(key, taken) or begins(taken, key)
                    are_defaults = is_default and not candidate.is_own
                    if is_shared and not (are_defaults and taken in self.keys(candidate, {})):
                        yield KeyConflict(taken, candidate)

    def why_not(self, action: BoundKey, key: str, remapped: Mapping[str, str]) -> str:
        """Why an action cannot have a key; empty if it can, perhaps in place of others."""
        if reason := unusable(key):
            return reason
        for taken, holder in self.conflicts(action, key, remapped):
            if taken != key:
                first, chord = sorted((taken, key), key=len)
                joint = ", which is" if first == key else " and is"
                return f"‘{key_name(first)}’ begins ‘{key_name(chord)}’{joint} {holder.label}"
            if len(self.keys(holder, remapped)) == 1:
                return f"‘{key_name(key)}’ is the only key of {holder.label}: give it another first"
        return ""

    def why_refused(self, action_id: str, remapped: Mapping[str, str]) -> str:
        """Why an action cannot have one of its keys, which another has; empty if it can."""
        action = self._by_id[action_id]
        for key in self.keys(action, remapped):
            if reason := unusable(key):
                return reason
            if key in _OF_EVERY_SCREEN:
                return f"‘{key_name(key)}’ is used on every screen"
            for taken, holder in self.conflicts(action, key, remapped):
                return (
                    f"‘{key_name(key)}’ is taken: ‘{key_name(taken)}’ is {holder.in_words}"
                    if taken != key
                    else f"‘{key_name(key)}’ is taken by {holder.in_words}"
                )
        return ""

    def warnings(self, remapped: Mapping[str, str]) -> list[str]:
        """What is wrong with remapped keys: names of no key, and conflicts, each once."""
        warnings: dict[frozenset[str], str] = {}
        for action in filter(None, map(self._by_id.get, remapped)):
            for key in self.keys(action, remapped):
                if reason := unusable(key):
                    warnings[frozenset((action.id, key))] = f"{action.in_words}: {reason}"
                for taken, rival in self.conflicts(action, key, remapped):
                    # Both actions report the conflict, so it is filed under both ids and the
                    # shorter key.
                    both = frozenset((action.id, rival.id, min(taken, key, key=len)))
                    keys = " and ".join(
                        f"‘{key_name(shown_key)}’" for shown_key in dict.fromkeys((key, taken))
                    )
                    words = f"keys in conflict: {keys}: {action.in_words}, {rival.in_words}"
                    warnings.setdefault(both, words)
        return list(warnings.values())


def begins(first: str, chord: str) -> bool:
    """Whether a key is the first one of a chord."""
    return chord.startswith(f"{first} ")


def normal(key: str) -> str:
    """A key or chord as bindings have it: `?` is `question_mark`."""
    return " ".join(_character_to_key(part) if len(part) == 1 else part for part in key.split())


def unusable(key: str) -> str:
    """Why a key or chord cannot be pressed; empty if it can."""
    parts = key.split(" ")
    if len(parts) > _LONGEST_CHORD:
        return f"‘{key}’ has more than two keys"
    for part in parts:
        if part in UNREACHABLE:
            return f"terminals send {UNREACHABLE[part]} for ‘{key_name(part)}’"
        *modifiers, base = part.split("+")
        is_known = base in _NAMED or len(format_key(base)) == 1
        if not is_known or not _MODIFIERS.issuperset(modifiers):
            return f"‘{part}’ is not the name of a key"
    return ""
