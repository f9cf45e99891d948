"""Figures beside the truth, for `pytest -k known_truth -s`."""

from __future__ import annotations

import sys


def tell(what: str, **figures: float | str | None) -> None:
    """One line: what was loaded, and each figure by its name."""
    parts = [f"{name} {_text(value)}" for name, value in figures.items()]
    sys.stdout.write(f"\n{what}: {', '.join(parts)}\n")


def _text(value: float | str | None) -> str:
    return f"{value:,.5g}" if isinstance(value, float) else str(value)
