"""`modelmon compare --a-command`: programs that are not ours, compared as real processes."""

import json
import os
import pty
import re
import socket
import sys
from pathlib import Path

import pytest
from tests.system.commands import (
    LINGERS_S,
    assert_that_all_have_ended,
    command,
    command_line,
    starts,
    typed,
)
from tests.system.needs import on_linux

from modelmon.core.comparison.commands import command_arm
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import EXIT_CANCELLED
from modelmon.core.export.saved import read_result
from modelmon.core.find_best.plan import plan_commands
from modelmon.core.find_best.session import search_session
from modelmon.core.load.config import PROGRAM
from modelmon.core.messages import to_text
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job

pytestmark = on_linux


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Never changed by a test."""
    path = tmp_path_factory.mktemp("compared") / "small.safetensors"
    return write_sample(path, "safetensors", 8 * MIB, 2, 0)


def compare(model, *arguments, pairs=1):
    """With warm starts, which need no disk."""
    return typed(
        *("compare", model, "--cache", "warm", "--repeats", str(pairs), "--fixed"), *arguments
    )


def compared(model, *arguments, pairs=1):
    done = compare(model, *arguments, "--json", pairs=pairs)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_that_compared_programs_are_told_kept_and_never_started_again(model, notes, tmp_path):
    slow, fast = (command_line("lingers", model, notes, each * LINGERS_S) for each in (1, 0.5))
    saved = tmp_path / "result.json"
    done = compare(
        model, "--a-command", slow, "--b-command", fast, "--ready", "exit", "--out", saved
    )
    assert done.returncode == 0, done.stderr
    assert "Timed from the start until ready. Time to read the model: A " in done.stdout
    assert f"A: {slow}" in done.stdout
    assert_that_all_have_ended(notes)
    known = starts(notes)
    comparison = read_result(saved)
    # One that the host took memory from is made again.
    assert len(known) == len(comparison.runs_a) + len(comparison.runs_b) >= 2
    assert (comparison.command("A"), comparison.command("B")) == (slow, fast)
    assert {run.ready for run in comparison.runs_a} == {"exit"}
    assert comparison.arm_a.config.library == PROGRAM
    assert comparison.arm_a.median_ns == comparison.arm_a.ready_ns
    for arm in (comparison.arm_a, comparison.arm_b):
        assert "of the wait after reading" in str(arm.bottleneck.clause)

    shown = typed("history", "show", "x1")
    assert slow in shown.stdout
    assert fast in shown.stdout
    rows = json.loads(typed("history", "--json").stdout)["runs"]
    assert {row["command"] for row in rows} == {slow, fast}
    exported = typed("export", saved, "--arm", "B", "--out", tmp_path / "modelmon.toml")
    assert exported.returncode == 2
    assert "B is a command, and modelmon.toml can't express it" in exported.stderr
    assert "was tested, and how it reads" in typed("export", "x1", "--for", "modelmon").stdout
    assert starts(notes) == known


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_that_a_model_changed_meanwhile_ends_a_comparison_and_is_said(own_copy, tmp_path):
    # Before the third run.
    prepare = f"cd '{tmp_path}'; echo >> n; [ $(wc -l < n) -lt 3 ] || touch '{own_copy}'"
    done = typed("compare", own_copy, "--cache", "as-is", "--prepare", prepare)
    assert done.returncode == 1, done.stderr
    assert "Ended early: the model was changed or removed" in done.stdout


def test_that_a_program_is_compared_with_a_strategy_of_modelmon(model, notes):
    program = command_line("read", model, notes)
    found = compared(model, "--a", "sequential", "--b-command", program)
    assert (found["arm_a"]["strategy"], found["arm_b"]["strategy"]) == (
        "sequential",
        Path(sys.executable).name,
    )
    assert "ready_ns" not in found["arm_a"]
    assert found["arm_b"]["ready_ns"] == found["arm_b"]["median_ns"]
    caveat = found["verdict"]["caveat"]
    assert "B is timed from its start until it's ready, A without its start." in caveat
    assert "simpler" not in found["verdict"]["sentence"]


def test_that_the_time_in_which_the_model_is_read_can_be_compared_instead(model, notes):
    slow = command_line("lingers", model, notes, LINGERS_S)
    found = compared(
        *(model, "--a-command", slow, "--b", "sequential", "--timed", "reading", "--ready", "exit")
    )
    (run,) = found["runs_a"]
    arm = found["arm_a"]
    assert run["timed"] == "reading"
    assert arm["median_ns"] == arm["reading_ns"] == run["last_byte_ns"] - run["first_byte_ns"]
    assert arm["ready_ns"] == run["wall_ns"] >= arm["median_ns"] + LINGERS_S * 1e9
    assert "Time until ready: A " in found["verdict"]["caveat"]


@pytest.mark.parametrize(
    ("deed", "sentences"),
    [
        ("fails", ["B: python", "Its last output: loading the model ⏎ out of luck"]),
        ("nothing", ["never opened small."]),
    ],
)
def test_that_a_program_that_fails_is_a_sentence(model, notes, deed, sentences):
    done = compare(model, "--b-command", command_line(deed, model, notes), "--ready", "exit")
    assert done.returncode == 1
    assert all(sentence in done.stderr for sentence in sentences), done.stderr
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize("deed", ["announces", pytest.param("hangs", marks=pytest.mark.long)])
def test_that_a_program_that_is_never_ready_is_ended_and_says_what_it_said(model, notes, deed):
    program = command_line(deed, model, notes)
    done = compare(model, "--b-command", program, "--ready", "output:never said", "--limit", "4")
    assert done.returncode == 1
    assert "wasn't ready after 4" in done.stderr
    if deed == "announces" and (notes / "loaded").exists():
        assert "Its last output: weights are read" in done.stderr
    assert_that_all_have_ended(notes)


def test_that_nothing_of_a_program_is_left_when_the_next_run_begins(model, notes):
    """It says itself what was there when it began, and goes on in the background."""
    program = command_line("alone", model, notes)
    sign = "output:server is ready"
    found = compared(model, "--a-command", program, "--b-command", program, "--ready", sign)
    # One that the machine disturbs is made again.
    counted = [sum(run["counts"] for run in found[runs]) for runs in ("runs_a", "runs_b")]
    assert counted == [1, 1]
    assert_that_all_have_ended(notes)


@pytest.mark.long
def test_that_the_port_of_a_server_is_free_again_for_the_next_run(model, notes):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = command_line("serves", model, notes, port)
    sign = f"http:{port}/health"
    found = compared(
        model, "--a-command", program, "--b-command", program, "--ready", sign, pairs=2
    )
    assert {run["ready"] for run in found["runs_b"]} == {sign}
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--a-command", "'"), "A isn't a command"),
        (("--a-command", ""), "A isn't a command"),
        (("--a-command", "true", "--a", "mmap"), "--a is for strategies"),
        (("--a-command", "true", "--set-a", "readers=2"), "--set-a is for strategies"),
        (
            ("--a-command", "true", "--portion", "4MiB"),
            "Compare the whole model (without --portion)",
        ),
        (("--a-command", "true", "--b-command", "true", "--export", "x"), "--export is for"),
        (("--ready", "exit"), "give one with --a-command"),
        (("--timed", "reading"), "give one with --a-command"),
    ],
)
def test_that_what_a_command_cannot_be_is_refused(model, arguments, sentence):
    done = compare(model, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def answered(reply, *arguments):
    """With a terminal as its input, on which somebody answers."""
    ours, theirs = pty.openpty()
    try:
        os.write(ours, f"{reply}\n".encode())
        return typed(*arguments, stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def test_that_going_on_shows_each_command_in_full_and_asks(model, notes):
    good, failing = (
        command_line("read", model, notes),
        command_line("fails-the-second-time", model, notes),
    )
    arms = ("--a-command", good, "--b-command", failing)
    (notes / "once").touch()
    # With this seed A begins.
    begun = compare(model, *arms, "--ready", "exit", "--seed", "1")
    assert begun.returncode == 1
    assert "To resume: modelmon compare --resume x1" in begun.stderr
    (notes / "mended").touch()
    known = starts(notes)

    resume = ("compare", "--resume", "x1", "--json")
    unasked = typed(*resume, "--yes")
    assert unasked.returncode == 2
    assert "no terminal to ask in" in unasked.stderr
    assert f"A: {good}\nB: {failing}\n" in unasked.stderr
    another = typed(*resume, "--a-command", good, "--b-command", good)
    assert another.returncode == 2
    assert "B of the experiment isn't this command" in another.stderr
    refused = answered("n", *resume)
    assert refused.returncode == EXIT_CANCELLED
    assert f"A: {good}\nB: {failing}\n" in refused.stderr
    assert starts(notes) == known

    agreed = answered("y", *resume)
    assert agreed.returncode == 0, agreed.stderr
    assert len(json.loads(agreed.stdout)["runs_b"]) >= 1
    assert starts(notes) > known


@pytest.mark.long
def test_that_the_same_commands_given_again_go_on_unasked(model, notes):
    program = command_line("fails-the-second-time", model, notes)
    begun = compare(model, "--b-command", program, "--ready", "exit", pairs=2)
    assert begun.returncode == 1
    (notes / "mended").touch()
    done = typed("compare", "--resume", "last", "--b-command", program)
    assert done.returncode == 0, done.stderr
    # A run that others disturbed is made again, and may be the second time.
    assert re.search(r"Resuming x1 after [1-4] run", done.stderr)


@pytest.mark.soak
def test_that_a_program_that_has_not_even_begun_when_others_are_done_is_slower_and_not_broken(
    model, notes
):
    # It has the model open for long enough to be seen, however busy the machine is.
    of = {"read": command("lingers", model, notes, LINGERS_S), "late": ["sleep", "1000"]}
    arms = [command_arm(name, name, of[name], "exit", 200 * 10**9) for name in of]
    inspection = inspect_model(model)
    conditions = plan_commands(inspection, arms, "warm", budget_ns=60 * 10**9)
    session = search_session(inspection, arms, conditions)
    label = ""
    while label != "late":
        step = session.next_job()
        assert step is not None
        label, job = step
        result = session.add(run_job(job, command=of[label]))
        assert result is not None, [(each.label, to_text(each.why)) for each in session.standings()]
    (late,) = [each for each in session.standings() if each.label == "late"]
    assert "never opened" not in late.why
