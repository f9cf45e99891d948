"""Whether a program as it is installed knows the setting that it is advised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import NOTHING, Message
from modelmon.core.programs.registry import PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Collection

    from modelmon.core.export.advice import ConsumerAdvice


def installed_text(
    advice: ConsumerAdvice, found: Message, version: str, settings: Collection[str] | None
) -> Message:
    """What is said of the program of this `version`, which was `found` somewhere and knows these
    `settings` (`Variant.setting`), None where that isn't known; empty where its version isn't.

    Of a setting that isn't among its preset's only the version is told.
    """
    if not version:
        return NOTHING
    # A call of Python is written with the quotation marks that a shell takes away.
    wanted = advice.summary.replace('"', "")
    offered = {each.setting for each in PROGRAMS[advice.consumer].offers}
    if settings is None or wanted not in offered:
        return Message("{found}: {version}.", found=found, version=version)
    if wanted in settings:
        return Message("{found}: {version}, supported.", found=found, version=version)
    return Message(
        "{found}: {version}, which doesn't have {setting}.",
        found=found,
        version=version,
        setting=advice.summary,
    )
