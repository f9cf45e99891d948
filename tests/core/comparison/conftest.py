import importlib

import pytest


@pytest.fixture(scope="session")
def stats():
    """Those of scipy, imported where they are wanted: that takes a second."""
    return importlib.import_module("scipy.stats")
