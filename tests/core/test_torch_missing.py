"""modelmon.core.torch where torch is not installed."""

import importlib
import sys

import pytest


def test_that_the_lack_of_torch_is_said_with_what_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "modelmon.core.torch", raising=False)
    with pytest.raises(ModuleNotFoundError, match="pip install torch"):
        importlib.import_module("modelmon.core.torch")
