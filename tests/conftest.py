"""Real sample models that many tests load."""

import gc
import os
import signal
from functools import partial

import pytest
from hypothesis import HealthCheck, settings

from modelmon.core.machine.direct_io import DirectRefusedError, alignment_bytes, open_direct
from modelmon.core.machine.storage import storage_of
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

# How long an example takes says more about the machine's other work than about the code. Files of
# fixtures are written anew for each example. The same code gives the same result: new examples are
# looked for with --hypothesis-profile=explore, and what they find is written down as an example.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("soak", settings.get_profile("repeatable"), max_examples=1000)
settings.register_profile(
    "explore", settings.get_profile("repeatable"), derandomize=False, max_examples=2000
)
settings.load_profile("repeatable")

# Behind a shell's `&` and nohup, some signals are ignored, and they would be by each program that a
# test starts: what is handled here is back at its default there, as in a terminal.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for _name in {"SIGHUP", "SIGQUIT"} & {*dir(signal)}:
    if signal.getsignal(getattr(signal, _name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, _name), lambda *_: None)

PATIENCE_MS = 200_000
"""Less than a test may take in all, so that what never comes is named."""

FORMATS = ("safetensors", "sharded", "gguf")


def pytest_collection_modifyitems(items):
    """Begin with the longest, so that none is waited for when nothing else is left to run."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish():
    """Keep what thousands of collected tests are made of out of each garbage collection: it stays
    to the end, and looking through it took a sixth of the processor time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _own_history(tmp_path_factory, pytestconfig):
    """No test, and no process that a test starts, writes into the user's history."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MODELMON_DATA_DIR", str(tmp_path_factory.mktemp("user-data")))
        # To be compiled once, for all workers and the next run.
        if hasattr(pytestconfig, "cache"):
            patch.setenv("NUMBA_CACHE_DIR", str(pytestconfig.cache.mkdir("numba")))
        yield


@pytest.fixture(autouse=True)
def _garbage_of_windows(request):
    """With Qt, garbage is collected after each test, as the window does between events."""
    if "qapp" not in request.fixturenames:
        yield
        return
    gc.disable()
    yield
    # All of it every tenth time, as Python does by itself.
    gc.collect(2 if gc.get_count()[2] >= gc.get_threshold()[2] else 1)
    gc.enable()


@pytest.fixture
def qtbot(qtbot):
    """Waits for what has to come: how soon it does depends on the machine's other work."""
    for wait in ("waitUntil", "waitSignal", "waitSignals", "waitExposed"):
        setattr(qtbot, wait, partial(getattr(qtbot, wait), timeout=PATIENCE_MS))
    return qtbot


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """One small realistic model per format; never changed by a test."""
    folder = tmp_path_factory.mktemp("samples")
    names = {"safetensors": "tiny.safetensors", "sharded": "tiny-sharded", "gguf": "tiny.gguf"}
    return {
        form: write_sample(folder / names[form], form, 24 * MIB, layers=6, seed=1)
        for form in FORMATS
    }


@pytest.fixture(scope="session")
def sample(samples):
    """A small safetensors model."""
    return samples["safetensors"]


@pytest.fixture
def own_copy(sample, tmp_path):
    """A copy of the small model that a test may change or block."""
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(sample.read_bytes())
    return copy


@pytest.fixture
def on_a_device(sample):
    """The small model, where its folder lies on a block device that counts its bytes."""
    storage = storage_of(sample)
    if not storage.counts_device_bytes:
        pytest.skip(f"{storage.filesystem} does not count the bytes it fetches")
    return sample


@pytest.fixture
def needs_direct(tmp_path):
    """Skip where the filesystem of temporary files refuses direct reads."""
    probe = tmp_path / "probe"
    probe.write_bytes(bytes(4096))
    try:
        descriptor = open_direct(str(probe))
    except DirectRefusedError as refusal:
        pytest.skip(str(refusal))
    try:
        alignment_bytes(descriptor)
    except DirectRefusedError as refusal:
        pytest.skip(str(refusal))
    finally:
        os.close(descriptor)
