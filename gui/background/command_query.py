"""Asks `modelmon` subcommands, one at a time, for who shows their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec
from PySide6.QtCore import QObject

from modelmon.core.messages import from_wire
from modelmon.gui.background.commands import Command
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.model.sharded import ModelChoice

    Answer = TypeVar("Answer")


class CommandQuery(QObject):
    """Holds the command whose answer is awaited, and those that were given up until they end."""

    def __init__(
        self, make_command: Callable[[list[str]], Command] = Command, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make_command = make_command
        self._command: Command | None = None
        self._problem = ""
        self.choices: tuple[ModelChoice, ...] = ()
        """What can be opened in place of what the last answer refused."""
        self._take: Callable[[bytes], None]
        self._ended: Callable[[], None]
        self._failed: Callable[[str, str], None]

    @property
    def under_way(self) -> bool:
        """Whether an answer is awaited."""
        return self._command is not None

    @property
    def worked_ticks(self) -> int | None:
        """What shows whether the command waits, for storage or for a server."""
        return self._command.worked_ticks if self._command is not None else None

    def ask(
        self,
        arguments: Sequence[str],
        kind: type[Answer],
        succeeded: Callable[[Answer], None],
        failed: Callable[[str, str], None],
    ) -> None:
        """Start a command that answers with one line of JSON; `failed` is told why it did not.

        An answer that was awaited before is given up. When either is called, none is awaited any
        more.
        """
        answers: list[Answer] = []

        def end() -> None:
            if answers:
                succeeded(answers[-1])
            else:
                failed(tr("modelmon {name} has given no answer.", name=arguments[0]), "")

        decode = msgspec.json.Decoder(kind, dec_hook=from_wire).decode
        self.follow(arguments, decode, answers.append, end, failed)

    def follow(
        self,
        arguments: Sequence[str],
        decode: Callable[[bytes], Answer],
        read: Callable[[Answer], None],
        ended: Callable[[], None],
        failed: Callable[[str, str], None],
    ) -> None:
        """Start a command that answers with many lines; `read` gets each as it comes."""
        self.stop()

        def take(line: bytes) -> None:
            read(decode(line))

        command = self._make_command(list(arguments))
        command.setParent(self)
        command.line_read.connect(self._on_line)
        command.succeeded.connect(self._on_succeeded)
        command.failed.connect(self._on_failed)
        self._problem = ""
        self._command, self._take, self._ended, self._failed = command, take, ended, failed
        command.start()

    def end_input(self, grace_ms: int) -> None:
        """Let the command end that ends with its input; what it still says is awaited."""
        if self._command is not None:
            self._command.end_input(grace_ms)

    def forget(self) -> None:
        """Await no answer; the command ends by itself."""
        if self._command is not None:
            self._command.line_read.disconnect(self._on_line)
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

    def _on_line(self, line: bytes) -> None:
        try:
            self._take(line)
        except msgspec.DecodeError as error:
            # The line of an error is no answer either, and comes with `failed`.
            self._problem = tr(
                "Couldn't read the answer of modelmon {name}: {error}.",
                name=self._command.name if self._command is not None else "",
                error=str(error),
            )

    def _on_succeeded(self) -> None:
        self._command = None
        if self._problem:
            self._failed(self._problem, "")
        else:
            self._ended()

    def _on_failed(self, message: str, remedy: str) -> None:
        self.choices = self._command.choices if self._command is not None else ()
        self._command = None
        self._failed(message, remedy)
