"""Every preset with the real program: it takes each of its settings, and loads the whole model; and
each way to see the reads of a real llama.cpp shows the same bytes, in the same order.

`make test-engines` installs what pip can bring into an environment of its own, and runs these with
MODELMON_ENGINES_PYTHON naming its Python. Programs that are not there are skipped, and say so.
"""

import json
import shlex
import sys
from typing import NamedTuple

import pytest
from tests.engines.real_programs import modelmon, place_of

from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.file_trace import FileTrace, TracingUnavailableError
from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.open import open_model
from modelmon.core.programs.registry import PROGRAMS, start_command
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, WatchedProgram

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc")

WHOLE = 0.95
"""Of a model is what every program needs of it; metadata and what is unused are a little."""
MEMORY = {
    "mapped": {"mapped"},
    "mapped-locked": {"mapped"},
    "buffered": {"owned"},
    "locked": {"owned"},
    "direct": {"owned"},
}
"""Where the model lies in the end, for settings that decide it."""


def cases():
    """Each setting that the programs here know; the programs that are not, to be skipped."""
    found = []
    for name, engine in PROGRAMS.items():
        here = engine.find(place_of(name))
        if obstacle := engine.obstacle(here):
            found.append(pytest.param(name, "", "", marks=pytest.mark.skip(reason=str(obstacle))))
            continue
        found += [pytest.param(name, each.name, each.access) for each in engine.variants(here)]
    return found


@pytest.mark.parametrize(("name", "variant", "access"), cases())
def test_that_the_program_loads_all_of_the_model_with_each_of_its_settings(
    name, variant, access, request
):
    engine = PROGRAMS[name]
    path = request.getfixturevalue(engine.formats[0])
    with open_model(path).files[0].open("rb") as file:
        obstacle = eviction_obstacle(file.fileno())
    place = place_of(name)
    at = ["--at", place] if place else []
    cache = "as-is" if obstacle else "cold"
    chosen = ["--program", name, "--load-setting", variant, *at]
    said = modelmon("watch", path, *chosen, "--cache", cache, "--json", "--yes", "--no-history")
    result = json.loads(said)["result"]
    assert result["load_bytes"] >= WHOLE * result["model_bytes"]
    assert result["ready"].startswith(("exit", "output:", "http:"))
    if access in MEMORY:
        assert result["memory_kind"] in MEMORY[access]
    if access == "direct":
        assert result["seen_by"] in {"counters", "trace"}  # its pages are in no cache
    parts = result["parts"]
    assert sum(part["end_ns"] - part["begin_ns"] for part in parts) == result["wall_ns"]
    if name in ("llama.cpp", "xllamacpp"):
        phases = {part["name"]: part for part in parts if part.get("program") == "llama.cpp"}
        # With the bindings nobody warms up.
        is_warmed_up = name == "llama.cpp" and access != "unwarmed"
        assert phases.keys() >= {"kv-cache"} | ({"warm-up"} if is_warmed_up else set())


def test_that_engines_lists_those_of_this_environment():
    listed = {each["name"]: each for each in json.loads(modelmon("programs", "--json"))["programs"]}
    assert set(listed) == set(PROGRAMS)
    assert listed["safetensors"]["version"]


CLOSE = 0.01
"""By so much the kernel's own counters may differ: what a file's last page holds besides."""


@pytest.fixture(scope="module", params=["xllamacpp", "llama.cpp"])
def program(request, gguf):
    """llama.cpp as a library and as its server, started before: its own code is in the cache."""
    name = request.param
    if obstacle := PROGRAMS[name].obstacle(PROGRAMS[name].find(place_of(name))):
        pytest.skip(str(obstacle))
    watched(name, gguf, "none", "counters", "as-is")
    return name


def watched(name, model, mode, see_by, cache):
    """A load by llama.cpp that started as asked, watched in one way."""
    with model.open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(str(obstacle))
    if see_by == "trace":
        try:
            FileTrace([model]).close()
        except TracingUnavailableError as error:
            pytest.skip(str(error))
    while True:
        command = start_command(name, open_model(model), mode, place_of(name))
        job = Job(
            str(model),
            LoadConfig(library=PROGRAM),
            cache=cache,
            allow_busy=True,
            program=WatchedProgram(shlex.join(command.words), command.ready, see_by=see_by),
        )
        record = run_job(job, command=command.words)
        if record.finished.counts:
            return record


class Place(NamedTuple):
    """Bytes of the file that came within a time, in nanoseconds."""

    start_bytes: int
    end_bytes: int
    from_ns: int
    to_ns: int


def told(record):
    """What came, in the order of the file."""
    chunks = record.chunks
    columns = (chunks.offset_bytes, chunks.nbytes, chunks.start_ns, chunks.end_ns)
    return sorted(
        Place(offset, offset + nbytes, start_ns, end_ns)
        for offset, nbytes, start_ns, end_ns in zip(*columns, strict=True)
    )


@pytest.mark.parametrize("cache", ["cold", "warm"])
@pytest.mark.parametrize("see_by", ["trace", "residency", "counters"])
@pytest.mark.parametrize("mode", ["mmap", "none"])
def test_that_the_bytes_of_a_load_are_those_that_the_kernel_counts(
    program, gguf, mode, see_by, cache
):
    record = watched(program, gguf, mode, see_by, cache)
    assert record.finished.delivered_bytes == record.planned.planned_bytes
    size_bytes = gguf.stat().st_size
    from_storage_bytes = record.samples[-1].device_bytes
    expected_bytes = 0 if cache == "warm" else size_bytes
    assert from_storage_bytes == pytest.approx(expected_bytes, abs=CLOSE * size_bytes)
    if record.finished.seen_by != "counters":
        seen_bytes = sum(place.end_bytes - place.start_bytes for place in told(record))
        assert seen_bytes == pytest.approx(size_bytes, abs=CLOSE * size_bytes)


@pytest.mark.parametrize("cache", ["cold", "warm"])
@pytest.mark.parametrize("see_by", ["trace", "residency", "counters"])
def test_that_direct_reads_are_seen_although_nothing_of_them_is_cached(
    program, gguf, see_by, cache
):
    record = watched(program, gguf, "dio", see_by, cache)
    assert record.finished.delivered_bytes == record.planned.planned_bytes
    assert record.finished.seen_by == ("trace" if see_by == "trace" else "counters")
    # It reads some of the file twice: through the page cache first.
    assert (record.samples[-1].device_bytes or 0) >= (1 - CLOSE) * gguf.stat().st_size
    if see_by == "trace":
        assert (record.finished.other_device_bytes or 0) <= CLOSE * gguf.stat().st_size


@pytest.mark.parametrize("mode", ["mmap", "none"])
@pytest.mark.parametrize("see_by", ["trace", "residency"])
def test_that_a_cold_load_is_told_whole_and_nothing_of_it_twice(program, gguf, mode, see_by):
    record = watched(program, gguf, mode, see_by, "cold")
    assert record.finished.seen_by == see_by
    at_bytes = 0
    for place in told(record):
        assert place.start_bytes == at_bytes
        at_bytes = place.end_bytes
    assert at_bytes == gguf.stat().st_size
