"""Writes several files of an export: each whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.atomic import WriteError, check_target, write_text_atomic
from modelmon.core.messages import Message, verbatim
from modelmon.gui.look.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def write_all(files: Sequence[tuple[Path, str]]) -> None:
    """Write each text to its path. Every place is looked at before the first is written.

    Raises WriteError; where some files were written already, it says which.
    """
    if len({path.resolve() for path, _ in files}) < len(files):
        raise WriteError(
            verbatim(tr("Two files have the same path.")),
            verbatim(tr("Give each file its own name.")),
        )
    for path, _ in files:
        check_target(path)
    written: list[str] = []
    for path, text in files:
        try:
            write_text_atomic(path, text)
        except WriteError as error:
            if not written:
                raise
            kept = tr("Already written: {files}.", files=", ".join(written))
            raise WriteError(
                Message("{message} {kept}", message=error.message, kept=kept), error.remedy
            ) from error
        written.append(path.name)
