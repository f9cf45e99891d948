from typing import get_args

import pytest

from modelmon.core.worker.events import decode, encode
from modelmon.core.worker.run_warnings import MEANINGS, RunWarning, WarningKind, warned

RANKED_NEVER = {
    "cache-not-cold",
    "cache-not-warm",
    "served-from-cache",
    "not-kept",
    "nothing-touched",
    "verified",
    "cut-off",
    "reading-unseen",
    "program-cold",
    "memory-taken",
    "file-changed",
    "swapped",
    "clock-jumped",
}


def test_that_every_kind_says_what_to_do_and_whether_its_run_counts():
    assert set(MEANINGS) == set(get_args(WarningKind))
    assert all(meaning.remedy.endswith(".") for meaning in MEANINGS.values())
    assert {kind for kind, meaning in MEANINGS.items() if not meaning.counts} == RANKED_NEVER


def test_that_a_warning_has_its_kinds_remedy_unless_it_knows_better():
    assert warned("on-battery", "Unplugged.").remedy == MEANINGS["on-battery"].remedy
    assert warned("on-battery", "Unplugged.", "0 W", "Buy a cable.").remedy == "Buy a cable."


@pytest.mark.parametrize("line", [b'{"event":"warning","kind":"late-samples","message":"Late."}'])
def test_that_a_recording_from_before_evidence_and_remedies_is_read(line):
    event = decode(line)
    assert event == RunWarning("late-samples", "Late.")
    assert encode(event) == line + b"\n"
