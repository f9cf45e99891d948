"""The benchmark of the engine as `make bench` runs it, on a tiny file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ENGINE = Path(__file__).parents[2] / "benchmarks" / "engine.py"


def bench(*arguments):
    command = [sys.executable, str(ENGINE), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def found_in(saved):
    return json.loads(saved.read_text())


@pytest.mark.usefixtures("on_a_device")
def test_that_a_benchmark_saves_what_it_measured_and_judges_it(tmp_path):
    saved, page, picture = (tmp_path / name for name in ("found.json", "page.md", "picture.png"))
    done = bench(
        *("--files", "gguf", "--states", "cold,warm", "--rounds", "1"),
        *("--arms", "auto,auto owned,mmap,gguf.GGUFReader", "--size-scale", "0.005"),
        *("--folder", tmp_path, "--json", saved, "--markdown", page, "--png", picture),
    )
    assert done.returncode == 0, done.stderr
    found = found_in(saved)
    assert found["schema"] == 2
    assert {"modelmon", "gguf.GGUFReader"} <= set(found["versions"])
    for run in found["runs"]:
        nothing_cached = run["state"] == "cold"
        assert (run["resident_share"] <= 0.01) if nothing_cached else run["resident_share"] >= 0.99
        assert run["answer"]["wall_ns"] > 0
    loads = {(s["state"], s["arm"]): s for s in found["summaries"] if s["delivery"] != "none"}
    assert len(loads) == 8
    for state in ("cold", "warm"):
        assert loads[state, "auto"]["best_peer"] == "gguf.GGUFReader"
        assert "best_peer" not in loads[state, "auto owned"]
    assert loads["cold", "auto"]["device_share"] >= 0.99
    # On a fresh machine the code of the load comes from there.
    assert loads["warm", "mmap"]["device_share"] < 0.1
    assert loads["cold", "mmap"]["limit_ratio"] > 0
    assert {aim["delivery"] for aim in found["aims"]} == {"usable", "owned"}
    assert "| gguf.GGUFReader" in page.read_text()
    assert picture.read_bytes().startswith(b"\x89PNG")
    done = bench(
        *("--files", "gguf", "--states", "warm", "--rounds", "1", "--arms", "mmap"),
        *("--size-scale", "0.005", "--folder", tmp_path, "--add", saved, "--json", saved),
    )
    assert done.returncode == 0, done.stderr
    rounds = {(s["state"], s["arm"]): len(s["walls_ns"]) for s in found_in(saved)["summaries"]}
    assert rounds["warm", "mmap"] == 2
    assert rounds["cold", "mmap"] == rounds["warm", "auto"] == 1


def test_that_an_arm_that_is_not_known_is_refused_with_the_known_ones(tmp_path):
    done = bench("--files", "gguf", "--size-scale", "0.005", "--arms", "x", "--folder", tmp_path)
    assert done.returncode == 1
    assert "gguf.GGUFReader" in done.stderr
    assert "Traceback" not in done.stderr
