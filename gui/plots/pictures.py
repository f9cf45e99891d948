"""Plots as picture files: PNG at twice the resolution, or SVG."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QPoint
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator

from modelmon.core.export.atomic import write_bytes_atomic
from modelmon.gui.look.theme import manager
from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.pens import widths_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from modelmon.gui.plots.frame import PlotFrame

_SCALE = 2


def save_png(plot: PlotFrame, path: Path) -> None:
    """Write `plot` as it looks now, without its buttons. Raises WriteError."""
    pixmap = QPixmap(plot.size() * _SCALE)
    pixmap.setDevicePixelRatio(_SCALE)
    pixmap.fill(manager().theme.panel)
    with _posing(plot, _SCALE):
        plot.render(pixmap)
    picture = QBuffer()
    pixmap.save(picture, "PNG")
    write_bytes_atomic(path, bytes(picture.data().data()))


def save_svg(plot: PlotFrame, path: Path) -> None:
    """Write `plot` as a drawing that can be enlarged. Raises WriteError."""
    drawing = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(drawing)
    generator.setSize(plot.size())
    generator.setViewBox(plot.rect())
    generator.setTitle(plot.accessibleName())
    painter = QPainter(generator)
    with _posing(plot, 1):
        plot.render(painter, QPoint())
    painter.end()
    write_bytes_atomic(path, bytes(drawing.data().data()))


@contextmanager
def _posing(plot: PlotFrame, ratio: float) -> Iterator[None]:
    canvases = plot.findChildren(Canvas)
    focused = plot.focusWidget()
    if focused is not None:
        # A focus ring is no part of the picture, and a hidden button would pass it on.
        focused.clearFocus()
    plot.header.set_buttons_shown(shown=False)
    for canvas in canvases:
        canvas.set_export_mode(on=True)
    try:
        with widths_for(ratio):
            plot.apply_theme(manager().theme)
            yield
    finally:
        for canvas in canvases:
            canvas.set_export_mode(on=False)
        plot.header.set_buttons_shown(shown=True)
        plot.apply_theme(manager().theme)
        if focused is not None:
            focused.setFocus()
