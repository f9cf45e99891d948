"""Waiting for what another process or thread does."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def until(condition: Callable[[], object]) -> None:
    """Look until it is so; what never comes to that is named when the test's own time is up."""
    while not condition():
        time.sleep(0.01)
