"""One window that is driven through its states and photographed in each."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from modelmon.gui.shell.app import FirstMinute
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.gui.widgets.theme import Mode

PATIENCE_S = 600
_POLL_MS = 10
_SETTLE_S = 0.4


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures are taken: width and height of the window, its theme, and where they go."""

    size: tuple[int, int]
    theme: Mode
    folder: Path


class Photographer:
    """Takes the states that are wanted, each in every look."""

    def __init__(self, app, settings, looks, wanted):
        self._app = app
        self._looks = looks
        self.wanted = wanted
        manager().apply(app)
        self.window = MainWindow.built(settings)
        self.first_minute = FirstMinute(self.window)
        self._put_on(looks[0])
        self.window.move(0, 0)
        self.window.show()

    def wait(self, until, least_s=0.0):
        """Let the window work until the condition holds."""
        start = time.monotonic()
        while not until() or time.monotonic() - start < least_s:
            QTest.qWait(_POLL_MS)
            if time.monotonic() - start > PATIENCE_S:
                raise SystemExit("The window did not get there.")

    @property
    def looks(self):
        """How many pictures are taken of a state."""
        return len(self._looks)

    def idle(self):
        """Wait until nothing is under way, neither measuring nor looking at the machine."""
        window = self.window
        self.wait(lambda: not window.session.busy and not window.machine.looking)

    def take(self, name, ready=None):
        """Save the window with its dialogs as it is seen now; or as soon as it is `ready` again,
        for a state that passes.
        """
        if name not in self.wanted:
            return
        for look in self._looks:
            self._put_on(look)
            self.wait(ready or (lambda: True), least_s=_SETTLE_S)
            self.window.run_controller.show_begun()
            self.window.workspace.refresh_texts(of_both=True)
            self.window.workspace.refresh_plots()
            self.window.status.refresh()
            # Labels get the room for their new text when the loop comes round to it; also those
            # of a frame that is drawn meanwhile.
            self._app.processEvents()
            self._app.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            self._save(self._picture(), name, look)

    def _save(self, picture, name, look):
        path = look.folder / f"{name}-{look.theme}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(str(path))
        sys.stdout.write(f"{path}\n")
        sys.stdout.flush()

    def take_alone(self, name, widget):
        """Save this part of a dialog as a whole, however much of it is in sight."""
        for look in self._looks:
            self._put_on(look)
            self.wait(lambda: True, least_s=_SETTLE_S)
            self._save(widget.grab(), name, look)

    def take_dialog(self, name, ask):
        """Save the window under the dialog that `ask` opens, and close that."""
        if name not in self.wanted:
            return
        ask()
        self.take(name)
        for dialog in self._dialogs():
            dialog.reject()
        self.wait(lambda: not self._dialogs())

    def _put_on(self, look):
        manager().set_mode(look.theme)
        self.window.resize(*look.size)

    def _dialogs(self):
        above = self._app.topLevelWidgets()
        return [each for each in above if isinstance(each, QDialog) and each.isVisible()]

    def _picture(self):
        picture = self.window.grab()
        for dialog in self._dialogs():
            # Where a window manager would put it: in the middle of the window it belongs to.
            corner = self.window.rect().center() - dialog.rect().center()
            painter = QPainter(picture)
            painter.drawPixmap(corner, dialog.grab())
            painter.setPen(manager().theme.control)
            painter.drawRect(dialog.rect().translated(corner).adjusted(-1, -1, 0, 0))
            painter.end()
        return picture
