"""The language of the window: text is written in English and looked up when it is shown."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from modelmon.core.messages import Message
from modelmon.core.terminal_safe import without_controls

Language = Literal["system", "en", "zh_CN"]

LANGUAGES: dict[Language, str] = {"system": "System", "en": "English", "zh_CN": "简体中文"}
"""What each is called, in itself: whoever looks for a language reads that one."""

_CHOSEN = "MODELMON_LANGUAGE"
_CONTEXT = ""  # lupdate names no context for plain functions


def mark(text: str) -> str:
    """Names a text that `tr` translates later: for tables that are made at import."""
    return text


def tr(text: str, **values: object) -> str:
    """The text in the window's language, with `{name}` replaced by the value of that name.

    `text` must be a literal, or one that was named by `mark`: translations are looked up by
    it, so that values have to come after. Values that `core` said are translated as well.
    """
    found = QCoreApplication.translate(_CONTEXT, text)
    if not values:
        return found
    return found.format(
        **{name: said(value) if isinstance(value, str) else value for name, value in values.items()}
    )


def said(text: str) -> str:
    """What `core` said, in the window's language; text that is no message of ours as it is."""
    return text.render(_translated) if isinstance(text, Message) else without_controls(text)


def sentences(*texts: str) -> str:
    """One after another, those that are empty left out; a full-width stop brings its own space."""
    return " ".join(filter(None, texts)).replace("。 ", "。")


def _translated(template: str) -> str:
    return QCoreApplication.translate(_CONTEXT, template)


def install(
    app: QCoreApplication, language: Language, folder: Path | None = None
) -> QTranslator | None:
    """Let `tr` find `language`, before anything is shown; None where that is English.

    Without a compiled translation in `folder` (by default ours) the text stays English.
    """
    # What this process starts speaks the same (askpass.py).
    os.environ[_CHOSEN] = language
    name = _of_system() if language == "system" else language
    if name == "en":
        return None
    place = folder or Path(str(resources.files("modelmon.resources") / "translations"))
    translator = QTranslator(app)
    if not translator.load(f"modelmon_{name}", str(place)):
        translator.deleteLater()
        return None
    _install_qts_own(app, name)
    app.installTranslator(translator)
    return translator


def chosen_language() -> Language:
    """What the process that has started this one speaks."""
    return next((each for each in LANGUAGES if each == os.environ.get(_CHOSEN)), "system")


def _install_qts_own(app: QCoreApplication, name: Language) -> None:
    """The texts of Qt's own dialogs and buttons."""
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{name}", folder):
        app.installTranslator(translator)


def _of_system() -> Language:
    """The first of the user's languages that there is, else English."""
    for wanted in QLocale.system().uiLanguages():
        parts = wanted.replace("_", "-").split("-")
        if parts[0] == "en":
            return "en"
        if parts[0] == "zh" and not {"TW", "HK", "MO", "Hant"} & set(parts):
            return "zh_CN"
    return "en"
