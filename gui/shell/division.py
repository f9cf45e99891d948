"""How plots and tabs divide the height that they have together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QSplitter

_ROW_PX = 256
_LEAST_TABS_PX = 190
_LEAST_PLOTS_PX, _LEAST_WITH_BARS_PX = 152, 190
"""Of which the second leaves the first below a bar."""
_MOST_PLOTS_SHARE = {1: 0.34, 2: 0.6}
"""Of the height that plots and tabs have together, by rows of plots."""
_SHARE_OF_ONE = 0.45
"""Of that, where there is one plot at a time, which is wide."""
_SHARE_BESIDE = 0.66
"""Of the width, where the tabs are beside the plots."""


class Division(QObject):
    """Gives the plots above their usual height until the user moves the handle.

    What the tabs show has no part in it: a handle that moves by itself is in nobody's hand. Nor
    have bars that come and go above: they take from the plots, so that what is clicked in the
    tabs does not move away.
    """

    def __init__(
        self,
        splitter: QSplitter,
        rows: Callable[[], int],
        in_tabs: Callable[[], bool],
        bars_px: Callable[[], int],
    ) -> None:
        """`rows` is how many rows of plots there are, `in_tabs` whether there is one at a time,
        `bars_px` the height of the bars above.
        """
        super().__init__(splitter)
        self._in_tabs = in_tabs
        self._bars_px = bars_px
        self._splitter = splitter
        self._rows = rows
        self._shared_for = (rows(), in_tabs())
        self._chosen = False
        self._before: QByteArray | None = None
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)

    @property
    def state(self) -> QByteArray:
        """What the user has chosen; empty where that was nothing."""
        if self._before is not None:
            return self._before
        return self._splitter.saveState() if self._chosen else QByteArray()

    def restore(self, state: QByteArray) -> None:
        """Divide as the user has chosen before."""
        if self._before is not None:
            self._before = state
            return
        self._chosen = self._splitter.restoreState(state)

    def set_beside(self, *, beside: bool) -> None:
        """Put the tabs beside the plots, or below them as they were."""
        if beside == (self._before is not None):
            return
        before = self._before
        if beside:
            self._before, self._chosen = self.state, False
            self._splitter.setOrientation(Qt.Orientation.Horizontal)
            self._share()
            return
        self._before = None
        self._splitter.setOrientation(Qt.Orientation.Vertical)
        if before:
            self.restore(before)
        else:
            self.share_anew()

    def follow_rows(self) -> None:
        """Another number of rows needs another height, whatever was chosen for the one before; so
        does one plot at a time, where nothing was chosen.
        """
        rows = self._rows()
        if self._before is not None:
            return
        if rows != self._shared_for[0]:
            self.share_anew()
        elif self._in_tabs() != self._shared_for[1] and not self._chosen:
            self._share()

    def share_anew(self) -> None:
        """Forget what was chosen, for other parts than those of now."""
        self._chosen = False
        self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share anew when both together get another height."""
        if event.type() == QEvent.Type.Resize and not self._chosen:
            self._share()
        return super().eventFilter(watched, event)

    def _share(self) -> None:
        splitter, rows = self._splitter, self._rows()
        if self._before is not None:
            width = splitter.width() - splitter.handleWidth()
            plots_px = round(_SHARE_BESIDE * width)
            splitter.setSizes([plots_px, max(1, width - plots_px)])
            return
        self._shared_for = (rows, self._in_tabs())
        gap_px = splitter.handleWidth()
        bars_px = self._bars_px()
        height = splitter.height() + bars_px - gap_px
        wanted = rows * (_ROW_PX + gap_px) - gap_px
        share = _SHARE_OF_ONE if self._in_tabs() else _MOST_PLOTS_SHARE[rows]
        most = min(max(int(height * share), _LEAST_WITH_BARS_PX), height - _LEAST_TABS_PX)
        plots_px = max(1, min(wanted, most))
        below_bars_px = max(plots_px - bars_px, min(plots_px, _LEAST_PLOTS_PX))
        splitter.setSizes([below_bars_px, max(1, height - bars_px - below_bars_px)])

    def _on_moved(self) -> None:
        self._chosen = True
