"""Texts are plain English: no word that only a translation would choose."""

import ast
import re
from pathlib import Path

import pytest

import modelmon.core

CORE = Path(modelmon.core.__file__).parent
BANNED = re.compile(
    r"\b((?<!early to )tells?|told|lies|comes? to|goes on|go on|let go|anew|in turn|beside"
    r"|by itself|for want|whatever|whoever|wherever|(is|are|was|were) seen)\b",
    re.IGNORECASE,
)
"""Of the words that are to be avoided those that are never right in what this program says."""


def texts(path):
    """What a file says: its strings of more than a word, without docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = {
        id(each.value)
        for each in ast.walk(tree)
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }
    for each in ast.walk(tree):
        is_text = isinstance(each, ast.Constant) and isinstance(each.value, str)
        if is_text and id(each) not in silent and " " in each.value.strip():
            yield each.lineno, each.value


@pytest.mark.parametrize("folder", sorted(path for path in CORE.iterdir() if path.is_dir()))
def test_that_no_banned_word_is_in_what_the_program_says(folder):
    found = [
        (path.name, line, text)
        for path in folder.rglob("*.py")
        for line, text in texts(path)
        if BANNED.search(text)
    ]
    assert found == []
