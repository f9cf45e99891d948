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
    """With the window's controls in place of the terminal's flags."""
    return QCoreApplication.translate(_CONTEXT, CONTROLS.get(template, template))


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


_CONTROLS = (
    (
        Message(
            "For a confidence interval, see the verdict of a comparison (modelmon history show,"
            " modelmon compare)."
        ),
        Message(
            "Speedup: how many times as fast as the runs above. For a confidence interval, use"
            " Compare A/B."
        ),
    ),
    (
        Message("Wait until the disk is idle, then measure again: modelmon doctor PATH --probe"),
        Message("Wait until the disk is idle, then choose Measure the disk again."),
    ),
    (
        Message("Measure: modelmon compare PATH --a mmap --b parallel."),
        Message("Compare mmap (A) with parallel (B)."),
    ),
    (
        Message("Measure the disk to see its limit: modelmon doctor --probe."),
        Message("Measure the disk to see its limit."),
    ),
    (
        Message("Measure the disk to see how fast it could read: modelmon doctor --probe."),
        Message("Measure the disk to see how fast it could read."),
    ),
    (
        Message("To see which functions take the time: modelmon watch --sample."),
        Message("To see which functions take the time, choose Sample what it does."),
    ),
    (
        Message("Test it: modelmon best MODEL --program {preset} {more}."),
        Message("To test it, choose Test these settings."),
    ),
    (
        Message("Compare its load settings: modelmon best MODEL --program {preset}."),
        Message("Choose Find best to compare its load settings."),
    ),
    (
        Message("Measure the disk to see whether it became slower: modelmon doctor --probe."),
        Message("Measure the disk to see whether it became slower."),
    ),
    (
        Message("Measure the disk again while nothing else uses it: modelmon doctor --probe."),
        Message("Measure the disk again while nothing else uses it."),
    ),
    (
        Message(
            "Clear that cache with --prepare. If the measurement is wrong, repeat it"
            " (doctor --probe)."
        ),
        Message(
            "Clear that cache before each run. If the measurement is wrong, measure the disk again."
        ),
    ),
    (
        Message("Clear the server's cache before each run with --prepare, if you can."),
        Message("Clear the server's cache before each run, if you can."),
    ),
    (
        Message("Clear the cache below this machine's with --prepare, or measure warm starts."),
        Message("Clear the cache below this machine's before each run, or measure warm starts."),
    ),
    (
        Message("Run again without --verify to measure."),
        Message("Run again to measure without checksums."),
    ),
    (
        Message("Close other programs, or load a part with --portion."),
        Message("Close other programs, or use a smaller file."),
    ),
    (
        Message(
            "Stream it (delivery streamed), best with direct I/O; or free memory, or load a "
            "part with --portion."
        ),
        Message("Set Delivery to streamed, best with direct I/O; or free memory."),
    ),
    (
        Message("Leave memory conditioning on; don't use --no-memory-prep for comparisons."),
        Message("Run again: the window prepares memory before each run."),
    ),
    (
        Message(
            "Free memory, load a part (--portion {portion}MiB), stream it (deliver streamed),"
            " or map it (access mmap)."
        ),
        Message("Free memory, set Delivery to streamed, or set Access to mmap."),
    ),
    (
        Message("Leave out --portion."),
        Message("Compare the whole model."),
    ),
    (
        Message(
            "For an untouched time alone:"
            " modelmon run MODEL --strategy {library} --deliver untouched"
        ),
        Message("Set Delivery to usable or owned. Run A or B shows an untouched time on its own."),
    ),
    (
        Message("Use --deliver {other} for both, without --set-a or --set-b for it."),
        Message("Choose the same delivery for both."),
    ),
    (
        Message("Choose delivery streamed, or test only a part (--portion)."),
        Message("Set Delivery to streamed."),
    ),
    (
        Message("Measure cold starts, or test only a part (--portion)."),
        Message("Find the fastest cold start instead."),
    ),
    (
        Message("Run modelmon best again."),
        Message("Start Find best again."),
    ),
    (
        Message("Run modelmon best again with this version."),
        Message("Start Find best again with this version."),
    ),
    (
        Message("See modelmon doctor."),
        Message("See Details under Likely bottlenecks."),
    ),
    (
        Message("See why in the Runs tab or with modelmon history, then compare again."),
        Message("See why in the Runs tab, then compare again."),
    ),
    (
        Message("See modelmon history."),
        Message("See the Runs tab."),
    ),
    (
        Message("Choose its ready sign with --ready, or a longer --limit."),
        Message("Choose another ready sign, or a longer time limit."),
    ),
    (
        Message("Let modelmon watch start it: modelmon watch MODEL -- COMMAND."),
        Message("Let modelmon start it: type its command in Watch."),
    ),
    (
        Message("Start it with modelmon watch."),
        Message("Start it with Watch."),
    ),
    (
        Message("The storage hangs or is very slow: check its mount, or give more --seconds."),
        Message("The storage hangs or is very slow. Check its mount."),
    ),
    (
        Message("Install it there, or give the Python that has it (--at)."),
        Message("Install it there, or give the path of the Python that has it."),
    ),
    (
        Message("{why} Watch it with --pid {pid}, and load the model there."),
        Message("{why} Watch it by its process number, {pid}, and load the model there."),
    ),
    (
        Message("Raise --hz, or load a larger model for curves."),
        Message("Load a larger model for curves."),
    ),
    (
        Message("Read the events faster, or lower --hz."),
        Message("Close programs that keep the processors busy."),
    ),
)

CONTROLS: dict[str, str] = dict(_CONTROLS)
"""What to do in the window where the terminal's text names a command or a flag of its own, by the
template of the terminal's message.
"""
