"""What modelmon says of one model on one storage, by its command line and its window."""

import json

from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)
from tests.system.commands import modelmon
from tests.system.windows import idle, opened, shown_window

from modelmon.core.load.config import PRESETS


def walked(qtbot, path, folder):
    """The documents and texts of a walk; what is not asked for again is as a person would see it
    after it: `doctor` in text rests on the probe of `doctor --probe`.
    """
    told = {"texts": {}, "runs": {}}
    try:
        for step in (_doctor, _runs, _compare_and_best, _watch):
            step(told, qtbot, path, folder)
    finally:
        (folder / "told.json").write_text(json.dumps(told, indent=1))
    return told


def _doctor(told, _qtbot, path, _folder):
    told["doctor"] = _asked("doctor", "--probe", path, "--json")
    told["texts"]["doctor"] = _said("doctor", path, "--all")
    told["texts"]["inspect"] = _said("inspect", path)


def _runs(told, _qtbot, path, _folder):
    # Twice, by turns: one run may have met another program's.
    for name in (*PRESETS, *(f"{preset} again" for preset in PRESETS)):
        strategy = name.removesuffix(" again")
        told["runs"][name] = _asked("run", path, "--strategy", strategy, "--json")
        told["texts"][f"run {name}"] = _said("history", "show", len(told["runs"]))


def _compare_and_best(told, qtbot, path, folder):
    for name, words in (
        ("compare", ("--repeats", 5, "--out")),
        ("best", ("--time-limit", "20s", "--out")),
    ):
        saved, toml = folder / f"{name}.json", folder / f"{name}.toml"
        told["texts"][name] = _said(name, path, *words, saved)
        told[name] = json.loads(saved.read_text())
        told["texts"][f"export {name}"] = _said("export", saved, "--for", "all")
        told[f"export {name}"] = _asked("export", saved, "--for", "all", "--format", "json")
        _said("export", saved, "--out", toml)
        told["texts"][f"toml {name}"] = toml.read_text()
        told["texts"][f"window {name}"] = _window_texts(qtbot, path, folder / "window.ini")


def _watch(told, _qtbot, path, _folder):
    """A program that reads as fast as it can, and lets its user wait for something else."""
    program = ("watch", path, "--ready", "exit")
    command = ("--", "sh", "-c", f"cat {path} > /dev/null; sleep 3")
    told["texts"]["watch"] = _said(*program, *command)
    told["watch"] = _asked(*program, "--json", *command)


def _said(*words):
    done = modelmon(*words)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def _asked(*words):
    return json.loads(_said(*words))


def _window_texts(qtbot, path, settings):
    """Of the window that opens the model and shows what was measured last, with each dialog that
    stands behind Details.
    """
    with shown_window(qtbot, settings) as window:
        opened(qtbot, window, path)
        qtbot.waitUntil(lambda: window.machine.diagnosis is not None)
        idle(qtbot, window)
        qtbot.wait(1000)
        texts = _texts_of(window)
        for button in window.findChildren(QPushButton):
            if button.isVisible() and button.text().strip().startswith("Details"):
                button.click()
        for dialog in QApplication.topLevelWidgets():
            if dialog.isVisible() and dialog is not window:
                texts += _texts_of(dialog)
                dialog.close()
    return "\n".join(texts)


def _texts_of(window):
    """Each visible text with its tool tip, in the order in which the widgets were made."""
    found = []
    for widget in filter(QWidget.isVisible, window.findChildren(QWidget)):
        if isinstance(widget, (QTextEdit, QPlainTextEdit)):
            found.append(widget.toPlainText())
        elif isinstance(widget, QLabel) or widget.property("role") == "chip":
            found += [getattr(widget, "whole", "") or widget.text(), widget.toolTip()]
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found += _rows_of(widget.model())
    return [text for text in dict.fromkeys(found) if text]


def _rows_of(model):
    columns = range(model.columnCount())
    for row in range(model.rowCount()):
        yield "  ".join(str(model.index(row, at).data() or "") for at in columns)
