"""The load settings of a program, as a server may tell them."""

import pytest

from modelmon.core.cli import best
from modelmon.core.errors import ConfigError
from modelmon.core.programs.registry import known_program


def test_that_a_program_there_without_settings_is_refused():
    with pytest.raises(ConfigError, match="nothing to choose"):
        best._settings_wanted((), (), known_program("safetensors"))
