"""JSON as strangers may have changed it: other numbers, parts that are missing or doubled."""

import copy
import json

import pytest
from hypothesis import strategies as st

_EXTREMES = (0, -1, 2**53 - 1, 2**63, 10**400, 5e-324, 1e300, -1e300)
# What divides by zero or grows too large shows with two of them.
EACH_EXTREME = [
    pytest.param(value, marks=() if value in (0, 1e300) else pytest.mark.soak)
    for value in _EXTREMES
]
_UNPRINTABLE = "@more digits than Python prints@"
_NO_TEXT, _DEEP = "@not UTF-8@", "@deeper than Python goes@"
_IN_BYTES = {_UNPRINTABLE: b"9" * 5000, _NO_TEXT: b'"\xff"', _DEEP: b"[" * 9000 + b"]" * 9000}
_NUMBERS = (*_EXTREMES, 1, 0.5, -0.5, 4096, 2**31, 2**62, 10**30, 1e18, _UNPRINTABLE)
_OTHERS = (None, "", "x", True, [], {}, [[0]], _NO_TEXT, _DEEP)


def as_json(value):
    """One line."""
    line = json.dumps(value).encode()
    for mark, written in _IN_BYTES.items():
        line = line.replace(f'"{mark}"'.encode(), written)
    return line


def with_each_number(document, value):
    """`document`, in which one number after another is `value`; in the end it is as it was."""
    for holder, key in list(_places(document)):
        number = holder[key]
        if isinstance(number, int | float) and not isinstance(number, bool):
            holder[key] = value
            try:
                yield document
            finally:
                holder[key] = number


@st.composite
def forged(draw, document):
    """`document` with one to three of its values changed, mostly numbers."""
    document = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(document))
        numbers = [place for place in places if isinstance(place[0][place[1]], int | float)]
        among = numbers if numbers and draw(st.integers(0, 3)) else places
        if not among:
            return document
        holder, key = draw(st.sampled_from(among))
        change = draw(st.sampled_from(["number"] * 6 + ["other", "gone", "doubled"]))
        if change == "gone":
            del holder[key]
        elif change == "doubled" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            values = _OTHERS if change == "other" else _NUMBERS
            holder[key] = copy.deepcopy(draw(st.sampled_from(values)))
    return document


def _places(value):
    """Every place in a document, as the container and the key in it."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])
