"""A screen that is in memory only, with the keys, the mouse and the eyes of a person."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np

_PASTE = """
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
print(app.clipboard().text())
"""
PATIENCE_S = 90.0
_POLL_S = 0.15
_TOOLS = ("Xvfb", "xdotool")
_COLOURS_AT, _COLOUR_BYTES = 19, 12
"""Where an X window dump tells its number of colours, in words, and what each takes after it."""


def why_not():
    """Why there is no such screen here; empty where there is."""
    missing = [tool for tool in _TOOLS if not shutil.which(tool)]
    return f"there is no {' and no '.join(missing)}" if missing else ""


@contextmanager
def virtual_screen(folder, size):
    """A screen of `size` for the length of the context; its picture lies in `folder`."""
    numbers, told = os.pipe()
    geometry = f"{size[0]}x{size[1]}x24"
    # Without -noreset the server begins anew whenever its last client leaves, as each look for a
    # window is one, and whoever connects just then is turned away.
    command = ["Xvfb", "-noreset", "-displayfd", str(told), "-screen", "0", geometry]
    command += ["-fbdir", str(folder), "-nolisten", "tcp"]
    with (
        (folder / "server.log").open("w") as log,
        subprocess.Popen(command, pass_fds=(told,), stderr=log) as server,
    ):
        os.close(told)
        try:
            # The server tells its number when it is ready, and nothing if it fails.
            with os.fdopen(numbers) as answer:
                number = answer.readline().strip()
            assert number, (folder / "server.log").read_text()
            yield VirtualScreen(f":{number}", folder / "Xvfb_screen0", size)
        finally:
            server.terminate()


class VirtualScreen:
    """What a person does at a screen, and sees there."""

    def __init__(self, display, picture, size):
        self.display = display
        self._picture = picture
        self._width, self._height = size

    def windows(self, title):
        """The shown windows whose title matches, a regular expression; it may miss some where
        another window closes meanwhile.
        """
        return self._xdotool("search", "--onlyvisible", "--name", title).split()

    def window(self, title):
        """The window of that title, as soon as it is shown; it gets the keyboard."""
        found, *_ = self.wait(lambda: self.windows(title), f"no window {title!r}")
        # No window manager is here to do this.
        self._xdotool("windowfocus", found)
        return found

    def press(self, *keys):
        """Press keys as xdotool names them: `F5`, `ctrl+e`."""
        self._xdotool("key", "--delay", "50", *keys)

    def type(self, text):
        """Type a text."""
        self._xdotool("type", text)

    def click(self, x, y, window=""):
        """Click there, counted from the corner of the screen or of a window."""
        inside = ("--window", window) if window else ()
        self._xdotool("mousemove", "--sync", *inside, str(x), str(y), "click", "1")

    def drag(self, start, end):
        """Press there, move on and release."""
        middle = [(first + last) // 2 for first, last in zip(start, end, strict=True)]
        words = []
        for place, then in ((start, ("mousedown", "1")), (middle, ()), (end, ("mouseup", "1"))):
            words += ["mousemove", "--sync", *map(str, place), *then]
        self._xdotool(*words)

    def clipboard(self):
        """What was copied last, as another program gets it."""
        call = [sys.executable, "-c", _PASTE]
        environment = os.environ | {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        return subprocess.run(
            call, env=environment, capture_output=True, text=True, check=True
        ).stdout

    def size_of(self, window):
        """Width and height of a window."""
        told = self._xdotool("getwindowgeometry", "--shell", window)
        values = dict(line.split("=") for line in told.splitlines())
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def places_of(self, colour):
        """Row and column of each pixel of exactly this colour, 0xRRGGBB."""
        dump = self._picture.read_bytes()
        header_bytes = int.from_bytes(dump[:4], "big")
        colours = int.from_bytes(dump[4 * _COLOURS_AT :][:4], "big")
        start = header_bytes + colours * _COLOUR_BYTES
        count = self._width * self._height
        pixels = np.frombuffer(dump, "<u4", count, start).reshape(self._height, self._width)
        return np.argwhere((pixels & 0xFFFFFF) == colour)

    def wait(self, look, why):
        """Look until it is so, and return what was seen."""
        deadline = time.monotonic() + PATIENCE_S
        while not (seen := look()):
            assert time.monotonic() < deadline, why
            time.sleep(_POLL_S)
        return seen

    def _xdotool(self, *words):
        environment = os.environ | {"DISPLAY": self.display}
        done = subprocess.run(
            ["xdotool", *words], env=environment, capture_output=True, text=True, check=False
        )
        # A search that finds nothing is an answer, too.
        assert words[0] == "search" or done.returncode == 0, done.stderr
        return done.stdout
