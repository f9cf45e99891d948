"""Warnings of a run: what makes its figures worth less, whether it still counts, what to do."""

from __future__ import annotations

from typing import Literal, NamedTuple

from modelmon.core.worker.wire import Event

WarningKind = Literal[
    "cache-not-cold",
    "cache-not-warm",
    "residency-unknown",
    "server-unseen",
    "served-from-cache",
    "faster-than-probed",
    "mapped-elsewhere",
    "other-reader",
    "direct-refused",
    "nothing-touched",
    "file-changed",
    "swapped",
    "memory-pressure",
    "slow-first-touch",
    "throttled",
    "on-battery",
    "clock-jumped",
    "late-samples",
    "few-samples",
    "dropped-samples",
    "unknown-event",
]


class Warned(Event, frozen=True, tag="warning"):
    """Something that makes the figures worth less: what, the figures it is seen by, what to do."""

    kind: WarningKind
    message: str
    evidence: str = ""
    remedy: str = ""

    @property
    def text(self) -> str:
        """The message with its evidence, where that is not part of it."""
        if not self.evidence or self.evidence in self.message:
            return self.message
        return f"{self.message} ({self.evidence})"

    @property
    def counts(self) -> bool:
        """Whether a run with this warning can be ranked."""
        return MEANINGS[self.kind].counts


class Meaning(NamedTuple):
    """What a kind of warning means: whether its run counts, and what to do about it."""

    counts: bool
    remedy: str


MEANINGS: dict[WarningKind, Meaning] = {
    "cache-not-cold": Meaning(False, "Close what uses the file, then run again."),
    "cache-not-warm": Meaning(False, "Free memory, so that the file fits into the cache."),
    "residency-unknown": Meaning(True, "Run as the file's owner to have the cache verified."),
    "server-unseen": Meaning(
        True, "Empty the server's cache before each run with --prepare, if you can."
    ),
    "served-from-cache": Meaning(
        False, "Empty the cache below this machine's own with --prepare, or measure warm starts."
    ),
    "faster-than-probed": Meaning(
        True,
        "Measure the disk again while nothing else uses it; in the terminal: modelmon doctor"
        " --probe.",
    ),
    "mapped-elsewhere": Meaning(True, "Close that program, then run again."),
    "other-reader": Meaning(True, "Wait until it is done, then run again."),
    "direct-refused": Meaning(True, "Use a filesystem with direct I/O, or another access."),
    "nothing-touched": Meaning(False, "Choose a delivery other than untouched."),
    "file-changed": Meaning(False, "Let the writer finish, then run again."),
    "swapped": Meaning(False, "Close other programs, or load a part with --portion."),
    "memory-pressure": Meaning(True, "Close other programs, or raise the memory limit."),
    "slow-first-touch": Meaning(
        True, "Leave memory conditioning on, and do not take --fresh-memory for comparisons."
    ),
    "throttled": Meaning(True, "Let the machine cool down, or raise its CPU limit."),
    "on-battery": Meaning(True, "Plug the machine in."),
    "clock-jumped": Meaning(False, "Run again while the machine stays awake."),
    "late-samples": Meaning(True, "Close what keeps the processors busy."),
    "few-samples": Meaning(True, "Raise --hz, or load a larger model for curves."),
    "dropped-samples": Meaning(True, "Read the events faster, or lower --hz."),
    "unknown-event": Meaning(True, "Install the version that wrote the recording."),
}


def warned(kind: WarningKind, message: str, evidence: str = "", remedy: str = "") -> Warned:
    """A warning with the remedy of its kind, unless a better one is given."""
    return Warned(kind, message, evidence, remedy or MEANINGS[kind].remedy)
