"""A popup form that changes one, several or all axes of an arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QSpinBox, QVBoxLayout, QWidget

from modelmon.core.load.config import CHOICES, MAX_READERS
from modelmon.core.units import KIB, MIB, request_text
from modelmon.gui.styling import label, styled

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig

CHUNK_SIZES_BYTES = (64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB)

AXIS_NAMES = {
    "access": "access",
    "order": "order",
    "readers": "readers",
    "reader_kind": "reader kind",
    "descriptor": "descriptor",
    "chunk_bytes": "request size",
    "warmup": "warm-up",
    "advice": "advice",
    "deliver": "deliver",
}
AXIS_HELP = {
    "access": "mmap maps the file and touches every page; read reads into private memory.",
    "order": "file goes by offset; model goes block by block; random is the worst case, seeded.",
    "readers": "How many readers share the work. Each byte is read by exactly one of them.",
    "reader_kind": "Whether the readers are threads of one process or processes.",
    "descriptor": "own opens the file once per reader; shared hands one descriptor to all.",
    "chunk_bytes": "Size of one request.",
    "warmup": "read fills the page cache with one sequential read first; its time counts.",
    "advice": "What the kernel is told about the access pattern.",
    "deliver": "usable: each byte can be reached without further I/O. "
    "owned: each byte is in private memory. The same for A and B.",
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
            field.setToolTip(AXIS_HELP[axis])
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
        if axis == "readers":
            spin = QSpinBox()
            spin.setRange(1, MAX_READERS)
            spin.setValue(config.readers)
            spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
            spin.valueChanged.connect(lambda value: self.edited.emit(axis, str(value)))
            return spin
        box = QComboBox()
        if axis == "chunk_bytes":
            for nbytes in sorted({*CHUNK_SIZES_BYTES, config.chunk_bytes}):
                box.addItem(request_text(nbytes), str(nbytes))
        else:
            for choice in CHOICES[axis]:
                box.addItem(choice, choice)
        box.setCurrentIndex(box.findData(str(getattr(config, axis))))
        box.currentIndexChanged.connect(lambda _: self.edited.emit(axis, box.currentData()))
        return box
