"""The application that benchmarks of the window run in: on the display there is, else offscreen."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def application() -> QApplication:
    """A QApplication in the window's look; Qt is imported here, after its platform is chosen."""
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 (after the platform is chosen)

    from modelmon.gui.shell.app import GarbageTimer  # noqa: PLC0415 (likewise)
    from modelmon.gui.widgets.theme import manager  # noqa: PLC0415 (likewise)

    app = QApplication(sys.argv[:1])
    manager().apply(app)
    # Collected as the program does; the application keeps it.
    app.collector = GarbageTimer()  # type: ignore[attr-defined]
    return app
