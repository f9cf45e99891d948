"""The probe as a person starts it: `modelmon doctor --probe`, typed."""

import json
import sys

import pytest
from tests.system.commands import modelmon, typed

from modelmon.core.load.config import PRESETS
from modelmon.core.machine.storage import storage_of
from modelmon.core.probe.store import recent_probe

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="direct reads and page cache are Linux's"),
]


def test_that_doctor_probes_and_what_follows_is_known_later(on_a_device):
    shown = modelmon("doctor", on_a_device, "--probe", "--seconds", "1")
    assert shown.returncode == 0
    assert shown.stderr == ""
    for part in ("Random 4 KiB", "8 readers", "Copy, 1 thread", "Expected load times"):
        assert part in shown.stdout
    kept = recent_probe(storage_of(on_a_device))
    assert kept is not None
    told = json.loads(typed("doctor", on_a_device, "--json").stdout)
    assert told["probe"]["probed_unix_s"] == kept.probed_unix_s
    times = [each["cold"]["ns"] for each in told["expected"]]
    assert times == sorted(times)
    assert {each["strategy"] for each in told["expected"]} == set(PRESETS)
    assert "typical values" not in shown.stdout
    assert "Fastest load" in typed("inspect", on_a_device).stdout


def test_that_doctor_tells_the_rest_where_the_probe_fails(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    shown = typed("doctor", folder, "--probe")
    assert shown.returncode == 0
    assert "neither a file nor a model folder" in shown.stdout
    assert "Processors" in shown.stdout


def test_that_a_probe_needs_a_path():
    shown = typed("doctor", "--probe")
    assert shown.returncode == 2
    assert "--probe needs" in shown.stderr
