"""Loads that are held back by what a test does to them: is that what they are told?"""

import json
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest
from tests.system.beds import memory_limit, throttle
from tests.system.runs import started_as_asked

from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.evidence import HALF
from modelmon.core.explain.terms import others_queue_share, terms_of
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.rules import conflict_of
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.probe import Limits
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.core.worker import client
from modelmon.core.worker.client import worker_command
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

pytestmark = [
    pytest.mark.soak,
    *(
        pytest.mark.skipif(bool(bed.why_not()), reason=bed.why_not())
        for bed in (mounts, throttle, memory_limit)
    ),
]

RIGHT_SHARE = 0.95
OTHERS_QUEUE_SHARE = 0.25
"""Who waits so much for processors is held back by what else runs here, whatever the bed is."""

LIBRARY = LoadConfig(library="safetensors.get_tensor")
WAYS = {
    **{name: PRESETS[name].config for name in ("mmap", "parallel", "direct", "processes")},
    "library": LIBRARY,
}
DELIVERIES = ("usable", "owned", "streamed", "decoded")
SLOW_LINK = {"first_byte_s": 0.0, "bytes_per_s": 10e6, "per": "device"}
FAR_SERVER = {"first_byte_s": 0.0, "request_s": 0.02, "bytes_per_s": 500e6}
SEEKS = {"first_byte_s": 0.05, "bytes_per_s": 200e6, "per": "device"}
SPIN = "while True: pass"
CACHED_WAYS = ("mmap", "parallel", "processes", "library")


def ways(names, deliveries=DELIVERIES):
    for name in names:
        for deliver in deliveries:
            config = replace(WAYS[name], deliver=deliver)
            if conflict_of(config) is None:
                yield f"{name} {deliver}", config


def many_small_tensors(path, count=30_000, nbytes=1024):
    header = {
        f"t{number}": {
            "dtype": "U8",
            "shape": [nbytes],
            "data_offsets": [number * nbytes, (number + 1) * nbytes],
        }
        for number in range(count)
    }
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(count * nbytes))
    return path


def first(*command):
    """Processors are this load's before others'."""
    return ("chrt", "--fifo", "1", *command)


class Tally:
    """What was said of each load whose cause is known."""

    def __init__(self, monkeypatch):
        self.right = 0
        self.wrong = []
        self.disturbed = []
        self._monkeypatch = monkeypatch

    def load(self, name, path, config, kinds, cache="cold", limits=Limits(), within=None):
        """Load until nothing but the bed holds it back, three times at most: short loads may find a
        free processor beside others.
        """
        wrapped = within or (lambda *command: command)
        by_others = "busy-processors" in kinds
        with self._monkeypatch.context() as patch:
            patch.setattr(client, "worker_command", lambda *a: [*wrapped(*worker_command(*a))])
            job = Job(str(path), config, cache=cache, condition_memory=False)
            for _ in range(3):
                run = summarise(started_as_asked(job))
                interrupted = others_queue_share(run)
                if interrupted >= HALF if by_others else interrupted <= OTHERS_QUEUE_SHARE:
                    break
            else:
                self.disturbed.append(name)
                return
        found = bottleneck_of(run, limits)
        if found.kind in kinds:
            self.right += 1
            return
        terms = {each.kind: round(each.ns / run.reading_ns, 2) for each in terms_of(run, limits)}
        self.wrong.append(f"{name}: {found.label}: {found.clause}; {terms}")

    def check(self):
        count = self.right + len(self.wrong)
        said = f"{self.right} of {count} right, {len(self.disturbed)} disturbed"
        sys.stderr.write("\n".join((said, *self.wrong, "")))
        assert self.right >= RIGHT_SHARE * count, "\n".join((said, *self.wrong))


@pytest.fixture
def tally(monkeypatch):
    return Tally(monkeypatch)


@contextmanager
def busy_processors(count=8):
    with ExitStack() as stack:
        for _ in range(count):
            # Each a session of its own, as a load is: schedulers may share processors among these.
            spinning = subprocess.Popen([sys.executable, "-c", SPIN], start_new_session=True)
            stack.callback(spinning.wait)
            stack.callback(spinning.kill)
        yield


@pytest.fixture
def small(tmp_path):
    return write_sample(tmp_path / "small.safetensors", "safetensors", 8 * MIB, layers=4, seed=1)


@pytest.fixture
def large(tmp_path):
    return write_sample(tmp_path / "large.safetensors", "safetensors", 192 * MIB, layers=8, seed=1)


@pytest.mark.parametrize(
    ("cost", "names", "kind"),
    [
        (SLOW_LINK, tuple(WAYS), "device-bandwidth"),
        (FAR_SERVER, tuple(WAYS), "device-latency"),
        (SEEKS, ("parallel", "processes", "direct"), "device-latency"),
    ],
    ids=["slow link", "far server", "seeks"],
)
def test_that_what_storage_costs_is_named(tally, small, tmp_path, cost, names, kind):
    limits = Limits(device_bytes_per_s=cost["bytes_per_s"])
    with served(small, tmp_path / "mounted", Cost(**cost)) as store:
        for name, config in ways(names):
            tally.load(name, store.path, config, {kind}, limits=limits)
    tally.check()


def test_that_a_limit_and_repeated_reads_are_named(tally, on_a_device, small):
    del on_a_device
    with throttle.throttled(small, 5_000_000) as held:
        for name, config in ways(WAYS):
            tally.load(name, small, config, {"device-bandwidth"}, within=held.command)
        config = replace(WAYS["direct"], ranks=4, readers=1)
        tally.load("ranks", small, config, {"amplification"}, within=held.command)
    tally.check()


def test_that_work_on_what_is_cached_is_named(tally, large, tmp_path):
    for name, config in ways(CACHED_WAYS):
        kinds = {"faults", "page-cache"}
        if config.deliver == "decoded":
            # Several readers copy as much, into memory that is new, on the same processors.
            kinds = {"decode"} | (kinds if name.startswith("parallel") else set())
        tally.load(name, large, config, kinds, cache="warm", within=first)
    tensors = many_small_tensors(tmp_path / "many.safetensors")
    for deliver in ("usable", "owned"):
        config = replace(LIBRARY, deliver=deliver)
        tally.load(f"many {deliver}", tensors, config, {"per-tensor"}, cache="warm", within=first)
    tally.check()


def test_that_processors_that_others_keep_busy_are_named(tally, large):
    with busy_processors():
        for name, config in ways(CACHED_WAYS):
            tally.load(name, large, config, {"busy-processors"}, cache="warm")
    tally.check()
    assert tally.right
