"""How the two ends of a program that runs on a server talk: who is alive, who got what.

Towards the server each line begins with a letter that says what it is. From there come the
program's own lines, as they are, between `BEGUN` and one that begins with `END`.
"""

from __future__ import annotations

PROTOCOL = 5
"""Raised with each change after which another version could not read what is said here: of these
lines, of a request, of the events of a worker or a measurement, of a command's answer.
"""

INPUT = b"i"
"""A line for the program's standard input."""
NO_MORE_INPUT = b"e"
"""A program reads so far; a command, which reads nothing, is ended."""
TERMINATE = b"t"
ALIVE = b"a"
"""Said by the near end every `BEAT_S`: it is there, and has so many bytes."""
GOT_ALL = b"g"

BEGUN = b"\x05\n"
"""The first line from there, behind what its shell may say: what is cut off from now on can be
fetched.
"""
END = b"\x04"
"""Begins the last line from there, which is no line of JSON: the program's exit code."""

BEAT_S = 2.0
SILENT_S = 15.0
"""Who says nothing for so long is gone: a connection that died says nothing either."""
KEPT_S = 60.0
"""So long a server keeps what a program said that ended well and was not heard."""
ENDING_S = 12.0
"""A program whose near end has gone may take so long: one that watches another has up to 10 s."""

MOST_LINE_BYTES = 256 * 1024**2
"""The headers of the largest models there are, as JSON, take a tenth of it."""
MOST_UNSENT_BYTES = 1024**2
"""More than that waits in the program, which then drops samples and counts them."""
