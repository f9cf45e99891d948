"""Garbage is collected between events, never within a call of Qt."""

from __future__ import annotations

import gc

from PySide6.QtCore import QTimer

_LOOK_MS = 1000


class GarbageTimer(QTimer):
    """Collects from now on, once a second where there is enough, in place of Python's own moments.

    Qt disconnects with its locks held and asks Python meanwhile. A collection that deletes a
    QObject just then waits for those locks for ever; from a timer it comes when none is held.
    pyqtgraph's `GarbageCollector` does the same, but takes all of pyqtgraph to import, which a
    window without a model does not need.
    """

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        self.timeout.connect(self.collect)
        self.start(_LOOK_MS)

    def collect(self) -> None:
        """Collect the generations that are due, as Python would by itself."""
        counts_and_most = zip(gc.get_count(), gc.get_threshold(), strict=True)
        for generation, (count, most) in enumerate(counts_and_most):
            if count <= most:
                return
            gc.collect(generation)
