"""Takes pictures of the program: in a real window, loading a real model.

Run: make screenshots, which takes those of the documents. Every state in both languages, at all
sizes: make screenshots SCREENSHOTS_ARGS="--all --to FOLDER". Or only some:
xvfb-run .venv/bin/python -m tests.system.screenshots --to FOLDER --size 1920x1080 --state settings
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication
from tests.system import scenes, shelf
from tests.system.photographer import Look, Photographer

from modelmon.core.model.sample import write_sample
from modelmon.core.units import parse_size
from modelmon.gui import language
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.app import GarbageTimer

if TYPE_CHECKING:
    from modelmon.gui.widgets.theme import Mode

HOME = Path(__file__).parents[2] / "resources" / "screenshots"
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh_CN")
SCALES = {"1": ("1024x700", "1280x800", "1440x900", "1920x1080"), "2": ("940x470",)}
"""Sizes by scale; the last fits 1920x1080 pixels. A scale is a process's own, and so is a
language."""


def main():
    """Photograph what is asked for; returns the exit code."""
    options = _options()
    # Whoever is told to end takes the sample away with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    # /tmp is often in memory, where no load is cold.
    disk = os.environ.get("TMPDIR", "/var/tmp")
    with tempfile.TemporaryDirectory(prefix="models-", dir=disk) as folder:
        model = options.model or Path(folder, "sample-2b.safetensors")
        if options.model is None:
            write_sample(model, "safetensors", options.sample_size, layers=32, seed=0)
        if options.all:
            return _every_process(options.to, model)
        _photograph(options, model, Path(folder))
    return 0


def _options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=HOME, help="folder for the pictures")
    parser.add_argument("--all", action="store_true", help="all states, languages and sizes")
    parser.add_argument("--size", action="append", help="default: 1440x900; can be repeated")
    parser.add_argument("--theme", choices=THEMES, action="append", help="default: both")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument(
        "--state", choices=scenes.EVERYTHING, action="append", help="default: the documents'"
    )
    parser.add_argument("--model", type=Path, help="default: a sample")
    parser.add_argument("--sample-size", type=parse_size, default="2GiB")
    options = parser.parse_args()
    if options.all and options.to == HOME:
        parser.error("--all takes a great many pictures: name a folder with --to.")
    return options


def _every_process(folder, model):
    """Photograph all states; each language and scale in a process of its own."""
    statuses = []
    for name in LANGUAGES:
        for scale, sizes in SCALES.items():
            place = folder / (name if scale == "1" else f"{name}-{scale}x")
            command = [sys.executable, "-m", "tests.system.screenshots", "--model", str(model)]
            command += ["--to", str(place), "--language", name]
            command += [word for size in sizes for word in ("--size", size)]
            command += [word for state in scenes.EVERYTHING for word in ("--state", state)]
            environment = os.environ | {"QT_SCALE_FACTOR": scale}
            statuses.append(subprocess.run(command, env=environment, check=False).returncode)
    return max(statuses)


def _photograph(options, model, folder):
    app = QApplication(sys.argv[:1])
    _collector = GarbageTimer()
    if language.install(app, options.language) is None and options.language != "en":
        raise SystemExit(f"{options.language} is not compiled: make translations.")
    home = folder / "home"
    os.environ["MODELMON_DATA_DIR"] = str(folder / "data")
    shelf.live_in(home)
    settings = Settings(folder / "window.ini")
    shelf.remember_some(settings, home)
    sizes = options.size or ["1440x900"]
    looks = [
        Look(_pixels(size), cast("Mode", theme), options.to / size if sizes[1:] else options.to)
        for size in sizes
        for theme in options.theme or THEMES
    ]
    wanted = options.state or scenes.FOR_DOCUMENTS
    scenes.journey(Photographer(app, settings, looks, wanted), model)


def _pixels(size):
    width, _, height = size.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    sys.exit(main())
