"""What can be exported, as a list to tick, and of one of it the text in each of its forms, and what
is to be known of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import scrolled_form
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import (
    ElidedLabel,
    IconLabel,
    label,
    push_button,
    restyle,
    rule,
    styled,
)
from modelmon.gui.widgets.theme import icon, manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QResizeEvent

    from modelmon.core.programs.advice import Standing
    from modelmon.gui.export.sources import ExportEntry

_ROW_PX = 48
_ID, _ICON = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_CHECKED = Qt.CheckState.Checked
_ICON_PX, _ICON_GAP_PX = 12, 4
_ICONS: dict[Standing, str] = {"measured": "check", "mapped": "nearest", "cannot": "skip"}
_LEGEND: dict[Standing, str] = {
    "measured": mark("Measured here: the program itself was tested"),
    "mapped": mark("Nearest: its closest setting"),
    "cannot": mark("Can't express: it has no such setting"),
}
_FACT_PX = 96
_ALMOST_ALL = 100
"""How much of the height that is left the text gets beside the facts: all that it can use."""
_STANDINGS: dict[Standing | None, str] = {
    "measured": mark("Measured here"),
    "mapped": mark("Nearest setting"),
    "cannot": mark("Not possible"),
}
_NOTHING_TO_CHANGE = mark("Nothing to change")


class Legend(QWidget):
    """What the marks in the list mean."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 0, 8, 0)
        grid.setHorizontalSpacing(_ICON_GAP_PX)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (standing, text) in enumerate(_LEGEND.items()):
            role = "good" if standing == "measured" else "text_2"
            grid.addWidget(IconLabel(_ICONS[standing], role, _ICON_PX), row, 0)
            grid.addWidget(label(tr(text), "hint", wrap=True), row, 1)


class ExportList(QListWidget):
    """`selected` carries the id of the entry that is looked at, `ticked` follows every tick."""

    selected = Signal(str)
    ticked = Signal()

    def __init__(self) -> None:
        super().__init__()
        styled(self, "list")
        self.setAccessibleName(tr("Who will load the model?"))
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._on_current)
        self.itemChanged.connect(lambda _: self.ticked.emit())
        manager().changed.connect(self._draw_icons)

    @property
    def ticked_ids(self) -> tuple[str, ...]:
        """What is to be written; an entry with an obstacle never is."""
        possible = Qt.ItemFlag.ItemIsEnabled
        return tuple(
            item.data(_ID)
            for item in self._items()
            if item.checkState() == _CHECKED and item.flags() & possible
        )

    @property
    def wanted_ids(self) -> tuple[str, ...]:
        """What is ticked, whether it can be written or not."""
        return tuple(item.data(_ID) for item in self._items() if item.checkState() == _CHECKED)

    def show_entries(self, entries: Sequence[ExportEntry], ticked: Sequence[str]) -> None:
        """List these; what was looked at stays so where it is among them."""
        here = self.currentItem().data(_ID) if self.currentItem() else ""
        blocked = self.blockSignals(True)
        self.clear()
        for entry in entries:
            self._add(entry, ticked=entry.id in ticked)
        self._draw_icons()
        ids = [entry.id for entry in entries]
        self.setCurrentRow(ids.index(here) if here in ids else 0)
        self.blockSignals(blocked)

    def _draw_icons(self) -> None:
        blocked = self.blockSignals(True)
        for item in self._items():
            if found := item.data(_ICON):
                name, role = found
                item.setIcon(icon(name, getattr(manager().theme, role)))
        self.blockSignals(blocked)

    def _add(self, entry: ExportEntry, *, ticked: bool) -> None:
        item = QListWidgetItem(f"{entry.title}\n{entry.purpose}")
        item.setData(_ID, entry.id)
        item.setSizeHint(QSize(0, _ROW_PX))
        if entry.standing is not None:
            role = "good" if entry.standing == "measured" else "text_2"
            item.setData(_ICON, (_ICONS[entry.standing], role))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, entry.title)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.purpose)
        item.setToolTip(entry.purpose)
        item.setCheckState(_CHECKED if ticked else Qt.CheckState.Unchecked)
        if entry.obstacle:
            item.setFlags(Qt.ItemFlag.ItemIsSelectable)
        self.addItem(item)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _on_current(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.selected.emit(item.data(_ID))


def _copied(made: QLabel) -> QLabel:
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class EntryPage(QWidget):
    """`form_chosen` carries the number of a form as somebody chooses it."""

    form_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._name = label("", "headline")
        self._standing = styled(QLabel(), "pill")
        self._standing.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.forms: Segments | None = None
        self.preview = CodeView()
        self._about = ElidedLabel("label")
        self.copy = push_button(tr("Copy"), "copy")
        self.copy.setProperty("compact", True)
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.preview.toPlainText())
        )
        self._text = _panel()
        self._facts = _panel()
        self._rows = QFormLayout(self._facts)
        self._rows.setContentsMargins(12, 8, 12, 8)
        self._rows.setHorizontalSpacing(12)
        self._rows.setVerticalSpacing(6)
        self._rows.setLabelAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()

    def _lay_out(self) -> None:
        self._head = in_row(
            self._name, (self._standing, 0, Qt.AlignmentFlag.AlignVCenter), STRETCH, spacing=8
        )
        bar = QWidget()
        bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        in_row((self._about, 1), self.copy, on=bar, margins=(12, 0, 8, 0))
        text = in_column(on=self._text, margins=(1, 6, 1, 6), spacing=6)
        # No higher than a short text.
        text.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
        text.addWidget(bar)
        text.addWidget(rule())
        text.addWidget(self.preview, 1)
        content = QWidget()
        in_column((self._text, _ALMOST_ALL), self._facts, STRETCH, on=content, spacing=8)
        area = scrolled_form(content)
        area.setAccessibleName(tr("Text and facts"))
        in_column(self._head, (area, 1), on=self, spacing=8)

    def show_entry(self, entry: ExportEntry, form: int) -> None:
        """Show an entry in one of its forms, without its facts."""
        self._name.setText(entry.title)
        self._standing.setVisible(entry.standing is not None)
        is_default = entry.advice is not None and entry.advice.is_default
        standing = _NOTHING_TO_CHANGE if is_default else _STANDINGS.get(entry.standing, "")
        self._standing.setText(tr(standing) if standing else "")
        restyle(self._standing, tone="good" if entry.standing == "measured" else None)
        self._show_forms(entry, form)
        self._show_text(entry, form)

    def _show_forms(self, entry: ExportEntry, chosen: int) -> None:
        """One button for each form, where there are several."""
        if self.forms is not None:
            self.forms.hide()
            self.forms.deleteLater()
            self.forms = None
        if len(entry.forms) > 1:
            options = [(str(at), said(form.label)) for at, form in enumerate(entry.forms)]
            self.forms = Segments(tr("Form"), options, compact=True)
            self.forms.set_value(str(chosen))
            self.forms.chosen.connect(lambda value: self._choose_form(entry, int(value)))
            self._head.addWidget(self.forms)

    def _choose_form(self, entry: ExportEntry, at: int) -> None:
        self._show_text(entry, at)
        self.form_chosen.emit(at)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show what is to be known of it: names and sentences."""
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self._facts.setVisible(bool(facts))
        for name, text in facts:
            if self._rows.rowCount():
                self._rows.addRow(rule())
            heading = label(name, "label")
            heading.setMinimumWidth(_FACT_PX)
            self._rows.addRow(heading, _copied(label(text, "value", wrap=True)))

    def _show_text(self, entry: ExportEntry, at: int) -> None:
        self._text.setVisible(bool(entry.forms))
        named = tr("Text of {file}", file=entry.file_name(at))
        self.preview.setAccessibleName(named)
        form = entry.forms[at] if entry.forms else None
        if form is None:
            self.preview.show_text("")
            self.copy.setEnabled(False)
            return
        self.preview.show_text(form.text, form.added)
        self.copy.setEnabled(True)
        some = 0 < len(form.added) < len(form.text.splitlines())
        adds = tr("Add the bold lines. The rest is context.")
        self._about.set_whole(adds if some else named)


def _panel() -> QFrame:
    return styled(QFrame(), "panel")


_LEAST_LINES, _MOST_LINES = 3, 9
"""What the view asks for; further lines are scrolled to, unless there is room."""
_GAP_PX = 12
# Of the style sheet, which shows the focus.
_FRAME_PX = 1


class CodeView(QPlainTextEdit):
    """Read only, as high as its text needs up to some lines."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFont(mono_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setViewportMargins(_GAP_PX, 0, _GAP_PX, 0)
        self.document().setDocumentMargin(0)
        self._added: Collection[int] = ()
        manager().changed.connect(self._mark_added)

    def show_text(self, text: str, added: Collection[int] = ()) -> None:
        """Show this; the lines `added` (from 0) are the setting."""
        self._added = added
        self.setCurrentCharFormat(QTextCharFormat())
        self.setPlainText(text)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        for line in added:
            cursor = QTextCursor(self.document().findBlockByNumber(line))
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            cursor.mergeCharFormat(bold)
        self._mark_added()
        self._fit()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A line that is too long by now is scrolled to."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Take the height of the whole text, with the scroll bar that a long line needs."""
        bar = self.horizontalScrollBar()
        # A view that is only just as high scrolls by a line.
        beside = 1 + 2 * _FRAME_PX + (bar.sizeHint().height() if bar.maximum() else 0)
        wanted = max(self.blockCount(), _LEAST_LINES)
        line_px = self.fontMetrics().lineSpacing()
        self.setMinimumHeight(min(wanted, _MOST_LINES) * line_px + beside)
        self.setMaximumHeight(wanted * line_px + beside)

    def _mark_added(self) -> None:
        self.setExtraSelections([self._ground(line) for line in self._added])

    def _ground(self, line: int) -> QTextEdit.ExtraSelection:
        ground = QTextEdit.ExtraSelection()
        ground.format.setBackground(manager().theme.good_soft)
        ground.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        ground.cursor = QTextCursor(self.document().findBlockByNumber(line))
        return ground
