"""A window over a history of its own."""

import sys
from pathlib import Path

import pytest

from modelmon.core.doctor.inspection import inspect_model

# Test modules are imported one by one: what they share has to be found by its name.
sys.path.insert(0, str(Path(__file__).parent))

from runs_past import Past


@pytest.fixture(scope="session")
def inspection(sample):
    return inspect_model(sample)


@pytest.fixture
def past(folder, inspection):
    return Past(folder, inspection)


@pytest.fixture
def new_window(folder, new_window):
    del folder
    return new_window


@pytest.fixture
def window(folder, window):
    del folder
    return window
