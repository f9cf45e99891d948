"""`modelmon best` as a person uses it: a real race of real loads, short."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from modelmon.core.cli.main import main
from modelmon.core.load.config_file import read_config

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

BEST = (sys.executable, "-P", "-m", "modelmon", "best")


def best(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BEST, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.alone
def test_that_a_race_keeps_its_budget_and_recommends_what_it_measured(
    on_a_device: Path, tmp_path: Path
) -> None:
    out, record = tmp_path / "modelmon.toml", tmp_path / "race.json"
    done = best(on_a_device, "--budget", "10s", "--seed", "1", "--export", out, "--record", record)
    assert done.returncode == 0, done.stderr
    race = json.loads(record.read_bytes())
    assert race["spent_ns"] <= 10e9
    assert race["ending"] in {"budget", "decided"}
    measured = {run["label"] for run in race["runs"] if run["result"]["counts"]}
    recommended = race["recommendation"]
    assert recommended["label"] in measured
    assert recommended["sentence"] in done.stdout
    assert read_config(out).strategy == recommended["exported"]
    again = tmp_path / "again.toml"
    exporting = [*BEST[:-1], "export", str(record), "--out", str(again)]
    assert subprocess.run(exporting, capture_output=True, check=False).returncode == 0
    assert again.read_text() == out.read_text()


@pytest.mark.alone
@pytest.mark.skipif(sys.platform == "win32", reason="needs a named pipe")
def test_that_ctrl_c_prints_the_best_so_far_and_the_race_goes_on_later(
    sample: Path, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    # Told before each run, and never waiting for a reader.
    prepare = ("--prepare", f"echo run > {told}")
    with os.fdopen(os.open(told, os.O_RDWR), "r") as begun:
        arguments = (str(sample), "--objective", "warm", "--budget", "60s", "--json", *prepare)
        with subprocess.Popen(
            [*BEST, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        ) as racing:
            for _ in range(4):
                begun.readline()
            racing.send_signal(signal.SIGINT)
            printed, said = racing.communicate()
        assert racing.returncode == 130, said
        stopped = json.loads(printed)
        assert stopped["ending"] == "stopped"
        assert len(stopped["runs"]) == 3
        assert "modelmon best --resume x" in said
        resumed = best("--resume", "last", "--budget", "7s", "--json", *prepare)
    assert resumed.returncode == 0, resumed.stderr
    runs = json.loads(resumed.stdout)["runs"]
    assert len(runs) > 3
    assert [run["result"] for run in runs[:3]] == [run["result"] for run in stopped["runs"]]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_that_a_model_deleted_meanwhile_leaves_the_best_so_far(
    own_copy: Path, tmp_path: Path
) -> None:
    # Before the fourth run.
    prepare = f"cd '{tmp_path}'; echo >> n; [ $(wc -l < n) -lt 4 ] || rm -f '{own_copy}'"
    done = best(own_copy, "--objective", "warm", "--budget", "60s", "--prepare", prepare)
    assert done.returncode == 1, done.stderr
    assert "Stopped early: " in done.stdout
    assert "too few runs to rank" in done.stdout


def test_that_a_dry_run_says_who_races_and_reads_next_to_nothing(sample: Path) -> None:
    done = best(sample, "--dry-run")
    assert done.returncode == 0
    assert "10 ways to load race for the shortest first start, at most 5 min:" in done.stderr
    assert "does not: shared-fd" in done.stderr
    plan = json.loads(best(sample, "--dry-run", "--json", "--budget", "2m").stdout)
    assert plan["budget_ns"] == 120e9
    assert "auto" in plan["candidates"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ((), "modelmon best PATH"),
        (("MODEL", "--budget", "soon"), "5m"),
        (("MODEL", "--include", "teleport"), "teleport"),
        (("MODEL", "--deliver", "untouched"), "cannot be compared"),
        (("--resume", "x999"), "x999"),
    ],
)
def test_that_mistakes_are_one_sentence(
    sample: Path, arguments: tuple[str, ...], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(sample) if word == "MODEL" else word for word in arguments]
    assert main(["best", *words]) in {1, 2}
    assert part in capsys.readouterr().err
