"""A popup form that changes one, several or all axes of an arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QSpinBox, QVBoxLayout, QWidget

from modelmon.core.load.config import CHOICES, NO_LIBRARY, RANGES, SIZES
from modelmon.core.load.libraries import registry
from modelmon.core.load.rules import obstacle
from modelmon.core.units import GIB, KIB, MIB, request_text
from modelmon.gui.styling import label, styled

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig

_SIZES_BYTES = {
    "chunk_bytes": (64 * KIB, 256 * KIB, MIB, 2 * MIB, 4 * MIB, 16 * MIB, 64 * MIB),
    "prefetch_bytes": (0, 16 * MIB, 64 * MIB, 256 * MIB, GIB),
}

AXIS_NAMES = {
    "access": "access",
    "order": "order",
    "readers": "readers",
    "reader_kind": "reader kind",
    "ranks": "ranks",
    "rank_share": "each rank loads",
    "descriptor": "descriptor",
    "chunk_bytes": "request size",
    "warmup": "warm-up",
    "prefetch_bytes": "read ahead",
    "advice": "advice",
    "deliver": "deliver",
    "huge_pages": "huge pages",
    "library": "library",
}
AXIS_HELP = {
    "access": "mmap maps the file and touches every page; read goes through the page cache; "
    "direct goes past it; auto chooses by what is cached.",
    "order": "file goes by offset; model goes block by block; random is the worst case, seeded.",
    "readers": "How many readers share the work. Each byte is read by exactly one of them.",
    "reader_kind": "Whether the readers are threads of one process or processes.",
    "ranks": "How many processes load at once, as the workers of several GPUs do.",
    "rank_share": "Whether each rank loads the whole model or its tensor-parallel slice.",
    "descriptor": "own opens the file once per reader; shared hands one descriptor to all.",
    "chunk_bytes": "Size of one request.",
    "warmup": "Fills the page cache first; its time counts. read reads, readahead and willneed "
    "tell the kernel to, populate maps every page at once.",
    "prefetch_bytes": "How far a second thread reads ahead of each reader.",
    "advice": "What the kernel is told about the access pattern.",
    "deliver": "usable: each byte can be reached without further I/O. owned: it is in private "
    "memory. streamed: it passes through a small buffer. decoded: it becomes float32. "
    "The same for A and B.",
    "huge_pages": "Whether private memory asks for pages of 2 MiB.",
    "library": "A library that loads as its users call it, to measure against.",
}


class AxisEditor(QFrame):
    """Edits `axes` of `config`; each change is `edited` at once as axis and text."""

    edited = Signal(str, str)

    def __init__(
        self, title: str, axes: tuple[str, ...], config: LoadConfig, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        styled(self, "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(label(title, "heading"))
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setHorizontalSpacing(16)
        column.addLayout(form)
        self.fields: dict[str, QWidget] = {}
        for axis in axes:
            field = self._field(axis, config)
            field.setToolTip(field.toolTip() or AXIS_HELP[axis])
            field.setAccessibleName(AXIS_NAMES[axis])
            self.fields[axis] = field
            name = label(AXIS_NAMES[axis], "label")
            name.setMinimumHeight(field.sizeHint().height())
            form.addRow(name, field)
        if len(axes) <= 2:
            for axis in axes:
                text = label(AXIS_HELP[axis], "hint", wrap=True)
                text.setMinimumWidth(280)
                column.addWidget(text)

    def open_below(self, widget: QWidget) -> None:
        """Show the form under `widget`, inside the screen, with the focus in its first field."""
        self.adjustSize()
        place = widget.mapToGlobal(QPoint(0, widget.height() + 2))
        room = widget.screen().availableGeometry()
        place.setX(max(room.left(), min(place.x(), room.right() - self.width())))
        place.setY(max(room.top(), min(place.y(), room.bottom() - self.height())))
        self.move(place)
        self.show()
        next(iter(self.fields.values())).setFocus()

    def _field(self, axis: str, config: LoadConfig) -> QWidget:
        if axis in RANGES and axis not in SIZES:
            return self._number(axis, config)
        box = QComboBox()
        value = getattr(config, axis)
        for choice in _choices(axis, config):
            text = request_text(choice) if isinstance(choice, int) and choice else str(choice)
            box.addItem("off" if choice == 0 else text, str(choice))
            reason = obstacle(config, axis, choice) if choice != value else ""
            if reason:
                _disable(box, reason)
        box.setCurrentIndex(box.findData(str(value)))
        box.currentIndexChanged.connect(lambda _: self.edited.emit(axis, box.currentData()))
        return box

    def _number(self, axis: str, config: LoadConfig) -> QSpinBox:
        spin = QSpinBox()
        least, most = RANGES[axis]
        # Steps go one by one, so where the next is impossible all are.
        reason = obstacle(config, axis, least + 1)
        spin.setRange(least, getattr(config, axis) if reason else most)
        spin.setValue(getattr(config, axis))
        spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        spin.valueChanged.connect(lambda value: self.edited.emit(axis, str(value)))
        if reason:
            spin.setEnabled(False)
            spin.setToolTip(reason)
        return spin


def _choices(axis: str, config: LoadConfig) -> tuple[str, ...] | list[int]:
    if axis in SIZES:
        return sorted({*_SIZES_BYTES[axis], getattr(config, axis)})
    return (NO_LIBRARY, *registry.names()) if axis == "library" else CHOICES[axis]


def _disable(box: QComboBox, reason: str) -> None:
    """Show the last entry as impossible, with the reason as its tool tip."""
    at = box.count() - 1
    box.setItemData(at, reason, Qt.ItemDataRole.ToolTipRole)
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    model.item(at).setEnabled(False)
