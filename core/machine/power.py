"""Where the machine's power comes from."""

from __future__ import annotations

import psutil


def on_battery() -> bool | None:
    """Whether the machine runs from its battery; None where it has none or does not tell."""
    look = getattr(psutil, "sensors_battery", None)
    battery = look() if look is not None else None
    if battery is None or battery.power_plugged is None:
        return None
    return not battery.power_plugged
