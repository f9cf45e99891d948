"""`pytest tests/frozen --renew` keeps what commands say now."""

import pytest
from tests.frozen.harness import workspace, write_models


def pytest_addoption(parser):
    parser.addoption("--renew", action="store_true", help="keep what commands say now as expected")


@pytest.fixture(scope="session")
def _models(tmp_path_factory):
    return write_models(tmp_path_factory.mktemp("models"))


@pytest.fixture
def folder(_models, tmp_path, monkeypatch):
    """A workspace, which is the current folder's parent."""
    return workspace(tmp_path, monkeypatch, _models)
