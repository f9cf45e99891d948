"""`modelmon best` as a person uses it: a real race of real loads, short."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from safetensors.numpy import save_file
from tests.system.commands import MODELMON, typed

from modelmon.core.load.config_file import read_config


def test_that_the_best_of_what_was_measured_is_printed_recorded_and_exported(
    on_a_device, tmp_path, stopped_after
):
    out, record = tmp_path / "modelmon.toml", tmp_path / "race.json"
    printed, _ = stopped_after(
        2, "best", on_a_device, "--seed", "1", "--export", out, "--out", record
    )
    race = json.loads(record.read_bytes())
    measured = {run["label"] for run in race["runs"] if run["result"]["counts"]}
    recommended = race["recommendation"]
    assert recommended["label"] in measured
    assert recommended["sentence"] in printed
    assert read_config(out).strategy == recommended["exported"]
    again = tmp_path / "again.toml"
    assert typed("export", record, "--out", again).returncode == 0
    assert again.read_text() == out.read_text()
    assert recommended["sentence"] in typed("history", "show", "x1").stdout
    shown = json.loads(typed("history", "show", "x1", "--json").stdout)
    assert shown["verdict"]["label"] == recommended["label"]


def test_that_ctrl_c_prints_the_best_so_far_and_the_race_goes_on_later(sample, stopped_after):
    printed, said = stopped_after(2, "best", sample, "--objective", "warm", "--json")
    stopped = json.loads(printed)
    assert stopped["ending"] == "stopped"
    assert len(stopped["runs"]) == 2
    assert "modelmon best --resume x" in said
    printed, _ = stopped_after(1, "best", "--resume", "last", "--json")
    runs = json.loads(printed)["runs"]
    assert len(runs) == 3
    assert [run["result"] for run in runs[:2]] == [run["result"] for run in stopped["runs"]]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a named pipe")
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 100))]
)
def test_that_one_ctrl_c_at_any_moment_ends_it(sample, tmp_path, seed):
    chance = random.Random(seed)
    told = tmp_path / "told"
    os.mkfifo(told)
    options = ("--objective", "warm", "--time-limit", "10h", "--prepare", f"echo run > {told}")
    with (
        os.fdopen(os.open(told, os.O_RDWR), "r") as begun,
        subprocess.Popen(
            [*MODELMON, "best", str(sample), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        ) as racing,
    ):
        for _ in range(chance.randint(1, 4)):
            begun.readline()
        time.sleep(chance.choice((0.0, 0.0005, 0.005, 0.3)) * chance.random())
        racing.send_signal(signal.SIGINT)
        try:
            _, said = racing.communicate(timeout=60)
        finally:
            racing.kill()
    assert racing.returncode == 130, said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_that_a_model_deleted_meanwhile_leaves_the_best_so_far(own_copy, tmp_path):
    # Before the third run.
    prepare = f"cd '{tmp_path}'; echo >> n; [ $(wc -l < n) -lt 3 ] || rm -f '{own_copy}'"
    done = typed(
        "best", own_copy, "--objective", "warm", "--time-limit", "10h", "--prepare", prepare
    )
    assert done.returncode == 1, done.stderr
    assert "Stopped early: " in done.stdout
    assert "too early to tell" in done.stdout


def test_that_a_dry_run_says_who_races_and_reads_next_to_nothing(sample):
    done = typed("best", sample, "--dry-run")
    assert done.returncode == 0
    assert "Tests 10 strategies, then variants of the fastest: up to " in done.stderr
    assert "not tested: shared-fd" in done.stderr
    plan = json.loads(typed("best", sample, "--dry-run", "--json", "--time-limit", "2m").stdout)
    assert plan["conditions"]["budget_ns"] == 120e9
    assert "auto" in {arm["label"] for arm in plan["arms"]}


@pytest.mark.parametrize("dry_run", [(), ("--dry-run",)])
def test_that_where_nothing_can_be_tested_it_is_said_why(tmp_path, dry_run):
    path = tmp_path / "complex.safetensors"
    save_file({"w": np.zeros(64, np.complex64)}, path)
    done = typed("best", path, "--deliver", "decoded", *dry_run)
    assert done.returncode == 2
    assert "not tested: mmap. C64 can't be decoded: its values are complex." in done.stderr
    assert "No strategy for this model works here." in done.stderr
    assert "Tests 0" not in done.stderr
    done = typed("best", path, "--deliver", "decoded", "--json", *dry_run)
    assert json.loads(done.stdout).keys() == {"error"}
