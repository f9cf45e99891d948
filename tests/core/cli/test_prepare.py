"""What a stored file would run is shown as it is, before anybody is asked."""

import pytest

from modelmon.core.cli.measuring import agree_to_run
from modelmon.core.comparison.commands import command_arm
from modelmon.core.errors import ConfigError


def test_that_no_stored_command_hides_itself(capsys):
    arm = command_arm("A", "serve", ["serve", "\x1b[2K\rA: harmless \u202e"])
    with pytest.raises(ConfigError, match="nobody is here to agree"):
        agree_to_run([arm], {})
    assert capsys.readouterr().err == "A: serve '\ufffd[2K\ufffdA: harmless \ufffd'\n"
