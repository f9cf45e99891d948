"""Writes what a plot shows where a person wants it: a picture, PNG or SVG, or its figures."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import write_bytes_atomic, write_text_atomic
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.header import HEADER_PX
from modelmon.gui.plots.pens import widths_for
from modelmon.gui.widgets.tables import markdown_of_csv
from modelmon.gui.widgets.theme import manager, set_icon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from modelmon.gui.plots.frame import PlotFrame

_FILTERS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)", "csv": "CSV (*.csv)"}
_SCALE = 2


def kinds_of(plot: PlotFrame) -> list[str]:
    """What it can be saved as; the suffix of a name says which that is."""
    return [words for kind, words in _FILTERS.items() if kind != "csv" or plot.has_table]


def save(plot: PlotFrame, path: Path) -> None:
    """Write a picture, or a table where the name ends in `.csv`; say so or why not."""
    try:
        match path.suffix.lower():
            case ".csv" if plot.has_table:
                write_text_atomic(path, plot.csv_text())
            case ".svg":
                save_svg(plot, path)
            case _:
                save_png(plot, path)
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


def copy_markdown(plot: PlotFrame) -> None:
    """Put the figures of a plot on the clipboard, as a table for an issue or a page."""
    text = plot.csv_text()
    QGuiApplication.clipboard().setText(markdown_of_csv(text))
    plot.notice.emit(tr("Copied {rows} rows as Markdown.", rows=text.count("\n") - 1))


def copy_picture(plot: PlotFrame) -> None:
    """Put `plot` as it looks now on the clipboard."""
    QGuiApplication.clipboard().setPixmap(_picture(plot))
    plot.notice.emit(tr("Copied the plot as a picture."))


def save_png(plot: PlotFrame, path: Path) -> None:
    """Write `plot` as it looks now, without its buttons. Raises WriteError."""
    picture = QBuffer()
    _picture(plot).save(picture, "PNG")
    write_bytes_atomic(path, bytes(picture.data().data()))


def offer_picture(widget: QWidget) -> None:
    """Let the menu of a chart put it as it looks now on the clipboard."""

    def copy() -> None:
        pixmap = _blank(widget.size())
        painter = QPainter(pixmap)
        widget.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
        painter.end()
        QGuiApplication.clipboard().setPixmap(pixmap)

    action = QAction(tr("Copy as picture"), widget)
    set_icon(action, "copy")
    action.triggered.connect(copy)
    widget.addAction(action)
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def _picture(plot: PlotFrame) -> QPixmap:
    pixmap = _blank(_size(plot))
    painter = QPainter(pixmap)
    _render(plot, painter, _SCALE)
    painter.end()
    return pixmap


def _blank(size: QSize) -> QPixmap:
    pixmap = QPixmap(size * _SCALE)
    pixmap.setDevicePixelRatio(_SCALE)
    pixmap.fill(manager().theme.panel)
    return pixmap


def save_svg(plot: PlotFrame, path: Path) -> None:
    """Write `plot` as a drawing that can be enlarged. Raises WriteError."""
    drawing = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(drawing)
    generator.setSize(_size(plot))
    generator.setViewBox(QRect(QPoint(), _size(plot)))
    generator.setTitle(plot.accessibleName())
    painter = QPainter(generator)
    _render(plot, painter, 1)
    painter.end()
    write_bytes_atomic(path, bytes(drawing.data().data()))


def _size(plot: PlotFrame) -> QSize:
    """Of a picture, which has the legend above the plot, also where that lies elsewhere."""
    return plot.size() + QSize(0, 0 if plot.has_header else HEADER_PX)


def _render(plot: PlotFrame, painter: QPainter, ratio: float) -> None:
    header = plot.header
    with _posing(plot, ratio):
        if plot.has_header:
            plot.render(painter, QPoint())
            return
        place = header.geometry()
        header.resize(plot.width(), HEADER_PX)
        try:
            header.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
            plot.render(painter, QPoint(0, HEADER_PX))
        finally:
            header.setGeometry(place)


@contextmanager
def _posing(plot: PlotFrame, ratio: float) -> Iterator[None]:
    canvases = plot.findChildren(Chart)
    focused = plot.focusWidget()
    if focused is not None:
        # A focus ring is no part of the picture, and a hidden button would pass it on.
        focused.clearFocus()
    plot.header.set_buttons_shown(shown=False)
    for canvas in canvases:
        canvas.set_export_mode(on=True)
    try:
        with widths_for(ratio):
            _renew(plot, canvases)
            yield
    finally:
        for canvas in canvases:
            canvas.set_export_mode(on=False)
        plot.header.set_buttons_shown(shown=True)
        _renew(plot, canvases)
        if focused is not None:
            focused.setFocus()


def _renew(plot: PlotFrame, canvases: Iterable[Chart]) -> None:
    for canvas in canvases:
        canvas.renew()
    plot.renew()
