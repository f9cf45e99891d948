"""Finds the window's text in its sources: what is translated, and what should be."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import modelmon.core
import modelmon.gui

CORE, GUI = (Path(each.__path__[0]).resolve() for each in (modelmon.core, modelmon.gui))
_TRANSLATES = ("tr", "mark", "Message", "wrong")
_SHOWS = frozenset(
    {
        *("setText", "setToolTip", "setWindowTitle", "setPlaceholderText", "setAccessibleName"),
        *("setAccessibleDescription", "setStatusTip", "setTitle", "setLabelText", "addTab"),
        *("addAction", "addMenu", "setInformativeText", "setWhatsThis", "setHeaderLabels"),
        *("QLabel", "QPushButton", "QCheckBox", "QRadioButton", "QGroupBox", "QAction", "QMenu"),
        *("QToolButton", "Notice", "say"),
    }
)
# Names and codes that look like words, and what `core` says and is known by; keys are named as
# they stand on the keyboard.
_CODES = frozenset(
    {
        *("modelmon", "Activity", "Run", "Session", "Inter", "Menlo", "Consolas", "Fusion", "Hant"),
        *("Tab", "Left", "Right", "Up", "Down", "Esc", "Return", "Space", "Del", "Home", "End"),
        *("System", "English", " – modelmon", "open_recording", "rule of thumb"),
        *("python serve.py --model …", "style='white-space:nowrap' cellspacing='"),
        *("storage bandwidth", "page cache", "no clear bottleneck", "Not counted"),
    }
)
_WORDS = re.compile(r"[A-Za-z]{2,}.* [a-z]{2,}|^[A-Z][a-z]+[…:.]?$")


@dataclass(frozen=True)
class Text:
    """A literal, and where it stands."""

    file: str
    line: int
    text: str


@cache
def translated():
    """Every literal that is handed to `tr` or `mark`, or that `core` makes a message of."""
    return tuple(_translated())


def _translated():
    for path, tree in (*_trees(GUI), *_trees(CORE)):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in _TRANSLATES and node.args:
                literal = node.args[0]
                if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
                    yield Text(path, node.lineno, literal.value)


def untranslated():
    """Every literal that reads like words for a person and goes nowhere near `tr`."""
    for path, tree in _trees(GUI):
        yield from _Seeker(path).seek(tree)


class _Seeker(ast.NodeVisitor):
    """Walks a file past everything that nobody reads on the screen."""

    def __init__(self, path):
        self._path = path
        self._found = []
        self._shown = 0

    def seek(self, tree):
        self.visit(tree)
        return self._found

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Call(self, node):
        name = _name(node.func)
        if name in _TRANSLATES or name in ("setObjectName", "setProperty", "TypeVar", "cast"):
            for keyword in node.keywords:
                self.visit(keyword.value)
            return
        if name in ("warning", "error", "exception"):  # of the program's log
            return
        self._shown += name in _SHOWS
        self.generic_visit(node)
        self._shown -= name in _SHOWS

    def visit_keyword(self, node):
        if node.arg != "tone":
            self.visit(node.value)

    def visit_Assign(self, node):
        if _name(node.targets[0]) != "__all__":
            self.visit(node.value)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node):
        """An annotation is for readers of the code."""

    def visit_FunctionDef(self, node):
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for line in node.body:
            self.visit(line)

    def visit_Subscript(self, node):
        """What something is looked up by is not shown."""
        self.visit(node.value)

    def visit_Raise(self, node):
        """Errors that reach the screen are made by `core`."""

    def visit_Assert(self, node):
        """Nobody sees these either."""

    def visit_Constant(self, node):
        value = node.value
        if not isinstance(value, str) or value in _CODES or "{" in value or "<" in value:
            return
        if _WORDS.search(value) or (self._shown and re.search("[A-Z][a-z]{2,}| [a-z]{3,}", value)):
            self._found.append(Text(self._path, node.lineno, value))


def _trees(folder):
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(folder)), ast.parse(path.read_text(encoding="utf-8"))


def _name(function):
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
