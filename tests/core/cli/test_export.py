import json
import sys

import msgspec
import pytest
from tests.core.cli.terminal import COLUMNS, Terminal
from tests.core.export.outcomes import comparison_of

from modelmon.core.cli.main import main
from modelmon.core.comparison.result import Verdict
from modelmon.core.history.history import History
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS, PROGRAM, LoadConfig
from modelmon.core.load.config_file import read_config
from modelmon.core.messages import NOTHING, Message, to_text


@pytest.fixture
def saved(tmp_path):
    """A comparison in which direct beat mmap, as `compare --out` saves it."""
    path = tmp_path / "result.json"
    comparison = comparison_of("direct", "/models/my model.gguf")
    path.write_bytes(msgspec.json.encode(comparison, enc_hook=to_text))
    return path


def test_that_what_is_read_breaks_between_words_and_what_is_copied_stays_whole(
    saved, monkeypatch, capsys
):
    assert main(["export", str(saved), "--for", "all"]) == 0
    piped = capsys.readouterr().out
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    assert main(["export", str(saved), "--for", "all"]) == 0
    lines = terminal.getvalue().splitlines()
    assert terminal.getvalue().split() == piped.split()
    assert [line for line in lines if line.startswith(" ")] == [
        line for line in piped.splitlines() if line.startswith(" ")
    ]
    assert max(len(line) for line in lines if not line.startswith(" ")) <= COLUMNS
    assert max(map(len, piped.splitlines())) > COLUMNS


def test_that_another_models_file_is_not_written_over_by_default(
    saved, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "modelmon.toml"
    name = json.loads(saved.read_bytes())["model"]["name"]
    named = tmp_path / f"{name}.modelmon.toml"
    for _ in range(2):  # its own is replaced, as ever
        assert main(["export", str(saved)]) == 0
        assert not named.exists()
    others = own.read_text().replace('digest = "', 'digest = "f00d')
    own.write_text(others)
    capsys.readouterr()
    assert main(["export", str(saved)]) == 0
    assert own.read_text() == others
    assert read_config(named).config == PRESETS["direct"].config
    assert f" to {named.name}." in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["toml", "sh", "env", "yaml", "json"])
def test_that_the_name_of_the_file_says_the_format(saved, tmp_path, suffix):
    target = tmp_path / f"settings.{suffix}"
    assert main(["export", str(saved), "--for", "llama.cpp", "--out", str(target)]) == 0
    text = target.read_text()
    assert {
        "toml": "[consumers.",
        "sh": "llama-server",
        "env": "LLAMA_ARG_LOAD_MODE=dio\n",
        "yaml": "- consumer: llama.cpp",
        "json": '"consumer": "llama.cpp"',
    }[suffix] in text
    if suffix == "json":
        assert json.loads(text)["kind"] == "export"


def test_that_a_run_or_an_experiment_of_the_history_is_told_of_in_the_words_of_others(
    loaded, origin, capsys
):
    history = History()
    results = {"A": loaded("mmap"), "B": loaded("warm-then-map")}
    arms = [Entrant(label, each.strategy, each.config) for label, each in results.items()]
    number = history.begin("compare", origin, arms, {"cache": "cold"})
    runs = {label: history.add_run(number, origin, label, each) for label, each in results.items()}
    said = Message("Use B"), Message("It waits less."), NOTHING
    history.end(number, "done", Verdict("B", *said, "high", NOTHING, 5))

    def told(reference):
        assert main(["export", reference, "--for", "vllm"]) == 0
        return capsys.readouterr().out

    assert "load-strategy prefetch" in told(f"x{number}")
    assert "Use B. It waits less." in told(f"x{number}")
    assert "load-strategy lazy" in told(f"x{number}A")
    assert "Use B" not in told(f"x{number}A")
    assert f"One run of x{number}." in told(str(runs["A"]))
    # B is not advised where it saves little, nor where nothing is clear.
    for winner, ratio in (("B", 1.03), ("undecided", 1.2), ("no-difference", 1.01)):
        kept = Message("Keep A"), Message("B saves little."), NOTHING
        history.end(number, "done", Verdict(winner, *kept, "high", NOTHING, 5, ratio))
        assert "load-strategy lazy" in told(f"x{number}")
        assert "Keep A. B saves little." in told(f"x{number}")
    assert main(["export", str(runs["A"])]) != 0
    assert "/models/tiny.safetensors doesn't exist" in capsys.readouterr().err


def test_that_only_runs_that_count_choose_what_an_unfinished_experiment_exports(
    loaded, origin, capsys
):
    history = History()
    arms = [
        Entrant(label, name, PRESETS[name].config)
        for label, name in (("A", "mmap"), ("B", "populate"))
    ]
    number = history.begin("compare", origin, arms, {})
    ended = {"counts": False, "why_not": "ended"}
    runs = [loaded(), loaded("populate", wall_ns=10**9), loaded("populate", wall_ns=1, **ended)]
    runs.append(loaded("populate", wall_ns=2, **ended))
    for run in runs:
        history.add_run(number, origin, "A" if run.strategy == "mmap" else "B", run)
    history.end(number, "stopped")
    assert main(["export", f"x{number}", "--for", "vllm"]) == 0
    assert "With mmap it took 500 ms" in capsys.readouterr().out
    assert main(["export", f"x{number}", "--for", "vllm", "--arm", "B"]) == 0
    assert "With populate it took 1.00 s" in capsys.readouterr().out


def test_that_exporting_a_watched_program_never_names_settings_nor_runs_it(
    tmp_path, capsys, loaded
):
    trace = tmp_path / "it-ran"
    comparison = comparison_of("mmap")
    command = f"touch {trace}"
    arm = msgspec.structs.replace(
        comparison.arm_a, strategy="touch", config=LoadConfig(library=PROGRAM)
    )
    path = tmp_path / "result.json"
    run = loaded(command=command)
    watched = msgspec.structs.replace(comparison, arm_a=arm, runs_a=(run,))
    path.write_bytes(msgspec.json.encode(watched, enc_hook=to_text))
    assert main(["export", str(path), "--for", "all", "--arm", "A"]) == 0
    said = capsys.readouterr().out
    assert command in said
    assert "--load-mode" not in said
    assert main(["export", str(path), "--for", "llama.cpp", "--arm", "A"]) == 0
    assert "how it reads doesn't say" in capsys.readouterr().out
    assert not trace.exists()
