"""Every preset with the real program: it takes each of its settings, and loads the whole model.

`make test-engines` installs what pip can bring into an environment of its own, and runs these with
MODELMON_ENGINES_PYTHON naming its Python. Programs that are not there are skipped, and say so.
"""

import json
import sys

import pytest
from tests.engines.real_programs import modelmon, place_of

from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.open import open_model
from modelmon.core.programs.registry import PROGRAMS

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc"),
]

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
    chosen = ["--engine", name, "--variant", variant, *at]
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
    listed = {each["name"]: each for each in json.loads(modelmon("engines", "--json"))["engines"]}
    assert set(listed) == set(PROGRAMS)
    assert listed["safetensors"]["version"]
