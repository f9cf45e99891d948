"""Sentences that `core` made, in the window's language.

`core` knows no language but English and puts its figures in where it makes a sentence. So its
sentences are recognised by their form: `waits {0} of the time` with anything in the place of
`{0}`. The forms are the sources of a Qt Linguist file of their own; what none of them fits
stays English.
"""

from __future__ import annotations

import re
import string
import xml.etree.ElementTree as ET
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z0-9])")
# A value ends where its sentence does.
_VALUE = r"((?:(?![.?!] [A-Z]).)*?)"
_KEPT = 4096


class _Form(NamedTuple):
    """A form with places for values, and its translation; `weight` is its own letters."""

    pattern: re.Pattern[str]
    translation: str
    weight: int


class Phrases:
    """One language's translations of what `core` says."""

    def __init__(self, messages: Iterable[tuple[str, str]]) -> None:
        self._plain: dict[str, str] = {}
        forms: list[_Form] = []
        for source, translation in messages:
            if "{" in source:
                forms.append(_form(source, translation))
            else:
                self._plain[source] = translation
        # The form that says most itself is the one that was meant.
        self._forms = sorted(forms, key=lambda form: -form.weight)
        self.translate = lru_cache(_KEPT)(self._translate)

    @classmethod
    def read(cls, path: Path) -> Phrases:
        """From a .ts file; unfinished translations are left out."""
        return cls(_messages(path))

    def _translate(self, text: str) -> str:
        """The text in this language, or as it is."""
        if not text or text.isspace():
            return text
        whole = self._known(text)
        if whole is not None:
            return whole
        sentences = _SENTENCES.split(text)
        if len(sentences) == 1:
            return text
        found = [self._known(sentence) for sentence in sentences]
        if all(sentence is None for sentence in found):
            return text
        return "".join(
            translated or f"{sentence} "
            for sentence, translated in zip(sentences, found, strict=True)
        ).rstrip()

    def _known(self, text: str) -> str | None:
        plain = self._plain.get(text)
        if plain is not None:
            return plain
        for form in self._forms:
            match = form.pattern.fullmatch(text)
            if match is not None:
                values = [self.translate(value or "") for value in match.groups()]
                return form.translation.format(*values)
        return None


def _form(source: str, translation: str) -> _Form:
    pattern, weight, places = "", 0, 0
    for literal, name, _, _ in string.Formatter().parse(source):
        pattern += re.escape(literal)
        weight += sum(character.isalpha() for character in literal)
        if name is not None:
            if name != str(places):
                raise ValueError(f"{source!r}: places are numbered from 0, in order")
            pattern += _VALUE
            places += 1
    return _Form(re.compile(pattern, re.DOTALL), translation, weight)


def _messages(path: Path) -> Iterator[tuple[str, str]]:
    for message in ET.parse(path).iter("message"):
        translation = message.find("translation")
        if translation is not None and translation.get("type") is None and translation.text:
            yield message.findtext("source", ""), translation.text
