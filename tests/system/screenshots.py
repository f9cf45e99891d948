"""Takes the README's pictures: the program in a real window, loading a real model.

Run: make screenshots. Or, for other sizes and themes:
xvfb-run .venv/bin/python tests/system/screenshots.py --to FOLDER --size 1920x1080 --theme dark
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication

from modelmon.core.model.sample import write_sample
from modelmon.core.units import parse_size
from modelmon.gui.main_window import MainWindow
from modelmon.gui.settings import Settings
from modelmon.gui.theme import Mode, manager

if TYPE_CHECKING:
    from collections.abc import Callable

HOME = Path(__file__).parents[2] / "resources" / "screenshots"
PATIENCE_S = 300


class Photographer:
    """One window, driven through its states and photographed in each."""

    def __init__(self, app: QApplication, size: tuple[int, int], folder: Path, theme: Mode) -> None:
        self._app = app
        self._folder = folder
        self._theme = theme
        manager().set_mode(theme)
        manager().apply(app)
        self._settings = tempfile.TemporaryDirectory()
        self.window = MainWindow(Settings(Path(self._settings.name, "window.ini")))
        self.window.resize(*size)
        self.window.show()

    def wait(self, until: Callable[[], bool], least_s: float = 0.0) -> None:
        """Let the window work until the condition holds."""
        start = time.monotonic()
        while not until() or time.monotonic() - start < least_s:
            self._app.processEvents()
            if time.monotonic() - start > PATIENCE_S:
                raise SystemExit("The window did not get there.")

    def take(self, name: str, settle_s: float = 0.4) -> None:
        """Save the window as it is seen now."""
        self.wait(lambda: True, least_s=settle_s)
        path = self._folder / f"{name}-{self._theme}.png"
        self.window.grab().save(str(path))
        sys.stdout.write(f"{path}\n")

    def seen_of_the_run(self) -> int:
        """Samples of the run that is loading now."""
        session = self.window.session
        record = session.record(session.loading) if session.loading is not None else None
        return len(record.samples) if record is not None and not record.done else 0

    def journey(self, model: Path) -> None:
        """Empty, running, compared, export."""
        window, session = self.window, self.window.session
        self.take("empty")
        window.opening.open(str(model))
        self.wait(lambda: session.preflight is not None and not session.busy)
        window.handlers.compare()
        self.wait(lambda: len(session.runs) >= 3 and self.seen_of_the_run() >= 4)
        window.workspace.refresh()
        window.status.refresh()
        self.take("running", settle_s=0.02)
        self.wait(lambda: session.comparison is not None and not session.busy)
        self.take("compared")
        window.workspace.tabs.setCurrentIndex(1)
        self.take("access-map")
        window.close()


def main() -> int:
    """Photograph the window in both themes, or as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=HOME, help="folder for the pictures")
    parser.add_argument("--size", default="1440x900")
    parser.add_argument("--theme", choices=("light", "dark"), help="default: both")
    parser.add_argument("--model", type=Path, help="default: a sample")
    parser.add_argument("--sample-size", type=parse_size, default="2GiB")
    options = parser.parse_args()
    width, _, height = options.size.partition("x")
    options.to.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        os.environ["MODELMON_DATA_DIR"] = str(Path(folder, "data"))
        model = options.model
        if model is None:
            model = Path(folder, "sample-2b.safetensors")
            write_sample(model, "safetensors", options.sample_size, layers=32, seed=0)
        for theme in (options.theme,) if options.theme else ("light", "dark"):
            size = (int(width), int(height))
            Photographer(app, size, options.to, cast("Mode", theme)).journey(model)
    return 0


if __name__ == "__main__":
    sys.exit(main())
