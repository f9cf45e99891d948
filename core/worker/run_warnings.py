"""Warnings of a run: what makes its figures worth less, whether it still counts, what to do.

A kind is declared here, with what it means; who finds it says it in a sentence with its figures.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from modelmon.core.messages import NOTHING, Message

WarningKind = Literal[
    "cache-not-cold",
    "cache-not-warm",
    "residency-unknown",
    "server-unseen",
    "simulated-storage",
    "served-from-cache",
    "faster-than-probed",
    "mapped-elsewhere",
    "other-reader",
    "direct-refused",
    "slow-decoder",
    "as-stored",
    "nothing-touched",
    "verified",
    "cut-off",
    "reading-unseen",
    "program-cold",
    "daemonised",
    "read-again",
    "file-changed",
    "swapped",
    "memory-pressure",
    "not-kept",
    "slow-first-touch",
    "memory-taken",
    "throttled",
    "on-battery",
    "clock-jumped",
    "late-samples",
    "few-samples",
    "dropped-samples",
    "dropped-requests",
    "unknown-event",
]


FEW_SAMPLES = 10
"""Curves of fewer samples tell little."""


class RunWarning(msgspec.Struct, frozen=True, tag_field="event", tag="warning", omit_defaults=True):
    """Something that makes the figures worth less: what, the figures it is seen by, what to do."""

    kind: WarningKind
    message: Message
    evidence: Message = NOTHING
    remedy: Message = NOTHING

    @property
    def text(self) -> Message:
        """The message with its evidence, where that is not part of it."""
        if not self.evidence or self.evidence in self.message:
            return self.message
        return Message("{message} ({evidence})", message=self.message, evidence=self.evidence)

    @property
    def counts(self) -> bool:
        """Whether a run with this warning can be ranked."""
        return MEANINGS[self.kind].counts


class Meaning(NamedTuple):
    """What a kind of warning means: whether its run counts, and what to do about it."""

    counts: bool
    remedy: Message


MEANINGS: dict[WarningKind, Meaning] = {
    "cache-not-cold": Meaning(False, Message("Close programs that use the file, then run again.")),
    "cache-not-warm": Meaning(False, Message("Free memory until the file fits in the page cache.")),
    "residency-unknown": Meaning(
        True,
        Message("Run as the file's owner, where the system allows cachestat, to have it verified."),
    ),
    "server-unseen": Meaning(
        True,
        Message(
            "If you can, clear the server's cache before each run{terminal}.",
            terminal=" (--prepare)",
        ),
    ),
    "simulated-storage": Meaning(True, Message("Measure on the real storage before you decide.")),
    "served-from-cache": Meaning(
        False,
        Message(
            "Measure warm starts, or clear the cache below this machine's before each"
            " run{terminal}.",
            terminal=" (--prepare)",
        ),
    ),
    "faster-than-probed": Meaning(
        True,
        Message(
            "Measure the disk again while nothing else uses it{terminal}.",
            terminal=": modelmon doctor MODEL --probe",
        ),
    ),
    "mapped-elsewhere": Meaning(True, Message("Close that program, then run again.")),
    "other-reader": Meaning(True, Message("Wait until it's done, then run again.")),
    "direct-refused": Meaning(True, Message("Choose another access, or another filesystem.")),
    "slow-decoder": Meaning(True, Message("Install the faster decoders: pip install numba.")),
    "as-stored": Meaning(
        True, Message("Measure it without decoding: programs decode these types on the GPU.")
    ),
    "nothing-touched": Meaning(False, Message("Choose a delivery other than untouched.")),
    "verified": Meaning(
        False,
        Message("To measure, run again without checksums{terminal}.", terminal=" (--verify)"),
    ),
    "cut-off": Meaning(False, Message("Run this strategy alone to measure its whole time.")),
    "reading-unseen": Meaning(False, Message("Compare the time until ready instead.")),
    "program-cold": Meaning(False, Message("Its next start finds them in memory.")),
    "daemonised": Meaning(
        True, Message("Start it in the foreground to have it ended when it should be.")
    ),
    "read-again": Meaning(
        True,
        Message("Look for what reads it twice: a checksum, a copy, or several processes."),
    ),
    "file-changed": Meaning(
        False, Message("Let the writer finish, or mount it again, then run again.")
    ),
    "swapped": Meaning(
        False,
        Message(
            "Close other programs, or use a smaller file{terminal}.",
            terminal=" or a part (--portion)",
        ),
    ),
    "memory-pressure": Meaning(True, Message("Close other programs, or raise the memory limit.")),
    "not-kept": Meaning(
        False,
        Message(
            "Set delivery to streamed, best with direct I/O; or free memory{terminal}.",
            terminal=", or load a part (--portion)",
        ),
    ),
    "slow-first-touch": Meaning(
        True,
        Message(
            "Run again, with memory prepared before each run{terminal}.",
            terminal=" (without --no-memory-prep)",
        ),
    ),
    "memory-taken": Meaning(False, Message("Run again: it happens every two seconds.")),
    "throttled": Meaning(True, Message("Let the machine cool down, or raise its CPU limit.")),
    "on-battery": Meaning(True, Message("Plug the machine in.")),
    "clock-jumped": Meaning(False, Message("Run again while the machine stays awake.")),
    "late-samples": Meaning(True, Message("Close programs that keep the processors busy.")),
    "few-samples": Meaning(
        True, Message("Load a larger model for curves{terminal}.", terminal=", or raise --hz")
    ),
    "dropped-samples": Meaning(
        True,
        Message(
            "Close programs that keep the processors busy{terminal}.",
            terminal=", read the events faster, or lower --hz",
        ),
    ),
    "dropped-requests": Meaning(
        True,
        Message("Record it to a file, which keeps them all{terminal}.", terminal=" (--record)"),
    ),
    "unknown-event": Meaning(True, Message("Install the version that wrote the recording.")),
}


def warned(
    kind: WarningKind, message: Message, evidence: Message = NOTHING, remedy: Message = NOTHING
) -> RunWarning:
    """A warning with the remedy of its kind, unless a better one is given."""
    return RunWarning(kind, message, evidence, remedy or MEANINGS[kind].remedy)


VERIFIED = warned("verified", Message("Not counted: the bytes were verified during the load."))
"""What every run is marked with whose bytes are hashed for `--verify`."""
