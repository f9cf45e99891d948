"""Text from files, folders, servers and programs, made safe to show: it can't move the cursor,
color or rewrite a line, begin a line of its own, or turn the direction of what follows.

Nor has it numbers that nothing here can compute with.
"""

from __future__ import annotations

import re

# C0 and C1 but for tab and line end, other ends of lines, what turns the direction of text (Unicode
# TR9), and bytes of file names that are no text (PEP 383), which no output can encode.
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LINE_ENDS = re.compile("[\t-\r\x85\u2028\u2029]+")
# Colors and moves, and titles and the like up to their end (ECMA-48).
_SEQUENCES = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|[()*+][0-9A-Z]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?)"
)
_RAW = (
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]"
    rb"|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)
_RAW_ONLY = re.compile(_RAW)
# A backslash that is escaped itself begins no escape.
_IN_JSON = re.compile(
    rb"(\\\\)|\\[bfr]|\\u00(?:0[0-8bcef]|1[0-9a-f]|7f|[89][0-9a-f])"
    rb"|\\u061c|\\u20(?:0[ef]|2[89a-e]|6[6-9])|" + _RAW,
    re.IGNORECASE,
)
# A pattern looks at each byte several times, a translation once: a recording of an hour has 42 MB.
_HARMLESS = bytes(set(range(0x20, 0x7F)) - set(b"\\")) + b"\t\n"
_DIGITS_ALIKE = bytes.maketrans(b"123456789E", b"000000000e")
# Text may look like such a number, too: whether it is one is only asked then.
_LIKE_LARGE = (b"0" * 20, b"0e0", b"0e+0")
# Text that is never ended is taken up to its end as well: to look at each quote within for another
# beginning would take the square of its length.
_TEXT_OR_NUMBER = re.compile(
    rb'"(?:[^"\\]|\\.)*+"?|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?', re.DOTALL
)
_MOST = 2.0**64
_MOST_DIGITS = 40
_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_IN_BYTES = _INSTEAD.encode()


def without_controls(text: str) -> str:
    """The text as it can be printed; line ends and tabs stay."""
    return CONTROLS.sub(_INSTEAD, text)


def one_line(text: str) -> str:
    """A name as it can be shown within a line, a cell or a sentence."""
    return text if text.isprintable() else without_controls(_LINE_ENDS.sub(" ", text))


def plain(text: str) -> str:
    """What a program wrote to a terminal, as it can be printed elsewhere."""
    return without_controls(_SEQUENCES.sub("", text))


def harmless(line: bytes) -> bytes:
    """A line of output as it can be printed, or where it is JSON, as what is decoded of it can."""
    if line.lstrip()[:1] not in {b"{", b"["}:
        return _RAW_ONLY.sub(_IN_BYTES, line)
    alike = line.translate(_DIGITS_ALIKE)
    if any(large in alike for large in _LIKE_LARGE):
        line = _TEXT_OR_NUMBER.sub(_bounded, line)
    if not line.translate(None, _HARMLESS):
        return line
    return _IN_JSON.sub(lambda found: found[1] or _IN_BYTES, line)


def _bounded(found: re.Match[bytes]) -> bytes:
    """Text as it is, and a number that is too large as none."""
    text = found[0]
    if text.startswith(b'"'):
        return text
    return text if len(text) <= _MOST_DIGITS and abs(float(text)) <= _MOST else b"null"
