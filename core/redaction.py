"""Leaves tokens, keys and passwords out of what is kept: of printed text, and of commands.

It knows them by their looks or by the name before them; it can't know all.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEFT_OUT = "[…]"
_SECRET = re.compile(
    r"\b(?:hf_|sk-|ghp_|github_pat_|AKIA|xox[bp]-)[\w-]{8,}"
    r"|(?i:\b[\w-]{0,40}(?:api[-_]?key|token|secret|passw(?:or)?d)\b['\"]?\s{0,3}[=:]\s{0,3})\S{6,}"
    r"|(?i:\bbearer\s{1,3})\S{6,}"
    r"|(?<=://)[^/@\s]{1,200}(?=@)"
)
_NAMES = r"(?:token|key|secret|password|passwd|credentials?|auth|authorization)"
_NAME = re.compile(rf"(^|[-_]){_NAMES}$", re.IGNORECASE)
# An option with its value, or a variable that is set.
_IN_A_SHELL = re.compile(
    rf"((?<![\w-])(?:(?:--?)?(?:[\w-]{{0,40}}[-_])?{_NAMES}="
    rf"|--?(?:[\w-]{{0,40}}[-_])?{_NAMES}\s{{1,9}}(?!-)))"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s;&|]+)",
    re.IGNORECASE,
)
_HOLDS_A_SECRET = re.compile(r"\bbearer\s|^authorization:", re.IGNORECASE)


def without_secrets(text: str) -> str:
    """The text with `[…]` for each token, key and password."""
    return _SECRET.sub(LEFT_OUT, text)


def shell_command_without_secrets(command: str) -> str:
    """What was typed for a shell with `[…]` for each token, key and password."""
    return without_secrets(_IN_A_SHELL.sub(rf"\1{LEFT_OUT}", command))


def words_without_secrets(words: Sequence[str]) -> list[str]:
    """The words of a command with `[…]` for each token, key and password."""
    kept: list[str] = []
    is_value = False
    for word in words:
        name, equals, _ = word.partition("=")
        # A word with spaces is a script, of which the rest is kept.
        named = _NAME.search(name) is not None and " " not in word
        if (is_value and not word.startswith("-")) or _HOLDS_A_SECRET.search(word):
            kept.append(LEFT_OUT)
            is_value = False
            continue
        is_value = named and not equals and word.startswith("-")
        kept.append(f"{name}={LEFT_OUT}" if named and equals else without_secrets(word))
    return kept


def recorded_command(words: Sequence[str]) -> str:
    """A command as records hold it: quoted for a shell, without secrets."""
    return shlex.join(words_without_secrets(words))
