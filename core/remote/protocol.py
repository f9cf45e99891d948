"""What the two ends of a program on a server agree on: a number, and two words beside its lines."""

from __future__ import annotations

PROTOCOL = 6
"""Raised with each change after which another version could not read what is sent here: of a
request, of the events of a worker or a measurement, of a command's answer.
"""

BEGUN = b"\x05\n"
"""The first line from there: what its shell printed before is no part of the output."""

ALIVE = b"\0"
"""What the near end adds to the input, which is text, every `BEAT_S`. ssh notices a dead line by
itself; sshd by default takes minutes or hours, and a program would run on for so long.
"""
BEAT_S = 5.0
SILENT_S = 15.0
"""After so long without input the near end counts as gone."""
