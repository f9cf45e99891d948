"""What the terminal prints: names are never cut, words never split, and all of it fits."""

import sys
import time
from io import StringIO
from operator import itemgetter
from types import SimpleNamespace

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text
from tests.core.cli.terminal import COLUMNS, Terminal
from tests.core.find_best.racing import Racetrack

from modelmon.core.cli.main import main
from modelmon.core.cli.measuring import ExperimentBar, agree_to_run
from modelmon.core.cli.output import WholeWords, console, print_items, rendered, tell
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.comparison import runner
from modelmon.core.comparison.commands import command_arm
from modelmon.core.errors import ConfigError
from modelmon.core.export.items import Code, Column, facts, table
from modelmon.core.export.result_items import standings_table
from modelmon.core.messages import NOTHING, Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord

PATH = "/models/a-folder-with-a-long-name/instruct-00001-of-00002.safetensors"
SENTENCE = "The load is limited by the disk's bandwidth: 2.31 GB/s, waiting 90% of the time."


def printed(width, *shown):
    out = Console(file=StringIO(), width=width, soft_wrap=True, highlight=False, markup=False)
    out.push_render_hook(WholeWords())
    for each in shown:
        out.print(each if isinstance(each, str) else rendered(each))
    assert isinstance(out.file, StringIO)
    return out.file.getvalue().splitlines()


def listing():
    rows = [
        ("9", "safetensors.torch.load_file", "warm, not counted", "417 ms", "3", ""),
        ("12", "processes, with threads", "cold", "1.48 s", "11", ""),
    ]
    return table(
        rows,
        Column("ID", itemgetter(0), "right lead"),
        Column("Strategy", itemgetter(1), "lead"),
        Column("Start", itemgetter(2)),
        Column("Time", itemgetter(3), "right lead"),
        Column("Runs", itemgetter(4), "right named"),
        Column("Name", itemgetter(5)),
    )


def test_that_rows_are_paragraphs_where_a_table_has_no_room():
    assert printed(50, listing()) == [
        " 9  safetensors.torch.load_file  417 ms",
        "    warm, not counted · Runs 3",
        "12  processes, with threads  1.48 s",
        "    cold · Runs 11",
    ]


def test_that_a_table_is_one_where_there_is_room_and_shows_no_empty_column():
    heading, first, second = printed(80, listing())
    assert heading.split() == ["ID", "Strategy", "Start", "Time", "Runs"]
    assert "safetensors.torch.load_file  warm, not counted  417 ms     3" in first
    assert second.startswith("12  processes, with threads")


def test_that_a_table_has_a_hundred_columns_where_no_terminal_is(capsys):
    wide = table([SENTENCE], Column("What", str), Column("Why", lambda _: f"{SENTENCE} {PATH}"))
    print_items(wide)
    console().print(f"{SENTENCE} {SENTENCE}")
    *shown, sentence = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 100
    assert sentence == f"{SENTENCE} {SENTENCE}"


def test_that_a_wide_terminal_breaks_cells_between_words():
    headings = (Column("Strategy", str.lower, "lead"), Column("Best for", lambda _: SENTENCE))
    problem = Column("Problem", lambda _: SENTENCE)
    lines = printed(110, table(["safetensors.torch.load_file"], *headings, problem))
    assert lines[1].startswith("safetensors.torch.load_file  The load is limited by")
    assert " ".join(" ".join(lines).split()).count("2.31 GB/s,") == 2


@pytest.mark.parametrize("width", [20, 40, 79])
@pytest.mark.parametrize(
    "shown", [SENTENCE, facts([("Path", PATH), ("Bottleneck", SENTENCE)]), listing()]
)
def test_that_no_word_is_split_and_no_name_cut(width, shown):
    words = " ".join(printed(width, shown)).split()
    whole = " ".join(printed(1000, shown)).split()
    headings = {"ID", "Strategy", "Start", "Time", "Runs"}
    assert set(whole) - headings <= set(words)


def test_that_a_number_that_begins_a_paragraph_says_what_it_counts():
    nodes = Column("Nodes", str, "right lead named")
    lines = printed(40, table([1, 12], nodes, Column("Why", lambda _: SENTENCE)))
    assert [line for line in lines if line.startswith("Nodes")] == ["Nodes 1", "Nodes 12"]


def test_that_a_long_name_leaves_room_for_values():
    name = "after “INFO 11-28 12:00:00 model_runner.py: Starting to load model…”"
    lines = printed(80, facts([(name, SENTENCE), ("warming up", SENTENCE)]))
    assert len(lines) <= 2 + sum(-(-len(each) // 50) for each in (SENTENCE, SENTENCE))
    assert all(len(line) <= 80 for line in lines)


def test_that_names_are_dim_and_their_values_are_not():
    out = Console(
        file=StringIO(), force_terminal=True, color_system="standard", highlight=False, width=30
    )
    out.print(rendered(facts([("Start", "warm, 100% was cached, and all in memory")])))
    assert isinstance(out.file, StringIO)
    shown = "\x1b[2mStart  \x1b[0mwarm, 100% was cached,\n       and all in memory\n"
    assert out.file.getvalue() == shown


def test_that_a_command_stays_one_line_to_be_copied():
    command = f"  modelmon compare {PATH} --b direct"
    assert printed(40, Code(command)) == [command]


@given(st.lists(st.text("ab1. ", min_size=1, max_size=30), min_size=1), st.integers(10, 60))
def test_that_lines_are_no_longer_than_the_terminal_unless_a_word_is(texts, width):
    words = [word for text in texts for word in text.split()]
    longest = max([len(word) for word in words], default=0)
    # A number is kept with the word behind it.
    for line in printed(width, " ".join(words)):
        assert len(line) <= max(width, 2 * longest + 1)


LONG = "Tests 12 strategies for the fastest cold start, up to 5 min: about 843 ms per run, 2.1 GB."
JOINED = "A program that runs already is joined as it is: --cache, --ready output: and --ready"


def wrong_use():
    main(["watch", "--pid", "1", "--cache", "cold"])


@pytest.mark.parametrize(
    ("say", "sentence"), [(lambda: tell(LONG), LONG), (wrong_use, JOINED)], ids=["note", "usage"]
)
def test_that_notes_and_mistakes_break_between_words(monkeypatch, say, sentence):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    say()
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert sentence in " ".join(" ".join(lines).split())


def test_that_a_name_with_colons_is_shown_as_it_is(capsys):
    tell("Wrote /models/a:fire:b.gguf.")
    assert capsys.readouterr().err == "Wrote /models/a:fire:b.gguf.\n"


def test_that_a_narrow_terminal_leaves_nothing_out():
    session = Racetrack(seed=3).go()
    out = Console(file=StringIO(), width=60)
    out.print(rendered(standings_table(session.standings())))
    assert isinstance(out.file, StringIO)
    shown = out.file.getvalue()
    assert all(len(line) <= 60 for line in shown.splitlines())
    for word in ("Cold start", "Relative time", "Runs", "best so far", "ruled out:"):
        assert word in shown
    for number, standing in enumerate(session.standings(), start=1):
        assert any(line.strip() == f"{number}  {standing.label}" for line in shown.splitlines())


def test_that_memory_says_of_what_part_it_is_where_times_are_of_the_whole():
    session = Racetrack(seed=3).go()
    out = Console(file=StringIO(), width=120)
    out.print(rendered(standings_table(session.standings(), portion_bytes=250_000_000)))
    assert isinstance(out.file, StringIO)
    assert "Memory of" in out.file.getvalue()
    assert "250 MB" in out.file.getvalue()
    assert "Private" not in out.file.getvalue()


def test_that_a_program_that_reads_nothing_is_told_once(capsys):
    told = Message("{program} hasn't opened a:fire:b[bold].gguf so far.", program="serve" * 20)
    with ProgressBar() as bar:
        for what in (told, NOTHING):
            bar.follow(ev.Waiting(5, what), RunRecord())
            assert bar.waiting == what
    assert capsys.readouterr().err == f"{told}\n"


def test_that_what_is_told_above_a_bar_breaks_between_words_below_its_begin(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    terminal = Terminal()
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, terminal)
    with ProgressBar() as bar:
        bar.print(Text(f"  {SENTENCE}"))
    lines = [line for line in terminal.getvalue().splitlines() if "2.31 GB/s" in line]
    assert lines
    assert all(line.startswith("  ") for line in lines)


def test_that_a_rate_is_that_of_the_whole_time_and_never_that_of_a_moment(monkeypatch):
    now_s = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])

    def told(*steps):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        with ProgressBar() as bar:
            for seconds, done_bytes in steps:
                now_s[0] += seconds
                bar.show("loading", done_bytes, 4_000_000_000)
        return terminal.getvalue()

    assert "loading 2 GB of 4 GB at 1 GB/s" in told((0, 0), (2, 2_000_000_000))
    moment = told((0, 0), (0.001, 2_000_000_000))
    assert "loading 2 GB of 4 GB " in moment
    assert "B/s" not in moment
    # A program takes its time before it reads, and a report may begin with what's done.
    assert "at 1 GB/s" in told((0, 0), (40, 0), (2, 2_000_000_000))
    assert "at 500 MB/s" in told((0, 1_000_000_000), (2, 2_000_000_000))
    assert "B/s" not in told((0, 0), (40, 0))


@pytest.mark.parametrize(
    ("prepare", "more"),
    [("", ""), ("umount /m; mount /m", " --prepare 'umount /m; mount /m'")],
)
def test_that_the_command_to_resume_is_a_line_of_its_own(monkeypatch, prepare, more):
    def interrupted(*_):
        raise KeyboardInterrupt

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(runner, "_make_runs", interrupted)
    recorder = SimpleNamespace(kept_runs=3, experiment_id=12, problem="", end=lambda *_: None)
    session = SimpleNamespace(kind="compare", conclusive=False, stopped=True)
    underway = SimpleNamespace(
        session=session, recorder=recorder, inspection=SimpleNamespace(server="")
    )
    with click.Context(click.Command("compare")) as context:
        context.params["prepared_with"] = prepare
        with pytest.raises(KeyboardInterrupt):
            runner.run_experiment(underway, ExperimentBar(quiet=True), interrupted)
    assert terminal.getvalue().splitlines() == [
        "Saved 3 runs.",
        f"To resume: modelmon compare --resume x12{more}",
    ]


def test_that_no_stored_command_hides_itself(capsys):
    arm = command_arm("A", "serve", ["serve", "\x1b[2K\rA: harmless \u202e"])
    with pytest.raises(ConfigError, match="no terminal to ask in"):
        agree_to_run([arm], {})
    assert capsys.readouterr().err == "A: serve '\ufffd[2K\ufffdA: harmless \ufffd'\n"
