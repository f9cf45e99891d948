"""The axes of an arm as a row of chips; those that differ from the other arm stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from modelmon.core.load.config import NO_LIBRARY, LoadConfig
from modelmon.core.units import request_text
from modelmon.gui.panels.axis_editor import AXIS_HELP, AxisEditor
from modelmon.gui.styling import restyle, styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.slot import ArmLabel

_GAP_PX, _SMALL_GAP_PX = 6, 3
_DEFAULT = LoadConfig()


@dataclass(frozen=True, slots=True)
class _Chip:
    """One chip; a `plain` one is understood without its name, where room is short."""

    name: str
    axes: tuple[str, ...]
    value: Callable[[LoadConfig], str]
    always: bool = True
    plain: bool = False


def _access(config: LoadConfig) -> str:
    if config.library != NO_LIBRARY:
        return config.library
    return f"{config.access}, {request_text(config.chunk_bytes)}"


def _readers(config: LoadConfig) -> str:
    plural = {"thread": "threads", "process": "processes"}[config.reader_kind]
    return f"{config.readers} {config.reader_kind if config.readers == 1 else plural}"


def _ranks(config: LoadConfig) -> str:
    return f"{config.ranks}, {config.rank_share}" if config.ranks > 1 else "1"


def _ahead(config: LoadConfig) -> str:
    return request_text(config.prefetch_bytes) if config.prefetch_bytes else "off"


_CHIPS = (
    _Chip("access", ("access", "chunk_bytes", "library"), _access, plain=True),
    _Chip("order", ("order",), lambda config: config.order),
    _Chip("readers", ("readers", "reader_kind"), _readers, plain=True),
    _Chip("descriptor", ("descriptor",), lambda config: config.descriptor),
    _Chip("ranks", ("ranks", "rank_share"), _ranks, always=False),
    _Chip("warm-up", ("warmup",), lambda config: config.warmup, always=False),
    _Chip("ahead", ("prefetch_bytes",), _ahead, always=False),
    _Chip("advice", ("advice",), lambda config: config.advice, always=False),
    _Chip("huge pages", ("huge_pages",), lambda config: config.huge_pages, always=False),
    _Chip("deliver", ("deliver",), lambda config: config.deliver),
)


class AxisChips(QWidget):
    """Chips that open an editor; where there is little room they show the values alone."""

    edited = Signal(str, str)

    def __init__(self, arm: ArmLabel) -> None:
        super().__init__()
        self._arm = arm
        self._config = LoadConfig()
        self._shown: list[tuple[QToolButton, _Chip]] = []
        self._locked = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for chip in _CHIPS:
            button = styled(QToolButton(), "chip")
            button.clicked.connect(lambda _=False, b=button, c=chip: self.edit(b, c.name, c.axes))
            row.addWidget(button)
            self._shown.append((button, chip))
        row.addStretch(1)

    def show_config(self, config: LoadConfig, other: LoadConfig) -> None:
        """Show the axes of `config` and mark those on which `other` differs."""
        self._config = config
        differing = config.differs_from(other)
        for button, chip in self._shown:
            differs = any(axis in differing for axis in chip.axes)
            usual = chip.value(config) == chip.value(_DEFAULT)
            button.setVisible(chip.always or differs or not usual)
            restyle(button, arm=self._arm if differs else "")
            text = f"{chip.name} {chip.value(config)}"
            button.setAccessibleName(text + (", differs from the other arm" if differs else ""))
            button.setToolTip(self._locked or f"{text}\n{AXIS_HELP[chip.axes[0]]}")
        self._fit()

    def lock(self, reason: str) -> None:
        """Let nothing be edited while there is a reason; it becomes the tool tip."""
        self._locked = reason
        for button, chip in self._shown:
            button.setEnabled(not reason)
            text = f"{chip.name} {chip.value(self._config)}"
            button.setToolTip(reason or f"{text}\n{AXIS_HELP[chip.axes[0]]}")

    def edit(self, at: QWidget, title: str, axes: tuple[str, ...]) -> AxisEditor:
        """Open an editor for `axes` under the widget `at`."""
        editor = AxisEditor(f"{self._arm}: {title}", axes, self._config, self)
        editor.edited.connect(self.edited)
        editor.open_below(at)
        return editor

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as many names as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for leave_out in range(4):
            gap_px = _SMALL_GAP_PX if leave_out == 3 else _GAP_PX
            self._row.setSpacing(gap_px)
            wanted = -gap_px
            for button, chip in self._shown:
                value = chip.value(self._config)
                bare = (leave_out >= 2 and chip.always) or (leave_out == 1 and chip.plain)
                if leave_out == 3:
                    value = value.partition(",")[0]
                button.ensurePolished()
                button.setText(value if bare else f"{chip.name} {value}")
                if not button.isHidden():
                    wanted += button.sizeHint().width() + gap_px
            if wanted <= self.width():
                return
