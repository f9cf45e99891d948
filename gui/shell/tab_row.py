"""The tabs below the plots: those that have room, the rest under More, and at the row's end what
belongs to the one that is open.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.plots.header import HEADER_PX
from modelmon.gui.widgets.layout import STRETCH, in_row
from modelmon.gui.widgets.theme import manager
from modelmon.gui.widgets.unfold_button import UnfoldButton

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QResizeEvent

_LEAST_BESIDE_PX = 320
"""What tabs leave to a plot's legend and buttons before they go under More."""


class TabRow(QTabWidget):
    """Which tabs have room doesn't depend on what is open: they must not move as one is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._bar = _Bar()
        self.setTabBar(self._bar)
        self._bar.setAccessibleName(tr("Views of the runs"))
        self.setDocumentMode(True)
        self._bar.setDrawBase(False)
        self._bar.setUsesScrollButtons(False)
        self._late: tuple[QWidget, ...] = ()
        self._without: set[QWidget] = set()
        self._beside: dict[QWidget, QWidget] = {}
        self.more = _more_button()
        self._menu = QMenu(self.more)
        self._menu.aboutToShow.connect(self._offer)
        self.more.setMenu(self._menu)
        self._corner = _Corner(self.more)
        self.setCornerWidget(self._corner)
        self.currentChanged.connect(self._on_current)

    def page(self, name: str) -> QWidget | None:
        """The page of that object name."""
        return self.findChild(QWidget, name)

    def put_beside(self, page: QWidget, part: QWidget) -> None:
        """Show `part` at the end of the row while `page` is open."""
        self._beside[page] = part
        self._corner.add(part)
        part.setVisible(page is self.currentWidget())

    def set_late(self, pages: Iterable[QWidget]) -> None:
        """These go under More first, the first before the others; then those at the end."""
        self._late = tuple(pages)
        self._fit()

    def set_offered(self, page: QWidget, *, offered: bool) -> None:
        """Whether a page can be opened at all now."""
        (self._without.discard if offered else self._without.add)(page)
        self._fit()

    def tabInserted(self, index: int) -> None:  # noqa: N802 (Qt's name)
        """Make room."""
        super().tabInserted(index)
        self._fit()

    def tabRemoved(self, index: int) -> None:  # noqa: N802 (Qt's name)
        """There is more room."""
        super().tabRemoved(index)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the tabs that fit by now."""
        self._fit()
        super().resizeEvent(event)

    def hidden_pages(self) -> list[int]:
        """The numbers of the pages under More."""
        return [at for at in self._offered() if not self.isTabVisible(at)]

    def _offered(self) -> list[int]:
        return [at for at in range(self.count()) if self.widget(at) not in self._without]

    def _fit(self) -> None:
        offered = self._offered()
        room_px = self.width() - round(_LEAST_BESIDE_PX * manager().scale)
        kept = offered
        if sum(map(self._bar.width_px, offered)) > room_px:
            room_px -= self.more.sizeHint().width()
            kept = self._kept(offered, room_px)
        for at in range(self.count()):
            self._bar.setTabVisible(at, at in kept)
        self.more.setVisible(len(kept) < len(offered))
        self._corner.take(self.width() - sum(map(self._bar.width_px, kept)))

    def _kept(self, offered: list[int], room_px: int) -> list[int]:
        """Those with room, in their order; the one that is open is always among them."""
        by_weight = sorted(offered, key=self._weight)
        kept: list[int] = []
        for at in by_weight:
            room_px -= self._bar.width_px(at)
            if room_px < 0 and kept:
                break
            kept.append(at)
        return sorted(kept)

    def _weight(self, at: int) -> tuple[bool, int, int]:
        page = self.widget(at)
        late = len(self._late) - self._late.index(page) if page in self._late else 0
        return at != self.currentIndex(), late, at

    def _offer(self) -> None:
        self._menu.clear()
        for at in self.hidden_pages():
            self._menu.addAction(self.tabText(at), partial(self.setCurrentIndex, at))

    def _on_current(self) -> None:
        self._fit()
        for page, part in self._beside.items():
            part.setVisible(page is self.currentWidget())


class _Bar(QTabBar):
    def width_px(self, at: int) -> int:
        """Of a tab, seen or not."""
        return self.tabSizeHint(at).width()


class _Corner(QWidget):
    """As wide as the tabs leave; More lies beside the last of them."""

    def __init__(self, more: QToolButton) -> None:
        super().__init__()
        self._width_px = 0
        self._row = in_row(more, STRETCH, on=self, spacing=8)

    def add(self, part: QWidget) -> None:
        wide = part.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored
        self._row.addWidget(part, 1000 if wide else 0)

    def take(self, width_px: int) -> None:
        if width_px != self._width_px:
            self._width_px = width_px
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._width_px, HEADER_PX)


def _more_button() -> QToolButton:
    made = UnfoldButton("tab")
    made.setText(tr("More"))
    made.setAccessibleName(tr("More tabs"))
    made.setToolTip(tr("Tabs that have no room here"))
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.hide()
    return made
