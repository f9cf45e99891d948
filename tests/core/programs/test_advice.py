import ast
import json
import os
import re
import shlex
import tomllib
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
import safetensors.numpy
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.core.export.outcomes import CONFIGS, MOUNTS, comparison_of, situation, situations
from tests.engines.unchecked import unchecked

from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.export.document import document
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.messages import from_wire, to_wire
from modelmon.core.programs.advice import ConsumerAdvice
from modelmon.core.programs.registry import CONSUMERS, advice, all_advice
from modelmon.core.units import MIB

UNSOURCED = re.compile(
    r"OLLAMA_NO_MMAP|mmap\+mlock|memory-target|DIFFUSERS_|low_cpu_mem_usage"
    r"|HF_PARALLEL_LOADING_WORKERS|HF_DEACTIVATE_ASYNC_LOAD|disable-dynamic-vram"
)
"""What doesn't exist, isn't read, is to go, or makes a load slower."""


def words(form):
    """A command as a shell splits it."""
    return shlex.split(form.text.replace(" \\\n  ", " "))


@cache
def known_situation(strategy, path, mount):
    """Its modelmon.toml is written once for all whose settings are looked at."""
    return situation(comparison_of(strategy, path), mount)


def told(found, name):
    (said,) = advice(found, [name])
    return said


PARSERS = {
    "python": lambda form: ast.parse(form.text),
    "toml": lambda form: tomllib.loads(form.text),
    "yaml": lambda form: yaml.safe_load(form.text),
    "shell": words,
    "env": lambda form: re.fullmatch(r"([A-Z_]+=\S+\n)+", form.text),
    "ini": lambda form: re.fullmatch(r"(\[\w+\]\n)?([\w.]+=\S+\n)+", form.text),
    "typescript": lambda form: form.text.strip(),
    "text": lambda form: form.text.strip(),
}


@given(situations, st.sampled_from(sorted(CONSUMERS)))
def test_that_whoever_has_a_setting_has_it_as_text_and_whoever_has_none_says_why(found, name):
    said = told(found, name)
    assert said.summary
    if said.standing == "cannot":
        assert not said.forms
        assert said.summary.endswith(".")
        return
    assert said.forms
    assert said.why
    for form in said.forms:
        assert PARSERS[form.language](form)
        assert not UNSOURCED.search(form.text.replace(found.path, "").replace(found.folder, ""))
        assert all(line < len(form.text.splitlines()) for line in form.added)
    assert len({form.label for form in said.forms}) == len(said.forms)


@pytest.mark.parametrize("name", sorted(set(CONSUMERS) - {"modelmon", "program"}))
def test_that_every_setting_of_others_names_its_source_and_of_programs_a_date(name):
    """What can't be tried here has nothing else to be checked by."""
    mounts = sorted(MOUNTS) if CONSUMERS[name].is_system else ["local"]
    for strategy in CONFIGS:
        for path in ("/models/a.gguf", "/models/a.safetensors", "/models/a"):
            for mount in mounts:
                said = told(known_situation(strategy, path, mount), name)
                if said.standing == "mapped":
                    assert said.source, said.summary
                    assert CONSUMERS[name].is_system or re.search(r"\d", said.since), said.summary


@pytest.mark.parametrize(
    ("name", "path", "mount", "defaults"),
    [
        ("llama.cpp", "/models/a.gguf", "local", {"mmap"}),
        ("llama-cpp-python", "/models/a.gguf", "local", {"mmap"}),
        ("vllm", "/models/a.safetensors", "local", {"mmap"}),
        ("vllm", "/models/a.safetensors", "nfs", set()),  # there it chooses by itself
        ("transformers", "/models/model.safetensors", "local", {"mmap"}),
        ("diffusers", "/models/a.safetensors", "local", {"mmap"}),
        ("safetensors", "/models/a.safetensors", "local", {"mmap"}),
        ("comfyui", "/models/a.safetensors", "local", {"mmap"}),
        ("ollama", "/models/a.gguf", "local", set()),  # by the GPU and the memory
        ("modelmon", "/models/a.gguf", "local", {"auto"}),
    ],
)
def test_that_a_setting_that_is_the_default_is_nothing_to_change(name, path, mount, defaults):
    for strategy in ("mmap", "sequential", "parallel", "direct", "auto"):
        said = told(known_situation(strategy, path, mount), name)
        assert said.is_default is (strategy in defaults), strategy
        first = document(known_situation(strategy, path, mount), [said], "text").splitlines()[0]
        assert (
            first.endswith(f"Nothing to change: {said.summary} is the default") is said.is_default
        )


def test_that_a_path_adds_no_line_to_a_modelfile():
    said = told(known_situation("mmap", "/m/a.gguf\nADAPTER /other/b.gguf", "local"), "ollama")
    assert (said.standing, said.forms) == ("cannot", ())
    assert "can't name /m/a.gguf ADAPTER" in said.summary


@pytest.mark.parametrize(
    ("command", "exported"),
    [
        ("serve -m a.gguf -c 512", "serve -m /models/a.gguf -c 512"),
        ("serve --model=./models/a.gguf", "serve --model=/models/a.gguf"),
        ("serve ../../a.gguf 'b c'", "serve /models/a.gguf 'b c'"),
        ("./a.gguf -m /models/a.gguf", "./a.gguf -m /models/a.gguf"),
        ("serve other/a.gguf -m 'a", """serve other/a.gguf -m ''"'"'a'"""),
        ("serve .. . --alias a -", "serve .. . --alias a -"),
        ("serve ./a.gguf --alias a.gguf", "serve /models/a.gguf --alias a.gguf"),
        ("serve --alias a.gguf -m ../a.gguf", "serve --alias a.gguf -m /models/a.gguf"),
        ("serve /models/a.gguf --alias=a.gguf", "serve /models/a.gguf --alias=a.gguf"),
        ("serve a.gguf --alias a.gguf", "serve /models/a.gguf --alias a.gguf"),
    ],
)
def test_that_an_exported_command_works_from_any_folder(command, exported):
    found = replace(situation(comparison_of("mmap")), program=command)
    found = replace(found, config=LoadConfig(library=PROGRAM))
    (form,) = told(found, "program").forms
    assert form.text.replace(" \\\n ", "") == f"{exported}\n"


@given(situations)
def test_that_a_path_reaches_a_program_whatever_is_in_it(found):
    own = {found.path, found.folder, found.file}
    for said in all_advice(found):
        for form in said.forms:
            if form.language == "shell" and said.consumer in {"llama.cpp", "vllm", "sglang"}:
                assert own & set(words(form))
            if form.language == "python":
                nodes = ast.walk(ast.parse(form.text))
                assert own & {each.value for each in nodes if isinstance(each, ast.Constant)}


@given(situations, st.lists(st.sampled_from(sorted(CONSUMERS)), unique=True, min_size=1))
def test_that_several_at_once_make_one_document_of_each_kind(found, chosen):
    said = advice(found, chosen)
    as_json = json.loads(document(found, said, "json"))
    assert [each["consumer"] for each in as_json["consumers"]] == chosen
    assert yaml.safe_load(document(found, said, "yaml")) == as_json
    for each in said:
        assert each.title in document(found, said, "text")
        for language in ("shell", "env"):
            text = document(found, (each,), language)
            code = [line for line in text.splitlines() if not line.startswith("#")]
            has = {form.language for form in each.forms} & {"shell", "env", language}
            assert bool(code) == bool(has if language == "shell" else has & {"env"})


@given(situations, st.lists(st.sampled_from(sorted(CONSUMERS)), unique=True))
def test_that_modelmon_toml_with_consumers_is_still_read(tmp_path_factory, found, chosen):
    said = advice(found, chosen)
    if isinstance(found.storable, ModelmonError):
        with pytest.raises(ConfigError):
            document(found, said, "toml")
        return
    path = tmp_path_factory.getbasetemp() / "with-consumers.toml"
    path.write_text(document(found, said, "toml"), encoding="utf-8")
    assert read_config(path).config == found.storable.config
    stored = tomllib.loads(path.read_text("utf-8")).get("consumers", {})
    assert set(stored) == set(chosen) - {"modelmon"}


@given(situations, st.sampled_from(sorted(CONSUMERS)))
def test_that_advice_goes_between_processes_unchanged(found, name):
    said = told(found, name)
    sent = msgspec.json.encode(said, enc_hook=to_wire)
    assert msgspec.json.decode(sent, type=ConsumerAdvice, dec_hook=from_wire) == said


def test_that_only_what_was_run_itself_is_called_measured():
    found = situation(comparison_of("direct"))
    measured = [each.consumer for each in all_advice(found) if each.standing == "measured"]
    assert measured == ["modelmon"]
    assert "itself wasn't measured" in told(found, "llama.cpp").effect


@pytest.mark.parametrize(
    ("strategy", "wanted"),
    [
        ("mmap", "--safetensors-load-strategy lazy"),
        ("sequential", "--safetensors-load-strategy eager"),
        ("warm-then-map", "--safetensors-load-strategy prefetch"),
        ("prefetch", "--safetensors-load-strategy prefetch"),
        ("parallel", "--load-format runai_streamer"),
        ("direct", "--load-format instanttensor"),
        ("fastsafetensors", "--load-format fastsafetensors"),
    ],
)
def test_that_vllm_gets_the_setting_that_reads_most_like_the_strategy(strategy, wanted):
    said = told(situation(comparison_of(strategy, "/models/a.safetensors")), "vllm")
    assert wanted in said.forms[0].text
    assert sum(each in said.forms[0].text for each in ("multithread", "load-strategy")) < 2


@pytest.mark.parametrize("package", ["fastsafetensors", "runai-model-streamer"])
@pytest.mark.parametrize("name", ["vllm", "sglang"])
def test_that_a_format_of_another_package_names_it(name, package):
    said = told(known_situation(package, "/models/a.safetensors", "local"), name)
    assert f"--load-format {package.replace('-', '_').replace('_model', '')}" in said.forms[0].text
    assert f"It takes the package {package}." in said.keep_in_mind


@pytest.mark.parametrize(
    ("chunk_bytes", "sets", "lacks"),
    [(MIB, "", "requests of 1 MiB"), (2 * MIB, "", ""), (4 * MIB, "4194304", "")],
)
def test_that_the_streamer_is_told_only_of_requests_that_it_makes(chunk_bytes, sets, lacks):
    config = LoadConfig(access="read", readers=4, chunk_bytes=chunk_bytes)
    found = replace(known_situation("parallel", "/models/a.safetensors", "local"), config=config)
    said = told(found, "vllm")
    for form in said.forms:
        assert "".join(re.findall(r"BYTESIZE=(\d+)", form.text)) == sets
    assert lacks in said.cannot_express
    assert bool(said.cannot_express) == bool(lacks)


def test_that_transformers_reads_with_one_thread_and_maps_with_several():
    read, mapped = (
        told(known_situation(strategy, "/models/model.safetensors", "local"), "transformers")
        for strategy in ("parallel", "mmap")
    )
    assert "4 readers" in read.cannot_express
    assert "One thread reads all files" in read.keep_in_mind
    assert not mapped.cannot_express
    assert "up to 4 threads" in mapped.keep_in_mind


@pytest.mark.parametrize(
    ("mount", "named"),
    [
        ("local", {"readahead"}),
        ("far ahead", set()),
        ("btrfs", {"readahead"}),
        ("memory", set()),
        ("nfs", {"readahead", "nfs"}),
        ("windows", set()),
        ("gcsfuse", {"readahead", "gcsfuse"}),
        ("mount-s3", {"readahead", "mount-s3"}),
        ("rclone", {"readahead", "rclone"}),
        ("out of sight", set()),
    ],
)
def test_that_only_settings_of_the_storage_that_is_there_are_told(mount, named):
    assert set(MOUNTS) >= {mount}
    found = situation(comparison_of("mmap"), mount)
    system = {each.name for each in CONSUMERS.values() if each.is_system}
    assert {each.consumer for each in all_advice(found)} & system == named


@pytest.mark.parametrize(
    ("warm_ns", "word"),
    [(None, "weren't measured"), (8 * 10**8, "hardly shorter"), (10**8, "")],
)
def test_that_the_cache_is_filled_beforehand_where_that_was_measured_to_help(warm_ns, word):
    found = replace(
        situation(comparison_of("mmap", "/my models/a.gguf")), median_ns=10**9, warm_ns=warm_ns
    )
    said = told(found, "warm")
    if word:
        assert (said.standing, word in said.summary) == ("cannot", True)
        return
    typed, service = said.forms
    assert typed.text == "modelmon warm '/my models/a.gguf'\n"
    before, command = service.text.split("ExecStartPre=-")
    assert before == "[Service]\n"
    program, *rest = shlex.split(command)
    assert Path(program).is_absolute()
    assert (Path(program).name, rest) == ("modelmon", ["warm", "--quiet", "/my models/a.gguf"])
    assert os.access(program, os.X_OK)
    assert "took 100 ms instead of 1.00 s" in said.effect


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/models/a-1_b.gguf", "/models/a-1_b.gguf"),
        ("/50% of $HOME/a.gguf", '"/50%% of $$HOME/a.gguf"'),
        ('/the "best"\\/a.gguf', '"/the \\"best\\"\\\\/a.gguf"'),
        ("/it's/a.gguf", '"/it\'s/a.gguf"'),
        ("/two\nlines/a.gguf", '"/two\\nlines/a.gguf"'),
    ],
)
def test_that_a_unit_names_the_model_as_systemd_reads_it(path, written):
    found = situation(comparison_of("mmap", path))
    found = replace(found, median_ns=10**9, warm_ns=10**8)
    found = replace(found, measured=found.measured._replace(path=f"ssh://gpu{path}"))
    _, service = told(found, "warm").forms
    # Where modelmon is on a server isn't known here.
    expected = f"ExecStartPre=-/PATH/TO/modelmon warm --quiet {written}"
    assert service.text.splitlines()[1:] == [expected]


def test_that_readahead_is_set_on_the_disk_below_a_partition_and_on_the_mount_of_others():
    now, rule = told(situation(comparison_of("mmap"), "local"), "readahead").forms
    assert now.text == "blockdev --setra 8192 /dev/nvme0n1\n"
    assert 'KERNEL=="nvme0n1"' in rule.text
    (bdi,) = told(situation(comparison_of("mmap"), "nfs"), "readahead").forms
    assert bdi.text == "echo 4096 > /sys/class/bdi/0:50/read_ahead_kb\n"


def test_that_a_library_of_others_says_nothing_of_programs():
    stranger = summary_of_library("a.package")
    with pytest.raises(ConfigError, match="has its own loader"):
        told(situation(stranger), "llama.cpp")


def summary_of_library(name):
    comparison = comparison_of("mmap")
    arm = msgspec.structs.replace(comparison.arm_a, config=LoadConfig(library=name))
    return msgspec.structs.replace(comparison, arm_a=arm)


@pytest.mark.parametrize("strategy", sorted(set(CONFIGS) - {"runai-model-streamer"}))
def test_that_the_python_of_an_export_loads_the_model(tmp_path, strategy):
    """Every form for safetensors, run as it is, but for PyTorch, which need not be here."""
    path = tmp_path / "it's a model.safetensors"
    tensors = {name: np.arange(5000, dtype=np.float32) + at for at, name in enumerate("abc")}
    safetensors.numpy.save_file(tensors, path)
    said = told(situation(comparison_of(strategy, str(path))), "safetensors")
    for form in said.forms:
        module = {}
        exec(form.text.replace('framework="pt"', 'framework="np"'), module)
        loaded = module["tensors"]
        assert {name: loaded[name].tolist() for name in loaded} == {
            name: each.tolist() for name, each in tensors.items()
        }


def test_that_settings_say_what_they_were_held_against_and_old_ones_are_listed():
    listed = list(unchecked(CONSUMERS.values(), date(2026, 11, 28)))
    assert all(line.endswith(": never") for line in listed)
    assert not {"vLLM", "llama.cpp", "ComfyUI"} & {line.partition(":")[0] for line in listed}
    later = list(unchecked(CONSUMERS.values(), date(2027, 2, 26)))
    assert "vLLM: 91 days ago, vllm-project/vllm 00b5ad071262" in later
    assert len(later) == len(CONSUMERS) - 2
    assert "vLLM" not in str(list(unchecked(CONSUMERS.values(), date(2027, 2, 25))))
