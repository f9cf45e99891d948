"""A part of the side panel: a heading with an icon, and what stands under it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from modelmon.gui.language import tr
from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, IconLabel, icon_button, label, restyle

_LEAD_PX, _FOLD_ICON_PX = 16, 12
_MARGIN_PX, _FOLDED_MARGIN_PX = 10, 6


class Section(QWidget):
    """Where there is little room it folds to a line, which has its main figure."""

    def __init__(self, title: str, icon_name: str) -> None:
        super().__init__()
        self._title, self._summary, self._unfolded = title, "", False
        self.folded = False
        self._icon = IconLabel(icon_name)
        self.fold = icon_button("collapse", "")
        self.fold.setFixedSize(_LEAD_PX, _LEAD_PX)
        self.fold.setIconSize(QSize(_FOLD_ICON_PX, _FOLD_ICON_PX))
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.clicked.connect(self._toggle)
        self.summary = ElidedLabel("value")
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._head = in_row(self.fold, self._icon, label(title, "heading"), spacing=8)
        self._head.addWidget(self.summary, 1)
        # Whether each of them is shown is for others to say.
        self._controls = QWidget()
        self._controls_row = in_row(on=self._controls)
        self._head.addWidget(self._controls)
        self.body = QWidget()
        self.column = in_column(on=self.body, spacing=6)
        self._outer = in_column(self._head, self.body, on=self, margins=None, spacing=6)
        self.set_foldable(foldable=False)

    def add_to_head(self, widget: QWidget) -> None:
        """Put a small control at the right end of the heading."""
        self._controls_row.addWidget(widget)

    def set_summary(self, text: str, tone: str = "plain") -> None:
        """What it says while it is folded."""
        self._summary = text
        self.summary.set_whole(text if self.folded else "")
        restyle(self.summary, tone=tone)

    def set_foldable(self, *, foldable: bool) -> None:
        """Fold it, unless somebody has unfolded it; or show it whole, always."""
        self.fold.setVisible(foldable)
        self._icon.setVisible(not foldable)
        self._show(folded=foldable and not self._unfolded)

    def _toggle(self) -> None:
        self._unfolded = self.folded
        self._show(folded=not self.folded)

    def _show(self, *, folded: bool) -> None:
        self.folded = folded
        self.body.setVisible(not folded)
        margin = _FOLDED_MARGIN_PX if folded else _MARGIN_PX
        self._outer.setContentsMargins(12, margin, 12, margin)
        self.summary.set_whole(self._summary if folded else "")
        self._controls.setHidden(folded)
        set_icon(self.fold, "expand" if folded else "collapse")
        does = tr("Show {section}", section=self._title)
        does = does if folded else tr("Hide {section}", section=self._title)
        self.fold.setToolTip(does)
        self.fold.setAccessibleName(does)
