from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from modelmon.core.machine.oom import oom_kills

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("memory.events", "low 0\nhigh 4\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
    ],
)
def test_that_the_kills_of_the_own_cgroup_are_counted(tmp_path: Path, name: str, text: str) -> None:
    own = tmp_path / "own"
    for folder in (own, tmp_path / "proc"):
        folder.mkdir()
    (own / name).write_text(text)
    (tmp_path / "proc/vmstat").write_text("pswpin 0\noom_kill 7\n")
    assert oom_kills([own, tmp_path], tmp_path) == 2
    assert oom_kills([], tmp_path) == 7


def test_that_a_kernel_that_does_not_count_them_says_nothing(tmp_path: Path) -> None:
    assert oom_kills([], tmp_path) is None
