from __future__ import annotations

import time
from datetime import datetime

import click
import pytest

from modelmon.core.cli.history_options import SinceType


@pytest.mark.parametrize(
    ("text", "days"), [("30d", 30), ("12h", 0.5), ("2w", 14), ("6m", 180), ("1 y", 365)]
)
def test_that_a_time_is_so_long_ago(text: str, days: float) -> None:
    before = time.time()
    since = SinceType().convert(text, None, None)
    assert before <= since + days * 86400 <= time.time()


def test_that_a_day_begins_at_local_midnight() -> None:
    since = SinceType().convert("2026-02-03", None, None)
    assert datetime.fromtimestamp(since).astimezone().strftime("%F %T") == "2026-02-03 00:00:00"


@pytest.mark.parametrize("text", ["", "soon", "d", "30", "-3d", "2026-13-01"])
def test_that_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(click.BadParameter, match="30d"):
        SinceType().convert(text, None, None)


@pytest.mark.parametrize("text", ["9999999999y", "1960-01-01"])
def test_that_before_all_computers_is_the_beginning(text: str) -> None:
    assert SinceType().convert(text, None, None) == 0.0
