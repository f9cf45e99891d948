"""The axes of an arm as a row of chips; those that differ from the other arm stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from modelmon.core.load.config import AXES, LoadConfig
from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import restyle, styled
from modelmon.gui.measuring.axis_texts import AXIS_HELP, Chip, chips_of
from modelmon.gui.panels.card.axis_editor import AxisEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.window.notices import ArmLabel

_GAP_PX, _SMALL_GAP_PX = 6, 3
_USUAL = LoadConfig()
_NO_NAMES, _LEAST_DETAIL = 2, 3


class AxisChips(QWidget):
    """Chips that open an editor. Where there is little room they lose their names, then the
    lesser half of their values; what still has no room is folded into one chip at the end.
    """

    edited = Signal(str, str)
    brevity_changed = Signal()

    def __init__(self, arm: ArmLabel, obstacle: Callable[[str, object], str]) -> None:
        """`obstacle` says why an axis cannot take a value now."""
        super().__init__()
        self._arm = arm
        self._obstacle = obstacle
        self._config = self._other = LoadConfig()
        self._buttons: list[QToolButton] = []
        self._chips: list[tuple[QToolButton, Chip]] = []
        self._locked = ""
        self.brevity = self._at_least = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.more = styled(QToolButton(), "chip")
        self.more.clicked.connect(lambda: self.edit(self.more, tr("all settings"), AXES))
        self._row.addWidget(self.more)
        self._row.addStretch(1)

    @property
    def shown(self) -> dict[str, QToolButton]:
        """The chips that are to be seen, by name; without the one that the rest is folded into."""
        return {chip.name: button for button, chip in self._chips if not button.isHidden()}

    def show_config(self, config: LoadConfig, other: LoadConfig, version: str = "") -> None:
        """Show the axes of `config` and mark those on which `other` differs.

        `version` is that of the library which loads, where one does.
        """
        self._config, self._other = config, other
        chips = chips_of(config, version)
        while len(self._buttons) < len(chips):
            self._add_button()
        for button in self._buttons:
            button.hide()
        shown = [chip for chip in chips if self._matters(chip)]
        self._chips = list(zip(self._buttons, shown, strict=False))
        for button, chip in self._chips:
            differs = self._differs(chip)
            restyle(button, arm=self._arm if differs else "")
            text = _whole(chip, config)
            named = tr("{axis}, differs from the other strategy", axis=text) if differs else text
            button.setAccessibleName(named)
        self._show_lock()
        self._fit()
        for editor in self.findChildren(AxisEditor):
            editor.show_config(config, other)

    def lock(self, reason: str) -> None:
        """Let nothing be edited while there is a reason; it becomes the tool tip."""
        if reason != self._locked:
            self._locked = reason
            self._show_lock()

    def leave_out_at_least(self, brevity: int) -> None:
        """Leave out as much, also where there is room: 1 plain names, 2 all names."""
        if brevity != self._at_least:
            self._at_least = brevity
            self._fit()

    def edit(self, at: QWidget, title: str, axes: tuple[str, ...]) -> AxisEditor:
        """Open an editor for `axes` under the widget `at`."""
        editor = AxisEditor(self._arm, title, axes, self._obstacle, self)
        editor.show_config(self._config, self._other)
        editor.edited.connect(self.edited)
        editor.open_below(at)
        return editor

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _show_lock(self) -> None:
        for button, chip in self._chips:
            button.setEnabled(not self._locked)
            about = f"{_whole(chip, self._config)}\n{tr(AXIS_HELP[chip.axes[0]])}"
            button.setToolTip(self._locked or about)
        self.more.setEnabled(not self._locked)

    def _add_button(self) -> None:
        at = len(self._buttons)
        button = styled(QToolButton(), "chip")
        button.clicked.connect(lambda: self._edit_chip(button, at))
        self._row.insertWidget(at, button)
        self._buttons.append(button)

    def _edit_chip(self, button: QToolButton, at: int) -> None:
        chip = self._chips[at][1]
        self.edit(button, tr(chip.name), chip.axes)

    def _differs(self, chip: Chip) -> bool:
        differing = self._config.differs_from(self._other)
        return any(axis in differing for axis in chip.axes)

    def _matters(self, chip: Chip) -> bool:
        return chip.always or self._differs(chip) or chip.text(self._config) != chip.text(_USUAL)

    def _fit(self) -> None:
        self.more.hide()
        for button, _ in self._chips:
            button.show()
        self._choose_texts()
        # Showing a part lays all out at once: what was only tried must not be seen.
        self._row.activate()

    def _choose_texts(self) -> None:
        before = self.brevity
        levels = range(_LEAST_DETAIL + 1)
        self.brevity = next((each for each in levels if self._fits(each)), _LEAST_DETAIL)
        if not self._fits(max(self.brevity, self._at_least)):
            self._fold()
        if self.brevity != before:
            self.brevity_changed.emit()

    def _fits(self, leave_out: int) -> bool:
        """Try it with so much left out."""
        self._row.setSpacing(_SMALL_GAP_PX if leave_out == _LEAST_DETAIL else _GAP_PX)
        for button, chip in self._chips:
            button.ensurePolished()
            button.setText(_text(chip, chip.text(self._config), leave_out))
        return self._wanted_px() <= self.width()

    def _fold(self) -> None:
        """Hide what has no room behind one chip, first what is the same in both arms."""
        self.more.ensurePolished()
        self.more.show()
        folded: list[Chip] = []
        last_first = self._chips[::-1]
        for button, chip in sorted(last_first, key=lambda pair: self._differs(pair[1])):
            if self._wanted_px() <= self.width():
                break
            button.hide()
            folded.append(chip)
            self.more.setText(f"+{len(folded)}")
        texts = [_whole(chip, self._config) for chip in reversed(folded)]
        self.more.setToolTip(self._locked or "\n".join(texts))
        self.more.setAccessibleName(tr("more: {axes}", axes=tr(", ").join(texts)))
        marked = any(self._differs(chip) for chip in folded)
        restyle(self.more, arm=self._arm if marked else "")

    def _wanted_px(self) -> int:
        buttons = [*(button for button, _ in self._chips), self.more]
        widths = [button.sizeHint().width() for button in buttons if not button.isHidden()]
        return sum(widths) + self._row.spacing() * (len(widths) - 1)


def name_alike(rows: Sequence[AxisChips]) -> None:
    """Let rows that are read beside each other name their axes alike, now and later."""

    def agree() -> None:
        brevity = min(max(row.brevity for row in rows), _NO_NAMES)
        for row in rows:
            row.leave_out_at_least(brevity)

    for row in rows:
        row.brevity_changed.connect(agree)
    agree()


def _whole(chip: Chip, config: LoadConfig) -> str:
    return f"{tr(chip.name)} {chip.text(config)}"


def _text(chip: Chip, value: str, leave_out: int) -> str:
    """A chip's text: 0 leaves out nothing, 3 all but the first words of its value."""
    if leave_out == _LEAST_DETAIL:
        value = value.partition(",")[0].partition(" with ")[0]
    bare = (leave_out >= 2 and chip.always) or (leave_out == 1 and chip.plain)
    return value if bare else f"{tr(chip.name)} {value}"
