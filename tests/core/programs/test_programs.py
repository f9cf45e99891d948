"""Presets of programs: how they are found, what they offer, and the commands they give."""

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import safetensors

from modelmon.core.cli.main import main as modelmon
from modelmon.core.errors import ConfigError
from modelmon.core.model.open import open_model
from modelmon.core.programs import installed
from modelmon.core.programs.installed import RunningProgram, answer, pythons
from modelmon.core.programs.known_program import DEFAULT, EFFECTS, Found
from modelmon.core.programs.llama_cpp import LlamaCli, LlamaServer, fewer_threads
from modelmon.core.programs.load_with import main as load_with
from modelmon.core.programs.registry import PROGRAMS, known_program, listed, start_command
from modelmon.core.watch.ready import parse_readiness

# What builds say of their load settings, from the oldest to the newest.
OLDEST = """
--mlock                                 keep the model in RAM
--no-mmap                               do not map the model
"""
DIRECT_IO = """
--mlock                                 keep the model in RAM
--mmap, --no-mmap                       whether to map the model
-dio,  --direct-io, -ndio, --no-direct-io
--warmup, --no-warmup                   whether to answer something first
"""
FIRST_LOAD_MODE = (
    DIRECT_IO
    + """
-lm,   --load-mode MODE                 (default: mmap)
                                        - none: nothing special
                                        - mmap: map the model
                                        - mlock: mmap + keep it in RAM
                                        - dio: direct I/O
"""
)
NEWEST = """
-lm,   --load-mode MODE                 (default: auto)
                                        - auto: mmap, where devices can
                                        - none: nothing special
                                        - mmap: map the model
                                        - mlock: force the system to keep it in RAM
                                        - mmap+mlock: mmap + keep it in RAM
                                        - dio: direct I/O
-st,   --single-turn                    one turn, then exit
-c,    --ctx-size N                     size of the prompt context
                                        (env: LLAMA_ARG_CTX_SIZE)
--warmup, --no-warmup                   whether to answer something first
"""


@pytest.fixture
def gguf(samples, tmp_path):
    """A GGUF model in a folder whose name has a space and a quote."""
    folder = tmp_path / "my model's"
    folder.mkdir()
    return open_model(shutil.copy(samples["gguf"], folder / "a b.gguf"))


def program(folder, text, name="llama-server"):
    """An executable that is this shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def llama(folder, says, name="llama-server"):
    """An executable that answers as a build of llama.cpp does."""
    (folder / "help").write_text(says)
    return program(
        folder,
        'case "$1" in\n'
        '--version) echo "version: 4567 (abc)" >&2;;\n'
        f"--help) cat {shlex.quote(str(folder / 'help'))};;\n"
        "*) exit 1;;\nesac",
        name,
    )


@pytest.mark.parametrize(
    ("says", "known"),
    [
        (OLDEST, "mmap||mapped none|--no-mmap|buffered mlock|--mlock|mapped-locked"),
        (
            DIRECT_IO,
            "mmap||mapped none|--no-mmap|buffered dio|--direct-io|direct"
            " mlock|--mlock|mapped-locked no-warmup|--no-warmup|unwarmed"
            " passive-threads|OMP_WAIT_POLICY=passive|passive",
        ),
        (
            FIRST_LOAD_MODE,
            "mmap|--load-mode=mmap|mapped none|--load-mode=none|buffered"
            " dio|--load-mode=dio|direct mlock|--load-mode=mlock|mapped-locked"
            " no-warmup|--no-warmup|unwarmed"
            " passive-threads|OMP_WAIT_POLICY=passive|passive",
        ),
        (
            NEWEST,
            "mmap|--load-mode=mmap|mapped none|--load-mode=none|buffered"
            " dio|--load-mode=dio|direct mlock|--load-mode=mlock|locked"
            " mmap+mlock|--load-mode=mmap+mlock|mapped-locked no-warmup|--no-warmup|unwarmed"
            " passive-threads|OMP_WAIT_POLICY=passive|passive"
            " context-4096|--ctx-size=4096|shortened",
        ),
        ("usage: see the manual", ""),
    ],
)
def test_that_llama_cpp_gets_the_switches_that_its_own_help_names(
    tmp_path, monkeypatch, says, known
):
    path = llama(tmp_path, says)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    found = LlamaServer().find()
    assert (found.path, found.version, found.obstacle) == (str(path), "4567 (abc)", "")
    settings = LlamaServer().variants(found)
    told = [f"{e.name}|{e.setting.replace(' ', '=')}|{e.access}" for e in settings]
    assert told == ["default||default", *known.split()]


@pytest.mark.parametrize(
    ("usable", "cores", "threads"),
    [
        (8, 8, ["4"]),
        # By itself it takes a thread per core, not per processor, and also where it has a quota.
        (16, 8, []),
        (2, 8, ["1"]),
        (1, 1, []),
        (8, None, []),
    ],
)
def test_that_fewer_threads_are_fewer_than_it_takes_by_itself(usable, cores, threads):
    assert [each.words[1] for each in fewer_threads(usable, cores)] == threads


def test_that_the_command_holds_the_path_as_it_is(tmp_path, gguf):
    path = llama(tmp_path, NEWEST)
    command = start_command("llama.cpp", gguf, "dio", path, ["-ngl", "99"])
    *_, port = re.findall(r"--port (\d+)", command.text)
    assert command.words[:3] == (str(path), "--model", gguf.path)
    assert command.words[-4:] == ("--load-mode", "dio", "-ngl", "99")
    assert "--no-warmup" not in command.words
    assert command.ready == f"http:{port}/health"
    # A shell makes of the text what is started.
    split = subprocess.run(
        ["sh", "-c", f"printf '%s\\0' {command.text}"], capture_output=True, check=True, text=True
    )
    assert tuple(split.stdout.split("\0")[:-1]) == command.words


def test_that_llama_cli_takes_one_turn_only_where_it_would_wait(tmp_path, gguf):
    old = LlamaCli().load(LlamaCli().find(llama(tmp_path, OLDEST, "llama-cli")), gguf, 1)
    new = LlamaCli().load(LlamaCli().find(llama(tmp_path, NEWEST, "llama-cli")), gguf, 1)
    assert "--single-turn" not in old.words
    assert "--single-turn" in new.words


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("exit 1", "ended with exit code 1"),
        ("echo cannot find libcuda.so; exit 127", "cannot find libcuda.so"),
        ("exit 0", "says nothing"),
        ("sleep 1000", "doesn't answer --version"),
        # What it leaves behind has its output, and doesn't end either.
        ("sleep 1000 & sleep 1000", "doesn't answer --version"),
    ],
)
def test_that_a_broken_program_is_told_in_a_sentence_and_ended(
    tmp_path, monkeypatch, script, sentence
):
    monkeypatch.setattr(installed.answer, "__kwdefaults__", {"patience_s": 0.5})
    found = LlamaServer().find(program(tmp_path, script))
    assert sentence in found.obstacle
    assert found.obstacle.startswith(found.path)


def test_that_a_program_that_is_none_is_told(tmp_path):
    path = tmp_path / "llama-server"
    path.write_bytes(b"\x7fELF")
    path.chmod(0o700)
    assert "can't be run" in LlamaServer().find(path).obstacle


def test_that_a_flood_of_output_is_cut(tmp_path):
    path = program(tmp_path, "yes | head -c 5000000")
    assert 0 < len(answer(str(path), "--help")) <= 1 << 20


@pytest.mark.parametrize("name", PROGRAMS)
def test_that_a_program_that_is_not_here_says_so_and_what_it_would_offer(
    name, tmp_path, monkeypatch, gguf
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("psutil.process_iter", lambda _names: ())
    nothing = program(tmp_path, f'exec {sys.executable} -I -S "$@"', "python3")
    found = known_program(name).find(nothing if name not in ("ollama", "lm-studio") else None)
    if name in ("llama.cpp", "llama-cli"):
        found = known_program(name).find()
    assert found.obstacle.endswith((".", "]"))
    with pytest.raises(ConfigError, match=re.escape(found.obstacle)):
        known_program(name).command(found, gguf, 1, known_program(name).variants(found)[0])


@pytest.mark.parametrize("engine", PROGRAMS.values(), ids=lambda each: each.name)
def test_that_every_fact_has_a_date_and_a_source(engine):
    assert engine.home.startswith("https://")
    assert engine.formats
    for each in engine.offers:
        assert each.source.startswith("https://")
        assert re.search(r"\d", each.since), each.name
        assert each.access in EFFECTS
        is_asked = isinstance(engine, RunningProgram)
        assert each.needs or is_asked or engine.unstartable, f"{each.name} is taken for granted"


@pytest.mark.parametrize("engine", PROGRAMS.values(), ids=lambda each: each.name)
def test_that_every_command_says_when_it_is_ready(engine, gguf):
    if engine.unstartable:
        with pytest.raises(ConfigError):
            engine.load(Found("/x/python"), gguf, 8000)
        return
    command = engine.load(Found("/x/python", port=11434), gguf, 8000)
    assert parse_readiness(command.ready).sign in ("exit", "output", "http", "asked")
    assert all(command.words)


def test_that_a_model_of_another_form_is_refused_in_a_sentence(samples, tmp_path, gguf):
    path = llama(tmp_path, NEWEST)
    with pytest.raises(ConfigError, match=r"can't load this model: it takes GGUF\."):
        start_command("llama.cpp", open_model(samples["safetensors"]), at=path)
    with pytest.raises(ConfigError, match="it takes a safetensors file"):
        start_command("safetensors", gguf, at=Path(sys.executable))


@pytest.mark.parametrize(
    ("config", "loads"),
    [
        ({"model_type": "llama"}, {"transformers", "vllm", "sglang", "safetensors"}),
        ({"_class_name": "UNet2DConditionModel"}, {"diffusers", "safetensors"}),
        ("{", {"safetensors"}),
        ([1], {"safetensors"}),
        ("[" * 100_000, {"safetensors"}),
    ],
)
def test_that_a_folders_config_says_who_loads_it(sample, tmp_path, config, loads):
    shutil.copy(sample, tmp_path / "model.safetensors")
    text = config if isinstance(config, str) else json.dumps(config)
    (tmp_path / "config.json").write_text(text)
    model = open_model(tmp_path)
    able = {each.name for each in PROGRAMS.values() if not each.obstacle(Found("x"), model)}
    assert able == loads


def test_that_an_unknown_name_or_variant_is_told_with_the_known_ones(tmp_path, gguf):
    with pytest.raises(ConfigError, match="no program preset called 'llama'"):
        start_command("llama", gguf)
    path = llama(tmp_path, OLDEST)
    with pytest.raises(ConfigError, match=r"llama.cpp \(4567 \(abc\)\) has no variant dio"):
        start_command("llama.cpp", gguf, "dio", path)
    with pytest.raises(ConfigError, match="has no variant called fast") as raised:
        start_command("llama.cpp", gguf, "fast", path)
    assert raised.value.remedy == "Choose one of: default, mmap, none, mlock."


def library(folder, name, version, sources):
    """A Python that has a package of this name, with these files."""
    for file, text in sources.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    quoted = shlex.quote(str(folder))
    return program(folder, f'PYTHONPATH={quoted} exec {sys.executable} -S "$@"', "python-of-it")


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("class PreTrainedModel: ...", [DEFAULT]),
        ("def from_pretrained(disable_mmap=None): ...", [DEFAULT, "no-mmap"]),
        ('is_true("HF_ENABLE_PARALLEL_LOADING")', [DEFAULT, "parallel"]),
        ("disable_mmap_of_something_else", [DEFAULT]),
        ('HF_HUB_OFFLINE = _is_true(os.environ.get("HF_HUB_OFFLINE"))', [DEFAULT, "offline"]),
    ],
)
def test_that_a_library_gets_the_settings_that_its_own_source_names(tmp_path, source, known):
    files = ("transformers/modeling_utils.py", "huggingface_hub/constants.py")
    python = library(tmp_path, "transformers", "9.9", dict.fromkeys(files, source))
    transformers = known_program("transformers")
    found = transformers.find(python)
    assert (found.version, found.obstacle) == ("9.9", "")
    assert [each.name for each in transformers.variants(found)] == known


def test_that_a_variant_of_another_package_needs_that_package(tmp_path):
    config = {"vllm/config/load.py": '"runai_streamer" "fastsafetensors"'}
    python = library(tmp_path, "vllm", "0.20.0", config)
    (tmp_path / "fastsafetensors-1.dist-info").mkdir()
    (tmp_path / "fastsafetensors-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: fastsafetensors\nVersion: 1\n"
    )
    found = known_program("vllm").find(python)
    known = [each.name for each in known_program("vllm").variants(found)]
    assert known == [DEFAULT, "fastsafetensors"]


_NEW_GRAPHS = "--cuda-graph-backend-decode=disabled --cuda-graph-backend-prefill=disabled"
_NEW_FIELDS = "cuda_graph_backend_decode cuda_graph_backend_prefill disable_cuda_graph"


@pytest.mark.parametrize(
    ("sources", "known"),
    [
        (
            {"server_args.py": "skip_server_warmup disable_cuda_graph"},
            ["--skip-server-warmup", "--disable-cuda-graph"],
        ),
        ({"server_args.py": _NEW_FIELDS}, [_NEW_GRAPHS]),
        # Since autumn 2026 each option is a field of a file of its kind.
        (
            {
                "arg_groups/fields/serving.py": "skip_server_warmup",
                "arg_groups/fields/exec_.py": _NEW_FIELDS,
                "arg_groups/fields/model.py": "weight_loader_disable_mmap",
            },
            ["--weight-loader-disable-mmap", "--skip-server-warmup", _NEW_GRAPHS],
        ),
    ],
)
def test_that_sglangs_settings_are_found_wherever_it_declares_them(tmp_path, sources, known):
    files = {f"sglang/srt/{name}": text for name, text in sources.items()}
    sglang = known_program("sglang")
    found = sglang.find(library(tmp_path, "sglang", "0.5", files))
    assert [each.setting for each in sglang.variants(found)] == ["", *known]


@pytest.mark.parametrize("option", ["--disable-cuda-graph", "--cuda-graph-backend-prefill"])
def test_that_a_setting_is_decided_by_each_of_its_spellings(option):
    graphs = [each for each in known_program("sglang").offers if each.access == "ungraphed"]
    assert all(each.is_decided_by([option]) for each in graphs)


@pytest.mark.parametrize(
    ("name", "distribution", "file", "beside", "chosen"),
    [
        ("transformers", "transformers", "model.fp16", "model", ["variant=fp16"]),
        ("transformers", "transformers", "model", "model.fp16", []),
        ("vllm", "vllm", "consolidated", "model", ["--load-format", "mistral"]),
        ("sglang", "sglang", "consolidated", "model", ["--load-format", "mistral"]),
        ("vllm", "vllm", "model", "", []),
    ],
)
def test_that_a_program_loads_the_file_that_was_opened_of_several(
    sample, tmp_path, name, distribution, file, beside,
    chosen
):  # fmt: skip
    folder = tmp_path / "a model"
    folder.mkdir()
    for each in filter(None, (file, beside)):
        shutil.copy(sample, folder / f"{each}.safetensors")
    (folder / "config.json").write_text('{"model_type": "llama"}')
    python = library(tmp_path, distribution, "9.9", {f"{distribution}/__init__.py": ""})
    command = start_command(name, open_model(folder / f"{file}.safetensors"), at=python).words
    at = command.index(str(folder))
    rest = [each for each in command[at + 1 :] if each in {"--load-format", "mistral"}]
    rest += [each for each in command if each.startswith("variant=")]
    assert rest == chosen


def test_that_a_package_that_is_elsewhere_can_be_named(sample, tmp_path):
    shutil.copy(sample, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    for name, at in (("sglang", Path(sys.executable)), ("vllm", None)):
        with pytest.raises(ConfigError, match=f"{name} isn't installed in ") as refused:
            start_command(name, open_model(tmp_path), at=at)
        assert "--at" in refused.value.remedy


def test_that_the_script_that_pip_puts_beside_a_python_names_it(tmp_path):
    script = tmp_path / "vllm"
    script.write_text(f"#!{sys.executable}\nraise SystemExit(1)\n")
    script.chmod(0o755)
    assert pythons(script) == pythons(Path(sys.executable))
    # An environment is named by its folder, too.
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    script.rename(tmp_path / "venv" / "bin" / "python")
    assert pythons(tmp_path / "venv") == pythons(Path(sys.executable))


def test_that_variables_are_part_of_the_command_as_text(sample, tmp_path):
    shutil.copy(sample, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    source = {"transformers/modeling_utils.py": "HF_ENABLE_PARALLEL_LOADING"}
    python = library(tmp_path, "transformers", "9.9", source)
    model, more = open_model(tmp_path), ["http_proxy=p", "A=1", "use_mmap=False"]
    command = start_command("transformers", model, "parallel", python, more)
    assert command.words[:4] == ("env", "HF_ENABLE_PARALLEL_LOADING=true", "http_proxy=p", "A=1")
    assert command.words[-1] == "use_mmap=False"
    assert shlex.split(command.text) == list(command.words)


def test_that_safetensors_loads_every_file_of_a_model(samples, monkeypatch):
    model = open_model(samples["sharded"])
    script, *given = known_program("safetensors").load(Found("x"), model, 1).words[1:]
    opened = []
    original = safetensors.safe_open

    def noted(path, *settings, **named):
        opened.append(path)
        return original(path, *settings, **named)

    monkeypatch.setattr(safetensors, "safe_open", noted)
    monkeypatch.setattr(sys, "argv", [script, *given])
    load_with()
    assert opened == [str(file) for file in model.files]
    assert len(opened) > 1


def test_that_packages_are_listed_of_the_python_that_is_named(tmp_path):
    here = {each.name: each for each in listed(python=Path(sys.executable)).programs}
    nowhere = {each.name: each for each in listed(python=tmp_path / "python").programs}
    assert here["safetensors"].version
    assert not nowhere["safetensors"].version
    assert nowhere["safetensors"].obstacle
    # What is no package is looked for as ever.
    assert nowhere["llama.cpp"] == here["llama.cpp"]


def test_that_a_list_for_a_model_has_the_commands_that_load_it(sample):
    model = open_model(sample)
    for each in listed(model, Path(sys.executable)).programs:
        for variant in each.variants:
            assert bool(variant.command) == bool(variant.ready) == (not each.obstacle)
            if variant.command:
                parse_readiness(variant.ready)
    here = {each.name: each for each in listed(model, Path(sys.executable)).programs}["safetensors"]
    command = start_command("safetensors", model, at=Path(sys.executable))
    assert (here.variants[0].command, here.variants[0].ready) == (command.text, command.ready)


@pytest.mark.parametrize("library", ["llama-cpp-python", "xllamacpp", "safetensors"])
def test_that_libraries_are_found_beside_modules_of_the_same_name(tmp_path, library):
    package = tmp_path / f"{library.replace('-python', '').replace('-', '_')}.py"
    package.write_text(
        "import sys\nfrom unittest.mock import MagicMock\nsys.modules[__name__] = MagicMock()\n"
    )
    (tmp_path / "torch.py").write_text("")
    done = subprocess.run(
        [sys.executable, load_with.__code__.co_filename, library, "/m"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\nmodelmon: loaded\n")


_CLASSES = """
class PreTrainedModel:
    @classmethod
    def from_pretrained(cls, folder):
        print(cls.__name__)
class LlamaModel(PreTrainedModel): ...
ModelMixin, UNet = PreTrainedModel, LlamaModel
class DiffusionPipeline:
    @classmethod
    def from_pretrained(cls, folder):
        exec(open(folder + "/pipeline.py").read())
RagRetriever, from_pretrained = DiffusionPipeline, DiffusionPipeline.from_pretrained
class AutoModel(PreTrainedModel): ...
"""


@pytest.mark.parametrize(
    ("library", "config", "loads"),
    [
        ("diffusers", {"_class_name": "UNet"}, "LlamaModel"),
        ("diffusers", {"_class_name": "DiffusionPipeline"}, ""),
        ("diffusers", {"_class_name": "from_pretrained"}, ""),
        ("diffusers", {"_class_name": ["pipeline", "X"]}, ""),
        ("transformers", {"architectures": ["LlamaModel"]}, "LlamaModel"),
        ("transformers", {"architectures": ["RagRetriever"]}, "AutoModel"),
        ("transformers", {"architectures": ["Newest"]}, "AutoModel"),
        ("transformers", {"architectures": None}, "AutoModel"),
    ],
)
def test_that_a_model_names_no_class_that_runs_code_of_its_folder(tmp_path, library, config, loads):
    (tmp_path / f"{library}.py").write_text(_CLASSES)
    (tmp_path / "pipeline.py").write_text("print('code of a stranger')")
    (tmp_path / "config.json").write_text(json.dumps(config))
    done = subprocess.run(
        [sys.executable, load_with.__code__.co_filename, library, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "a stranger" not in done.stdout
    assert loads in done.stdout.splitlines() if loads else "has no model class" in done.stderr


@pytest.mark.parametrize("path", ["/nonexistent", "/bin/ls", "~nobody-is-called-so"])
def test_that_a_place_without_a_python_is_refused_in_one_sentence(path, capfd):
    assert modelmon(["programs", "--at", path]) == 2
    told = capfd.readouterr()
    assert not told.out
    assert f"{path} doesn't answer as a Python." in told.err
    assert len(told.err) < 200


@pytest.mark.skipif(sys.platform == "win32", reason="starts a script of the shell")
@pytest.mark.parametrize("answer", ["5", "null", "[1, 2]", '["python", [1]]', ""])
def test_that_a_program_that_answers_something_else_is_no_python(tmp_path, answer, capfd):
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\necho '{answer}'\n")
    program.chmod(0o755)
    assert modelmon(["programs", "--at", str(program)]) == 2
    assert f"{program} doesn't answer as a Python." in capfd.readouterr().err
