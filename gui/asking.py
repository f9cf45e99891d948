"""Asks `modelmon` subcommands, one at a time, for who shows their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.gui.commands import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Asking(QObject):
    """Holds the command whose answer is awaited, and those that were given up until they end."""

    def __init__(
        self, make_command: Callable[[list[str]], Command] = Command, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make_command = make_command
        self._command: Command | None = None
        self._succeeded: Callable[[bytes], None]
        self._failed: Callable[[str, str], None]

    @property
    def under_way(self) -> bool:
        """Whether an answer is awaited."""
        return self._command is not None

    def ask(
        self,
        arguments: Sequence[str],
        succeeded: Callable[[bytes], None],
        failed: Callable[[str, str], None],
        line_read: Callable[[bytes], None] | None = None,
    ) -> None:
        """Start a command; what these are called with is what the signals of a Command bring.

        An answer that was awaited before is given up. When one of the first two is called,
        none is awaited any more.
        """
        self.stop()
        command = self._make_command(list(arguments))
        command.setParent(self)
        if line_read is not None:
            command.line_read.connect(line_read)
        command.succeeded.connect(self._on_succeeded)
        command.failed.connect(self._on_failed)
        self._command, self._succeeded, self._failed = command, succeeded, failed
        command.start()

    def forget(self) -> None:
        """Await no answer; the command ends by itself."""
        if self._command is not None:
            self._command.succeeded.disconnect(self._on_succeeded)
            self._command.failed.disconnect(self._on_failed)
            self._command = None

    def stop(self) -> Command | None:
        """End the command whose answer is awaited; returns it at once, or None without one."""
        command, self._command = self._command, None
        if command is not None:
            command.stop()
        return command

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._command = None
        for command in self.findChildren(Command):
            command.shut_down()

    def _on_succeeded(self, output: bytes) -> None:
        self._command = None
        self._succeeded(output)

    def _on_failed(self, message: str, remedy: str) -> None:
        self._command = None
        self._failed(message, remedy)
