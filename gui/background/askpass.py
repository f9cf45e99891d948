"""What ssh asks with where no terminal is: a passphrase, or whether a host's key is the right one.

ssh starts it as a process of its own and reads the answer from it; the window never sees one. A
program of the desktop's for the same goes first.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import signal
import sys
from typing import TYPE_CHECKING

from modelmon.core.data_folder import private_folder
from modelmon.core.errors import LoadFailedError
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Sequence

_OF_DESKTOPS = ("ksshaskpass", "ssh-askpass", "ssh-askpass-gnome", "lxqt-openssh-askpass")
_CONFIRM = "confirm"
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def let_ssh_ask() -> None:
    """Have ssh ask in windows, in all processes that are started from now on, unless the person
    has said how it should.
    """
    if sys.platform == "win32" or "SSH_ASKPASS_REQUIRE" in os.environ:
        return
    os.environ["SSH_ASKPASS_REQUIRE"] = "force"
    if os.environ.get("SSH_ASKPASS"):
        return
    own = next(filter(None, map(shutil.which, _OF_DESKTOPS)), None)
    try:
        os.environ["SSH_ASKPASS"] = own or _script()
    except (LoadFailedError, OSError):
        # Then ssh can't ask, and says so.
        del os.environ["SSH_ASKPASS_REQUIRE"]


def _script() -> str:
    """A file that starts this, for ssh takes a program without arguments."""
    path = private_folder() / "askpass"
    path.write_text(f'#!/bin/sh\nexec {shlex.join(program(__name__))} "$@"\n')
    path.chmod(0o700)
    return str(path)


def _end_with_ssh() -> None:
    """Close with whoever asks: nobody hears an answer any more (prctl(2), Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def main(arguments: Sequence[str]) -> int:
    """Ask what ssh wants to know; the answer goes to standard output, 1 is no."""
    from PySide6.QtCore import Qt  # noqa: PLC0415
    from PySide6.QtWidgets import (  # noqa: PLC0415  not for those who only want the first part
        QApplication,
        QInputDialog,
        QLabel,
        QLineEdit,
        QMessageBox,
    )

    from modelmon.gui.language import chosen_language, install, tr  # noqa: PLC0415

    _end_with_ssh()
    app = QApplication(sys.argv[:1])
    install(app, chosen_language())
    question = " ".join(arguments)
    if os.environ.get("SSH_ASKPASS_PROMPT") == _CONFIRM:
        yes = QMessageBox.StandardButton.Yes
        buttons = yes | QMessageBox.StandardButton.No
        box = QMessageBox(QMessageBox.Icon.Question, tr("ssh asks"), "", buttons)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(question)
        return 0 if box.exec() == yes else 1
    asks_key = "(yes/no" in question
    dialog = QInputDialog()
    dialog.setWindowTitle(tr("ssh asks"))
    dialog.setLabelText(question)
    for shown in dialog.findChildren(QLabel):
        shown.setTextFormat(Qt.TextFormat.PlainText)
    echo = QLineEdit.EchoMode.Normal if asks_key else QLineEdit.EchoMode.Password
    dialog.setTextEchoMode(echo)
    if not dialog.exec():
        return 1
    sys.stdout.write(dialog.textValue() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
