"""What users see stays as it is until it is meant to change: `pytest tests/frozen --renew`."""

import sys

import pytest
from tests.frozen.harness import EXPECTED, played

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what Linux has is expected")


@pytest.mark.parametrize("path", sorted(EXPECTED.glob("*.txt")), ids=lambda path: path.stem)
def test_that_commands_say_what_they_said(path, folder, pytestconfig):
    expected = path.read_text(encoding="utf-8")
    now = played(expected, folder)
    if pytestconfig.getoption("--renew", default=False):
        path.write_text(now, encoding="utf-8")
    else:
        assert now == expected
