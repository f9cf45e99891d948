import importlib.metadata
import importlib.util
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load.libraries import baseline as module_of_baselines
from modelmon.core.load.libraries import registry as third_party
from modelmon.core.load.libraries.registry import available, baseline, names
from modelmon.core.model.open import open_model

F32 = frozenset({"F32"})
NUMPY_TOO = ("get_tensor", "get_slice", "pread", "numpy.load_file")


@pytest.fixture
def without(monkeypatch):
    """Let modules look as if they were not installed."""
    find = importlib.util.find_spec

    def hide(*modules):
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name: None if name in modules else find(name)
        )

    return hide


@pytest.fixture
def pretend_version(monkeypatch):
    """Let a package look as if it were installed in a version."""
    real = importlib.metadata.version
    spec = importlib.util.find_spec("json")

    def pretend(distribution, version):
        monkeypatch.setattr(
            importlib.metadata,
            "version",
            lambda name: version if name == distribution else real(name),
        )
        monkeypatch.setattr(importlib.util, "find_spec", lambda _name: spec)

    return pretend


def add_entry_point(monkeypatch, name, value):
    point = EntryPoint(name, value, third_party.GROUP)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: [point])


def test_that_listing_imports_none_of_the_libraries(sample):
    script = (
        "import sys\n"
        "from modelmon.core.load.libraries import registry\n"
        "heavy = {'numpy', 'torch', 'safetensors', 'gguf', 'msgspec', 'llama_cpp'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "from modelmon.core.model.open import open_model\n"
        f"listed = registry.available(open_model({str(sample)!r}))\n"
        "assert len(listed) == len(registry.names())\n"
        "heavy -= {'msgspec'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_that_every_baseline_says_when_it_wins_in_a_card_line():
    for name in names():
        found = baseline(name)
        assert found.name == name
        assert 0 < len(found.when_it_wins) <= 52


def test_that_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"'nosuch'.*safetensors\.get_tensor.*llama-cpp"):
        baseline("nosuch")


@pytest.mark.parametrize(
    ("name", "missing", "package"),
    [
        ("safetensors.torch.load_file", "torch", "torch"),
        ("fastsafetensors", "fastsafetensors", "fastsafetensors"),
        ("runai-model-streamer", "runai_model_streamer", "runai-model-streamer"),
        ("safetensors.prefetch", "torch", "torch"),
        ("instanttensor", "instanttensor", "instanttensor"),
    ],
)
def test_that_a_missing_package_is_named_with_its_command(without, name, missing, package):
    without(missing)
    sentence = baseline(name).obstacle(F32, "safetensors")
    assert f"{package}" in sentence
    assert "not installed: pip install " in sentence


def test_that_llama_cpp_is_named_by_its_package(without):
    without("llama_cpp")
    assert baseline("llama-cpp.read").obstacle(F32, "gguf") == (
        "llama-cpp-python is not installed: pip install llama-cpp-python"
    )


@pytest.mark.parametrize("name", [f"safetensors.{name}" for name in NUMPY_TOO])
def test_that_without_torch_safetensors_gives_arrays_of_all_types_but_f4(without, name):
    without("torch")
    assert baseline(name).obstacle(F32 | {"BF16", "F8_E4M3", "F8_E8M0"}, "safetensors") == ""
    assert baseline(name).memory_kind == "owned"
    assert "with numpy" in baseline(name).version()
    assert baseline(name).obstacle(F32 | {"F4"}, "safetensors") == (
        "numpy cannot represent F4; torch can: use safetensors.torch.load_file"
    )
    assert "cannot represent F4, F6_E2M3" in baseline(name).obstacle(
        frozenset({"F4", "F6_E2M3"}), "safetensors"
    )


@pytest.mark.parametrize("name", ["safetensors.prefetch", "instanttensor"])
def test_that_what_loads_to_a_gpu_says_so_where_there_is_none(monkeypatch, pretend_version, name):
    pretend_version("safetensors", "0.9.0")
    for is_there, sentence in ((False, f"{name} loads to a GPU only: none was found."), (True, "")):
        monkeypatch.setattr(module_of_baselines, "has_gpu", lambda found=is_there: found)
        assert baseline(name).obstacle(F32 | {"BF16", "F4"}, "safetensors") == sentence


@pytest.mark.parametrize(
    ("name", "distribution", "old", "new"),
    [
        ("safetensors.pread", "safetensors", "0.7.0", "0.8.0"),
        ("safetensors.prefetch", "safetensors", "0.8.0", "0.9.0rc1"),
        ("runai-model-streamer", "runai-model-streamer", "0.15.1", "1.0"),
    ],
)
def test_that_a_version_that_is_too_old_is_named(
    monkeypatch, pretend_version, name, distribution, old, new
):
    monkeypatch.setattr(module_of_baselines, "has_gpu", lambda: True)
    pretend_version(distribution, old)
    sentence = baseline(name).obstacle(F32, "safetensors")
    assert f"newer {distribution} than {old}: pip install '" in sentence
    pretend_version(distribution, new)
    assert baseline(name).obstacle(F32, "safetensors") == ""


def test_that_a_baseline_refuses_the_other_format(samples):
    for form, other in (("gguf", "safetensors"), ("safetensors", "gguf")):
        listed = {entry.name: entry.obstacle for entry in available(open_model(samples[form]))}
        refused = [name for name in listed if form not in baseline(name).formats]
        assert refused
        for name in refused:
            assert listed[name] == f"{name} loads {other} files, not {form}."


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nosuchmodule:Thing", "ModuleNotFoundError"),
        ("json:nosuch", "AttributeError"),
        ("json:JSONDecoder", "does not derive from modelmon's Baseline"),
        ("json:loads", "TypeError"),
    ],
)
def test_that_a_broken_package_is_an_obstacle_and_not_a_crash(monkeypatch, sample, value, reason):
    add_entry_point(monkeypatch, "broken", value)
    listed = {entry.name: entry.obstacle for entry in available(open_model(sample))}
    assert reason in listed["broken"]
    assert "\n" not in listed["broken"]
    with pytest.raises(LoadFailedError, match=reason):
        baseline("broken").prepare()


@pytest.mark.parametrize("name", ["safetensors.get_tensor", "none"])
def test_that_a_package_cannot_take_a_name_that_has_a_meaning(monkeypatch, name):
    before = names()
    add_entry_point(monkeypatch, name, "json:loads")
    assert names() == before
