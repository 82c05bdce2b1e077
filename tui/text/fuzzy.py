"""Fuzzy search: ranks candidates by how well they match a query.

Every word of the query must match, in any order; a substring counts most, more at the start of a
word than within one; scattered letters count by the word starts they hit and by their distance, and
at least two must start words. Case, accents and punctuation are ignored.
"""

import re
import unicodedata
from collections.abc import Sequence

_BETWEEN_WORDS = str.maketrans(dict.fromkeys("-_/\\.,:;!?()[]{}#@'\"“”‘’–—&+*=|<>", " "))
_WORD, _WORD_START, _WITHIN = 100, 80, 60
_INITIALS, _LETTERS_NEAR, _LETTERS = 50, 30, 10
_FEW = 3
_LONGEST_QUERY = 200
_LENGTHS = 1000
_MARKS = re.compile("[\u0300-\u036f]+")


def fold(text: str) -> str:
    """The text without case and accents, for comparison: `muller` finds Müller."""
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())).casefold()


class Index:
    """Candidates prepared for repeated ranking."""

    def __init__(self, candidates: Sequence[str]) -> None:
        self._folded = [f" {fold(text).translate(_BETWEEN_WORDS)} " for text in candidates]

    def rank(self, query: str) -> list[int]:
        """The indices of matching candidates, best first; all, in order, for an empty query.

        Of equal matches the shorter text comes first, then the original order.
        """
        parts = fold(query[:_LONGEST_QUERY]).translate(_BETWEEN_WORDS).split()
        found = range(len(self._folded))
        scores: dict[int, int] = dict.fromkeys(found, 0)
        for part in parts:
            scores = self._narrowed(part, scores)
        if not parts:
            return list(found)
        folded = self._folded
        keys = {
            index: -score * _LENGTHS + min(len(folded[index]), _LENGTHS - 1)
            for index, score in scores.items()
        }
        return sorted(keys, key=keys.__getitem__)

    def _narrowed(self, part: str, scores: dict[int, int]) -> dict[int, int]:
        """The candidates that match another word, with its score added."""
        start, word = f" {part}", f" {part} "
        letters = _Letters(part)
        found: dict[int, int] = {}
        for index, score in scores.items():
            text = self._folded[index]
            if start in text:
                found[index] = score + (_WORD if word in text else _WORD_START)
            elif part in text:
                found[index] = score + _WITHIN
            elif len(part) > 1 and (apart := letters.score(text)):
                found[index] = score + apart
        return found


def rank(query: str, candidates: Sequence[str]) -> list[int]:
    """The indices of matching candidates, best first; see `Index.rank`."""
    return Index(candidates).rank(query)


def places(query: str, text: str) -> list[int]:
    """The indices of the letters of a text that match a query; see `Index.rank`."""
    parts = fold(query[:_LONGEST_QUERY]).translate(_BETWEEN_WORDS).split()
    if not parts:
        return []
    letters = [
        (place, sign)
        for place, letter in enumerate(text)
        for sign in fold(letter).translate(_BETWEEN_WORDS)
    ]
    folded = f" {''.join(sign for _, sign in letters)} "
    found: set[int] = set()
    for part in parts:
        at = folded.find(f" {part}") + 1 or folded.find(part)
        together = range(at, at + len(part)) if at > 0 else None
        found.update(letters[each - 1][0] for each in together or _apart(part, folded))
    return sorted(found)


def _apart(part: str, text: str) -> list[int]:
    """The indices of scattered letters of a word, at starts of words if possible."""
    for starts in (len(part), 1, 0) if len(part) >= _FEW else (len(part),):
        found, at = [], 0
        for number, letter in enumerate(part):
            sign = f" {letter}" if number < starts else letter
            at = text.find(sign, at) + len(sign)
            if at < len(sign):
                break
            found.append(at - 1)
        else:
            return found
    return []


class _Letters:
    """The letters of a word, matched one by one in order."""

    def __init__(self, part: str) -> None:
        self._are_few = len(part) < _FEW
        letters = [re.escape(letter) for letter in part]
        nexts = "".join(f"(?>[^{letter}]*){letter}" for letter in letters[1:])
        self._anywhere = re.compile(f"(?>[^{letters[0]}]*){letters[0]}{nexts}").match
        self._from_a_start = re.compile(f"(?>.*? {letters[0]}){nexts}").match
        self._starts = re.compile("".join(f"(?>.*? {letter})" for letter in letters)).match
        self._first = f" {part[0]}"

    def score(self, text: str) -> int:
        """The score by word starts and distance; 0 for no match."""
        if not self._are_few and not self._anywhere(text):
            return 0
        if self._starts(text):
            return _INITIALS
        if self._are_few:
            return 0
        near = self._from_a_start(text)
        if not near:
            return _LETTERS
        return max(_LETTERS, _LETTERS_NEAR - (near.end() - text.find(self._first)) // 2)
