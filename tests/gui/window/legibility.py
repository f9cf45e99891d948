"""Finds what keeps somebody from reading or using a window: text, names, places, empty plots."""

import numpy as np
from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QToolButton,
    QWidget,
)

from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.access_plot import AccessPlot
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.blocks.waterfall import Waterfall
from modelmon.gui.compare.outcome import Outcome
from modelmon.gui.compare.setting_chips import SettingChips
from modelmon.gui.model.machine_details import FactSection
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import TimePlot
from modelmon.gui.widgets.styling import ElidedLabel

NAMED = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)
# Qt makes these inside of controls whose name is theirs.
INNER = ("qt_spinbox_lineedit", "ScrollLeftButton", "ScrollRightButton", "qt_toolbar_ext_button")
TOLERANCE_PX = 1
HEADLINES = ("headline", "title")
LEAST_CANVAS_PX = 40
SEGMENT_PADDING_PX = 18
FIELD_PADDING_PX, ARROW_PX = 16, 32
"""Of a compact field on both sides together, and of a box's arrow."""


def shown(root):
    """Everything in the window that can be seen now, but for parts of controls."""
    return [
        each
        for each in root.findChildren(QWidget)
        if each.isVisible()
        and not each.size().isEmpty()
        and each.objectName() not in INNER
        and not isinstance(each.parentWidget(), QLineEdit)
    ]


def told(widget):
    """A widget in the words of a finding: its class, what it says, and what it lies in."""
    text = getattr(widget, "text", str)()
    above = widget.parentWidget()
    inside = type(above).__name__ if above is not None else "nothing"
    return f"{type(widget).__name__} {text!r} in {inside}, {widget.width()}x{widget.height()}"


def _nameless(seen):
    """Controls that a screen reader has no word for."""
    return [
        told(each)
        for each in seen
        if isinstance(each, NAMED)
        and not isinstance(each, QScrollBar | QHeaderView)
        and not each.accessibleName()
        and not (isinstance(each, QAbstractButton) and each.text().strip())
    ]


def _clipped(seen):
    """Labels and buttons with less room than their text takes."""
    return [told(each) for each in seen if _is_clipped(each)]


def _is_clipped(widget):
    if isinstance(widget, ElidedLabel):
        above = widget.parentWidget()
        if above is not None and not above.rect().contains(widget.geometry()):
            return True
        is_headline = widget.property("role") in HEADLINES
        return not widget.is_whole and (is_headline or not widget.toolTip())
    if isinstance(widget, QLabel):
        if not widget.text():
            return False
        if widget.wordWrap():
            return widget.heightForWidth(widget.width()) > widget.height() + TOLERANCE_PX
        wanted = widget.minimumSizeHint()
    elif isinstance(widget, QPushButton | QToolButton):
        wanted = _content_px(widget)
        if widget.property("role") == "segment":
            # Its text is cut off where the style's padding begins.
            wanted += QSize(SEGMENT_PADDING_PX, 0)
    elif isinstance(widget, QCheckBox | QRadioButton):
        wanted = widget.sizeHint()
    elif isinstance(widget, QComboBox):
        wanted = QSize(_text_px(widget, widget.currentText()) + ARROW_PX, 0)
    elif isinstance(widget, QLineEdit) and not widget.text():
        wanted = QSize(_text_px(widget, widget.placeholderText()) + FIELD_PADDING_PX, 0)
    else:
        return False
    short = wanted.width() > widget.width() + TOLERANCE_PX
    return short or wanted.height() > widget.height() + TOLERANCE_PX


def _text_px(widget, text):
    return widget.fontMetrics().horizontalAdvance(text)


def _content_px(button):
    """The least room for a button's text and icon, without the padding around them."""
    styles = Qt.ToolButtonStyle
    style = button.toolButtonStyle() if isinstance(button, QToolButton) else None
    shows_icon = not button.icon().isNull() and style != styles.ToolButtonTextOnly
    icon_only = shows_icon and style == styles.ToolButtonIconOnly
    text = "" if icon_only else button.text().replace("&", "")
    icon = button.iconSize() if shows_icon else QSize()
    metrics = button.fontMetrics()
    height = max(metrics.height() if text else 0, icon.height())
    return QSize(metrics.horizontalAdvance(text) + max(0, icon.width()), height)


def _unexplained(seen):
    """Figures, series and settings that don't say what they are."""
    found = [told(each) for each in seen if isinstance(each, LegendEntry) and not each.about]
    for each in seen:
        if isinstance(each, FactSection):
            found += [name for name, tip in each.tool_tips.items() if not tip]
        elif isinstance(each, Outcome):
            metrics = [metric for metric in each.metrics if metric.isVisible()]
            found += [metric.accessibleName() for metric in metrics if not metric.toolTip()]
        elif isinstance(each, SettingChips):
            found += [name for name, chip in each.shown.items() if not chip.toolTip()]
    return found


def _low(seen):
    """Plots in which nothing can be made out."""
    canvases = [each for each in seen if isinstance(each, Chart)]
    return [told(each) for each in canvases if each.size_px[1] < LEAST_CANVAS_PX]


def _overlapping(seen):
    """Neighbours of one layout that cover each other."""
    found = []
    neighbours = {}
    for each in seen:
        above = each.parentWidget()
        layout = above.layout() if above is not None else None
        # Not itemAt: shiboken goes on knowing items that Qt has deleted, by their addresses.
        if layout is not None and layout.indexOf(each) >= 0:
            neighbours.setdefault(layout, []).append(each)
    for laid_out in neighbours.values():
        for at, one in enumerate(laid_out):
            for other in laid_out[at + 1 :]:
                common = QRect(one.geometry()).intersected(other.geometry())
                if not common.isEmpty():
                    found.append(f"{told(one)} and {told(other)}")
    return found


def settled(widget):
    """Let layouts and their followers come to rest."""
    widget.update()
    for _ in range(3):
        QApplication.processEvents()
    # A frame may have been drawn last: its labels wait for their new places.
    for _ in range(5):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def findings(root):
    """What keeps somebody from reading or using it; empty where nothing does."""
    settled(root)
    seen = shown(root)
    found = {
        "no name": _nameless(seen),
        "unexplained": _unexplained(seen),
        "clipped": _clipped(seen),
        "low": _low(seen),
        "covered": _overlapping(seen),
    }
    return {kind: each for kind, each in found.items() if each}


def blank_plots(root):
    """Plots that are shown and empty without a word."""
    plots = [each for each in root.findChildren(PlotFrame) if each.isVisible()]
    return [type(plot).__name__ for plot in plots if not (_sentence(plot) or _draws(plot))]


def drawn_plots(root):
    """Plots that are shown with something in them."""
    plots = [each for each in root.findChildren(PlotFrame) if each.isVisible()]
    return {type(plot).__name__ for plot in plots if not plot.is_empty and _draws(plot)}


def _sentence(plot):
    return plot.is_empty and bool(plot.empty_label.text().strip())


def _draws(plot):
    if isinstance(plot, AccessPlot):
        return plot.draws
    if isinstance(plot, TimePlot):
        return any(np.isfinite(trace.line.at_y).any() for trace in plot.traces.values())
    if isinstance(plot, BlockTimings):
        return any(plot.arm_bars[label].bars.rects for label in ARMS)
    if isinstance(plot, Waterfall):
        return any(any(plot.rows.marks(label)) for label in ARMS)
    if isinstance(plot, AccessMap):
        maps = [each for each in plot.maps.values() if each.isVisible()]
        return any(each.requests is not None and len(each.requests) > 0 for each in maps)
    if isinstance(plot, PageCache):
        return any(row.looks or row.reason for row in plot.lines.rows)
    raise TypeError(f"{type(plot).__name__} is a plot that nobody looks into here")
