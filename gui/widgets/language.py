"""The window's language is in gui/language.py; this name goes once nothing imports it."""

from __future__ import annotations

from modelmon.gui import language

LANGUAGES, Language = language.LANGUAGES, language.Language
install, mark, said, sentences, tr = (
    language.install,
    language.mark,
    language.said,
    language.sentences,
    language.tr,
)
