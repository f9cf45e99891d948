"""Numbers as files of strangers may give them: none is larger than what can be reckoned with.

Floating point holds all of them exactly, and a thousand of them sum up within 64 bits. What is
read from a file has one of these types in place of `int` and `float`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

MOST = 2**53 - 1

Amount = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
"""Bytes, a length of time or a number of things."""

Integer = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
"""What a counter grew by, which is negative where one of several processes ended; a moment in ns
since the start.
"""

Clock = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]
"""How far clocks are apart that count ns since their machines booted: 104 days are more than
floating point holds exactly. To be added, never to be multiplied.
"""

Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
"""A number of things of which there is at least one."""

Duration = Annotated[float, msgspec.Meta(gt=0, le=MOST)]
"""Nanoseconds that a load took, by which others are divided."""

Number = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]
"""A share, a rate, a median."""

UnixTime = Annotated[float, msgspec.Meta(ge=0, le=2**37)]
"""Seconds since 1970, up to years that calendars have."""

UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding a stranger's JSON raises: text that isn't UTF-8 and depth have their own errors."""
