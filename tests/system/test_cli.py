"""The terminal as a person or a script uses it; what it prints is in tests/frozen."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib

import pytest
from tests.core.model.model_files import save
from tests.system.commands import MODELMON, modelmon, typed
from tests.system.needs import on_linux

from modelmon.core.history.history import History
from modelmon.core.units import MIB, three_figures
from modelmon.core.worker.client import error_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise


def test_that_piped_output_has_no_progress_bar_and_no_colours(sample):
    done = modelmon("run", sample, "--cache", "as-is", env=os.environ | {"TERM": "xterm-256color"})
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def written_as_ascii(*commands):
    """What each command wrote where only ASCII can be, all in one process."""
    script = (
        "import json, sys\n"
        "from modelmon.__main__ import main\n"
        "for words in json.loads(sys.argv[1]):\n"
        "    sys.stdout.reconfigure(encoding='ascii', errors='strict')\n"
        "    sys.argv[1:] = words\n"
        "    assert main() == 0, words\n"
        "    sys.stdout.flush()\n"
        "    sys.stdout.buffer.write(bytes(1))\n"
    )
    words = json.dumps([[str(word) for word in command] for command in commands])
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, words],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\0")[:-1]


def test_that_documents_on_standard_output_name_the_model_whatever_its_encoding(own_copy):
    folder = own_copy.with_name("模型")
    folder.mkdir()
    model = own_copy.rename(folder / "模型 größer.safetensors")
    assert typed("run", model, "--cache", "as-is").returncode == 0
    shown, *told, shell, toml, table = written_as_ascii(
        ("inspect", model),
        ("inspect", model, "--json"),
        ("export", "1", "--for", "vllm", "--format", "json"),
        ("export", "1", "--for", "vllm", "--format", "shell"),
        ("export", "1", "--out", "-"),
        ("history", "--csv", "-"),
    )
    assert "embeddings" in shown
    for document in told:
        assert document.isascii()
        assert folder.name in str(json.loads(document))
    for document in (shell, toml, table):
        assert not document.isascii()
        assert folder.name in document


def test_that_a_folder_of_several_models_says_how_to_open_each(tmp_path):
    pipeline = tmp_path / "a pipeline"
    for part in ("text encoder", "vae"):
        save(pipeline / part / "model.safetensors", f"{part}.w")
    (pipeline / "model_index.json").write_text("{}")
    done = typed("inspect", pipeline, "--json")
    assert done.returncode == 2
    assert "contains 2 models: text encoder (" in done.stderr
    commands = re.findall("modelmon (.*)", done.stderr)
    error = error_of(done.stdout.encode())
    assert [shlex.split(command)[-1] for command in commands] == [one.path for one in error.choices]
    for command, choice in zip(commands, error.choices, strict=True):
        assert f"a pipeline/{choice.name}" in typed(*shlex.split(command)).stdout
    listed = typed("models", "--json", tmp_path).stdout.splitlines()[:-1]
    assert {json.loads(line)["model"]["name"] for line in listed} == {
        "a pipeline/text encoder",
        "a pipeline/vae",
    }


def test_that_what_was_chosen_of_a_folder_is_said(tmp_path):
    save(tmp_path / "model.safetensors", "a.w")
    save(tmp_path / "consolidated.safetensors", "a")
    note = "Not part of this model: consolidated.safetensors."
    assert note in typed("inspect", tmp_path).stdout
    done = typed("run", tmp_path, "--cache", "as-is", "--no-history")
    assert f"Note: {note}" in done.stderr
    assert json.loads(typed("inspect", tmp_path, "--json").stdout)["model"]["notes"] == [note]


def test_that_the_model_survives_being_named_as_the_target(own_copy):
    before = own_copy.read_bytes()
    for option in ("--export", "--out"):
        assert typed("compare", own_copy, option, own_copy).returncode == 1
    assert typed("run", own_copy, "--record", own_copy).returncode == 1
    assert own_copy.read_bytes() == before


@on_linux
def test_that_a_name_that_is_not_utf8_is_refused_in_a_sentence(tmp_path):
    path = os.fsencode(tmp_path) + b"/bad\xff.safetensors"
    with open(path, "wb") as file:  # noqa: PTH123  a path of bytes
        file.write(b"x")
    for arguments in (["inspect", path, "--json"], ["run", path]):
        done = subprocess.run([*MODELMON, *arguments], capture_output=True, check=False)
        assert done.returncode == 2
        assert b"not valid UTF-8" in done.stderr
        assert b"Traceback" not in done.stderr


def test_that_a_config_of_another_model_is_noticed(samples, tmp_path):
    toml = tmp_path / "modelmon.toml"
    assert typed("run", samples["gguf"], "--cache", "as-is").returncode == 0
    assert typed("export", "1", "--out", toml).returncode == 0
    other = typed("run", samples["safetensors"], "--config", toml, "--cache", "as-is")
    assert other.returncode == 0
    assert "was measured with tiny" in other.stderr
    same = typed("run", samples["gguf"], "--config", toml, "--cache", "as-is")
    assert same.stderr == ""


def test_that_a_pipe_that_is_closed_early_is_no_error(sample):
    command = shlex.join([*MODELMON, "inspect", str(sample), "--tensors"])
    script = f"{command} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "0"
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_that_an_interrupt_stops_the_load_with_130(sample):
    slow = ("--set", "access=read", "--set", "order=random", "--set", "chunk_bytes=4KiB")
    record = ("--record", "/dev/stderr")
    with subprocess.Popen(
        [*MODELMON, "run", str(sample), "--cache", "as-is", "--json", *slow, *record],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as terminal:
        terminal.stderr.readline()
        terminal.send_signal(signal.SIGINT)
        output, errors = terminal.communicate()
    assert terminal.returncode == 130, errors
    assert b"Traceback" not in errors
    assert json.loads(output)["error"]["message"] == "Stopped."


def test_that_no_command_imports_qt_nor_numpy_before_it_computes(sample, tmp_path):
    script = (
        "import json, sys\n"
        "from modelmon.core.cli.main import main\n"
        "for words in json.loads(sys.argv[1]):\n"
        "    assert main(words) == 0, words\n"
        "    loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "    assert not loaded & {'PySide6', 'shiboken6', 'pyqtgraph'}, (words, loaded)\n"
        "    assert words[0] in ('compare', 'export', 'sample') or 'numpy' not in loaded, words\n"
    )
    commands = (
        ("--help",),
        ("inspect", str(sample)),
        ("run", str(sample), "--cache", "as-is"),
        ("history",),
        ("compare", str(sample), "--dry-run", "--cache", "as-is"),
        ("export", "1", "--out", str(tmp_path / "modelmon.toml")),
        ("sample", str(tmp_path / "s.gguf"), "--size", "8MiB", "--layers", "2"),
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(("history",), 0, id="out", marks=pytest.mark.long),
        pytest.param(("history", "show", "x99"), 2, id="err"),
    ],
)
def test_that_a_command_runs_where_its_output_is_closed(words, code):
    closed = ["sh", "-c", '"$@" >&- 2>&-', "sh", *MODELMON, *words]
    assert subprocess.run(closed, check=False, stdin=subprocess.DEVNULL).returncode == code


def test_that_without_a_display_the_window_says_what_to_do(sample):
    if sys.platform != "linux":
        pytest.skip("only Linux runs without a display")
    hidden = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    done = modelmon(sample, env=os.environ | hidden)
    assert done.returncode == 2
    assert "modelmon compare" in done.stderr


def test_that_a_persons_whole_path_works(tmp_path, on_a_device):
    """Sample → compare → export → run the exported file, all by typed commands."""
    del on_a_device
    model, result = tmp_path / "m.safetensors", tmp_path / "r.json"
    toml = tmp_path / "modelmon.toml"
    assert typed("sample", model, "--size", "8MiB", "--layers", "4").returncode == 0
    compared = typed("compare", model, "--repeats", "1", "--out", result, "--export", toml)
    assert compared.returncode == 0, compared.stderr
    # One from which the host took memory is made again, here and in all that count runs.
    assert re.search(r"\b[2-9] runs, ", compared.stderr)
    values = tomllib.loads(toml.read_text())
    assert values["evidence"]["runs"] == 1
    again = tmp_path / "again.toml"
    exported = typed("export", result, "--out", again)
    assert exported.returncode == 0, exported.stderr
    assert again.read_text() == toml.read_text()
    done = typed("run", model, "--config", toml, "--verify", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["checksum"]["matches"] is True
    config = answer["result"]["config"]
    assert config == {axis: values["load"][axis] for axis in config}
    assert answer["result"]["load_bytes"] > 7 * MIB


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_that_the_command_of_prepare_is_run_before_each_run(own_copy, tmp_path):
    marker = tmp_path / "marker"
    prepare = f"KEY=abcdef; [ $KEY = abcdef ] && echo prepared >> '{marker}' --token abcdef"
    options = ("--cache", "as-is", "--no-history", "--json", "--prepare", prepare)
    done = typed("compare", str(own_copy), "--repeats", "1", *options)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    runs = [*said["runs_a"], *said["runs_b"]]
    assert marker.read_text().splitlines() == ["prepared --token abcdef"] * len(runs)
    kept = f"KEY=[…]; [ $KEY = abcdef ] && echo prepared >> '{marker}' --token […]"
    assert {run["prepared_with"] for run in runs} == {kept}
    assert not History().folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_that_nothing_is_measured_where_the_command_of_prepare_fails(own_copy, tmp_path):
    recording = tmp_path / "run.jsonl"
    prepare = "echo no such server; exit 3"
    options = ("--cache", "as-is", "--no-history", "--record", str(recording))
    done = typed("run", str(own_copy), *options, "--prepare", prepare)
    assert done.returncode == 1
    assert "no such server" in done.stderr
    assert "exit code 3" in done.stderr
    assert not recording.exists()


def test_that_ten_blocks_are_shown_and_how_to_see_all(tmp_path):
    path = tmp_path / "many.gguf"
    assert typed("sample", path, "--layers", "30", "--size", "8MiB").returncode == 0
    shown = typed("inspect", path).stdout
    assert re.search(r"\n\d+ more blocks: modelmon inspect .*many.gguf --all\n", shown)
    assert shown.count("blk.") == 9
    shown = typed("inspect", path, "--all").stdout
    assert "more blocks" not in shown
    assert shown.count("blk.") == 30


def test_that_a_run_of_ranks_tells_what_each_loads_and_what_storage_gave(on_a_device, tmp_path):
    recording = tmp_path / "run.jsonl"
    done = typed(
        *("run", on_a_device, "--set", "ranks=2", "--cache", "warm"),
        *("--no-history", "--yes", "--record", recording),
    )
    assert done.returncode == 0, done.stderr
    given = summarise(read_record(recording)).amplification
    assert given is not None
    factor = three_figures(given)
    said = f"2 processes, each loads the whole model; each byte was read {factor}× from storage"
    assert said in done.stdout
    assert "Setup (not timed)" in done.stdout


def test_that_a_run_of_blocks_says_which_part_it_was(sample):
    arguments = ("--blocks", "layers.0", "--rank", "0/2", "--verify", "--no-history", "--yes")
    done = typed("run", sample, *arguments)
    assert done.returncode == 0, done.stderr
    assert "blocks layers.0; rank 0/2" in done.stdout
    assert "matches the file" in done.stdout
    assert not History().folder.exists()


def test_that_a_run_of_a_library_names_its_version_and_whether_it_was_touched(samples):
    run = ("run", samples["gguf"], "--strategy", "gguf.GGUFReader", "--no-history", "--yes")
    assert "every page read in" in typed(*run).stdout
    untouched = typed(*run, "--deliver", "untouched").stdout
    assert ", untouched" in untouched
    assert "before its bytes were in memory" in untouched
