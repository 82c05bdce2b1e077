"""Fuzzy search: ranks candidates by how well they match a query.

Every word of the query must match, in any order; a substring counts most, more at the start of a
word than within one. Where no candidate has the letters of a word together, they may be scattered:
from the start of a word on, at most three times as long as the word; the initials of words count
more, also beside substrings. Case, accents and punctuation are ignored.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from tui.text.clean import unescaped

_BETWEEN_WORDS = str.maketrans(dict.fromkeys("-_/\\.,:;!?()[]{}#@'\"“”‘’–—&+*=|<>", " "))
_WORD, _WORD_START, _WITHIN = 100, 80, 60
_INITIALS, _LETTERS_NEAR = 50, 30
_FEW = 3
_SPREAD = 3
"""The letters of a word may be scattered over at most so many times its length."""
_NAME = 40
"""In a text up to this length, initials may skip the words between them."""
_LONGEST_QUERY = 200
_LENGTHS = 1000
_LONG = 160
"""A text from this length on has nearly any letters scattered over it, so they do not count."""
_ENOUGH, _MANY = 300, 2_000
_MARKS = re.compile("[\u0300-\u036f]+")
_TAG = re.compile(r"<[^<>]*>")
_BLANKS = str.maketrans("-_", "  ")


def fold(text: str) -> str:
    """The text without case and accents, for comparison: `muller` finds Müller."""
    if text.isascii():
        return text.lower()
    # Folded again, as the decomposition of a compatibility character may be a capital letter.
    return _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())).casefold()


def folded_words(markup: str) -> str:
    """The folded words of a text in HTML, with one blank between them."""
    return fold(" ".join(unescaped(_TAG.sub(" ", markup)).split()))


def comparable(name: str) -> str:
    """A name without case, accents and signs between words, unless it has nothing else."""
    folded = fold(name)
    return " ".join(folded.translate(_BLANKS).split()) or folded or name


def _parts(query: str) -> list[str]:
    return fold(query[:_LONGEST_QUERY]).translate(_BETWEEN_WORDS).split()


class Index:
    """Candidates prepared for repeated ranking; each may have other words that it is found by."""

    def __init__(self, candidates: Iterable[str] = (), words: Sequence[str] = ()) -> None:
        self._folded: list[str] = []
        self._lengths: list[int] = []
        self.extend(candidates)
        for index, more in enumerate(words):
            # They find a candidate, but do not count for its length, which decides between equals.
            self._folded[index] += f"{fold(more).translate(_BETWEEN_WORDS)} "

    def extend(self, candidates: Iterable[str]) -> None:
        """Add candidates at the end."""
        start = len(self._folded)
        self._folded += [f" {fold(text).translate(_BETWEEN_WORDS)} " for text in candidates]
        self._lengths += map(len, self._folded[start:])

    def rank(self, query: str, bonus: Sequence[int] = ()) -> list[int]:
        """The indices of matching candidates, best first; all, in order, for an empty query.

        Of equal matches the shorter text comes first, then the original order. `bonus` is added to
        the score of each candidate; a match within a word has 60, at its start 80.
        """
        parts = _parts(query)
        lengths = self._lengths
        if not parts:
            return list(range(len(lengths)))
        scores: dict[int, int] = dict.fromkeys(range(len(lengths)), 0)
        for part in parts:
            scores = self._narrowed(part, scores)
        if bonus:
            scores = {index: score + bonus[index] for index, score in scores.items()}
        # One number in place of a pair: the length decides only between equal scores.
        keys = {
            index: -score * _LENGTHS + min(lengths[index], _LENGTHS - 1)
            for index, score in scores.items()
        }
        return sorted(keys, key=keys.__getitem__)

    def together(self, query: str, among: Sequence[int]) -> Sequence[int]:
        """Those of some candidates that have the letters of each word together; all if none has."""
        indices = among
        for part in _parts(query):
            indices = [index for index in indices if part in self._folded[index]]
        return indices or among

    def _narrowed(self, part: str, scores: dict[int, int]) -> dict[int, int]:
        # Scattered letters do not count where hundreds of candidates have them together, and of
        # thousands of candidates they find the first hundreds only.
        folded, start, word = self._folded, f" {part}", f" {part} "
        matches: dict[int, int] = {}
        for index in [index for index in scores if part in folded[index]]:
            text = folded[index]
            if start in text:
                matches[index] = scores[index] + (_WORD if word in text else _WORD_START)
            else:
                matches[index] = scores[index] + _WITHIN
        if len(part) > 1 and len(matches) < _ENOUGH:
            most = _ENOUGH if len(scores) > _MANY else len(scores)
            letters = _Letters(part)
            score = letters.of_initials if matches else letters.score
            for index in [index for index in scores if index not in matches]:
                if apart := score(folded[index]):
                    matches[index] = scores[index] + apart
                    if len(matches) > most:
                        break
        return matches


def rank(query: str, candidates: Sequence[str]) -> list[int]:
    """The indices of matching candidates, best first; see `Index.rank`."""
    return Index(candidates).rank(query)


def places(query: str, text: str) -> list[int]:
    """The indices of the letters of a text that match a query; see `Index.rank`."""
    parts = _parts(query)
    if not parts:
        return []
    # A letter may fold to several signs or to none, so that each sign keeps its place.
    letters = [
        (place, sign)
        for place, letter in enumerate(text)
        for sign in fold(letter).translate(_BETWEEN_WORDS)
    ]
    folded = f" {''.join(sign for _, sign in letters)} "
    indices: set[int] = set()
    for part in parts:
        at = folded.find(f" {part}") + 1 or folded.find(part)
        together = range(at, at + len(part)) if at > 0 else None
        indices.update(
            letters[position - 1][0] for position in together or _scattered(part, folded)
        )
    return sorted(indices)


def _scattered(part: str, text: str) -> list[int]:
    # First with all letters at starts of words, then with the first one, then anywhere.
    for starts in (len(part), 1, 0) if len(part) >= _FEW else (len(part),):
        indices, at = [], 0
        for number, letter in enumerate(part):
            sign = f" {letter}" if number < starts else letter
            at = text.find(sign, at) + len(sign)
            if at < len(sign):
                break
            indices.append(at - 1)
        else:
            return indices
    return []


class _Letters:
    """The letters of a word, matched one by one in order."""

    def __init__(self, part: str) -> None:
        letters = [re.escape(letter) for letter in part]
        # Atomic groups: with backtracking a row of equal letters would be tried in very many ways.
        nexts = "".join(f"(?>[^{letter}]*){letter}" for letter in letters[1:])
        self._starts = re.compile("".join(f"(?>.*? {letter})" for letter in letters)).match
        self._row = re.compile(" " + "[^ ]* +".join(letters)).search
        self._from_a_start = re.compile(f" {letters[0]}{nexts}").match
        self._first = f" {part[0]}"
        self._is_short, self._most = len(part) < _FEW, _SPREAD * len(part)

    def of_initials(self, text: str) -> int:
        """The score if each letter begins a word, in a long text words in a row; otherwise 0."""
        return _INITIALS if (self._starts if len(text) <= _NAME else self._row)(text) else 0

    def score(self, text: str) -> int:
        """The score; 0 if the letters are not there, or too far from each other."""
        if len(text) >= _LONG:
            return 0
        if (initials := self.of_initials(text)) or self._is_short:
            return initials
        at, nearest = text.find(self._first), self._most + 1
        while at >= 0:
            if near := self._from_a_start(text, at):
                nearest = min(nearest, near.end() - at - 1)
            at = text.find(self._first, at + 1)
        return _LETTERS_NEAR - nearest // 2 if nearest <= self._most else 0
