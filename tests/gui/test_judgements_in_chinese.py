"""Causes, verdicts and recommendations are said in Chinese."""

import pytest
from tests.core.comparison.comparing import play
from tests.core.explain.loads import (
    COLD,
    GB,
    MS,
    PROBED,
    WARM,
    S,
    changed,
    with_device,
)
from tests.core.find_best.racing import TIMES_MS, Racetrack, conditions
from tests.gui.chinese import english_in, in_chinese

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import Message
from modelmon.core.probe.probe import Limits
from modelmon.core.worker.events import MemoryPressure

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


def words_of(found):
    yield from (
        found.label,
        found.clause,
        found.sentence,
        Message("It {clause}.", clause=found.clause),
        found.remedy,
    )
    yield found.evidence_text
    yield from (figure.name for figure in found.evidence)


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("limits", [Limits(), PROBED], ids=["alone", "probed"])
def test_that_what_held_a_load_back_is_translated(run, limits):
    found = bottleneck_of(run, limits)
    assert not [word for word in words_of(found) if english_in(word)]
    for word in (
        found.label,
        found.clause,
        found.sentence,
        Message("It {clause}.", clause=found.clause),
    ):
        assert in_chinese(word) != word


@pytest.fixture(scope="module")
def inspection(sample):
    return inspect_model(sample)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([2300, 2310, 2290, 2320, 2305], [1000, 1001, 999, 1002, 1000]),
        ([100] * 5, [300] * 5),
        ([1000, 1030, 980, 1010, 990], [990, 1010, 980, 1030, 1000]),
        ([300, 900, 310, 1000, 320], [400, 350, 900, 300, 950]),
        ([1000, 1090, 980, 1060, 990], [1050, 960, 1080, 970, 1060]),
        ([1000, 1001, 999, 1002, 1000, 1001, 9000], [500, 501, 499, 502, 500, 501, 4000]),
        ([500, 510], [520, 530]),
    ],
)
def test_that_verdicts_are_translated(a, b, inspection):
    times = {"A": [each * MS for each in a], "B": [each * MS for each in b]}
    found = play(times, inspection).verdict
    for text in (found.sentence, found.reason, found.caveat, found.confidence_reason):
        assert not english_in(text)
        assert in_chinese(text) != text


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
        assert not [text for text in texts if english_in(text)]
        assert not [text for text in texts if text and in_chinese(text) == text]
