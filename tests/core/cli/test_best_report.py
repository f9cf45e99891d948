"""How a race is shown in the terminal."""

from io import StringIO

from rich.console import Console
from tests.core.find_best.racing import Racetrack

from modelmon.core.cli.best import standings_table


def test_that_a_narrow_terminal_leaves_nothing_out():
    session = Racetrack(seed=3).go()
    out = Console(file=StringIO(), width=60)
    out.print(standings_table(session.standings()))
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
    out.print(standings_table(session.standings(), portion_bytes=250_000_000))
    assert isinstance(out.file, StringIO)
    assert "Memory of" in out.file.getvalue()
    assert "250 MB" in out.file.getvalue()
    assert "Private" not in out.file.getvalue()
