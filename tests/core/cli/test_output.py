"""What is said beside the results fits a terminal as well."""

import sys

import pytest
from tests.core.cli.terminal import COLUMNS, Terminal

from modelmon.core.cli.main import main
from modelmon.core.cli.output import tell

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
