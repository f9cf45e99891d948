"""The `modelmon` command: the window, or with a subcommand the terminal."""

from __future__ import annotations

import gc
import io
import os
import sys
from pathlib import Path

from modelmon.core.errors import EXIT_CANCELLED, EXIT_USAGE


def main() -> int:
    """Start what the command line asks for; returns the exit code."""
    # Whoever started it may have closed them.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  till the end
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  till the end
    # What a terminal of another encoding cannot show is no reason to fail; so it is with errors.
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and out.errors in ("strict", "surrogateescape"):
        out.reconfigure(errors="backslashreplace")
    try:
        return _start(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return EXIT_CANCELLED


def _start(arguments: list[str]) -> int:
    if "_MODELMON_COMPLETE" not in os.environ and (not arguments or _opens_window(arguments)):
        return open_window(arguments)
    from modelmon.core.cli.main import main as run_command  # noqa: PLC0415  starts in half the time

    return run_command(arguments)


def _opens_window(arguments: list[str]) -> bool:
    first = arguments[0]
    if first.startswith("-"):
        return False
    from modelmon.core.cli.main import COMMANDS, EARLIER  # noqa: PLC0415  not for the window

    if first in COMMANDS or first in EARLIER:
        return False
    # A mistyped command must not open a window. A path elsewhere is left to the window: its mount
    # may hang, which would hold up the terminal.
    return os.path.basename(first) != first or os.path.lexists(first)  # noqa: PTH119


def open_window(arguments: list[str]) -> int:
    """Open the window, or say in a sentence why there is none."""
    if sys.platform == "linux" and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        sys.stderr.write(
            "There is no display here. In the terminal: modelmon inspect PATH, then"
            " modelmon compare PATH (modelmon --help shows all).\n"
        )
        return EXIT_USAGE
    # Of a thousand modules nothing is garbage. The window collects by a timer once it is made.
    gc.disable()
    try:
        from modelmon.gui.shell.app import main as run_window  # noqa: PLC0415  only the window needs Qt
    except ImportError as error:
        sys.stderr.write(
            f"The window cannot start: {error}. The terminal works without it: modelmon --help."
            " With the sources at hand, `make run` installs what is missing.\n"
        )
        return EXIT_USAGE
    return run_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
