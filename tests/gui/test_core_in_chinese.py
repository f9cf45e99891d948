"""What core says is said in Chinese, down to its last argument.

That every template is translated, test_translations.py proves, and types that a sentence is a
Message; here is what becomes of them with what is put into their places.
"""

import itertools
import json
import re
import struct

import msgspec
import pytest
from tests.core.doctor.diagnosed import HURTS, PROBE
from tests.core.explain.loads import COLD, GB, MS, PROBED, WARM, S, changed, with_device
from tests.core.find_best.racing import TIMES_MS, Racetrack, conditions
from tests.core.model import test_gguf as gguf_headers
from tests.core.model import test_safetensors as safetensors_headers
from tests.gui.chinese import english_in, in_chinese

from modelmon.core.doctor.findings import findings_of
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.doctor.sections import sections
from modelmon.core.errors import ModelFileError
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.load.config import CHOICES, LoadConfig
from modelmon.core.load.rules import conflict_of, nearest_possible
from modelmon.core.model.open import open_model
from modelmon.core.probe.probe import Limits
from modelmon.core.units import MIB
from modelmon.core.worker.events import MemoryPressure

_COMMANDS = re.compile("pip install [a-z -]+|git lfs pull")


def english_left(texts):
    """Those of the sentences that stay English in whole or in part."""
    return [text for text in texts if text and (english_in(text) or in_chinese(text) == text)]


@pytest.mark.parametrize("found", [found for found, *_ in HURTS])
def test_that_all_that_the_doctor_knows_is_translated(found):
    assert not english_left(finding.text for finding in findings_of(found))
    for one in (found, msgspec.structs.replace(found, probe=PROBE)):
        for title, rows in sections(one):
            assert not re.search("[a-z]", in_chinese(title))
            assert not [row for row in rows if english_in(row[0]) or english_in(row[1])]


LIBRARY = LoadConfig(library="safetensors.get_tensor")

RUNS = {
    "near the limit": COLD,
    "in between": changed(COLD, wall_ns=2 * S, device=None),
    "small requests": with_device(COLD, mean_request_bytes=16_384.0),
    "far below the limit": changed(COLD, wall_ns=5 * S),
    "random": changed(COLD, device=None, config=LoadConfig(order="random")),
    "held up": with_device(changed(COLD, wall_ns=30 * S), busy_share=0.04),
    "a mount": changed(COLD, device=None, device_bytes=None, storage_kind="fuse"),
    "a server": changed(COLD, device=None, device_bytes=None, storage_kind="network"),
    "no cause": changed(COLD, device=None, io_wait_share=0.2),
    "nothing seen": changed(COLD, io_wait_share=None, cpu_user_ns=None, device=None),
    "twice": changed(COLD, device_bytes=6 * GB),
    "by ranks": changed(COLD, device_bytes=6 * GB, config=LoadConfig(ranks=4)),
    "by slices": changed(COLD, device_bytes=6 * GB, config=LoadConfig(ranks=4, rank_share="slice")),
    "a portion": changed(COLD, device_bytes=6 * GB, portion=True),
    "swapping": changed(COLD, memory=MemoryPressure(GB, GB, GB, 0.4, GB, 2 * GB, GB, 2 * GB, GB)),
    "stalling": changed(COLD, memory=MemoryPressure(own_stalled_share=0.4)),
    "again": changed(COLD, memory=MemoryPressure(own_refaulted_bytes=GB), device_bytes=4 * GB),
    "cached": WARM,
    "faults": changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS, minor_faults=730_000),
    "copies": changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS),
    "cached and slow": changed(WARM, wall_ns=3 * S, cpu_user_ns=500 * MS),
    "a slow library": changed(WARM, wall_ns=3 * S, cpu_user_ns=500 * MS, config=LIBRARY),
    "each tensor": changed(
        WARM, config=LIBRARY, tensors=20_000, load_bytes=GB // 2, wall_ns=S, cpu_user_ns=900 * MS
    ),
    "decoding": changed(
        COLD, config=LoadConfig(deliver="decoded"), wall_ns=10 * S, decode_ns=9 * S, device=None
    ),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("limits", [Limits(), PROBED], ids=["alone", "probed"])
def test_that_what_held_a_load_back_is_translated(run, limits):
    found = bottleneck_of(run, limits)
    assert not english_left((found.label, found.clause, found.sentence, found.remedy))
    names = (figure.name for figure in found.evidence)
    assert not [text for text in (found.evidence_text, *names) if english_in(text)]


@pytest.fixture(scope="module")
def inspection(sample):
    return inspect_model(sample)


@pytest.mark.parametrize("objective", ["cold", "warm", "memory"])
@pytest.mark.parametrize(
    "times_ms",
    [
        TIMES_MS,
        {"mmap": 400, "parallel": 398},
        {"mmap": 700, "parallel": 650, "direct": 400},
        {"mmap": 900, "parallel": 700, "processes": 300},
        {"mmap": 500, "direct": 505, "sequential": 499},
    ],
)
def test_that_recommendations_are_translated(objective, times_ms, inspection):
    for budget_s in (20, 300):
        shared = conditions(budget_s, objective)
        track = Racetrack(shared, seed=3, times_ms=times_ms, admit=lambda _: "no")
        race = track.go().race(inspection)
        found = race.recommendation
        texts = [found.sentence, *found.reasons, *found.contradictions, found.confidence_reason]
        texts += [standing.why for standing in race.standings] + [found.runner_up_wins]
        for advice in found.advice:
            texts += [advice.text, advice.expected, advice.source]
        assert not english_left(texts)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_that_every_refusal_of_two_axes_is_translated(platform):
    settings = {axis: set(values) for axis, values in CHOICES.items()}
    settings |= {"readers": {4}, "ranks": {2}, "prefetch_bytes": {MIB}}
    settings |= {"library": {"safetensors.get_tensor"}}
    pairs = itertools.combinations(((a, v) for a in settings for v in settings[a]), 2)
    configs = [_with(pair) for pair in pairs if pair[0][0] != pair[1][0]]
    found = {one.reason for config in configs if (one := conflict_of(config, platform))}
    assert len(found) > 10
    assert not english_left(found)
    assert all(conflict_of(nearest_possible(each, platform), platform) is None for each in configs)


def _with(settings):
    return LoadConfig(**dict(settings))  # type: ignore[arg-type]


def _file_of(header, nbytes):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(nbytes)


WRONG_FILES = {
    **{f"GGUF, {said}": b"".join(parts) for said, parts in gguf_headers.WRONG},
    **{
        f"safetensors {number}, {said}": _file_of(header, nbytes)
        for number, (said, header, nbytes) in enumerate(safetensors_headers.WRONG)
    },
    "a length of nothing": struct.pack("<Q", 0) + b"{}",
    "no length": b"{}",
    "nothing": b"",
    "zeros": bytes(64),
    "a web page": b"<!DOCTYPE html>",
    "a pickle": b"PK\x03\x04",
    "a pointer": b"version https://git-lfs.github.com/spec/v1\n",
    "GGML": b"lmggxxxx",
    "HDF5": b"\x89HDF\r\n",
    "text": b"Once upon a time",
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_that_what_is_wrong_with_a_file_is_said_in_chinese(case, tmp_path):
    path = tmp_path / "a model.safetensors"
    path.write_bytes(WRONG_FILES[case])
    with pytest.raises(ModelFileError) as error:
        open_model(path)
    assert not _COMMANDS.sub("", english_in(error.value.text))
    assert in_chinese(error.value.message) != error.value.message
