"""Which of the models in a folder is opened, and what to say where it is none or one of several."""

from __future__ import annotations

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message


class ModelChoice(msgspec.Struct, frozen=True):
    """One of several models: its name among them, what to open, and the bytes of its files, None
    where some are missing.
    """

    name: str
    path: str
    size_bytes: int | None = None


class SeveralModelsError(ModelFileError):
    """A folder holds several models; `choices` are all of them."""

    def __init__(self, message: Message, choices: tuple[ModelChoice, ...]) -> None:
        super().__init__(message, Message("Open one of them."))
        self.choices = choices
