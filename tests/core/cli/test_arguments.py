"""What the terminal makes of its arguments: times that are long ago, numbers that are too long,
files that may not be read.
"""

import sys
import time
from datetime import datetime

import pytest

from modelmon.core.cli.history import reference_of, since_type
from modelmon.core.cli.main import main
from modelmon.core.errors import EXIT_USAGE

LONG = "9" * 5000


@pytest.mark.parametrize(
    ("text", "days"), [("30d", 30), ("12h", 0.5), ("2w", 14), ("6m", 180), ("1 y", 365)]
)
def test_that_a_time_is_so_long_ago(text, days):
    before = time.time()
    since = since_type.convert(text, None, None)
    assert before <= since + days * 86400 <= time.time()


def test_that_a_day_begins_at_local_midnight():
    since = since_type.convert("2026-02-03", None, None)
    assert datetime.fromtimestamp(since).astimezone().strftime("%F %T") == "2026-02-03 00:00:00"


@pytest.mark.parametrize("text", ["9999999999y", "1960-01-01"])
def test_that_before_all_computers_is_the_beginning(text):
    assert since_type.convert(text, None, None) == 0.0


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "model", "--rank", f"{LONG}/{LONG}"],
        ["run", "model", "--set", f"readers={LONG}"],
        ["run", "model", "--set", f"chunk_bytes={LONG}"],
        ["run", "model", "--portion", LONG],
        ["run", "model", "--portion", "9" * 300],
        ["best", "model", "--time-limit", LONG],
        ["best", "model", "--time-limit", "9" * 400],
        ["compare", "--resume", f"x{LONG}"],
        ["compare", "--resume", "9" * 25],
        ["history", "--since", f"{LONG}d"],
        ["history", "--limit", LONG],
        ["history", "--limit", "9" * 25],
        ["history", "show", LONG],
        ["history", "show", "x" + "9" * 25],
        ["history", "star", LONG],
        ["history", "events", "9" * 25, "run.jsonl"],
        ["sample", "sample.gguf", "--size", LONG],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_that_a_number_that_is_too_long_is_refused(arguments):
    assert main(arguments) == EXIT_USAGE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tune model", "--program NAME"),
        ("tune model --engine ollama --objective memory", "--objective memory is for strategies"),
        ("best model --program ollama --include all", "--include is for strategies"),
        ("best model --variant dio", "--load-setting needs --program"),
        ("best model -- -c 1", "What follows -- needs --program"),
        ("best model --budget soon", "'--time-limit': 'soon' isn't a duration"),
        ("best model --budget 2502h", "'--time-limit': '2502h' isn't a time limit"),
        ("best model --record -", "'--out': - would be standard output"),
        ("watch model --variant dio -- serve", "--load-setting and --at need --program"),
        ("run gone.gguf --fresh-memory", "gone.gguf"),
        ("engines gone.gguf", "gone.gguf"),
    ],
)
def test_that_earlier_names_still_work_and_answers_have_the_new_ones(words, said, capsys):
    assert main(words.split()) == EXIT_USAGE
    shown = " ".join(capsys.readouterr().err.split())
    assert said in shown
    assert "No such" not in shown


@pytest.mark.skipif(sys.platform == "win32", reason="what a path may be is decided otherwise")
@pytest.mark.parametrize("command", ["inspect", "run", "compare", "best", "strategies"])
def test_that_an_unreadable_file_is_refused_with_a_remedy(tmp_path, monkeypatch, capsys, command):
    # Root may read all, so it is the check before opening that is taken away.
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"hello")
    monkeypatch.setattr("os.access", lambda *_, **__: False)
    assert main([command, str(path)]) == 2
    said = capsys.readouterr().err
    assert "Invalid value" not in said
    assert "cut off within its first 8 bytes" in said


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("12", ("", 12, "")),
        ("x7", ("x", 7, "")),
        ("x7A", ("x", 7, "A")),
        ("x7llama.cpp no-mmap, launched", ("x", 7, "llama.cpp no-mmap, launched")),
        ("c3", ("c", 3, "")),
        *((text, None) for text in ("c", "c1.json", "c3A", "12A", "x", "-1", "1" * 19)),
    ],
)
def test_that_a_reference_is_a_run_an_experiment_an_arm_or_a_cluster(text, meant):
    assert reference_of(text) == meant


@pytest.mark.parametrize(("own", "documents"), [(["--json"], 1), ([], 0)])
def test_that_json_of_another_program_is_not_asked_of_modelmon(capsys, own, documents):
    assert main(["watch", "nothing", *own, "--", "serve", "--json"]) == EXIT_USAGE
    assert capsys.readouterr().out.count("{") == 2 * documents


@pytest.mark.parametrize("words", [("history", "--model"), ("history", "--json", "--model")])
def test_that_a_word_in_another_encoding_is_refused_in_a_sentence(capsys, words):
    assert main([*words, "caf\udce9"]) == EXIT_USAGE
    told = capsys.readouterr()
    assert r"'caf\udce9' is not valid UTF-8." in told.err
    assert told.out.count("not valid UTF-8") == words.count("--json")
