"""Numbers that are longer than any that is measured: refused as usage, never a traceback."""

from __future__ import annotations

import pytest

from modelmon.core.cli.main import main
from modelmon.core.errors import EXIT_USAGE

LONG = "9" * 5000


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "model", "--rank", f"{LONG}/{LONG}"],
        ["run", "model", "--set", f"readers={LONG}"],
        ["run", "model", "--set", f"chunk_bytes={LONG}"],
        ["run", "model", "--portion", LONG],
        ["run", "model", "--portion", "9" * 300],
        ["best", "model", "--budget", LONG],
        ["best", "model", "--budget", "9" * 400],
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
def test_that_a_number_that_is_too_long_is_refused(arguments: list[str]) -> None:
    assert main(arguments) == EXIT_USAGE
