"""Sentences that `core` made, in the window's language.

`core` knows no language but English and puts its figures in where it makes a sentence. So its
sentences are recognised by their form: `waits {0} of the time` with anything in the place of
`{0}`, or `{0:n} of {1:n}` with nothing but figures there. The forms are the sources of a Qt
Linguist file of their own. Text that no form fits is taken apart into lines, sentences and
listed parts (`, ` and `; ` may be translated as well); what is not known then stays English.
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

_SENTENCES = re.compile(r"(?<=[.?!)]) (?=[A-Z(])|(?<=[.?!]) (?=[0-9])")
# Not within parentheses.
_PARTS = re.compile(r"(, |; )(?![^(]*\))")
# A value ends where its sentence does.
_VALUE = r"((?:(?![.?!] [A-Z(]).)*?)"
_UNIT = r"%|[kKMGTP]?i?B(?:/s)?|[mµn]?s|min|h|GHz"
_FIGURE = rf"\d[\d,.]*(?: (?:{_UNIT}))?(?: \d+ (?:s|min))?"
_FIGURES_ONLY = re.compile(f"(?:{_FIGURE})?")
_KEPT = 4096


class _Form(NamedTuple):
    """A form with places for values, and its translation; `weight` is its own letters.

    `sign` is its longest literal: to look for it costs far less than to try the pattern.
    """

    pattern: re.Pattern[str]
    translation: str
    weight: int
    sign: str


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
        if text.isspace() or _FIGURES_ONLY.fullmatch(text):
            return text
        whole = self._known(text)
        if whole is not None:
            return whole
        if "\n" in text:
            return "\n".join(self.translate(line) for line in text.split("\n"))
        sentences = _SENTENCES.split(text)
        return self._sentences(sentences) if len(sentences) > 1 else self._listed(text)

    def _sentences(self, sentences: list[str]) -> str:
        """The sentences one after another; only those that stay English end with a space."""
        told = [(sentence, self.translate(sentence)) for sentence in sentences]
        return "".join(
            f"{sentence} " if found == sentence else found for sentence, found in told
        ).rstrip(" ")

    def _listed(self, text: str) -> str:
        """The parts of a list, with what this language puts between them."""
        parts = _PARTS.split(text)
        if len(parts) == 1:
            return text
        found = [self.translate(part) for part in parts[::2]]
        if found == parts[::2]:
            return text
        between = [self._plain.get(sign, sign) for sign in parts[1::2]]
        return "".join(part + sign for part, sign in zip(found, [*between, ""], strict=True))

    def _known(self, text: str) -> str | None:
        plain = self._plain.get(text)
        if plain is not None:
            return plain
        for form in self._forms:
            match = form.pattern.fullmatch(text) if form.sign in text else None
            if match is not None:
                values = [self.translate(value or "") for value in match.groups()]
                return form.translation.format(*values)
        return None


def _form(source: str, translation: str) -> _Form:
    pattern, places = "", 0
    literals: list[str] = []
    for literal, name, kind, _ in string.Formatter().parse(source):
        pattern += re.escape(literal)
        literals.append(literal)
        if name is not None:
            if name != str(places) or kind not in ("", "n"):
                raise ValueError(
                    f"{source!r}: places are numbered from 0, in order, {{0}} or {{0:n}}"
                )
            pattern += f"({_FIGURE})" if kind else _VALUE
            places += 1
    weight = sum(character.isalpha() for literal in literals for character in literal)
    return _Form(re.compile(pattern, re.DOTALL), translation, weight, max(literals, key=len))


def _messages(path: Path) -> Iterator[tuple[str, str]]:
    for message in ET.parse(path).iter("message"):
        translation = message.find("translation")
        if translation is not None and translation.get("type") is None and translation.text:
            yield message.findtext("source", ""), translation.text
