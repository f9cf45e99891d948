"""Asks where to keep what a plot shows, and writes it there: a picture, or its figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import write_text_atomic
from modelmon.gui.language import tr
from modelmon.gui.plots.pictures import save_svg

if TYPE_CHECKING:
    from modelmon.gui.plots.frame import PlotFrame

_FILTERS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)", "csv": "CSV (*.csv)"}


def ask_where_to_save(plot: PlotFrame, name: str) -> None:
    """Ask for a file; its suffix says whether it becomes a picture or a table."""
    dialog = QFileDialog(plot, tr("Save plot"), f"{name.lower()}.png")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    kinds = {kind: _FILTERS[kind] for kind in _FILTERS if kind != "csv" or plot.has_table}
    dialog.setNameFilters(list(kinds.values()))
    dialog.setDefaultSuffix("png")
    dialog.filterSelected.connect(
        lambda chosen: dialog.setDefaultSuffix(
            next(kind for kind, words in kinds.items() if words == chosen)
        )
    )
    dialog.fileSelected.connect(lambda path: save(plot, Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def save(plot: PlotFrame, path: Path) -> None:
    """Write a picture, or a table where the name ends in `.csv`; say so or why not."""
    try:
        match path.suffix.lower():
            case ".csv" if plot.has_table:
                write_text_atomic(path, plot.csv_text())
            case ".svg":
                save_svg(plot, path)
            case _:
                plot.save_png(path)
    except ModelmonError as error:
        plot.failed.emit(error)
    else:
        plot.notice.emit(tr("Saved {path}.", path=path))


def copy_csv(plot: PlotFrame) -> None:
    """Put the figures of a plot on the clipboard, as a table with a heading."""
    if plot.has_table and not plot.is_empty:
        text = plot.csv_text()
        QGuiApplication.clipboard().setText(text)
        plot.notice.emit(tr("Copied {rows} rows as CSV.", rows=text.count("\n") - 1))
