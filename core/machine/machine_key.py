"""A number of this installation that it keeps, and no other program has."""

from __future__ import annotations

import hashlib
import hmac
import platform
import sys
import uuid
from pathlib import Path

from modelmon.core.machine.sysfs import value

_PROGRAM = b"modelmon history"
_RANDOM_NODE = 1 << 40


def machine_key(root: Path = Path("/")) -> str:
    """A digest that stays the same over restarts and is shared with no other program.

    Of the installation's own number where there is one (Linux, Windows), else of the network
    card's address or the host's name. The number itself is confidential and is not kept.
    Source: machine-id(5), which asks for a keyed digest.
    """
    number = _installation(root) or _network_card() or platform.node()
    return hmac.new(_PROGRAM, number.encode(), hashlib.sha256).hexdigest()


def _installation(root: Path) -> str:
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415  Windows only

        place = r"SOFTWARE\Microsoft\Cryptography"
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0])
        except OSError:
            return ""
    return value(root / "etc/machine-id") or value(root / "var/lib/dbus/machine-id")


def _network_card() -> str:
    """The address of a network card; "" where Python found none and would draw one by lot.

    Source: RFC 9562, section 6.10: a random node has the multicast bit set.
    """
    node = uuid.getnode()
    return "" if node & _RANDOM_NODE else f"{node:012x}"
