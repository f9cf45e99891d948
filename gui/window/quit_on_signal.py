"""Ends the window when it is asked to from outside: Ctrl+C, SIGTERM, a terminal that closes."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, QTimer

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class QuitOnSignal(QObject):
    """Closes the window at a signal as by hand, without a question; a second one ends at once.

    Python notes a signal and lets it wait until Python code runs, which may not be soon while Qt
    waits for events. So the signal is also written into a socket, of which Qt tells.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._near, self._far = socket.socketpair()
        for end in (self._near, self._far):
            end.setblocking(False)
        signal.set_wakeup_fd(self._far.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._near.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._wake)
        for name in _NAMES:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._on_signal)

    def _wake(self) -> None:
        self._near.recv(64)

    def _on_signal(self, number: int, frame: object) -> None:
        del frame
        signal.signal(number, signal.SIG_DFL)
        QTimer.singleShot(0, self, self._close)

    def _close(self) -> None:
        self._window.close_guard.agree()
        self._window.close()
