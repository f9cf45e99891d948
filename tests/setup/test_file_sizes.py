"""No file of the program grows beyond what one person keeps in mind."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "gui", "setup", "benchmarks", "tests")
MOST_LINES = 400


def test_that_no_file_is_over_400_lines() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
    }
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}
